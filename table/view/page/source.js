// Where items come from: written into the page, fetched, or sent by a running table. All are fed to the viewer alike.
"use strict";

// The list of records that the page was made with: {records: [{head, items | path}], live: address or null}.
function readBook() {
    return JSON.parse(document.getElementById("book").textContent);
}

async function openRecord(entry) {
    const items = entry.items || await fetchItems(entry.path);
    const game = new Game(entry.head);
    for (const item of items) game.feed(item);
    return game;
}

async function fetchItems(path) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
    return answer.json();
}

// Follow a running table. The first message is its head, then come single items or lists of them; who joins late
// gets all that has happened in one list. `onHead` makes the game, `onItems` is told of every message.
function follow(address, onHead, onItems, onEnd) {
    const url = new URL(address, location.href.replace(/^http/, "ws"));
    // "?" means this very address, with the token that may be in it.
    url.search ||= location.search;
    const socket = new WebSocket(url);
    let headed = false;
    socket.addEventListener("message", message => {
        const told = JSON.parse(message.data);
        if (!headed) {
            headed = true;
            onHead(told);
        } else onItems(Array.isArray(told) ? told : [told]);
    });
    socket.addEventListener("close", onEnd);
    return socket;
}

// Where items come from: written into the page, or fetched. A running table sends them: see live.js.
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

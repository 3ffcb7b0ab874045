// Where items come from: written into the page, or fetched. A running table sends them: see live.js.
"use strict";

/**
 * The list of records that the page was made with.
 * @returns {Book}
 */
function readBook() {
    return JSON.parse($("book").textContent ?? "");
}

/** @param {Entry} entry */
async function openRecord(entry) {
    const items = entry.items || (await fetchItems(entry.path ?? ""));
    const game = new Game(entry.head);
    for (const item of items) game.feed(item);
    return game;
}

/**
 * @param {string} path
 * @returns {Promise<Item[]>}
 */
async function fetchItems(path) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
    return answer.json();
}

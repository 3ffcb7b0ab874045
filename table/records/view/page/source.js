// Where items come from: written into the page, fetched, or from a file that the server reads. A running table sends them: see live.js.
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

/**
 * The entry of a file that somebody gives to the page: the server reads it. An error says what is wrong with the file.
 * @param {File} file
 * @param {number} most Bytes that the server reads, 0: there is none that does.
 * @returns {Promise<Entry>}
 */
async function readFile(file, most) {
    if (!most) throw new Error(word("noReader"));
    if (file.size > most) throw new Error(`${file.name}: ${word("tooLarge", most >> 20)}`);
    /** @type {RequestInit} */
    const request = { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file };
    const answer = await fetch(`record?name=${encodeURIComponent(file.name)}`, request).catch(() => null);
    if (!answer) throw new Error(`${file.name}: ${word("unsent")}`);
    const told = answer.headers.get("Content-Type") === "application/json" ? await answer.json() : {};
    if (!answer.ok) throw new Error(told.error ?? `${file.name}: ${answer.status} ${answer.statusText}`);
    return told;
}

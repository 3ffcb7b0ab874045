// What is over: the kyoku of this game, and what is to be had of a game after its end.
"use strict";

/** What opens a game to those who played in it; `you` was the own number.
 * @typedef {{ game: number, ticket: string, reviewers: string[], you: number }} Over */

/** @type {[form: string, ending: string, kind: string][]} */
const TO_KEEP = [
    ["page", "html", "text/html"],
    ["paifu", "json", "application/json"],
];
const overKept = "jantaku.over.";

/**
 * The last game in a room that this tab knows to be over.
 * @param {string} room
 * @returns {Over | null}
 */
function lastOver(room) {
    return JSON.parse(sessionStorage.getItem(overKept + room) ?? "null");
}

/**
 * @param {string} room
 * @param {Over} over
 */
function keepOver(room, over) {
    sessionStorage.setItem(overKept + room, JSON.stringify(over));
}

/**
 * Where the game is seen, with the own eyes first; `by`: beside what that bot would have done.
 * @param {Over} over
 * @param {string} [by]
 */
function lookBackAt({ game, ticket, you }, by = "") {
    const query = by && `?${new URLSearchParams({ by, seat: `${you}` })}`;
    const link = new URLSearchParams({ k: "1", e: "1", b: `${you}`, l: LANGUAGE, token: ticket });
    return `/record/${game}${query}#${link}`;
}

/** @param {Over} over */
function afterView(over) {
    const reviews = over.reviewers.map((by) => lookBackView(over, word("beside", by), by));
    const files = TO_KEEP.map(
        ([form, ending, kind]) => html`<button type="button" onClick=${() => keepFile(over, form, ending, kind)}>
            ${word(`keep-${form}`)}
        </button>`,
    );
    return html`<h2>${word("afterGame")}</h2>
        <div class="choices">${lookBackView(over, word("allHands"))}${reviews}</div>
        <div class="choices">
            <button type="button" onClick=${() => copyAddress(location.origin + lookBackAt(over), "linkCopied")}>
                ${word("linkToGame")}
            </button>
            ${files}
        </div>`;
}

/** @type {(over: Over, told: Rendered, by?: string) => Rendered} */
function lookBackView(over, told, by = "") {
    return html`<a class="button" target="_blank" rel="noopener" href=${lookBackAt(over, by)}>${told}</a>`;
}

/**
 * Have the server write a file, and let the browser keep it.
 * @param {Over} over
 * @param {string} form
 * @param {string} ending
 * @param {string} kind
 */
function keepFile({ game, ticket }, form, ending, kind) {
    const socket = new WebSocket(socketAddress(`/record/${game}?as=${form}`), protocolsFor(ticket));
    tell("why", () => word("making"));
    socket.onmessage = ({ data }) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([data], { type: kind }));
        link.download = `jantaku-${game}.${ending}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
        tell("why", () => word("kept", link.download));
    };
    socket.onclose = ({ code, reason }) => code !== 1000 && tell("why", () => reason || word("lost"));
}

/**
 * @param {Game} game
 * @param {(kyoku: number) => void} look
 */
function soFarView(game, look) {
    const rounds = PAGE.rounds(game);
    const over = rounds.filter(({ players }) => players.every(({ total }) => total !== null));
    if (!over.length) return "";
    /** @param {Event} event */
    const clicked = (event) => {
        const button = /** @type {HTMLElement} */ (event.target).closest("button");
        if (button) look(Number(button.dataset.round));
    };
    return html`<details id="rounds" open=${isWide()}>
            <summary>${word("soFar", over.length)}</summary>
            ${chartView(game, rounds, game.rounds.length - 1)}
            <div id="heads" aria-hidden="true">${headsView(game)}</div>
            <ol id="list" onClick=${clicked}>${roundsView(game, over, -1)}</ol>
        </details>`;
}

/**
 * How a kyoku ended.
 * @param {Game} game
 * @param {number} kyoku
 */
function resultOfKyoku(game, kyoku) {
    const last = game.rounds[kyoku].items.findLastIndex(({ hule, pingju }) => hule || pingju);
    return PAGE.picture(game, kyoku, last + 1, { base: table.you, sees: table.you, on: new Set() }).result;
}

// The games of the page: the list of them, who played, with which result; where their items come from, which is the page
// itself, a server, or a file that the server reads; and a running table, what it sends and how the connection to it ends.
"use strict";

/**
 * @param {Book} book
 * @param {number} current
 */
function gamesView({ records, troubles = [] }, current) {
    const seats = Math.max(0, ...records.map(({ head }) => head.player?.length ?? 0));
    const places = Array.from({ length: seats }, (_, n) => html`<th scope="col">${word("rank", n + 1)}</th>`);
    show("games", `${word("games")} ${current + 1}/${records.length}`);
    $("games").hidden = records.length < 2 && !troubles.length;
    show("games-head", html`<tr><th scope="col">${word("game")}</th>${places}</tr>`);
    show(
        "games-list",
        records.map(({ head }, n) => gameView(head, n, n === current, seats)),
    );
    show(
        "troubles",
        troubles.map((trouble) => html`<li>${trouble}</li>`),
    );
}

/**
 * @param {Head} head
 * @param {number} number
 * @param {boolean} current
 * @param {number} seats
 */
function gameView({ file, title, player = [], final }, number, current, seats) {
    const order = player.map((_, n) => n).sort((a, b) => (final ? final.ranks[a] - final.ranks[b] : a - b));
    const results = order.map(
        (n) => html`<td><span class="who" title=${player[n]}>${player[n]}</span>
            ${final ? html`<b>${pointsText(final.points[n])}</b>` : html`<small>${word("unfinished")}</small>`}</td>`,
    );
    const empty = Array.from({ length: seats - player.length }, () => html`<td></td>`);
    return html`<tr class=${current ? "current" : ""}>
        <th scope="row"><a data-ours href="#r=${number + 1}&l=${LANGUAGE}" aria-current=${current || undefined}>${file || title || number + 1}</a></th>
        ${results}${empty}
    </tr>`;
}

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

// How a server closes (RFC 6455, 7.4): the game is over, the server goes; too slow, broken off.
const OVER = 1000;
const LEAVING = 1001;
const AGAIN = [1005, 1006, 1011, 1012, 1013];
const LOST = [500, 1000, 2000, 5000, 10000]; // ms until the next try
const ASKING = 200; // ms until the next question
const HURRIED = 1000; // the same after a question for more turns than …
const FEW = 4;
/** A game that is over comes in the same way: there is nothing to follow in it, and no operator. */
const IS_PAST = location.pathname.startsWith("/record/");

/**
 * What a `Follower` tells. `options` are those of what is looked at, when they were asked for; `ready` says that there
 * may be something to ask for again; `state` has a word of “live…” in ground.js.
 * @typedef {object} Listener
 * @property {(head: Head) => void} head
 * @property {(items: Item[]) => void} items
 * @property {(game: number, turns: Turn[]) => void} options
 * @property {() => void} ready
 * @property {(key: string, reason: string) => void} state
 */

/**
 * Follows a table. It sends lists of what is new: a head when a game begins, and items; whoever comes late gets all of
 * the running game in one list.
 */
class Follower {
    /**
     * @param {string} address “?”: that of the page.
     * @param {string} token
     * @param {Listener} told
     */
    constructor(address, token, told) {
        this.url = new URL(
            address === "?" ? location.pathname + location.search : address,
            location.href.replace(/^http/, "ws"),
        );
        this.url.hash = "";
        this.protocols = protocolsFor(token);
        this.told = told;
        this.tries = 0;
        this.busy = false;
        /** What was asked for last.
         * @type {string} */
        this.asked = "";
        this.connect();
    }

    connect() {
        this.asked = "";
        this.socket = new WebSocket(this.url, this.protocols);
        this.socket.addEventListener("open", () => this.told.state("liveWaiting", ""));
        this.socket.addEventListener("message", (message) => this.hear(message.data));
        this.socket.addEventListener("close", (closed) => this.end(closed.code, closed.reason));
    }

    /** @param {string} text */
    hear(text) {
        const told = JSON.parse(text);
        this.tries = 0;
        if (told.turns) {
            this.told.options(told.game, told.turns);
            return;
        }
        for (const games = told; games.length; ) {
            if (games[0].player) this.told.head(games.shift());
            const next = games.findIndex((/** @type {Head} */ item) => item.player);
            this.told.items(games.splice(0, next < 0 ? games.length : next));
        }
        this.told.state("liveOn", "");
    }

    /**
     * Ask for the options of a round from where they are missing: seldom where a table plays faster than anybody reads,
     * and not the same again before there is more of the round, for then they cannot be known.
     * @param {Game} game
     * @param {number} number
     */
    ask(game, number) {
        const round = game.rounds[number];
        const missing = round.turns.filter((turn) => turn.answers.some((answer) => !answer.options));
        const [first] = missing;
        if (game.number === undefined || !first || this.busy || this.socket?.readyState !== WebSocket.OPEN) return;
        const asked = [game.number, first.turn, round.items.length].join();
        if (this.asked === asked) return;
        this.asked = asked;
        this.socket.send(JSON.stringify({ game: game.number, turn: first.turn }));
        this.busy = true;
        setTimeout(
            () => {
                this.busy = false;
                this.told.ready();
            },
            missing.length > FEW ? HURRIED : ASKING,
        );
    }

    /**
     * @param {number} code
     * @param {string} reason
     */
    end(code, reason) {
        if (AGAIN.includes(code)) {
            this.told.state("liveLost", reason);
            setTimeout(() => this.connect(), LOST[Math.min(this.tries++, LOST.length - 1)]);
        } else if (code === OVER) this.told.state("liveOver", "");
        else this.told.state(code === LEAVING ? "liveOver" : "liveRefused", reason);
    }
}

/** @param {{key: string, reason: string}} state */
function liveWords({ key, reason }) {
    return word(key) + (reason ? `: ${reason}` : "");
}

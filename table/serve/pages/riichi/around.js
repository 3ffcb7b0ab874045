// What is told around a person's choice: hints, whom the table waits for, what others just did, and what is over.
"use strict";

// Hints for a person who wants them: what the table works out of the own hand. The rules are not here.
// The own tiles in an order of one's own: dragged with a finger or the mouse, or moved with Shift and the arrow keys.

/** `wish`: the number of the last wish; an answer to an earlier one is about another moment. `refused`: this table gives none.
 * @type {{ wish: number, told: Facts | null, refused: boolean }} */
const hints = { wish: 0, told: null, refused: false };

/** Ask anew, as the own hand is another one now. */
function wishFacts() {
    hints.told = null;
    hints.wish++;
    if (hand.on.has("hints")) send({ facts: hints.wish });
}

/** @param {{ wish: number, told: Facts | null }} message */
function tookFacts({ wish, told }) {
    if (wish === hints.wish) Object.assign(hints, { told, refused: told === null });
}

/**
 * The classes of an own tile: `best` leaves the hand nearest to a win and widest, `safe` is genbutsu for every riichi.
 * @param {string} tile
 * @param {State | null} state
 */
function hintClasses(tile, state) {
    const discards = hand.on.has("hints") && mayDiscard() ? (hints.told?.discards ?? []) : [];
    const found = discards.find((one) => one.tile === tile);
    if (!found) return [];
    const best = found.shanten === discards[0].shanten && found.width === discards[0].width;
    const riichi = state ? threats(state) : [];
    return [best && "best", riichi.length > 0 && riichi.every((seat) => found.safety[seat] === "genbutsu") && "safe"];
}

/**
 * The other seats in riichi.
 * @param {State} state
 */
function threats(state) {
    return [...state.seats.keys()].filter((seat) => state.seats[seat].riichi && seat !== hints.told?.seat);
}

/**
 * The facts of the tile that is looked at, or of the best discard; without a discard what the hand accepts or wins.
 * @param {State} state
 */
function factsView(state) {
    const { told, refused } = hints;
    if (refused) return html`<p class="waiting">${word("noHints")}</p>`;
    if (!told) return "";
    if (mayDiscard()) {
        const found = told.discards.find(({ tile }) => tile === hand.look) ?? told.discards[0];
        return found ? [discardView(found), safetyView(found, state)] : "";
    }
    if (told.wins.length) return winsView(told);
    return html`<p class="waiting" tabindex="0"><span>${word("fromTenpai", told.shanten)}</span>${acceptedView(told.accepted)}</p>`;
}

/** @param {DiscardFacts} found */
function discardView({ tile, shanten, accepted, width, furiten }) {
    return html`<p class="waiting" tabindex="0">
        <span>${word("discardToWait", tileWords(tile))} <b>${word("fromTenpai", shanten)}</b>, ${word("accepts", width)}</span>
        ${acceptedView(accepted)} ${furiten && html`<b class="furiten">${word("furiten")}</b>`}
    </p>`;
}

/** @param {Record<string, number>} accepted */
function acceptedView(accepted) {
    const tiles = Object.entries(accepted).map(
        ([tile, left]) =>
            html`<span class="useful" key=${tile}>${tileView(tile, "", word("unseen", left))}<i aria-hidden="true">${left}</i></span>`,
    );
    return html`<span class="waits">${tiles}</span>`;
}

/** @type {(found: DiscardFacts, state: State) => Rendered} */
function safetyView({ safety }, state) {
    const riichi = threats(state);
    if (!riichi.length) return "";
    const words = riichi.map((seat) => `${word("winds", seat)} ${word(`safe-${safety[seat] ?? ""}`)}`);
    return html`<p class="waiting" tabindex="0">${word("againstRiichi", words.join(", "))}</p>`;
}

/** @param {Facts} told */
function winsView({ wins, accepted, furiten }) {
    const kinds = [...new Set(wins.map(({ tile }) => tile))];
    const worth = kinds.map((tile) => {
        const ways = wins
            .filter((win) => win.tile === tile && !win.riichi)
            .map(({ by, points }) => `${word(by)} ${points || word("noYaku")}`);
        return html`<span key=${tile} class="worth">${tileView(tile, "", word("unseen", accepted[tile] ?? 0))} ${ways.join(", ")}</span>`;
    });
    return html`<p class="waiting" tabindex="0"><span>${word("waitsFor")}</span>${worth}${furiten && html`<b class="furiten">${word("furiten")}</b>`}</p>`;
}

const DRAGGED = 12; // CSS pixels after which it is no tap
/** `tiles`: the order as it was last; `from`: where a drag began; `moved`: it was one, and its click is none.
 * @type {{ tiles: string[], from: { n: number, x: number, y: number } | null, moved: boolean }} */
const order = { tiles: [], from: null, moved: false };

/**
 * The concealed tiles as they are to be shown. What is new stands at the right.
 * @param {(string | null)[]} sorted
 * @returns {(string | null)[]}
 */
function inOrder(sorted) {
    const left = /** @type {string[]} */ (sorted.filter((tile) => tile !== null));
    if (!hand.on.has("own-order") || left.length < sorted.length) return sorted;
    const kept = [];
    for (const tile of order.tiles) {
        const at = left.indexOf(tile);
        if (at >= 0) kept.push(...left.splice(at, 1));
    }
    order.tiles = [...kept, ...left];
    return order.tiles;
}

/**
 * @param {number} from
 * @param {number} to
 */
function moveTile(from, to) {
    const { tiles } = order;
    if (!hand.on.has("own-order") || from >= tiles.length || to < 0 || to >= tiles.length) return false;
    tiles.splice(to, 0, ...tiles.splice(from, 1));
    redraw();
    return true;
}

/**
 * With Shift and an arrow key, the tile that has the focus.
 * @param {number} step
 */
function moveFocused(step) {
    const tiles = ownTiles();
    const at = tiles.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at >= 0 && moveTile(at, at + step)) tiles[at + step].focus();
}

$("hand").addEventListener("pointerdown", (event) => {
    const n = tileAt(event);
    order.moved = false;
    order.from = n >= 0 && hand.on.has("own-order") ? { n, x: event.clientX, y: event.clientY } : null;
});
addEventListener("pointerup", (event) => {
    const { from } = order;
    order.from = null;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAGGED) return;
    order.moved = true;
    const to = tileAt(event);
    if (to >= 0) moveTile(from.n, to);
    setTimeout(() => {
        order.moved = false;
    });
});
$("hand").addEventListener(
    "click",
    (event) => {
        if (order.moved) event.stopPropagation();
    },
    { capture: true },
);

/**
 * The number of the own tile at a place of the screen, or -1.
 * @param {PointerEvent} event
 */
function tileAt({ clientX, clientY }) {
    const found = /** @type {HTMLElement | null} */ (
        document.elementFromPoint(clientX, clientY)?.closest(".pick") ?? null
    );
    return found ? ownTiles().indexOf(found) : -1;
}

// What others just did: in words for who does not see it, as a mark at their place, and as a short tone made here.
// Before the game: who is there, a link and a QR code for others, and the host's bots for the free seats.

const CRY = 1400; // ms for which a mark stands
/** `place`: 0 the own seat, then to the right.
 * @type {{ place: number, key: string, timer: number }} */
const cry = { place: 0, key: "", timer: 0 };

/**
 * Say what happened.
 * @param {Game} game
 * @param {Item} item
 */
function announce(game, { zimo, gangzimo, dapai, fulou, gang, penuki, hule, qipai }) {
    const kyoku = game.rounds.length - 1;
    const mine = game.seat(kyoku, table.you);
    const who = (/** @type {number} */ seat) =>
        seat === mine ? word("you") : `${word("winds", seat)} ${game.name(kyoku, seat)}`;
    const drawn = zimo ?? gangzimo;
    const made = fulou ?? gang;
    if (qipai) {
        const { zhuangfeng, jushu } = qipai;
        tell("news", () => word("dealt", word("round", zhuangfeng, jushu + 1), word("winds", mine)));
    } else if (drawn?.l === mine && drawn.p) {
        tell("news", () => word("youDraw", tileWords(drawn.p)));
        sound("draw");
    } else if (dapai) {
        const riichi = dapai.p.includes("*");
        const key = riichi ? "declares" : "discards";
        tell("news", () => word(key, who(dapai.l), tileWords(dapai.p.slice(0, 2))));
        sound(riichi ? "riichi" : "discard");
        if (riichi) mark(game, dapai.l, "riichi");
    } else if (made) {
        const meld = parseMeld(made.m);
        const tiles = [...meld.own, meld.called, meld.added].filter(Boolean);
        tell("news", () => word("calls", who(made.l), word(meld.kind), tiles.map(tileWords).join(" ")));
        sound("call");
        mark(game, made.l, meld.kind);
    } else if (penuki) {
        tell("news", () => word("setsAside", who(penuki.l)));
        sound("call");
        mark(game, penuki.l, "aside");
    } else if (hule) won(game, hule);
}

/** @type {(game: Game, hule: Hule) => void} */
function won(game, { l, baojia }) {
    sound("win");
    mark(game, l, baojia === null ? "tsumo" : "ron");
}

/**
 * @param {Game} game
 * @param {number} seat
 * @param {string} key Its word.
 */
function mark(game, seat, key) {
    clearTimeout(cry.timer);
    const mine = game.seat(game.rounds.length - 1, table.you);
    Object.assign(cry, { place: sideOf(mine, seat, game.names.length), key, timer: setTimeout(unmark, CRY) });
}

function unmark() {
    cry.key = "";
    redraw();
}

/** Hidden from who hears the page: the words were said. */
function cryView() {
    return (
        cry.key && html`<span key=${cry.timer} class="cry at${cry.place}" aria-hidden="true">${word(cry.key)}</span>`
    );
}

/** Frequencies in Hz, one after another, each for `step` seconds. */
const SOUNDS = {
    discard: { tones: [190], step: 0.05, shape: "triangle" },
    draw: { tones: [520], step: 0.03, shape: "sine" },
    call: { tones: [440, 330], step: 0.1, shape: "square" },
    riichi: { tones: [523, 659, 784], step: 0.11, shape: "triangle" },
    win: { tones: [523, 659, 784, 1047], step: 0.14, shape: "triangle" },
    turn: { tones: [880, 1175], step: 0.09, shape: "sine" },
    short: { tones: [988], step: 0.06, shape: "square" },
};
const LOUD = 0.08;
/** @type {AudioContext | null} */
let audio = null;

/** @param {keyof typeof SOUNDS} name */
function sound(name) {
    if (!hand.on.has("sound")) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume(); // until something was pressed browsers are silent
    const { tones, step, shape } = SOUNDS[name];
    for (const [n, tone] of tones.entries()) {
        const [from, oscillator, gain] = [audio.currentTime + n * step, audio.createOscillator(), audio.createGain()];
        oscillator.type = /** @type {OscillatorType} */ (shape);
        oscillator.frequency.value = tone;
        gain.gain.setValueAtTime(LOUD, from);
        gain.gain.exponentialRampToValueAtTime(0.001, from + step * 1.6);
        oscillator.connect(gain).connect(audio.destination);
        oscillator.start(from);
        oscillator.stop(from + step * 1.6);
    }
}

const FILLING = "shanten";
/** `bots`: what was chosen, seat by seat. `now`: the game is to begin with bots at once.
 * @type {{ asked: boolean, told: Invitation | null, bots: string[], now: boolean }} */
const invited = { asked: false, told: null, bots: [], now: new URLSearchParams(location.hash.slice(1)).has("now") };

/**
 * @param {LobbyRoom} notice
 * @param {string[]} bots
 */
function waitingView(notice, bots) {
    if (!invited.asked) {
        invited.asked = true;
        invite(notice.room, (told) => {
            invited.told = told;
            redraw();
        });
    }
    const taken = notice.seats.filter(({ free }) => !free);
    const names = taken.map(
        ({ name, bot }, n) => html`<li key=${n}><bdi>${name}</bdi>${bot && ` (${word("bot")})`}</li>`,
    );
    return html`<p>${word("waitingForOthers", taken.length, notice.seats.length)}</p>
        <ul class="there">${names}</ul>
        ${startView(notice, bots)} ${invited.told && invitationView(invited.told)}`;
}

/**
 * The host begins; the others see who that is.
 * @param {LobbyRoom} notice
 * @param {string[]} bots
 */
function startView({ seats, host }, bots) {
    if (host !== table.name) return html`<p>${word("hostStarts", host ?? "")}</p>`;
    const free = seats.filter((seat) => seat.free);
    const first = bots.includes(FILLING) ? FILLING : bots[0];
    const chosen = () => free.map((_, n) => invited.bots[n] ?? first);
    /** @type {(n: number) => (event: Event) => void} */
    const choose = (n) => (event) => {
        invited.bots[n] = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
        redraw();
    };
    const start = () => send({ start: chosen() });
    if (invited.now && free.length) {
        invited.now = false;
        start();
    }
    const menus = chosen().map(
        (bot, n) => html`<label key=${n}>
            ${word("freeSeat", n + 1)}
            <select onChange=${choose(n)} value=${bot}>${bots.map((name) => html`<option value=${name}>${name}</option>`)}</select>
        </label>`,
    );
    return html`<div class="fill">${menus}</div>
        <button type="button" id="start" onClick=${start}>${word("startWithBots")}</button>`;
}

/** @param {Invitation} told */
function invitationView({ address, code, alone }) {
    return html`<h2>${word("inviteOthers")}</h2>
        ${alone ? html`<p>${word("aloneHere")}</p>` : codeView(code, word("qrCode", address))}
        <p class="address"><code>${address}</code></p>
        <button type="button" onClick=${() => copyAddress(address, "inviteCopied")}>${word("copyInvite")}</button>`;
}

// What is over: the kyoku of this game, and what is to be had of a game after its end.

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
 * @param {[kyoku: number, event: number]} [at]
 */
function lookBackAt({ game, ticket, you }, by = "", [k, e] = [1, 1]) {
    const query = by && `?${new URLSearchParams({ by, seat: `${you}` })}`;
    const link = new URLSearchParams({ k: `${k}`, e: `${e}`, b: `${you}`, l: LANGUAGE, token: ticket });
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

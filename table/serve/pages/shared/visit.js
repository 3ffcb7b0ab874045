// What the pages of a server share: connections to it; the seats that a person has in this browser, each a name and the key
// by which it is taken back; how others come to a room; the language, and the lines that a page tells in it.
"use strict";

const RETRY_MS = 2000;

/**
 * The address of a WebSocket of this server.
 * @type {(path: string) => string}
 */
const socketAddress = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

/**
 * Hear what a path of the server tells, and connect again whenever the connection ends.
 * @param {string} path
 * @param {(message: any) => void} told
 * @param {{ token?: string, opened?: () => void, closed?: () => void }} [more]
 */
function follow(path, told, { token = "", opened, closed } = {}) {
    const socket = new WebSocket(socketAddress(path), protocolsFor(token));
    socket.onopen = () => opened?.();
    socket.onmessage = (event) => told(JSON.parse(event.data));
    socket.onclose = () => {
        closed?.();
        setTimeout(() => follow(path, told, { token, opened, closed }), RETRY_MS);
    };
}

/** @typedef {{ name: string, key: string }} OwnSeat */

const NAME_KEPT = "jantaku.name";
/** @type {(room: string) => string} */
const seatKept = (room) => `jantaku.seat.${room}`;

/**
 * The seat that this browser has in a room. All its tabs know it, so that whoever closes one finds back.
 * @param {string} room
 * @returns {OwnSeat | null}
 */
function ownSeat(room) {
    return JSON.parse(localStorage.getItem(seatKept(room)) ?? "null");
}

/**
 * Keep a seat, as one that was brought from another device.
 * @param {string} room
 * @param {OwnSeat} seat
 */
function keepSeat(room, seat) {
    localStorage.setItem(seatKept(room), JSON.stringify(seat));
    localStorage.setItem(NAME_KEPT, seat.name);
    return seat;
}

/**
 * Choose a key for a seat in a room.
 * @param {string} room
 * @param {string} name
 */
function chooseSeat(room, name) {
    const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
    return keepSeat(room, { name, key: bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("") });
}

/**
 * The link that takes a seat to another device: who has it has the seat.
 * @param {OwnSeat} seat
 */
function seatLink({ name, key }) {
    return `${location.origin}${location.pathname}#${new URLSearchParams({ name, key })}`;
}

/**
 * The seat that this browser has in a room. A link brings a name, or a whole seat from another device; it goes out of the
 * address at once.
 * @param {string} room
 */
function seatFromLink(room) {
    const link = new URLSearchParams(location.hash.slice(1));
    const [name, key] = [link.get("name"), link.get("key")];
    if (name === null) return ownSeat(room);
    link.delete("name");
    link.delete("key");
    link.delete("now");
    history.replaceState(null, "", `${location.pathname}#${link}`);
    if (key !== null) return keepSeat(room, { name, key });
    return ownSeat(room) ?? chooseSeat(room, name);
}

/**
 * Put the link to the own seat in a room where it can be pasted from.
 * @param {string} room
 */
function copySeat(room) {
    const seat = ownSeat(room);
    if (seat) copyAddress(seatLink(seat), "seatLinkCopied");
}

/** Write the name that was used last into a form. */
function fillName() {
    /** @type {HTMLInputElement} */ ($("name")).value = localStorage.getItem(NAME_KEPT) ?? "";
}

/**
 * A page that its browser keeps for the way back has no seat meanwhile, and begins anew when it is shown again.
 * @param {() => WebSocket | null} socket
 */
function seatLeavesWithPage(socket) {
    addEventListener("pagehide", () => socket()?.close());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
}

/** `code`: rows of 0 (light) and 1 (dark); `alone`: nobody on another machine gets there.
 * @typedef {{ address: string, code: string[], alone: boolean }} Invitation */

/**
 * Ask the server for the invitation to a room.
 * @param {string} room
 * @param {(invitation: Invitation) => void} told
 */
function invite(room, told) {
    const at = new URLSearchParams({ at: location.origin });
    const socket = new WebSocket(socketAddress(`/invite/${encodeURIComponent(room)}?${at}`));
    socket.onmessage = (event) => told(JSON.parse(event.data));
}

/**
 * A QR code, dark on light in any theme, with the margin that readers need.
 * @param {string[]} code
 * @param {string} label
 */
function codeView(code, label) {
    const size = code.length + 8;
    const dark = code.map((row, y) =>
        [...row.matchAll(/1+/g)]
            .map((run) => `M${run.index + 4} ${y + 4}h${run[0].length}v1h-${run[0].length}z`)
            .join(""),
    );
    return html`<svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
        <rect width=${size} height=${size} fill="#fff" /><path d=${dark.join("")} fill="#000" />
    </svg>`;
}

/**
 * Put a text where it can be pasted from; whether that was possible: without TLS a browser lets no page copy.
 * @param {string} text
 */
async function copied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

/**
 * Put an address where it can be pasted from, or show it: without TLS a browser lets no page copy.
 * @param {string} address
 * @param {string} done
 */
async function copyAddress(address, done) {
    const isCopied = await copied(address);
    tell("why", () => (isCopied ? word(done) : word("copyThis", address)));
}

// The language of a page that people play on, and the lines that it tells them: anew when another one is chosen. The words
// of one game stand in its folder.

const LANGUAGE_KEPT = "jantaku.language";
/** What each line tells, by the id of its element.
 * @type {Map<string, () => string>} */
const told = new Map();

/**
 * Tell something in a line of the page; without a text nothing more.
 * @param {string} line
 * @param {() => string} [text] Says it in the language that is spoken.
 */
function tell(line, text = () => "") {
    told.set(line, text);
    show(line, text());
}

/** Write everything that is told in the language that is spoken. */
function drawWords() {
    drawLabels();
    for (const [line, text] of told) show(line, text());
}

/**
 * Speak the language that was chosen on a page of this server, else that of the browser.
 * @param {() => void} redraw What is to be done when another one is chosen.
 */
function speak(redraw) {
    const kept = localStorage.getItem(LANGUAGE_KEPT) ?? "";
    LANGUAGE = Object.hasOwn(WORDS, kept) ? kept : browserLanguage();
    $("language").addEventListener("click", () => {
        LANGUAGE = LANGUAGE === "ja" ? "en" : "ja";
        localStorage.setItem(LANGUAGE_KEPT, LANGUAGE);
        redraw();
    });
}

addWords({
    en: {
        seatLink: "Link to my seat",
        seatLinkCopied: "Copied. Who has this link has your seat: open it on your other device.",
        copyThis: (address) => `Copy this: ${address}`,
        timeLeft: "Time left",
        yourName: "Your name",
        sitDown: "Sit down",
        connecting: "Connecting…",
        lost: "Connection lost, trying again…",
        moved: "This seat was opened in another tab or on another device.",
        here: "Continue here",
        closed: "The room is closed.",
        yourTurn: "Your turn",
        notYourTurn: "It is not your turn.",
    },
    ja: {
        seatLink: "この席へのリンク",
        seatLinkCopied: "写しました。このリンクを持つ人がこの席に着けます。別の端末で開いてください。",
        copyThis: (address) => `これを写してください: ${address}`,
        timeLeft: "残り時間",
        yourName: "名前",
        sitDown: "着席",
        connecting: "接続中…",
        lost: "接続が切れました。つなぎ直しています…",
        moved: "この席は別のタブか別の端末で開かれました。",
        here: "ここで続ける",
        closed: "部屋は閉じられました。",
        yourTurn: "あなたの番です",
        notYourTurn: "あなたの番ではありません。",
    },
});

// What the pages of a server share: connections to it.
// The seats that a person has in this browser: a name, and the key by which a seat is taken back.
// How others come to a room: its address to copy, and as a QR code.
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

// The seats that a person has in this browser: a name, and the key by which a seat is taken back.
"use strict";

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

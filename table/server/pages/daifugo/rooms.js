// The first page: a game at once against computer players, and the list of rooms.
"use strict";

/** Characters in the name of a room that nobody else needs to know. */
const NAMELESS = 6;

/** @param {RoomNotice} notice */
function roomTile(notice) {
    return html`
        <li key=${notice.room}>
            <a class=${`tile ${notice.state}`} href=${`/watch/${notice.room}`} data-ours>
                <strong>${notice.room}</strong>
                <span>${STATES[notice.state]}</span>
                <span class="people">${notice.players?.length ? `${notice.players.length}/${notice.seats}人` : ""}</span>
            </a>
        </li>
    `;
}

/** @param {RoomNotice[]} notices */
function drawRooms(notices) {
    for (const letter of ["A", "B"]) {
        show(`rooms-${letter}`, notices.filter((notice) => notice.letter === letter).map(roomTile));
    }
    show("state", `${notices.filter((notice) => notice.state === "playing").length} playing`);
}

/** @param {string} letter */
function quickPlay(letter) {
    const random = crypto.getRandomValues(new Uint8Array(NAMELESS));
    const name = [...random].map((byte) => "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"[byte % 32]).join("");
    sitDown(letter, `Q-${name}`, nameGiven(), true);
}

fillName();
$("quick").addEventListener("submit", (event) => {
    event.preventDefault();
    const button = /** @type {SubmitEvent} */ (event).submitter;
    quickPlay(button?.dataset.letter ?? "A");
});
follow("/rooms", drawRooms, { closed: () => show("state", "not connected: the server is away; trying again…") });

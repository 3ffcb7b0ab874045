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
                <span>${word(`state-${notice.state}`)}</span>
                <span class="people">${notice.players?.length ? word("people", notice.players.length, notice.seats) : ""}</span>
            </a>
        </li>
    `;
}

/** @type {RoomNotice[]} */
let listed = [];

/** @param {RoomNotice[]} notices */
function heardRooms(notices) {
    listed = notices;
    tell("state", () => word("roomsPlaying", notices.filter(({ state }) => state === "playing").length));
    drawRooms();
}

function drawRooms() {
    drawWords();
    labelName();
    for (const letter of ["A", "B"]) {
        show(`rooms-${letter}`, listed.filter((notice) => notice.letter === letter).map(roomTile));
    }
}

/** @param {string} letter */
function quickPlay(letter) {
    const random = crypto.getRandomValues(new Uint8Array(NAMELESS));
    const name = [...random].map((byte) => "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"[byte % 32]).join("");
    sitDown(letter, `Q-${name}`, nameGiven(), true);
}

tell("state", () => word("connecting"));
speak(drawRooms);
drawRooms();
fillName();
$("quick").addEventListener("submit", (event) => {
    event.preventDefault();
    const button = /** @type {SubmitEvent} */ (event).submitter;
    quickPlay(button?.dataset.letter ?? "A");
});
follow("/rooms", heardRooms, { closed: () => tell("state", () => word("offline")) });

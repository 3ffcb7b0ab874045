// The pages for who does not play: the list of rooms, with a game at once against computer players, and one room, its table,
// the standings of its series, and the way in.
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

function listRooms() {
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
}

const watchedRoom = decodeURIComponent(location.pathname.split("/")[2] || "");
/** @type {Snapshot | null} */
let seen = null;
/** @type {RoomNotice | null} */
let noticed = null;

/** @param {Snapshot | Tweet} message */
function watched(message) {
    if ("Message" in message) {
        tweeted(seen?.PlayerInfo[message.PlayerNum]?.Name ?? `${message.PlayerNum}`, message.Message);
    } else if (message.AllDeck) {
        seen = message;
        drawBoard(message);
    }
}

/** @param {RoomNotice} notice */
function noticeCame(notice) {
    noticed = notice;
    const reversed = seen?.IsKakumei && notice.state === "playing";
    tell("state", () => stateWords(notice) + (reversed ? ` · ${word("inRevolution")}` : ""));
    show("rules", rulesView(notice));
    show("standings", standingsView(notice));
    if (!seen) show("seats", waitingView(notice));
    const mine = ownSeat(watchedRoom) !== null && notice.state !== "free";
    $("entry").hidden = mine || notice.state === "playing" || notice.state === "over";
    $("class-choice").hidden = notice.letter !== "";
    $("back").hidden = !mine;
    $("back").setAttribute("href", `/sit/${notice.letter || "A"}/${watchedRoom}`);
}

/** In the language that is spoken. */
function drawWatched() {
    drawWords();
    labelName();
    drawTweets();
    if (noticed) noticeCame(noticed);
    if (seen) drawBoard(seen);
}

function watchRoom() {
    $("entry").addEventListener("submit", (event) => {
        event.preventDefault();
        const letter = noticed?.letter || /** @type {HTMLSelectElement} */ ($("letter")).value;
        sitDown(letter, watchedRoom, nameGiven());
    });
    document.querySelector("header")?.append(tokenForm());
    tell("state", () => word("connecting"));
    speak(drawWatched);
    drawWatched();
    fillName();
    show("room", watchedRoom);
    document.title = `${watchedRoom} · 大富豪 · jantaku`;
    followRoom(watchedRoom, noticeCame);
    follow(`/monitor/${encodeURIComponent(watchedRoom)}`, watched, { token: takeToken() });
}

if (document.body.matches(".rooms")) listRooms();
else watchRoom();

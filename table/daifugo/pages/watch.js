// The page of one room: its table for who looks on, the standings of its series, and the way in.
"use strict";

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
function drawAll() {
    drawWords();
    labelName();
    drawTweets();
    if (noticed) noticeCame(noticed);
    if (seen) drawBoard(seen);
}

$("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    const letter = noticed?.letter || /** @type {HTMLSelectElement} */ ($("letter")).value;
    sitDown(letter, watchedRoom, nameGiven());
});
document.querySelector("header")?.append(tokenForm());
tell("state", () => word("connecting"));
speak(drawAll);
drawAll();
fillName();
show("room", watchedRoom);
document.title = `${watchedRoom} · 大富豪 · jantaku`;
followRoom(watchedRoom, noticeCame);
follow(`/monitor/${encodeURIComponent(watchedRoom)}`, watched, { token: takeToken() });

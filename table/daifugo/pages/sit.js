// The page on which a person plays: it sits down as programs do, with a key of its own, and comes back by that.
"use strict";

const [, , sitLetter = "A", sitRoom = ""] = location.pathname.split("/").map(decodeURIComponent);
/** Refusals that every program is told in Japanese, and their words here. @type {Record<string, string>} */
const REFUSALS = {
    "手番が違います。": "notYourTurn",
    "親なのでパスできません。": "leaderPasses",
    "ゲームが始まっていません。": "notBegun",
    "ゲーム中です。": "running",
    "この部屋には入れません。": "noEntry",
};
const MOVED = "the same program has connected once more";
const GOING_AWAY = 1001;
const NORMAL = 1000;
/** @type {{ socket: WebSocket | null, shown: Snapshot | null, notice: RoomNotice | null, refusal: string }} */
const table = { socket: null, shown: null, notice: null, refusal: "" };

/** @param {object} request */
const send = (request) => table.socket?.send(JSON.stringify(request));

/**
 * Play these cards, none: pass.
 * @param {string[]} cards
 */
function put(cards) {
    if (!hand.choice) return;
    hand.sent = true;
    send({ Kind: "Put", Cards: cards.join(" "), Question: hand.choice.Question });
    tell("word");
    tell("why");
    drawHand();
}

function playChosen() {
    if (!hand.choice || hand.sent) tell("word", () => word("notYourTurn"));
    else if (!hand.chosen.size) tell("word", () => word("chooseCards"));
    else if (!isAllowed(hand.chosen)) tell("word", () => word("noPlay"));
    else put(weakestFirst([...hand.chosen], table.shown?.IsKakumei));
}

function pass() {
    if (!hand.choice || hand.sent) tell("word", () => word("notYourTurn"));
    else if (!isAllowed([])) tell("word", () => word("leaderPasses"));
    else put([]);
}

/** @param {Tweet} said */
function heardTweet(said) {
    const shown = table.shown;
    tweeted(shown?.PlayerInfo[said.PlayerNum]?.Name ?? `${said.PlayerNum}`, said.Message);
    if (!shown || said.Message !== TIMED_OUT || said.PlayerNum !== shown.YourNum) return;
    const last = shown.History.findLast((entry) => entry.startsWith(`${shown.YourNum}-`) && !entry.endsWith("AGARI"));
    const cards = last?.includes("[") ? cardsInWords(last.slice(3, -1)) : "";
    tell("why", () => (cards ? word("playedForYou", cards) : word("passedForYou")));
}

/** @param {Snapshot} shown */
function heardSnapshot(shown) {
    table.shown = shown;
    hand.cards = weakestFirst(cardsOf(shown.Deck ?? ""), shown.IsKakumei);
    if (shown.Kind === "Thinking" && shown.Teban !== shown.YourNum) {
        tell("word", () => word("thinking", nameAt(shown, shown.Teban)));
    }
    drawBoard(shown);
    ask(null);
    const { OrderOfFinish: place, Ranking: rank } = shown.PlayerInfo[shown.YourNum];
    if (shown.Kind === "Finish") tell("word", () => word("placed", word("rank", place), word("ranks", rank)));
    document.title = `${shown.Kind === "ProcessTurn" ? "● " : ""}${sitRoom} · 大富豪 · jantaku`;
}

/** @param {string} refusal */
function tellRefusal(refusal) {
    tell("word", () => (Object.hasOwn(REFUSALS, refusal) ? word(REFUSALS[refusal]) : refusal));
}

/** @param {Snapshot | Tweet | Refusal | Choice} message */
function heard(message) {
    if (message.Kind === "Choice") ask(/** @type {Choice} */ (message));
    else if (message.Kind === "Tweet") heardTweet(/** @type {Tweet} */ (message));
    else if (message.Kind === "Exception") {
        table.refusal = /** @type {Refusal} */ (message).Message;
        hand.sent = false;
        tellRefusal(table.refusal);
        drawHand();
    } else heardSnapshot(/** @type {Snapshot} */ (message));
}

/**
 * Sit down, or take the seat back.
 * @param {OwnSeat} seat
 */
function takeSeat(seat) {
    const query = new URLSearchParams({ name: seat.name, dialect: "person" });
    const path = `/play/${sitLetter}/${encodeURIComponent(sitRoom)}?${query}`;
    const socket = new WebSocket(socketAddress(path), protocolsFor("", seat.key));
    table.socket = socket;
    table.refusal = "";
    $("again").hidden = true;
    socket.onopen = () => {
        if (sessionStorage.getItem(startWanted(sitRoom))) {
            sessionStorage.removeItem(startWanted(sitRoom));
            send({ Kind: "Start" });
        } else if (!table.shown) tell("word", () => word("waitForStart"));
    };
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = (event) => lost(event, seat);
}

/** @type {(event: CloseEvent, seat: OwnSeat) => void} */
function lost(event, seat) {
    ask(null);
    const isMoved = event.code === NORMAL && event.reason === MOVED;
    if (isMoved) tell("word", () => word("moved"));
    else if (event.code === GOING_AWAY || event.code === NORMAL) {
        // The room is no more, or would not have us: to sit down once more is for the person to decide.
        if (table.refusal) tellRefusal(table.refusal);
        else tell("word", () => word("closed"));
    } else {
        tell("word", () => word("lost"));
        setTimeout(() => takeSeat(seat), RETRY_MS);
        return;
    }
    $("again").hidden = false;
}

/** @param {RoomNotice} notice */
function sitNoticed(notice) {
    table.notice = notice;
    tell("state", () => stateWords(notice));
    show("rules", rulesView(notice));
    show("standings", standingsView(notice));
    if (!table.shown) show("seats", waitingView(notice));
    $("start").hidden = ownSeat(sitRoom) === null || (notice.state !== "open" && notice.state !== "over");
}

/** In the language that is spoken. */
function drawAll() {
    drawWords();
    labelName();
    drawTweets();
    if (table.notice) sitNoticed(table.notice);
    if (table.shown) drawBoard(table.shown);
    drawHand();
}

function sitAtTable() {
    tell("state", () => word("connecting"));
    speak(drawAll);
    drawAll();
    show("room", sitRoom);
    document.title = `${sitRoom} · 大富豪 · jantaku`;
    const seat = seatFromLink(sitRoom);
    $("entry").hidden = seat !== null;
    $("link").hidden = $("mine").hidden = seat === null;
    if (seat) takeSeat(seat);
    else fillName();
    followRoom(sitRoom, sitNoticed);
}

function copySeat() {
    copyAddress(seatLink(/** @type {OwnSeat} */ (ownSeat(sitRoom))), "seatLinkCopied");
}

$("put").addEventListener("click", playChosen);
$("pass").addEventListener("click", pass);
$("link").addEventListener("click", copySeat);
$("start").addEventListener("click", () => send({ Kind: "Start" }));
$("again").addEventListener("click", () => takeSeat(/** @type {OwnSeat} */ (ownSeat(sitRoom))));
$("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    sitDown(sitLetter, sitRoom, nameGiven());
});
seatLeavesWithPage(() => table.socket);
sitAtTable();

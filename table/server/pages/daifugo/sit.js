// The page on which a person plays: it sits down as programs do, with a key of its own, and comes back by that.
"use strict";

const [, , sitLetter = "A", sitRoom = ""] = location.pathname.split("/").map(decodeURIComponent);
const TIMED_OUT = "（サーバ処理：タイムアウト）";
const MOVED = "the same program has connected once more";
const GOING_AWAY = 1001;
const NORMAL = 1000;
/** @type {{ socket: WebSocket | null, shown: Snapshot | null, refusal: string }} */
const table = { socket: null, shown: null, refusal: "" };

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
    tell("");
    show("why", "");
    drawHand();
}

function playChosen() {
    if (!hand.choice || hand.sent) tell("あなたの番ではありません It is not your turn");
    else if (!hand.chosen.size) tell("札を選んでください Choose cards first");
    else if (!isAllowed(hand.chosen)) tell("この組では出せません These cards cannot be played like this");
    else put(weakestFirst([...hand.chosen], table.shown?.IsKakumei));
}

function pass() {
    if (!hand.choice || hand.sent) tell("あなたの番ではありません It is not your turn");
    else if (!isAllowed([])) tell("親はパスできません The leader may not pass");
    else put([]);
}

/** @param {Tweet} said */
function heardTweet(said) {
    const shown = table.shown;
    tweeted(shown?.PlayerInfo[said.PlayerNum]?.Name ?? `${said.PlayerNum}`, said.Message);
    if (!shown || said.Message !== TIMED_OUT || said.PlayerNum !== shown.YourNum) return;
    const last = shown.History.findLast((entry) => entry.startsWith(`${shown.YourNum}-`) && !entry.endsWith("AGARI"));
    const cards = last?.includes("[") ? cardsInWords(last.slice(3, -1)) : "";
    show(
        "why",
        cards
            ? `時間切れのため ${cards} が出されました Time was up: the table led your weakest card`
            : "時間切れのためパスになりました Time was up: the table passed for you",
    );
}

/** @param {Snapshot} shown */
function heardSnapshot(shown) {
    table.shown = shown;
    hand.cards = weakestFirst(cardsOf(shown.Deck ?? ""), shown.IsKakumei);
    if (shown.Kind === "Thinking" && shown.Teban !== shown.YourNum) {
        tell(`${shown.PlayerInfo[shown.Teban].Name} が考えています is thinking`);
    }
    drawBoard(shown);
    ask(null);
    const place = shown.PlayerInfo[shown.YourNum].OrderOfFinish;
    if (shown.Kind === "Finish") tell(`${place}位 · ${CLASS_WORDS[shown.PlayerInfo[shown.YourNum].Ranking]}`);
    document.title = `${shown.Kind === "ProcessTurn" ? "● " : ""}${sitRoom} · 大富豪 · jantaku`;
}

/** @param {Snapshot | Tweet | Refusal | Choice} message */
function heard(message) {
    if (message.Kind === "Choice") ask(/** @type {Choice} */ (message));
    else if (message.Kind === "Tweet") heardTweet(/** @type {Tweet} */ (message));
    else if (message.Kind === "Exception") {
        table.refusal = /** @type {Refusal} */ (message).Message;
        hand.sent = false;
        tell(table.refusal);
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
        } else if (!table.shown) tell("開始を待っています Waiting for the start");
    };
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = (event) => lost(event, seat);
}

/** @type {(event: CloseEvent, seat: OwnSeat) => void} */
function lost(event, seat) {
    ask(null);
    const isMoved = event.code === NORMAL && event.reason === MOVED;
    if (isMoved) tell("この席は別のタブで開かれました This seat was opened in another tab");
    else if (event.code === GOING_AWAY || event.code === NORMAL) {
        // The room is no more, or would not have us: to sit down once more is for the person to decide.
        tell(table.refusal || `部屋は閉じられました The room is closed ${event.reason}`);
    } else {
        tell("接続が切れました。つなぎ直しています… Connection lost, trying again…");
        setTimeout(() => takeSeat(seat), RETRY_MS);
        return;
    }
    $("again").hidden = false;
}

/** @param {RoomNotice} notice */
function sitNoticed(notice) {
    show("state", stateWords(notice));
    show("standings", standingsView(notice));
    if (!table.shown) show("seats", waitingView(notice));
    $("start").hidden = ownSeat(sitRoom) === null || (notice.state !== "open" && notice.state !== "over");
}

function sitAtTable() {
    show("room", sitRoom);
    document.title = `${sitRoom} · 大富豪 · jantaku`;
    const seat = seatFromLink(sitRoom);
    $("entry").hidden = seat !== null;
    $("link").hidden = $("mine").hidden = seat === null;
    if (seat) takeSeat(seat);
    else fillName();
    followRoom(sitRoom, sitNoticed);
}

async function copySeat() {
    const address = seatLink(/** @type {OwnSeat} */ (ownSeat(sitRoom)));
    try {
        await navigator.clipboard.writeText(address);
        show("why", "写しました。このリンクを持つ人がこの席に着けます Copied. Who has this link has your seat");
    } catch {
        show("why", `別の端末で開いてください Open this on your other device: ${address}`);
    }
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

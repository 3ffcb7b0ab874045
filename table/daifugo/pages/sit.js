// The page on which a person plays: it sits down as programs do, with a key of its own, and comes back by that. What may be
// played the server says; nothing of the rules is here.
"use strict";

// The hand: which cards can be played, which are chosen, and how long there is time.

/** @type {{ cards: string[], chosen: Set<string>, choice: Choice | null, until: number, sent: boolean }} */
const hand = { cards: [], chosen: new Set(), choice: null, until: 0, sent: false };

/** @type {(cards: Iterable<string>) => string} */
const asSet = (cards) => [...cards].sort().join(" ");

/** @type {() => Set<string>[]} */
const allowedPlays = () => (hand.choice?.Plays ?? []).map((play) => new Set(cardsOf(play)));

/** @type {(cards: Iterable<string>) => boolean} */
const isAllowed = (cards) => !hand.sent && allowedPlays().some((play) => asSet(play) === asSet(cards));

/**
 * Whether there is a play with these cards in it.
 * @type {(cards: Set<string>) => boolean}
 */
const leadsTo = (cards) => allowedPlays().some((play) => [...cards].every((card) => play.has(card)));

/**
 * Choose a card, or put it back. A card that does not go with the others that are chosen is chosen alone.
 * @param {string} card
 */
function pick(card) {
    if (!hand.choice || hand.sent) tell("word", () => word("notYourTurn"));
    else if (!leadsTo(new Set([card]))) tell("word", () => word("cannotPlay", cardsInWords(card)));
    else {
        const chosen = new Set(hand.chosen);
        if (!chosen.delete(card)) chosen.add(card);
        hand.chosen = leadsTo(chosen) ? chosen : new Set([card]);
        tell("word");
    }
    drawHand();
}

/** @param {string} card */
function handCard(card) {
    const mine = hand.choice !== null && !hand.sent;
    const can = mine && leadsTo(new Set([card]));
    const chosen = hand.chosen.has(card);
    const look = `${cardClass(card)}${chosen ? " chosen" : ""}${mine && !can ? " cannot" : ""}`;
    return html`
        <button
            type="button" key=${card} class=${look} data-card=${card} aria-pressed=${chosen ? "true" : "false"}
            aria-disabled=${can ? "false" : "true"} aria-label=${cardName(card)} onClick=${() => pick(card)}
        >
            ${cardFace(card)}
        </button>
    `;
}

function drawHand() {
    const had = $("hand").contains(document.activeElement);
    show("hand", hand.cards.map(handCard));
    $("put").setAttribute("aria-disabled", isAllowed(hand.chosen) && hand.chosen.size ? "false" : "true");
    $("pass").setAttribute("aria-disabled", isAllowed([]) ? "false" : "true");
    document.body.classList.toggle("my-turn", hand.choice !== null && !hand.sent);
    // A card that was played is gone, and the focus with it: the keyboard goes on at the next.
    if (had && document.activeElement === document.body) firstCard()?.focus();
}

/** @returns {HTMLElement | null} */
const firstCard = () => $("hand").querySelector("[aria-disabled=false]") ?? $("hand").querySelector("button");

/**
 * A question, or none any more.
 * @param {Choice | null} choice
 */
function ask(choice) {
    hand.choice = choice;
    hand.sent = false;
    hand.chosen = new Set();
    hand.until = performance.now() + 1000 * (choice?.Seconds ?? 0);
    $("clock").hidden = choice === null || choice.Seconds === null;
    if (choice) {
        const canPlay = choice.Plays.some((play) => play !== "");
        tell("word", () => word(canPlay ? "yourTurn" : "nothingToPlay"));
        /** @type {HTMLProgressElement} */ ($("time")).max = choice.Allowed ?? 1;
        tick();
    }
    drawHand();
    if (choice && document.activeElement === document.body) firstCard()?.focus();
}

function tick() {
    if (!hand.choice || hand.choice.Allowed === null) return;
    const left = Math.max(0, (hand.until - performance.now()) / 1000);
    /** @type {HTMLProgressElement} */ ($("time")).value = left;
    $("clock").classList.toggle("short", left < hand.choice.Allowed / 4);
    show("seconds", `${Math.ceil(left)} s`);
}

/**
 * The keys: in the hand the arrows go from card to card and Enter plays what is chosen, everywhere P passes.
 * @param {KeyboardEvent} event
 */
function pressed(event) {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const inHand = $("hand").contains(document.activeElement);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "p" || event.key === "P") $("pass").click();
    else if (event.key === "Escape") {
        hand.chosen = new Set();
        drawHand();
    } else if (inHand && event.key === "Enter") $("put").click();
    else if (step) {
        const cards = [.../** @type {NodeListOf<HTMLElement>} */ ($("hand").querySelectorAll("button"))];
        const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
        cards.at(at < 0 ? 0 : (at + step) % cards.length)?.focus();
    } else return;
    event.preventDefault();
}

document.addEventListener("keydown", pressed);
setInterval(tick, 100);

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

$("put").addEventListener("click", playChosen);
$("pass").addEventListener("click", pass);
$("link").addEventListener("click", () => copySeat(sitRoom));
$("start").addEventListener("click", () => send({ Kind: "Start" }));
$("again").addEventListener("click", () => takeSeat(/** @type {OwnSeat} */ (ownSeat(sitRoom))));
$("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    sitDown(sitLetter, sitRoom, nameGiven());
});
seatLeavesWithPage(() => table.socket);
sitAtTable();

"use strict";
/* Shows what /monitor/{RoomID} sends. Every game message is a full snapshot, so each is drawn from scratch. */

/** @type {Record<string, string>} */
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** @type {Record<string, string>} */
const SUIT_NAMES = { S: "spade", H: "heart", D: "diamond", C: "club" };
/** @type {Record<string, string>} */
const RANKS = { 2: "大富豪", 1: "富豪", 0: "平民", "-1": "貧民", "-2": "大貧民" };
const ORDER = "34567890JQKA2";
/** @type {Record<string, string>} */
const NEWS = {
    Kakumei: "革命！ Revolution",
    Nagare: "流れ",
    Start: "配り Dealing",
    CardSwapped: "カード交換 Exchange",
    Finish: "終了 Round over",
};
const RETRY_MS = 2000;

const room = decodeURIComponent(location.pathname.split("/")[2] || "");

/**
 * The element of the page with that id.
 * @param {string} id
 */
function at(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no #${id}`);
    return found;
}

/**
 * A new element. Text is never HTML: names and tweets are strangers' texts.
 * @param {string} tag
 * @param {string} [className]
 * @param {string} [text]
 */
function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
}

/** @type {(text: string) => string[]} */
const cardsOf = (text) => (text ? text.split(" ") : []);
/** @type {(card: string) => number} */
const strength = (card) => (card === "JK" ? 99 : ORDER.indexOf(card[1]));

/** @param {string} card */
function cardElement(card) {
    const joker = card === "JK";
    const made = element("span", `card ${joker ? "J" : card[0]}`);
    const rank = joker ? "★" : card[1] === "0" ? "10" : card[1];
    made.append(element("span", "rank-mark", rank), element("span", "suit", joker ? "JK" : SUITS[card[0]]));
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", joker ? "joker" : `${SUIT_NAMES[card[0]]} ${rank}`);
    return made;
}

/** @param {Snapshot} shown */
function drawSeats(shown) {
    at("seats").replaceChildren(
        ...shown.PlayerInfo.map((info, seat) => {
            const turn = shown.Teban === seat && shown.Kind !== "Finish";
            const made = element("li", `seat${turn ? " turn" : ""}`);
            const who = element("div", "who");
            who.append(element("div", "name", `${seat} ${info.Name}`));
            const about = element("div", "about");
            about.append(element("span", `rank r${info.Ranking}`, RANKS[info.Ranking]));
            about.append(element("span", "", `${info.HavingCardCount}枚`));
            if (info.OrderOfFinish) about.append(element("span", "out", `${info.OrderOfFinish}位`));
            who.append(about);
            const hand = element("div", "hand");
            const cards = cardsOf(shown.AllDeck[seat]).sort((a, b) => strength(a) - strength(b));
            hand.append(...cards.map(cardElement));
            made.append(who, hand);
            if (turn) made.setAttribute("aria-current", "true");
            return made;
        }),
    );
}

/** @param {Snapshot} shown */
function makersOf(shown) {
    const since = shown.History.slice(shown.History.lastIndexOf("/") + 1);
    return since.filter((entry) => entry.includes("-[")).map((entry) => Number(entry[0]));
}

/** @param {Snapshot} shown */
function drawTrick(shown) {
    const makers = makersOf(shown);
    at("plays").replaceChildren(
        ...shown.Ba.map((play, index) => {
            const made = element("div", "play");
            const cards = element("div", "cards");
            cards.append(...cardsOf(play).map(cardElement));
            const maker = shown.PlayerInfo[makers[index]];
            made.append(cards, element("p", "", maker ? maker.Name : ""));
            return made;
        }),
    );
}

/** @type {(entry: string, shown: Snapshot) => [className: string, text: string]} */
function historyText(entry, shown) {
    if (entry === "/") return ["nagare", "— 流れ —"];
    const name = shown.PlayerInfo[Number(entry[0])]?.Name || entry[0];
    const what = entry.slice(2);
    if (what === "PASS") return ["pass", `${name}: pass`];
    if (what === "AGARI") return ["agari", `${name}: あがり`];
    const cards = cardsOf(what.slice(1, -1));
    return [
        "",
        `${name}: ${cards.map((card) => (card === "JK" ? "JK" : SUITS[card[0]] + (card[1] === "0" ? "10" : card[1]))).join(" ")}`,
    ];
}

/** @param {Snapshot} shown */
function drawHistory(shown) {
    const list = at("history");
    list.replaceChildren(...shown.History.map((entry) => element("li", ...historyText(entry, shown))));
    list.scrollTop = list.scrollHeight;
}

/** @type {string[]} */
let names = [];

/** @param {Snapshot} shown */
function draw(shown) {
    names = shown.PlayerInfo.map((info) => info.Name);
    document.body.classList.toggle("revolution", shown.IsKakumei);
    at("state").textContent = shown.IsKakumei ? "革命中 (order reversed)" : "playing";
    const back = shown.Kind === "Kakumei" && !shown.IsKakumei;
    const agari = shown.Kind === "Agari" ? `${names[shown.Teban]} あがり` : "";
    at("news").textContent = back ? "革命返し" : agari || NEWS[shown.Kind] || "";
    drawSeats(shown);
    drawTrick(shown);
    drawHistory(shown);
}

/** @param {Tweet} said */
function tweet(said) {
    const made = element("li");
    made.append(
        element("span", "tweeter", names[said.PlayerNum] || `${said.PlayerNum}`),
        element("span", "", said.Message),
    );
    at("tweets").append(made);
    while (at("tweets").childElementCount > 200) at("tweets").firstElementChild?.remove();
    at("tweets").scrollTop = at("tweets").scrollHeight;
}

function connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
        `${scheme}://${location.host}/monitor/${encodeURIComponent(room)}`,
        protocolsFor(takeToken()),
    );
    socket.onopen = () => {
        at("state").textContent = "waiting for a game";
    };
    socket.onmessage = (event) => {
        const message = JSON.parse(event.data);
        if (message.Kind === "Tweet") tweet(message);
        else if (message.AllDeck) draw(message);
    };
    socket.onclose = () => {
        at("state").textContent = "not connected: no such room, or the server is away; trying again…";
        setTimeout(connect, RETRY_MS);
    };
}

at("room").textContent = room;
document.title = `${room} · 大富豪 · jantaku`;
document.querySelector("header")?.append(tokenForm());
connect();

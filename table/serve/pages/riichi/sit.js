// The page on which a person plays riichi: it sits down as programs do, with a key of its own, and comes back by that.
"use strict";

const sitRoom = decodeURIComponent(location.pathname.split("/")[2] ?? "");
/** Reasons for which the server closes a connection. */
const [OTHERWHERE, SEAT_TAKEN] = ["this seat was opened elsewhere", "this seat is taken from another browser"];
const [OVER, LEAVING, REFUSED] = [1000, 1001, 1008];
const LINGERS = 20_000; // ms for which a result stands at most
const ASLEEP = 15_000; // ms out of sight after which a connection may be dead without anybody knowing

/** `queue`: what came and is not shown yet, because a result stands over the table. `door`: why nobody plays here. `looked`:
 * the kyoku whose result is looked at once more, or -1.
 * @type {{ socket: WebSocket | null, game: Game | null, you: number, queue: [any, number][], result: boolean,
 *   resting: boolean, door: string, reason: string, due: number, linger: number, notice: LobbyRoom | null, name: string,
 *   bots: string[], waits: boolean, ended: LobbyGame[],   over: Over | null, looked: number, hiddenAt: number }} */
const table = {
    socket: null,
    game: null,
    you: 0,
    queue: [],
    result: false,
    resting: false,
    door: "",
    reason: "",
    due: 0,
    linger: 0,
    notice: null,
    name: "",
    bots: [],
    ended: [],
    waits: false,
    over: lastOver(sitRoom),
    looked: -1,
    hiddenAt: 0,
};

/** @param {object} message */
const send = (message) => table.socket?.send(JSON.stringify(message));

// --- what the table says

/** @param {any} message */
function heard(message) {
    if (message.over) isOver({ ...message.over, you: table.you });
    else table.queue.push([message, performance.now()]);
    drain();
}

/** Take in what came, up to a result: that is to be read first. */
function drain() {
    while (table.queue.length && !table.result) {
        const [message, at] = /** @type {[any, number]} */ (table.queue.shift());
        take(message, at);
    }
    redraw();
}

/**
 * @param {any} message
 * @param {number} at
 */
function take(message, at) {
    if (message.player) begin(message);
    else if (message.choice) ask(message.choice, at);
    else if (message.defaulted) defaulted(message.defaulted);
    else if (message.refused) refused(message.refused);
    else if (message.resting) table.resting = true;
    else if (message.facts) tookFacts(message.facts);
    else if (message.past) for (const one of message.past) table.game?.feed(one);
    else if (message.meanwhile) tell("why", () => word("meanwhile", message.meanwhile));
    else if (message.error) tell("why", () => reasonWords(message.error));
    else item(message);
}

/** @param {Head & { you: number }} head */
function begin(head) {
    table.game = new Game(head);
    table.you = head.you;
    table.over = null;
    table.looked = -1;
    tell("why");
    table.waits = false;
}

/**
 * Whether the server can show that game: its record is written when it is over.
 * @param {Over} over
 */
const isKept = ({ game }) => table.ended.some(({ number, room }) => room === sitRoom && number === game);

/** @param {Over} over */
function isOver(over) {
    table.over = over;
    keepOver(sitRoom, over);
}

/** @param {Item} item */
function item(item) {
    const { game } = table;
    if (!game) return;
    game.feed(item);
    const own = game.seat(game.rounds.length - 1, table.you);
    if (item.qipai || item.dapai?.l === own) wishFacts();
    if (item.qipai) hand.on.delete("tsumogiri"); // it is meant for the hand that was seen
    ask(null);
    if (item.hule || item.pingju || item.jieju) tell("word");
    announce(game, item);
    if (item.hule || item.pingju || item.jieju) {
        table.result = true;
        clearTimeout(table.linger);
        if (!item.jieju) table.linger = setTimeout(goOn, LINGERS);
    }
}

/** The result was read. */
function goOn() {
    if (table.looked >= 0) table.looked = -1;
    else {
        clearTimeout(table.linger);
        table.result = false;
    }
    drain();
}

/** @param {number} kyoku */
function lookAtResult(kyoku) {
    table.looked = kyoku;
    redraw();
}

/** @param {{ why: string, count?: number }} played */
function defaulted({ why, count }) {
    ask(null);
    tell("why", () => word(why, count));
    sound("short");
}

/** @param {string} why */
function refused(why) {
    hand.said = false;
    tell("word", () => word(why));
}

// --- what is on the screen

/** At most once for each picture of the screen. */
function redraw() {
    table.due ||= requestAnimationFrame(() => {
        table.due = 0;
        draw();
    });
}

function draw() {
    labels();
    const { game } = table;
    document.body.classList.toggle("playing", Boolean(game?.rounds.length));
    document.body.classList.toggle("over", table.door === "over");
    show("actions", [actionsView(), stateButtons()]);
    show("switches", game?.rounds.length ? switchesView() : "");
    show("keys", game?.rounds.length ? word("sittingKeys") : "");
    show("before", table.waits && table.notice ? waitingView(table.notice, table.bots) : "");
    const over = table.over && isKept(table.over) ? table.over : null;
    show("after", over ? afterView(over) : "");
    show("costly", costlyView(over));
    const mine = offered().length > 0;
    document.body.classList.toggle("my-turn", mine);
    document.body.classList.toggle("my-call", mine && !mayDiscard());
    document.title = `${mine ? "● " : ""}${sitRoom} · 雀卓 jantaku`;
    if (game?.rounds.length) drawGame(game);
    tick();
}

/** @param {Game} game */
function drawGame(game) {
    const kyoku = game.rounds.length - 1;
    const look = { base: table.you, sees: table.you, on: new Set(["waits"]) };
    const picture = PAGE.picture(game, kyoku, game.rounds[kyoku].items.length, look);
    const state = stateAt(game.rounds[kyoku], game.rounds[kyoku].items.length);
    const number = game.seat(kyoku, table.you);
    const had = $("hand").contains(document.activeElement);
    show("table", picture.table);
    show("hand", ownHandView(state, number));
    show("hint", hintView(state, number));
    show("chart", soFarView(game, lookAtResult));
    const over = table.looked >= 0 ? resultOfKyoku(game, table.looked) : table.result && picture.result;
    show("cry", cryView());
    show("result", over ? [over, resultButton()] : "");
    const opened = Boolean(over) && $("result").hidden;
    $("result").hidden = !over;
    if (opened) $("go-on").focus();
    // The tile that was discarded is gone, and the focus with it: the keyboard goes on at the last one.
    else if (had && !$("hand").contains(document.activeElement)) focusTiles();
    else if (mayDiscard() && document.activeElement === document.body) focusTiles();
}

function focusTiles() {
    ownTiles().at(-1)?.focus({ preventScroll: true });
}

function resultButton() {
    const waits = table.queue.some(([message]) => message.choice);
    return html`<p class="go-on">
        <button type="button" id="go-on" onClick=${goOn}>${word("continue")}</button>
        ${waits && html`<b>${word("turnWaits")}</b>`}
    </p>`;
}

/** What there is to do when nothing is played. Who rests is wanted only while a game is played here. */
function stateButtons() {
    if (table.door === "over") return stateButton("again", "again", comeBack);
    if (table.door === "moved") return stateButton("here", "here", comeBack);
    return table.door === "" && table.resting ? stateButton("back", "iAmBack", back) : "";
}

/** @type {(id: string, key: string, act: () => void) => Rendered} */
function stateButton(id, key, act) {
    return html`<button type="button" key=${id} data-act=${id} onClick=${act}>${word(key)}</button>`;
}

function back() {
    table.resting = false;
    send({ back: true });
    redraw();
}

function comeBack() {
    const seat = ownSeat(sitRoom);
    if (seat) takeSeat(seat);
}

function labels() {
    drawWords();
    // The key of who is refused opens no seat.
    $("link").hidden = ownSeat(sitRoom) === null || table.door === "refused";
    const { door, name, reason } = table;
    /** @type {Record<string, string>} */
    const doors = { lost: "lost", moved: "moved", over: "gameOver", closed: "closed", wait: "connecting" };
    const key = doors[door] ?? (table.resting ? "resting" : "");
    if (door === "refused")
        show("state", reason === SEAT_TAKEN ? word("seatTaken", name) : word("notLetIn", reasonWords(reason)));
    else show("state", key ? word(key) : "");
}

// --- the connection

/**
 * Sit down, or take the seat back.
 * @param {OwnSeat} seat
 */
function takeSeat(seat) {
    const query = new URLSearchParams({ name: seat.name, dialect: "person" });
    const former = table.socket;
    const socket = new WebSocket(
        socketAddress(`/play/${encodeURIComponent(sitRoom)}?${query}`),
        protocolsFor(takeToken(), seat.key),
    );
    Object.assign(table, {
        socket,
        queue: [],
        result: false,
        resting: false,
        door: "wait",
        reason: "",
        name: seat.name,
    });
    former?.close();
    $("entry").hidden = true;
    ask(null);
    socket.onopen = () => {
        table.door = "";
        redraw();
    };
    socket.onmessage = (event) => table.socket === socket && heard(JSON.parse(event.data));
    socket.onclose = (event) => table.socket === socket && hungUp(event, seat);
    redraw();
}

/** @type {(event: CloseEvent, seat: OwnSeat) => void} */
function hungUp({ code, reason }, seat) {
    if (!table.queue.length) {
        ask(null);
        tell("word"); // whose turn it is here is not known any more
    }
    if (reason === OTHERWHERE) table.door = "moved";
    else if (code === OVER) table.door = "over";
    else if (code === LEAVING) table.door = "closed";
    else if (code === REFUSED) {
        Object.assign(table, { door: "refused", reason });
        $("entry").hidden = false;
    } else {
        table.door = "lost";
        setTimeout(() => table.door === "lost" && takeSeat(seat), RETRY_MS);
    }
    redraw();
}

/** @param {Lobby} lobby */
function noticed(lobby) {
    const notice = lobby.rooms.find(({ room }) => room === sitRoom) ?? null;
    table.notice = notice;
    table.ended = lobby.ended ?? [];
    const waits = notice?.state === "open" && table.door === "" && !table.game?.rounds.length;
    table.bots = lobby.bots ?? [];
    table.waits = Boolean(waits && ownSeat(sitRoom));
    redraw();
}

function sit() {
    speak(redraw);
    show("faces", PAGE.faces());
    show("room", sitRoom);
    const seat = seatFromLink(sitRoom);
    $("entry").hidden = seat !== null;
    fillName();
    if (seat) takeSeat(seat);
    follow("/rooms", noticed);
    redraw();
}

$("link").addEventListener("click", () => copySeat(sitRoom));
$("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    takeSeat(chooseSeat(sitRoom, /** @type {HTMLInputElement} */ ($("name")).value.trim()));
});
document.addEventListener("visibilitychange", () => {
    if (document.hidden) table.hiddenAt = performance.now();
    else if (performance.now() - table.hiddenAt > ASLEEP && (table.door === "" || table.door === "lost")) comeBack();
});
addEventListener("offline", () => {
    if (table.door === "") table.door = "lost";
    redraw();
});
addEventListener("online", () => table.door === "lost" && comeBack());
seatLeavesWithPage(() => table.socket);
sit();

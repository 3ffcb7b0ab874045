// What a person may do now: the own tiles and the buttons. The table says what may be done; the rules are not here.
"use strict";

/** Keys of the buttons. */
const ACTION_KEYS = new Map(
    Object.entries({ w: "hule", r: "riichi", p: "pon", c: "chi", k: "kan", n: "pass", q: "daopai", b: "penuki" }),
);
/** @type {[id: string, word: string][]} */
const SWITCHES = [
    ["auto-win", "autoWin"],
    ["no-calls", "noCalls"],
    ["tsumogiri", "tsumogiriAll"],
    ["tap-again", "tapAgain"],
    ["own-order", "ownOrder"],
    ["hints", "hints"],
    ["sound", "sounds"],
];
/** Switches that stay as they were left in this browser. */
const KEPT = ["tap-again", "own-order", "hints", "sound"];
/** Those that are on until they are turned off: browsers are silent until something was pressed. */
const ON_AT_FIRST = ["sound"];
/** `declaring`: riichi was pressed, and a tile is to be chosen. `said`: what was answered. `uses`: own tiles that the
 * action takes which is pointed at.
 * @type {{ asked: Choice | null, until: number, said: boolean, declaring: boolean, on: Set<string>, look: string,
 *   uses: string[], second: number, raised: string }} `raised`: the discard that a second tap plays. */
const hand = {
    asked: null,
    until: 0,
    said: false,
    declaring: false,
    on: new Set(KEPT.filter(wasOn)),
    look: "",
    uses: [],
    second: 0,
    raised: "",
};

/** @param {string} id */
function wasOn(id) {
    const kept = localStorage.getItem(`jantaku.${id}`);
    return kept === null ? ON_AT_FIRST.includes(id) : kept === "true";
}

/** @returns {Reply[]} */
const offered = () => (hand.asked && !hand.said ? hand.asked.options : []);

/** Whether a tile may be discarded now. */
const mayDiscard = () => offered().some(({ dapai }) => dapai);

/**
 * Take in a question, or that there is none any more.
 * @param {Choice | null} asked
 * @param {number} at When it came.
 */
function ask(asked, at = performance.now()) {
    const again = asked !== null && asked.question === hand.asked?.question;
    hand.asked = asked;
    hand.until = at + 1000 * (asked?.timer?.left ?? 0);
    if (again && hand.said) return; // it is on its way
    hand.said = false;
    hand.declaring = false;
    hand.look = "";
    hand.uses = [];
    hand.raised = "";
    if (!asked) return;
    wishFacts();
    const own = mayDiscard();
    tell("word", () => word(own ? "yourTurn" : isDeclaration(asked) ? "declareTenpai" : "yourCall"));
    // A frame around an own tile would say that this one is asked about. Tab goes on from here.
    if (!own)
        ownTiles()
            .find((tile) => tile === document.activeElement)
            ?.blur();
    const byItself = answerByItself(asked, own);
    if (!byItself) sound("turn");
    if (byItself) setTimeout(() => say(byItself, asked.question), 300);
}

/** @param {Choice} asked */
const isDeclaration = ({ options }) => options.some(({ daopai }) => daopai) && !options.some(({ dapai }) => dapai);

/**
 * What the switches answer; nothing where they leave it to the person.
 * @param {Choice} asked
 * @param {boolean} own
 * @returns {Reply | undefined}
 */
function answerByItself({ options }, own) {
    const win = options.find(({ hule }) => hule);
    if (win) return hand.on.has("auto-win") ? win : undefined;
    if (own && hand.on.has("tsumogiri")) return options.find(({ dapai }) => dapai?.endsWith("_"));
    const calls = options.some(({ fulou }) => fulou);
    return calls && hand.on.has("no-calls") ? options.find((option) => !Object.keys(option).length) : undefined;
}

/**
 * Answer a question if it is the one that is open here. Only the table knows whether it still is.
 * @param {Reply} reply
 * @param {number | undefined} question What was on the screen when the person chose.
 */
function say(reply, question) {
    if (!hand.asked || hand.said) return;
    if (hand.asked.question !== question) {
        tell("word", () => word("late"));
        return;
    }
    hand.said = true;
    hand.declaring = false;
    hand.uses = [];
    send({ question: hand.asked.question, reply });
    tell("word", () => word("sent"));
    tell("why");
    redraw();
}

/**
 * The discards of a tile that may be chosen now; `drawn`: of the very one that was drawn.
 * @param {string} tile
 * @param {boolean} drawn
 */
function discardOf(tile, drawn) {
    const wanted = [tile, drawn ? "_" : "", hand.declaring ? "*" : ""].join("");
    return offered().find(({ dapai }) => dapai === wanted);
}

/**
 * A tile was taken.
 * @param {string} tile
 * @param {boolean} drawn
 * @param {number | undefined} question
 */
function pick(tile, drawn, question) {
    const discard = discardOf(tile, drawn);
    if (discard?.dapai && hand.on.has("tap-again") && hand.raised !== discard.dapai) {
        hand.raised = discard.dapai;
        tell("word", () => word("tapToDiscard", tileWords(tile)));
        lookAt(tile);
        redraw();
    } else if (discard) say(discard, question);
    else if (!mayDiscard()) tell("word", () => word("notYourTurn"));
    else tell("word", () => word("cannotDiscard", tileWords(tile)));
}

/** @type {(state: State, number: number) => Rendered} */
function ownHandView(state, number) {
    const { hand: tiles, drawn } = state.seats[number];
    const mine = mayDiscard();
    const question = hand.asked?.question;
    const uses = [...hand.uses];
    const all = inOrder(tiles).map((tile, n) => ({ tile, n, drawn: false }));
    if (drawn !== undefined) all.push({ tile: drawn, n: tiles.length, drawn: true });
    return all.map(({ tile, n, drawn }) => {
        if (tile === null) return tileView(null);
        const discard = discardOf(tile, drawn);
        const can = Boolean(discard);
        const raised = can && discard?.dapai === hand.raised;
        const used = uses.indexOf(tile);
        if (used >= 0) uses.splice(used, 1);
        const lit = (used >= 0 || raised) && "used";
        const classes = ["pick", drawn && "apart", mine && !can && "cannot", lit, ...hintClasses(tile, state)];
        const label = tileWords(tile) + (drawn ? ` (${word("drawn")})` : "");
        /** @type {() => void} */
        const look = () => lookAt(tile);
        return html`<button
            type="button" key=${n} class=${classes.filter(Boolean).join(" ")} data-tile=${tile} data-drawn=${drawn || undefined} aria-label=${label}
            aria-disabled=${can ? "false" : "true"} onClick=${() => pick(tile, drawn, question)} onFocus=${look} onMouseEnter=${look}
        >${tileView(tile)}</button>`;
    });
}

/** @param {string} tile */
function lookAt(tile) {
    if (hand.look === tile) return;
    hand.look = tile;
    redraw();
}

/**
 * Light the own tiles that an action would take.
 * @param {string[]} tiles
 */
function pointAt(tiles) {
    hand.uses = tiles;
    redraw();
}

/** `uses`: the own tiles that it takes.
 * @typedef {{ id: string, key?: string, spoken: string, label?: Rendered, uses?: string[], act: () => void }} HandAction */

/** The buttons for everything that is no plain discard. */
function actionsNow() {
    const options = offered();
    const own = mayDiscard();
    const declares = options.some(({ daopai }) => daopai);
    const found = options.filter(({ dapai }) => !dapai).map((option) => actionOf(option, own, declares));
    if (options.some(({ dapai }) => dapai?.includes("*"))) {
        found.unshift({ id: "riichi", spoken: word(hand.declaring ? "cancel" : "riichi"), act: declare });
    }
    return found;
}

/**
 * @param {Reply} option
 * @param {boolean} own In the own turn.
 * @param {boolean} declares Where tenpai is declared, or an abortion.
 * @returns {HandAction}
 */
function actionOf(option, own, declares) {
    const question = hand.asked?.question;
    const act = () => say(option, question);
    const text = option.fulou ?? option.gang;
    if (text) {
        const meld = parseMeld(text);
        const tiles = [...meld.own, meld.called, meld.added].filter(Boolean).map(tileWords).join(" ");
        const label = html`${word(meld.kind)} <span class="meld">${meldView(meld)}</span>`;
        const uses = meld.added ? [meld.added] : meld.own;
        return { id: meld.kind, label, spoken: `${word(meld.kind)} ${tiles}`, uses, act };
    }
    if (option.penuki) {
        const label = html`${word("setAside")} <span class="meld">${tileView(option.penuki)}</span>`;
        const spoken = `${word("setAside")} ${tileWords(option.penuki)}`;
        return { id: "penuki", label, spoken, uses: [option.penuki], act };
    }
    if (option.hule) return { id: "hule", spoken: word(own ? "tsumo" : "ron"), act };
    if (option.daopai) return { id: "daopai", spoken: word(own ? "kyuushu" : "tenpai"), act };
    return { id: "pass", spoken: word(declares ? "noten" : "letGo"), act };
}

function declare() {
    hand.declaring = !hand.declaring;
    tell("word", () => word(hand.declaring ? "chooseRiichi" : "yourTurn"));
    redraw();
}

function actionsView() {
    return actionsNow().map(
        ({ id, label, spoken, uses = [], act }, n) => html`
            <button
                type="button" key=${`${id}${n}`} data-act=${id} aria-label=${spoken} onClick=${act}
                onFocus=${() => pointAt(uses)} onMouseEnter=${() => pointAt(uses)}
                onBlur=${() => pointAt([])} onMouseLeave=${() => pointAt([])}
            >
                ${label ?? spoken}
            </button>
        `,
    );
}

/**
 * What the hand waits for after the discard of a tile, in order of the tiles that may be discarded.
 * @param {State} state
 * @param {number} number
 */
function hintView(state, number) {
    if (hand.on.has("hints") && !hand.declaring) return factsView(state);
    const seat = state.seats[number];
    const options = offered().filter(({ dapai }) => dapai && (!hand.declaring || dapai.includes("*")));
    if (!options.length) return ownWaitsView(state, number);
    const shown = new Set(options.map(({ dapai }) => dapai?.slice(0, 2) ?? ""));
    const wanted = hand.declaring ? [...shown] : [...shown].filter((tile) => tile === hand.look);
    return wanted.map((tile) => {
        const waits = waitsOf({ ...seat, hand: handWithout(seat, tile), drawn: undefined });
        if (!waits.length) return null;
        const tiles = waits.map((kind) => {
            const left = unseen(state, number, kind);
            return html`<span class="useful">${tileView(kind, "", word("unseen", left))}<i aria-hidden="true">${left}</i></span>`;
        });
        const furiten = [...seat.river.map((out) => plain(out.tile)), plain(tile)].some((kind) => waits.includes(kind));
        return html`<p class="waiting">
            <span>${word("discardToWait", tileWords(tile))}</span><span class="waits">${tiles}</span>
            ${furiten && html`<b class="furiten">${word("furiten")}</b>`}
        </p>`;
    });
}

/**
 * What the hand waits for, while there is nothing to discard.
 * @param {State} state
 * @param {number} number
 */
function ownWaitsView(state, number) {
    const waits = waitsView(state, number);
    return waits && html`<div class="waiting"><span>${word("waitsFor")}</span>${waits}</div>`;
}

/**
 * @param {Seat} seat
 * @param {string} tile
 */
function handWithout({ hand: tiles, drawn }, tile) {
    const all = drawn === undefined ? [...tiles] : [...tiles, drawn];
    all.splice(all.indexOf(tile), 1);
    return all;
}

/** Whether there is room for what a small window folds away. */
const isWide = () => matchMedia("(min-width: 481px) and (min-height: 571px)").matches;

/** Those of the moment, and, folded in a small window, those that are set once. */
function switchesView() {
    const [moment, kept] = [false, true].map((stays) =>
        SWITCHES.filter(([id]) => KEPT.includes(id) === stays).map(switchView),
    );
    return html`${moment}<details id="settings" open=${isWide()}><summary>${word("settings")}</summary>${kept}</details>`;
}

/** @param {[id: string, word: string]} one */
function switchView([id, name]) {
    return html`
        <button type="button" key=${id} data-switch=${id} aria-pressed=${String(hand.on.has(id))} onClick=${() => turn(id)}>
            ${word(name)}
        </button>
    `;
}

/** @param {string} id */
function turn(id) {
    if (!hand.on.delete(id)) hand.on.add(id);
    if (KEPT.includes(id)) localStorage.setItem(`jantaku.${id}`, String(hand.on.has(id)));
    order.tiles = [];
    if (id === "hints") wishFacts();
    const asked = hand.asked;
    const reply = asked && !hand.said && answerByItself(asked, mayDiscard());
    if (reply) say(reply, asked?.question);
    redraw();
}

function tick() {
    const { asked } = hand;
    const allowed = (asked?.timer?.limit ?? 0) + (asked?.timer?.bank ?? 0);
    const runs = asked !== null && !hand.said && allowed > 0;
    $("clock").hidden = !runs;
    if (!runs) return;
    const left = Math.max(0, (hand.until - performance.now()) / 1000);
    const time = /** @type {HTMLProgressElement} */ ($("time"));
    [time.max, time.value] = [allowed, left];
    $("clock").classList.toggle("short", left < 10);
    $("clock").classList.toggle("banking", left < (asked?.timer?.bank ?? 0));
    const seconds = Math.ceil(left);
    if (seconds !== hand.second && seconds <= 5 && seconds > 0) sound("short");
    hand.second = seconds;
    show("seconds", `${seconds} s`);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    const id = ACTION_KEYS.get(key);
    const action = id && actionsNow().find((one) => one.id === id || (id === "kan" && one.id.endsWith("kan")));
    const step = { arrowleft: -1, arrowright: 1 }[key];
    if (action) action.act();
    else if (step && event.shiftKey) moveFocused(step);
    else if (step) focusNext(step);
    else if (key === "d")
        ownTiles()
            .find(({ dataset }) => dataset.drawn)
            ?.click();
    else if (key === "escape" && !$("result").hidden) goOn();
    else if (key === "escape" && hand.declaring) declare();
    else return;
    event.preventDefault();
}

/** @returns {HTMLElement[]} */
const ownTiles = () => [.../** @type {NodeListOf<HTMLElement>} */ ($("hand").querySelectorAll("button"))];

/** @param {number} step To the next tile of the hand, or the one before. */
function focusNext(step) {
    const tiles = ownTiles();
    const at = tiles.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    tiles.at(at < 0 ? -1 : (at + step) % tiles.length)?.focus();
}

document.addEventListener("keydown", pressed);
setInterval(tick, 100);

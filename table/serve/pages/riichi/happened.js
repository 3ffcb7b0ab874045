// What others just did: in words for who does not see it, as a mark at their place, and as a sound.
"use strict";

const CRY = 1400; // ms for which a mark stands
/** `place`: 0 the own seat, then to the right.
 * @type {{ place: number, key: string, timer: number }} */
const cry = { place: 0, key: "", timer: 0 };

/**
 * Say what happened.
 * @param {Game} game
 * @param {Item} item
 */
function announce(game, { zimo, gangzimo, dapai, fulou, gang, penuki, hule, qipai }) {
    const kyoku = game.rounds.length - 1;
    const mine = game.seat(kyoku, table.you);
    const who = (/** @type {number} */ seat) =>
        seat === mine ? word("you") : `${word("winds", seat)} ${game.name(kyoku, seat)}`;
    const drawn = zimo ?? gangzimo;
    const made = fulou ?? gang;
    if (qipai) {
        const { zhuangfeng, jushu } = qipai;
        tell("news", () => word("dealt", word("round", zhuangfeng, jushu + 1), word("winds", mine)));
    } else if (drawn?.l === mine && drawn.p) {
        tell("news", () => word("youDraw", tileWords(drawn.p)));
        sound("draw");
    } else if (dapai) {
        const riichi = dapai.p.includes("*");
        const key = riichi ? "declares" : "discards";
        tell("news", () => word(key, who(dapai.l), tileWords(dapai.p.slice(0, 2))));
        sound(riichi ? "riichi" : "discard");
        if (riichi) mark(game, dapai.l, "riichi");
    } else if (made) {
        const meld = parseMeld(made.m);
        const tiles = [...meld.own, meld.called, meld.added].filter(Boolean);
        tell("news", () => word("calls", who(made.l), word(meld.kind), tiles.map(tileWords).join(" ")));
        sound("call");
        mark(game, made.l, meld.kind);
    } else if (penuki) {
        tell("news", () => word("setsAside", who(penuki.l)));
        sound("call");
        mark(game, penuki.l, "aside");
    } else if (hule) won(game, hule);
}

/** @type {(game: Game, hule: Hule) => void} */
function won(game, { l, baojia }) {
    sound("win");
    mark(game, l, baojia === null ? "tsumo" : "ron");
}

/**
 * @param {Game} game
 * @param {number} seat
 * @param {string} key Its word.
 */
function mark(game, seat, key) {
    clearTimeout(cry.timer);
    const mine = game.seat(game.rounds.length - 1, table.you);
    Object.assign(cry, { place: sideOf(mine, seat, game.names.length), key, timer: setTimeout(unmark, CRY) });
}

function unmark() {
    cry.key = "";
    redraw();
}

/** Hidden from who hears the page: the words were said. */
function cryView() {
    return (
        cry.key && html`<span key=${cry.timer} class="cry at${cry.place}" aria-hidden="true">${word(cry.key)}</span>`
    );
}

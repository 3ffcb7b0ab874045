// What others just did: in words for who does not see it, as a mark at their place, and as a short tone made here.
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

/** Frequencies in Hz, one after another, each for `step` seconds. */
const SOUNDS = {
    discard: { tones: [190], step: 0.05, shape: "triangle" },
    draw: { tones: [520], step: 0.03, shape: "sine" },
    call: { tones: [440, 330], step: 0.1, shape: "square" },
    riichi: { tones: [523, 659, 784], step: 0.11, shape: "triangle" },
    win: { tones: [523, 659, 784, 1047], step: 0.14, shape: "triangle" },
    turn: { tones: [880, 1175], step: 0.09, shape: "sine" },
    short: { tones: [988], step: 0.06, shape: "square" },
};
const LOUD = 0.08;
/** @type {AudioContext | null} */
let audio = null;

/** @param {keyof typeof SOUNDS} name */
function sound(name) {
    if (!hand.on.has("sound")) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume(); // until something was pressed browsers are silent
    const { tones, step, shape } = SOUNDS[name];
    for (const [n, tone] of tones.entries()) {
        const [from, oscillator, gain] = [audio.currentTime + n * step, audio.createOscillator(), audio.createGain()];
        oscillator.type = /** @type {OscillatorType} */ (shape);
        oscillator.frequency.value = tone;
        gain.gain.setValueAtTime(LOUD, from);
        gain.gain.exponentialRampToValueAtTime(0.001, from + step * 1.6);
        oscillator.connect(gain).connect(audio.destination);
        oscillator.start(from);
        oscillator.stop(from + step * 1.6);
    }
}

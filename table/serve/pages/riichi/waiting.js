// What others just did: in words for who does not see it, as a mark at their place, and as a short tone made here.
// Before the game: who is there, a link and a QR code for others, and the host's bots for the free seats.
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

const FILLING = "shanten";
/** `bots`: what was chosen, seat by seat. `now`: the game is to begin with bots at once.
 * @type {{ asked: boolean, told: Invitation | null, bots: string[], now: boolean }} */
const invited = { asked: false, told: null, bots: [], now: new URLSearchParams(location.hash.slice(1)).has("now") };

/**
 * @param {LobbyRoom} notice
 * @param {string[]} bots
 */
function waitingView(notice, bots) {
    if (!invited.asked) {
        invited.asked = true;
        invite(notice.room, (told) => {
            invited.told = told;
            redraw();
        });
    }
    const taken = notice.seats.filter(({ free }) => !free);
    const names = taken.map(
        ({ name, bot }, n) => html`<li key=${n}><bdi>${name}</bdi>${bot && ` (${word("bot")})`}</li>`,
    );
    return html`<p>${word("waitingForOthers", taken.length, notice.seats.length)}</p>
        <ul class="there">${names}</ul>
        ${startView(notice, bots)} ${invited.told && invitationView(invited.told)}`;
}

/**
 * The host begins; the others see who that is.
 * @param {LobbyRoom} notice
 * @param {string[]} bots
 */
function startView({ seats, host }, bots) {
    if (host !== table.name) return html`<p>${word("hostStarts", host ?? "")}</p>`;
    const free = seats.filter((seat) => seat.free);
    const first = bots.includes(FILLING) ? FILLING : bots[0];
    const chosen = () => free.map((_, n) => invited.bots[n] ?? first);
    /** @type {(n: number) => (event: Event) => void} */
    const choose = (n) => (event) => {
        invited.bots[n] = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
        redraw();
    };
    const start = () => send({ start: chosen() });
    if (invited.now && free.length) {
        invited.now = false;
        start();
    }
    const menus = chosen().map(
        (bot, n) => html`<label key=${n}>
            ${word("freeSeat", n + 1)}
            <select onChange=${choose(n)} value=${bot}>${bots.map((name) => html`<option value=${name}>${name}</option>`)}</select>
        </label>`,
    );
    return html`<div class="fill">${menus}</div>
        <button type="button" id="start" onClick=${start}>${word("startWithBots")}</button>`;
}

/** @param {Invitation} told */
function invitationView({ address, code, alone }) {
    return html`<h2>${word("inviteOthers")}</h2>
        ${alone ? html`<p>${word("aloneHere")}</p>` : codeView(code, word("qrCode", address))}
        <p class="address"><code>${address}</code></p>
        <button type="button" onClick=${() => copyAddress(address, "inviteCopied")}>${word("copyInvite")}</button>`;
}

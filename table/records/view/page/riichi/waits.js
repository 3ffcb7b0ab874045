// How far hands are from winning, which kinds bring them nearer, and whether they are furiten. A hand is the counts of its
// concealed tiles by kind; melds follow from how many are missing. Only tiles that were told are looked at.
"use strict";

const KIND_NAMES = [..."mps"]
    .flatMap((suit) => [..."123456789"].map((n) => suit + n))
    .concat([..."1234567"].map((n) => `z${n}`));
const KIND_OF = new Map(KIND_NAMES.map((name, kind) => [name, kind]));
const SUITS = [0, 9, 18, 27, 34];
const MANY = 20000;
/** What one rank of a suit can begin or hold: runs (three alike are triplets), triplets, pairs. */
const TAKEN = [0, 1, 2].flatMap((runs) => [0, 1].flatMap((same) => [0, 1].map((pair) => [runs, same, pair])));

/** `shanten`: 0 tenpai, -1 complete. `useful`: kinds that lower it, none before the discard.
 * @typedef {{shanten: number, useful: string[]}} Shape */

/** Shapes of hands and distances of suits that were looked at before: a position is built anew each time it is shown.
 * @type {{hands: Map<string, Shape>, suits: Map<string, number[]>}} */
const KNOWN = { hands: new Map(), suits: new Map() };

/**
 * @template T
 * @param {Map<string, T>} known
 * @param {string} key
 * @param {() => T} find
 * @returns {T}
 */
function remembered(known, key, find) {
    let found = known.get(key);
    if (found === undefined) {
        if (known.size >= MANY) known.clear();
        found = find();
        known.set(key, found);
    }
    return found;
}

/**
 * The shape of a hand without its draw; null if it was not seen.
 * @param {Seat} seat
 * @returns {Shape | null}
 */
function shapeOf({ hand }) {
    if (hand.includes(null)) return null;
    return remembered(KNOWN.hands, hand.join(""), () => findShape(/** @type {string[]} */ (hand)));
}

/** @param {string[]} hand */
function findShape(hand) {
    const counts = KIND_NAMES.map(() => 0);
    for (const tile of hand) counts[/** @type {number} */ (KIND_OF.get(plain(tile)))]++;
    const distance = distanceOf(counts);
    const draws = hand.length % 3 === 1 ? KIND_NAMES : [];
    const useful = draws.filter((_, kind) => {
        counts[kind]++; // a fifth helps nothing: no set or pair takes more than four
        const nearer = distanceOf(counts) < distance;
        counts[kind]--;
        return nearer;
    });
    return { shanten: distance - 1, useful };
}

/**
 * Tiles that must be replaced until the hand is complete.
 * @param {number[]} counts
 */
function distanceOf(counts) {
    const sets = Math.floor(counts.reduce((sum, count) => sum + count, 0) / 3);
    const suits = [0, 1, 2, 3].map((suit) => counts.slice(SUITS[suit], SUITS[suit + 1]));
    const regular = suits.map(suitDistances).reduce(together)[sets * 2 + 1];
    return sets === 4 ? Math.min(regular, toSevenPairs(counts), toKokushi(counts)) : regular;
}

/** @param {number[]} counts */
function toSevenPairs(counts) {
    const lacking = counts.map((count) => Math.max(2 - count, 0)).sort((a, b) => a - b);
    return lacking.slice(0, 7).reduce((sum, lack) => sum + lack, 0);
}

/** @param {number[]} counts */
function toKokushi(counts) {
    const ends = counts.filter((_, kind) => kind >= 27 || kind % 9 === 0 || kind % 9 === 8);
    return 13 - ends.filter(Boolean).length + (ends.some((count) => count > 1) ? 0 : 1);
}

/**
 * Tiles that a suit lacks for so many sets, each without and with a pair: place `sets * 2 + pair`.
 * @param {number[]} counts Honours are seven and make no runs.
 */
function suitDistances(counts) {
    return remembered(KNOWN.suits, counts.join(""), () => {
        let lacking = [0];
        counts.forEach((held, rank) => {
            lacking = nextRank(lacking, held, counts.length === 9 && rank < 7 ? 2 : 0);
        });
        return Array.from({ length: 10 }, (_, n) => lacking[placeOf(0, 0, n >> 1, n & 1)]);
    });
}

/**
 * A place in a list of 90: runs that began one and two ranks before, sets and pairs so far.
 * @param {number} one
 * @param {number} two
 * @param {number} sets
 * @param {number} pairs
 */
function placeOf(one, two, sets, pairs) {
    return one + 3 * (two + 3 * (sets + 5 * pairs));
}

/**
 * @param {number[]} lacking What lacks up to the rank before, by `placeOf`; infinity where that cannot be.
 * @param {number} held
 * @param {number} most Runs that may begin here.
 */
function nextRank(lacking, held, most) {
    const next = Array(90).fill(Number.POSITIVE_INFINITY);
    lacking.forEach((lack, place) => {
        if (lack === Number.POSITIVE_INFINITY) return;
        const [one, two] = [place % 3, Math.floor(place / 3) % 3];
        const [sets, pairs] = [Math.floor(place / 9) % 5, place < 45 ? 0 : 1];
        for (const [runs, same, pair] of TAKEN) {
            const needed = one + two + runs + same * 3 + pair * 2;
            if (needed > 4 || runs > most || sets + runs + same > 4 || pairs + pair > 1) continue;
            const now = placeOf(runs, one, sets + runs + same, pairs + pair);
            next[now] = Math.min(next[now], lack + Math.max(needed - held, 0));
        }
    });
    return next;
}

/**
 * What two parts of a hand lack together.
 * @param {number[]} one
 * @param {number[]} other
 */
function together(one, other) {
    const both = one.map(() => Number.POSITIVE_INFINITY);
    one.forEach((lack, n) => {
        other.forEach((more, m) => {
            if ((n & m & 1) === 0 && n + m < both.length) both[n + m] = Math.min(both[n + m], lack + more);
        });
    });
    return both;
}

/**
 * The kinds that complete a hand before its draw, in order; none if it is not tenpai or was not seen.
 * @param {Seat} seat
 * @returns {string[]}
 */
function waitsOf(seat) {
    const shape = shapeOf(seat);
    return shape?.shanten === 0 ? shape.useful : [];
}

/**
 * Whether a seat may not win on another's tile: a wait lies in its river, or it let one go.
 * @param {Seat} seat
 */
function isFuriten(seat) {
    const waits = waitsOf(seat);
    return waits.length > 0 && (seat.missed || seat.river.some(({ tile }) => waits.includes(plain(tile))));
}

/**
 * How many of a kind a seat has not seen: neither in its hand nor where everybody sees them.
 * @param {State} state
 * @param {number} number
 * @param {string} kind
 */
function unseen({ seats, indicators }, number, kind) {
    const { hand, drawn } = seats[number];
    const out = seats.flatMap(({ river }) => river.filter(({ by }) => by === undefined).map(({ tile }) => tile));
    const aside = seats.flatMap((seat) => Array(seat.aside).fill(NORTH));
    const called = seats.flatMap(({ melds }) => melds.flatMap(({ own, called, added }) => [...own, called, added]));
    const seen = [...hand, drawn, ...out, ...called, ...aside, ...indicators].filter(
        (tile) => tile && plain(tile) === kind,
    );
    return 4 - seen.length;
}

/**
 * By kind, the winds of the seats that wait for it, of those whose hands are open.
 * @param {State} state
 * @param {(number: number) => boolean} open
 */
function awaited({ seats }, open) {
    /** @type {Map<string, string[]>} */
    const winds = new Map();
    seats.forEach((seat, number) => {
        for (const kind of open(number) ? waitsOf(seat) : [])
            winds.set(kind, [...(winds.get(kind) ?? []), word("winds", number)]);
    });
    return winds;
}

/**
 * How far a seat is, and what brings it nearer with how many left of each; nothing if its hand was not seen.
 * @param {State} state
 * @param {number} number
 */
function shapeView(state, number) {
    const shape = shapeOf(state.seats[number]);
    if (!shape) return null;
    const { shanten } = shape;
    const useful = shape.useful.filter((kind) => state.seats.length > 3 || !/^m[2-8]/.test(kind)); // three play without these
    const left = useful.reduce((sum, kind) => sum + unseen(state, number, kind), 0);
    return html`<div class="shape" data-shanten=${shanten}>
        <b class="of">${HONOURS[number]}</b><b>${word("shanten", shanten)}</b>
        ${useful.length > 0 && html`<span>${word("useful", useful.length, left)}</span>`}
    </div>
    ${usefulView(state, number, useful)}`;
}

/**
 * What a seat waits for, and whether it is furiten; nothing if it is not tenpai.
 * @param {State} state
 * @param {number} number
 */
function waitsView(state, number) {
    return usefulView(state, number, waitsOf(state.seats[number]));
}

/**
 * @param {State} state
 * @param {number} number
 * @param {string[]} kinds
 */
function usefulView(state, number, kinds) {
    if (!kinds.length) return null;
    const furiten = isFuriten(state.seats[number]) && html`<b class="furiten">${word("furiten")}</b>`;
    const tiles = kinds.map((kind) => {
        const left = unseen(state, number, kind);
        return html`<span class=${left ? "useful" : "useful none"}>
            ${tileView(kind, "", word("unseen", left))}<i aria-hidden="true">${left}</i>
        </span>`;
    });
    return html`<div class=${kinds.length > 14 ? "waits many" : "waits"}>${tiles}${furiten}</div>`;
}

// The physical wall: a side for each seat, of seventeen stacks, or of eighteen where three play, broken by the dice. A
// place is (wall * stacks + stack) * 2 + level; stacks count from the right as their owner sees them, level 0 is upper.

/** By how many play: stacks of a side, tiles that are dealt, rinshan tiles. Where three play some of the stacks of
 * indicators end the live wall. */
const WALLS = {
    3: { seats: 3, stacks: 18, dealt: 39, rinshan: 8 },
    4: { seats: 4, stacks: 17, dealt: 52, rinshan: 4 },
};
const DEAD = 14;
const WALL = { width: 3.3, height: 4.4, level: 0.95, gap: 1.1, top: 32.3 };

/** @typedef {{dead: boolean, apart?: boolean, lowered?: boolean, face?: string}} WallTile */

/** @param {State} state */
function wallOf({ seats }) {
    return seats.length === 3 ? WALLS[3] : WALLS[4];
}

/**
 * Places in the order in which tiles leave: from the break leftwards, then the next wall clockwise.
 * @param {number[]} dice
 * @param {{seats: number, stacks: number}} wall
 */
function leavingOrder(dice, { seats, stacks }) {
    const total = dice[0] + dice[1];
    const wall = (total - 1) % seats;
    const places = [];
    for (let step = total; step < total + seats * stacks; step++) {
        const stack = ((wall - Math.floor(step / stacks) + 2 * seats) % seats) * stacks + (step % stacks);
        places.push(stack * 2, stack * 2 + 1);
    }
    return places;
}

/**
 * Where the tiles of a kyoku stand now, by place.
 * @param {Kyoku} kyoku
 * @param {State} state
 */
function standingWall(kyoku, state) {
    const { dealt, rinshan, ...wall } = wallOf(state);
    const dice = kyoku.wall?.dice;
    if (!dice) return evenWall(state);
    const order = leavingOrder(dice, wall);
    /** @type {Map<number, WallTile>} */
    const standing = new Map();
    const drawn = state.draws;
    const end = order.length - DEAD;
    // Every rinshan tile moves the last live tile into the dead wall.
    for (let n = dealt + drawn; n < end; n++) standing.set(order[n], { dead: n >= end - state.kans });
    for (let n = end; n < order.length; n++) standing.set(order[n], { dead: true, apart: true });
    for (let n = 0; n < state.kans; n++) standing.delete(rinshanPlace(order, n));
    const next = state.kans < rinshan && state.kans % 2 === 0 && standing.get(rinshanPlace(order, state.kans));
    if (next) next.lowered = true;
    state.indicators.forEach((face, n) => {
        const shown = standing.get(order.at(-2 - rinshan - 2 * n) ?? -1);
        if (shown) shown.face = face;
    });
    return standing;
}

/**
 * The tiles that are left, by place, where the dice are not known: in the middle of every side as many, with no break and
 * no dead wall, whose places nobody can tell.
 * @param {State} state
 */
function evenWall(state) {
    const { seats, stacks, dealt } = wallOf(state);
    const left = seats * stacks * 2 - dealt - state.draws - state.kans;
    /** @type {Map<number, WallTile>} */
    const standing = new Map();
    for (let wall = 0; wall < seats; wall++) {
        const share = Math.floor((left + wall) / seats);
        const first = Math.floor((stacks - share / 2) / 2);
        for (let n = 0; n < share; n++)
            standing.set((wall * stacks + first + Math.floor(n / 2)) * 2 + 1 - (n % 2), { dead: false });
    }
    return standing;
}

/**
 * @param {number[]} order
 * @param {number} number
 */
function rinshanPlace(order, number) {
    return order[order.length - 2 - 2 * Math.floor(number / 2) + (number % 2)];
}

/**
 * The wall around the rivers as SVG in a box of 100 x 100, seen from the seat at the bottom.
 * @param {Kyoku} kyoku
 * @param {State} state
 * @param {number} base
 */
function wallView(kyoku, state, base) {
    const standing = standingWall(kyoku, state);
    const { seats, stacks } = wallOf(state);
    const sides = [...Array(seats).keys()].map((wall) => {
        const tiles = [];
        for (let stack = 0; stack < stacks; stack++)
            for (const level of [1, 0]) {
                const tile = standing.get((wall * stacks + stack) * 2 + level);
                if (tile) tiles.push(wallTile(tile, stacks / 2 - stack - 1, level));
            }
        const turn = `rotate(${sideOf(base, wall, seats) * -90} 50 50)`;
        return html`<g class="side" data-wall=${wall} transform=${turn}>${tiles}</g>`;
    });
    const label = `${word("wall")}, ${standing.size}`;
    return html`<svg viewBox="0 0 100 100" role="img" aria-label=${label} data-standing=${standing.size}>${sides}</svg>`;
}

/**
 * @param {WallTile} tile
 * @param {number} right Stacks from the middle of the side to the right.
 * @param {number} level
 */
function wallTile(tile, right, level) {
    const { width, height, gap, top } = WALL;
    let x = 50 + right * width - (tile.apart ? gap : 0);
    let y = 50 + top + (level === 0 ? -WALL.level : 0);
    if (tile.lowered) {
        x -= width * 1.02;
        y += WALL.level;
    }
    const box = { x: x.toFixed(2), y: y.toFixed(2), width: width - 0.12, rx: 0.4 };
    const kind = tile.face ? "face" : tile.dead ? "dead" : "live";
    const face = { x: (x + 0.15).toFixed(2), y: (y + 0.2).toFixed(2), width: width - 0.42, height: height - 0.4 };
    return html`<rect class="edge" ...${box} height=${height + 0.75} />
        <rect class=${kind} ...${box} height=${height} />
        ${tile.face && html`<use href="#t-${tile.face}" ...${face} />`}`;
}

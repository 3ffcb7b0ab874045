// What hands wait for. A hand is the counts of its 34 kinds of concealed tiles; melds follow from how many are missing.
"use strict";

const KIND_NAMES = [..."mps"]
    .flatMap((suit) => [..."123456789"].map((n) => suit + n))
    .concat([..."1234567"].map((n) => `z${n}`));
const KIND_OF = new Map(KIND_NAMES.map((name, kind) => [name, kind]));
const MANY_HANDS = 5000;

/** Waits of hands that were looked at before: a position is built anew each time that it is shown.
 * @type {Map<string, string[]>} */
const KNOWN_WAITS = new Map();

/**
 * The kinds that complete a hand before its draw, in order; none if it is not tenpai or was not seen.
 * @param {Seat} seat
 * @returns {string[]}
 */
function waitsOf({ hand }) {
    if (hand.includes(null)) return [];
    const key = hand.join("");
    let waits = KNOWN_WAITS.get(key);
    if (!waits) {
        if (KNOWN_WAITS.size >= MANY_HANDS) KNOWN_WAITS.clear();
        waits = findWaits(/** @type {string[]} */ (hand));
        KNOWN_WAITS.set(key, waits);
    }
    return waits;
}

/** @param {string[]} hand */
function findWaits(hand) {
    const counts = KIND_NAMES.map(() => 0);
    for (const tile of hand) counts[/** @type {number} */ (KIND_OF.get(plain(tile)))]++;
    return KIND_NAMES.filter((_, kind) => counts[kind] < 4 && completes(counts, kind));
}

/**
 * @param {number[]} counts
 * @param {number} kind
 */
function completes(counts, kind) {
    counts[kind]++;
    const size = counts.reduce((sum, count) => sum + count, 0);
    const complete = isRegular(counts) || (size === 14 && (isSevenPairs(counts) || isKokushi(counts)));
    counts[kind]--;
    return complete;
}

/** @param {number[]} counts */
function isSevenPairs(counts) {
    return counts.every((count) => count === 0 || count === 2);
}

/** @param {number[]} counts */
function isKokushi(counts) {
    return counts.every((count, kind) => (kind >= 27 || kind % 9 === 0 || kind % 9 === 8 ? count > 0 : count === 0));
}

/**
 * A pair, and the rest in triplets and runs.
 * @param {number[]} counts
 */
function isRegular(counts) {
    return counts.some((count, kind) => {
        if (count < 2) return false;
        counts[kind] -= 2;
        const rest = isSets(counts, 0);
        counts[kind] += 2;
        return rest;
    });
}

/**
 * @param {number[]} counts
 * @param {number} from All kinds before this one are used up.
 * @returns {boolean}
 */
function isSets(counts, from) {
    const kind = counts.findIndex((count, n) => n >= from && count > 0);
    if (kind < 0) return true;
    if (counts[kind] >= 3 && takeSet(counts, [kind, kind, kind])) return true;
    const runs = kind < 27 && kind % 9 < 7 && counts[kind + 1] && counts[kind + 2];
    return Boolean(runs) && takeSet(counts, [kind, kind + 1, kind + 2]);
}

/**
 * Whether the rest are sets once these three tiles are taken out.
 * @param {number[]} counts
 * @param {number[]} kinds
 */
function takeSet(counts, kinds) {
    for (const kind of kinds) counts[kind]--;
    const rest = isSets(counts, kinds[0]);
    for (const kind of kinds) counts[kind]++;
    return rest;
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
 * What a seat waits for, and whether it is furiten; nothing if it is not tenpai.
 * @param {Seat} seat
 */
function waitsView(seat) {
    const waits = waitsOf(seat);
    if (!waits.length) return null;
    const furiten = isFuriten(seat) && html`<b class="furiten">${word("furiten")}</b>`;
    return html`<div class="waits" aria-label=${word("waits")}>${waits.map((tile) => tileView(tile))}${furiten}</div>`;
}

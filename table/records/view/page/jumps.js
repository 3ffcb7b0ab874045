// Moments that people look for: faults, and what the game names in `PAGE.jumps`. They are marked on the slider, and a key
// or a button leads from one to the next.
"use strict";

/** Where a player's answer was not played. Of every game; what holds no verdicts may still tell of a fault by an event.
 * @type {Jump} */
const FAULTS = {
    id: "fault",
    key: "x",
    word: "fault",
    of(shown) {
        const { items, turns } = shown;
        const told = turns.filter(({ answers }) => answers.some(isFault));
        if (!told.length && PAGE.blames) return eventsThat(PAGE.blames)(shown);
        return told.map(({ at }) => Math.min(at, items.length - 1));
    },
};

/**
 * Whether the default was played for a player.
 * @param {Answer} answer
 */
function isFault({ verdict }) {
    return Boolean(verdict) && verdict !== "ok" && verdict !== "ok_margin";
}

/** Who has reviewed the game that is shown; empty: nobody. */
let REVIEWER = "";

function allJumps() {
    return [FAULTS, ...PAGE.jumps].filter(({ reviewed }) => REVIEWER || !reviewed);
}

/**
 * The events of a round at which something happened.
 * @param {(item: Item) => boolean} is
 * @returns {Jump["of"]}
 */
function eventsThat(is) {
    return ({ items }) => [...items.keys()].filter((event) => is(items[event]));
}

/**
 * The next such moment, or the one before; at the end the first again. Null if there is none at all.
 * @param {ShownRound[]} rounds
 * @param {Jump} jump
 * @param {{round: number, event: number}} from
 * @param {number} by 1 or -1
 */
function nextMoment(rounds, jump, from, by) {
    const all = rounds.flatMap((shown, round) => jump.of(shown).map((event) => ({ round, event })));
    if (by < 0) all.reverse();
    const beyond = all.find(({ round, event }) => by * (round - from.round || event - from.event) > 0);
    return beyond ?? all[0] ?? null;
}

/**
 * Marks on the slider of a round.
 * @param {ShownRound} shown
 */
function marksView(shown) {
    const end = Math.max(shown.items.length - 1, 1);
    return allJumps().map(({ id, of }) =>
        of(shown).map((event) => html`<rect class=${id} x="${((event / end) * 100).toFixed(2)}%" width="3" />`),
    );
}

/**
 * A button for each kind of moment, with how many there are in all.
 * @param {ShownRound[]} rounds
 */
function jumpsView(rounds) {
    return allJumps().map((jump) => {
        const count = rounds.reduce((sum, shown) => sum + jump.of(shown).length, 0);
        const key = jump.key.toUpperCase();
        return html`<button type="button" data-jump=${jump.id} disabled=${!count} title="${key}, Shift+${key}">
            <i class="mark ${jump.id}"></i>${word(jump.word)} <small>${count}</small>
        </button>`;
    });
}

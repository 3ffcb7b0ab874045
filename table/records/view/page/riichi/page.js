// What riichi brings to the viewer.
"use strict";

/** @type {GamePage} */
const PAGE = {
    toggles: [
        { id: "wall", key: "w", word: "wall" },
        { id: "waits", key: "t", word: "showWaits", on: true },
    ],
    blames: ({ pingju }) => pingju?.name === CHOMBO,
    jumps: [
        { id: "difference", key: "d", word: "difference", of: differences, reviewed: true },
        { id: "riichi", key: "i", word: "riichi", of: eventsThat(({ dapai }) => Boolean(dapai?.p.includes("*"))) },
        { id: "call", key: "c", word: "call", of: eventsThat(({ fulou, gang }) => Boolean(fulou ?? gang)) },
        { id: "win", key: "a", word: "win", of: eventsThat(({ hule }) => Boolean(hule)) },
    ],
    faces: () => html`<svg width="0" height="0">${tileSymbols()}</svg>`,
    endsTurn: (item) => Boolean(item.dapai || item.hule || item.pingju || item.qipai),
    lingers: (item) => Boolean(item.hule || item.pingju || item.jieju),
    rounds: (game) => roundsOf(game),
    picture(game, number, count, { base, sees, on }) {
        const kyoku = game.rounds[number];
        const state = stateAt(kyoku, count);
        const seat = (/** @type {number} */ player) => (player < 0 ? -1 : game.seat(number, player));
        const seen = { base: seat(base), sees: seat(sees), acting: actingSeat(state), waits: on.has("waits") };
        return {
            place: `${word("round", state.round, state.number + 1)} ${word("honba", state.honba)}`,
            table: tableView(game, number, state, seen),
            result: resultView(game, number, state),
            answers: answersAt(game, number, count),
            extra: on.has("wall") ? hiddenWall(kyoku, state, game.walls === "shared") : null,
        };
    },
};

/**
 * Where the reviewer would have done something else: before the move, or with the tile that could be claimed.
 * @param {ShownRound} shown
 */
function differences({ turns }) {
    const before = turns.flatMap(({ at, answers }) =>
        answers
            .filter(({ review }) => review?.agrees === false)
            .map(({ options }) => (options?.some(({ dapai }) => dapai) ? at - 1 : at)),
    );
    return [...new Set(before)].sort((a, b) => a - b);
}

/**
 * Whose turn it is: who has just drawn or called, or whose discard is being looked at.
 * @param {State} state
 */
function actingSeat({ last }) {
    const mover = last.zimo ?? last.gangzimo ?? last.dapai ?? last.lizhi ?? last.fulou ?? last.gang ?? last.penuki;
    return mover ? mover.l : -1;
}

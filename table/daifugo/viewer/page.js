// What 大富豪 brings to the viewer, and what stands beside the table.
"use strict";

/** @type {GamePage} */
const PAGE = {
    toggles: [],
    jumps: [
        { id: "revolution", key: "k", word: "kakumei", of: eventsThat((item) => item.revolution !== undefined) },
        { id: "agari", key: "a", word: "out", of: eventsThat(({ agari }) => Boolean(agari)) },
    ],
    faces: () => null,
    endsTurn: (item) => Boolean(item.play || item.finish || item.deal),
    lingers: (item) => Boolean(item.finish || item.end || item.exchange || item.revolution !== undefined),
    rounds: (game) => roundsOf(game),
    picture(game, number, count, look) {
        const round = game.rounds[number];
        const state = stateAt(round, count);
        return {
            place: word("round", round.number),
            table: tableView(game, state, look),
            result: resultView(game, state),
            answers: answersAt(game, round, count),
            extra: historyView(game, state),
        };
    },
};

/**
 * The answer of the play that is shown, or of the one that led to what is shown.
 * @param {Game} game
 * @param {Round} round
 * @param {number} count
 * @returns {ShownAnswer[]}
 */
function answersAt(game, round, count) {
    const turn = round.turns.findLast(({ at }) => at < count);
    return (turn?.answers ?? []).map((answer) => ({
        answer,
        now: turn?.at === count - 1,
        who: game.name(answer.seat),
    }));
}

/**
 * A reply as cards, or as a pass.
 * @param {Reply} reply
 */
function replyView(reply) {
    return reply
        ? html`<span class="cards">${cardRow(cardsOf(reply))}</span>`
        : html`<em class="quiet">${word("pass")}</em>`;
}

/**
 * The plays of the round by trick, the newest trick first.
 * @param {Game} game
 * @param {State} state
 */
function historyView(game, { tricks }) {
    const lines = tricks
        .filter((trick) => trick.length)
        .map(
            (trick) =>
                html`<li>${trick.map((play) => html`<span class=${play.cards ? "" : "quiet"}>${playText(game, play)}</span>`)}</li>`,
        );
    return html`<h2>${word("history")}</h2><ol class="history" reversed>${lines.reverse()}</ol>`;
}

/**
 * What each round came to: who was first, and everybody's points.
 * @param {Game} game
 * @returns {RoundSummary[]}
 */
function roundsOf(game) {
    return game.rounds.map((round) => {
        const result = resultOf(round);
        const players = game.names.map((_, seat) => {
            const moved = result ? result.points[seat] : null;
            const mark = { sign: CLASS_WORDS[round.ranks[seat]], word: "" };
            const marks = Math.abs(round.ranks[seat]) === 2 ? [mark] : [];
            return { moved, total: moved === null ? null : round.before[seat] + moved, marks };
        });
        const first = result && html`<span><span class="who">${game.name(result.places.indexOf(1))}</span></span>`;
        return { name: word("round", round.number), note: "", end: first ?? word("ongoing"), players };
    });
}

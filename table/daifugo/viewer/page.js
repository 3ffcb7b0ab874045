// What 大富豪 brings to the viewer: the table, with the trick in the middle, all hands around it and what stands over it at
// the end, and what stands beside it.
"use strict";

/**
 * The others first, in the order of play, then the trick, then the seat that we look from.
 * @param {Game} game
 * @param {State} state
 * @param {Look} look
 */
function tableView(game, state, { base, sees }) {
    const { length } = game.names;
    const view = (/** @type {number} */ seat) => seatView(game, state, seat, sees < 0 || sees === seat);
    const others = game.names.slice(1).map((_, n) => view((base + n + 1) % length));
    return html`<div class="others">${others}</div>${centreView(game, state, sees)}${view(base)}`;
}

/**
 * @param {Game} game
 * @param {State} state
 * @param {number} seat
 * @param {boolean} open Whether the cards may be seen.
 */
function seatView(game, state, seat, open) {
    const hand = state.hands[seat];
    const known = hand.filter((card) => card !== null);
    const cards =
        open && known.length === hand.length ? cardRow(weakestFirst(known, state.revolution)) : cardBacks(hand.length);
    const acting = state.acting === seat ? " acting" : "";
    return html`<section class=${`seat${acting}`} data-seat=${seat} data-player=${seat} aria-label=${game.name(seat)}>
        ${plateView(game, state, seat)}
        <div class="hand">${cards}</div>
    </section>`;
}

/**
 * @param {Game} game
 * @param {State} state
 * @param {number} seat
 */
function plateView(game, state, seat) {
    const place = state.places[seat];
    const foul = state.fouls[seat];
    return html`<div class="plate">
        <b class="name">${game.name(seat)}</b>
        <span class=${`class r${state.ranks[seat]}`}>${CLASS_WORDS[state.ranks[seat]]}</span>
        <span class="score" data-points=${state.points[seat]}>${word("points", state.points[seat])}</span>
        <span class="count">${word("cards", state.hands[seat].length)}</span>
        ${place > 0 && html`<b class="place" data-place=${place}>${word("rank", place)}</b>`}
        ${foul && html`<span class="foul" title=${foul}>${word("foul")}</span>`}
        ${state.passed.has(seat) && html`<span class="passed">${word("pass")}</span>`}
    </div>`;
}

/**
 * @param {Game} game
 * @param {State} state
 * @param {number} sees
 */
function centreView(game, state, sees) {
    const plays = state.last.exchange ? giftsView(game, state.last.exchange, sees) : trickView(game, state);
    return html`<div class=${state.revolution ? "centre revolution" : "centre"}>
        <p class="news" role="status">${newsText(game, state)}</p>
        <div class="plays">${plays}</div>
        <p class="counts">
            ${state.revolution && html`<b class="reversed">${word("revolution")}</b>`}
            <span data-pile=${state.pile}>${word("pile", state.pile)}</span>
        </p>
    </div>`;
}

/**
 * The plays of the trick, each with who made it and who has passed on it; the last is the one to beat.
 * @param {Game} game
 * @param {State} state
 */
function trickView(game, state) {
    const plays = state.trick.filter((play) => play.cards);
    return plays.map(
        (
            play,
            n,
        ) => html`<div class=${n === plays.length - 1 ? "play top" : "play"} data-seat=${play.seat} data-cards=${play.cards}>
            <div class="cards">${cardRow(cardsOf(play.cards))}</div>
            <span class="maker">${game.name(play.seat)}</span>
        </div>`,
    );
}

/**
 * What was exchanged. Who sees with the eyes of one seat sees what that seat gave and got.
 * @param {Game} game
 * @param {Gift[]} gifts
 * @param {number} sees
 */
function giftsView(game, gifts, sees) {
    return gifts.map(({ giver, taker, cards }) => {
        const open = sees < 0 || sees === giver || sees === taker;
        return html`<div class="gift" data-gift=${`${giver} ${taker} ${open ? cards : ""}`}>
            <div class="cards">${open ? cardRow(cardsOf(cards)) : cardBacks(cardsOf(cards).length)}</div>
            <span class="maker">${word("gives", game.name(giver), game.name(taker))}</span>
        </div>`;
    });
}

/**
 * What has just happened.
 * @param {Game} game
 * @param {State} state
 */
function newsText(game, { last, number }) {
    if (last.deal) return word("dealt");
    if (last.leader !== undefined) return word("lead", game.name(last.leader));
    if (last.exchange) return word("exchange");
    if (last.play) return playText(game, last.play);
    if (last.revolution !== undefined) return word(last.revolution ? "revolution" : "revolutionBack");
    if (last.nagare) return word("nagare");
    if (last.agari) return word("agari", game.name(last.agari.seat), word("rank", last.agari.place));
    return last.finish || last.end ? word("roundOver", number) : "";
}

/**
 * @param {Game} game
 * @param {Play} play
 */
function playText(game, { seat, cards }) {
    return `${game.name(seat)}: ${cards ? cardsInWords(cards) : word("pass")}`;
}

/**
 * What stands over the table at the end of a round, or of the series; null elsewhere.
 * @param {Game} game
 * @param {State} state
 */
function resultView(game, state) {
    const { finish, end } = state.last;
    if (end)
        return standingsView(
            word("final"),
            game,
            end.places,
            (seat) => html`<b>${word("points", end.points[seat])}</b>`,
        );
    if (!finish) return null;
    return standingsView(
        word("roundOver", state.number),
        game,
        finish.places,
        (seat) => html`<span class="class r${finish.ranks[seat]}">${CLASS_WORDS[finish.ranks[seat]]}</span>
            ${state.fouls[seat] && html`<span class="foul">${word("foul")}</span>`}
            <span class=${finish.points[seat] ? "plus" : ""}>+${finish.points[seat]}</span><b>${word("points", state.points[seat])}</b>`,
    );
}

/**
 * The seats, best first, with what there is to say of each.
 * @param {string} title
 * @param {Game} game
 * @param {number[]} places
 * @param {(seat: number) => Rendered} told
 */
function standingsView(title, game, places, told) {
    const order = game.names.map((_, seat) => seat).sort((a, b) => places[a] - places[b]);
    const rows = order.map(
        (seat) =>
            html`<li data-seat=${seat}><span>${word("rank", places[seat])} ${game.name(seat)}</span>${told(seat)}</li>`,
    );
    return html`<h2>${title}</h2><ul class="final">${rows}</ul>`;
}

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

// Beside the table: what each kyoku came to, and the answers that belong to a position.
// What riichi brings to the viewer.
"use strict";

/**
 * What each kyoku came to, by player. The stick of a riichi is part of what its player lost.
 * @param {Game} game
 * @returns {RoundSummary[]}
 */
function roundsOf(game) {
    return game.rounds.map((kyoku, number) => {
        const { zhuangfeng, jushu, changbang, defen } = kyoku.qipai;
        const result = resultOf(game, number);
        const declared = kyoku.items.flatMap(({ dapai }) => (dapai?.p.includes("*") ? [dapai.l] : []));
        const players = game.names.map((_, player) => {
            const seat = game.seat(number, player);
            const moved = result ? result.deltas[player] : null;
            const marks = [];
            if (seat === 0) marks.push({ sign: "親", word: word("dealer") });
            if (declared.includes(seat)) marks.push({ sign: "●", word: word("riichi") });
            return { moved, total: moved === null ? null : defen[seat] + moved, marks };
        });
        const ends = result?.ends.map((end) => html`<span>${endView(game, number, end)}</span>`);
        const name = word("round", zhuangfeng, jushu + 1);
        return { name, note: word("honba", changbang), end: ends ?? word("ongoing"), players };
    });
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {Item} end
 */
function endView(game, kyoku, { hule, pingju }) {
    if (pingju?.l !== undefined)
        return html`<span class="who">${game.name(kyoku, pingju.l)}</span> ${yakuWords(pingju.name)}`;
    if (!hule) return pingju ? yakuWords(pingju.name) : "";
    const winner = html`<span class="who">${game.name(kyoku, hule.l)}</span>`;
    if (hule.baojia === null) return html`${winner} ${word("tsumo")}`;
    return html`${winner} ${word("ron")} <span class="who">${word("from", game.name(kyoku, hule.baojia))}</span>`;
}

/**
 * The answers that belong to a position: the one that is being shown, and what the table waits for next.
 * @param {Game} game
 * @param {number} number
 * @param {number} at
 * @returns {ShownAnswer[]}
 */
function answersAt(game, number, at) {
    const kyoku = game.rounds[number];
    const who = (/** @type {Answer} */ { seat }) => `${HONOURS[game.seat(number, seat)]} ${game.names[seat]}`;
    const mover = kyoku.turns
        .find((turn) => turn.at === at)
        ?.answers.find((answer) => moves(game, number, kyoku.items[at], answer));
    const running = kyoku.turns.filter((turn) => turn.at < at).pop()?.answers ?? [];
    const waiting = running.map((answer) => ({ answer, now: false, who: who(answer) }));
    return mover ? [{ answer: mover, now: true, who: who(mover) }, ...waiting] : waiting;
}

/**
 * Whether an answer is the one that an item shows: of the seat whose turn it was.
 * @param {Game} game
 * @param {number} kyoku
 * @param {Item | undefined} item
 * @param {Answer} answer
 */
function moves(game, kyoku, item, answer) {
    const shown = item?.dapai ?? item?.fulou ?? item?.gang ?? item?.penuki ?? item?.hule;
    return shown?.l === game.seat(kyoku, answer.seat);
}

/**
 * A reply in Majiang's form as tiles and words.
 * @param {Reply} reply
 */
function replyView(reply) {
    if (reply.dapai) {
        const [tile, drawn] = [reply.dapai.slice(0, 2), reply.dapai.includes("_")];
        const marks = [
            reply.dapai.includes("*") && word("riichi"),
            tile[1] === "0" && word("red").trim(),
            drawn && word("drawn"),
        ];
        const told = marks.filter(Boolean).join(" ");
        return html`${told && html`<em>${told}</em>`}${tileView(tile, drawn ? "tsumogiri" : "")}`;
    }
    const text = reply.fulou || reply.gang;
    if (text) {
        const meld = parseMeld(text);
        return html`<em>${word(meld.kind)}</em>${meldView(meld)}`;
    }
    if (reply.penuki) return html`<em>${word("aside")}</em>${tileView(reply.penuki)}`;
    if (reply.hule) return html`<em>${word("win")}</em>`;
    if (reply.chombo) return html`<em>${word("chombo")}</em>`;
    if (reply.daopai) return html`<em>${word("declare")}</em>`;
    return html`<em class="quiet">${word("pass")}</em>`;
}

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

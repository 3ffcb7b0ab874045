// Beside the table: what each kyoku came to, and the answers that belong to a position.
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

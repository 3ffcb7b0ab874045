// Beside the table: the list of kyoku, and the answers that belong to a position.
"use strict";

/**
 * @param {Game} game
 * @param {number} current
 */
function listView(game, current) {
    return game.rounds.map((kyoku, number) => {
        const { zhuangfeng, jushu, changbang } = kyoku.qipai;
        const result = resultOf(game, number);
        const deltas = result?.deltas.map(
            (points, player) => html`<span class=${sign(points)} title=${game.names[player]}>${signed(points)}</span>`,
        );
        return html`<li><button type="button" data-round=${number} aria-current=${number === current || undefined}>
            <b>${word("round", zhuangfeng, jushu + 1)} <small>${word("honba", changbang)}</small></b>
            <span class="end">${result ? result.ends.map((end) => endWords(game, number, end)).join(" · ") : word("ongoing")}</span>
            <span class="deltas">${deltas}</span>
        </button></li>`;
    });
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {Item} end
 */
function endWords(game, kyoku, { hule, pingju }) {
    if (hule) return `${game.name(kyoku, hule.l)} ${word(hule.baojia === null ? "tsumo" : "ron")}`;
    return pingju ? yakuWords(pingju.name) : "";
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
    const shown = item?.dapai ?? item?.fulou ?? item?.gang ?? item?.hule;
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
    if (reply.hule) return html`<em>${word("win")}</em>`;
    if (reply.daopai) return html`<em>${word("declare")}</em>`;
    return html`<em class="quiet">${word("pass")}</em>`;
}

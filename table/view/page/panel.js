// Beside the table: the list of kyoku, and who could do what, did what, in what time and with which verdict.
"use strict";

/**
 * @param {Game} game
 * @param {number} current
 */
function listView(game, current) {
    return game.kyoku.map((kyoku, number) => {
        const { zhuangfeng, jushu, changbang } = kyoku.qipai;
        const result = resultOf(game, number);
        const deltas = result?.deltas.map(
            (points, player) => html`<span class=${sign(points)} title=${game.names[player]}>${signed(points)}</span>`,
        );
        return html`<li><button type="button" data-kyoku=${number} aria-current=${number === current || undefined}>
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
 * The decisions that belong to a position: what the table waits for next, and the turn that is being shown.
 * @param {Game} game
 * @param {number} number
 * @param {number} at
 * @param {number} sees
 */
function decisionsView(game, number, at, sees) {
    const kyoku = game.kyoku[number];
    /** @type {[Answer, boolean][]} */
    const shown = [];
    const mover = kyoku.turns
        .find((turn) => turn.at === at)
        ?.answers.find((answer) => moves(game, number, kyoku.items[at], answer));
    if (mover) shown.push([mover, true]);
    const running = kyoku.turns.filter((turn) => turn.at < at).pop();
    for (const answer of running?.answers ?? []) shown.push([answer, false]);
    const seen = shown.filter(([answer]) => sees < 0 || answer.seat === sees);
    if (!seen.length) return html`<p class="quiet">${word("nothing")}</p>`;
    return seen.map(([answer, now]) => answerView(game, number, answer, now));
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
 * @param {Game} game
 * @param {number} kyoku
 * @param {Answer} answer
 * @param {boolean} now
 */
function answerView(game, kyoku, answer, now) {
    const { verdict, reason, options } = answer;
    return html`<article class=${now ? "answer now" : "answer"} data-player=${answer.seat}>
        <header>
            <b>${HONOURS[game.seat(kyoku, answer.seat)]} ${game.names[answer.seat]}</b>
            <span class="did">${replyView(answer.reply)}</span>
            ${verdict && html`<span class="verdict ${verdict}">${verdict}</span>`}
            <span class="time">${verdict ? timeWords(answer) : word("guessed")}</span>
        </header>
        ${options && html`<div class="options">${optionsView(options, answer.reply)}</div>`}
        ${reason && html`<p class="reason">${reason}</p>`}
    </article>`;
}

/** @param {Answer} answer */
function timeWords({ used = 0, allowed }) {
    const seconds = used >= 1 ? `${used.toFixed(1)} s` : `${(used * 1000).toFixed(used < 0.01 ? 2 : 0)} ms`;
    return seconds + (allowed ? ` ${word("of")} ${Number(allowed.toPrecision(2))} s` : "");
}

/**
 * @param {Reply[]} options
 * @param {Reply} reply
 */
function optionsView(options, reply) {
    const chosen = JSON.stringify(reply);
    return options.map((option) => {
        const taken = JSON.stringify(option) === chosen || undefined;
        return html`<span class="option" aria-current=${taken}>${replyView(option)}</span>`;
    });
}

/**
 * A reply in Majiang's form as tiles and words.
 * @param {Reply} reply
 */
function replyView(reply) {
    if (reply.dapai) {
        const riichi = reply.dapai.includes("*") && html`<em>${word("riichi")}</em>`;
        return html`${riichi}${tileView(reply.dapai.slice(0, 2), reply.dapai.includes("_") ? "tsumogiri" : "")}`;
    }
    const text = reply.fulou || reply.gang;
    if (text) {
        const meld = parseMeld(text);
        const kind = meld.kind === "chi" || meld.kind === "pon" ? meld.kind : "kan";
        return html`<em>${word(kind)}</em>${meldView(meld)}`;
    }
    if (reply.hule) return html`<em>${word("win")}</em>`;
    if (reply.daopai) return html`<em>${word("declare")}</em>`;
    return html`<em class="quiet">${word("pass")}</em>`;
}

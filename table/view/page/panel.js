// Beside the table: the list of kyoku, and who could do what, did what, in what time and with which verdict.
"use strict";

function listHtml(game, current) {
    return game.kyoku.map((kyoku, number) => {
        const qipai = kyoku.items[0].qipai, result = resultOf(game, number);
        const name = `${word("round", qipai.zhuangfeng, qipai.jushu + 1)} <small>${word("honba", qipai.changbang)}</small>`;
        const words = result ? result.ends.map(end => endWords(game, number, end)).join(" · ") : word("ongoing");
        const deltas = result ? result.deltas.map((points, player) =>
            `<span class="${sign(points)}" title="${escapeHtml(game.names[player])}">${signed(points)}</span>`).join("") : "";
        return `<li><button data-kyoku="${number}" ${number === current ? 'aria-current="true"' : ""}><b>${name}</b>` +
            `<span class="end">${words}</span><span class="deltas">${deltas}</span></button></li>`;
    }).join("");
}

function endWords(game, kyoku, end) {
    if (end.pingju) return yakuWords(end.pingju.name);
    const hule = end.hule, how = hule.baojia === null ? word("tsumo") : word("ron");
    return `${escapeHtml(game.name(kyoku, hule.l))} ${how}`;
}

// The decisions that belong to a position: what the table waits for next, and the turn that is being shown.
function decisionsHtml(game, number, at, sees) {
    const kyoku = game.kyoku[number], shown = [];
    const next = kyoku.turns.find(turn => turn.at === at);
    const running = kyoku.turns.filter(turn => turn.at < at).pop();
    if (next) {
        const mover = next.answers.find(answer => moves(game, number, kyoku.items[at], answer));
        if (mover) shown.push([mover, true]);
    }
    if (running) for (const answer of running.answers) shown.push([answer, false]);
    const seen = shown.filter(([answer]) => sees < 0 || answer.seat === sees);
    if (!seen.length) return `<p class="quiet">${word("nothing")}</p>`;
    return seen.map(([answer, now]) => answerHtml(game, number, answer, now)).join("");
}

// Whether an answer is the one that an item shows: of the seat whose turn it was.
function moves(game, kyoku, item, answer) {
    const [key] = Object.keys(item || { "": {} });
    return key !== "pingju" && item?.[key]?.l === game.seat(kyoku, answer.seat) && "zimo gangzimo lizhi".indexOf(key) < 0;
}

function answerHtml(game, kyoku, answer, now) {
    const seat = game.seat(kyoku, answer.seat), told = answer.verdict !== undefined && answer.verdict !== null;
    const used = told ? `<span class="time">${timeWords(answer)}</span>` : `<span class="time">${word("guessed")}</span>`;
    const verdict = told ? `<span class="verdict ${answer.verdict}">${answer.verdict}</span>` : "";
    const options = answer.options ? `<div class="options">${optionsHtml(answer.options, answer.reply)}</div>` : "";
    return `<article class="answer${now ? " now" : ""}" data-player="${answer.seat}"><header><b>${WORDS.ja.winds[seat]} ${escapeHtml(game.names[answer.seat])}</b>` +
        `<span class="did">${replyHtml(answer.reply)}</span>${verdict}${used}</header>${options}` +
        (answer.reason ? `<p class="reason">${escapeHtml(answer.reason)}</p>` : "") + "</article>";
}

function timeWords(answer) {
    const seconds = value => value >= 1 ? `${value.toFixed(1)} s` : `${(value * 1000).toFixed(value < 0.01 ? 2 : 0)} ms`;
    const allowed = answer.allowed ? ` ${word("of")} ${Number(answer.allowed.toPrecision(2))} s` : "";
    return seconds(answer.used || 0) + allowed;
}

function optionsHtml(options, reply) {
    const chosen = JSON.stringify(reply);
    return options.map(option => {
        const taken = JSON.stringify(option) === chosen ? ' aria-current="true"' : "";
        return `<span class="option"${taken}>${replyHtml(option)}</span>`;
    }).join("");
}

// A reply in Majiang's form as tiles and words.
function replyHtml(reply) {
    if (reply.dapai) {
        const riichi = reply.dapai.includes("*") ? `<em>${word("riichi")}</em>` : "";
        return `${riichi}${tileHtml(reply.dapai.slice(0, 2), reply.dapai.includes("_") ? "tsumogiri " : "")}`;
    }
    if (reply.fulou || reply.gang) {
        const meld = parseMeld(reply.fulou || reply.gang), kind = { chi: "chi", pon: "pon" }[meld.kind] || "kan";
        return `<em>${word(kind)}</em>${meldHtml(meld)}`;
    }
    if (reply.hule) return `<em>${word("win")}</em>`;
    if (reply.daopai) return `<em>${word("declare")}</em>`;
    return `<em class="quiet">${word("pass")}</em>`;
}

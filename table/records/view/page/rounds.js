// Beside the table of any game: the list of rounds and the chart of points, moments that people look for, and what was
// answered. What a round came to is the game's, `PAGE.rounds`, and so is what a reply looks like, `replyView`.
"use strict";

const CHART = { width: 360, height: 120, left: 44, right: 8, top: 8, bottom: 8 };

/**
 * The rounds as a list of buttons, under the names of the players.
 * @param {Game} game
 * @param {RoundSummary[]} rounds
 * @param {number} current
 */
function roundsView(game, rounds, current) {
    return rounds.map(
        ({ name, note, end, players }, number) => html`<li>
            <button type="button" data-round=${number} aria-current=${number === current || undefined}>
                <b>${name} <small>${note}</small></b>
                <span class="end">${end}</span>
                <span class="players">${players.map((player, n) => sumView(playerName(game, n), player))}</span>
            </button>
        </li>`,
    );
}

/**
 * The names over the columns of the list. Whoever hears the page hears the name with each number instead.
 * @param {Game} game
 */
function headsView(game) {
    return game.names.map((_, n) => html`<span title=${playerName(game, n)}>${playerName(game, n)}</span>`);
}

/**
 * @param {Game} game
 * @param {number} player
 */
function playerName(game, player) {
    return game.names[player] || `${player + 1}`;
}

/**
 * What a player won or lost in a round, and has after it.
 * @param {string} name
 * @param {PlayerSum} sum
 */
function sumView(name, { moved, total, marks }) {
    const signs = marks.map(({ sign, word }) => html`<i title=${word}>${sign}<span class="heard"> ${word} </span></i>`);
    return html`<span class="sum">
        <span class="heard">${name} </span>
        <span class=${sign(moved)}>${signs}${moved === null ? "" : signed(moved)}</span>
        <small>${total === null ? "" : pointsText(total)}</small>
    </span>`;
}

/** @param {number} points */
function pointsText(points) {
    return points.toLocaleString("en-US");
}

/** @param {number} points */
function signed(points) {
    return points > 0 ? `+${pointsText(points)}` : points < 0 ? `−${pointsText(-points)}` : "0";
}

/** @param {number | null} points */
function sign(points) {
    return points === null ? "" : points > 0 ? "plus" : points < 0 ? "minus" : "";
}

/**
 * Everybody's points at the beginning and after each round that is over, one list for each player.
 * @param {RoundSummary[]} rounds
 * @returns {number[][]}
 */
function courses(rounds) {
    const over = rounds.map(({ players }) => players).filter((players) => players.every(({ total }) => total !== null));
    const [first] = over;
    if (!first) return [];
    return first.map(({ moved, total }, player) => [
        Number(total) - Number(moved),
        ...over.map((players) => Number(players[player].total)),
    ]);
}

/**
 * A line for each player, from the first deal to the last round that is over; null before there is one. The numbers stand in
 * the list.
 * @param {Game} game
 * @param {RoundSummary[]} rounds
 * @param {number} current
 */
function chartView(game, rounds, current) {
    const lines = courses(rounds);
    if (!lines.length) return null;
    const { width, height, left, right, top, bottom } = CHART;
    const [low, high] = [Math.min(...lines.flat()), Math.max(...lines.flat())];
    const x = (/** @type {number} */ n) => left + (n * (width - left - right)) / (lines[0].length - 1);
    const y = (/** @type {number} */ points) => top + ((high - points) * (height - top - bottom)) / (high - low || 1);
    const scale = [...new Set([low, ...(low < 0 && high > 0 ? [0] : []), high])].map(
        (points) => html`<line class="level" x1=${left} x2=${width - right} y1=${y(points)} y2=${y(points)} />
            <text x=${left - 5} y=${y(points) + 3}>${pointsText(points)}</text>`,
    );
    const here = Math.min(current, lines[0].length - 1);
    const paths = lines.map((line, player) => {
        const points = line.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
        return html`<polyline class=${courseOf(game, player)} points=${points} />`;
    });
    const told = lines.map((line, player) => `${playerName(game, player)} ${pointsText(line.at(-1) ?? 0)}`).join(", ");
    return html`<h2>${word("chart")}</h2>
        <svg role="img" viewBox="0 0 ${width} ${height}" aria-label="${word("chart")}: ${told}">
            ${scale}<line class="here" x1=${x(here)} x2=${x(here)} y1=${top} y2=${height - bottom} />${paths}
        </svg>
        <ul class="legend" aria-hidden="true">${lines.map((_, player) => legendView(game, player))}</ul>`;
}

/**
 * The classes of a player's line: its dashes, and the colour of its face, which all pages of these players have.
 * @param {Game} game
 * @param {number} player
 */
function courseOf(game, player) {
    return `course p${player} c${game.faces[player] ?? player}`;
}

/**
 * @param {Game} game
 * @param {number} player
 */
function legendView(game, player) {
    const name = playerName(game, player);
    return html`<li title=${name}>
        <svg viewBox="0 0 24 6"><line class=${courseOf(game, player)} x1="0" x2="24" y1="3" y2="3" /></svg><span>${name}</span>
    </li>`;
}

/** Scroll the list, and only the list, to the round that is shown. */
function showInList() {
    const box = $("list");
    const button = box.querySelector('[aria-current="true"]');
    if (!button) return;
    const top = button.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 0 || top > box.clientHeight - button.clientHeight) box.scrollTop += top - box.clientHeight / 2;
}

// Moments that people look for: faults, and what the game names in `PAGE.jumps`. They are marked on the slider, and a key
// or a button leads from one to the next.

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

// Who could do what, did what, in what time and with which verdict; and what a player said beside its answer, for its
// author: values of its options, notes, anything. It is a stranger's, and of any form: shown as text, of bounded length.

const MOST_NOTES = 24;
const LONGEST_NOTE = 240;

/**
 * `values`: those that stand at the options already.
 * @param {unknown} meta
 * @param {Values} [values]
 */
function remarkView(meta, values) {
    if (meta === undefined || meta === null) return null;
    const notes = notesOf(meta).filter(([key]) => !values || !["q_values", "mask_bits"].includes(key));
    const more = notes.length - MOST_NOTES;
    return html`<dl class="meta">
        ${notes
            .slice(0, MOST_NOTES)
            .map(([key, told]) => html`<div><dt>${bounded(key)}</dt><dd>${bounded(told)}</dd></div>`)}
        ${more > 0 && html`<div><dt>…</dt><dd>${word("more", more)}</dd></div>`}
    </dl>`;
}

/**
 * A remark as keys and texts. Cards as Akagi's bots have them under `show` are one of an item each.
 * @param {unknown} meta
 * @returns {[string, string][]}
 */
function notesOf(meta) {
    if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return [[word("said"), textOf(meta)]];
    return Object.entries(meta).flatMap(([key, value]) => (key === "show" ? cardOf(value) : [[key, textOf(value)]]));
}

/**
 * @param {any} card
 * @returns {[string, string][]}
 */
function cardOf(card) {
    if (!Array.isArray(card?.items)) return [["show", textOf(card)]];
    const items = card.items.map((/** @type {any} */ item) => {
        const { label, pais, tiles, value, note } = item ?? {};
        const told = [tiles ?? pais, value, note].filter((part) => part !== undefined && part !== null);
        return [textOf(label ?? ""), told.map(textOf).join(" · ")];
    });
    return card.title === undefined ? items : [[textOf(card.title), ""], ...items];
}

/** @param {unknown} value */
function textOf(value) {
    if (typeof value === "string") return value;
    return typeof value === "number" ? short(value) : (JSON.stringify(value) ?? "");
}

/** @param {string} text */
function bounded(text) {
    return text.length > LONGEST_NOTE ? `${text.slice(0, LONGEST_NOTE)}…` : text;
}

/**
 * A number with three digits that count; whole ones as they are.
 * @param {number} value
 */
function short(value) {
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(3))).replace("-", "−");
}

/**
 * The answers that belong to a position, as far as one player may see them.
 * @param {ShownAnswer[]} shown
 * @param {number} sees
 */
function answersView(shown, sees) {
    const seen = shown.filter(({ answer }) => sees < 0 || answer.seat === sees);
    return seen.length ? seen.map(answerView) : html`<p class="quiet">${word("nothing")}</p>`;
}

/** @param {ShownAnswer} shown */
function answerView({ answer, now, who }) {
    const { verdict, reason, options, meta, values, review } = answer;
    return html`<article class=${now ? "answer now" : "answer"} data-player=${answer.seat}>
        <header>
            <b>${who}</b>
            <span class="did">${replyView(answer.reply)}</span>
            ${verdict && html`<span class="verdict ${verdict}">${verdict}</span>`}
            <span class="time">${verdict ? timeWords(answer) : word("guessed")}</span>
        </header>
        ${options && html`<ul class="options" aria-label=${word("options")}>${optionsView(options, answer)}</ul>`}
        ${reason && html`<p class="reason">${reason}</p>`}
        ${review && reviewView(review)} ${remarkView(meta, values)}
    </article>`;
}

/** @param {Answer} answer */
function timeWords({ used = 0, allowed }) {
    const seconds = used >= 1 ? `${used.toFixed(1)} s` : `${(used * 1000).toFixed(used < 0.01 ? 2 : 0)} ms`;
    return seconds + (allowed ? ` ${word("of")} ${Number(allowed.toPrecision(2))} s` : "");
}

/**
 * The options: what was taken, what a reviewer would have taken, and what they are worth to the reviewer, or to the player
 * itself.
 * @param {Reply[]} options
 * @param {Answer} answer
 */
function optionsView(options, { reply, values, review }) {
    const [chosen, wished] = [reply, review?.reply].map((one) => JSON.stringify(one));
    const told = review?.values ?? values ?? [];
    const best = Math.max(...told.filter((value) => value !== null));
    return options.map((option, number) => {
        const text = JSON.stringify(option);
        const value = told[number] ?? null;
        const worth =
            value !== null && html`<small class=${value === best ? "value best" : "value"}>${short(value)}</small>`;
        return html`<li class=${text === wished ? "option wished" : "option"} aria-current=${text === chosen || undefined}>
            ${worth}${replyView(option)}
        </li>`;
    });
}

/**
 * What a reviewer would have done, or why it would have done nothing.
 * @param {Review} review
 */
function reviewView({ reply, agrees, verdict, reason, meta, values, worth }) {
    const said = agrees ? word("same") : agrees === null ? word("notCompared") : word("different");
    return html`<div class=${agrees === false ? "review differs" : "review"}>
        <p>
            <b>${REVIEWER}</b> ${reply && html`<span class="did">${replyView(reply)}</span>`}
            ${reply ? html`<span class="same">${said}${worth !== undefined && ` ${worth > 0 ? "+" : ""}${short(worth)}`}</span>` : html`<span class="verdict">${verdict}</span>`}
        </p>
        ${reason && html`<p class="reason">${reason}</p>`} ${remarkView(meta, values)}
    </div>`;
}

/** What tells an answer that was not played, and one that a reviewer would not have given. */
const NOT_PLAYED = ".verdict:not(.ok, .ok_margin)";
const DIFFERS = ".review.differs";

/**
 * Bring the decision that a position is looked at for into view, and the seat that decided. A phone that is held upright
 * then shows both in halves of its window (`sought` in narrow.css), until the whole page is wanted again.
 * @param {string} [mark] What tells the decision from the others that belong to the position.
 */
function revealDecision(mark = `${NOT_PLAYED}, ${DIFFERS}`) {
    document.body.classList.add("sought");
    const answers = [...$("decisions").querySelectorAll("article")];
    const marked = answers.filter((answer) => answer.querySelector(mark));
    // A move stands before the answers to the move before it; of those, what was claimed stands after it.
    const found = marked.find((answer) => answer.matches(".now")) ?? marked.at(-1) ?? answers[0];
    if (!found) return;
    const seat = $("table").querySelector(`.seat[data-player="${found.dataset.player}"]`);
    for (const part of [seat, found, found.querySelector("header")]) part?.scrollIntoView({ block: "nearest" });
}

/** Where the table scrolls in a box of its own, whose turn it is stays in sight. */
function followTurn() {
    const { scrollHeight, clientHeight } = $("stage");
    if (scrollHeight > clientHeight) $("table").querySelector(".seat.acting")?.scrollIntoView({ block: "nearest" });
}

/** Everything one below the other again, from its beginning. */
function showWhole() {
    document.body.classList.remove("sought");
    scrollTo(0, 0);
}

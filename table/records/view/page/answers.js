// What a player said beside its answer, for its author: values of its options, notes, anything. It is a stranger's, and
// of any form: shown as text, of bounded length.
// Who could do what, did what, in what time and with which verdict. What a reply looks like is the game's: `replyView`.
"use strict";

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

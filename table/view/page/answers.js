// Who could do what, did what, in what time and with which verdict. What a reply looks like is the game's: `replyView`.
"use strict";

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

/** Bring what a reviewer would have done otherwise into view. */
function revealDifference() {
    $("decisions").querySelector(".review.differs")?.closest(".answer")?.scrollIntoView({ block: "nearest" });
}

/** Bring an answer that was not played into view, where the page is longer than the window. */
function revealFault() {
    const verdict = $("decisions").querySelector(".verdict:not(.ok, .ok_margin)");
    verdict?.closest(".answer")?.scrollIntoView({ block: "nearest" });
}

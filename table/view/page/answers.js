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
    const { verdict, reason, options, meta } = answer;
    return html`<article class=${now ? "answer now" : "answer"} data-player=${answer.seat}>
        <header>
            <b>${who}</b>
            <span class="did">${replyView(answer.reply)}</span>
            ${verdict && html`<span class="verdict ${verdict}">${verdict}</span>`}
            <span class="time">${verdict ? timeWords(answer) : word("guessed")}</span>
        </header>
        ${options && html`<ul class="options" aria-label=${word("options")}>${optionsView(options, answer.reply)}</ul>`}
        ${reason && html`<p class="reason">${reason}</p>`}
        ${meta !== undefined && html`<pre class="meta">${JSON.stringify(meta, null, 1)}</pre>`}
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
        return html`<li class="option" aria-current=${taken}>${replyView(option)}</li>`;
    });
}

/** Bring an answer that was not played into view, where the page is longer than the window. */
function revealFault() {
    const verdict = $("decisions").querySelector(".verdict:not(.ok, .ok_margin)");
    verdict?.closest(".answer")?.scrollIntoView({ block: "nearest" });
}

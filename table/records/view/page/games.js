// The games of the page as a list: who played, with which result, and a link to each.
"use strict";

/**
 * @param {Book} book
 * @param {number} current
 */
function gamesView({ records, troubles = [] }, current) {
    const seats = Math.max(0, ...records.map(({ head }) => head.player?.length ?? 0));
    const places = Array.from({ length: seats }, (_, n) => html`<th scope="col">${word("rank", n + 1)}</th>`);
    show("games", `${word("games")} ${current + 1}/${records.length}`);
    $("games").hidden = records.length < 2 && !troubles.length;
    show("games-head", html`<tr><th scope="col">${word("game")}</th>${places}</tr>`);
    show(
        "games-list",
        records.map(({ head }, n) => gameView(head, n, n === current, seats)),
    );
    show(
        "troubles",
        troubles.map((trouble) => html`<li>${trouble}</li>`),
    );
}

/**
 * @param {Head} head
 * @param {number} number
 * @param {boolean} current
 * @param {number} seats
 */
function gameView({ file, title, player = [], final }, number, current, seats) {
    const order = player.map((_, n) => n).sort((a, b) => (final ? final.ranks[a] - final.ranks[b] : a - b));
    const results = order.map(
        (n) => html`<td><span class="who" title=${player[n]}>${player[n]}</span>
            ${final ? html`<b>${pointsText(final.points[n])}</b>` : html`<small>${word("unfinished")}</small>`}</td>`,
    );
    const empty = Array.from({ length: seats - player.length }, () => html`<td></td>`);
    return html`<tr class=${current ? "current" : ""}>
        <th scope="row"><a data-ours href="#r=${number + 1}&l=${LANGUAGE}" aria-current=${current || undefined}>${file || title || number + 1}</a></th>
        ${results}${empty}
    </tr>`;
}

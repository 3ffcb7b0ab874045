// The rounds of the game that is shown: a list with what each came to, and a chart of the points. What a round came to is
// the game's: `PAGE.rounds`.
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

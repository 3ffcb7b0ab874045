// The kyoku of this game that are over: points in a chart and a list, each with its result.
"use strict";

/**
 * @param {Game} game
 * @param {(kyoku: number) => void} look
 */
function soFarView(game, look) {
    const rounds = PAGE.rounds(game);
    const over = rounds.filter(({ players }) => players.every(({ total }) => total !== null));
    if (!over.length) return "";
    /** @param {Event} event */
    const clicked = (event) => {
        const button = /** @type {HTMLElement} */ (event.target).closest("button");
        if (button) look(Number(button.dataset.round));
    };
    return html`<details id="rounds" open=${isWide()}>
            <summary>${word("soFar", over.length)}</summary>
            ${chartView(game, rounds, game.rounds.length - 1)}
            <div id="heads" aria-hidden="true">${headsView(game)}</div>
            <ol id="list" onClick=${clicked}>${roundsView(game, over, -1)}</ol>
        </details>`;
}

/**
 * How a kyoku ended.
 * @param {Game} game
 * @param {number} kyoku
 */
function resultOfKyoku(game, kyoku) {
    const last = game.rounds[kyoku].items.findLastIndex(({ hule, pingju }) => hule || pingju);
    return PAGE.picture(game, kyoku, last + 1, { base: table.you, sees: table.you, on: new Set() }).result;
}

// Hints for a person who wants them: what the table works out of the own hand. The rules are not here.
// The own tiles in an order of one's own: dragged with a finger or the mouse, or moved with Shift and the arrow keys.
"use strict";

/** `wish`: the number of the last wish; an answer to an earlier one is about another moment. `refused`: this table gives none.
 * @type {{ wish: number, told: Facts | null, refused: boolean }} */
const hints = { wish: 0, told: null, refused: false };

/** Ask anew, as the own hand is another one now. */
function wishFacts() {
    hints.told = null;
    hints.wish++;
    if (hand.on.has("hints")) send({ facts: hints.wish });
}

/** @param {{ wish: number, told: Facts | null }} message */
function tookFacts({ wish, told }) {
    if (wish === hints.wish) Object.assign(hints, { told, refused: told === null });
}

/**
 * The classes of an own tile: `best` leaves the hand nearest to a win and widest, `safe` is genbutsu for every riichi.
 * @param {string} tile
 * @param {State | null} state
 */
function hintClasses(tile, state) {
    const discards = hand.on.has("hints") && mayDiscard() ? (hints.told?.discards ?? []) : [];
    const found = discards.find((one) => one.tile === tile);
    if (!found) return [];
    const best = found.shanten === discards[0].shanten && found.width === discards[0].width;
    const riichi = state ? threats(state) : [];
    return [best && "best", riichi.length > 0 && riichi.every((seat) => found.safety[seat] === "genbutsu") && "safe"];
}

/**
 * The other seats in riichi.
 * @param {State} state
 */
function threats(state) {
    return [...state.seats.keys()].filter((seat) => state.seats[seat].riichi && seat !== hints.told?.seat);
}

/**
 * The facts of the tile that is looked at, or of the best discard; without a discard what the hand accepts or wins.
 * @param {State} state
 */
function factsView(state) {
    const { told, refused } = hints;
    if (refused) return html`<p class="waiting">${word("noHints")}</p>`;
    if (!told) return "";
    if (mayDiscard()) {
        const found = told.discards.find(({ tile }) => tile === hand.look) ?? told.discards[0];
        return found ? [discardView(found), safetyView(found, state)] : "";
    }
    if (told.wins.length) return winsView(told);
    return html`<p class="waiting" tabindex="0"><span>${word("fromTenpai", told.shanten)}</span>${acceptedView(told.accepted)}</p>`;
}

/** @param {DiscardFacts} found */
function discardView({ tile, shanten, accepted, width, furiten }) {
    return html`<p class="waiting" tabindex="0">
        <span>${word("discardToWait", tileWords(tile))} <b>${word("fromTenpai", shanten)}</b>, ${word("accepts", width)}</span>
        ${acceptedView(accepted)} ${furiten && html`<b class="furiten">${word("furiten")}</b>`}
    </p>`;
}

/** @param {Record<string, number>} accepted */
function acceptedView(accepted) {
    const tiles = Object.entries(accepted).map(
        ([tile, left]) =>
            html`<span class="useful" key=${tile}>${tileView(tile, "", word("unseen", left))}<i aria-hidden="true">${left}</i></span>`,
    );
    return html`<span class="waits">${tiles}</span>`;
}

/** @type {(found: DiscardFacts, state: State) => Rendered} */
function safetyView({ safety }, state) {
    const riichi = threats(state);
    if (!riichi.length) return "";
    const words = riichi.map((seat) => `${word("winds", seat)} ${word(`safe-${safety[seat] ?? ""}`)}`);
    return html`<p class="waiting" tabindex="0">${word("againstRiichi", words.join(", "))}</p>`;
}

/** @param {Facts} told */
function winsView({ wins, accepted, furiten }) {
    const kinds = [...new Set(wins.map(({ tile }) => tile))];
    const worth = kinds.map((tile) => {
        const ways = wins
            .filter((win) => win.tile === tile && !win.riichi)
            .map(({ by, points }) => `${word(by)} ${points || word("noYaku")}`);
        return html`<span key=${tile} class="worth">${tileView(tile, "", word("unseen", accepted[tile] ?? 0))} ${ways.join(", ")}</span>`;
    });
    return html`<p class="waiting" tabindex="0"><span>${word("waitsFor")}</span>${worth}${furiten && html`<b class="furiten">${word("furiten")}</b>`}</p>`;
}

const DRAGGED = 12; // CSS pixels after which it is no tap
/** `tiles`: the order as it was last; `from`: where a drag began; `moved`: it was one, and its click is none.
 * @type {{ tiles: string[], from: { n: number, x: number, y: number } | null, moved: boolean }} */
const order = { tiles: [], from: null, moved: false };

/**
 * The concealed tiles as they are to be shown. What is new stands at the right.
 * @param {(string | null)[]} sorted
 * @returns {(string | null)[]}
 */
function inOrder(sorted) {
    const left = /** @type {string[]} */ (sorted.filter((tile) => tile !== null));
    if (!hand.on.has("own-order") || left.length < sorted.length) return sorted;
    const kept = [];
    for (const tile of order.tiles) {
        const at = left.indexOf(tile);
        if (at >= 0) kept.push(...left.splice(at, 1));
    }
    order.tiles = [...kept, ...left];
    return order.tiles;
}

/**
 * @param {number} from
 * @param {number} to
 */
function moveTile(from, to) {
    const { tiles } = order;
    if (!hand.on.has("own-order") || from >= tiles.length || to < 0 || to >= tiles.length) return false;
    tiles.splice(to, 0, ...tiles.splice(from, 1));
    redraw();
    return true;
}

/**
 * With Shift and an arrow key, the tile that has the focus.
 * @param {number} step
 */
function moveFocused(step) {
    const tiles = ownTiles();
    const at = tiles.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at >= 0 && moveTile(at, at + step)) tiles[at + step].focus();
}

$("hand").addEventListener("pointerdown", (event) => {
    const n = tileAt(event);
    order.moved = false;
    order.from = n >= 0 && hand.on.has("own-order") ? { n, x: event.clientX, y: event.clientY } : null;
});
addEventListener("pointerup", (event) => {
    const { from } = order;
    order.from = null;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAGGED) return;
    order.moved = true;
    const to = tileAt(event);
    if (to >= 0) moveTile(from.n, to);
    setTimeout(() => {
        order.moved = false;
    });
});
$("hand").addEventListener(
    "click",
    (event) => {
        if (order.moved) event.stopPropagation();
    },
    { capture: true },
);

/**
 * The number of the own tile at a place of the screen, or -1.
 * @param {PointerEvent} event
 */
function tileAt({ clientX, clientY }) {
    const found = /** @type {HTMLElement | null} */ (
        document.elementFromPoint(clientX, clientY)?.closest(".pick") ?? null
    );
    return found ? ownTiles().indexOf(found) : -1;
}

// The own tiles in an order of one's own: dragged with a finger or the mouse, or moved with Shift and the arrow keys.
"use strict";

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

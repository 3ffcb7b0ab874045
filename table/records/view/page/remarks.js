// What a player said beside its answer, for its author: values of its options, notes, anything. It is a stranger's, and
// of any form: shown as text, of bounded length.
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

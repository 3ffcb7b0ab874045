// Everything on the page is put there by Preact, from templates in which ${…} is always text or a part made by another
// template, never markup: what strangers call themselves cannot become an element, an attribute or a script.
"use strict";

/** @typedef {preact.ComponentChildren} Rendered */

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => Rendered} */
const html = htm.bind(preact.h);

/**
 * The element of the page with that id.
 * @param {string} id
 */
function $(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no #${id}`);
    return found;
}

/**
 * Make `what` the content of the element with that id; what is there already and stays the same is not touched.
 * @param {string} id
 * @param {Rendered} what
 */
function show(id, what) {
    preact.render(what, $(id));
}

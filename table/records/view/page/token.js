// Secrets of pages: the operator's token, on the pages of both games, and the key of a person's seat. They travel in the
// opening of a WebSocket as subprotocols beside the one that the server takes up. An address stands in histories, logs and
// on screens that are shared; a header does not.
"use strict";

const SPOKEN = "jantaku";
const TOKEN = "jantaku.token.";
const KEY = "jantaku.key.";

/**
 * The token that the page was opened with, behind “#token=”. It goes out of the address at once, and stays with this
 * tab, so that the page can be loaded again.
 * @returns {string}
 */
function takeToken() {
    const link = new URLSearchParams(location.hash.slice(1));
    const token = link.get("token");
    if (token !== null) {
        link.delete("token");
        sessionStorage.setItem(location.pathname, token);
        history.replaceState(null, "", `${location.pathname}${location.search}#${link}`);
    }
    return token ?? sessionStorage.getItem(location.pathname) ?? "";
}

/**
 * What to offer when a WebSocket is opened: base64url without the padding is what a subprotocol may be made of. `key` is
 * the one of a seat.
 * @param {string} token
 * @param {string} [key]
 */
function protocolsFor(token, key = "") {
    const offers = [];
    if (token) offers.push(TOKEN + spelled(token));
    if (key) offers.push(KEY + spelled(key));
    return offers.length ? [SPOKEN, ...offers] : [];
}

/** @param {string} text */
function spelled(text) {
    const bytes = String.fromCharCode(...new TextEncoder().encode(text));
    return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Where an operator who came without the token types it. The page is loaded again with it, and neither the page nor an
 * address keeps it, but this tab; an empty one is none.
 */
function tokenForm() {
    const form = document.createElement("form");
    const input = document.createElement("input");
    Object.assign(input, { type: "password", size: 14, autocomplete: "off", placeholder: "operator's token" });
    input.dataset.label = "token";
    input.setAttribute("aria-label", input.placeholder);
    form.append(input);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        sessionStorage.setItem(location.pathname, input.value);
        location.reload();
    });
    return form;
}

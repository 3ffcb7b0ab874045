// The operator's token, on the pages of both games. It travels in the opening of a WebSocket as a subprotocol beside the
// one that the server takes up. An address stands in histories, logs and on screens that are shared; a header does not.
"use strict";

const SPOKEN = "jantaku";
const TOKEN = "jantaku.token.";

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
        history.replaceState(null, "", `${location.pathname}#${link}`);
    }
    return token ?? sessionStorage.getItem(location.pathname) ?? "";
}

/**
 * What to offer when a WebSocket is opened: base64url without the padding is what a subprotocol may be made of.
 * @param {string} token
 */
function protocolsFor(token) {
    if (!token) return [];
    const bytes = String.fromCharCode(...new TextEncoder().encode(token));
    return [SPOKEN, TOKEN + btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")];
}

// How others come to a room: its address to copy, and as a QR code.
"use strict";

/** `code`: rows of 0 (light) and 1 (dark); `alone`: nobody on another machine gets there.
 * @typedef {{ address: string, code: string[], alone: boolean }} Invitation */

/**
 * Ask the server for the invitation to a room.
 * @param {string} room
 * @param {(invitation: Invitation) => void} told
 */
function invite(room, told) {
    const at = new URLSearchParams({ at: location.origin });
    const socket = new WebSocket(socketAddress(`/invite/${encodeURIComponent(room)}?${at}`));
    socket.onmessage = (event) => told(JSON.parse(event.data));
}

/**
 * A QR code, dark on light in any theme, with the margin that readers need.
 * @param {string[]} code
 * @param {string} label
 */
function codeView(code, label) {
    const size = code.length + 8;
    const dark = code.map((row, y) =>
        [...row.matchAll(/1+/g)]
            .map((run) => `M${run.index + 4} ${y + 4}h${run[0].length}v1h-${run[0].length}z`)
            .join(""),
    );
    return html`<svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
        <rect width=${size} height=${size} fill="#fff" /><path d=${dark.join("")} fill="#000" />
    </svg>`;
}

/**
 * Put a text where it can be pasted from; whether that was possible: without TLS a browser lets no page copy.
 * @param {string} text
 */
async function copied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

/**
 * Put an address where it can be pasted from, or show it: without TLS a browser lets no page copy.
 * @param {string} address
 * @param {string} done
 */
async function copyAddress(address, done) {
    const isCopied = await copied(address);
    tell("why", () => (isCopied ? word(done) : word("copyThis", address)));
}

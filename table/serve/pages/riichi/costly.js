// What cost the person most in the game that is over: the server looks for it while nobody plays, and tells how far it is.
"use strict";

const ASKED_AGAIN = { first: 3000, last: 60000 }; // ms; each wait is twice as long as the one before
const NOT_KEPT = " is not kept here";

/** `looked`: the kyoku that is looked at, and how many there are. `waits`: the server could not look, and is asked again.
 * @type {{ ticket: string, socket: WebSocket | null, looked: [number, number] | null, found: Costly[] | null, waits: boolean }} */
const costs = { ticket: "", socket: null, looked: null, found: null, waits: false };

/** @param {Over | null} over */
function costlyView(over) {
    if ((over?.ticket ?? "") !== costs.ticket) lookFor(over);
    const { looked, found, waits } = costs;
    if (!over || !(looked || found || waits)) return "";
    const head = html`<h2>${word("costliest")}</h2>`;
    if (waits) return [head, html`<p>${word("costlyWaits")}</p>`];
    if (!found) return [head, html`<p role="status">${word("costlyLooked", ...(looked ?? []))}</p>`];
    if (!found.length) return [head, html`<p role="status">${word("costlyNone")}</p>`];
    return [head, html`<ol>${found.map((one) => itemView(over, one))}</ol>`];
}

/** @type {(over: Over, one: Costly) => Rendered} */
function itemView(over, one) {
    return html`<li key=${`${one.kyoku} ${one.event}`}>${decisionView(over, one)}</li>`;
}

/** @type {(over: Over, one: Costly) => Rendered} */
function decisionView(over, one) {
    const { tiles, melds } = parseHand(one.hand);
    const drawn = tiles.length % 3 === 2;
    const shown = tiles.map((tile, n) => tileView(tile, drawn && n === tiles.length - 1 ? "apart" : ""));
    const laid = melds.map((meld) => html` <span class="meld">${meldView(meld)}</span>`);
    const place = [word("round", one.wind, one.number + 1), word("honba", one.honba)].join(" ");
    return html`<p class="waiting"><a href=${lookBackAt(over, "allround", [one.kyoku, one.event])} target="_blank" rel="noopener">${place}</a>
            <b>${word("costPoints", one.worth.toFixed(1), one.margin.toFixed(1))}</b></p>
        <p class="waits">${shown}${laid}</p>
        <p class="waiting"><span>${word("wasPlayed")} ${replyView(one.played, drawn)}</span>
            <span>${word("isBetter")} ${replyView(one.choice, drawn)}</span></p>`;
}

/** @type {(reply: Reply, own: boolean) => Rendered} */
function replyView(reply, own) {
    if (!reply.dapai) {
        const { label, spoken } = actionOf(reply, own, false);
        return label ?? spoken;
    }
    return html`${reply.dapai.includes("*") && word("riichi")} ${tileView(reply.dapai.slice(0, 2))}`;
}

/**
 * Have the server look for what cost most; null: no more.
 * @param {Over | null} over
 */
function lookFor(over) {
    costs.socket?.close();
    Object.assign(costs, { ticket: over?.ticket ?? "", socket: null, looked: null, found: null, waits: false });
    if (over) askFor(over, ASKED_AGAIN.first);
}

/**
 * Until it is found, or the game is not kept any more.
 * @param {Over} over
 * @param {number} pause
 */
function askFor(over, pause) {
    const query = new URLSearchParams({ as: "costly", seat: `${over.you}` });
    const socket = new WebSocket(socketAddress(`/record/${over.game}?${query}`), protocolsFor(over.ticket));
    let wait = pause;
    costs.socket = socket;
    socket.onmessage = ({ data }) => {
        if (costs.socket !== socket) return;
        const { looked = null, costly = null } = JSON.parse(data);
        Object.assign(costs, { looked, found: costly, waits: false });
        wait = ASKED_AGAIN.first;
        redraw();
    };
    socket.onclose = ({ code, reason }) => {
        if (costs.socket !== socket) return;
        const waits = !costs.found && code !== 1000 && !reason.includes(NOT_KEPT);
        Object.assign(costs, { socket: null, looked: null, waits });
        const again = () => askFor(over, Math.min(2 * wait, ASKED_AGAIN.last));
        if (waits) setTimeout(() => costs.ticket === over.ticket && !costs.socket && again(), wait);
        redraw();
    };
}

// Before the game: who is there, a link and a QR code for others, and the host's bots for the free seats.
"use strict";

const FILLING = "shanten";
/** `bots`: what was chosen, seat by seat. `now`: the game is to begin with bots at once.
 * @type {{ asked: boolean, told: Invitation | null, bots: string[], now: boolean }} */
const invited = { asked: false, told: null, bots: [], now: new URLSearchParams(location.hash.slice(1)).has("now") };

/**
 * @param {LobbyRoom} notice
 * @param {string[]} bots
 */
function waitingView(notice, bots) {
    if (!invited.asked) {
        invited.asked = true;
        invite(notice.room, (told) => {
            invited.told = told;
            redraw();
        });
    }
    const taken = notice.seats.filter(({ free }) => !free);
    const names = taken.map(
        ({ name, bot }, n) => html`<li key=${n}><bdi>${name}</bdi>${bot && ` (${word("bot")})`}</li>`,
    );
    return html`<p>${word("waitingForOthers", taken.length, notice.seats.length)}</p>
        <ul class="there">${names}</ul>
        ${startView(notice, bots)} ${invited.told && invitationView(invited.told)}`;
}

/**
 * The host begins; the others see who that is.
 * @param {LobbyRoom} notice
 * @param {string[]} bots
 */
function startView({ seats, host }, bots) {
    if (host !== table.name) return html`<p>${word("hostStarts", host ?? "")}</p>`;
    const free = seats.filter((seat) => seat.free);
    const first = bots.includes(FILLING) ? FILLING : bots[0];
    const chosen = () => free.map((_, n) => invited.bots[n] ?? first);
    /** @type {(n: number) => (event: Event) => void} */
    const choose = (n) => (event) => {
        invited.bots[n] = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
        redraw();
    };
    const start = () => send({ start: chosen() });
    if (invited.now && free.length) {
        invited.now = false;
        start();
    }
    const menus = chosen().map(
        (bot, n) => html`<label key=${n}>
            ${word("freeSeat", n + 1)}
            <select onChange=${choose(n)} value=${bot}>${bots.map((name) => html`<option value=${name}>${name}</option>`)}</select>
        </label>`,
    );
    return html`<div class="fill">${menus}</div>
        <button type="button" id="start" onClick=${start}>${word("startWithBots")}</button>`;
}

/** @param {Invitation} told */
function invitationView({ address, code, alone }) {
    return html`<h2>${word("inviteOthers")}</h2>
        ${alone ? html`<p>${word("aloneHere")}</p>` : codeView(code, word("qrCode", address))}
        <p class="address"><code>${address}</code></p>
        <button type="button" onClick=${() => copyAddress(address, "inviteCopied")}>${word("copyInvite")}</button>`;
}

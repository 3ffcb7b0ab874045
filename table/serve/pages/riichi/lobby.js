// The first page of a server of riichi rooms: who sits where, how to join, how games ended.
"use strict";

/** @type {Record<LobbyRoom["state"], string>} */
const ROOM_STATES = { open: "waiting", playing: "playing", ended: "ended" };
const BOT = "shanten";

/** What `jantaku join` calls this server; a room's own address follows it. */
const joinAddress = `${location.protocol === "https:" ? "wss://" : ""}${location.host}`;

/**
 * The command that joins, in a room if one is named.
 * @type {(bot: string, room?: string, locked?: boolean) => string}
 */
const joinCommand = (bot, room = "", locked = false) =>
    `jantaku join ${joinAddress}${room && `/${room}`} --name NAME --bot ${bot}${locked ? " --token-file FILE" : ""}`;

/**
 * Put a text where it can be pasted from; in the old way, which takes what is selected, where there is no other.
 * @param {Element} shown
 */
async function copy(shown) {
    const text = shown.textContent ?? "";
    getSelection()?.selectAllChildren(shown);
    const done = (await copied(text)) || document.execCommand("copy");
    show("copied", done ? `copied: ${text}` : "it is selected: copy it with Ctrl+C");
}

/**
 * A text to be copied, with its button.
 * @param {string} what
 * @param {string} text
 */
function copyable(what, text) {
    /** @param {Event} event */
    const clicked = (event) => {
        const shown = /** @type {Element} */ (event.currentTarget).previousElementSibling;
        if (shown) copy(shown);
    };
    return html`
        <div class="copyable">
            <code>${text}</code>
            <button type="button" aria-label=${`Copy: ${what}`} onClick=${clicked}>Copy</button>
        </div>
    `;
}

/** @param {LobbySeat} seat */
function seatView(seat, /** @type {number} */ number) {
    const word = seat.free ? (seat.name ? "is expected" : "") : seat.bot ? "bot" : seat.away ? "away" : "";
    const state = seat.free ? "free" : seat.away ? "away" : "taken";
    return html`
        <li key=${number} class=${state}>
            <bdi>${seat.name || "free seat"}</bdi> ${word && html`<small>${word}</small>`}
        </li>
    `;
}

/**
 * The way to a seat: a free one, or the own one in a game that is played.
 * @param {LobbyRoom} room
 */
function sitView({ room, state }) {
    if (state === "open")
        return html`<a class="sit" href=${`/sit/${room}`} data-ours>Sit down yourself: ${room}</a>${inviteView(room)}`;
    return state === "playing" && ownSeat(room)
        ? html`<a class="sit" href=${`/sit/${room}`} data-ours>To my seat: ${room}</a>`
        : "";
}

/** The invitations that were asked for, by room.
 * @type {Map<string, Invitation>} */
const invitations = new Map();

/**
 * A link and a QR code for others, when somebody wants them.
 * @param {string} room
 */
function inviteView(room) {
    const found = invitations.get(room);
    /** @param {Event} event */
    const opened = (event) => {
        if (!(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) || invitations.has(room)) return;
        invite(room, (told) => {
            invitations.set(room, told);
            if (lastLobby) drawLobby(lastLobby);
        });
    };
    const alone = html`<p class="quiet">Others do not get there: start the server with --host 0.0.0.0.</p>`;
    return html`<details onToggle=${opened}>
        <summary>Invite others: ${room}</summary>
        ${found && [codeView(found.code, `QR code: ${found.address}`), copyable(`link to ${room}`, found.address)]}
        ${found?.alone && alone}
    </details>`;
}

/** @param {LobbyRoom} room */
function roomView(room) {
    const join = `join ${room.room}`;
    const way = room.locked ? html`<p class="quiet">a token is wanted</p>` : "";
    return html`
        <li key=${room.room} class=${`room ${room.state}`}>
            <h3><bdi>${room.title || room.room}</bdi></h3>
            <p class="quiet">
                ${room.title && `${room.room} · `}${ROOM_STATES[room.state]}${room.games ? ` · game ${room.games}` : ""}
            </p>
            <ul class="seats">${room.seats.map(seatView)}</ul>
            ${sitView(room)}
            ${room.state === "open" ? [way, copyable(join, joinCommand(BOT, room.room, room.locked))] : ""}
            ${room.state === "playing" ? html`<a href=${`/watch/${room.room}`}>Look on: ${room.room}</a>` : ""}
        </li>
    `;
}

/** @type {(points: number) => string} */
const signed = (points) => (points > 0 ? `+${points.toFixed(1)}` : points.toFixed(1).replace("-", "−"));

/** @param {LobbyGame} game */
function gameView(game) {
    const players = (game.players ?? []).map(
        (one, rank) => html`
            <li key=${rank}>
                <bdi>${one.name}</bdi> ${one.score} <span class="quiet">(${signed(one.points)})</span>
                ${one.faults ? html` <span class="faults">${one.faults} ${one.faults > 1 ? "faults" : "fault"}</span>` : ""}
            </li>
        `,
    );
    return html`
        <li key=${game.number} class="game">
            <a href=${`/record/${game.number}`}>Game ${game.number}</a> <span class="quiet">${game.room}</span>
            ${game.reason ? html`<p>${game.reason}</p>` : html`<ol class="ranks">${players}</ol>`}
        </li>
    `;
}

/** @param {LobbyStanding[]} rows */
function standingsOf(rows) {
    if (!rows.length) return html`<p class="quiet">after the first game</p>`;
    const heads = ["games", "1st", "rank", "points"].map((word) => html`<th scope="col">${word}</th>`);
    const lines = rows.map(
        (row) => html`
            <tr key=${row.name}>
                <th scope="row"><bdi>${row.name}</bdi></th>
                <td>${row.games}</td>
                <td>${row.first}</td>
                <td>${row.rank.toFixed(2)}</td>
                <td>${signed(row.points)}</td>
            </tr>
        `,
    );
    return html`<table><thead><tr><th scope="col">player</th>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
}

/** @type {Lobby | null} */
let lastLobby = null;

/** @param {Lobby} lobby */
function drawLobby(lobby) {
    lastLobby = lobby;
    const { rooms, ended = [], standings = [] } = lobby;
    const playing = rooms.filter((room) => room.state === "playing").length;
    show("state", `${rooms.length + (lobby.more ?? 0)} ${rooms.length === 1 ? "room" : "rooms"}, ${playing} playing`);
    $("table").hidden = !lobby.opens;
    const none = lobby.opens ? "none is open; who joins opens one" : "none";
    show("rooms", rooms.length ? rooms.map(roomView) : html`<li class="quiet">${none}</li>`);
    show("more", lobby.more ? `and ${lobby.more} more` : "");
    show("ended", ended.length ? ended.map(gameView) : html`<li class="quiet">none yet</li>`);
    show("standings", standingsOf(standings));
}

show("ways", [
    html`<p>One of the bots that jantaku brings:</p>`,
    copyable("join with a bot", joinCommand(BOT)),
    html`<p>Your own bot in Python, or a program in any language:</p>`,
    copyable("join with a bot in Python", joinCommand("mybot.py:Follower")),
    copyable("join with a program", joinCommand("'exec:node bot.js'")),
]);
$("table").addEventListener("submit", (event) => {
    event.preventDefault();
    const room = /** @type {HTMLInputElement} */ ($("new")).value;
    location.assign(`/sit/${encodeURIComponent(room)}`);
});
follow("/rooms", drawLobby, { closed: () => show("state", "not connected: the server is away; trying again…") });

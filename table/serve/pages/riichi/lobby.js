// The first page of a server of riichi rooms: who sits where, how to join, how games ended.
"use strict";

addWords({
    en: {
        playYourself: "Play yourself",
        playNow: "Play now",
        playNowTold: "At once, at a table of your own, with the bots that jantaku brings.",
        ownTable: "A table with a name, for others as well",
        tableName: "Name of the table",
        joinWithBots: "Join with a bot or a program",
        included: "One of the bots that jantaku brings:",
        yourBot: "Your own bot in Python, or a program in any language:",
        copy: "Copy",
        copyWhat: (what) => `Copy: ${what}`,
        joinBot: "join with a bot",
        joinPython: "join with a bot in Python",
        joinProgram: "join with a program",
        joinRoom: (room) => `join ${room}`,
        linkTo: (room) => `link to ${room}`,
        copiedText: (text) => `copied: ${text}`,
        selected: "it is selected: copy it with Ctrl+C",
        rooms: "Rooms",
        roomCount: (all, playing) => `${all} ${all === 1 ? "room" : "rooms"}, ${playing} playing`,
        moreRooms: (n) => `and ${n} more`,
        noRooms: "none",
        noneOpen: "none is open; who joins opens one",
        lobbyOpen: "waiting",
        lobbyPlaying: "playing",
        lobbyEnded: "ended",
        gameNumber: (n) => `game ${n}`,
        freeSeat: "free seat",
        expected: "is expected",
        bot: "bot",
        awayNow: "away",
        sitHere: (room) => `Sit down yourself: ${room}`,
        toMySeat: (room) => `To my seat: ${room}`,
        lookOn: (room) => `Look on: ${room}`,
        inviteTo: (room) => `Invite others: ${room}`,
        aloneHere: "Others do not get there: start the server with --host 0.0.0.0.",
        qrCode: (address) => `QR code: ${address}`,
        tokenWanted: "a token is wanted",
        standings: "Standings",
        player: "player",
        lobbyGames: "games",
        first: "1st",
        lobbyRank: "rank",
        points: "points",
        noStandings: "after the first game",
        lastGames: "Last games",
        noGames: "none yet",
        faults: (n) => `${n} ${n > 1 ? "faults" : "fault"}`,
        unreached: "not connected: the server is away; trying again…",
        guest: "Guest",
    },
    ja: {
        playYourself: "対局する",
        playNow: "すぐに打つ",
        playNowTold: "付属のボットと、自分の卓ですぐに対局します。",
        ownTable: "名前のある卓で、ほかの人とも打つ",
        tableName: "卓の名前",
        joinWithBots: "ボットやプログラムで参加する",
        included: "付属のボット:",
        yourBot: "自作のPythonボット、または任意の言語のプログラム:",
        copy: "写す",
        copyWhat: (what) => `写す: ${what}`,
        joinBot: "ボットで参加",
        joinPython: "Pythonボットで参加",
        joinProgram: "プログラムで参加",
        joinRoom: (room) => `${room}に参加`,
        linkTo: (room) => `${room}へのリンク`,
        copiedText: (text) => `写しました: ${text}`,
        selected: "選択しました。Ctrl+Cで写してください。",
        rooms: "部屋",
        roomCount: (all, playing) => `${all}部屋、対局中${playing}`,
        moreRooms: (n) => `ほか${n}部屋`,
        noRooms: "ありません",
        noneOpen: "空いた部屋はありません。参加すると開きます。",
        lobbyOpen: "待機中",
        lobbyPlaying: "対局中",
        lobbyEnded: "終了",
        gameNumber: (n) => `第${n}戦`,
        freeSeat: "空席",
        expected: "を待っています",
        bot: "ボット",
        awayNow: "離席中",
        sitHere: (room) => `着席する: ${room}`,
        toMySeat: (room) => `自分の席へ: ${room}`,
        lookOn: (room) => `観戦する: ${room}`,
        inviteTo: (room) => `ほかの人を招く: ${room}`,
        aloneHere: "ほかの機械からは来られません。--host 0.0.0.0 で起動してください。",
        qrCode: (address) => `QRコード: ${address}`,
        tokenWanted: "合言葉が必要です",
        standings: "成績",
        player: "対局者",
        lobbyGames: "対局",
        first: "1位",
        lobbyRank: "平均順位",
        points: "合計",
        noStandings: "最初の対局のあとに出ます",
        lastGames: "対局結果",
        noGames: "まだありません",
        faults: (n) => `失敗${n}`,
        unreached: "サーバーにつながりません。つなぎ直しています…",
        guest: "客",
    },
});

/** @type {Record<LobbyRoom["state"], string>} */
const STATE_WORDS = { open: "lobbyOpen", playing: "lobbyPlaying", ended: "lobbyEnded" };
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
    tell("copied", () => (done ? word("copiedText", text) : word("selected")));
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
            <button type="button" aria-label=${word("copyWhat", what)} onClick=${clicked}>${word("copy")}</button>
        </div>
    `;
}

/** @param {LobbySeat} seat */
function seatView(seat, /** @type {number} */ number) {
    const key = seat.free ? (seat.name ? "expected" : "") : seat.bot ? "bot" : seat.away ? "awayNow" : "";
    const state = seat.free ? "free" : seat.away ? "away" : "taken";
    return html`
        <li key=${number} class=${state}>
            <bdi>${seat.name || word("freeSeat")}</bdi> ${key && html`<small>${word(key)}</small>`}
        </li>
    `;
}

/**
 * The way to a seat: a free one, or the own one in a game that is played.
 * @param {LobbyRoom} room
 */
function sitView({ room, state }) {
    if (state === "open")
        return html`<a class="sit" href=${`/sit/${room}`} data-ours>${word("sitHere", room)}</a>${inviteView(room)}`;
    return state === "playing" && ownSeat(room)
        ? html`<a class="sit" href=${`/sit/${room}`} data-ours>${word("toMySeat", room)}</a>`
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
    const alone = html`<p class="quiet">${word("aloneHere")}</p>`;
    return html`<details onToggle=${opened}>
        <summary>${word("inviteTo", room)}</summary>
        ${found && [codeView(found.code, word("qrCode", found.address)), copyable(word("linkTo", room), found.address)]}
        ${found?.alone && alone}
    </details>`;
}

/** @param {LobbyRoom} room */
function roomView(room) {
    const join = word("joinRoom", room.room);
    const way = room.locked ? html`<p class="quiet">${word("tokenWanted")}</p>` : "";
    return html`
        <li key=${room.room} class=${`room ${room.state}`}>
            <h3><bdi>${room.title || room.room}</bdi></h3>
            <p class="quiet">
                ${room.title && `${room.room} · `}${word(STATE_WORDS[room.state])}${room.games ? ` · ${word("gameNumber", room.games)}` : ""}
            </p>
            <ul class="seats">${room.seats.map(seatView)}</ul>
            ${sitView(room)}
            ${room.state === "open" ? [way, copyable(join, joinCommand(BOT, room.room, room.locked))] : ""}
            ${room.state === "playing" ? html`<a href=${`/watch/${room.room}`}>${word("lookOn", room.room)}</a>` : ""}
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
                ${one.faults ? html` <span class="faults">${word("faults", one.faults)}</span>` : ""}
            </li>
        `,
    );
    return html`
        <li key=${game.number} class="game">
            <a href=${`/record/${game.number}`}>${word("gameNumber", game.number)}</a> <span class="quiet">${game.room}</span>
            ${game.reason ? html`<p>${game.reason}</p>` : html`<ol class="ranks">${players}</ol>`}
        </li>
    `;
}

/** @param {LobbyStanding[]} rows */
function standingsOf(rows) {
    if (!rows.length) return html`<p class="quiet">${word("noStandings")}</p>`;
    const heads = ["lobbyGames", "first", "lobbyRank", "points"].map((key) => html`<th scope="col">${word(key)}</th>`);
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
    return html`<table><thead><tr><th scope="col">${word("player")}</th>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
}

/** @type {Lobby | null} */
let lastLobby = null;

/** @param {Lobby} lobby */
function drawLobby(lobby) {
    lastLobby = lobby;
    const { rooms, ended = [], standings = [] } = lobby;
    const playing = rooms.filter((room) => room.state === "playing").length;
    tell("state", () => word("roomCount", rooms.length + (lobby.more ?? 0), playing));
    const opens = Boolean(lobby.opens);
    $("now").hidden = !lobby.bots?.length || (!opens && !freeRoom());
    $("own").hidden = !opens;
    const none = html`<li class="quiet">${word(opens ? "noneOpen" : "noRooms")}</li>`;
    show("rooms", rooms.length ? rooms.map(roomView) : none);
    show("more", lobby.more ? word("moreRooms", lobby.more) : "");
    show("ended", ended.length ? ended.map(gameView) : html`<li class="quiet">${word("noGames")}</li>`);
    show("standings", standingsOf(standings));
}

function redrawLobby() {
    drawWords();
    show("ways", [
        html`<p>${word("included")}</p>`,
        copyable(word("joinBot"), joinCommand(BOT)),
        html`<p>${word("yourBot")}</p>`,
        copyable(word("joinPython"), joinCommand("mybot.py:Follower")),
        copyable(word("joinProgram"), joinCommand("'exec:node bot.js'")),
    ]);
    if (lastLobby) drawLobby(lastLobby);
}

/** @param {string} id */
const typed = (id) => /** @type {HTMLInputElement} */ ($(id)).value.trim();

/** A room in which nobody sits yet. */
const freeRoom = () =>
    lastLobby?.rooms.find(
        ({ state, locked, seats }) => state === "open" && !locked && seats.every(({ free, bot }) => free || bot),
    )?.room;

/** To a table of one's own, or one where nobody sits, which begins with bots at once. */
function playNow() {
    const own = `${BOT}-${Math.floor(Math.random() * 36 ** 6).toString(36)}`;
    const room = lastLobby?.opens ? own : (freeRoom() ?? own);
    const name = typed("name") || word("guest");
    location.assign(`/sit/${room}#${new URLSearchParams({ name, now: "" })}`);
}

$("now").addEventListener("submit", (event) => {
    event.preventDefault();
    playNow();
});
$("table").addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`/sit/${encodeURIComponent(typed("new"))}`);
});
tell("state", () => word("connecting"));
speak(redrawLobby);
fillName();
redrawLobby();
follow("/rooms", drawLobby, { closed: () => tell("state", () => word("unreached")) });

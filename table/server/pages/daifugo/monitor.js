// Shows what /monitor/{RoomID} sends to who looks on.
"use strict";

const RETRY_MS = 2000;
const room = decodeURIComponent(location.pathname.split("/")[2] || "");
/** @type {Snapshot | null} */
let last = null;

/** @param {string} text */
const say = (text) => show("state", text);

/** @param {Snapshot | Tweet} message */
function told(message) {
    if ("Message" in message) {
        tweeted(last?.PlayerInfo[message.PlayerNum]?.Name ?? `${message.PlayerNum}`, message.Message);
    } else if (message.AllDeck) {
        last = message;
        say(message.IsKakumei ? "革命中 (order reversed)" : "playing");
        drawBoard(message);
    }
}

function connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/monitor/${encodeURIComponent(room)}`;
    const socket = new WebSocket(address, protocolsFor(takeToken()));
    socket.onopen = () => say("waiting for a game");
    socket.onmessage = (event) => told(JSON.parse(event.data));
    socket.onclose = () => {
        say("not connected: no such room, or the server is away; trying again…");
        setTimeout(connect, RETRY_MS);
    };
}

show("room", room);
document.title = `${room} · 大富豪 · jantaku`;
document.querySelector("header")?.append(tokenForm());
connect();

// What the pages of a server share: connections to it.
"use strict";

const RETRY_MS = 2000;

/**
 * The address of a WebSocket of this server.
 * @type {(path: string) => string}
 */
const socketAddress = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

/**
 * Hear what a path of the server tells, and connect again whenever the connection ends.
 * @param {string} path
 * @param {(message: any) => void} told
 * @param {{ token?: string, opened?: () => void, closed?: () => void }} [more]
 */
function follow(path, told, { token = "", opened, closed } = {}) {
    const socket = new WebSocket(socketAddress(path), protocolsFor(token));
    socket.onopen = () => opened?.();
    socket.onmessage = (event) => told(JSON.parse(event.data));
    socket.onclose = () => {
        closed?.();
        setTimeout(() => follow(path, told, { token, opened, closed }), RETRY_MS);
    };
}

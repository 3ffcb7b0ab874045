// A running table: what it sends, and what becomes of the connection to it.
"use strict";

// How a server closes (RFC 6455, 7.4): the game is over, the server goes; too slow, broken off.
const OVER = 1000, LEAVING = 1001, AGAIN = [1005, 1006, 1011, 1012, 1013];
const LOST = [500, 1000, 2000, 5000, 10000]; // ms until the next try
const ASKING = 200, HURRIED = 1000, FEW = 4; // ms until the next question; after one for more turns than a few

// Follow a table. It sends lists of what is new: a head when a game begins, and items; who comes late gets all of the
// running game in one list. `told` has head(head), items(list) and state(word, reason), with a word of "live…" in words.js. To who
// may see everything it tells the options of what is looked at when they are asked for: options(game, turns). `ready()`
// says that there may be something to ask for again.
class Follower {
    constructor(address, told) {
        this.url = new URL(address, location.href.replace(/^http/, "ws"));
        // "?" means this very address, with the token that may be in it.
        this.url.search ||= location.search;
        this.told = told;
        this.tries = 0;
        this.connect();
    }

    connect() {
        const socket = this.socket = new WebSocket(this.url);
        this.asked = "";
        socket.addEventListener("open", () => this.told.state("liveWaiting", ""));
        socket.addEventListener("message", message => this.hear(message.data));
        socket.addEventListener("close", closed => this.end(closed.code, closed.reason));
    }

    hear(text) {
        const told = JSON.parse(text);
        this.tries = 0;
        if (told.turns) {
            this.told.options(told.game, told.turns);
            return;
        }
        for (const games = told; games.length;) {
            if (games[0].player) this.told.head(games.shift());
            const next = games.findIndex(item => item.player);
            this.told.items(games.splice(0, next < 0 ? games.length : next));
        }
        this.told.state("liveOn", "");
    }

    // Ask for the options of a kyoku from where they are missing: seldom where a table plays faster than anybody reads,
    // and not the same again before there is more of the kyoku, for then they cannot be known.
    ask(game, number) {
        const kyoku = game.kyoku[number], missing = kyoku.turns.filter(turn => turn.answers.some(answer => !answer.options));
        const [first] = missing;
        if (game.number === undefined || !first || this.busy || this.socket.readyState !== WebSocket.OPEN) return;
        const asked = [game.number, first.turn, kyoku.items.length].join();
        if (this.asked === asked) return;
        this.asked = asked;
        this.socket.send(JSON.stringify({ game: game.number, turn: first.turn }));
        this.busy = true;
        setTimeout(() => {
            this.busy = false;
            this.told.ready();
        }, missing.length > FEW ? HURRIED : ASKING);
    }

    end(code, reason) {
        if (AGAIN.includes(code)) {
            this.told.state("liveLost", reason);
            setTimeout(() => this.connect(), LOST[Math.min(this.tries++, LOST.length - 1)]);
        } else this.told.state(code === OVER || code === LEAVING ? "liveOver" : "liveRefused", reason);
    }
}

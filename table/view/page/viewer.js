// The viewer: where we are, how to get elsewhere, and what is on the page there. What asks it to: see steer.js.
"use strict";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];

class Viewer {
    /** @param {Book} book */
    constructor(book) {
        this.book = book;
        /** @type {Game | null} */
        this.game = null;
        /** The game that is being played, which need not be the one that is shown: nobody is torn from a position.
         * @type {Game | null} */
        this.running = null;
        this.at = { record: 0, kyoku: 0, event: 0 };
        /** Whose eyes we see with: -1 everybody's, else a player's, who then sits at the bottom. */
        this.sees = -1;
        this.base = 0;
        this.speed = 1;
        this.waits = false;
        /** @type {number | undefined} */
        this.timer = undefined;
        this.due = 0;
        this.following = Boolean(book.live);
        /** @type {Record<string, string>} */
        this.made = {};
        this.state = { key: "liveWaiting", reason: "" };
    }

    async start() {
        show("faces", tileSymbols());
        const token = this.book.live ? takeToken() : "";
        if (this.book.live) $("bar").append(tokenForm());
        steer(this);
        readLink(this);
        if (this.book.live) this.follow(this.book.live, token);
        else await this.open(this.at.record);
    }

    /**
     * @param {string} address
     * @param {string} token
     */
    follow(address, token) {
        this.follower = new Follower(address, token, {
            head: (head) => {
                this.running = new Game(head);
            },
            items: (items) => {
                for (const item of items) this.running?.feed(item);
                this.redraw();
            },
            options: (number, turns) => {
                for (const game of [this.game, this.running]) if (game?.number === number) game.complete(turns);
                this.redraw();
            },
            ready: () => this.redraw(),
            state: (key, reason) => {
                this.state = { key, reason };
                this.redraw();
            },
        });
        this.draw();
    }

    /** At most once for each picture of the screen, however fast a table plays. */
    redraw() {
        this.due ||= requestAnimationFrame(() => {
            this.due = 0;
            const free = this.following || !this.game || this.game.title === this.running?.title;
            if (free && this.running?.kyoku.length) this.game = this.running;
            if (this.following && this.game) this.goto(this.game.kyoku.length - 1, Number.POSITIVE_INFINITY, true);
            else this.draw();
        });
    }

    followAgain() {
        this.stop();
        this.following = true;
        this.redraw();
    }

    /** @param {number} record */
    async open(record) {
        const number = Math.min(Math.max(record, 0), this.book.records.length - 1);
        this.at.record = number;
        this.game = await openRecord(this.book.records[number]);
        this.goto(this.at.kyoku, this.at.event);
    }

    get items() {
        return this.game ? this.game.kyoku[this.at.kyoku].items : [];
    }

    /**
     * Go to an event of a kyoku, both from 0; beyond the ends is taken as the end.
     * @param {number} kyoku
     * @param {number} event
     */
    goto(kyoku, event, live = false) {
        if (!this.game) return;
        if (!live) this.following = false;
        this.at.kyoku = Math.min(Math.max(kyoku, 0), this.game.kyoku.length - 1);
        this.at.event = Math.min(Math.max(event, 0), this.items.length - 1);
        this.draw();
    }

    /**
     * So many events on, or back. Returns false if there is nothing further to go to.
     * @param {number} by
     */
    step(by) {
        if (!this.game) return false;
        const before = JSON.stringify(this.at);
        const event = this.at.event + by;
        if (event >= this.items.length && this.at.kyoku + 1 < this.game.kyoku.length) this.goto(this.at.kyoku + 1, 0);
        else if (event < 0 && this.at.kyoku > 0) this.goto(this.at.kyoku - 1, Number.POSITIVE_INFINITY);
        else this.goto(this.at.kyoku, event);
        return before !== JSON.stringify(this.at);
    }

    /**
     * To the next discard or result, or the one before.
     * @param {number} by
     */
    turn(by) {
        const ends = (/** @type {Item} */ item) => item.dapai || item.hule || item.pingju || item.qipai;
        while (this.step(by) && !ends(this.items[this.at.event]));
    }

    play() {
        if (!this.game) return;
        if (this.timer) this.stop();
        else if (this.following) this.following = false;
        else this.tick();
        this.draw();
    }

    stop() {
        clearTimeout(this.timer);
        this.timer = undefined;
    }

    tick() {
        const item = this.items[this.at.event];
        const slow = item.hule || item.pingju || item.jieju;
        const pause = (slow ? 3000 : 700) / this.speed;
        this.timer = setTimeout(() => {
            if (this.step(1)) this.tick();
            else this.play();
        }, pause);
    }

    /** @param {number} by */
    faster(by) {
        const place = Math.min(Math.max(SPEEDS.indexOf(this.speed) + by, 0), SPEEDS.length - 1);
        this.speed = SPEEDS[place];
        this.draw();
    }

    /** @param {number} player */
    look(player) {
        this.sees = player;
        if (player >= 0) this.base = player;
        this.draw();
    }

    rotate() {
        this.base = (this.base + 1) % 4;
        if (this.sees >= 0) this.sees = this.base;
        this.draw();
    }

    toggleWall() {
        document.body.classList.toggle("wall-open");
        this.draw();
    }

    toggleWaits() {
        this.waits = !this.waits;
        this.draw();
    }

    otherLanguage() {
        LANGUAGE = LANGUAGE === "ja" ? "en" : "ja";
        this.draw();
    }

    draw() {
        this.drawLive();
        this.drawLabels();
        $("table").classList.toggle("waiting", !this.game);
        if (!this.game) {
            show("table", this.book.live ? liveWords(this.state) : "");
            return;
        }
        const { kyoku, event } = this.at;
        const state = stateAt(this.game.kyoku[kyoku], event + 1);
        this.drawTable(this.game, state);
        this.drawControls(state);
        this.drawWords(this.game);
        writeLink(this);
        this.follower?.ask(this.game, kyoku);
    }

    /**
     * @param {Game} game
     * @param {State} state
     */
    drawTable(game, state) {
        const { kyoku, event } = this.at;
        const seat = (/** @type {number} */ player) => (player < 0 ? -1 : game.seat(kyoku, player));
        const seen = { base: seat(this.base), sees: seat(this.sees), acting: actingSeat(state), waits: this.waits };
        const wall = document.body.classList.contains("wall-open");
        const result = resultView(game, kyoku, state);
        show("table", tableView(game, kyoku, state, seen));
        $("table").dataset.position = `${kyoku + 1}.${event + 1}`;
        show("result", result);
        $("result").hidden = !result;
        show("decisions", decisionsView(game, kyoku, event + 1, this.sees));
        show("hidden-wall", wall ? hiddenWall(game.kyoku[kyoku], state, game.walls === "shared") : null);
    }

    /**
     * Lists. They are scrolled only when there is something else to see in them.
     * @param {Game} game
     */
    drawWords(game) {
        show("list", listView(game, this.at.kyoku));
        this.remake("list", [this.at.record, game.title, this.at.kyoku, game.kyoku.length], showInList);
        const names = game.names.map((name, player) => word("only", name || word("winds", player)));
        show(
            "view",
            [word("all"), ...names].map((name, n) => html`<option value=${n - 1}>${name}</option>`),
        );
        show(
            "notes",
            game.notes.map((note) => html`<li>${note}</li>`),
        );
        const files = this.book.records.map((entry, n) => entry.head.file || n + 1);
        show(
            "records",
            files.map((file, n) => html`<option value=${n}>${file}</option>`),
        );
        $("records").hidden = files.length < 2;
        control("view").value = String(this.sees);
        control("records").value = String(this.at.record);
        show("title", game.title);
    }

    drawLabels() {
        this.remake("labels", [LANGUAGE], () => {
            document.documentElement.lang = LANGUAGE;
            for (const element of page("[data-word]")) element.textContent = word(element.dataset.word ?? "");
            for (const element of page("[data-label]")) {
                element.title = word(element.dataset.label ?? "");
                element.setAttribute("aria-label", element.title);
            }
        });
    }

    /** The connection to a running table, and whether we are where it is. */
    drawLive() {
        $("live").hidden = !this.book.live;
        $("live").setAttribute("aria-pressed", String(this.following));
        show("live-state", this.book.live ? liveWords(this.state) : "");
        $("live-state").dataset.state = this.book.live ? this.state.key : "";
    }

    /**
     * Do something again only where what it follows from is another.
     * @param {string} what
     * @param {unknown[]} of
     * @param {() => void} make
     */
    remake(what, of, make) {
        const key = JSON.stringify(of);
        if (this.made[what] === key) return;
        this.made[what] = key;
        make();
    }

    /** @param {State} state */
    drawControls(state) {
        const { length } = this.items;
        const place = `${word("round", state.round, state.number + 1)} ${word("honba", state.honba)}`;
        /** @type {HTMLInputElement} */ (control("position")).max = String(length - 1);
        control("position").value = String(this.at.event);
        show("where", `${place} · ${this.at.event + 1}/${length}`);
        show("play", this.timer ? "❚❚" : "▶");
        $("play").setAttribute("aria-label", word(this.timer ? "pause" : "play"));
        control("speed").value = String(this.speed);
        $("waits").setAttribute("aria-pressed", String(this.waits));
        $("wall").setAttribute("aria-pressed", String(document.body.classList.contains("wall-open")));
    }
}

/** Scroll the list, and only the list, to the running kyoku. */
function showInList() {
    const box = $("kyoku-list");
    const button = $("list").querySelector('[aria-current="true"]');
    if (!button) return;
    const top = button.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 30 || top > box.clientHeight - button.clientHeight) box.scrollTop += top - box.clientHeight / 2;
}

/**
 * Whose turn it is: who has just drawn or called, or whose discard is being looked at.
 * @param {State} state
 */
function actingSeat({ last }) {
    const mover = last.zimo ?? last.gangzimo ?? last.dapai ?? last.lizhi ?? last.fulou ?? last.gang;
    return mover ? mover.l : -1;
}

/** @param {{key: string, reason: string}} state */
function liveWords({ key, reason }) {
    return word(key) + (reason ? `: ${reason}` : "");
}

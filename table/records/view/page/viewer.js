// The viewer: where we are, how to get elsewhere, and what is on the page there. What asks it to: see steer.js. What the
// game brings, its `Game`, `PAGE` and words, is in the folder of that game.
"use strict";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const BEFORE = { round: 0, event: -1 };

class Viewer {
    /** @param {Book} book */
    constructor(book) {
        this.book = book;
        /** @type {Game | null} */
        this.game = null;
        /** The game that is being played, which need not be the one that is shown: nobody is torn from a position.
         * @type {Game | null} */
        this.running = null;
        this.at = { record: 0, round: 0, event: 0 };
        /** Whether the first fault of the record that is opened next is to be shown. */
        this.seeksFault = false;
        /** Whether the address leads to a position, and not to the beginning. */
        this.sought = false;
        /** @type {Game | null} */
        this.revealed = null;
        /** Whose eyes we see with: -1 everybody's, else a player's, who then sits at the bottom. */
        this.sees = -1;
        this.base = 0;
        this.speed = 1;
        /** The switches of this game that are on, by their id. */
        this.on = new Set(PAGE.toggles.filter(isOn).map(({ id }) => id));
        /** Spots whose result was put away, and stays so.
         * @type {Set<string>} */
        this.away = new Set();
        /** @type {number | undefined} */
        this.timer = undefined;
        this.due = 0;
        this.following = Boolean(book.live);
        /** @type {Record<string, string>} */
        this.made = {};
        this.state = { key: "liveWaiting", reason: "" };
    }

    async start() {
        show("faces", PAGE.faces());
        show("toggles", PAGE.toggles.map(toggleView));
        const token = this.book.live ? takeToken() : "";
        if (this.book.live && !IS_PAST) $("bar").append(tokenForm());
        $("open").hidden = !this.book.opens;
        steer(this);
        // A position in a game that is over is not left for its end.
        if (IS_PAST && location.hash.includes("k=")) this.following = false;
        readLink(this);
        if (this.following) this.sought = false;
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
            if (free && this.running?.rounds.length) this.game = this.running;
            if (this.following && this.game) this.goto(this.game.rounds.length - 1, Number.POSITIVE_INFINITY, true);
            else this.draw();
            this.reveal();
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
        const fault = this.seeksFault && nextMoment(this.game.rounds, FAULTS, BEFORE, 1);
        const { round, event } = fault || this.at;
        this.seeksFault = false;
        this.goto(round, event);
        this.reveal();
    }

    /** Once for each game: a reviewed one for what is said in it, any other where the address leads to a position. */
    reveal() {
        if (!this.game || this.following || this.revealed === this.game) return;
        this.revealed = this.game;
        if (this.sought || this.game.review) revealDecision();
    }

    /**
     * Another game from its beginning; beyond the ends is nothing.
     * @param {number} record
     */
    async openAnew(record) {
        if (!this.book.records[record]) return;
        this.at = { record, round: 0, event: 0 };
        this.sought = false;
        await this.open(record);
    }

    get items() {
        return this.game ? this.game.rounds[this.at.round].items : [];
    }

    /**
     * Go to an event of a round, both from 0; beyond the ends is taken as the end.
     * @param {number} round
     * @param {number} event
     */
    goto(round, event, live = false) {
        if (!this.game) return;
        if (!live) this.following = false;
        this.at.round = Math.min(Math.max(round, 0), this.game.rounds.length - 1);
        this.at.event = Math.min(Math.max(event, 0), this.items.length - 1);
        this.draw();
        followTurn();
    }

    /**
     * So many events on, or back. Returns false if there is nothing further to go to.
     * @param {number} by
     */
    step(by) {
        if (!this.game) return false;
        const before = JSON.stringify(this.at);
        const event = this.at.event + by;
        if (event >= this.items.length && this.at.round + 1 < this.game.rounds.length) this.goto(this.at.round + 1, 0);
        else if (event < 0 && this.at.round > 0) this.goto(this.at.round - 1, Number.POSITIVE_INFINITY);
        else this.goto(this.at.round, event);
        return before !== JSON.stringify(this.at);
    }

    /**
     * To the next discard or result, or the one before.
     * @param {number} by
     */
    turn(by) {
        while (this.step(by) && !PAGE.endsTurn(this.items[this.at.event]));
    }

    /**
     * To the next moment of a kind, or the one before.
     * @param {string} id
     * @param {number} by 1 or -1
     */
    jump(id, by) {
        const jump = allJumps().find((one) => one.id === id);
        const found = this.game && jump && nextMoment(this.game.rounds, jump, this.at, by);
        if (found) this.goto(found.round, found.event);
        if (found && jump === FAULTS) revealDecision(NOT_PLAYED);
        if (found && jump?.reviewed) revealDecision(DIFFERS);
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
        const slow = PAGE.lingers(this.items[this.at.event]);
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
        this.base = (this.base + 1) % (this.game?.names.length ?? 1);
        if (this.sees >= 0) this.sees = this.base;
        this.draw();
    }

    /**
     * Turn one of the game's switches.
     * @param {string} id
     */
    toggle(id) {
        if (!this.on.delete(id)) this.on.add(id);
        keep(id, this.on.has(id));
        this.draw();
    }

    /** This position, of all that the page has shown. */
    get spot() {
        return JSON.stringify([this.game?.title, this.at]);
    }

    /** Put away what stands over the table, or show it again. */
    toggleResult() {
        const focused = document.activeElement;
        if (!this.away.delete(this.spot)) this.away.add(this.spot);
        this.draw();
        if (focused?.id === "hide") $("unhide").focus();
        if (focused?.id === "unhide") $("hide").focus();
    }

    otherLanguage() {
        LANGUAGE = LANGUAGE === "ja" ? "en" : "ja";
        this.draw();
    }

    draw() {
        this.drawLive();
        this.remake("labels", [LANGUAGE], drawLabels);
        $("table").classList.toggle("waiting", !this.game);
        if (!this.game) {
            show("table", this.book.live ? liveWords(this.state) : "");
            return;
        }
        REVIEWER = this.game.review;
        this.drawTable(this.game);
        this.drawWords(this.game);
        writeLink(this);
        this.follower?.ask(this.game, this.at.round);
    }

    /** @param {Game} game */
    drawTable(game) {
        const { round, event } = this.at;
        const last = game.names.length - 1;
        [this.base, this.sees] = [Math.min(this.base, last), Math.min(this.sees, last)];
        const picture = PAGE.picture(game, round, event + 1, this);
        show("table", picture.table);
        $("table").dataset.position = `${round + 1}.${event + 1}`;
        show("result", picture.result && [hideButton(), picture.result]);
        $("result").hidden = !picture.result || this.away.has(this.spot);
        $("unhide").hidden = !picture.result || !this.away.has(this.spot);
        show("decisions", answersView(picture.answers, this.sees));
        show("extra", picture.extra);
        show("marks", marksView(game.rounds[round]));
        show("jumps", jumpsView(game.rounds));
        this.drawControls(picture.place);
    }

    /**
     * Lists. They are scrolled only when there is something else to see in them.
     * @param {Game} game
     */
    drawWords(game) {
        const rounds = PAGE.rounds(game);
        show("heads", headsView(game));
        show("list", roundsView(game, rounds, this.at.round));
        show("chart", chartView(game, rounds, this.at.round));
        this.remake("list", [this.at.record, game.title, this.at.round, game.rounds.length], showInList);
        const names = game.names.map((name, player) => word("only", name || `${player}`));
        show(
            "view",
            [word("all"), ...names].map((name, n) => html`<option value=${n - 1}>${name}</option>`),
        );
        show(
            "notes",
            game.notes.map((note) => html`<li>${note}</li>`),
        );
        control("view").value = String(this.sees);
        gamesView(this.book, this.at.record);
        show("title", game.title);
    }

    /** The connection to a running table, and whether we are where it is. */
    drawLive() {
        $("live").hidden = !this.book.live || IS_PAST;
        $("live").setAttribute("aria-pressed", String(this.following));
        const quiet = !this.book.live || (IS_PAST && ["liveOn", "liveOver"].includes(this.state.key));
        show("live-state", quiet ? "" : liveWords(this.state));
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

    /** @param {string} place What this position is called. */
    drawControls(place) {
        const { length } = this.items;
        /** @type {HTMLInputElement} */ (control("position")).max = String(length - 1);
        control("position").value = String(this.at.event);
        show("where", `${place} · ${this.at.event + 1}/${length}`);
        show("play", this.timer ? "❚❚" : "▶");
        $("play").setAttribute("aria-label", word(this.timer ? "pause" : "play"));
        control("speed").value = String(this.speed);
        for (const { id } of PAGE.toggles) {
            $(id).setAttribute("aria-pressed", String(this.on.has(id)));
            document.body.classList.toggle(`${id}-open`, this.on.has(id));
        }
    }
}

/** @param {Toggle} toggle */
function toggleView({ id, word }) {
    return html`<button type="button" id=${id} aria-pressed="false" data-word=${word}></button>`;
}

/**
 * Whether a switch is on when the page opens: as it was left, in this browser.
 * @param {Toggle} toggle
 */
function isOn({ id, on }) {
    try {
        return (localStorage.getItem(`jantaku.${id}`) ?? String(Boolean(on))) === "true";
    } catch {
        return Boolean(on); // nothing is kept for a page on a disk, or where it is forbidden
    }
}

/**
 * @param {string} id
 * @param {boolean} on
 */
function keep(id, on) {
    try {
        localStorage.setItem(`jantaku.${id}`, String(on));
    } catch {
        // As above: it holds until the page is left.
    }
}

/** In what stands over the table, which hides rivers. */
function hideButton() {
    const told = `${word("hide")} (Esc)`;
    return html`<button type="button" id="hide" title=${told} aria-label=${told}>✕</button>`;
}

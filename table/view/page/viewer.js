// The viewer: where we are, how to get elsewhere by button, key, list and link, and what is on the page there.
"use strict";

const $ = id => document.getElementById(id);
const SPEEDS = [0.5, 1, 2, 4, 8, 16];

class Viewer {
    constructor(book) {
        this.book = book;
        this.game = null;
        this.at = { record: 0, kyoku: 0, event: 0 };
        this.sees = -1;
        this.base = 0;
        this.speed = 1;
        this.timer = null;
        this.following = Boolean(book.live);
        this.running = null;
        this.made = {};
        this.state = ["liveWaiting", ""];
    }

    async start() {
        document.body.insertAdjacentHTML("afterbegin", tileSymbols());
        this.bind();
        this.readLink();
        if (this.book.live) this.follow(this.book.live);
        else await this.open(this.at.record);
    }

    // `running` is the game that is being played, which need not be the one that is shown: nobody is torn from a
    // position that he looks at.
    follow(address) {
        this.follower = new Follower(address, {
            head: head => this.running = new Game(head),
            items: items => {
                for (const item of items) this.running.feed(item);
                this.redraw();
            },
            options: (number, turns) => {
                for (const game of [this.game, this.running]) if (game?.number === number) game.complete(turns);
                this.redraw();
            },
            ready: () => this.redraw(),
            state: (...state) => {
                this.state = state;
                this.redraw();
            },
        });
        this.draw();
    }

    // At most once for each picture of the screen, however fast a table plays.
    redraw() {
        this.due ||= requestAnimationFrame(() => {
            this.due = 0;
            if (this.running?.kyoku.length && (this.following || !this.game || this.game.title === this.running.title)) this.game = this.running;
            if (this.following && this.game) this.goto(this.game.kyoku.length - 1, Infinity, true);
            else this.draw();
        });
    }

    followAgain() {
        this.stop();
        this.following = true;
        this.redraw();
    }

    async open(record) {
        const number = Math.min(Math.max(record, 0), this.book.records.length - 1);
        this.at.record = number;
        this.game = await openRecord(this.book.records[number]);
        this.goto(this.at.kyoku, this.at.event);
    }

    get items() {
        return this.game.kyoku[this.at.kyoku].items;
    }

    // Go to an event of a kyoku, both from 0; beyond the ends is taken as the end.
    goto(kyoku, event, live = false) {
        if (!this.game) return;
        if (!live) this.following = false;
        this.at.kyoku = Math.min(Math.max(kyoku, 0), this.game.kyoku.length - 1);
        this.at.event = Math.min(Math.max(event, 0), this.items.length - 1);
        this.draw();
    }

    step(by) {
        if (!this.game) return false;
        const event = this.at.event + by;
        if (event >= this.items.length && this.at.kyoku + 1 < this.game.kyoku.length) this.goto(this.at.kyoku + 1, 0);
        else if (event < 0 && this.at.kyoku > 0) this.goto(this.at.kyoku - 1, Infinity);
        else this.goto(this.at.kyoku, event);
        return event < this.items.length || this.at.kyoku + 1 < this.game.kyoku.length;
    }

    // To the next discard or result, or the one before.
    turn(by) {
        const ends = item => item.dapai || item.hule || item.pingju || item.qipai;
        do {
            const before = JSON.stringify(this.at);
            this.step(by);
            if (!this.game || before === JSON.stringify(this.at)) return;
        } while (!ends(this.items[this.at.event]));
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
        this.timer = null;
    }

    tick() {
        const item = this.items[this.at.event], slow = item.hule || item.pingju || item.jieju;
        this.timer = setTimeout(() => {
            const before = JSON.stringify(this.at);
            this.step(1);
            if (before === JSON.stringify(this.at)) this.play();
            else this.tick();
        }, (slow ? 3000 : 700) / this.speed);
    }

    faster(by) {
        const place = Math.min(Math.max(SPEEDS.indexOf(this.speed) + by, 0), SPEEDS.length - 1);
        this.speed = SPEEDS[place];
        this.draw();
    }

    // Whose eyes we see with: -1 everybody's, else a player's, who then sits at the bottom.
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

    speak(language) {
        LANGUAGE = language;
        this.draw();
    }

    draw() {
        this.drawLive();
        $("table").classList.toggle("waiting", !this.game);
        if (!this.game) {
            $("table").textContent = this.book.live ? liveWords(this.state) : "";
            this.drawLabels();
            return;
        }
        const { kyoku, event } = this.at, state = stateAt(this.game.kyoku[kyoku], event + 1);
        const seat = player => player < 0 ? -1 : this.game.seat(kyoku, player);
        const show = { base: seat(this.base), sees: seat(this.sees), acting: actingSeat(state) };
        $("table").innerHTML = tableHtml(this.game, kyoku, state, show);
        $("table").dataset.position = `${kyoku + 1}.${event + 1}`;
        const result = resultHtml(this.game, kyoku, state);
        $("result").innerHTML = result;
        $("result").hidden = !result;
        $("decisions").innerHTML = decisionsHtml(this.game, kyoku, event + 1, this.sees);
        $("hidden-wall").innerHTML = document.body.classList.contains("wall-open")
            ? hiddenWall(this.game.kyoku[kyoku], state, this.game.walls === "shared") : "";
        this.drawControls(state);
        this.drawWords();
        this.writeLink();
        this.follower?.ask(this.game, kyoku);
    }

    // What seldom changes is made anew only when it does, so that nobody loses a list that is open.
    drawWords() {
        this.drawLabels();
        const ended = this.game.kyoku.filter((_, number) => resultOf(this.game, number)).length;
        this.remake("list", [this.at.record, this.game.title, this.at.kyoku, LANGUAGE, this.game.kyoku.length, ended], () => {
            $("list").innerHTML = listHtml(this.game, this.at.kyoku);
            this.showInList();
        });
        this.remake("names", [LANGUAGE, this.at.record, ...this.game.names], () => {
            const names = this.game.names.map((name, player) => name || word("winds")[player]);
            $("view").innerHTML = `<option value="-1">${word("all")}</option>` + names.map((name, player) =>
                `<option value="${player}">${escapeHtml(word("only", name))}</option>`).join("");
            $("notes").innerHTML = this.game.notes.map(note => `<li>${escapeHtml(note)}</li>`).join("");
            const records = this.book.records;
            $("records").hidden = records.length < 2;
            $("records").innerHTML = records.map((entry, n) => `<option value="${n}">${escapeHtml(entry.head.file || n + 1)}</option>`).join("");
        });
        $("view").value = String(this.sees);
        $("records").value = String(this.at.record);
        $("title").textContent = this.game.title;
    }

    drawLabels() {
        this.remake("labels", [LANGUAGE], () => {
            document.documentElement.lang = LANGUAGE;
            for (const element of document.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
            for (const element of document.querySelectorAll("[data-label]")) {
                element.setAttribute("aria-label", word(element.dataset.label));
                element.title = word(element.dataset.label);
            }
        });
    }

    // The connection to a running table, and whether we are where it is.
    drawLive() {
        $("live").hidden = !this.book.live;
        $("live").setAttribute("aria-pressed", this.following);
        $("live-state").textContent = this.book.live ? liveWords(this.state) : "";
        $("live-state").dataset.state = this.book.live ? this.state[0] : "";
    }

    remake(what, of, make) {
        const key = of.join("\n");
        if (this.made[what] === key) return;
        this.made[what] = key;
        make();
    }

    drawControls(state) {
        $("position").max = this.items.length - 1;
        $("position").value = this.at.event;
        $("where").textContent = `${word("round", state.round, state.number + 1)} ${word("honba", state.honba)} · ${this.at.event + 1}/${this.items.length}`;
        $("play").textContent = this.timer ? "❚❚" : "▶";
        $("play").setAttribute("aria-label", word(this.timer ? "pause" : "play"));
        $("speed").value = String(this.speed);
        $("wall").setAttribute("aria-pressed", document.body.classList.contains("wall-open"));
    }

    // Scroll the list, and only the list, to the running kyoku.
    showInList() {
        const box = $("list").parentElement, button = $("list").querySelector('[aria-current="true"]');
        if (!button) return;
        const top = button.getBoundingClientRect().top - box.getBoundingClientRect().top;
        if (top < 30 || top > box.clientHeight - button.clientHeight) box.scrollTop += top - box.clientHeight / 2;
    }

    // The link to a position: record, kyoku and event from 1, whose view, language.
    link() {
        const link = new URLSearchParams({ r: this.at.record + 1, k: this.at.kyoku + 1, e: this.at.event + 1 });
        if (this.sees >= 0) link.set("v", this.sees);
        if (this.base) link.set("b", this.base);
        link.set("l", LANGUAGE);
        return `#${link}`;
    }

    // Into the address, when the stepping pauses: browsers refuse many changes in a row.
    writeLink() {
        clearTimeout(this.writing);
        this.writing = setTimeout(() => history.replaceState(null, "", this.link()), 120);
    }

    readLink() {
        const link = new URLSearchParams(location.hash.slice(1));
        const number = (key, least) => {
            const told = Number.parseInt(link.get(key) ?? least, 10);
            return Number.isNaN(told) ? least : Math.max(told, least);
        };
        this.at = { record: number("r", 1) - 1, kyoku: number("k", 1) - 1, event: number("e", 1) - 1 };
        this.sees = Math.min(number("v", -1), 3);
        this.base = Math.min(number("b", Math.max(this.sees, 0)), 3);
        const wanted = link.get("l") || (navigator.language.startsWith("ja") ? "ja" : "en");
        LANGUAGE = wanted in WORDS ? wanted : "en";
    }

    bind() {
        const click = {
            first: () => this.goto(this.at.kyoku - (this.at.event ? 0 : 1), 0), "turn-back": () => this.turn(-1), back: () => this.step(-1),
            next: () => this.step(1), "turn-on": () => this.turn(1), last: () => this.goto(this.at.kyoku + 1, 0),
            play: () => this.play(), wall: () => this.toggleWall(), rotate: () => this.rotate(),
            language: () => this.speak(LANGUAGE === "ja" ? "en" : "ja"), link: () => this.copyLink(), live: () => this.followAgain(),
        };
        for (const [id, action] of Object.entries(click)) $(id).addEventListener("click", action);
        $("view").addEventListener("change", event => this.look(Number(event.target.value)));
        $("speed").addEventListener("change", event => this.faster(SPEEDS.indexOf(Number(event.target.value)) - SPEEDS.indexOf(this.speed)));
        $("position").addEventListener("input", event => this.goto(this.at.kyoku, Number(event.target.value)));
        $("records").addEventListener("change", event => {
            this.at = { record: 0, kyoku: 0, event: 0 };
            this.open(Number(event.target.value));
        });
        $("list").addEventListener("click", event => {
            const button = event.target.closest("[data-kyoku]");
            if (button) this.goto(Number(button.dataset.kyoku), 0);
        });
        $("result").addEventListener("click", () => $("result").hidden = true);
        document.addEventListener("keydown", event => this.key(event));
        addEventListener("hashchange", () => {
            const record = this.at.record;
            this.readLink();
            if (!this.game) return;
            if (this.at.record !== record) this.open(this.at.record);
            else this.goto(this.at.kyoku, this.at.event);
        });
    }

    key(event) {
        if (event.target.matches("input, select") && !["Escape"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.matches("button") && [" ", "Enter"].includes(event.key)) return;
        const keys = {
            ArrowRight: () => event.shiftKey ? this.turn(1) : this.step(1), ArrowLeft: () => event.shiftKey ? this.turn(-1) : this.step(-1),
            ArrowDown: () => this.turn(1), ArrowUp: () => this.turn(-1), "]": () => this.goto(this.at.kyoku + 1, 0),
            "[": () => this.goto(this.at.kyoku - (this.at.event ? 0 : 1), 0), PageDown: () => this.goto(this.at.kyoku + 1, 0),
            PageUp: () => this.goto(this.at.kyoku - 1, 0), Home: () => this.goto(this.at.kyoku, 0), End: () => this.goto(this.at.kyoku, Infinity),
            Escape: () => $("result").hidden = true,
            " ": () => this.play(), "+": () => this.faster(1), "-": () => this.faster(-1), v: () => this.look((this.sees + 2) % 5 - 1),
            r: () => this.rotate(), f: () => this.book.live && this.followAgain(), w: () => this.toggleWall(), l: () => this.speak(LANGUAGE === "ja" ? "en" : "ja"),
        };
        const action = keys[event.key];
        if (!action) return;
        event.preventDefault();
        action();
    }

    async copyLink() {
        // Without the operator's token: who gets the link may not see what he sees.
        const address = new URL(location.href);
        address.searchParams.delete("token");
        address.hash = this.link();
        await navigator.clipboard?.writeText(address.href);
        $("link").textContent = word("copied");
    }
}

// Whose turn it is: who has just drawn or called, or whose discard is being looked at.
function actingSeat(state) {
    return ["hule", "pingju", "jieju", "qipai", "kaigang"].includes(state.last.key) ? -1 : state.last.seat;
}

function liveWords([state, reason]) {
    return word(state) + (reason ? `: ${reason}` : "");
}

const viewer = new Viewer(readBook());
// Never an empty page: what goes wrong is said where the table would be.
viewer.start().catch(error => {
    $("table").textContent = `${word("trouble")}: ${error.message}`;
    throw error;
});

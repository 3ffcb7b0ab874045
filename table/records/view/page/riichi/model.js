// The game as a list of kyoku, built from items (qipai, zimo, dapai …) as they come, and the table at any of them.
// Items are those of the journal, in the order of play; `wall` and `turn` lines belong to the kyoku around them.
"use strict";

/** Tiles to draw in a kyoku, the dead wall apart, by how many play. */
const LIVE_TILES = { 3: 55, 4: 70 };
const NORTH = "z4";

/**
 * At which side of a seat another one sits: 1 下家, 2 対面, 3 上家. Where three play nobody sits opposite.
 * @param {number} seat
 * @param {number} other
 * @param {number} seats
 */
function sideOf(seat, other, seats) {
    const steps = (other - seat + seats) % seats;
    return steps === seats - 1 ? 3 : steps;
}

class Game {
    /** @param {Head} head */
    constructor(head) {
        this.title = head.title || "";
        this.number = head.game; // of a running table that can be asked for options
        this.names = head.player || ["", "", "", ""];
        this.faces = head.faces || [];
        this.qijia = head.qijia || 0;
        this.walls = head.walls || "shared";
        this.told = head.notes || [];
        this.review = head.review || "";
        /** @type {Kyoku[]} */
        this.rounds = [];
        /** @type {Jieju | null} */
        this.final = null;
        /** @type {Wall | null} */
        this.nextWall = null;
    }

    /** What is to be known about the record, in the language that is spoken. */
    get notes() {
        const isBroken = this.rounds.every(({ wall }) => wall?.dice);
        return isBroken ? this.told : [...this.told, word("noDice")];
    }

    /**
     * One more item of the stream. Returns true if there is a new position to look at.
     * @param {Item} item
     */
    feed(item) {
        if (item.wall) {
            this.nextWall = /** @type {Wall} */ (item);
            return false;
        }
        if (item.qipai) {
            this.rounds.push({ qipai: item.qipai, items: [item], turns: [], wall: this.nextWall });
            this.nextWall = null;
            return true;
        }
        const kyoku = this.rounds.at(-1);
        if (!kyoku) return false;
        if (item.answers) {
            kyoku.turns.push({ at: kyoku.items.length, turn: item.turn ?? null, answers: item.answers });
            return false;
        }
        if (item.jieju) this.final = item.jieju;
        kyoku.items.push(item);
        return true;
    }

    /**
     * Turns that are here come again, now with the options of everybody who was asked.
     * @param {Turn[]} turns
     */
    complete(turns) {
        const told = new Map(turns.map((turn) => [turn.turn, turn.answers]));
        for (const turn of this.rounds.flatMap((kyoku) => kyoku.turns))
            turn.answers = told.get(turn.turn) || turn.answers;
    }

    /**
     * @param {number} kyoku
     * @param {number} seat
     */
    name(kyoku, seat) {
        return this.names[this.player(kyoku, seat)] || word("winds", seat);
    }

    /**
     * @param {number} kyoku
     * @param {number} seat
     */
    player(kyoku, seat) {
        return (this.qijia + this.rounds[kyoku].qipai.jushu + seat) % this.names.length;
    }

    /**
     * @param {number} kyoku
     * @param {number} player
     */
    seat(kyoku, player) {
        const seats = this.names.length;
        return (player - this.qijia - this.rounds[kyoku].qipai.jushu + 2 * seats) % seats;
    }
}

/**
 * A meld in Majiang's form, and from where it was called (1 下家, 2 対面, 3 上家, 0 nobody).
 * @param {string} text
 * @returns {Meld}
 */
function parseMeld(text) {
    const suit = text[0];
    /** @type {string[]} */
    const tiles = [];
    let from = 0;
    let called = -1;
    for (const mark of text.slice(1)) {
        if (" +=-".indexOf(mark) > 0) {
            from = " +=-".indexOf(mark);
            called = tiles.length - 1;
        } else tiles.push(suit + mark);
    }
    const added = called === 2 && tiles.length === 4 ? tiles[3] : null;
    const same = tiles.every((tile) => plain(tile) === plain(tiles[0]));
    const kan = tiles.length === 4 ? (called < 0 ? "ankan" : "daiminkan") : null;
    const kind = added ? "kakan" : (kan ?? (same ? "pon" : "chi"));
    const own = tiles.filter((_, n) => n !== called && !(added && n === 3));
    return { kind, from, own, called: called < 0 ? null : tiles[called], added, text };
}

/** @param {string} tile */
function plain(tile) {
    return tile[1] === "0" ? `${tile[0]}5` : tile;
}

/** @param {string} text */
function parseHand(text) {
    const [concealed, ...melds] = text.split(",");
    /** @type {string[]} */
    const tiles = [];
    let suit = "";
    for (const mark of concealed.replace("*", "")) {
        if ("mpsz".includes(mark)) suit = mark;
        else tiles.push(suit + mark);
    }
    return { tiles, melds: melds.filter(Boolean).map(parseMeld) };
}

/** @param {string | null} tile */
function tileOrder(tile) {
    if (!tile) return 39;
    const rank = tile[1] === "0" ? 4.5 : Number(tile[1]);
    return "mpsz".indexOf(tile[0]) * 10 + rank;
}

/** @param {(string | null)[]} tiles */
function sortTiles(tiles) {
    return tiles.sort((a, b) => tileOrder(a) - tileOrder(b));
}

/**
 * The table after the first `count` items of a kyoku.
 * @param {Kyoku} kyoku
 * @param {number} count
 */
function stateAt(kyoku, count) {
    const state = new State(kyoku.qipai);
    for (const item of kyoku.items.slice(1, count)) state.apply(item);
    return state;
}

/** The table at one moment of a kyoku. */
class State {
    /** @param {Qipai} qipai */
    constructor(qipai) {
        this.round = qipai.zhuangfeng;
        this.number = qipai.jushu;
        this.honba = qipai.changbang;
        this.sticks = qipai.lizhibang;
        this.indicators = [qipai.baopai];
        this.seats = qipai.shoupai.map((text, seat) => newSeat(text, qipai.defen[seat]));
        this.left = this.seats.length === 3 ? LIVE_TILES[3] : LIVE_TILES[4];
        this.draws = 0;
        /** Rinshan tiles that were drawn. */
        this.kans = 0;
        /** @type {Item} */
        this.last = { qipai };
        /** Whose next discard lies sideways, because the one that showed the riichi was called. */
        this.bend = this.seats.map(() => false);
        /** The tile that may be won on, until the game goes on.
         * @type {{source: number, kind: string} | null} */
        this.open = null;
    }

    /** @param {Item} item */
    apply(item) {
        this.closeOpen(item);
        this.last = item;
        if (item.zimo) this.draw(item.zimo);
        else if (item.gangzimo) this.draw(item.gangzimo, true);
        else if (item.dapai) this.discard(item.dapai);
        else if (item.lizhi) this.deposit(item.lizhi.l);
        else if (item.fulou) this.call(item.fulou);
        else if (item.gang) this.kan(item.gang);
        else if (item.penuki) this.setAside(item.penuki);
        else if (item.kaigang) this.indicators.push(item.kaigang.baopai);
        else if (item.hule) this.settle(item.hule.fenpei);
        else if (item.pingju) this.settle(item.pingju.fenpei);
    }

    /**
     * The game goes on. Unless somebody wins on the tile that was discarded, added to a pon or set aside, whoever waits
     * for it has let it go.
     * @param {Item} next
     */
    closeOpen(next) {
        if (!this.open) return;
        const { source, kind } = this.open;
        this.open = null;
        if (next.hule) return;
        this.seats.forEach((seat, number) => {
            if (number !== source && waitsOf(seat).includes(kind)) seat.missed = true;
        });
    }

    /** @param {OneTile} drawn */
    draw({ l, p }, rinshan = false) {
        this.seats[l].drawn = p || null;
        this.left--;
        if (rinshan) this.kans++;
        else this.draws++;
    }

    /** @param {OneTile} discarded */
    discard({ l, p }) {
        const seat = this.seats[l];
        const tile = p.slice(0, 2);
        const riichi = p.includes("*");
        const tsumogiri = p.includes("_");
        lose(seat, [tile], tsumogiri);
        seat.river.push({ tile, tsumogiri, bent: riichi || this.bend[l] });
        this.bend[l] = false;
        this.open = { source: l, kind: plain(tile) };
        if (!seat.riichi) seat.missed = false;
        if (riichi) seat.riichi = true;
    }

    /** @param {number} l */
    deposit(l) {
        this.seats[l].stick = true;
        this.seats[l].score -= 1000;
        this.sticks++;
    }

    /** @param {OneMeld} called */
    call({ l, m }) {
        const meld = parseMeld(m);
        const source = this.seats.findIndex((_, other) => sideOf(l, other, this.seats.length) === meld.from);
        const out = this.seats[source].river.at(-1);
        if (out) {
            out.by = l;
            if (out.bent) this.bend[source] = true;
        }
        lose(this.seats[l], meld.own);
        this.seats[l].melds.push(meld);
    }

    /** @param {OneMeld} made */
    kan({ l, m }) {
        const { melds } = this.seats[l];
        const meld = parseMeld(m);
        const { added } = meld;
        lose(this.seats[l], added ? [added] : meld.own);
        if (added) this.open = { source: l, kind: plain(added) };
        const pon = added
            ? melds.findIndex((old) => old.kind === "pon" && old.called && plain(old.called) === plain(added))
            : -1;
        if (pon >= 0) melds[pon] = meld;
        else melds.push(meld);
    }

    /** @param {OneTile} north */
    setAside({ l }) {
        lose(this.seats[l], [NORTH]);
        this.seats[l].aside++;
        this.open = { source: l, kind: NORTH };
    }

    /** @param {number[]} fenpei */
    settle(fenpei) {
        fenpei.forEach((points, seat) => {
            this.seats[seat].score += points;
        });
        this.sticks -= fenpei.reduce((sum, points) => sum + points, 0) / 1000;
    }
}

/**
 * A seat as it was dealt; without `text` nobody saw its hand.
 * @param {string} text
 * @param {number} score
 * @returns {Seat}
 */
function newSeat(text, score) {
    const hand = text ? sortTiles(parseHand(text).tiles) : Array(13).fill(null);
    return {
        hand,
        drawn: undefined,
        melds: [],
        aside: 0,
        river: [],
        missed: false,
        riichi: false,
        stick: false,
        score,
    };
}

/**
 * Tiles leave a hand; a hidden hand loses tiles that nobody saw before.
 * @param {Seat} seat
 * @param {string[]} tiles
 */
function lose(seat, tiles, fromDraw = false) {
    const { hand, drawn } = seat;
    seat.drawn = undefined;
    if (drawn !== undefined) {
        if (fromDraw) return;
        hand.push(drawn);
    }
    for (const tile of tiles) {
        const at = hand.includes(tile) ? hand.indexOf(tile) : hand.indexOf(null);
        if (at >= 0) hand.splice(at, 1);
    }
    sortTiles(hand);
}

/**
 * What a kyoku came to, for the list: how it ended, and points by player; null while it goes on.
 * @param {Game} game
 * @param {number} kyoku
 */
function resultOf(game, kyoku) {
    const { items } = game.rounds[kyoku];
    const ends = items.filter((item) => item.hule || item.pingju);
    if (!ends.length) return null;
    const deltas = game.names.map(() => 0);
    for (const { hule, pingju } of ends)
        (hule ?? pingju)?.fenpei.forEach((points, seat) => {
            deltas[game.player(kyoku, seat)] += points;
        });
    for (const { lizhi } of items) if (lizhi) deltas[game.player(kyoku, lizhi.l)] -= 1000;
    return { ends, deltas };
}

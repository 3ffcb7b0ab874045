// The game as a list of kyoku, built from items (qipai, zimo, dapai …) as they come, and the table at any of them.
// Items are those of the journal, in the order of play; `wall` and `turn` lines belong to the kyoku around them.
"use strict";

class Game {
    constructor(head) {
        this.title = head.title || "";
        this.number = head.game; // of a running table that can be asked for options
        this.names = head.player || ["", "", "", ""];
        this.qijia = head.qijia || 0;
        this.walls = head.walls || "shared";
        this.notes = head.notes || [];
        this.kyoku = [];
        this.final = null;
        this.nextWall = null;
    }

    // One more item of the stream. Returns true if there is a new position to look at.
    feed(item) {
        if (item.wall) {
            this.nextWall = item;
            return false;
        }
        if (item.qipai) {
            this.kyoku.push({ items: [item], turns: [], wall: this.nextWall });
            this.nextWall = null;
            return true;
        }
        const kyoku = this.kyoku[this.kyoku.length - 1];
        if (!kyoku) return false;
        if (item.answers) {
            kyoku.turns.push({ at: kyoku.items.length, turn: item.turn, answers: item.answers });
            return false;
        }
        if (item.jieju) this.final = item.jieju;
        kyoku.items.push(item);
        return true;
    }

    // Turns that are here come again, now with the options of everybody who was asked.
    complete(turns) {
        const told = new Map(turns.map(turn => [turn.turn, turn.answers]));
        for (const turn of this.kyoku.flatMap(kyoku => kyoku.turns)) turn.answers = told.get(turn.turn) || turn.answers;
    }

    name(kyoku, seat) {
        return this.names[this.player(kyoku, seat)] || word("winds")[seat];
    }

    player(kyoku, seat) {
        return (this.qijia + this.kyoku[kyoku].items[0].qipai.jushu + seat) % 4;
    }

    seat(kyoku, player) {
        return (player - this.qijia - this.kyoku[kyoku].items[0].qipai.jushu + 8) % 4;
    }
}

// A meld as tiles: [{tile, from?, added?}], its kind and whom it was called from (1 下家, 2 対面, 3 上家, 0 nobody).
function parseMeld(text) {
    const suit = text[0], tiles = [];
    let from = 0, called = -1;
    for (const sign of text.slice(1)) {
        if (" +=-".indexOf(sign) > 0) {
            from = " +=-".indexOf(sign);
            called = tiles.length - 1;
        } else tiles.push(suit + sign);
    }
    const added = called >= 0 && tiles.length === 4 && called === 2 ? tiles[3] : null;
    const same = tiles.every(tile => plain(tile) === plain(tiles[0]));
    const kind = added ? "kakan" : tiles.length === 4 ? (called < 0 ? "ankan" : "daiminkan") : same ? "pon" : "chi";
    const own = tiles.filter((_, n) => n !== called && !(added && n === 3));
    return { kind, from, own, called: called < 0 ? null : tiles[called], added, text };
}

function plain(tile) {
    return tile[1] === "0" ? tile[0] + "5" : tile;
}

function parseHand(text) {
    const [concealed, ...melds] = text.split(",");
    const tiles = [];
    let suit = "";
    for (const sign of concealed.replace("*", "")) {
        if ("mpsz".includes(sign)) suit = sign;
        else tiles.push(suit + sign);
    }
    return { tiles, melds: melds.filter(Boolean).map(parseMeld) };
}

function tileOrder(tile) {
    const rank = tile[1] === "0" ? 4.5 : Number(tile[1]);
    return "mpsz".indexOf(tile[0]) * 10 + rank;
}

function sortTiles(tiles) {
    return tiles.sort((a, b) => tileOrder(a || "z9") - tileOrder(b || "z9"));
}

// The table after the first `count` items of a kyoku.
function stateAt(kyoku, count) {
    const state = new State(kyoku.items[0].qipai);
    for (const item of kyoku.items.slice(1, count)) state.apply(item);
    return state;
}

class State {
    constructor(qipai) {
        Object.assign(this, {
            round: qipai.zhuangfeng, number: qipai.jushu, honba: qipai.changbang, sticks: qipai.lizhibang,
            indicators: [qipai.baopai], left: 70, draws: 0, kans: 0, last: { key: "qipai" }, bend: [false, false, false, false],
        });
        this.seats = qipai.shoupai.map((text, seat) => ({
            hand: text ? sortTiles(parseHand(text).tiles) : Array(13).fill(null), drawn: undefined, melds: [], river: [],
            riichi: false, stick: false, score: qipai.defen[seat],
        }));
    }

    apply(item) {
        const [key] = Object.keys(item), value = item[key], seat = this.seats[value.l];
        this.last = { key, seat: value.l, value };
        this[key]?.(value, seat);
    }

    zimo(value, seat) {
        seat.drawn = value.p || null;
        this.left--;
        this.draws++;
    }

    gangzimo(value, seat) {
        seat.drawn = value.p || null;
        this.left--;
        this.kans++;
    }

    dapai(value, seat) {
        const tile = value.p.slice(0, 2), riichi = value.p.includes("*");
        this.lose(seat, [tile], value.p.includes("_"));
        seat.river.push({ tile, tsumogiri: value.p.includes("_"), bent: riichi || this.bend[value.l] });
        this.bend[value.l] = false;
        if (riichi) seat.riichi = true;
    }

    lizhi(value, seat) {
        seat.stick = true;
        seat.score -= 1000;
        this.sticks++;
    }

    fulou(value, seat) {
        const meld = parseMeld(value.m), source = (value.l + meld.from) % 4, river = this.seats[source].river;
        const called = river[river.length - 1];
        called.by = value.l;
        if (called.bent) this.bend[source] = true;
        this.lose(seat, meld.own);
        seat.melds.push(meld);
    }

    gang(value, seat) {
        const meld = parseMeld(value.m);
        this.lose(seat, meld.added ? [meld.added] : meld.own);
        const pon = seat.melds.findIndex(old => old.kind === "pon" && meld.added && plain(old.called) === plain(meld.added));
        if (pon >= 0) seat.melds[pon] = meld;
        else seat.melds.push(meld);
    }

    kaigang(value) {
        this.indicators.push(value.baopai);
    }

    hule(value) {
        this.settle(value.fenpei);
    }

    pingju(value) {
        this.settle(value.fenpei);
    }

    settle(fenpei) {
        fenpei.forEach((points, seat) => this.seats[seat].score += points);
        this.sticks -= fenpei.reduce((sum, points) => sum + points, 0) / 1000;
    }

    // Tiles leave a hand; a hidden hand loses tiles that nobody saw before.
    lose(seat, tiles, fromDraw = false) {
        if (fromDraw && seat.drawn !== undefined) {
            seat.drawn = undefined;
            return;
        }
        if (seat.drawn !== undefined) seat.hand.push(seat.drawn);
        seat.drawn = undefined;
        for (const tile of tiles) {
            const at = seat.hand.includes(tile) ? seat.hand.indexOf(tile) : seat.hand.indexOf(null);
            if (at >= 0) seat.hand.splice(at, 1);
        }
        sortTiles(seat.hand);
    }
}

// What a kyoku came to, for the list: [{name, points by player}] or null while it goes on.
function resultOf(game, kyoku) {
    const items = game.kyoku[kyoku].items, ends = items.filter(item => item.hule || item.pingju);
    if (!ends.length) return null;
    const deltas = [0, 0, 0, 0];
    for (const end of ends)
        (end.hule || end.pingju).fenpei.forEach((points, seat) => deltas[game.player(kyoku, seat)] += points);
    for (const item of items) if (item.lizhi) deltas[game.player(kyoku, item.lizhi.l)] -= 1000;
    return { ends, deltas };
}

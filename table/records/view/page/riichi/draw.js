// The table: seats with hand, melds and river, what lies in the middle, and what stands over it at the end.
"use strict";

/** @typedef {{base: number, sees: number, acting: number, waits: boolean}} Show
 * The seat at the bottom; a seat, or -1 for all; a seat, or -1; whether waits and sticks are shown. */
/** @typedef {typeof tileView} TileView */

/**
 * The whole table.
 * @param {Game} game
 * @param {number} kyoku
 * @param {State} state
 * @param {Show} show
 */
function tableView(game, kyoku, state, show) {
    const tile = show.waits ? tinted(awaited(state, (number) => isOpen(state, number, show))) : tileView;
    return html`<div class="wall">${wallView(game.rounds[kyoku], state, show.base)}</div>
        ${centreView(state, tile)}
        ${state.seats.map((_, number) => seatView(game, kyoku, state, number, show, tile))}`;
}

/**
 * Whether the hand of a seat may be looked at.
 * @param {State} state
 * @param {number} number
 * @param {Show} show
 */
function isOpen({ last }, number, { sees }) {
    return sees < 0 || sees === number || last.hule?.l === number;
}

/**
 * Tiles of kinds that somebody waits for are marked, with a note that says who does.
 * @param {Map<string, string[]>} winds Who waits, by kind.
 * @returns {TileView}
 */
function tinted(winds) {
    return (name, classes = "", note = "") => {
        const who = name && winds.get(plain(name));
        if (!who) return tileView(name, classes, note);
        const notes = [note, word("awaited", who.join(", "))];
        return tileView(name, `${classes} awaited`.trim(), notes.filter(Boolean).join(", "));
    };
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {State} state
 * @param {number} number
 * @param {Show} show
 * @param {TileView} tile
 */
function seatView(game, kyoku, state, number, show, tile) {
    const seat = state.seats[number];
    const place = sideOf(show.base, number, state.seats.length);
    const open = isOpen(state, number, show);
    const name = game.name(kyoku, number);
    const first = game.player(kyoku, number) === game.qijia ? HONOURS[state.round] : "";
    const acting = show.acting === number ? " acting" : "";
    const { gang } = state.last;
    const newest = gang?.l === number ? gang.m : "";
    return html`<section
        class="seat place${place}${acting}"
        data-seat=${number}
        data-player=${game.player(kyoku, number)}
        aria-label="${word("winds", number)} ${name}"
    >
        ${plateView(seat, number, name, first)}
        ${seat.stick && html`<div class="stick" title=${word("riichi")}></div>`}
        <div class="river">${riverView(game, kyoku, state, number, tile)}</div>
        <div class="hand">${handView(seat, open, tile)}</div>
        <div class="melds">
            ${asideView(seat.aside, tile, state.last.penuki?.l === number)}
            ${seat.melds.map((meld) => meldView(meld, tile, meld.text === newest))}
        </div>
        ${show.waits && html`<div class="known">${open && shapeView(state, number)}${sticksView(seat.score)}</div>`}
    </section>`;
}

/**
 * @param {Seat} seat
 * @param {number} number
 * @param {string} name
 * @param {string} first The wind of the round for the first dealer's marker (起家マーク); empty for other seats.
 */
function plateView(seat, number, name, first) {
    return html`<div class="plate">
        <span class=${number ? "wind" : "wind dealer"}>${HONOURS[number]}</span>
        <span class="score">${pointsText(seat.score)}</span>
        ${seat.riichi && html`<span class="declared">${word("riichi")}</span>`}
        <span class="name">${first && html`<b class="first" title=${word("firstDealer")}>${first}</b>`}${name}</span>
    </div>`;
}

/**
 * Points as the sticks that they are, the fewest of each kind.
 * @param {number} points
 */
function sticksView(points) {
    let rest = Math.max(points, 0);
    const kinds = [10000, 5000, 1000, 100].map((worth) => {
        const count = Math.floor(rest / worth);
        rest -= count * worth;
        return count > 0 && html`<span data-worth=${worth}>${pointsText(worth)}×${count}</span>`;
    });
    return html`<div class="sticks" aria-label=${word("pointSticks")}>${kinds}</div>`;
}

/**
 * @param {Seat} seat
 * @param {boolean} open
 * @param {TileView} tile
 */
function handView(seat, open, tile) {
    const tiles = seat.hand.map((name) => tile(open ? name : null));
    if (seat.drawn !== undefined) tiles.push(tile(open ? seat.drawn : null, "drawn"));
    return tiles;
}

/**
 * Six to a row, three rows; what comes then makes the third row longer.
 * @param {Game} game
 * @param {number} kyoku
 * @param {State} state
 * @param {number} number
 * @param {TileView} tile
 */
function riverView(game, kyoku, state, number, tile) {
    const { river } = state.seats[number];
    /** @type {Rendered[][]} */
    const rows = [[], [], []];
    const newest = state.last.dapai?.l === number ? river.length - 1 : -1;
    river.forEach((out, n) => {
        const called = out.by === undefined ? "" : `called from${sideOf(number, out.by, state.seats.length)}`;
        const classes = [out.bent && "bent", out.tsumogiri && "tsumogiri", n === newest && "newest", called];
        const notes = [
            out.tsumogiri && word("tsumogiri"),
            out.by !== undefined && word("called", game.name(kyoku, out.by)),
        ];
        const lying = tile(out.tile, classes.filter(Boolean).join(" "), notes.filter(Boolean).join(", "));
        rows[Math.min(Math.floor(n / 6), 2)].push(lying);
    });
    return rows.map((row) => html`<div class="row">${row}</div>`);
}

/**
 * A meld with the called tile turned towards the seat it came from; the tile added to a pon lies on the turned one.
 * `newest`: it is a kan that was declared just now, whose tile somebody may win on.
 * @param {Meld} meld
 */
function meldView(meld, tile = tileView, newest = false) {
    const added = newest ? "newest" : "";
    if (meld.called === null) {
        const tiles = meld.own.map((name, n) => tile(n === 1 || n === 2 ? name : null, n === 1 ? added : ""));
        return html`<span class="meld" data-meld=${meld.text}>${tiles}</span>`;
    }
    const tiles = meld.own.map((name) => tile(name));
    const called = tile(meld.called, "bent", word("taken"));
    const turned = meld.added
        ? html`<span class="pair">${tile(meld.added, `bent ${added}`.trim())}${called}</span>`
        : called;
    tiles.splice(meld.from === 3 ? 0 : meld.from === 2 ? 1 : tiles.length, 0, turned);
    return html`<span class="meld" data-meld=${meld.text}>${tiles}</span>`;
}

/**
 * The norths that a seat has set aside.
 * @param {number} count
 * @param {TileView} tile
 * @param {boolean} newest Whether the last one was set aside just now.
 */
function asideView(count, tile, newest) {
    if (!count) return null;
    const tiles = Array.from({ length: count }, (_, n) =>
        tile(NORTH, newest && n === count - 1 ? "newest" : "", word("aside")),
    );
    return html`<span class="meld aside" data-aside=${count}>${tiles}</span>`;
}

/**
 * @param {State} state
 * @param {TileView} tile
 */
function centreView(state, tile) {
    const dora = [0, 1, 2, 3, 4].map((n) => tile(state.indicators[n] || null));
    return html`<div class="centre">
        <div class="round">${word("round", state.round, state.number + 1)}</div>
        <div class="counts">
            <span>${word("honba", state.honba)}</span><span>${word("sticks", state.sticks)}</span>
            <span>${word("left", state.left)}</span>
        </div>
        <div class="dora" aria-label=${word("dora")}>${dora}</div>
    </div>`;
}

/**
 * What stands over the table at the end of a kyoku, or of the game; null elsewhere.
 * @param {Game} game
 * @param {number} kyoku
 * @param {State} state
 */
function resultView(game, kyoku, state) {
    const { hule, pingju, jieju } = state.last;
    if (hule) return winView(game, kyoku, state, hule);
    if (pingju) return drawView(game, kyoku, state, pingju);
    return jieju ? finalView(game, jieju) : null;
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {State} state
 * @param {Hule} hule
 */
function winView(game, kyoku, state, hule) {
    const hand = parseHand(hule.shoupai);
    const won = hand.tiles.pop() ?? null;
    const how = hule.baojia === null ? word("tsumo") : `${word("ron")} ${word("from", game.name(kyoku, hule.baojia))}`;
    const ura = hule.fubaopai?.map((tile) => tileView(tile));
    return html`<h2>${game.name(kyoku, hule.l)} <small>${how}</small></h2>
        <div class="tiles won">
            ${hand.tiles.map((tile) => tileView(tile))}${tileView(won, "drawn")}
            <span class="melds">${hand.melds.map((meld) => meldView(meld))}</span>
        </div>
        <div class="marks">${word("dora")} ${state.indicators.map((tile) => tileView(tile))}</div>
        ${ura && html`<div class="marks">${word("ura")} ${ura}</div>`}
        <ul class="yaku">${(hule.hupai || []).map(yakuView)}</ul>
        <p class="worth"><span>${worthWords(hule)}</span>${hule.defen !== undefined && html`<b>${pointsText(hule.defen)} ${word("points")}</b>`}</p>
        ${paymentsView(game, kyoku, hule.fenpei)}`;
}

/** @param {Yaku} yaku */
function yakuView({ name, fanshu }) {
    const worth = typeof fanshu === "string" ? word("yakuman", fanshu.length) : `${fanshu} ${word("han")}`;
    return html`<li><span>${yakuWords(name)}</span><b>${worth}</b></li>`;
}

/** @param {Hule} hule */
function worthWords({ damanguan, fu, fanshu }) {
    if (damanguan) return word("yakuman", damanguan);
    const told = [fu !== undefined && `${fu} ${word("fu")}`, fanshu !== undefined && `${fanshu} ${word("han")}`];
    return told.filter(Boolean).join(" ");
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {State} state
 * @param {Pingju} pingju
 */
function drawView(game, kyoku, state, pingju) {
    const hands = pingju.shoupai.map((text, seat) => {
        if (!text) return null;
        const { tiles, melds } = parseHand(text);
        return html`<div class="shown">
            <span>${game.name(kyoku, seat)}</span>
            <span class="tiles">
                ${tiles.map((tile) => tileView(tile))}<span class="melds">${melds.map((meld) => meldView(meld))}</span>
            </span>
            ${waitsView(state, seat)}
        </div>`;
    });
    const whose = pingju.l === undefined ? "" : ` · ${game.name(kyoku, pingju.l)}`;
    return html`<h2>${yakuWords(pingju.name)}${whose}</h2>${hands}${paymentsView(game, kyoku, pingju.fenpei)}`;
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {number[]} fenpei
 */
function paymentsView(game, kyoku, fenpei) {
    const rows = fenpei.map(
        (points, seat) => html`<li class=${sign(points)}>
            <span>${HONOURS[seat]} ${game.name(kyoku, seat)}</span><b>${signed(points)}</b>
        </li>`,
    );
    return html`<ul class="payments">${rows}</ul>`;
}

/**
 * Final points as records have them: text in 1.x, numbers in 2015.
 * @param {string | number} point
 */
function scoreText(point) {
    return `${Number(point) > 0 ? "+" : ""}${String(point).replace("-", "−")}`;
}

/**
 * @param {Game} game
 * @param {Jieju} jieju
 */
function finalView(game, { rank, defen, point }) {
    const order = [...rank.keys()].sort((a, b) => rank[a] - rank[b]);
    const rows = order.map(
        (player) => html`<li>
            <span>${word("rank", rank[player])} ${game.names[player]}</span>
            <span>${pointsText(defen[player])}</span>
            <b class=${sign(Number(point[player]))}>${scoreText(point[player])}</b>
        </li>`,
    );
    return html`<h2>${word("final")}</h2><ul class="final">${rows}</ul>`;
}

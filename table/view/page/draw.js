// The table as HTML: seats with hand, melds and river, and what lies in the middle.
"use strict";

function escapeHtml(text) {
    return String(text).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
}

function pointsText(points) {
    return points.toLocaleString("en-US");
}

// The whole table. `show` is {base: seat at the bottom, sees: seat or -1 for all, acting: seat or -1}.
function tableHtml(game, kyoku, state, show) {
    const seats = state.seats.map((seat, number) => seatHtml(game, kyoku, state, number, show));
    return `<div class="wall">${wallSvg(game.kyoku[kyoku], state, show.base)}</div>${centreHtml(state)}${seats.join("")}`;
}

function seatHtml(game, kyoku, state, number, show) {
    const seat = state.seats[number], place = (number - show.base + 4) % 4;
    const open = show.sees < 0 || show.sees === number || state.last.key === "hule" && state.last.seat === number;
    const name = game.name(kyoku, number), acting = show.acting === number ? " acting" : "";
    return `<section class="seat place${place}${acting}" data-seat="${number}" aria-label="${word("winds")[number]} ${escapeHtml(name)}">` +
        plateHtml(seat, number, name) + (seat.stick ? `<div class="stick" title="${word("riichi")}"></div>` : "") +
        `<div class="river">${riverHtml(game, kyoku, seat, number, state)}</div>` +
        `<div class="hand">${handHtml(seat, open)}</div>` +
        `<div class="melds">${seat.melds.map(meldHtml).join("")}</div></section>`;
}

function plateHtml(seat, number, name) {
    const wind = WORDS.ja.winds[number];
    return `<div class="plate"><span class="wind${number ? "" : " dealer"}">${wind}</span>` +
        `<span class="score">${pointsText(seat.score)}</span>${seat.riichi ? `<span class="declared">${word("riichi")}</span>` : ""}` +
        `<span class="name">${escapeHtml(name)}</span></div>`;
}

function handHtml(seat, open) {
    const tiles = seat.hand.map(tile => tileHtml(open ? tile : null));
    if (seat.drawn !== undefined) tiles.push(tileHtml(open ? seat.drawn : null, "drawn "));
    return tiles.join("");
}

// Six to a row, three rows; what comes then makes the third row longer.
function riverHtml(game, kyoku, seat, number, state) {
    const rows = [[], [], []];
    const newest = state.last.key === "dapai" && state.last.seat === number ? seat.river.length - 1 : -1;
    seat.river.forEach((out, n) => {
        const classes = (out.bent ? "bent " : "") + (out.tsumogiri ? "tsumogiri " : "") + (n === newest ? "newest " : "") +
            (out.by === undefined ? "" : `called from${(out.by - number + 4) % 4} `);
        const notes = [out.tsumogiri ? word("tsumogiri") : "", out.by === undefined ? "" : word("called", game.name(kyoku, out.by))];
        rows[Math.min(Math.floor(n / 6), 2)].push(tileHtml(out.tile, classes, notes.filter(Boolean).join(", ")));
    });
    return rows.map(row => `<div class="row">${row.join("")}</div>`).join("");
}

// A meld with the called tile turned towards the seat it came from; the tile added to a pon lies on the turned one.
function meldHtml(meld) {
    if (meld.kind === "ankan")
        return `<span class="meld" data-meld="${meld.text}">${meld.own.map((tile, n) => tileHtml(n === 1 || n === 2 ? tile : null)).join("")}</span>`;
    const tiles = meld.own.map(tile => tileHtml(tile));
    const turned = meld.added ? `<span class="pair">${tileHtml(meld.added, "bent ")}${tileHtml(meld.called, "bent ")}</span>`
        : tileHtml(meld.called, "bent ");
    tiles.splice(meld.from === 3 ? 0 : meld.from === 2 ? 1 : tiles.length, 0, turned);
    return `<span class="meld" data-meld="${meld.text}">${tiles.join("")}</span>`;
}

function centreHtml(state) {
    const dora = [0, 1, 2, 3, 4].map(n => tileHtml(state.indicators[n] || null)).join("");
    return `<div class="centre"><div class="round">${word("round", state.round, state.number + 1)}</div>` +
        `<div class="counts"><span>${word("honba", state.honba)}</span><span>${word("sticks", state.sticks)}</span>` +
        `<span>${word("left", state.left)}</span></div>` +
        `<div class="dora" aria-label="${word("dora")}">${dora}</div></div>`;
}

// What stands over the table at the end of a kyoku, or of the game; empty elsewhere.
function resultHtml(game, kyoku, state) {
    const { key, value } = state.last;
    if (key === "hule") return winHtml(game, kyoku, state, value);
    if (key === "pingju") return drawHtml(game, kyoku, value);
    if (key === "jieju") return finalHtml(game, value);
    return "";
}

function winHtml(game, kyoku, state, hule) {
    const hand = parseHand(hule.shoupai), won = hand.tiles.pop();
    const how = hule.baojia === null ? word("tsumo") : `${word("ron")} ${word("from", game.name(kyoku, hule.baojia))}`;
    const yaku = (hule.hupai || []).map(one => `<li><span>${yakuWords(one.name)}</span><b>` +
        (typeof one.fanshu === "string" ? word("yakuman", one.fanshu.length) : `${one.fanshu} ${word("han")}`) + "</b></li>").join("");
    const worth = hule.damanguan ? word("yakuman", hule.damanguan) : [[hule.fu, "fu"], [hule.fanshu, "han"]]
        .filter(([value]) => value !== undefined).map(([value, unit]) => `${value} ${word(unit)}`).join(" ");
    const ura = hule.fubaopai ? `<div class="marks">${word("ura")} ${hule.fubaopai.map(tile => tileHtml(tile)).join("")}</div>` : "";
    return `<h2>${escapeHtml(game.name(kyoku, hule.l))} <small>${escapeHtml(how)}</small></h2>` +
        `<div class="tiles won">${hand.tiles.map(tile => tileHtml(tile)).join("")}${tileHtml(won, "drawn ")}` +
        `<span class="melds">${hand.melds.map(meldHtml).join("")}</span></div>` +
        `<div class="marks">${word("dora")} ${state.indicators.map(tile => tileHtml(tile)).join("")}</div>${ura}` +
        `<ul class="yaku">${yaku}</ul><p class="worth"><span>${worth}</span>` +
        (hule.defen === undefined ? "" : `<b>${pointsText(hule.defen)} ${word("points")}</b>`) + `</p>${paymentsHtml(game, kyoku, hule.fenpei)}`;
}

function drawHtml(game, kyoku, pingju) {
    const hands = pingju.shoupai.map((text, seat) => {
        if (!text) return "";
        const hand = parseHand(text);
        return `<div class="shown"><span>${escapeHtml(game.name(kyoku, seat))}</span><span class="tiles">${hand.tiles.map(tile => tileHtml(tile)).join("")}` +
            `<span class="melds">${hand.melds.map(meldHtml).join("")}</span></span></div>`;
    }).join("");
    return `<h2>${yakuWords(pingju.name)}</h2>${hands}${paymentsHtml(game, kyoku, pingju.fenpei)}`;
}

function signed(points) {
    return points > 0 ? `+${pointsText(points)}` : points < 0 ? `−${pointsText(-points)}` : "0";
}

function sign(points) {
    return points > 0 ? "plus" : points < 0 ? "minus" : "";
}

function paymentsHtml(game, kyoku, fenpei) {
    const rows = fenpei.map((points, seat) => `<li class="${sign(points)}"><span>${WORDS.ja.winds[seat]} ` +
        `${escapeHtml(game.name(kyoku, seat))}</span><b>${signed(points)}</b></li>`);
    return `<ul class="payments">${rows.join("")}</ul>`;
}

// Final points as records have them: text in 1.x, numbers in 2015.
function scoreText(point) {
    return `${Number(point) > 0 ? "+" : ""}${String(point).replace("-", "−")}`;
}

function finalHtml(game, jieju) {
    const order = [0, 1, 2, 3].sort((a, b) => jieju.rank[a] - jieju.rank[b]);
    const rows = order.map(player => `<li><span>${word("rank", jieju.rank[player])} ${escapeHtml(game.names[player])}</span>` +
        `<span>${pointsText(jieju.defen[player])}</span><b class="${sign(Number(jieju.point[player]))}">${scoreText(jieju.point[player])}</b></li>`);
    return `<h2>${word("final")}</h2><ul class="final">${rows.join("")}</ul>`;
}

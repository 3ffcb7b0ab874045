// The words of riichi in Japanese and English, and what is told in them beside the table: what each kyoku came to, and the
// answers that belong to a position. Yaku keep their Japanese name; English puts its own before it.
"use strict";

addWords({
    en: {
        honours: (n) => ["East", "South", "West", "North", "White", "Green", "Red"][n],
        winds: (n) => ["East", "South", "West", "North"][n],
        hidden: "hidden tile",
        red: "red ",
        round: (w, n) => `${["East", "South", "West", "North"][w]} ${n}`,
        honba: (n) => `${n} honba`,
        sticks: (n) => `${n} stick${n === 1 ? "" : "s"}`,
        left: (n) => `${n} left`,
        dora: "Dora",
        ura: "Ura",
        tsumogiri: "drawn and discarded",
        called: (name) => `called by ${name}`,
        riichi: "Riichi",
        wall: "Wall and ura",
        roundBack: "Kyoku back",
        roundOn: "Next kyoku",
        position: "Position in the kyoku",
        rounds: "Kyoku",
        ron: "Ron",
        tsumo: "Tsumo",
        win: "Win",
        ankan: "Closed kan",
        aside: "North set aside",
        kakan: "Added kan",
        daiminkan: "Open kan",
        drawn: "drawn",
        taken: "called",
        chi: "Chi",
        pon: "Pon",
        call: "Call",
        declare: "Declare",
        pass: "pass",
        chombo: "Chombo",
        from: (name) => `from ${name}`,
        fu: "fu",
        han: "han",
        yakuman: (n) => (n > 1 ? `${n}× yakuman` : "Yakuman"),
        points: "points",
        showWaits: "Shanten and waits",
        shanten: (n) => (n > 0 ? `${n}-shanten` : n ? "complete" : "tenpai"),
        useful: (kinds, left) => `${kinds} kind${kinds === 1 ? "" : "s"}, ${left} left`,
        unseen: (n) => `${n} left`,
        awaited: (winds) => `awaited by ${winds}`,
        furiten: "furiten",
        dealer: "dealer",
        firstDealer: "First dealer",
        pointSticks: "Points in sticks",
        deadWall: "Dead wall (rinshan · dora above ura)",
        live: "Next draws",
        unknown: "This record does not tell the wall.",
        noDice: "The dice are not known here: the wall is drawn without its break.",
        all: "All hands",
    },
    ja: {
        honours: (n) => "東南西北白發中"[n],
        winds: (n) => "東南西北"[n],
        hidden: "伏せ牌",
        red: "赤",
        round: (w, n) => `${"東南西北"[w]}${"一二三四"[n - 1]}局`,
        honba: (n) => `${n}本場`,
        sticks: (n) => `供託${n}`,
        left: (n) => `残り${n}枚`,
        dora: "ドラ表示",
        ura: "裏ドラ",
        tsumogiri: "ツモ切り",
        called: (name) => `${name}が鳴き`,
        riichi: "リーチ",
        wall: "山と裏ドラ",
        roundBack: "前の局",
        roundOn: "次の局",
        position: "局の中の位置",
        rounds: "局",
        ron: "ロン",
        tsumo: "ツモ",
        win: "和了",
        ankan: "暗槓",
        aside: "北抜き",
        kakan: "加槓",
        daiminkan: "大明槓",
        drawn: "ツモ",
        taken: "鳴いた牌",
        chi: "チー",
        pon: "ポン",
        call: "鳴き",
        declare: "宣言",
        pass: "見送り",
        chombo: "チョンボ",
        from: (name) => `${name}から`,
        fu: "符",
        han: "飜",
        yakuman: (n) => (n > 1 ? `${n}倍役満` : "役満"),
        points: "点",
        showWaits: "向聴数と待ち",
        shanten: (n) => (n > 0 ? `${n < 7 ? "一二三四五六"[n - 1] : n}向聴` : n ? "和了形" : "聴牌"),
        useful: (kinds, left) => `${kinds}種${left}枚`,
        unseen: (n) => `残り${n}枚`,
        awaited: (winds) => `${winds}の待ち`,
        furiten: "振聴",
        dealer: "親",
        firstDealer: "起家",
        pointSticks: "点棒",
        deadWall: "王牌(嶺上・ドラ表示の下に裏)",
        live: "これからのツモ",
        unknown: "この牌譜には山の記録がありません。",
        noDice: "賽の目が不明なため、山は開門位置なしで描かれています。",
        all: "全員の手牌",
    },
});

/** What a 牌譜 calls a kyoku that a chombo has ended. */
const CHOMBO = "チョンボ";

/**
 * Yaku and draws in English: drawn by `python -m scripts.names` from table/riichi/points/names.py.
 * @type {Record<string, string>}
 */
const NAMES_ENGLISH = {
    門前清自摸和: "Menzen tsumo",
    立直: "Riichi",
    一発: "Ippatsu",
    槍槓: "Chankan",
    嶺上開花: "Rinshan",
    海底摸月: "Haitei",
    河底撈魚: "Houtei",
    平和: "Pinfu",
    断幺九: "Tanyao",
    一盃口: "Iipeikou",
    "自風 東": "Seat wind East",
    "自風 南": "Seat wind South",
    "自風 西": "Seat wind West",
    "自風 北": "Seat wind North",
    "場風 東": "Round wind East",
    "場風 南": "Round wind South",
    "場風 西": "Round wind West",
    "場風 北": "Round wind North",
    "翻牌 白": "Dragon White",
    "翻牌 發": "Dragon Green",
    "翻牌 中": "Dragon Red",
    ダブル立直: "Double riichi",
    七対子: "Chiitoitsu",
    混全帯幺九: "Chanta",
    一気通貫: "Ittsuu",
    三色同順: "Sanshoku",
    三色同刻: "Sanshoku doukou",
    三槓子: "Sankantsu",
    対々和: "Toitoi",
    三暗刻: "Sanankou",
    小三元: "Shousangen",
    混老頭: "Honroutou",
    二盃口: "Ryanpeikou",
    純全帯幺九: "Junchan",
    混一色: "Honitsu",
    清一色: "Chinitsu",
    人和: "Renhou",
    天和: "Tenhou",
    地和: "Chiihou",
    大三元: "Daisangen",
    四暗刻: "Suuankou",
    四暗刻単騎: "Suuankou tanki",
    字一色: "Tsuuiisou",
    緑一色: "Ryuuiisou",
    清老頭: "Chinroutou",
    九蓮宝燈: "Chuuren poutou",
    純正九蓮宝燈: "Pure chuuren",
    国士無双: "Kokushi musou",
    国士無双十三面: "Kokushi 13 waits",
    大四喜: "Daisuushii",
    小四喜: "Shousuushii",
    四槓子: "Suukantsu",
    ドラ: "Dora",
    裏ドラ: "Ura dora",
    赤ドラ: "Red five",
    抜きドラ: "North dora",
    荒牌平局: "Exhaustive draw",
    流し満貫: "Nagashi mangan",
    九種九牌: "Nine terminals",
    四風連打: "Four winds",
    四家立直: "Four riichi",
    四開槓: "Four kans",
    三家和: "Triple ron",
    チョンボ: "Chombo",
};

/** @param {string} name */
function yakuWords(name) {
    return LANGUAGE !== "ja" && Object.hasOwn(NAMES_ENGLISH, name) ? `${NAMES_ENGLISH[name]} ${name}` : name;
}

/**
 * What each kyoku came to, by player. The stick of a riichi is part of what its player lost.
 * @param {Game} game
 * @returns {RoundSummary[]}
 */
function roundsOf(game) {
    return game.rounds.map((kyoku, number) => {
        const { zhuangfeng, jushu, changbang, defen } = kyoku.qipai;
        const result = resultOf(game, number);
        const declared = kyoku.items.flatMap(({ dapai }) => (dapai?.p.includes("*") ? [dapai.l] : []));
        const players = game.names.map((_, player) => {
            const seat = game.seat(number, player);
            const moved = result ? result.deltas[player] : null;
            const marks = [];
            if (seat === 0) marks.push({ sign: "親", word: word("dealer") });
            if (declared.includes(seat)) marks.push({ sign: "●", word: word("riichi") });
            return { moved, total: moved === null ? null : defen[seat] + moved, marks };
        });
        const ends = result?.ends.map((end) => html`<span>${endView(game, number, end)}</span>`);
        const name = word("round", zhuangfeng, jushu + 1);
        return { name, note: word("honba", changbang), end: ends ?? word("ongoing"), players };
    });
}

/**
 * @param {Game} game
 * @param {number} kyoku
 * @param {Item} end
 */
function endView(game, kyoku, { hule, pingju }) {
    if (pingju?.l !== undefined)
        return html`<span class="who">${game.name(kyoku, pingju.l)}</span> ${yakuWords(pingju.name)}`;
    if (!hule) return pingju ? yakuWords(pingju.name) : "";
    const winner = html`<span class="who">${game.name(kyoku, hule.l)}</span>`;
    if (hule.baojia === null) return html`${winner} ${word("tsumo")}`;
    return html`${winner} ${word("ron")} <span class="who">${word("from", game.name(kyoku, hule.baojia))}</span>`;
}

/**
 * The answers that belong to a position: the one that is being shown, and what the table waits for next.
 * @param {Game} game
 * @param {number} number
 * @param {number} at
 * @returns {ShownAnswer[]}
 */
function answersAt(game, number, at) {
    const kyoku = game.rounds[number];
    const who = (/** @type {Answer} */ { seat }) => `${HONOURS[game.seat(number, seat)]} ${game.names[seat]}`;
    const mover = kyoku.turns
        .find((turn) => turn.at === at)
        ?.answers.find((answer) => moves(game, number, kyoku.items[at], answer));
    const running = kyoku.turns.filter((turn) => turn.at < at).pop()?.answers ?? [];
    const waiting = running.map((answer) => ({ answer, now: false, who: who(answer) }));
    return mover ? [{ answer: mover, now: true, who: who(mover) }, ...waiting] : waiting;
}

/**
 * Whether an answer is the one that an item shows: of the seat whose turn it was.
 * @param {Game} game
 * @param {number} kyoku
 * @param {Item | undefined} item
 * @param {Answer} answer
 */
function moves(game, kyoku, item, answer) {
    const shown = item?.dapai ?? item?.fulou ?? item?.gang ?? item?.penuki ?? item?.hule;
    return shown?.l === game.seat(kyoku, answer.seat);
}

/**
 * A reply in Majiang's form as tiles and words.
 * @param {Reply} reply
 */
function replyView(reply) {
    if (reply.dapai) {
        const [tile, drawn] = [reply.dapai.slice(0, 2), reply.dapai.includes("_")];
        const marks = [
            reply.dapai.includes("*") && word("riichi"),
            tile[1] === "0" && word("red").trim(),
            drawn && word("drawn"),
        ];
        const told = marks.filter(Boolean).join(" ");
        return html`${told && html`<em>${told}</em>`}${tileView(tile, drawn ? "tsumogiri" : "")}`;
    }
    const text = reply.fulou || reply.gang;
    if (text) {
        const meld = parseMeld(text);
        return html`<em>${word(meld.kind)}</em>${meldView(meld)}`;
    }
    if (reply.penuki) return html`<em>${word("aside")}</em>${tileView(reply.penuki)}`;
    if (reply.hule) return html`<em>${word("win")}</em>`;
    if (reply.chombo) return html`<em>${word("chombo")}</em>`;
    if (reply.daopai) return html`<em>${word("declare")}</em>`;
    return html`<em class="quiet">${word("pass")}</em>`;
}

/**
 * The tiles that nobody has seen yet, where the record tells them: next draws, and the dead wall from the left.
 * @param {Kyoku} kyoku
 * @param {State} state
 * @param {boolean} shared
 */
function hiddenWall(kyoku, state, shared) {
    const tiles = shared && kyoku.wall?.wall.match(/../g);
    if (!tiles) return html`<p class="quiet">${word("unknown")}</p>`;
    const { dealt, rinshan } = wallOf(state);
    const dead = tiles.slice(-DEAD);
    const wall = tiles.slice(dealt, -DEAD);
    const live = wall.slice(state.draws, wall.length - state.kans);
    const stacks = [0, 1, 2, 3, 4, 5, 6].map((n) => {
        const [upper, lower] = [0, 1].map((level) => {
            const place = n * 2 + level;
            return place < Math.min(state.kans, rinshan)
                ? html`<span class="tile gone"></span>`
                : tileView(dead[place]);
        });
        return html`<span class="stack">${upper}${lower}</span>`;
    });
    return html`<h3>${word("deadWall")}</h3>
        <div class="tiles small dead-wall">${stacks}</div>
        <h3>${word("live")}</h3>
        <div class="tiles small live-wall">${live.map((tile) => tileView(tile))}</div>`;
}

/** @type {GamePage} */
const PAGE = {
    toggles: [
        { id: "wall", key: "w", word: "wall" },
        { id: "waits", key: "t", word: "showWaits", on: true },
    ],
    blames: ({ pingju }) => pingju?.name === CHOMBO,
    jumps: [
        { id: "difference", key: "d", word: "difference", of: differences, reviewed: true },
        { id: "riichi", key: "i", word: "riichi", of: eventsThat(({ dapai }) => Boolean(dapai?.p.includes("*"))) },
        { id: "call", key: "c", word: "call", of: eventsThat(({ fulou, gang }) => Boolean(fulou ?? gang)) },
        { id: "win", key: "a", word: "win", of: eventsThat(({ hule }) => Boolean(hule)) },
    ],
    faces: () => html`<svg width="0" height="0">${tileSymbols()}</svg>`,
    endsTurn: (item) => Boolean(item.dapai || item.hule || item.pingju || item.qipai),
    lingers: (item) => Boolean(item.hule || item.pingju || item.jieju),
    rounds: (game) => roundsOf(game),
    picture(game, number, count, { base, sees, on }) {
        const kyoku = game.rounds[number];
        const state = stateAt(kyoku, count);
        const seat = (/** @type {number} */ player) => (player < 0 ? -1 : game.seat(number, player));
        const seen = { base: seat(base), sees: seat(sees), acting: actingSeat(state), waits: on.has("waits") };
        return {
            place: `${word("round", state.round, state.number + 1)} ${word("honba", state.honba)}`,
            table: tableView(game, number, state, seen),
            result: resultView(game, number, state),
            answers: answersAt(game, number, count),
            extra: on.has("wall") ? hiddenWall(kyoku, state, game.walls === "shared") : null,
        };
    },
};

/**
 * Where the reviewer would have done something else: before the move, or with the tile that could be claimed.
 * @param {ShownRound} shown
 */
function differences({ turns }) {
    const before = turns.flatMap(({ at, answers }) =>
        answers
            .filter(({ review }) => review?.agrees === false)
            .map(({ options }) => (options?.some(({ dapai }) => dapai) ? at - 1 : at)),
    );
    return [...new Set(before)].sort((a, b) => a - b);
}

/**
 * Whose turn it is: who has just drawn or called, or whose discard is being looked at.
 * @param {State} state
 */
function actingSeat({ last }) {
    const mover = last.zimo ?? last.gangzimo ?? last.dapai ?? last.lizhi ?? last.fulou ?? last.gang ?? last.penuki;
    return mover ? mover.l : -1;
}

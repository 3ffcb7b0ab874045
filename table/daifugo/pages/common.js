// What the pages of 大富豪 rooms share: their words, who sits where in this browser, what a notice says, and the table as a
// game message shows it, for who looks on and for who plays. Every game message is a full snapshot.
"use strict";

addWords({
    en: {
        quickPlay: "Quick play",
        quickPlayTold: "You against computer players, at once.",
        quickPlayA: "Play class A",
        quickPlayB: "Play class B",
        nobody: "Guest",
        roomsOfA: "Rooms of class A",
        roomsOfB: "Rooms of class B: kaidan and forbidden finishes",
        roomList: "Rooms",
        backToSeat: "Back to your seat",
        theClass: "Class",
        classOf: (letter) => `class ${letter}`,
        "state-free": "free",
        "state-open": "open",
        "state-playing": "playing",
        "state-over": "over",
        people: (n, of) => `${n} of ${of} players`,
        roundOf: (n, of) => `round ${n} of ${of}`,
        roomsPlaying: (n) => `${n} playing`,
        offline: "The server is away; trying again…",
        away: (name) => `${name} (away)`,
        table: "Table",
        trick: "Trick",
        seats: "Seats",
        yourHand: "Your hand",
        yourCards: "Your cards",
        standings: "Standings",
        standingsLater: "After the first round.",
        player: "Name",
        total: "Total",
        lastRound: "Last",
        tweets: "Said at the table",
        dealing: "Dealing",
        roundEnds: "Round over",
        goesOut: (name) => `${name} goes out`,
        inRevolution: "revolution",
        timedOut: "(the time was up)",
        waitForStart: "Waiting for the start.",
        thinking: (name) => `${name} is thinking.`,
        nothingToPlay: "Nothing can be played: pass.",
        cannotPlay: (cards) => `${cards} cannot be played now.`,
        chooseCards: "Choose cards first.",
        noPlay: "These cards cannot be played like this.",
        leaderPasses: "The leader may not pass.",
        notBegun: "The game has not begun.",
        running: "A game is played.",
        noEntry: "This room lets nobody in now.",
        passedForYou: "Time was up: the table passed for you.",
        playedForYou: (cards) => `Time was up: the table played ${cards} for you.`,
        placed: (place, rank) => `${place}: ${rank}`,
        putCards: "Play",
        passTurn: "Pass",
        start: "Start",
        sittingKeys: "← → move · Space choose · Enter play · P pass · Esc clear",
        rules: "Rules",
        rulesOn: "With",
        rulesOff: "Without",
        ruleRevolution: "revolution (4 cards or more)",
        ruleExchange: "exchange of cards",
        ruleKaidan: "kaidan (3 or more of a suit in a row)",
        "ruleKaidan-same": "kaidan (3 or more of a suit in a row), answered by as many",
        "ruleKaidan-any": "kaidan (3 or more of a suit in a row), answered by any number",
        ruleFoul: "no finish with the joker or a 2 (in a revolution a 3)",
        ruleFinish: "forbidden finishes",
        rulesNever: "8-cut, lock of suits, ♠3 over the joker, 11-back, fall of the daifugo",
    },
    ja: {
        quickPlay: "クイックプレイ",
        quickPlayTold: "コンピュータとすぐに対戦します。",
        quickPlayA: "クラスAで対戦",
        quickPlayB: "クラスBで対戦",
        nobody: "あなた",
        roomsOfA: "クラスAの部屋",
        roomsOfB: "クラスBの部屋: 階段、反則あがり",
        roomList: "部屋一覧",
        backToSeat: "席に戻る",
        theClass: "クラス",
        classOf: (letter) => `クラス${letter}`,
        "state-free": "空き",
        "state-open": "受付中",
        "state-playing": "プレイ中",
        "state-over": "終了",
        people: (n, of) => `${n}/${of}人`,
        roundOf: (n, of) => `第${n}ラウンド / ${of}`,
        roomsPlaying: (n) => `${n}部屋がプレイ中`,
        offline: "サーバーにつながりません。つなぎ直しています…",
        away: (name) => `${name}(離脱)`,
        table: "卓",
        trick: "場",
        seats: "席",
        yourHand: "自分の席",
        yourCards: "自分の手札",
        standings: "成績表",
        standingsLater: "第1ラウンドの後に出ます。",
        player: "名前",
        total: "総合",
        lastRound: "直前",
        tweets: "発言",
        dealing: "配り",
        roundEnds: "ラウンド終了",
        goesOut: (name) => `${name}あがり`,
        inRevolution: "革命中",
        timedOut: "(時間切れ)",
        waitForStart: "開始を待っています。",
        thinking: (name) => `${name}が考えています。`,
        nothingToPlay: "出せる札がありません。パスしてください。",
        cannotPlay: (cards) => `${cards}は今出せません。`,
        chooseCards: "札を選んでください。",
        noPlay: "この組では出せません。",
        leaderPasses: "親はパスできません。",
        notBegun: "ゲームが始まっていません。",
        running: "ゲーム中です。",
        noEntry: "この部屋には入れません。",
        passedForYou: "時間切れのためパスになりました。",
        playedForYou: (cards) => `時間切れのため${cards}が出されました。`,
        placed: (place, rank) => `${place}: ${rank}`,
        putCards: "出す",
        passTurn: "パス",
        start: "開始",
        sittingKeys: "← → 札を移る · Space 選ぶ · Enter 出す · P パス · Esc 取り消す",
        rules: "ルール",
        rulesOn: "あり",
        rulesOff: "なし",
        ruleRevolution: "革命(4枚以上)",
        ruleExchange: "カード交換",
        ruleKaidan: "階段(同じマークの3枚以上の連番)",
        "ruleKaidan-same": "階段(同じマークの3枚以上の連番、返しは同じ枚数)",
        "ruleKaidan-any": "階段(同じマークの3枚以上の連番、返しは何枚でも)",
        ruleFoul: "反則あがり(ジョーカー、2、革命中は3)",
        ruleFinish: "反則あがり",
        rulesNever: "8切り、縛り、スペ3返し、11バック、都落ち",
    },
});

/** What the server puts behind the name of a player whose connection is gone, for every program. */
const AWAY = "(離脱)";

/**
 * A name as it stands on the page.
 * @type {(name: string) => string}
 */
const shownName = (name) => (name.endsWith(AWAY) ? word("away", name.slice(0, -AWAY.length)) : name);

/** @type {(name: string) => string} */
const startWanted = (name) => `jantaku.start.${name}`;

/**
 * Choose a seat in a room, and go there. `start`: the series begins at once.
 * @param {string} letter
 * @param {string} name
 * @param {string} person
 * @param {boolean} [start]
 */
function sitDown(letter, name, person, start = false) {
    chooseSeat(name, person);
    if (start) sessionStorage.setItem(startWanted(name), "1");
    location.assign(`/sit/${letter}/${name}`);
}

/** The name in a form, which is where the person may change it. */
const nameGiven = () => /** @type {HTMLInputElement} */ ($("name")).value.trim() || word("nobody");

/** Say in an empty field for a name what its person is called otherwise. */
function labelName() {
    /** @type {HTMLInputElement} */ ($("name")).placeholder = word("nobody");
}

/**
 * Hear how it stands in a room; why there can be none of that name is shown as it is.
 * @type {(name: string, told: (notice: RoomNotice) => void) => void}
 */
function followRoom(name, told) {
    /** @type {(message: RoomNotice | Refusal) => void} */
    const heard = (message) => ("Message" in message ? tell("state", () => message.Message) : told(message));
    follow(`/rooms/${encodeURIComponent(name)}`, heard);
}

/** @type {(notice: RoomNotice) => string} */
function stateWords(notice) {
    const { state, letter, players, seats, round, rounds } = notice;
    const parts = [
        word(`state-${state}`),
        letter && word("classOf", letter),
        players?.length && word("people", players.length, seats),
        state === "playing" && round && word("roundOf", round, rounds),
    ];
    return parts.filter(Boolean).join(" · ");
}

/**
 * Which of the rules are in force that differ from table to table.
 * @type {(notice: RoomNotice) => Rendered}
 */
function rulesView({ letter, kaidan }) {
    if (!letter) return "";
    const runs = [word(kaidan ? `ruleKaidan-${kaidan}` : "ruleKaidan"), word("ruleFoul")];
    const on = [word("ruleRevolution"), word("ruleExchange"), ...(letter === "B" ? runs : [])];
    const off = [...(letter === "B" ? [] : [word("ruleKaidan"), word("ruleFinish")]), word("rulesNever")];
    const separator = word("comma");
    return html`<p><b>${word("rulesOn")}</b> ${on.join(separator)}</p>
        <p class="quiet"><b>${word("rulesOff")}</b> ${off.join(separator)}</p>`;
}

/**
 * A name that is cut where it is too long; the whole of it is told where the mouse points.
 * @type {(seat: number, name: string) => Rendered}
 */
const nameView = (seat, name) => html`<div class="name" title=${shownName(name)}>${seat} ${shownName(name)}</div>`;

/**
 * Who sits there before anything is dealt.
 * @type {(notice: RoomNotice) => Rendered}
 */
const waitingView = (notice) =>
    (notice.players ?? []).map(
        (name, seat) => html`<li key=${seat} class="guest"><div class="who">${nameView(seat, name)}</div></li>`,
    );

/**
 * The standings of a series, best first (成績表).
 * @type {(notice: RoomNotice) => Rendered}
 */
function standingsView(notice) {
    const rows = [...(notice.standings ?? [])].sort((a, b) => b.total - a.total);
    if (!rows.length) return html`<p class="quiet">${word("standingsLater")}</p>`;
    const classes = [2, 1, 0, -1, -2].map((rank) => html`<th scope="col" class="class">${word("ranks", rank)}</th>`);
    const columns = ["player", "total", "lastRound"].map((name) => html`<th scope="col">${word(name)}</th>`);
    return html`
        <table>
            <thead>
                <tr>${columns}${classes}</tr>
            </thead>
            <tbody>
                ${rows.map(
                    (row) => html`
                        <tr>
                            <th scope="row">${shownName(row.name)}</th>
                            <td>${row.total}</td>
                            <td>${row.last}</td>
                            ${row.times.map((times) => html`<td>${times}</td>`)}
                        </tr>
                    `,
                )}
            </tbody>
        </table>
    `;
}

/** What the server says for a seat whose time is over, to every program. */
const TIMED_OUT = "（サーバ処理：タイムアウト）";
/** The words for kinds of messages. @type {Record<string, string>} */
const NEWS = {
    Kakumei: "kakumei",
    Nagare: "nagare",
    Start: "dealing",
    CardSwapped: "exchange",
    Finish: "roundEnds",
};

/**
 * Who made the plays of the trick that runs, by number of the play.
 * @type {(shown: Snapshot) => number[]}
 */
function makersOf(shown) {
    const since = shown.History.slice(shown.History.lastIndexOf("/") + 1);
    return since.filter((entry) => entry.includes("-[")).map((entry) => Number(entry[0]));
}

/**
 * The name of a seat as it stands on the page.
 * @type {(shown: Snapshot | null, seat: number) => string}
 */
const nameAt = (shown, seat) => shownName(shown?.PlayerInfo[seat]?.Name || `${seat ?? ""}`);

/** @type {(shown: Snapshot) => Rendered} */
function trickView(shown) {
    const makers = makersOf(shown);
    return shown.Ba.map(
        (play, number) => html`
            <div class="play" key=${number}>
                <div class="cards">${cardRow(cardsOf(play))}</div>
                <p>${nameAt(shown, makers[number])}</p>
            </div>
        `,
    );
}

/**
 * One seat: who sits there, and the cards that are to be seen, or how many there are.
 * @type {(shown: Snapshot, seat: number) => Rendered}
 */
function seatView(shown, seat) {
    const info = shown.PlayerInfo[seat];
    const turn = shown.Teban === seat && shown.Kind !== "Finish" && shown.Kind !== "Start";
    const own = shown.Deck !== undefined && seat === shown.YourNum;
    const cards = weakestFirst(cardsOf(shown.AllDeck?.[seat] ?? ""), shown.IsKakumei);
    return html`
        <li key=${seat} class=${`seat${turn ? " turn" : ""}${own ? " own" : ""}`} aria-current=${turn ? "true" : null}>
            <div class="who">
                ${nameView(seat, info.Name)}
                <div class="about">
                    <span class=${`rank r${info.Ranking}`}>${word("ranks", info.Ranking)}</span>
                    <span>${word("cards", info.HavingCardCount)}</span>
                    ${info.OrderOfFinish ? html`<span class="out">${word("rank", info.OrderOfFinish)}</span>` : null}
                </div>
            </div>
            <div class="hand">${cards.length || own ? cardRow(cards) : cardBacks(info.HavingCardCount)}</div>
        </li>
    `;
}

/** @type {(entry: string, shown: Snapshot) => [className: string, text: string]} */
function historyWords(entry, shown) {
    if (entry === "/") return ["nagare", word("nagare")];
    const name = nameAt(shown, Number(entry[0]));
    const what = entry.slice(2);
    if (what === "PASS") return ["pass", `${name}: ${word("pass")}`];
    if (what === "AGARI") return ["agari", word("goesOut", name)];
    return ["", `${name}: ${cardsInWords(what.slice(1, -1))}`];
}

/** @type {(shown: Snapshot) => Rendered} */
const historyView = (shown) =>
    shown.History.map((entry, number) => {
        const [className, text] = historyWords(entry, shown);
        return html`<li key=${number} class=${className}>${text}</li>`;
    });

/** @type {(shown: Snapshot) => string} */
function newsOf(shown) {
    if (shown.Kind === "Kakumei" && !shown.IsKakumei) return word("revolutionBack");
    if (shown.Kind === "Agari") return word("goesOut", nameAt(shown, shown.Teban));
    return Object.hasOwn(NEWS, shown.Kind) ? word(NEWS[shown.Kind]) : "";
}

/** @param {Snapshot} shown */
function drawBoard(shown) {
    document.body.classList.toggle("revolution", shown.IsKakumei);
    show("news", newsOf(shown));
    show("plays", trickView(shown));
    show(
        "seats",
        shown.PlayerInfo.map((_, seat) => seatView(shown, seat)),
    );
    show("history", historyView(shown));
    $("history").scrollTop = $("history").scrollHeight;
}

const KEPT_TWEETS = 200;
/** @type {[name: string, text: string][]} */
const tweets = [];

/** @type {(name: string, text: string) => void} */
function tweeted(name, text) {
    tweets.push([name, text]);
    if (tweets.length > KEPT_TWEETS) tweets.shift();
    drawTweets();
}

function drawTweets() {
    const lines = tweets.map(([name, text]) => [shownName(name), text === TIMED_OUT ? word("timedOut") : text]);
    show(
        "tweets",
        lines.map(([who, said]) => html`<li><span class="tweeter">${who}</span> <span>${said}</span></li>`),
    );
    $("tweets").scrollTop = $("tweets").scrollHeight;
}

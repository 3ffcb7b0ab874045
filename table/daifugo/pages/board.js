// The table as a game message shows it, for who looks on and for who plays. Every game message is a full snapshot.
"use strict";

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

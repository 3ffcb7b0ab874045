// Playing cards and the words of 大富豪, in Japanese and English. The viewer calls ranks of players by their Japanese name.
// A card is named as in messages and records, suit and rank: "S3", "H0" for the ten, "JK" for the joker; a set of cards is
// their names with one space between them.
"use strict";

/** @type {Record<string, string>} */
const CLASSES_ENGLISH = { 2: "Daifugo", 1: "Fugo", 0: "Heimin", "-1": "Hinmin", "-2": "Daihinmin" };
/** @type {Record<string, string>} */
const SUITS_ENGLISH = { S: "spade", H: "heart", D: "diamond", C: "club" };
/** @type {Record<string, string>} */
const SUITS_JAPANESE = { S: "スペード", H: "ハート", D: "ダイヤ", C: "クラブ" };

addWords({
    en: {
        round: (n) => `Round ${n}`,
        rounds: "Rounds",
        roundBack: "Round back",
        roundOn: "Next round",
        position: "Position in the round",
        cards: (n) => `${n} card${n === 1 ? "" : "s"}`,
        points: (n) => `${n} pt`,
        pile: (n) => `${n} card${n === 1 ? "" : "s"} gone`,
        lead: (name) => `${name} leads`,
        pass: "pass",
        revolution: "Revolution: order reversed",
        revolutionBack: "Revolution back: order as usual",
        kakumei: "Revolution",
        out: "Out",
        nagare: "Trick over (nagare)",
        agari: (name, place) => `${name} goes out, ${place}`,
        foul: "forbidden finish",
        exchange: "Exchange",
        gives: (giver, taker) => `${giver} gives ${taker}`,
        dealt: "Dealt",
        roundOver: (n) => `Round ${n} is over`,
        history: "Plays of the round",
        ranks: (n) => CLASSES_ENGLISH[n],
        suit: (mark) => SUITS_ENGLISH[mark] ?? "no card",
        joker: "joker",
        comma: ", ",
        all: "All hands",
    },
    ja: {
        round: (n) => `第${n}回`,
        rounds: "回",
        roundBack: "前の回",
        roundOn: "次の回",
        position: "回の中の位置",
        cards: (n) => `${n}枚`,
        points: (n) => `${n}点`,
        pile: (n) => `山${n}枚`,
        lead: (name) => `${name}が親`,
        pass: "パス",
        revolution: "革命",
        revolutionBack: "革命返し",
        kakumei: "革命",
        out: "上がり",
        nagare: "流れ",
        agari: (name, place) => `${name}あがり(${place})`,
        foul: "反則あがり",
        exchange: "カード交換",
        gives: (giver, taker) => `${giver}から${taker}へ`,
        dealt: "配札",
        roundOver: (n) => `第${n}回終了`,
        history: "この回の履歴",
        ranks: (n) => CLASS_WORDS[n],
        suit: (mark) => SUITS_JAPANESE[mark] ?? "札なし",
        joker: "ジョーカー",
        comma: "、",
        all: "全員の手札",
    },
});

/** @type {Record<string, string>} */
const SUIT_MARKS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** @type {Record<string, string>} */
const CLASS_WORDS = { 2: "大富豪", 1: "富豪", 0: "平民", "-1": "貧民", "-2": "大貧民" };
const CARD_ORDER = "34567890JQKA2";
const JOKER = "JK";

/** @type {(text: string) => string[]} */
const cardsOf = (text) => (text ? text.split(" ") : []);

/**
 * The cards, weakest first in the order that is in force; the joker is always last.
 * @type {(cards: string[], revolution?: boolean) => string[]}
 */
function weakestFirst(cards, revolution = false) {
    const sign = revolution ? -1 : 1;
    /** @type {(card: string) => number} */
    const strength = (card) => (card === JOKER ? 99 : sign * CARD_ORDER.indexOf(card[1]));
    return [...cards].sort((a, b) => strength(a) - strength(b) || "CDHS".indexOf(a[0]) - "CDHS".indexOf(b[0]));
}

/** @type {(card: string) => string} */
const rankMark = (card) => (card === JOKER ? "★" : card[1] === "0" ? "10" : card[1]);

/**
 * The mark of the suit of a card; what is no card has none.
 * @type {(card: string) => string}
 */
const suitMark = (card) => SUIT_MARKS[card[0]] ?? "";

/**
 * A card as it is read out, with all that is printed on it.
 * @type {(card: string) => string}
 */
const cardName = (card) =>
    card === JOKER ? `${word("joker")} ${JOKER}` : `${word("suit", card[0])} ${rankMark(card)}`;

/**
 * A set of cards in a line of text.
 * @type {(text: string) => string}
 */
const cardsInWords = (text) =>
    cardsOf(text)
        .map((card) => (card === JOKER ? JOKER : suitMark(card) + rankMark(card)))
        .join(" ");

/** @type {(card: string) => string} */
const cardClass = (card) => `card ${card === JOKER ? "J" : card[0]}`;

/**
 * What is printed on a card, for the element that is the card.
 * @type {(card: string) => Rendered}
 */
const cardFace = (card) => html`
    <span class="rank-mark" aria-hidden="true">${rankMark(card)}</span>
    <span class="suit" aria-hidden="true">${card === JOKER ? JOKER : suitMark(card)}</span>
`;

/**
 * Cards that are only looked at.
 * @type {(cards: string[]) => Rendered}
 */
const cardRow = (cards) =>
    cards.map(
        (card) => html`
            <span key=${card} class=${cardClass(card)} data-card=${card} role="img" aria-label=${cardName(card)}>
                ${cardFace(card)}
            </span>
        `,
    );

/**
 * So many cards of which only the backs are seen.
 * @type {(count: number) => Rendered}
 */
const cardBacks = (count) => Array.from({ length: count }, () => html`<span class="back" aria-hidden="true" />`);

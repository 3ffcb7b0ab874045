// Playing cards and the words of 大富豪. A card is named as in messages and records, suit and rank: "S3", "H0" for the
// ten, "JK" for the joker; a set of cards is their names with one space between them.
"use strict";

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

// The series as a list of rounds, built from the items of its journal as they come, and the table at any of them.
"use strict";

const CARDS = 53;

class Game {
    /** @param {Head} head */
    constructor(head) {
        this.title = head.title || "";
        this.names = head.player || [];
        this.faces = head.faces || [];
        this.review = "";
        this.notes = head.notes || [];
        /** @type {number | undefined} */
        this.number = undefined; // a running series is not asked for options
        /** @type {Round[]} */
        this.rounds = [];
        /** The round that is to be dealt.
         * @type {{number: number, ranks: number[]} | null} */
        this.next = null;
    }

    /**
     * One more item of the stream. Returns true if there is a new position to look at.
     * @param {Item} item
     */
    feed(item) {
        if (item.round) {
            this.next = item.round;
            return false;
        }
        if (item.deal && this.next) {
            this.rounds.push({ ...this.next, before: this.pointsUpTo(this.rounds.length), items: [], turns: [] });
            this.next = null;
        }
        const round = this.rounds.at(-1);
        if (!round) return false;
        if (item.answers) {
            round.turns.push({ at: round.items.length, turn: item.turn ?? null, answers: item.answers });
            return false;
        }
        round.items.push(item);
        return true;
    }

    /**
     * Turns that are here come again with options: not in this game.
     * @param {Turn[]} _turns
     */
    complete(_turns) {}

    /** @param {number} seat */
    name(seat) {
        return this.names[seat] || `${seat}`;
    }

    /**
     * The points of the first so many rounds.
     * @param {number} count
     */
    pointsUpTo(count) {
        const ends = this.rounds.slice(0, count).flatMap((round) => resultOf(round) ?? []);
        return this.names.map((_, seat) => ends.reduce((sum, end) => sum + end.points[seat], 0));
    }
}

/**
 * How a round ended; null while it goes on.
 * @param {Round} round
 * @returns {Finish | null}
 */
function resultOf(round) {
    return round.items.find((item) => item.finish)?.finish ?? null;
}

/**
 * The table after the first `count` items of a round.
 * @param {Round} round
 * @param {number} count
 */
function stateAt(round, count) {
    const state = new State(round);
    for (const item of round.items.slice(0, count)) state.apply(item);
    return state;
}

/** The table at one moment of a round. A card that nobody may see is null. */
class State {
    /** @param {Round} round */
    constructor({ number, ranks, before }) {
        this.number = number;
        this.ranks = ranks;
        this.points = before;
        /** @type {(string | null)[][]} */
        this.hands = ranks.map(() => []);
        /** 1 for the first who went out and so on; 0: still in. */
        this.places = ranks.map(() => 0);
        /** Why a finish was forbidden, by seat.
         * @type {Record<number, string>} */
        this.fouls = {};
        /** Plays and passes of the round in tricks; the last one runs.
         * @type {Play[][]} */
        this.tricks = [[]];
        this.revolution = false;
        /** Whose turn it is or was; -1 before anybody leads. */
        this.acting = -1;
        /** @type {Item} */
        this.last = {};
    }

    /** Plays and passes of the trick that runs. */
    get trick() {
        return this.tricks.at(-1) ?? [];
    }

    /** How many cards the tricks before have taken away (山). */
    get pile() {
        return this.tricks.slice(0, -1).flatMap((trick) => trick.flatMap((play) => cardsOf(play.cards))).length;
    }

    /** The seats that have passed since the last play. */
    get passed() {
        const since = this.trick.findLastIndex((play) => play.cards) + 1;
        return new Set(this.trick.slice(since).map((play) => play.seat));
    }

    /** @param {Item} item */
    apply(item) {
        this.last = item;
        if (item.deal)
            this.hands = item.deal.map((hand, seat) => (hand ? cardsOf(hand) : unseen(seat, this.ranks.length)));
        else if (item.leader !== undefined) this.acting = item.leader;
        else if (item.exchange) for (const gift of item.exchange) this.give(gift);
        else if (item.play) this.play(item.play);
        else if (item.revolution !== undefined) this.revolution = item.revolution;
        else if (item.nagare) this.tricks.push([]);
        else if (item.agari) this.goOut(item.agari);
        else if (item.finish) this.finish(item.finish);
    }

    /** @param {Gift} gift */
    give({ giver, taker, cards }) {
        this.lose(giver, cardsOf(cards));
        this.hands[taker].push(...cardsOf(cards));
    }

    /** @param {Play} play */
    play(play) {
        this.lose(play.seat, cardsOf(play.cards));
        this.trick.push(play);
        this.acting = play.seat;
    }

    /**
     * Cards leave a hand; a hidden hand loses cards that nobody saw before.
     * @param {number} seat
     * @param {string[]} cards
     */
    lose(seat, cards) {
        const hand = this.hands[seat];
        for (const card of cards) {
            const at = hand.includes(card) ? hand.indexOf(card) : hand.indexOf(null);
            if (at >= 0) hand.splice(at, 1);
        }
    }

    /** @param {{seat: number, place: number, foul: string}} agari */
    goOut({ seat, place, foul }) {
        this.places[seat] = place;
        if (foul) this.fouls[seat] = foul;
    }

    /** @param {Finish} finish */
    finish({ places, ranks, points }) {
        this.places = places;
        this.ranks = ranks;
        this.points = this.points.map((before, seat) => before + points[seat]);
    }
}

/**
 * A hand of which only the number of cards is known: one card a seat is dealt, from seat 0.
 * @param {number} seat
 * @param {number} seats
 * @returns {null[]}
 */
function unseen(seat, seats) {
    return Array(Math.ceil((CARDS - seat) / seats)).fill(null);
}

// Items are those of the journal of 大富豪. All lists are by seat; players keep their seat for the whole series.

interface Gift {
    giver: number;
    taker: number;
    cards: string;
}

/** No cards: a pass. */
interface Play {
    seat: number;
    cards: string;
}

interface Finish {
    places: number[];
    ranks: number[];
    points: number[];
}

/** The one item that an `Item` is stands under its key. */
interface Item {
    round?: { number: number; ranks: number[] };
    deal?: string[];
    leader?: number;
    exchange?: Gift[];
    play?: Play;
    revolution?: boolean;
    nagare?: boolean;
    agari?: { seat: number; place: number; foul: string };
    finish?: Finish;
    end?: { points: number[]; places: number[] };
    turn?: number | null;
    answers?: Answer[];
}

/** The cards of a play, nothing for a pass. */
type Reply = string;

/** `ranks` are those that its players begin it with, `before` the points of the rounds before. */
interface Round {
    number: number;
    ranks: number[];
    before: number[];
    items: Item[];
    turns: Turn[];
}

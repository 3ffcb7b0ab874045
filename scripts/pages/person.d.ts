// What the page is sent on which a person plays riichi.

/** What may be done now under the number of its question; `timer` in seconds, none without a clock. */
interface Choice {
    question: number;
    options: Reply[];
    default: Reply;
    timer?: { limit: number; bank: number; left: number; margin: number };
}

/** A decision that cost points for sure: what was `played` is worth `worth` ± `margin` less than the `choice`. */
interface Costly {
    kyoku: number;
    event: number;
    wind: number;
    number: number;
    honba: number;
    hand: string;
    played: Reply;
    choice: Reply;
    worth: number;
    margin: number;
}

/** What a discard leaves; `safety` by seat, null for the own one. */
interface DiscardFacts {
    tile: string;
    shanten: number;
    accepted: Record<string, number>;
    width: number;
    furiten: boolean;
    safety: (string | null)[];
}

/** What the table works out of the own hand; `seat` is that of the kyoku. */
interface Facts {
    seat: number;
    shanten: number;
    discards: DiscardFacts[];
    accepted: Record<string, number>;
    furiten: boolean;
    wins: { by: "ron" | "tsumo"; tile: string; riichi: boolean; points: number }[];
}

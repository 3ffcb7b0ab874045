// What the page is sent on which a person plays riichi.

/** What may be done now under the number of its question; `timer` in seconds, none without a clock. */
interface Choice {
    question: number;
    options: Reply[];
    default: Reply;
    timer?: { limit: number; bank: number; left: number; margin: number };
}

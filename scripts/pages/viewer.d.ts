// What the scripts of the viewer share: they are plain scripts in one page, not modules. Every game brings the types
// `Item` and `Reply`, the class `Game`, the constant `PAGE` and its words.

/** What a reviewer would have done; no reply where it was at fault. `agrees`: null where nobody knows. */
interface Review {
    reply: Reply | null;
    agrees: boolean | null;
    verdict: string;
    reason: string;
    meta?: unknown;
    values?: Values;
    worth?: number;
}

/** By option, what its player itself says that it is worth. */
type Values = (number | null)[];

interface Answer {
    seat: number;
    reply: Reply;
    verdict?: string | null;
    used?: number;
    allowed?: number | null;
    reason?: string;
    meta?: unknown;
    options?: Reply[];
    values?: Values;
    review?: Review;
}

/** `at`: before which item of its round it was. */
interface Turn {
    at: number;
    turn: number | null;
    answers: Answer[];
}

interface Head {
    title?: string;
    file?: string;
    game?: number;
    player?: string[];
    /** By player, the number of its colour. */
    faces?: number[];
    qijia?: number;
    walls?: string;
    notes?: string[];
    final?: { points: number[]; ranks: number[] } | null;
    /** Who has reviewed it. */
    review?: string;
}

interface Entry {
    head: Head;
    items?: Item[] | null;
    path?: string | null;
}

/** What a page is made with. `live` is the address of a running table, “?” that of the page; `opens`: bytes of a file
 * that its server reads. */
interface Book {
    records: Entry[];
    live: string | null;
    opens?: number;
    troubles?: string[];
}

/** A button that is on or off, with its key and its word. `on`: from the start. */
interface Toggle {
    id: string;
    key: string;
    word: string;
    on?: boolean;
}

/** What jumps are found in. */
interface ShownRound {
    items: Item[];
    turns: Turn[];
}

/** A kind of moments to go to, with its key (with Shift: the one before), its word, and where they are in a round. */
interface Jump {
    id: string;
    key: string;
    word: string;
    of(shown: ShownRound): number[];
    /** Whether there are such moments in reviewed games only. */
    reviewed?: boolean;
}

/** `now`: the answer that led to what is shown; the others are what the table waits for. */
interface ShownAnswer {
    answer: Answer;
    now: boolean;
    who: string;
}

/** Whose seat is at the bottom and whose eyes we see with (-1: all), by player, and what is switched on. */
interface Look {
    base: number;
    sees: number;
    on: Set<string>;
}

/** A position as it is shown. `result` stands over the table. */
interface Picture {
    place: string;
    table: Rendered;
    result: Rendered;
    answers: ShownAnswer[];
    extra: Rendered;
}

/** What a round did to a player. Nothing is known of a round that goes on. `sign` stands for `word`. */
interface PlayerSum {
    moved: number | null;
    total: number | null;
    marks: { sign: string; word: string }[];
}

/** What a round came to; `players` as in `names` of its game. */
interface RoundSummary {
    name: string;
    note: string;
    end: Rendered;
    players: PlayerSum[];
}

/** What a game brings to the viewer. `picture` is that of a round after `count` of its items. */
interface GamePage {
    toggles: Toggle[];
    jumps: Jump[];
    /** Whether an event tells of a fault, for records that hold no verdicts. */
    blames?(item: Item): boolean;
    faces(): Rendered;
    endsTurn(item: Item): boolean;
    lingers(item: Item): boolean;
    rounds(game: Game): RoundSummary[];
    picture(game: Game, round: number, count: number, look: Look): Picture;
}

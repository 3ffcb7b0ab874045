// What the pages of 大富豪 are sent: game messages, and what players say.

interface PlayerInfo {
    Name: string;
    HavingCardCount: number;
    OrderOfFinish: number;
    Ranking: number;
}

interface Snapshot {
    Kind: string;
    IsKakumei: boolean;
    Teban: number;
    Ba: string[];
    YourNum: number;
    /** For a player: its own hand. */
    Deck?: string;
    /** For who looks on: by seat, "" for a hand that is not to be seen. */
    AllDeck?: string[];
    History: string[];
    PlayerInfo: PlayerInfo[];
}

interface Tweet {
    Kind: "Tweet";
    PlayerNum: number;
    Message: string;
}

/** A refusal. */
interface Refusal {
    Kind: "Exception";
    Message: string;
}

/** What may be played now, and the seconds that are left for it; null: no clock. */
interface Choice {
    Kind: "Choice";
    Question: number;
    Plays: string[];
    Seconds: number | null;
    Allowed: number | null;
}

/** What /rooms tells of every room, and /rooms/{RoomID} of one. */
interface RoomNotice {
    room: string;
    letter: string;
    state: "free" | "open" | "playing" | "over";
    players?: string[];
    seats?: number;
    series?: number;
    round?: number;
    rounds?: number;
    kaidan?: "same" | "any";
    standings?: { name: string; total: number; last: number; times: number[] }[];
}

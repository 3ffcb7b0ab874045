// What the pages of 大富豪 are sent: game messages, and what players say.

/// <reference types="preact" />

declare const htm: typeof import("htm").default;

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

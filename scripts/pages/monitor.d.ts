// What /monitor/{RoomID} sends.

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
    AllDeck: string[];
    History: string[];
    PlayerInfo: PlayerInfo[];
}

interface Tweet {
    Kind: "Tweet";
    PlayerNum: number;
    Message: string;
}

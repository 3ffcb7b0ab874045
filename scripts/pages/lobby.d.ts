// What the first page of riichi rooms is sent at /rooms.

interface LobbySeat {
    name?: string;
    free?: boolean;
    bot?: boolean;
    away?: boolean;
}

interface LobbyRoom {
    room: string;
    state: "open" | "playing" | "ended";
    seats: LobbySeat[];
    title?: string;
    games?: number;
    locked?: boolean;
    host?: string;
}

/** A game that is over, its players best first; `reason`: why it does not count. */
interface LobbyGame {
    number: number;
    room: string;
    players?: { name: string; score: number; points: number; faults?: number }[];
    reason?: string;
}

interface LobbyStanding {
    name: string;
    games: number;
    first: number;
    rank: number;
    points: number;
}

interface Lobby {
    rooms: LobbyRoom[];
    more?: number;
    opens?: boolean;
    ended?: LobbyGame[];
    standings?: LobbyStanding[];
    bots?: string[];
}

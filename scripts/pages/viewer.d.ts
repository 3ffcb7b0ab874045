// What the scripts of the viewer share: they are plain scripts in one page, not modules. Items are those of the journal.

/// <reference types="preact" />

declare const htm: typeof import("htm").default;

/** Points and texts are by seat of the kyoku, those of a `Jieju` and a `Head` by player. */
interface Qipai {
    zhuangfeng: number;
    jushu: number;
    changbang: number;
    lizhibang: number;
    defen: number[];
    baopai: string;
    shoupai: string[];
}

interface OneTile {
    l: number;
    p: string;
}

interface OneMeld {
    l: number;
    m: string;
}

interface Yaku {
    name: string;
    fanshu: number | string;
}

interface Hule {
    l: number;
    shoupai: string;
    baojia: number | null;
    hupai?: Yaku[] | null;
    fubaopai?: string[] | null;
    fu?: number;
    fanshu?: number;
    damanguan?: number;
    defen?: number;
    fenpei: number[];
}

interface Pingju {
    name: string;
    shoupai: string[];
    fenpei: number[];
}

interface Jieju {
    defen: number[];
    rank: number[];
    point: (number | string)[];
}

interface Reply {
    dapai?: string;
    fulou?: string;
    gang?: string;
    hule?: string;
    daopai?: string;
}

interface Answer {
    seat: number;
    reply: Reply;
    verdict?: string | null;
    used?: number;
    allowed?: number | null;
    reason?: string;
    options?: Reply[];
}

/** The one item that an `Item` is stands under its key. */
interface Item {
    qipai?: Qipai;
    zimo?: OneTile;
    gangzimo?: OneTile;
    dapai?: OneTile;
    fulou?: OneMeld;
    gang?: OneMeld;
    kaigang?: { baopai: string };
    lizhi?: { l: number };
    hule?: Hule;
    pingju?: Pingju;
    jieju?: Jieju;
    wall?: string;
    dice?: number[];
    turn?: number | null;
    answers?: Answer[];
}

interface Wall {
    wall: string;
    dice: number[];
}

/** `at`: before which item of its kyoku it was. */
interface Turn {
    at: number;
    turn: number | null;
    answers: Answer[];
}

interface Kyoku {
    qipai: Qipai;
    items: Item[];
    turns: Turn[];
    wall: Wall | null;
}

interface Head {
    title?: string;
    file?: string;
    game?: number;
    player?: string[];
    qijia?: number;
    walls?: string;
    notes?: string[];
}

interface Entry {
    head: Head;
    items?: Item[] | null;
    path?: string | null;
}

/** What a page is made with. `live` is the address of a running table, “?” that of the page. */
interface Book {
    records: Entry[];
    live: string | null;
}

interface Meld {
    kind: string;
    from: number;
    own: string[];
    called: string | null;
    added: string | null;
    text: string;
}

/** `bent`: lies sideways. `by`: the seat that called it. */
interface Discard {
    tile: string;
    tsumogiri: boolean;
    bent: boolean;
    by?: number;
}

/** `missed`: it let a winning tile go. A tile that nobody saw is null; `drawn` is undefined where there is none. */
interface Seat {
    hand: (string | null)[];
    drawn: string | null | undefined;
    melds: Meld[];
    river: Discard[];
    missed: boolean;
    riichi: boolean;
    stick: boolean;
    score: number;
}

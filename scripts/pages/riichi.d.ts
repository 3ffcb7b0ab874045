// Items are those of the journal of riichi.

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
    /** Whose chombo it is. */
    l?: number;
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
    penuki?: string;
    hule?: string;
    daopai?: string;
    chombo?: string;
}

/** The one item that an `Item` is stands under its key. */
interface Item {
    qipai?: Qipai;
    zimo?: OneTile;
    gangzimo?: OneTile;
    dapai?: OneTile;
    fulou?: OneMeld;
    gang?: OneMeld;
    penuki?: OneTile;
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

/** `dice`: null where the record does not tell them. */
interface Wall {
    wall: string;
    dice: number[] | null;
}

interface Kyoku {
    qipai: Qipai;
    items: Item[];
    turns: Turn[];
    wall: Wall | null;
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
    /** Norths that it has set aside. */
    aside: number;
    river: Discard[];
    missed: boolean;
    riichi: boolean;
    stick: boolean;
    score: number;
}

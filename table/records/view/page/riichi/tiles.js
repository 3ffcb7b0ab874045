// The faces of the tiles, drawn here, as SVG symbols in a box of 300 x 400; `tileView` shows one.
"use strict";

/** @typedef {[x: number, y: number, r: number, colour: string]} Coin */
/** @typedef {[x: number, y: number, height: number, colour: string, turn?: number]} Stick */

const INK = "#1b2340";
const RED = "#b0141c";
const GREEN = "#0d6637";
const BLUE = "#1d3f8f";
const PAPER = "#fffdf6";
const NUMERALS = "一二三四五六七八九";
const HONOURS = "東南西北白發中";
const TILE_NAMES = [
    ...[..."mps"].flatMap((suit) => [..."0123456789"].map((n) => suit + n)),
    ...[..."1234567"].map((n) => `z${n}`),
];

/**
 * @param {string} character
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 */
function glyph(character, x, y, size, colour) {
    return html`<path fill=${colour} transform="translate(${x} ${y}) scale(${size / 1000})" d=${GLYPHS[character]} />`;
}

/**
 * 萬子: the numeral above 萬.
 * @param {number} rank
 * @param {boolean} red
 */
function characterFace(rank, red) {
    return [glyph(NUMERALS[rank - 1], 55, 4, 190, red ? RED : INK), glyph("萬", 50, 186, 200, RED)];
}

/**
 * One coin of 筒子.
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} colour
 */
function coin(x, y, r, colour, heart = colour) {
    const petals = [0, 60, 120, 180, 240, 300].map((turn) => {
        const angle = (turn * Math.PI) / 180;
        const far = r * 0.47;
        const [cx, cy] = [x + far * Math.sin(angle), y - far * Math.cos(angle)];
        return html`<circle cx=${cx.toFixed(1)} cy=${cy.toFixed(1)} r=${(r * 0.15).toFixed(1)} fill=${colour} />`;
    });
    return html`<circle cx=${x} cy=${y} r=${r - r * 0.09} fill=${PAPER} stroke=${colour} stroke-width=${r * 0.19} />
        ${petals}
        <circle cx=${x} cy=${y} r=${(r * 0.24).toFixed(1)} fill=${heart} />`;
}

/** @type {Record<number, Coin[]>} */
const COINS = {
    2: [
        [150, 108, 66, GREEN],
        [150, 292, 66, BLUE],
    ],
    3: [
        [72, 84, 56, BLUE],
        [150, 200, 56, RED],
        [228, 316, 56, GREEN],
    ],
    4: [
        [83, 105, 58, BLUE],
        [217, 105, 58, GREEN],
        [83, 295, 58, GREEN],
        [217, 295, 58, BLUE],
    ],
    5: [
        [74, 86, 52, BLUE],
        [226, 86, 52, GREEN],
        [150, 200, 52, RED],
        [74, 314, 52, GREEN],
        [226, 314, 52, BLUE],
    ],
    6: [
        [88, 76, 52, GREEN],
        [212, 76, 52, GREEN],
        [88, 206, 52, RED],
        [212, 206, 52, RED],
        [88, 324, 52, RED],
        [212, 324, 52, RED],
    ],
    7: [
        [62, 60, 42, GREEN],
        [150, 98, 42, GREEN],
        [238, 136, 42, GREEN],
        [92, 234, 46, RED],
        [208, 234, 46, RED],
        [92, 338, 46, RED],
        [208, 338, 46, RED],
    ],
    8: [58, 153, 248, 342].flatMap((y) => [
        [90, y, 45, BLUE],
        [210, y, 45, BLUE],
    ]),
    9: [62, 150, 238].flatMap((x) => [
        [x, 70, 43, GREEN],
        [x, 200, 43, RED],
        [x, 330, 43, BLUE],
    ]),
};

/**
 * @param {number} rank
 * @param {boolean} red
 */
function coinFace(rank, red) {
    if (rank !== 1) return COINS[rank].map(([x, y, r, colour]) => coin(x, y, r, red ? RED : colour));
    const rays = Array.from({ length: 12 }, (_, n) => {
        const turn = `rotate(${n * 30} 150 200)`;
        return html`<path d="M150 84 q12 22 0 44 q-12 -22 0 -44" fill=${n % 2 ? RED : GREEN} transform=${turn} />`;
    });
    return html`<circle cx="150" cy="200" r="122" fill=${PAPER} stroke=${BLUE} stroke-width="14" />
        ${rays}${coin(150, 200, 62, RED, BLUE)}`;
}

/**
 * One stick of 索子: two joints and a knot.
 * @param {number} x
 * @param {number} y
 * @param {number} height
 * @param {string} colour
 */
function stick(x, y, height, colour, turn = 0) {
    const w = 34;
    const half = height / 2 - 3;
    /** @type {(top: number, bottom: number) => Rendered} */
    const joint = (top, bottom) => {
        const middle = (top + bottom) / 2;
        const right = `q0 -8 ${w / 2} -8 q${w / 2} 0 ${w / 2} 8 L${w * 0.36} ${middle} L${w / 2} ${bottom}`;
        const left = `q0 8 ${-w / 2} 8 q${-w / 2} 0 ${-w / 2} -8 L${-w * 0.36} ${middle} Z`;
        return html`<path d="M${-w / 2} ${top} ${right} ${left}" fill=${colour} />
            <path d="M0 ${top + 4} V${bottom - 4}" stroke=${PAPER} stroke-width="5" stroke-linecap="round" />`;
    };
    return html`<g transform="translate(${x} ${y}) rotate(${turn})">
        ${joint(-half + 6, -7)}${joint(7, half - 6)}
        <rect x=${-w / 2 - 1} y="-6" width=${w + 2} height="12" rx="6" fill=${colour} />
    </g>`;
}

/** @type {Record<number, Stick[]>} */
const STICKS = {
    2: [
        [150, 106, 170, BLUE],
        [150, 294, 170, GREEN],
    ],
    3: [
        [150, 106, 170, BLUE],
        [85, 294, 170, GREEN],
        [215, 294, 170, GREEN],
    ],
    4: [
        [85, 106, 170, GREEN],
        [215, 106, 170, BLUE],
        [85, 294, 170, BLUE],
        [215, 294, 170, GREEN],
    ],
    5: [
        [66, 106, 170, GREEN],
        [234, 106, 170, BLUE],
        [150, 200, 178, RED],
        [66, 294, 170, BLUE],
        [234, 294, 170, GREEN],
    ],
    6: [62, 150, 238].flatMap((x) => [
        [x, 106, 170, GREEN],
        [x, 294, 170, BLUE],
    ]),
    7: [
        [150, 72, 118, RED],
        [62, 204, 116, GREEN],
        [62, 330, 116, BLUE],
        [150, 204, 116, GREEN],
        [150, 330, 116, BLUE],
        [238, 204, 116, GREEN],
        [238, 330, 116, BLUE],
    ],
    8: [
        [48, 106, 170, GREEN],
        [252, 106, 170, GREEN],
        [112, 112, 150, GREEN, 28],
        [188, 112, 150, GREEN, -28],
        [48, 294, 170, BLUE],
        [252, 294, 170, BLUE],
        [112, 288, 150, BLUE, -28],
        [188, 288, 150, BLUE, 28],
    ],
    9: [72, 200, 328].flatMap((y) => [
        [62, y, 116, GREEN],
        [150, y, 116, RED],
        [238, y, 116, BLUE],
    ]),
};

/**
 * A feather of the bird on 1s.
 * @param {number} turn
 * @param {number} length
 */
function feather(turn, length) {
    const end = 262 - length;
    return html`<g transform="rotate(${turn} 150 262)">
        <path d="M150 262 V${end}" stroke=${GREEN} stroke-width="11" />
        <circle cx="150" cy=${end} r="24" fill=${GREEN} /><circle cx="150" cy=${end} r="13" fill=${PAPER} />
        <circle cx="150" cy=${end} r="7" fill=${RED} />
    </g>`;
}

function birdFace() {
    return html`${feather(-34, 132)}${feather(-17, 150)}${feather(0, 158)}${feather(17, 150)}${feather(34, 132)}
        <path d="M232 214 q30 -44 2 -70 q-30 -10 -36 22 q2 30 -20 54 z" fill=${BLUE} />
        <path d="M246 160 l34 12 l-34 10 z" fill=${RED} /><circle cx="232" cy="162" r="7" fill=${PAPER} />
        <g stroke-linecap="round" fill="none">
            <path d="M216 142 q-4 -22 -20 -30 M224 140 q2 -20 -8 -34" stroke=${RED} stroke-width="7" />
            <path d="M138 310 v44 m-22 12 q22 -14 44 0 M186 306 v46 m-22 12 q22 -14 44 0" stroke=${INK} stroke-width="10" />
        </g>
        <ellipse cx="158" cy="262" rx="84" ry="52" fill=${GREEN} />
        <path d="M92 262 q56 -42 108 0 q-52 36 -108 0" fill=${PAPER} />
        <path d="M112 262 q40 -26 74 0 q-36 22 -74 0" fill=${RED} />`;
}

/**
 * @param {number} rank
 * @param {boolean} red
 */
function stickFace(rank, red) {
    if (rank === 1) return birdFace();
    return STICKS[rank].map(([x, y, height, colour, turn]) => stick(x, y, height, red ? RED : colour, turn));
}

/** @param {number} rank */
function honourFace(rank) {
    if (rank !== 5) return glyph(HONOURS[rank - 1], 15, 58, 270, rank === 6 ? GREEN : rank === 7 ? RED : INK);
    return html`<g fill="none" stroke=${BLUE}>
        <rect x="48" y="62" width="204" height="276" rx="14" stroke-width="13" />
        <rect x="74" y="88" width="152" height="224" rx="6" stroke-width="6" />
    </g>`;
}

/**
 * A red five is told by more than its colour: a filled corner with a white star.
 * @param {Rendered} face
 */
function redFace(face) {
    return html`<g transform="translate(0 6)">${face}</g>
        <path d="M196 0 H300 V104 Z" fill=${RED} />
        <path d="M262 10 l7 17 18 1 -14 12 5 18 -16 -10 -16 10 5 -18 -14 -12 18 -1 z" fill="#fff" />`;
}

/** @param {string} name */
function tileFace(name) {
    const red = name[1] === "0";
    const rank = red ? 5 : Number(name[1]);
    if (name[0] === "z") return honourFace(rank);
    const face = name[0] === "m" ? characterFace : name[0] === "p" ? coinFace : stickFace;
    return red ? redFace(face(rank, red)) : face(rank, red);
}

/** All faces once, to be used by reference. */
function tileSymbols() {
    return TILE_NAMES.map((name) => html`<symbol id="t-${name}" viewBox="0 0 300 400">${tileFace(name)}</symbol>`);
}

/**
 * How a tile is called in words of the language, for screen readers.
 * @param {string | null} name
 */
function tileWords(name) {
    if (!name) return word("hidden");
    if (name[0] === "z") return LANGUAGE === "ja" ? HONOURS[Number(name[1]) - 1] : word("honours", Number(name[1]) - 1);
    const rank = name[1] === "0" ? 5 : Number(name[1]);
    const suit = { m: "萬", p: "筒", s: "索" }[name[0]];
    const plain = LANGUAGE === "ja" ? `${NUMERALS[rank - 1]}${suit}` : `${rank}${name[0]}`;
    return name[1] === "0" ? word("red") + plain : plain;
}

/**
 * A tile; its back where `name` is null. `classes` say how it lies, `note` what there is to say of it.
 * @param {string | null} name
 */
function tileView(name, classes = "", note = "") {
    const label = tileWords(name) + (note && ` (${note})`);
    return html`<span
        class=${["tile", !name && "back", classes].filter(Boolean).join(" ")}
        role="img" data-tile=${name || ""} aria-label=${label} title=${note ? label : undefined}
    >${name && html`<svg aria-hidden="true"><use href="#t-${name}" /></svg>`}</span>`;
}

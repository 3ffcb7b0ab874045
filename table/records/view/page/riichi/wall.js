// The physical wall: a side for each seat, of seventeen stacks, or of eighteen where three play, broken by the dice. A
// place is (wall * stacks + stack) * 2 + level; stacks count from the right as their owner sees them, level 0 is upper.
"use strict";

/** By how many play: stacks of a side, tiles that are dealt, rinshan tiles. Where three play some of the stacks of
 * indicators end the live wall. */
const WALLS = {
    3: { seats: 3, stacks: 18, dealt: 39, rinshan: 8 },
    4: { seats: 4, stacks: 17, dealt: 52, rinshan: 4 },
};
const DEAD = 14;
const WALL = { width: 3.3, height: 4.4, level: 0.95, gap: 1.1, top: 32.3 };

/** @typedef {{dead: boolean, apart?: boolean, lowered?: boolean, face?: string}} WallTile */

/** @param {State} state */
function wallOf({ seats }) {
    return seats.length === 3 ? WALLS[3] : WALLS[4];
}

/**
 * Places in the order in which tiles leave: from the break leftwards, then the next wall clockwise.
 * @param {number[]} dice
 * @param {{seats: number, stacks: number}} wall
 */
function leavingOrder(dice, { seats, stacks }) {
    const total = dice[0] + dice[1];
    const wall = (total - 1) % seats;
    const places = [];
    for (let step = total; step < total + seats * stacks; step++) {
        const stack = ((wall - Math.floor(step / stacks) + 2 * seats) % seats) * stacks + (step % stacks);
        places.push(stack * 2, stack * 2 + 1);
    }
    return places;
}

/**
 * Where the tiles of a kyoku stand now, by place.
 * @param {Kyoku} kyoku
 * @param {State} state
 */
function standingWall(kyoku, state) {
    const { dealt, rinshan, ...wall } = wallOf(state);
    const dice = kyoku.wall?.dice;
    if (!dice) return evenWall(state);
    const order = leavingOrder(dice, wall);
    /** @type {Map<number, WallTile>} */
    const standing = new Map();
    const drawn = state.draws;
    const end = order.length - DEAD;
    // Every rinshan tile moves the last live tile into the dead wall.
    for (let n = dealt + drawn; n < end; n++) standing.set(order[n], { dead: n >= end - state.kans });
    for (let n = end; n < order.length; n++) standing.set(order[n], { dead: true, apart: true });
    for (let n = 0; n < state.kans; n++) standing.delete(rinshanPlace(order, n));
    const next = state.kans < rinshan && state.kans % 2 === 0 && standing.get(rinshanPlace(order, state.kans));
    if (next) next.lowered = true;
    state.indicators.forEach((face, n) => {
        const shown = standing.get(order.at(-2 - rinshan - 2 * n) ?? -1);
        if (shown) shown.face = face;
    });
    return standing;
}

/**
 * The tiles that are left, by place, where the dice are not known: in the middle of every side as many, with no break and
 * no dead wall, whose places nobody can tell.
 * @param {State} state
 */
function evenWall(state) {
    const { seats, stacks, dealt } = wallOf(state);
    const left = seats * stacks * 2 - dealt - state.draws - state.kans;
    /** @type {Map<number, WallTile>} */
    const standing = new Map();
    for (let wall = 0; wall < seats; wall++) {
        const share = Math.floor((left + wall) / seats);
        const first = Math.floor((stacks - share / 2) / 2);
        for (let n = 0; n < share; n++)
            standing.set((wall * stacks + first + Math.floor(n / 2)) * 2 + 1 - (n % 2), { dead: false });
    }
    return standing;
}

/**
 * @param {number[]} order
 * @param {number} number
 */
function rinshanPlace(order, number) {
    return order[order.length - 2 - 2 * Math.floor(number / 2) + (number % 2)];
}

/**
 * The wall around the rivers as SVG in a box of 100 x 100, seen from the seat at the bottom.
 * @param {Kyoku} kyoku
 * @param {State} state
 * @param {number} base
 */
function wallView(kyoku, state, base) {
    const standing = standingWall(kyoku, state);
    const { seats, stacks } = wallOf(state);
    const sides = [...Array(seats).keys()].map((wall) => {
        const tiles = [];
        for (let stack = 0; stack < stacks; stack++)
            for (const level of [1, 0]) {
                const tile = standing.get((wall * stacks + stack) * 2 + level);
                if (tile) tiles.push(wallTile(tile, stacks / 2 - stack - 1, level));
            }
        const turn = `rotate(${sideOf(base, wall, seats) * -90} 50 50)`;
        return html`<g class="side" data-wall=${wall} transform=${turn}>${tiles}</g>`;
    });
    const label = `${word("wall")}, ${standing.size}`;
    return html`<svg viewBox="0 0 100 100" role="img" aria-label=${label} data-standing=${standing.size}>${sides}</svg>`;
}

/**
 * @param {WallTile} tile
 * @param {number} right Stacks from the middle of the side to the right.
 * @param {number} level
 */
function wallTile(tile, right, level) {
    const { width, height, gap, top } = WALL;
    let x = 50 + right * width - (tile.apart ? gap : 0);
    let y = 50 + top + (level === 0 ? -WALL.level : 0);
    if (tile.lowered) {
        x -= width * 1.02;
        y += WALL.level;
    }
    const box = { x: x.toFixed(2), y: y.toFixed(2), width: width - 0.12, rx: 0.4 };
    const kind = tile.face ? "face" : tile.dead ? "dead" : "live";
    const face = { x: (x + 0.15).toFixed(2), y: (y + 0.2).toFixed(2), width: width - 0.42, height: height - 0.4 };
    return html`<rect class="edge" ...${box} height=${height + 0.75} />
        <rect class=${kind} ...${box} height=${height} />
        ${tile.face && html`<use href="#t-${tile.face}" ...${face} />`}`;
}

/**
 * The tiles that nobody has seen yet, where the record tells them: next draws, and the dead wall from the left.
 * @param {Kyoku} kyoku
 * @param {State} state
 * @param {boolean} shared
 */
function hiddenWall(kyoku, state, shared) {
    const tiles = shared && kyoku.wall?.wall.match(/../g);
    if (!tiles) return html`<p class="quiet">${word("unknown")}</p>`;
    const { dealt, rinshan } = wallOf(state);
    const dead = tiles.slice(-DEAD);
    const wall = tiles.slice(dealt, -DEAD);
    const live = wall.slice(state.draws, wall.length - state.kans);
    const stacks = [0, 1, 2, 3, 4, 5, 6].map((n) => {
        const [upper, lower] = [0, 1].map((level) => {
            const place = n * 2 + level;
            return place < Math.min(state.kans, rinshan)
                ? html`<span class="tile gone"></span>`
                : tileView(dead[place]);
        });
        return html`<span class="stack">${upper}${lower}</span>`;
    });
    return html`<h3>${word("deadWall")}</h3>
        <div class="tiles small dead-wall">${stacks}</div>
        <h3>${word("live")}</h3>
        <div class="tiles small live-wall">${live.map((tile) => tileView(tile))}</div>`;
}

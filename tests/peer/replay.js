// Replays 牌譜 through majiang-core's own development game and reports where the two records part.
// usage: node replay.js FILE   FILE: one JSON object a line, {"rule": {...}, "paifu": {...}}
// Prints one line a difference and last "games N different D"; exits with 1 if D > 0.
"use strict";

const fs = require("fs");
const Majiang = require("@kobalab/majiang-core/dev");

// Our canonical text of a value: keys sorted, so that only contents are compared.
function text(value) {
    if (Array.isArray(value)) return "[" + value.map(text).join(",") + "]";
    if (value && typeof value === "object")
        return "{" + Object.keys(value).sort().map(key => key + ":" + text(value[key])).join(",") + "}";
    return JSON.stringify(value) ?? "null";
}

function difference(ours, theirs) {
    for (let k = 0; k < Math.max(ours.log.length, theirs.log.length); k++) {
        const a = ours.log[k] || [], b = theirs.log[k] || [];
        for (let i = 0; i < Math.max(a.length, b.length); i++) {
            if (text(a[i]) !== text(b[i]))
                return `kyoku ${k + 1} event ${i + 1}: ours ${text(a[i])} majiang-core ${text(b[i])}`;
        }
    }
    for (const key of ["defen", "rank", "point", "player", "qijia"]) {
        if (text(ours[key]) !== text(theirs[key]))
            return `${key}: ours ${text(ours[key])} majiang-core ${text(theirs[key])}`;
    }
    return null;
}

let games = 0, different = 0;
for (const line of fs.readFileSync(process.argv[2], "utf8").split("\n")) {
    if (!line) continue;
    const { rule, paifu } = JSON.parse(line);
    const script = JSON.parse(JSON.stringify(paifu));
    let found;
    try {
        const game = new Majiang.Dev.Game(script, Majiang.rule(rule)).do_sync();
        found = difference(paifu, game._paipu);
    } catch (error) {
        found = "majiang-core raised " + error.stack.split("\n").slice(0, 3).join(" | ");
    }
    games++;
    if (found) { different++; console.log(`game ${games} ${paifu.title}: ${found}`); }
}
console.log(`games ${games} different ${different}`);
process.exit(different ? 1 : 0);

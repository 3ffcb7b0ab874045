// Holds our tenhou.net/6 logs beside those that @kobalab/tenhou-url-log makes of the same 牌譜.
// usage: node tenhou.js MODULES FILE   MODULES: where npm put it; FILE: lines of {"name", "paifu", "log"}
// Prints {"agree": kyoku, "explained": {reason: kyoku}, "different": ["name kyoku n: …"]}.
"use strict";

const fs = require("fs"), path = require("path");
const logconv = require(path.join(process.argv[2], "@kobalab/tenhou-url-log"));

// What no reader looks at: the order of the tiles dealt, and the 0 that stands where an open kan has no discard.
function plain(hand) {
    return hand.map((part, n) => {
        if (n < 4 || n > 15) return part;
        return n % 3 === 1 ? [...part].sort() : part.filter(code => code !== 0);
    });
}

const RED_MELDS = "a meld with several red fives is another to it, or breaks it down";

const several = text => typeof text === "string" && (text.match(/\d\d/g) || []).filter(code => code[0] === "5").length > 1;

// Why the parts of a kyoku differ, one reason for all of them; empty if one has none.
function reason(ours, theirs) {
    const reasons = new Set(ours.flatMap((part, n) => same(part, theirs[n]) ? [] : [partReason(n, part, theirs[n], ours)]));
    return reasons.has("") ? "" : [...reasons].join("; ");
}

function partReason(n, part, theirs, hand) {
    const [end] = hand[16], winners = end === "和了" ? (hand[16].length - 1) / 2 : 0;
    if ((n === 3 || n === 16) && winners > 1) return "of several winners it keeps the last, and the ura of the last";
    if (n === 16 && ["全員聴牌", "全員不聴"].includes(end) && theirs[0] === "流局")
        return "it has no word for a draw at which all or none are tenpai";
    if (n === 16 && winners === 1 && part[2][2] === part[2][1] && same(withoutLiable(part), withoutLiable(theirs)))
        return "it names nobody liable who has also discarded the tile";
    if (n > 3 && n < 16 && part.every((one, at) => one === theirs[at] || several(one))) return RED_MELDS;
    return "";
}

function withoutLiable([end, deltas, detail]) {
    return [end, deltas, detail.filter((_, at) => at !== 2)];
}

function same(one, other) {
    return JSON.stringify(one) === JSON.stringify(other);
}

// What it makes of one kyoku; null where it breaks down.
function converted(paifu, n) {
    try {
        return plain(logconv(paifu, n).log[0]);
    } catch (error) {
        if (paifu.log[n].some(item => /0.*0/.test((item.fulou || item.gang || { m: "" }).m))) return null;
        throw error;
    }
}

const told = { agree: 0, explained: {}, different: [] };
for (const line of fs.readFileSync(process.argv[3], "utf8").split("\n").filter(Boolean)) {
    const { name, paifu, log } = JSON.parse(line);
    log.map(plain).forEach((hand, n) => {
        const theirs = converted(paifu, n);
        if (same(hand, theirs)) return told.agree++;
        const why = theirs ? reason(hand, theirs) : RED_MELDS;
        if (why) told.explained[why] = (told.explained[why] || 0) + 1;
        else {
            const place = hand.findIndex((part, at) => !same(part, theirs[at]));
            told.different.push(`${name} kyoku ${n + 1} element ${place}: ours ${JSON.stringify(hand[place])}, theirs ${JSON.stringify(theirs[place])}`);
        }
    });
}
console.log(JSON.stringify(told));

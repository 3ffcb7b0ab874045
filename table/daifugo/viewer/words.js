// The words of 大富豪 in Japanese and English. The viewer calls ranks of players by their Japanese name.
"use strict";

/** @type {Record<string, string>} */
const CLASSES_ENGLISH = { 2: "Daifugo", 1: "Fugo", 0: "Heimin", "-1": "Hinmin", "-2": "Daihinmin" };
/** @type {Record<string, string>} */
const SUITS_ENGLISH = { S: "spade", H: "heart", D: "diamond", C: "club" };
/** @type {Record<string, string>} */
const SUITS_JAPANESE = { S: "スペード", H: "ハート", D: "ダイヤ", C: "クラブ" };

addWords({
    en: {
        round: (n) => `Round ${n}`,
        rounds: "Rounds",
        roundBack: "Round back",
        roundOn: "Next round",
        position: "Position in the round",
        cards: (n) => `${n} card${n === 1 ? "" : "s"}`,
        points: (n) => `${n} pt`,
        pile: (n) => `${n} card${n === 1 ? "" : "s"} gone`,
        lead: (name) => `${name} leads`,
        pass: "pass",
        revolution: "Revolution: order reversed",
        revolutionBack: "Revolution back: order as usual",
        kakumei: "Revolution",
        out: "Out",
        nagare: "Trick over (nagare)",
        agari: (name, place) => `${name} goes out, ${place}`,
        foul: "forbidden finish",
        exchange: "Exchange",
        gives: (giver, taker) => `${giver} gives ${taker}`,
        dealt: "Dealt",
        roundOver: (n) => `Round ${n} is over`,
        history: "Plays of the round",
        ranks: (n) => CLASSES_ENGLISH[n],
        suit: (mark) => SUITS_ENGLISH[mark] ?? "no card",
        joker: "joker",
        comma: ", ",
        all: "All hands",
    },
    ja: {
        round: (n) => `第${n}回`,
        rounds: "回",
        roundBack: "前の回",
        roundOn: "次の回",
        position: "回の中の位置",
        cards: (n) => `${n}枚`,
        points: (n) => `${n}点`,
        pile: (n) => `山${n}枚`,
        lead: (name) => `${name}が親`,
        pass: "パス",
        revolution: "革命",
        revolutionBack: "革命返し",
        kakumei: "革命",
        out: "上がり",
        nagare: "流れ",
        agari: (name, place) => `${name}あがり(${place})`,
        foul: "反則あがり",
        exchange: "カード交換",
        gives: (giver, taker) => `${giver}から${taker}へ`,
        dealt: "配札",
        roundOver: (n) => `第${n}回終了`,
        history: "この回の履歴",
        ranks: (n) => CLASS_WORDS[n],
        suit: (mark) => SUITS_JAPANESE[mark] ?? "札なし",
        joker: "ジョーカー",
        comma: "、",
        all: "全員の手札",
    },
});

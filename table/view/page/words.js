// The words of every game's page in Japanese and English; those of one game stand in its folder.
"use strict";

/** @type {string} */
let LANGUAGE = "en";

/** @typedef {Record<string, Record<string, string | ((...values: any[]) => string)>>} Words By language and key. */

/** @type {Words} */
const WORDS = {
    en: {
        only: (name) => `Only what ${name} sees`,
        language: "日本語",
        link: "Copy link",
        copied: "Copied",
        play: "Play",
        pause: "Pause",
        hide: "Hide",
        unhide: "Result",
        speed: "Speed",
        fault: "Fault",
        jumps: "Go to the next",
        view: "View",
        rotate: "Turn the table",
        turnBack: "Turn back",
        back: "Step back",
        next: "Step on",
        turnOn: "Turn on",
        decision: "Decision",
        options: "Options",
        nothing: "Nobody is asked here.",
        of: "of",
        guessed: "inferred",
        final: "Final result",
        ongoing: "not finished",
        liveOn: "Live",
        liveFollow: "Follow",
        liveWaiting: "Waiting for the table",
        liveOver: "The game is over",
        liveLost: "Connection lost, trying again",
        liveRefused: "Not let in",
        token: "Operator's token",
        rank: (n) => ["1st", "2nd", "3rd"][n - 1] ?? `${n}th`,
        trouble: "This cannot be shown",
    },
    ja: {
        only: (name) => `${name}の視点`,
        language: "English",
        link: "リンクを写す",
        copied: "写しました",
        play: "再生",
        pause: "停止",
        hide: "隠す",
        unhide: "結果",
        speed: "速さ",
        fault: "反則",
        jumps: "次へ飛ぶ",
        view: "視点",
        rotate: "卓を回す",
        turnBack: "前の巡",
        back: "一手戻る",
        next: "一手進む",
        turnOn: "次の巡",
        decision: "判断",
        options: "選択肢",
        nothing: "ここで選ぶ人はいません。",
        of: "/",
        guessed: "推定",
        final: "最終結果",
        ongoing: "途中まで",
        liveOn: "実況",
        liveFollow: "追う",
        liveWaiting: "卓を待っています",
        liveOver: "対局は終わりました",
        liveLost: "接続が切れました、再接続中",
        liveRefused: "入れません",
        token: "管理者のトークン",
        rank: (n) => `${n}位`,
        trouble: "表示できません",
    },
};

/**
 * A word of the page in the language that is spoken.
 * @param {string} key
 * @param {...unknown} values
 */
function word(key, ...values) {
    const found = WORDS[LANGUAGE][key] ?? GAME_WORDS[LANGUAGE][key];
    return typeof found === "function" ? found(...values) : found;
}

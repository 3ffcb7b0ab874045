// What every page has: markup, words in two languages, light or dark, and the secrets that it hands on.
//
// Everything on a page is put there by Preact, from templates in which ${…} is always text or a part made by another
// template, never markup: what strangers call themselves cannot become an element, an attribute or a script.
"use strict";

/** @typedef {preact.ComponentChildren} Rendered */

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => Rendered} */
const html = htm.bind(preact.h);

/**
 * The element of the page with that id.
 * @param {string} id
 */
function $(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no #${id}`);
    return found;
}

/**
 * Make `what` the content of the element with that id; what is there already and stays the same is not touched.
 * @param {string} id
 * @param {Rendered} what
 */
function show(id, what) {
    preact.render(what, $(id));
}

// The words of every page in Japanese and English: those of all pages here, those of one game in its folder.

/** @type {string} */
let LANGUAGE = "en";

/** @typedef {Record<string, Record<string, string | ((...values: any[]) => string)>>} Words By language and key. */

/** @type {Words} */
const WORDS = {
    en: {
        only: (name) => `Only what ${name} sees`,
        language: "日本語",
        theme: (which) => `Colours: ${which}`,
        "theme-system": "as the system",
        "theme-light": "light",
        "theme-dark": "dark",
        link: "Copy link",
        copied: "Copied",
        play: "Play",
        pause: "Pause",
        help: "Keys",
        close: "Close",
        keyStep: "step",
        keyTurn: "turn back, on",
        keyRound: "round back, on",
        keyEnds: "first, last position of the round",
        keyPlay: "play, pause",
        keySpeed: "slower, faster",
        keyView: "whose hands are seen",
        keyFollow: "follow the running table",
        keyLanguage: "日本語 / English",
        keyHide: "hide, show the result",
        keyJump: (what) => `next, previous: ${what}`,
        keyOpen: "open a file, or drop it on the page",
        keyHelp: "this list",
        keySwipe: "swipe the table",
        keyTap: "tap its right or left half",
        games: "Games",
        game: "Game",
        unfinished: "no result",
        keyGame: "game back, on",
        chart: "Points",
        hide: "Hide",
        unhide: "Result",
        speed: "Speed",
        fault: "Fault",
        jumps: "Go to the next",
        view: "View",
        whole: "Whole page",
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
        said: "Says",
        same: "the same",
        different: "differs",
        notCompared: "not compared",
        difference: "Difference",
        more: (n) => `${n} more`,
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
        open: "Open",
        reading: (name) => `Reading ${name} …`,
        noReader: "This page reads no files: open them with jantaku view FILE",
        tooLarge: (most) => `larger than ${most} MiB`,
        unsent: "not sent: it is a folder, or jantaku view has ended",
    },
    ja: {
        only: (name) => `${name}の視点`,
        language: "English",
        theme: (which) => `配色: ${which}`,
        "theme-system": "システムに合わせる",
        "theme-light": "明るい",
        "theme-dark": "暗い",
        link: "リンクを写す",
        copied: "写しました",
        play: "再生",
        pause: "停止",
        help: "キー",
        close: "閉じる",
        keyStep: "一手",
        keyTurn: "一巡",
        keyRound: "前・次の局",
        keyEnds: "局の最初・最後",
        keyPlay: "再生・停止",
        keySpeed: "遅く・速く",
        keyView: "視点",
        keyFollow: "実況へ",
        keyLanguage: "日本語 / English",
        keyHide: "結果を隠す・出す",
        keyJump: (what) => `次・前: ${what}`,
        keyOpen: "ファイルを開く(ページに落としても)",
        keyHelp: "この一覧",
        keySwipe: "卓をスワイプ",
        keyTap: "卓の右・左半分をタップ",
        games: "対局一覧",
        game: "対局",
        unfinished: "結果なし",
        keyGame: "前・次の対局",
        chart: "点数の推移",
        hide: "隠す",
        unhide: "結果",
        speed: "速さ",
        fault: "失敗",
        jumps: "次へ飛ぶ",
        view: "視点",
        whole: "全体を表示",
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
        said: "発言",
        same: "一致",
        different: "不一致",
        notCompared: "比較なし",
        difference: "不一致",
        more: (n) => `ほか${n}件`,
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
        open: "開く",
        reading: (name) => `${name}を読んでいます…`,
        noReader: "このページはファイルを読めません: jantaku view FILE で開いてください",
        tooLarge: (most) => `${most} MiB より大きい`,
        unsent: "送れません: フォルダか、jantaku view が終わっています",
    },
};

/**
 * Take in the words of a game, or of one more page. A key stands for one text: a second one would hide the first.
 * @param {Words} more
 */
function addWords(more) {
    for (const [language, words] of Object.entries(more))
        for (const [key, text] of Object.entries(words)) {
            if (Object.hasOwn(WORDS[language], key)) throw new Error(`there is a word ${key} already`);
            WORDS[language][key] = text;
        }
}

/**
 * A word of the page in the language that is spoken.
 * @param {string} key
 * @param {...unknown} values
 */
function word(key, ...values) {
    const found = WORDS[LANGUAGE][key];
    return typeof found === "function" ? found(...values) : found;
}

/** The language of this browser, as far as it is spoken here. */
const browserLanguage = () => (navigator.language.startsWith("ja") ? "ja" : "en");

/** Write the words that stand in the page itself, on buttons and beside fields. */
function drawLabels() {
    /** @type {(selector: string) => NodeListOf<HTMLElement>} */
    const all = (selector) => document.querySelectorAll(selector);
    document.documentElement.lang = LANGUAGE;
    for (const element of all("[data-word]")) element.textContent = word(element.dataset.word ?? "");
    for (const element of all("[data-label]")) {
        const label = word(element.dataset.label ?? "");
        element.setAttribute("aria-label", label);
        if (element.matches("button, input, select")) element.title = label;
        if (element.matches("[type=password]")) element.setAttribute("placeholder", label);
    }
    nameTheme();
}

/** Say on its button which theme the page wears. */
function nameTheme() {
    const button = $("theme");
    button.title = word("theme", word(`theme-${button.dataset.theme}`));
    button.setAttribute("aria-label", button.title);
}

document.addEventListener("worn", nameTheme);

// Light or dark: as the system has it, or as somebody chose on a page in this browser. Pages with words in two languages
// hear “worn”, and say which on the button.

const THEMES = ["system", "light", "dark"];
const THEME_KEPT = "jantaku.theme";
const THEME_SIGNS = ["◐", "☀", "☾"];

/** The number of the theme that was chosen; 0: as the system has it. */
function chosenTheme() {
    try {
        return Math.max(THEMES.indexOf(localStorage.getItem(THEME_KEPT) ?? ""), 0);
    } catch {
        return 0; // nothing is kept for a page on a disk, or where it is forbidden
    }
}

/**
 * Wear a theme, and show on the button which.
 * @param {number} theme
 */
function wear(theme) {
    document.documentElement.dataset.theme = THEMES[theme];
    const button = $("theme");
    button.textContent = THEME_SIGNS[theme];
    button.dataset.theme = THEMES[theme];
}

function otherTheme() {
    const theme = (THEMES.indexOf($("theme").dataset.theme ?? "") + 1) % THEMES.length;
    try {
        localStorage.setItem(THEME_KEPT, THEMES[theme]);
    } catch {
        // As above: it holds until the page is left.
    }
    wear(theme);
    $("theme").dispatchEvent(new Event("worn", { bubbles: true }));
}

$("theme").addEventListener("click", otherTheme);
wear(chosenTheme());

// Secrets of pages: the operator's token, on the pages of both games, and the key of a person's seat. They travel in the
// opening of a WebSocket as subprotocols beside the one that the server takes up. An address stands in histories, logs and
// on screens that are shared; a header does not.

const SPOKEN = "jantaku";
const TOKEN = "jantaku.token.";
const KEY = "jantaku.key.";

/**
 * The token that the page was opened with, behind “#token=”. It goes out of the address at once, and stays with this
 * tab, so that the page can be loaded again.
 * @returns {string}
 */
function takeToken() {
    const link = new URLSearchParams(location.hash.slice(1));
    const token = link.get("token");
    if (token !== null) {
        link.delete("token");
        sessionStorage.setItem(location.pathname, token);
        history.replaceState(null, "", `${location.pathname}${location.search}#${link}`);
    }
    return token ?? sessionStorage.getItem(location.pathname) ?? "";
}

/**
 * What to offer when a WebSocket is opened: base64url without the padding is what a subprotocol may be made of. `key` is
 * the one of a seat.
 * @param {string} token
 * @param {string} [key]
 */
function protocolsFor(token, key = "") {
    const offers = [];
    if (token) offers.push(TOKEN + spelled(token));
    if (key) offers.push(KEY + spelled(key));
    return offers.length ? [SPOKEN, ...offers] : [];
}

/** @param {string} text */
function spelled(text) {
    const bytes = String.fromCharCode(...new TextEncoder().encode(text));
    return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Where an operator who came without the token types it. The page is loaded again with it, and neither the page nor an
 * address keeps it, but this tab; an empty one is none.
 */
function tokenForm() {
    const form = document.createElement("form");
    const input = document.createElement("input");
    Object.assign(input, { type: "password", size: 14, autocomplete: "off", placeholder: "operator's token" });
    input.dataset.label = "token";
    input.setAttribute("aria-label", input.placeholder);
    form.append(input);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        sessionStorage.setItem(location.pathname, input.value);
        location.reload();
    });
    return form;
}

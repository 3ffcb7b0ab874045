// The language of a page that people play on, and the lines that it tells them: anew when another one is chosen.
// The words of every page on which a person plays; those of one game stand in its folder.
"use strict";

const LANGUAGE_KEPT = "jantaku.language";
/** What each line tells, by the id of its element.
 * @type {Map<string, () => string>} */
const told = new Map();

/**
 * Tell something in a line of the page; without a text nothing more.
 * @param {string} line
 * @param {() => string} [text] Says it in the language that is spoken.
 */
function tell(line, text = () => "") {
    told.set(line, text);
    show(line, text());
}

/** Write everything that is told in the language that is spoken. */
function drawWords() {
    drawLabels();
    for (const [line, text] of told) show(line, text());
}

/**
 * Speak the language that was chosen on a page of this server, else that of the browser.
 * @param {() => void} redraw What is to be done when another one is chosen.
 */
function speak(redraw) {
    const kept = localStorage.getItem(LANGUAGE_KEPT) ?? "";
    LANGUAGE = Object.hasOwn(WORDS, kept) ? kept : browserLanguage();
    $("language").addEventListener("click", () => {
        LANGUAGE = LANGUAGE === "ja" ? "en" : "ja";
        localStorage.setItem(LANGUAGE_KEPT, LANGUAGE);
        redraw();
    });
}

addWords({
    en: {
        seatLink: "Link to my seat",
        seatLinkCopied: "Copied. Who has this link has your seat: open it on your other device.",
        copyThis: (address) => `Copy this: ${address}`,
        timeLeft: "Time left",
        yourName: "Your name",
        sitDown: "Sit down",
        connecting: "Connecting…",
        lost: "Connection lost, trying again…",
        moved: "This seat was opened in another tab or on another device.",
        here: "Continue here",
        closed: "The room is closed.",
        yourTurn: "Your turn",
        notYourTurn: "It is not your turn.",
    },
    ja: {
        seatLink: "この席へのリンク",
        seatLinkCopied: "写しました。このリンクを持つ人がこの席に着けます。別の端末で開いてください。",
        copyThis: (address) => `これを写してください: ${address}`,
        timeLeft: "残り時間",
        yourName: "名前",
        sitDown: "着席",
        connecting: "接続中…",
        lost: "接続が切れました。つなぎ直しています…",
        moved: "この席は別のタブか別の端末で開かれました。",
        here: "ここで続ける",
        closed: "部屋は閉じられました。",
        yourTurn: "あなたの番です",
        notYourTurn: "あなたの番ではありません。",
    },
});

// The language of a page that people play on, and the lines that it tells them: anew when another one is chosen.
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

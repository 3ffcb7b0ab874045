// Light or dark: as the system has it, or as somebody chose on a page in this browser. Pages with words in two languages
// hear “worn”, and say which on the button.
"use strict";

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

// What steers the viewer: buttons, keys, lists and links. Begins when everything else of the page is there.
"use strict";

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/**
 * @param {string} id
 * @returns {Control}
 */
function control(id) {
    return /** @type {Control} */ ($(id));
}

/**
 * The elements of the page that a selector finds.
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
function page(selector) {
    return document.querySelectorAll(selector);
}

/**
 * What a button does, by its id.
 * @param {Viewer} viewer
 * @returns {Record<string, () => unknown>}
 */
function buttons(viewer) {
    return {
        first: () => viewer.goto(viewer.at.round - (viewer.at.event ? 0 : 1), 0),
        "turn-back": () => viewer.turn(-1),
        back: () => viewer.step(-1),
        next: () => viewer.step(1),
        "turn-on": () => viewer.turn(1),
        last: () => viewer.goto(viewer.at.round + 1, 0),
        play: () => viewer.play(),
        ...Object.fromEntries(PAGE.toggles.map(({ id }) => [id, () => viewer.toggle(id)])),
        rotate: () => viewer.rotate(),
        language: () => viewer.otherLanguage(),
        link: () => copyLink(viewer),
        live: () => viewer.followAgain(),
        whole: showWhole,
        help: showHelp,
        games: () => openDialog("games-box"),
        open: () => askForFiles(viewer),
        result: () => viewer.toggleResult(),
        unhide: () => viewer.toggleResult(),
    };
}

/**
 * What a key does.
 * @param {Viewer} viewer
 * @param {boolean} shift
 * @returns {Record<string, () => unknown>}
 */
function keys(viewer, shift) {
    const { first, last, next, back, play, rotate, language, ...others } = buttons(viewer);
    return {
        ArrowRight: shift ? () => viewer.turn(1) : next,
        ArrowLeft: shift ? () => viewer.turn(-1) : back,
        ArrowDown: () => viewer.turn(1),
        ArrowUp: () => viewer.turn(-1),
        "]": last,
        "[": first,
        PageDown: last,
        PageUp: () => viewer.goto(viewer.at.round - 1, 0),
        Home: () => viewer.goto(viewer.at.round, 0),
        End: () => viewer.goto(viewer.at.round, Number.POSITIVE_INFINITY),
        Escape: () => ($("told").firstChild ? tell("") : viewer.toggleResult()),
        " ": play,
        "+": () => viewer.faster(1),
        "-": () => viewer.faster(-1),
        v: () => viewer.look(((viewer.sees + 2) % ((viewer.game?.names.length ?? 0) + 1)) - 1),
        r: rotate,
        f: () => viewer.book.live && viewer.followAgain(),
        l: language,
        "?": showHelp,
        o: others.open,
        g: () => !viewer.book.live && openDialog("games-box"),
        n: () => viewer.openAnew(viewer.at.record + 1),
        p: () => viewer.openAnew(viewer.at.record - 1),
        ...Object.fromEntries(PAGE.toggles.map(({ id, key }) => [key, others[id]])),
        ...Object.fromEntries(allJumps().map(({ id, key }) => [key, () => viewer.jump(id, 1)])),
        ...Object.fromEntries(allJumps().map(({ id, key }) => [key.toUpperCase(), () => viewer.jump(id, -1)])),
    };
}

/** What the keys do: the keys, and a word. */
const KEYS = [
    ["← →", "keyStep"],
    ["↑ ↓", "keyTurn"],
    ["[ ]", "keyRound"],
    ["Home End", "keyEnds"],
    ["G", "games"],
    ["P N", "keyGame"],
    ["O", "keyOpen"],
    ["Space", "keyPlay"],
    ["− +", "keySpeed"],
    ["V", "keyView"],
    ["R", "rotate"],
    ["F", "keyFollow"],
    ["L", "keyLanguage"],
    ["Esc", "keyHide"],
    ["?", "keyHelp"],
    ["⇠ ⇢", "keySwipe"],
    ["◧ ◨", "keyTap"],
];

function showHelp() {
    const toggles = PAGE.toggles.map(({ key, word: name }) => [key.toUpperCase(), word(name)]);
    const jumps = allJumps().map(({ key, word: name }) => {
        const both = key.toUpperCase();
        return [`${both} Shift+${both}`, word("keyJump", word(name))];
    });
    const rows = [...KEYS.map(([key, name]) => [key, word(name)]), ...toggles, ...jumps];
    show(
        "keys",
        rows.map(([key, told]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${told}</dd></div>`),
    );
    openDialog("help-box");
}

/** @param {string} id */
function openDialog(id) {
    const dialog = /** @type {HTMLDialogElement} */ ($(id));
    if (!dialog.open) dialog.showModal();
}

/** Buttons that close what they stand in, and a click beside it. */
function closeDialogs() {
    for (const dialog of document.querySelectorAll("dialog"))
        dialog.addEventListener("click", ({ target }) => {
            if (target === dialog || /** @type {HTMLElement} */ (target).closest(".closes, a")) dialog.close();
        });
}

const SWIPE = 40; // CSS pixels that a finger goes at least
const TAP = 10; // … at most

/**
 * A finger on the table: swiped to the left or tapped in the right half, a step on, else a step back. What goes up or down
 * scrolls, and a mouse only points.
 * @param {Viewer} viewer
 */
function fingers(viewer) {
    const table = $("table");
    /** @type {PointerEvent | null} */
    let down = null;
    table.addEventListener("pointerdown", (event) => {
        down = event.pointerType !== "mouse" && event.isPrimary ? event : null;
    });
    table.addEventListener("pointercancel", () => {
        down = null;
    });
    table.addEventListener("pointerup", (event) => {
        if (!down) return;
        const [across, along] = [event.clientX - down.clientX, event.clientY - down.clientY];
        down = null;
        const box = table.getBoundingClientRect();
        if (Math.abs(across) >= SWIPE && Math.abs(across) > 2 * Math.abs(along)) viewer.step(across < 0 ? 1 : -1);
        else if (Math.hypot(across, along) <= TAP) viewer.step(event.clientX > box.left + box.width / 2 ? 1 : -1);
    });
}

/**
 * Let the browser ask which files to open. A page that reads none says so.
 * @param {Viewer} viewer
 */
function askForFiles(viewer) {
    if (viewer.book.opens) control("file").click();
    else tell(word("noReader"));
}

/**
 * Files that are chosen or dropped. What is dropped never leads away from the page.
 * @param {Viewer} viewer
 */
function takeFiles(viewer) {
    const input = /** @type {HTMLInputElement} */ (control("file"));
    input.addEventListener("change", () => {
        openFiles(viewer, [...(input.files ?? [])]);
        input.value = ""; // so that the same file can be chosen again
    });
    for (const kind of ["dragover", "dragleave", "drop"])
        addEventListener(kind, (event) => {
            const { dataTransfer: dragged } = /** @type {DragEvent} */ (event);
            if (!dragged?.types.includes("Files")) return;
            event.preventDefault();
            document.body.classList.toggle("dragged-over", kind === "dragover");
            if (kind === "drop") openFiles(viewer, [...dragged.files]);
        });
    $("told").addEventListener("click", () => tell(""));
}

/**
 * Open files one after another and show the first that can be shown; what is wrong with the others is told.
 * @param {Viewer} viewer
 * @param {File[]} files
 */
async function openFiles(viewer, files) {
    const { records, opens } = viewer.book;
    const before = records.length;
    const wrong = [];
    for (const file of files) {
        tell(word("reading", file.name));
        try {
            records.push(await readFile(file, opens ?? 0));
        } catch (error) {
            wrong.push(/** @type {Error} */ (error).message);
        }
    }
    tell([...new Set(wrong)].join("\n"));
    viewer.draw();
    await viewer.openAnew(before);
}

/**
 * What is told over the page until it is closed; nothing closes it.
 * @param {string} text
 */
function tell(text) {
    const close = word("close");
    show("told", text ? html`<p>${text}</p><button type="button" title=${close} aria-label=${close}>✕</button>` : null);
}

/**
 * @param {Viewer} viewer
 * @param {KeyboardEvent} event
 */
function press(viewer, event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog")) return;
    if (target.matches("input, select") && event.key !== "Escape") return;
    if (target.matches("button") && [" ", "Enter"].includes(event.key)) return;
    const does = keys(viewer, event.shiftKey);
    if (!Object.hasOwn(does, event.key)) return;
    event.preventDefault();
    does[event.key]();
}

/** @param {Viewer} viewer */
function steer(viewer) {
    for (const [id, does] of Object.entries(buttons(viewer))) $(id).addEventListener("click", does);
    /** @type {(id: string, kind: string, does: (value: number) => unknown) => void} */
    const on = (id, kind, does) => control(id).addEventListener(kind, () => does(Number(control(id).value)));
    on("view", "change", (player) => viewer.look(player));
    on("speed", "change", (speed) => viewer.faster(SPEEDS.indexOf(speed) - SPEEDS.indexOf(viewer.speed)));
    on("position", "input", (event) => viewer.goto(viewer.at.round, event));
    $("list").addEventListener("click", (event) => {
        const button = /** @type {HTMLElement} */ (event.target).closest("button");
        if (button) viewer.goto(Number(button.dataset.round), 0);
    });
    $("jumps").addEventListener("click", (event) => {
        const button = /** @type {HTMLElement} */ (event.target).closest("button");
        if (button) viewer.jump(button.dataset.jump ?? "", event.shiftKey ? -1 : 1);
    });
    fingers(viewer);
    closeDialogs();
    takeFiles(viewer);
    document.addEventListener("keydown", (event) => press(viewer, event));
    addEventListener("hashchange", () => {
        const { record } = viewer.at;
        readLink(viewer);
        if (!viewer.game) return;
        if (viewer.at.record !== record || viewer.seeksFault) viewer.open(viewer.at.record);
        else {
            viewer.goto(viewer.at.round, viewer.at.event);
            if (viewer.sought) revealDecision();
        }
    });
}

/**
 * The link to a position: record, round and event from 1, whose view, language. `#fault` is read as well: the first.
 * @param {Viewer} viewer
 */
function linkTo({ at, sees, base }) {
    const link = new URLSearchParams({ r: `${at.record + 1}`, k: `${at.round + 1}`, e: `${at.event + 1}` });
    if (sees >= 0) link.set("v", String(sees));
    if (base) link.set("b", String(base));
    link.set("l", LANGUAGE);
    return `#${link}`;
}

/** @type {number | undefined} */
let writing;

/**
 * Into the address, when the stepping pauses: browsers refuse many changes in a row.
 * @param {Viewer} viewer
 */
function writeLink(viewer) {
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", linkTo(viewer)), 120);
}

/** @param {Viewer} viewer */
function readLink(viewer) {
    const link = new URLSearchParams(location.hash.slice(1));
    /** @type {(key: string, least: number) => number} */
    const number = (key, least) => Math.max(Number.parseInt(link.get(key) ?? "", 10) || least, least);
    viewer.seeksFault = link.has("fault");
    viewer.at = { record: number("r", 1) - 1, round: number("k", 1) - 1, event: number("e", 1) - 1 };
    viewer.sought = viewer.seeksFault || viewer.at.event > 0;
    const sees = Number.parseInt(link.get("v") ?? "-1", 10);
    viewer.sees = Number.isNaN(sees) ? -1 : Math.max(sees, -1);
    viewer.base = number("b", Math.max(viewer.sees, 0));
    const wanted = link.get("l") || browserLanguage();
    LANGUAGE = Object.hasOwn(WORDS, wanted) ? wanted : "en";
}

/** @param {Viewer} viewer */
async function copyLink(viewer) {
    const address = new URL(location.href);
    address.hash = linkTo(viewer);
    await navigator.clipboard?.writeText(address.href);
    $("link").textContent = word("copied");
}

const viewer = new Viewer(readBook());
// Never an empty page: what goes wrong is said where the table would be.
viewer.start().catch((error) => {
    show("table", `${word("trouble")}: ${error.message}`);
    throw error;
});

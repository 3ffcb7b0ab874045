// The hand of a person: which cards can be played, which are chosen, and how long there is time. The server says what may
// be played; nothing of the rules is here.
"use strict";

/** @type {{ cards: string[], chosen: Set<string>, choice: Choice | null, until: number, sent: boolean }} */
const hand = { cards: [], chosen: new Set(), choice: null, until: 0, sent: false };

/** @type {(cards: Iterable<string>) => string} */
const asSet = (cards) => [...cards].sort().join(" ");

/** @type {() => Set<string>[]} */
const allowedPlays = () => (hand.choice?.Plays ?? []).map((play) => new Set(cardsOf(play)));

/** @type {(cards: Iterable<string>) => boolean} */
const isAllowed = (cards) => !hand.sent && allowedPlays().some((play) => asSet(play) === asSet(cards));

/**
 * Whether there is a play with these cards in it.
 * @type {(cards: Set<string>) => boolean}
 */
const leadsTo = (cards) => allowedPlays().some((play) => [...cards].every((card) => play.has(card)));

/**
 * Choose a card, or put it back. A card that does not go with the others that are chosen is chosen alone.
 * @param {string} card
 */
function pick(card) {
    if (!hand.choice || hand.sent) tell("word", () => word("notYourTurn"));
    else if (!leadsTo(new Set([card]))) tell("word", () => word("cannotPlay", cardsInWords(card)));
    else {
        const chosen = new Set(hand.chosen);
        if (!chosen.delete(card)) chosen.add(card);
        hand.chosen = leadsTo(chosen) ? chosen : new Set([card]);
        tell("word");
    }
    drawHand();
}

/** @param {string} card */
function handCard(card) {
    const mine = hand.choice !== null && !hand.sent;
    const can = mine && leadsTo(new Set([card]));
    const chosen = hand.chosen.has(card);
    const look = `${cardClass(card)}${chosen ? " chosen" : ""}${mine && !can ? " cannot" : ""}`;
    return html`
        <button
            type="button" key=${card} class=${look} data-card=${card} aria-pressed=${chosen ? "true" : "false"}
            aria-disabled=${can ? "false" : "true"} aria-label=${cardName(card)} onClick=${() => pick(card)}
        >
            ${cardFace(card)}
        </button>
    `;
}

function drawHand() {
    const had = $("hand").contains(document.activeElement);
    show("hand", hand.cards.map(handCard));
    $("put").setAttribute("aria-disabled", isAllowed(hand.chosen) && hand.chosen.size ? "false" : "true");
    $("pass").setAttribute("aria-disabled", isAllowed([]) ? "false" : "true");
    document.body.classList.toggle("my-turn", hand.choice !== null && !hand.sent);
    // A card that was played is gone, and the focus with it: the keyboard goes on at the next.
    if (had && document.activeElement === document.body) firstCard()?.focus();
}

/** @returns {HTMLElement | null} */
const firstCard = () => $("hand").querySelector("[aria-disabled=false]") ?? $("hand").querySelector("button");

/**
 * A question, or none any more.
 * @param {Choice | null} choice
 */
function ask(choice) {
    hand.choice = choice;
    hand.sent = false;
    hand.chosen = new Set();
    hand.until = performance.now() + 1000 * (choice?.Seconds ?? 0);
    $("clock").hidden = choice === null || choice.Seconds === null;
    if (choice) {
        const canPlay = choice.Plays.some((play) => play !== "");
        tell("word", () => word(canPlay ? "yourTurn" : "nothingToPlay"));
        /** @type {HTMLProgressElement} */ ($("time")).max = choice.Allowed ?? 1;
        tick();
    }
    drawHand();
    if (choice && document.activeElement === document.body) firstCard()?.focus();
}

function tick() {
    if (!hand.choice || hand.choice.Allowed === null) return;
    const left = Math.max(0, (hand.until - performance.now()) / 1000);
    /** @type {HTMLProgressElement} */ ($("time")).value = left;
    $("clock").classList.toggle("short", left < hand.choice.Allowed / 4);
    show("seconds", `${Math.ceil(left)} s`);
}

/**
 * The keys: in the hand the arrows go from card to card and Enter plays what is chosen, everywhere P passes.
 * @param {KeyboardEvent} event
 */
function pressed(event) {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const inHand = $("hand").contains(document.activeElement);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "p" || event.key === "P") $("pass").click();
    else if (event.key === "Escape") {
        hand.chosen = new Set();
        drawHand();
    } else if (inHand && event.key === "Enter") $("put").click();
    else if (step) {
        const cards = [.../** @type {NodeListOf<HTMLElement>} */ ($("hand").querySelectorAll("button"))];
        const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
        cards.at(at < 0 ? 0 : (at + step) % cards.length)?.focus();
    } else return;
    event.preventDefault();
}

document.addEventListener("keydown", pressed);
setInterval(tick, 100);

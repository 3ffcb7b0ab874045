// What the pages of 大富豪 share: who sits where in this browser, and what a notice says.
"use strict";

/** What the server puts behind the name of a player whose connection is gone, for every program. */
const AWAY = "(離脱)";

/**
 * A name as it stands on the page.
 * @type {(name: string) => string}
 */
const shownName = (name) => (name.endsWith(AWAY) ? word("away", name.slice(0, -AWAY.length)) : name);

/** @type {(name: string) => string} */
const startWanted = (name) => `jantaku.start.${name}`;

/**
 * Choose a seat in a room, and go there. `start`: the series begins at once.
 * @param {string} letter
 * @param {string} name
 * @param {string} person
 * @param {boolean} [start]
 */
function sitDown(letter, name, person, start = false) {
    chooseSeat(name, person);
    if (start) sessionStorage.setItem(startWanted(name), "1");
    location.assign(`/sit/${letter}/${name}`);
}

/** The name in a form, which is where the person may change it. */
const nameGiven = () => /** @type {HTMLInputElement} */ ($("name")).value.trim() || word("nobody");

/** Say in an empty field for a name what its person is called otherwise. */
function labelName() {
    /** @type {HTMLInputElement} */ ($("name")).placeholder = word("nobody");
}

/**
 * Hear how it stands in a room; why there can be none of that name is shown as it is.
 * @type {(name: string, told: (notice: RoomNotice) => void) => void}
 */
function followRoom(name, told) {
    /** @type {(message: RoomNotice | Refusal) => void} */
    const heard = (message) => ("Message" in message ? tell("state", () => message.Message) : told(message));
    follow(`/rooms/${encodeURIComponent(name)}`, heard);
}

/** @type {(notice: RoomNotice) => string} */
function stateWords(notice) {
    const { state, letter, players, seats, round, rounds } = notice;
    const parts = [
        word(`state-${state}`),
        letter && word("classOf", letter),
        players?.length && word("people", players.length, seats),
        state === "playing" && round && word("roundOf", round, rounds),
    ];
    return parts.filter(Boolean).join(" · ");
}

/**
 * Which of the rules are in force that differ from table to table.
 * @type {(notice: RoomNotice) => Rendered}
 */
function rulesView({ letter, kaidan }) {
    if (!letter) return "";
    const runs = [word(kaidan ? `ruleKaidan-${kaidan}` : "ruleKaidan"), word("ruleFoul")];
    const on = [word("ruleRevolution"), word("ruleExchange"), ...(letter === "B" ? runs : [])];
    const off = [...(letter === "B" ? [] : [word("ruleKaidan"), word("ruleFinish")]), word("rulesNever")];
    const separator = word("comma");
    return html`<p><b>${word("rulesOn")}</b> ${on.join(separator)}</p>
        <p class="quiet"><b>${word("rulesOff")}</b> ${off.join(separator)}</p>`;
}

/**
 * A name that is cut where it is too long; the whole of it is told where the mouse points.
 * @type {(seat: number, name: string) => Rendered}
 */
const nameView = (seat, name) => html`<div class="name" title=${shownName(name)}>${seat} ${shownName(name)}</div>`;

/**
 * Who sits there before anything is dealt.
 * @type {(notice: RoomNotice) => Rendered}
 */
const waitingView = (notice) =>
    (notice.players ?? []).map(
        (name, seat) => html`<li key=${seat} class="guest"><div class="who">${nameView(seat, name)}</div></li>`,
    );

/**
 * The standings of a series, best first (成績表).
 * @type {(notice: RoomNotice) => Rendered}
 */
function standingsView(notice) {
    const rows = [...(notice.standings ?? [])].sort((a, b) => b.total - a.total);
    if (!rows.length) return html`<p class="quiet">${word("standingsLater")}</p>`;
    const classes = [2, 1, 0, -1, -2].map((rank) => html`<th scope="col" class="class">${word("ranks", rank)}</th>`);
    const columns = ["player", "total", "lastRound"].map((name) => html`<th scope="col">${word(name)}</th>`);
    return html`
        <table>
            <thead>
                <tr>${columns}${classes}</tr>
            </thead>
            <tbody>
                ${rows.map(
                    (row) => html`
                        <tr>
                            <th scope="row">${shownName(row.name)}</th>
                            <td>${row.total}</td>
                            <td>${row.last}</td>
                            ${row.times.map((times) => html`<td>${times}</td>`)}
                        </tr>
                    `,
                )}
            </tbody>
        </table>
    `;
}

// What the pages of 大富豪 share: who sits where in this browser, and what a notice says.
"use strict";

/** @type {Record<RoomNotice["state"], string>} */
const STATES = { free: "空き free", open: "受付中 open", playing: "プレイ中 playing", over: "終了 over" };

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
const nameGiven = () => /** @type {HTMLInputElement} */ ($("name")).value.trim() || "あなた";

/**
 * Hear how it stands in a room; why there can be none of that name is shown as it is.
 * @type {(name: string, told: (notice: RoomNotice) => void) => void}
 */
function followRoom(name, told) {
    /** @type {(message: RoomNotice | Refusal) => void} */
    const heard = (message) => ("Message" in message ? show("state", message.Message) : told(message));
    follow(`/rooms/${encodeURIComponent(name)}`, heard);
}

/** @type {(notice: RoomNotice) => string} */
function stateWords(notice) {
    const round = notice.state === "playing" && notice.round ? ` · 第${notice.round}ラウンド / ${notice.rounds}` : "";
    const people = notice.players?.length ? ` · ${notice.players.length}/${notice.seats}人` : "";
    return `${STATES[notice.state]}${notice.letter ? ` · class ${notice.letter}` : ""}${people}${round}`;
}

/**
 * Who sits there before anything is dealt.
 * @type {(notice: RoomNotice) => Rendered}
 */
const waitingView = (notice) =>
    (notice.players ?? []).map(
        (name, seat) =>
            html`<li key=${seat} class="guest"><div class="who"><div class="name">${seat} ${name}</div></div></li>`,
    );

/**
 * The standings of a series, best first (成績表).
 * @type {(notice: RoomNotice) => Rendered}
 */
function standingsView(notice) {
    const rows = [...(notice.standings ?? [])].sort((a, b) => b.total - a.total);
    if (!rows.length) return html`<p class="quiet">第1ラウンドの後に出ます after the first round</p>`;
    const classes = [2, 1, 0, -1, -2].map((rank) => html`<th scope="col" class="class">${CLASS_WORDS[rank]}</th>`);
    return html`
        <table>
            <thead>
                <tr><th scope="col">名前</th><th scope="col">総合</th><th scope="col">直前</th>${classes}</tr>
            </thead>
            <tbody>
                ${rows.map(
                    (row) => html`
                        <tr>
                            <th scope="row">${row.name}</th>
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

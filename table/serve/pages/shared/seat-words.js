// The words of every page on which a person plays; those of one game stand in its folder.
"use strict";

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

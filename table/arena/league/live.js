/* The page of a running league comes anew every so many seconds; while nobody answers, it stays as it is. */
"use strict";
const seconds = Number(document.querySelector("[data-pace]")?.getAttribute("data-pace"));
setInterval(async () => {
    try {
        const answer = await fetch(location.href, { cache: "no-store" });
        if (answer.ok) {
            location.reload();
        }
    } catch {
        // The server has ended; it may begin again.
    }
}, seconds * 1000);

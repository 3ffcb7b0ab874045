new Promise(done => {
    const all = selector => [...document.querySelectorAll(selector)].filter(one => !one.closest("[hidden]"));
    const one = selector => all(selector).length > 0;
    const states = {
        result: () => one("#go-on"), over: () => one("[data-act=again]"), moved: () => one("[data-act=here]"),
        resting: () => one("[data-act=back]"), turn: () => document.body.classList.contains("my-turn"),
        entry: () => one("#entry button"), start: () => one("#start"),
    };
    const look = () => {
        const state = Object.keys(states).find(name => states[name]()) ?? "";
        if (!state && WAITS) return false;
        done({
            state, question: spied.number,
            tiles: all("#hand .pick").map(tile => [tile.dataset.tile, tile.getAttribute("aria-disabled") === "false"]),
            acts: all("#actions button").map(button => [button.dataset.act, button.textContent]),
            word: document.querySelector("#word")?.textContent, why: document.querySelector("#why")?.textContent,
            told: document.querySelector("#state")?.textContent,
        });
        return true;
    };
    requestAnimationFrame(() => {
        if (look()) return;
        const observer = new MutationObserver(() => look() && observer.disconnect());
        observer.observe(document.body, { attributes: true, childList: true, subtree: true });
        setTimeout(() => { observer.disconnect(); done(null); }, SECONDS * 1000);
    });
})

(async () => {
    const EVENTS = PLACES;
    let drawn = 0;
    viewer.on = new Set(PAGE.toggles.map(toggle => toggle.id));
    for (let record = FIRST; record < END; record++) {
        for (const event of EVENTS) {
            viewer.at = {record, round: 0, event};
            LANGUAGE = event % 2 ? "ja" : "en";
            try {
                if (event > EVENTS[0]) viewer.draw(); else await viewer.open(record);
                drawn++;
            } catch { /* not drawn */ }
        }
    }
    return drawn;
})()

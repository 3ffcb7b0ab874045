(() => {
    const Real = WebSocket;
    window.spied = { sockets: [], choice: null, number: 0, heard: [] };
    window.WebSocket = class extends Real {
        constructor(...words) {
            super(...words);
            if (!String(words[0]).includes("/play/")) return;
            spied.sockets.push(this);
            this.addEventListener("message", ({ data }) => {
                const message = JSON.parse(data);
                if (message.choice) [spied.choice, spied.number] = [message.choice, message.choice.question];
                for (const key of ["refused", "defaulted", "meanwhile", "resting", "error"])
                    if (key in message) spied.heard.push([key, message[key]]);
            });
        }
    };
})()

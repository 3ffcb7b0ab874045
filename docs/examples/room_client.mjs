// The same in Majiang's messages: node room_client.mjs "ws://127.0.0.1:8766/play/club?name=first"
// Node 22 and newer have WebSocket; Node 20 wants --experimental-websocket before the file.
let seat = -1;
const table = new WebSocket(process.argv[2]);
table.onmessage = ({ data }) => {
    const { seq, qipai, zimo, jieju } = JSON.parse(data);
    if (qipai) seat = qipai.shoupai.findIndex((hand) => hand); // the others' hands are empty texts
    if (jieju) console.log("points:", jieju.defen);
    if (seq) table.send(JSON.stringify(zimo?.l === seat ? { dapai: `${zimo.p}_`, seq } : { seq }));
};
table.onclose = ({ code, reason }) => code === 1000 || console.error(code, reason);

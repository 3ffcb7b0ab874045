/*
 *  A player of majiang-core 1.x as a program that sits at the table: @kobalab/majiang-ai, or the module that is named.
 *
 *      jantaku play --players "exec:node majiang_ai.js,shanten,shanten,shanten"
 *
 *  The module is looked for in the working folder first (npm install @kobalab/majiang-ai), then beside this file.
 */
"use strict";

const name = process.argv[2] || "@kobalab/majiang-ai";
const Player = require(require.resolve(name, { paths: [process.cwd(), __dirname] }));
const player = new Player();

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    const seq = message.seq;
    const answer = (reply) => process.stdout.write(JSON.stringify({ ...reply, seq }) + "\n");
    player.action(message, seq && answer);
});

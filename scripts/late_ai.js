// majiang-ai that declares no riichi before it has five tiles in its river: a second version of one program.
//
//     jantaku play --players "exec:node players/adapters/majiang_ai.js scripts/late_ai.js?cwd=…,…"
"use strict";

const AI = require(require.resolve("@kobalab/majiang-ai", { paths: [process.cwd()] }));

module.exports = class LateAI extends AI {
    select_lizhi(tile) {
        return this.he._pai.length >= 5 && super.select_lizhi(tile);
    }
};

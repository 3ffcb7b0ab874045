// majiang-core's own Game, GAMES times, four players that always discard the drawn tile: node loop.js GAMES.
"use strict";

const Majiang = require("@kobalab/majiang-core");

class Tsumogiri extends Majiang.Player {

    action_kaiju() { this._callback(); }
    action_qipai() { this._callback(); }
    action_zimo(zimo) { this._callback(zimo.l == this._menfeng ? { dapai: zimo.p + "_" } : {}); }
    action_dapai() { this._callback(); }
    action_fulou() { this._callback(); }
    action_gang() { this._callback(); }
    action_hule() { this._callback(); }
    action_pingju() { this._callback(); }
    action_jieju() { this._callback(); }
}

for (let number = 0; number < Number(process.argv[2]); number++) {
    const players = [0, 1, 2, 3].map(() => new Tsumogiri());
    new Majiang.Game(players, null, Majiang.rule()).do_sync();
}

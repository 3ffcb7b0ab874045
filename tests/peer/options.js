// A player of majiang-core 1.x that keeps its state from messages alone, chooses at random among what majiang-core's
// Player class allows, and adds to its reply all of that as "meta". Over standard input and output; the seed is
// in JANTAKU_SEED.
"use strict";

const Majiang = require("@kobalab/majiang-core");

let state = Number(BigInt.asUintN(31, BigInt(process.env.JANTAKU_SEED || 1))) + 1;
function random() {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
}

class Chooser extends Majiang.Player {

    // Riichi and wins rather more often than one in many.
    choose(listed) {
        const options = listed.filter(reply => !this.isUnheld(reply.dapai));
        const strong = options.filter(reply => reply.hule || (reply.dapai || "").endsWith("*"));
        const from = strong.length && random() < 0.7 ? strong : options;
        this._callback({ ...from[Math.floor(random() * from.length)], meta: listed });
    }

    // get_dapai also lists a drawn plain five as if it were in the hand when only a red one is.
    isUnheld(p) {
        const drawn = this.shoupai._zimo, held = p && this.shoupai._bingpai[p[0]];
        return p && p === drawn && p[1] === "5" && held[5] - held[0] === 1;
    }

    action_kaiju() { this._callback({}); }
    action_qipai() { this._callback({}); }
    action_hule() { this._callback({}); }
    action_pingju() { this._callback({}); }
    action_jieju() { this._callback({}); }

    action_zimo(zimo, gangzimo) {
        if (zimo.l != this._menfeng) return this._callback({});
        const options = [];
        if (this.allow_hule(this.shoupai, null, gangzimo)) options.push({ hule: "-" });
        if (this.allow_pingju(this.shoupai)) options.push({ daopai: "-" });
        for (const m of this.get_gang_mianzi(this.shoupai) || []) options.push({ gang: m });
        for (const p of this.get_dapai(this.shoupai)) options.push({ dapai: p });
        for (const p of this.allow_lizhi(this.shoupai) || []) options.push({ dapai: p + "*" });
        this.choose(options);
    }

    action_dapai(dapai) {
        if (dapai.l == this._menfeng) return this._callback({});
        const p = dapai.p.slice(0, 2) + ["", "+", "=", "-"][(4 + dapai.l - this._menfeng) % 4];
        const options = [];
        if (this.allow_hule(this.shoupai, p)) options.push({ hule: "-" });
        for (const m of this.get_gang_mianzi(this.shoupai, p) || []) options.push({ fulou: m });
        for (const m of this.get_peng_mianzi(this.shoupai, p) || []) options.push({ fulou: m });
        for (const m of this.get_chi_mianzi(this.shoupai, p) || []) options.push({ fulou: m });
        this.choose([...options, {}]);
    }

    action_fulou(fulou) {
        if (fulou.l != this._menfeng || fulou.m.match(/\d{4}/)) return this._callback({});
        this.choose(this.get_dapai(this.shoupai).map(p => ({ dapai: p })));
    }

    action_gang(gang) {
        if (gang.l == this._menfeng || gang.m.match(/^[mpsz]\d{4}$/)) return this._callback({});
        const p = gang.m[0] + gang.m.slice(-1) + ["", "+", "=", "-"][(4 + gang.l - this._menfeng) % 4];
        this.choose([...(this.allow_hule(this.shoupai, p, true) ? [{ hule: "-" }] : []), {}]);
    }
}

const player = new Chooser();
require("readline").createInterface({ input: process.stdin }).on("line", line => {
    const message = JSON.parse(line), seq = message.seq;
    player.action(message, seq && (reply => process.stdout.write(JSON.stringify({ ...reply, seq }) + "\n")));
});

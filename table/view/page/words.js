// The words of the page in Japanese and English. Yaku keep their Japanese name; English puts its own before it.
"use strict";

/** @type {string} */
let LANGUAGE = "en";

/** @type {Record<string, Record<string, string | ((...values: any[]) => string)>>} */
const WORDS = {
    en: {
        honours: n => ["East", "South", "West", "North", "White", "Green", "Red"][n], winds: n => ["East", "South", "West", "North"][n],
        hidden: "hidden tile", red: "red ", round: (w, n) => `${["East", "South", "West", "North"][w]} ${n}`,
        honba: n => `${n} honba`, sticks: n => `${n} riichi stick${n === 1 ? "" : "s"}`, left: n => `${n} left`,
        dora: "Dora", ura: "Ura", tsumogiri: "drawn and discarded", called: name => `called by ${name}`, riichi: "Riichi",
        all: "All hands", only: name => `Only what ${name} sees`, wall: "Wall and ura", language: "日本語", link: "Copy link",
        copied: "Copied", play: "Play", pause: "Pause", speed: "Speed", view: "View", rotate: "Turn the table",
        firstKyoku: "Kyoku back", turnBack: "Turn back", back: "Step back", next: "Step on", turnOn: "Turn on",
        nextKyoku: "Next kyoku", position: "Position in the kyoku", kyoku: "Kyoku", decision: "Decision",
        nothing: "Nobody is asked here.", options: "could", answer: "did", used: "took", of: "of", unlimited: "no clock",
        pass: "pass", ron: "Ron", tsumo: "Tsumo", win: "Win", kan: "Kan", chi: "Chi", pon: "Pon", draw: "Draw",
        declare: "Declare", discard: "Discard", guessed: "inferred", from: name => `from ${name}`, fu: "fu", han: "han",
        yakuman: n => n > 1 ? `${n}× yakuman` : "Yakuman", points: "points", final: "Final result", tenpai: "tenpai",
        noten: "noten", opening: "The deal", ongoing: "not finished", deadWall: "Dead wall (rinshan · dora above ura)",
        live: "Next draws", unknown: "This record does not tell the wall.", keys: "Keys",
        liveOn: "Live", liveFollow: "Follow", liveWaiting: "Waiting for the table", liveOver: "The game is over", liveLost: "Connection lost, trying again", liveRefused: "Not let in",
        record: "Record", rank: n => ["1st", "2nd", "3rd", "4th"][n - 1], turnOf: name => `${name} to act`, trouble: "This cannot be shown",
        help: "← → step · Shift+← → turn · [ ] kyoku · Space play · + − speed · V view · R turn the table · W wall · F follow live · L language · Home End",
    },
    ja: {
        honours: n => "東南西北白發中"[n], winds: n => "東南西北"[n],
        hidden: "伏せ牌", red: "赤", round: (w, n) => `${"東南西北"[w]}${"一二三四"[n - 1]}局`,
        honba: n => `${n}本場`, sticks: n => `供託${n}`, left: n => `残り${n}枚`,
        dora: "ドラ表示", ura: "裏ドラ", tsumogiri: "ツモ切り", called: name => `${name}が鳴き`, riichi: "リーチ",
        all: "全員の手牌", only: name => `${name}の視点`, wall: "山と裏ドラ", language: "English", link: "リンクを写す",
        copied: "写しました", play: "再生", pause: "停止", speed: "速さ", view: "視点", rotate: "卓を回す",
        firstKyoku: "前の局", turnBack: "前の巡", back: "一手戻る", next: "一手進む", turnOn: "次の巡",
        nextKyoku: "次の局", position: "局の中の位置", kyoku: "局", decision: "判断",
        nothing: "ここで選ぶ人はいません。", options: "選択肢", answer: "実際", used: "時間", of: "/", unlimited: "無制限",
        pass: "見送り", ron: "ロン", tsumo: "ツモ", win: "和了", kan: "カン", chi: "チー", pon: "ポン", draw: "流局",
        declare: "宣言", discard: "打", guessed: "推定", from: name => `${name}から`, fu: "符", han: "飜",
        yakuman: n => n > 1 ? `${n}倍役満` : "役満", points: "点", final: "最終結果", tenpai: "聴牌",
        noten: "不聴", opening: "配牌", ongoing: "途中まで", deadWall: "王牌(嶺上・ドラ表示の下に裏)",
        live: "これからのツモ", unknown: "この牌譜には山の記録がありません。", keys: "キー",
        liveOn: "実況", liveFollow: "追う", liveWaiting: "卓を待っています", liveOver: "対局は終わりました", liveLost: "接続が切れました、再接続中", liveRefused: "入れません",
        record: "牌譜", rank: n => `${n}位`, turnOf: name => `${name}の番`, trouble: "表示できません",
        help: "← → 一手 · Shift+← → 一巡 · [ ] 局 · Space 再生 · + − 速さ · V 視点 · R 卓を回す · W 山 · F 実況へ · L 言語 · Home End",
    },
};

/** @type {Record<string, string>} */
const YAKU_ENGLISH = {
    立直: "Riichi", ダブル立直: "Double riichi", 一発: "Ippatsu", 海底摸月: "Haitei", 河底撈魚: "Houtei", 嶺上開花: "Rinshan",
    槍槓: "Chankan", 門前清自摸和: "Menzen tsumo", 平和: "Pinfu", 断幺九: "Tanyao", 一盃口: "Iipeikou", 三色同順: "Sanshoku",
    一気通貫: "Ittsuu", 混全帯幺九: "Chanta", 七対子: "Chiitoitsu", 対々和: "Toitoi", 三暗刻: "Sanankou", 三槓子: "Sankantsu",
    三色同刻: "Sanshoku doukou", 混老頭: "Honroutou", 小三元: "Shousangen", 混一色: "Honitsu", 純全帯幺九: "Junchan",
    二盃口: "Ryanpeikou", 清一色: "Chinitsu", 国士無双: "Kokushi musou", 国士無双十三面: "Kokushi 13 waits", 四暗刻: "Suuankou",
    四暗刻単騎: "Suuankou tanki", 大三元: "Daisangen", 大四喜: "Daisuushii", 小四喜: "Shousuushii", 字一色: "Tsuuiisou",
    緑一色: "Ryuuiisou", 清老頭: "Chinroutou", 四槓子: "Suukantsu", 九蓮宝燈: "Chuuren poutou", 純正九蓮宝燈: "Pure chuuren",
    天和: "Tenhou", 地和: "Chiihou", 人和: "Renhou", ドラ: "Dora", 赤ドラ: "Red five", 裏ドラ: "Ura dora",
    荒牌平局: "Exhaustive draw", 流し満貫: "Nagashi mangan", 九種九牌: "Nine terminals", 四風連打: "Four winds",
    四家立直: "Four riichi", 四開槓: "Four kans", 三家和: "Triple ron",
};

/**
 * A word of the page in the language that is spoken.
 * @param {string} key
 * @param {...unknown} values
 */
function word(key, ...values) {
    const found = WORDS[LANGUAGE][key];
    return typeof found === "function" ? found(...values) : found;
}

/** @param {string} name */
function yakuWords(name) {
    if (LANGUAGE === "ja") return name;
    const [kind, tile] = name.split(" ");
    const place = { 場風: "Round wind", 自風: "Seat wind", 翻牌: "Dragon" }[kind];
    const honour = tile ? "東南西北白發中".indexOf(tile) : -1;
    if (place && honour >= 0) return `${place} ${word("honours", honour)} ${name}`;
    return Object.hasOwn(YAKU_ENGLISH, name) ? `${YAKU_ENGLISH[name]} ${name}` : name;
}

"""What presets cannot express as keys and values: decisions where their sources are silent or contradictory, settings
that change with the length of the game, and the field's words by which people search for a rule key."""

from collections.abc import Mapping

from jantaku.table.ground.settings import Layer

CHOICES: Mapping[str, tuple[str, ...]] = {
    "showa": (
        "S-13, S-133: a tonpu starts with 20000 points; what it returns to is not said: 5000 more, as in a hanchan. "
        "With length tonpu both are set, unless you set them.",
        "S-21: the wall that the dice break is (sum - 1) mod 4 counted from East on one page and in the prototype, sum "
        "mod 4 on another: the first, so that 5 and 9 are East's own.",
        "S-36, S-37: the first version knows atamahane and leaves three claims open: they abort (ron.sanchahou).",
        "S-51: who chooses a kuikae discard is warned and may choose another in time, in dialects that have a word for "
        "it (call.kuikae_retry); in others the default is played.",
        "S-55: another time for the indicators of ankan and minkan is left to be done: at once (dora.*_opens).",
        "S-60: who pays the honba of a ron with a liable player is not said: he does (call.pao_honba).",
        "S-73: a riichi stands if nobody declares anything; that it stands after a call, too, is implied.",
        "S-90: of two nagashi mangan the nearer to the first dealer is paid, as ties are broken elsewhere; four abort "
        "as three do (draw.nagashi_several).",
        "S-93: where the dealer passes at a draw the rules of the end of a kyoku add a honba, the worked example of a "
        'tonpu keeps the number (東二局二本場, a draw, 東三局二本場): the rules. draw.passed_honba = "keep" plays '
        "the example.",
        "S-95: アガリやめ for every reason that keeps the dealer, with any points, as written (game.agari_yame).",
        "S-108: the table prints 36000 for the yakuman of a child by ron, the prototype pays 32000: 32000.",
        "S-109: every winner is paid the honba, as written; elsewhere only the nearest is (ron.honba).",
        "S-126: what 一盃口 does not combine with and more than a triple yakuman are left open, 人和 is not listed: "
        "as usual, no limit, not played.",
        "S-132: the final scores as printed, (points - 25000 + 50000, 10000, -10000, -30000) / 1000, add up to 20: "
        "here points count from 30000, so that they add up to 0. As printed: game.return_points = 25000, game.uma = "
        "[50, 10, -10, -30].",
    ),
}
"""By preset: where its source contradicts itself or is silent, and what was decided. Printed with the preset."""

LENGTHS: Mapping[str, Mapping[str, Layer]] = {
    "showa": {"tonpu": {"game.start_points": 20000, "game.return_points": 25000}},
}
"""By preset and game length: the settings that this length changes."""

_WORDS = {
    "ron.max_winners = 1": "atamahane 頭ハネ 頭はね headbump single-ron",
    "ron.max_winners = 2": "double double-ron daburon ダブロン ダブロンあり 二家和",
    "ron.max_winners = 3 and ron.sanchahou = false": (
        "triple triple-ron toriron トリロン トリプルロン トリプル トリプルあり"
    ),
    "ron.sanchahou = true": "三家和 三家和採用 sanchaho sancharon abort-on-triple-ron",
    "ron.chankan_max_winners and ron.chankan_sanchahou": "chankan 槍槓",
    'ron.sticks = "nearest"': "上家取り kamicha-dori",
    "call.kuikae": "喰い替え 食い替え",
    "call.pao": "パオ 包 責任払い liability",
    "score.open_tanyao": "kuitan クイタン 喰いタン 食いタン",
    "score.kiriage": "切り上げ満貫",
    "score.kazoe": "数え役満",
    "tiles.red_m, tiles.red_p and tiles.red_s": "aka akadora red-fives 赤 赤ドラ",
    "game.tobi": "トビ 飛び dobon",
    "game.agari_yame": "アガリ止め アガリやめ オーラス止め",
    "game.extension": "西入 west-round overtime",
    "game.start_points": "配給原点 配原",
    "game.return_points": "返し オカ oka",
    "draw.nagashi_mangan": "流し満貫",
    "draw.noten_penalty": "ノーテン罰符 bappu",
    "draw.renchan": "テンパイ連荘 聴牌連荘",
    "riichi.ippatsu": "一発",
    "dora.ura": "裏ドラ",
    "dora.kan": "カンドラ 槓ドラ",
    "abort.kyuushu": "九種九牌",
    "abort.suufon": "四風連打 四風子連打",
    "abort.suucha": "四家立直",
    "abort.suukan": "四開槓 四槓散了 四槓算了",
}
WORDS = {word: key for key, words in _WORDS.items() for word in words.split()}
"""For each word of the field, the rule key that covers it."""

"""Text for terminals without Japanese: mjai's letters for tiles and signs, equally wide, and words for words."""

import codecs
import re
from typing import Final

ERRORS: Final = "jantaku"
"""Name of the error handler of such a stream."""
_LETTERS = {
    **{"東": "E ", "南": "S ", "西": "W ", "北": "N ", "白": "P ", "發": "F ", "中": "C "},
    **{"一": "1", "二": "2", "三": "3", "四": "4", "局": " ", "起": "* ", "枚": ""},
    **{"本場": " honba", "供託": "sticks ", "残り": "left ", "ドラ表示": "dora", "リーチ": "riichi"},
    **{"富豪": "fugo", "平民": "heim", "貧民": "hinm", "大貧民": "d-hinm", "革命": "rev.", "反則": "foul"},
    **{"場": "ba", "山": "pile ", "位": ". ", "♠": "S", "♥": "H", "♦": "D", "♣": "C"},
    **{"待ち": "wait", "振聴": "furiten", "牌譜": "paifu", "雀卓": "jantaku", "大富豪": "daifugo"},
    **{"▶": ">", "▸": ">", "◂": "<", "▴": "^", "▒": "#", "«": "<", "»": ">"},
    **{"±": "~", "µ": "u", "×": "x", "·": "-", "–": "-", "−": "-", "─": "-", "…": ".", "“": '"', "”": '"'},
}
_PARTS = re.compile("|".join([*sorted(_LETTERS, key=len, reverse=True), "."]), re.DOTALL)


def _instead(error: UnicodeError) -> tuple[str, int]:
    """Replace what the stream cannot encode, for `codecs.register_error`; a question mark if there are no letters for
    it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return _PARTS.sub(lambda match: _LETTERS.get(match[0], "?"), text), error.end


codecs.register_error(ERRORS, _instead)

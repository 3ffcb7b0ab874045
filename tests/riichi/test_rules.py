"""Rules: presets, rule files, settings from the command line, contradictions, majiang-core's rule object."""

import pickle
import random
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.rule import from_majiang, to_majiang
from jantaku.table.riichi import choices, ruleset
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import PRESETS, preset
from tests.kit.cases import cases, kept_cases
from tests.walks.play import random_rules

KEYS = settings.keys(Rules)


def rules_of(text: str) -> Rules:
    return ruleset.from_table(tomllib.loads(text), "my.toml").rules


def refused(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        rules_of(text)
    return str(caught.value)


# --- presets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_file_holds_what_differs_from_the_preset_that_it_names(name: str) -> None:
    table = tomllib.loads((files("jantaku.table.riichi") / "presets" / f"{name}.toml").read_text("utf-8"))
    base = table.pop("preset", None)
    written = {f"{section}.{key}" for section, values in table.items() for key in values}
    differs = KEYS if base is None else {key for key, _, _ in settings.difference(preset(base), preset(name))}
    assert written == set(differs) and (base is None) == (name == "tenhou")


@pytest.mark.parametrize("name", PRESETS)
def test_every_key_of_a_preset_file_has_a_comment_and_what_is_allowed(name: str) -> None:
    lines = ruleset.to_toml(preset(name), name).splitlines()
    at = [number for number, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    assert len(at) == len(KEYS) + 1  # and the key preset
    for number in at[1:]:
        above = "\n".join(lines[max(at[at.index(number) - 1] + 1, 0) : number])
        assert "# allowed: " in above and len(above.splitlines()) >= 2, lines[number]


@pytest.mark.parametrize("name", PRESETS)
def test_a_printed_preset_read_back_is_the_same_rules(name: str, tmp_path: Path) -> None:
    (tmp_path / "copy.toml").write_text(ruleset.to_toml(preset(name), name), "utf-8")
    assert ruleset.read(tmp_path / "copy.toml") == ruleset.RuleFile(name, preset(name))


@pytest.mark.parametrize("name", PRESETS)
def test_final_scores_of_a_preset_add_up_to_nothing(name: str) -> None:
    """The oka comes on top of the uma: +50 of S-132 is 30 of uma and 20 of oka."""
    assert sum(preset(name).game.uma) == 0


def test_the_presets_differ_where_their_sources_do() -> None:
    tenhou, soul, mleague, showa = (preset(name) for name in ("tenhou", "mahjongsoul", "mleague", "showa"))
    assert (tenhou.ron.max_winners, tenhou.ron.sanchahou) == (2, True)
    assert tenhou.game.extension == "renchan-first" and tenhou.score.double_yakuman == ()
    assert (soul.ron.max_winners, soul.ron.sanchahou, soul.call.kokushi_ankan) == (3, False, True)
    assert soul.game.uma == (15, 5, -5, -15) and len(soul.score.double_yakuman) == 4
    assert mleague.ron.max_winners == 1 and not mleague.game.tobi and not mleague.abort.kyuushu
    assert mleague.score.kiriage and mleague.game.ties == "split"
    assert showa.tiles == showa.tiles.__class__(red_m=0, red_p=0, red_s=0)  # S-01
    assert showa.dora.minkan_opens == "at-once"  # S-55
    assert showa.abort.suukan == "kan" and showa.abort.renchan == ("kyuushu", "suucha")  # S-85, S-89
    assert showa.game.agari_yame == "any" and showa.game.agari_yame_points == 0  # S-95
    assert (showa.ron.honba, showa.ron.sticks, showa.ron.max_winners) == ("each", "own-first", 1)  # S-109, S-75, S-36
    assert showa.game.extension == "none" and showa.riichi.ankan == "strict"  # S-14, S-76
    assert showa.score.kiriage and showa.score.double_wind_fu == 2  # S-107, S-104


def test_the_preset_majiang_is_majiang_cores_own_default() -> None:
    assert from_majiang({}) == preset("majiang")


def test_a_preset_that_does_not_exist_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(BadInput, match=r'no preset "tenhuo"; did you mean tenhou\? the presets are tenhou, mahj'):
        preset("tenhuo")
    with pytest.raises(BadInput, match=r'"mlegue" is neither a preset nor a file; did you mean mleague\?'):
        ruleset.resolve("mlegue")
    assert refused('preset = "tenhuo"').startswith('my.toml: preset = "tenhuo" is not allowed; did you mean tenhou?')
    assert "preset = 3 is not allowed" in refused("preset = 3")


# --- rule files ------------------------------------------------------------------------------------


def test_a_rule_file_overrides_its_preset_and_the_command_line_overrides_both() -> None:
    """Precedence: preset < file < --set."""
    file = rules_of('preset = "mleague"\n[ron]\nmax_winners = 3\nhonba = "each"\n[game]\ntobi = true')
    assert file.score == preset("mleague").score
    assert (file.ron.max_winners, file.ron.honba, file.game.tobi) == (3, "each", True)
    both = ruleset.with_settings(file, {"ron.max_winners": "2"})
    assert (both.ron.max_winners, both.ron.honba, both.game.tobi) == (2, "each", True)


def test_a_rule_file_without_a_preset_starts_from_tenhou() -> None:
    assert rules_of("[tiles]\nred_m = 2\n") == ruleset.with_settings(preset("tenhou"), {"tiles.red_m": "2"})
    assert rules_of("") == preset("tenhou")


@kept_cases("text, said")
def test_what_is_wrong_in_a_rule_file_is_said_with_file_key_and_what_is_allowed(text: str, said: str) -> None:
    message = refused(text)
    assert message.startswith("my.toml: ")
    assert said in message


def test_a_setting_that_is_no_text_is_not_allowed() -> None:
    """Bytes of a command line that are no UTF-8 become half characters."""
    with pytest.raises(BadInput, match="is not allowed; allowed: "):
        ruleset.with_settings(preset("tenhou"), {"game.length": "\udcff"})


@kept_cases("text, said")
def test_values_that_contradict_each_other_are_refused(text: str, said: str) -> None:
    assert refused(text).startswith(f"my.toml: {said}")


def test_a_robbed_kan_follows_the_discard_unless_the_same_file_says_otherwise() -> None:
    """Whoever asks for triple ron, or for atamahane (S-36), means the robbed kan as well."""
    triple = rules_of("[ron]\nmax_winners = 3\nsanchahou = false").ron
    assert (triple.chankan_max_winners, triple.chankan_sanchahou) == (3, False)
    mixed = rules_of("[ron]\nmax_winners = 1\nchankan_max_winners = 2\nchankan_sanchahou = false").ron
    assert (mixed.max_winners, mixed.chankan_max_winners) == (1, 2)
    assert (mixed.sanchahou, mixed.chankan_sanchahou) == (True, False)


def test_without_ura_or_kan_dora_there_is_no_kan_ura() -> None:
    assert not rules_of("[dora]\nura = false").dora.kan_ura
    assert not ruleset.with_settings(preset("tenhou"), {"dora.kan": "false"}).dora.kan_ura
    assert rules_of("[dora]\nura = true").dora.kan_ura


def test_the_order_in_which_yakuman_are_named_makes_no_difference() -> None:
    a = rules_of('[call]\npao = ["suukantsu", "daisangen"]')
    b = rules_of('[call]\npao = ["daisangen", "suukantsu"]')
    assert a == b and hash(a) == hash(b) and ruleset.digest(a) == ruleset.digest(b)


@cases(
    "content, said",
    (b"[ron\nmax_winners = 1", "is not valid TOML: .*line 1, column 5"),
    (b"[ron]\nmax_winners = 1\nmax_winners = 2\n", "is not valid TOML: .*line 3"),
    (b"\xff\xfe", "is not a text file in UTF-8"),
    (b"a = " + b"[" * 100_000, "is not valid TOML: tables or lists are nested more than 20 deep"),
    (b"a = " + b"[" * 100 + b"]" * 100, "is not valid TOML: tables or lists are nested more than 20 deep"),
    (b".".join([b"a"] * 5000) + b" = 1", "is not valid TOML: tables or lists are nested more than 20 deep"),
    (b"a = " + b"9" * 5000, "is not valid TOML: a number has more than 4,200 digits"),
    (b"a = [0x" + b"f" * 5000 + b"]", "is not valid TOML: a number has more than 4,200 digits"),
)
def test_a_file_that_is_not_toml_is_refused_with_the_place(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=rf"^{re.escape(str(path))}: {said}"):
        ruleset.load(path)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "notepad.toml"
    path.write_bytes(b"\xef\xbb\xbf[ron]\r\nmax_winners = 1\r\n")
    assert ruleset.load(path) == rules_of("[ron]\nmax_winners = 1")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.toml: there is no such file"):
        ruleset.resolve(str(tmp_path / "none.toml"))
    with pytest.raises(BadInput, match="is a folder; a file is needed"):
        ruleset.resolve(str(tmp_path))


# --- KEY=VALUE -------------------------------------------------------------------------------------


@cases(
    "word, value",
    ("game.length=tonpu", "tonpu"),
    ('game.length="tonpu"', "tonpu"),
    ("game.tobi=false", False),
    ("game.uma=30,10,-10,-30", (30.0, 10.0, -10.0, -30.0)),
    ("game.uma=[30, 10, -10, -30]", (30.0, 10.0, -10.0, -30.0)),
    ("call.pao=daisuushi,daisangen", ("daisangen", "daisuushi")),
    ("call.pao=suukantsu", ("suukantsu",)),
    ("call.pao=[]", ()),
)
def test_a_setting_may_be_typed_as_toml_or_as_bare_words(word: str, value: object) -> None:
    texts = settings.split_texts([word], "--set")
    assert settings.flat(ruleset.with_settings(preset("tenhou"), texts))[word.partition("=")[0]] == value


@kept_cases(
    "word, said",
    ("game.uma=" + "[" * 5000, "--set: game.uma: tables or lists are nested more than 20 deep"),
    ("game.uma=" + "9" * 5000, "--set: game.uma: a number has more than 4,200 digits"),
)
def test_a_setting_that_cannot_be_used_is_refused(word: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        ruleset.with_settings(preset("tenhou"), settings.split_texts([word], "--set", Rules))
    assert str(caught.value).startswith(said)


# --- all values ------------------------------------------------------------------------------------


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Values that the words for a type promise to be allowed."""
    words = settings.allowed(annotation)
    if words == "true or false":
        return st.booleans()
    if match := re.fullmatch(r"a whole number from (\d+) to (\d+)(?: in steps of (\d+))?", words):
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        return st.integers(first // step, last // step).map(lambda n: n * step)
    if words.startswith("a list of 3 or 4"):
        return st.lists(st.integers(-1000, 1000), min_size=4, max_size=4)
    names = [tomllib.loads(f"v = {word}")["v"] for word in re.findall(r'"[^"]+"|\d+', words)]
    if words.startswith("a list of any of"):
        return st.lists(st.sampled_from(names), unique=True)
    return st.sampled_from(names)


@pytest.mark.long
@given(st.fixed_dictionaries({name: values_of(key.annotation) for name, key in KEYS.items()}))
def test_whatever_an_error_calls_allowed_is_allowed_and_survives_a_file(values: dict[str, Any]) -> None:
    values |= {"game.players": 4, "draw.noten_penalty": values["draw.noten_penalty"] // 600 * 600}
    values["ron.chankan_sanchahou"] &= values["ron.sanchahou"]
    values["dora.kan_ura"] &= values["dora.kan"] and values["dora.ura"]
    rules = ruleset.with_settings(preset("tenhou"), {name: settings.toml(value) for name, value in values.items()})
    again = rules_of(ruleset.to_toml(rules))
    assert again == rules and ruleset.digest(again) == ruleset.digest(rules)


def test_the_digest_of_a_preset_never_changes_by_accident() -> None:
    """Journals carry it: a change here makes old records look as if they had other rules."""
    digests = {ruleset.digest(preset(name)) for name in PRESETS}
    assert len(digests) == len(PRESETS)
    assert ruleset.digest(preset("tenhou")) == "21642bd3034c"
    assert all(re.fullmatch(r"[0-9a-f]{12}", digest) for digest in digests)


def test_the_difference_of_two_rules_is_the_keys_and_both_values() -> None:
    assert ruleset.difference(preset("tenhou"), preset("tenhou")) == []
    changed = ruleset.with_settings(preset("tenhou"), {"game.tobi": "false", "tiles.red_s": "2"})
    assert ruleset.difference(preset("tenhou"), changed) == [("game.tobi", True, False), ("tiles.red_s", 1, 2)]


# --- majiang-core ----------------------------------------------------------------------------------


@kept_cases("key, value, ours")
def test_a_key_of_majiang_cores_rule_object_changes_its_own_rules(key: str, value: Any, ours: dict[str, Any]) -> None:
    rules = from_majiang({key: value})
    changed = {name: after for name, _, after in ruleset.difference(preset("majiang"), rules)}
    assert changed == ours
    assert to_majiang(rules)[key] == value


def test_every_key_of_majiang_cores_rule_object_is_there_and_back_again() -> None:
    theirs = to_majiang(preset("majiang"))
    assert len(theirs) == 28
    for key, value in theirs.items():
        if isinstance(value, bool):
            flipped = from_majiang(theirs | {key: not value})
            assert from_majiang(to_majiang(flipped)) == flipped
            assert flipped != preset("majiang"), key


@pytest.mark.parametrize("winners", ["1", "2", "3"])
def test_majiang_core_can_judge_its_own_preset_with_one_two_or_three_winners(winners: str) -> None:
    sanchahou = "true" if winners == "2" else "false"
    rules = ruleset.with_settings(preset("majiang"), {"ron.max_winners": winners, "ron.sanchahou": sanchahou})
    assert to_majiang(rules)["最大同時和了数"] == int(winners)


def test_rules_that_majiang_core_cannot_play_are_refused_with_the_keys() -> None:
    with pytest.raises(BadInput, match=r"no such value of game.score_rounding, call.pao_covers, call.pao_honba$"):
        to_majiang(preset("tenhou"))
    with pytest.raises(BadInput, match=r"no such value of ron.sanchahou$"):
        to_majiang(ruleset.with_settings(preset("majiang"), {"ron.sanchahou": "false"}))


@cases(
    "key, value, said",
    ("トビ終了", True, "there is no key トビ終了; did you mean トビ終了あり?"),
    ("場数", 3, "場数 = 3 is not allowed; allowed: 0, 1, 2 or 4"),
    ("順位点", ["20", "10", "-10"], "順位点 = "),
    ("赤牌", {"m": 5}, "赤牌.m = 5 is not allowed; allowed: a whole number from 0 to 4"),
)
def test_a_majiang_rule_object_with_an_unknown_key_or_value_is_refused(key: str, value: Any, said: str) -> None:
    """majiang-core itself takes any key silently."""
    with pytest.raises(BadInput) as caught:
        from_majiang({key: value})
    assert str(caught.value).startswith(f"majiang-core rule: {said}")


def test_a_later_key_that_has_the_value_of_its_absence_is_not_written_wherever_it_comes_from() -> None:
    rules = preset("tenhou")
    text = "".join(["a", "dd"])  # equal to the default, and another object
    equal = msgspec.structs.replace(rules, draw=msgspec.structs.replace(rules.draw, passed_honba=text))
    for one in (equal, pickle.loads(pickle.dumps(rules)), ruleset.with_settings(rules, {"draw.passed_honba": text})):
        assert msgspec.json.encode(one) == msgspec.json.encode(rules)
        assert "passed_honba" not in msgspec.to_builtins(one)["draw"]


@given(st.integers(0, 10**6), st.sampled_from((4, 3)))
def test_rules_are_one_word_and_come_back_from_it(seed: int, players: int) -> None:
    rules = random_rules(random.Random(seed), players)
    word = ruleset.FILES.in_a_word(rules)
    assert ruleset.FILES.from_word(word) == rules
    assert word.isascii() and not set(word) & set(" '\"*|<>`")


@cases(
    "word, said",
    ("", 'there is no preset ""; the presets are tenhou, '),
    ("tenhou;", "'' is not of the form KEY=VALUE"),
    ("tenhou;ron.max_winners=4", "ron.max_winners = 4 is not allowed; allowed: a whole number from 1 to 3"),
    ("tenhou;dora.kan=false", "dora.kan_ura = true needs dora.kan = true"),
)
def test_a_word_that_is_no_rules_is_refused(word: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        ruleset.FILES.from_word(word)
    assert said in str(caught.value)


def test_of_a_file_with_mistakes_without_end_the_first_are_told(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("".join(f"[t{number}]\n" for number in range(100_000)))
    with pytest.raises(BadInput) as told:
        ruleset.load(path)
    assert [mistake.problem for mistake in told.value.mistakes][-1] == "the rest was not read"
    assert len(told.value.mistakes) == 21


@cases(
    "text, length, points",
    ('preset = "showa"\n[game]\nlength = "tonpu"', None, (20000, 25000)),
    ('preset = "showa"\n[game]\nlength = "tonpu"', "hanchan", (25000, 30000)),
    ('preset = "showa"\n[game]\nstart_points = 30000', "tonpu", (30000, 25000)),
    ('preset = "showa"\n[ron]\nmax_winners = 2', "tonpu", (20000, 25000)),
    ('preset = "tenhou"', "tonpu", (25000, 30000)),
)
def test_a_tonpu_of_showa_starts_with_its_own_points_unless_they_are_set(
    tmp_path: Path, text: str, length: str | None, points: tuple[int, int]
) -> None:
    """S-13."""
    (tmp_path / "mine.toml").write_text(text)
    found = ruleset.read(tmp_path / "mine.toml")
    texts = {} if length is None else {"game.length": length}
    game = ruleset.with_settings(found, texts).game
    assert (game.start_points, game.return_points) == points


def test_every_word_of_the_field_leads_to_keys_that_there_are() -> None:
    for word, meaning in choices.WORDS.items():
        for part in meaning.replace(",", " and ").split(" and "):
            name, _, value = part.partition(" = ")
            assert name.strip() in settings.keys(Rules), word
            if value:
                ruleset.with_settings(preset("tenhou"), {name.strip(): value})

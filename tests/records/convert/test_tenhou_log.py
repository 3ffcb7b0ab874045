"""牌譜 as @kobalab/tenhou-log makes them of Tenhou's logs: Majiang's facts in Tenhou's words."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.cli import main as cli
from jantaku.table.languages.facts import TENHOU_DRAW, TENHOU_YAKU
from jantaku.table.records.convert.readers import driving, read_any
from jantaku.table.records.replay.fitting import rules_of
from jantaku.table.records.replay.verify import verify
from tests.kit.command import Jantaku

SEED = "1"


def in_its_words(paifu: Any) -> Any:
    del paifu["jantaku"]
    paifu["title"] = "四鳳東喰赤速\nsome-id"
    paifu["point"] = [f"{float(point):.1f}" for point in paifu["point"]]
    for item in (item for kyoku in paifu["log"] for item in kyoku):
        if hule := item.get("hule"):
            hule["shoupai"] = hule["shoupai"].replace("*", "")
            yaku = [{**one, "name": TENHOU_YAKU.get(one["name"], one["name"])} for one in reversed(hule["hupai"])]
            hule["hupai"] = yaku + ([{"name": "裏ドラ", "fanshu": 0}] if hule["fubaopai"] else [])
            for one in hule["hupai"]:
                one.pop("baojia", None)
        elif pingju := item.get("pingju"):
            pingju["name"] = {"荒牌平局": TENHOU_DRAW}.get(pingju["name"], pingju["name"])
            pingju["shoupai"] = [text.replace("*", "") for text in pingju["shoupai"]]
    return paifu


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A tonpu with a dragon's yaku, a riichi with ura, and a draw."""
    folder = tmp_path_factory.mktemp("tenhou-log")
    words = ("--length", "tonpu", "--threads", "inline", "--seed", SEED, "--quiet", "--paifu", "1.x")
    with pytest.raises(SystemExit):
        cli.main(("play", "--players", "caller,shanten,caller,shanten", *words, "--out", str(folder / "g")))
    paifu = in_its_words(json.loads((folder / "g" / "game-0000.json").read_text("utf-8")))
    text = json.dumps(paifu, ensure_ascii=False)
    assert all(word in text for word in ("役牌", '"fanshu": 0', TENHOU_DRAW)), "another seed"
    return paifu


def test_it_is_read_by_the_rules_of_its_title_and_verified(jantaku: Jantaku, told: Any, tmp_path: Path) -> None:
    (file := tmp_path / "a.json").write_text(json.dumps(told), "utf-8")
    verified = jantaku("verify", str(file))
    assert verified.code == 0 and "identical" in verified.out, verified
    rules = read_any(file).record.rules
    assert rules is not None and (rules.game.length, rules.tiles.red_m) == ("tonpu", 1)
    assert jantaku("convert", str(file), str(tmp_path / "a.mjson")).code == 0
    assert jantaku("verify", str(tmp_path / "a.mjson")).code == 0, "its words went no further"


def test_what_does_not_follow_from_the_rules_is_still_a_difference(told: Any, tmp_path: Path) -> None:
    told = json.loads(json.dumps(told))
    hule = next(item["hule"] for kyoku in told["log"] for item in kyoku if "hule" in item)
    hule["hupai"][0]["name"] = "一盃口" if hule["hupai"][0]["name"] != "一盃口" else "平和"
    (file := tmp_path / "a.json").write_text(json.dumps(told), "utf-8")
    record = driving(file)
    assert verify(record, rules_of(record)).difference is not None

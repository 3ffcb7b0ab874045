"""Wins of Tenhou logs, with Tenhou's own answers."""

from typing import Literal

from jantaku.table.languages.facts import norths_apart
from jantaku.table.languages.mjlog import numbered
from jantaku.table.riichi.pieces.seats import THREE
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.points.payments import BY_TENHOU_ID, Liability
from jantaku.table.riichi.points.scorer import Situation
from jantaku.table.riichi.ruleset import preset
from scripts.hands.cases import Expected, HandCase, Record, plain_meld, with_score

_LIABLE: dict[int, Literal["daisangen", "daisuushi"]] = {39: "daisangen", 49: "daisuushi"}


def hand(record: Record) -> HandCase:
    flags, answer, reds = record["flags"], record["expect"], record["aka"]
    seat, win = record["seat"], numbered(record["win"], reds)
    melds = [
        plain_meld(kind, [numbered(tile, reds) for tile in tiles], source, called=called and numbered(called, reds))
        for kind, source, called, tiles in reversed(record["melds"])  # the log has the latest meld first
    ]
    tiles = [numbered(tile, reds) for tile in record["closed"]] + ([win] if record["tsumo"] else [])
    yakuman = answer["yakuman"]
    found = [(BY_TENHOU_ID[number], han) for number, han in answer["yaku"] if han]
    liable = [_LIABLE[number] for number in yakuman if number in _LIABLE]
    rules = preset("tenhou-3p" if record.get("players") == THREE else "tenhou")
    named = [(BY_TENHOU_ID[number], 1) for number in yakuman] or found
    tehai = tehai_of(tiles, melds)
    tehai.aside = len(record.get("nuki", ()))
    return HandCase(
        tehai=tehai,
        tile=win,
        situation=Situation(
            seat=seat,
            round_wind=record["round"],
            tsumo=record["tsumo"],
            first_turn=flags["tenhou"] or flags["chiihou"],
            dora=tuple(tile // 4 for tile in record["dora"]),
            ura=tuple(tile // 4 for tile in record["ura"]),
            **{key: flags[key] for key in ("riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei")},
        ),
        loser=None if record["tsumo"] else record["loser"],
        rules=with_score(rules, open_tanyao=record["kuitan"]),
        honba=record["honba"],
        sticks=record["sticks"],
        liable=() if record["pao"] is None else tuple(Liability(name, record["pao"]) for name in liable),
        want=Expected(
            fu=0 if yakuman else answer["fu"],
            han=0 if yakuman else answer["han"],
            yakuman=len(yakuman),
            yaku=norths_apart(named, tehai.aside, yakuman=bool(yakuman)),
            deltas=tuple(answer["delta"]),
        ),
    )

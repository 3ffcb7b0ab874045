"""Plays a game again by its rows in a table of decisions alone.

The rows must have the questions, views and options of the engine; the record must have its events; every row must have
the outcome of its kyoku and game. A journal's answers are counted and compared as well.
"""

import contextlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from jantaku.table.ground.port import Action, Choice, Turn
from jantaku.table.languages.facts import DrawFact, WinFact, agrees, log_of
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decision_table import seen_columns
from jantaku.table.records.replay.drive import decisive, show
from jantaku.table.records.replay.outcomes import KyokuOutcome
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.events import HanchanEnd, KyokuStart, Riichi, Ryukyoku, Win
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.option_numbers import NAMES, number_of
from jantaku.table.riichi.pieces.seats import by_seat

Row = dict[str, Any]


class Checked(NamedTuple):
    """Numbers of what was compared."""

    rows: int
    kyoku: int
    told: int


class _RecordEnds(Exception):
    """The record of an unfinished game has no more answers."""


class Again:
    """Replays a game by the rows of a table. AssertionError at the first difference."""

    def __init__(self, record: Record, rows: Iterable[Row]) -> None:
        assert record.rules is not None, f"{record.path}: its rules are not known"
        self.record, self._rows = record, iter(rows)
        self.game: RiichiGame = game_of(record, record.rules, "learning")
        self.taken: list[tuple[Row, Item]] = []
        """Every row, with its answer as a reply."""

    def play(self) -> None:
        with contextlib.suppress(_RecordEnds):
            while self.game.rounds <= len(self.record.log) and (turn := self.game.turn()) is not None:
                self._play_turn(turn)
        assert next(self._rows, None) is None, f"{self.record.path}: the table has more rows than questions were asked"

    def _play_turn(self, turn: Turn) -> None:
        action = self._answer(turn.seat, turn.choice)
        self.game.act(action)
        responses: list[Action | None] = [None] * 4
        for player in range(4):
            if player != turn.seat and (choice := self.game.reaction(player, action)) is not None:
                responses[player] = self._answer(player, choice)
        self.game.rule(responses)

    def _answer(self, player: int, choice: Choice) -> Action:
        options = choice.options
        if len(options) == 1:
            return options[0]
        row, game = next(self._rows, None), self.game
        if row is None and self.record.final is None:
            raise _RecordEnds
        assert row is not None, f"{self.record.path} kyoku {game.rounds}: the table has fewer rows"
        seat = (player - game.first_dealer - game.standing.kyoku) % 4
        board = msgspec.json.decode(msgspec.json.encode(seen_columns(game.kyoku.board, seat)))
        _same(row, {"player": player, "kyoku": game.rounds, **board})
        _same(row, {"options": [number_of(option) for option in options]})
        place: int = row["options"].index(row["answer"])
        taken = options[place]
        self.taken.append((row, reply(taken)))
        return taken

    def compare(self) -> Checked:
        """Compare events and outcome with the record and the rows."""
        record, made = self.record, log_of(self.game.events)
        for told, played in zip(record.log, made[: len(record.log)], strict=True):
            ended = isinstance(told[-1], WinFact | DrawFact)
            for (_, one), (_, other) in zip(decisive(told), decisive(played), strict=ended):
                assert agrees(one, other), f"the record has {one}, played was {other}"
        came = list(self._came_of_kyoku())
        for row, _ in self.taken:
            _same(row, came[row["kyoku"] - 1])
        assert _by_turn(record) == self._by_turn(), f"{record.path}: it has other answers"
        return Checked(len(self.taken), len(record.log), sum(row["told"] for row, _ in self.taken))

    def _by_turn(self) -> list[list[tuple[int, str]]]:
        told = [one for one in self.taken if one[0]["told"]]
        turns = groupby(told, key=lambda one: (one[0]["kyoku"], one[0]["turn"]))
        return [sorted((row["player"], show(answer)) for row, answer in taken) for _, taken in turns]

    def _came_of_kyoku(self) -> Iterator[Row]:
        """Yield the outcome columns of each kyoku, from the engine's events alone."""
        stream = self.game.events
        starts = [number for number, event in enumerate(stream) if isinstance(event, KyokuStart)]
        end = stream[-1] if self.game.over else None
        for first, last in zip(starts, [*starts[1:], len(stream)], strict=True):
            deal, events = stream[first], stream[first:last]
            if not isinstance(events[-1], Win | Ryukyoku | HanchanEnd):
                yield dict.fromkeys(KyokuOutcome.__struct_fields__)
                continue
            wins = [event for event in events if isinstance(event, Win)]
            draws = [event for event in events if isinstance(event, Ryukyoku)]
            paid = [-1000 * sum(isinstance(one, Riichi) and one.seat == seat for one in events) for seat in range(4)]
            yield {
                "ended": str(draws[0].reason) if draws else "tsumo" if wins[0].source is None else "ron",
                "gains": [sum(one.deltas[seat] for one in wins + draws) + paid[seat] for seat in range(4)],
                "winners": [win.seat for win in wins],
                "dealt_in": wins[0].source if wins else None,
                "final_points": end and list(by_seat(end.scores, deal.dealer)),
                "ranks": end and list(by_seat(end.ranks, deal.dealer)),
                "final_tenths": end and list(by_seat(end.tenths, deal.dealer)),
            }


def _by_turn(record: Record) -> list[list[tuple[int, str]]]:
    """Return the answers by turn, as (seat, reply)."""
    turns = [turn["answers"] for turn in record.answers.values()]
    return [sorted((one["seat"], show(one["reply"])) for one in answers) for answers in turns if answers]


def _same(row: Row, expected: Row) -> None:
    found = {name: row[name] for name in expected}
    if found != expected:
        wrong = {name: (found[name], expected[name]) for name in expected if found[name] != expected[name]}
        place = f"{row['file']} kyoku {row['kyoku']} turn {row['turn']} player {row['player']}"
        raise AssertionError(f"{place}: the table has, and should have: {wrong} (answer: {NAMES[row['answer']]})")

"""A hanchan that is stepped question by question, by hand or by bots, without threads and clocks.

game = Hanchan("tenhou", seed="1")
while game.question:
    game.answer()
"""

from collections.abc import Iterator, Sequence

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice, Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.languages.majiang.paifu import paifu_of
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.play import seeds
from jantaku.table.play.seating.making import Making, let_go, make_all, refuse_unmade
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.replay.past import begun, past_of
from jantaku.table.records.view.riichi import table_svg
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.game import OpenQuestions, RiichiGame, walls_from
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import WINDS, by_seat, player_of, seat_of
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from jantaku.table.riichi.words import word_of


class OpenQuestion(msgspec.Struct, frozen=True):
    """What is asked now: the `player` (its place at the table, from 0), its `seat` in the kyoku (0 is 東), its
    `choice`, and the position `line`."""

    player: int
    seat: int
    choice: Choice
    line: str

    @property
    def words(self) -> tuple[str, ...]:
        """The options as words: `m5`, `m5_` (just drawn), `m5*` (riichi), `p123-`, `tsumo`, `ron`, `pass`."""
        return tuple(map(word_of, self.choice.options))


class Hanchan:
    """One hanchan by `rules`, the name of a preset or Rules. Walls and bots follow from `seed`; `names` are by player.
    Questions come one after another: the seat on turn, then each seat that may claim, which does not see what the
    others answered; the rules settle the claims when all are in. A question with one option is not put."""

    def __init__(self, rules: Rules | str = "tenhou", seed: str = "1", names: Sequence[str] = ()) -> None:
        law = preset(rules) if isinstance(rules, str) else rules
        given = tuple(names) or tuple(WINDS[: law.game.players])
        if len(given) != law.game.players:
            raise BadInput(f"{len(given)} names given; {law.game.players} play by these rules")
        self._start(RiichiGame(law, walls_from(seed, 0, law), given), seed)
        self._questions.go_on()
        self._ask()

    @classmethod
    def at(cls, line: str, seed: str = "1") -> "Hanchan":
        """Begin at a position line. What it hides is dealt by the seed. Raises BadInput if no kyoku leads to it."""
        past = past_of(read_line(line), seed)
        game = cls.__new__(cls)
        game._start(begun(past), seed, driven=True)
        if past.given is None:
            game._questions.go_on()
        else:
            game._questions.act(past.given)
        game._ask()
        return game

    def _start(self, game: RiichiGame, seed: str, *, driven: bool = False) -> None:
        self.game, self._seed, self._driven = game, seed, driven
        self.question: OpenQuestion | None = None
        """What is asked now; None when the hanchan is over."""
        self._questions, self._said = OpenQuestions(game), list[Action]()

    @property
    def board(self) -> Board:
        """The table of this kyoku, with all hands. It changes with the game; `copy.deepcopy` keeps it."""
        return self.game.kyoku.board

    @property
    def scores(self) -> tuple[int, ...]:
        """By player, the points after the last kyoku that is over."""
        return self.game.standing.scores

    @property
    def ranks(self) -> tuple[int, ...]:
        """By player, the final rank from 1; empty before the end."""
        end = self.game.events[-1]
        return tuple(end.ranks) if isinstance(end, HanchanEnd) else ()

    @property
    def paifu(self) -> Item:
        """The 牌譜 so far, in the form of Majiang 1.x, with rules and seed: as JSON, commands read and verify it."""
        rules, driven = self.game.rules, self._driven
        extra = {"rules": msgspec.to_builtins(rules), "seed": self._seed, "number": 0, "driven": driven}
        return paifu_of(self.game.events, rules, f"jantaku {self._seed}", {**extra, "walls": "shared"})

    def answer(self, said: Action | str | None = None) -> None:
        """Answer the open question with an option or its word; None is the default, a pass or the drawn tile. Raises
        BadInput, with what is allowed, for anything else."""
        if self.question is None:
            raise BadInput("the hanchan is over; nothing is asked")
        choice = self.question.choice
        action = choice.default if said is None else said
        if isinstance(said, str):
            action = dict(zip(self.question.words, choice.options, strict=True)).get(said, said)
        if isinstance(action, str) or action not in choice.options:
            told = said if isinstance(said, str) else str(said)
            raise BadInput(f"“{told}” is none of the options: {' '.join(self.question.words)}")
        self._said.append(action)
        if len(self._said) == len(self._questions.open):
            answers, self._said = self._said, []
            self._questions.answer(answers)
        self._ask()

    def play(self, *bots: str | Player) -> None:
        """Have bots play to the end: one for all players, or one for each. A bot is a Player, or a word such as
        `shanten` or `mybot.py:Follower`. Raises BadInput while a claim is open, or if a bot cannot be made."""
        if self._questions.are_claims:
            raise BadInput("a claim is open; answer it first")
        if len(bots) not in (1, seats := self.game.seats):
            raise BadInput(f"{len(bots)} bots given; allowed is one for all, or {seats}")
        made = list(self._made(bots * seats if len(bots) == 1 else bots))
        try:
            refuse_unmade(*made)
            if not self.game.over:
                Judge(self.game, made, mode=Mode.INLINE, turns=self._questions.turns).run()
        finally:
            let_go(*made)
        self._questions.open = []
        self._ask()

    def _made(self, bots: Sequence[str | Player]) -> Iterator[Player]:
        for player, bot in enumerate(bots):
            if isinstance(bot, str):
                (entrant,) = enlist([bot])
                yield from make_all([Making(entrant.make, seeds.of_bot(self._seed, 0, player), None)])
            else:
                yield bot

    def _ask(self) -> None:
        """Put the next question that is open."""
        if not self._questions.open:
            self.question = None
            return
        player, choice = self._questions.open[len(self._said)]
        seat = self._seat(player)
        missed = self.game.kyoku.ready.missed[seat]
        self.question = OpenQuestion(player, seat, choice, line_of(self.board, choice, seat=seat, missed=missed))

    def _seat(self, player: int) -> int:
        return seat_of(player, self._dealer, self.game.seats)

    @property
    def _dealer(self) -> int:
        return player_of(self.board.kyoku, self.game.first_dealer, self.game.seats)

    def __str__(self) -> str:
        return str(self.board)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: the table with all hands, the seat that is asked below."""
        names = by_seat(self.game.words.players, self._dealer)
        return table_svg(self.board, names, self.question.seat if self.question else 0)

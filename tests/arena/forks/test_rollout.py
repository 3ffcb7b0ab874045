"""The rest of a kyoku from one of its turns: the same way leads to the same end, another one starts from the same
state."""

from collections import Counter

import pytest

from jantaku.table.arena.forks.between import ALONE, Beside, play_between
from jantaku.table.arena.forks.course import Course, course_of
from jantaku.table.arena.forks.fork import Forking
from jantaku.table.arena.forks.rollout import Branch, BranchedGame, crossing
from jantaku.table.arena.forks.shadow import RecordedGame, shadowed
from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.executors import Here
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.matchfile import Match, MatchFile
from jantaku.table.arena.match.plan import plan_of
from jantaku.table.arena.match.store import Store
from jantaku.table.ground.port import Action, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.languages.wire.majiang import Majiang
from jantaku.table.play.seating.roster import Entrant, enlist, kept
from jantaku.table.records.journal.read import load
from jantaku.table.riichi.events import Event, HanchanEnd
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.schools import WALLS, School
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.environments import PYTHON

RULES = {name: with_settings(preset(name), {"game.length": "tonpu"}) for name in ("tenhou", "tenhou-3p")}
FOUR = pytest.mark.parametrize("played", ["tenhou"], indirect=True)


class Played:
    """A game of shanten against itself, and its course."""

    def __init__(self, course: Course) -> None:
        self.course = course
        told = RecordedGame(course, ())
        play_between(lambda players: told, told.seats, {}, ALONE)
        self.game = told.game

    def all(self, entrant: Entrant) -> dict[int, Entrant]:
        return dict.fromkeys(range(self.game.seats), entrant)


@pytest.fixture(scope="module")
def own() -> Entrant:
    return enlist(["shanten"])[0]


@pytest.fixture(scope="module", params=RULES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder, rules = tmp_path_factory.mktemp("forks") / "match", RULES[request.param]
    players = ("shanten",) * rules.game.players
    match = Match(players=players, seatings="one", sets=1, seed=5, threads=Mode.INLINE)
    plan = plan_of(MatchFile(match=match, rules=rules))
    store = Store.create(folder, plan)
    conduct(store, Here(plan, store.places), Stopping(store.plan))
    return Played(course_of(load(folder / "records" / "game-0000.jsonl")))


def rolled(played: Played, branch: Branch, wall: Wall, entrants: dict[int, Entrant], turns: int = 0) -> BranchedGame:
    made: list[BranchedGame] = []

    def game_for(players: object) -> BranchedGame:
        made.append(BranchedGame(played.course, played.game, branch, wall))
        return made[0]

    play_between(game_for, played.game.seats, entrants, ALONE, turns=turns)
    return made[0]


def same(wall: Wall) -> Wall:
    return type(wall).from_tiles(wall.tiles, wall.dice)


def test_the_record_s_own_way_leads_to_the_record_s_own_end(played: Played, own: Entrant) -> None:
    """From any decision, and for whichever seat: a fork that changes nothing changes nothing."""
    course, game = played.course, played.game
    ends = [*course.standings[1:], game.standing]
    asked = shadowed(course, played.all(own))
    for one in asked[:: len(asked) // 12]:
        at = crossing(course, game, one.kyoku, one.turn, one.player)
        end = rolled(played, at.branch(course, one.played), same(game.walls[one.kyoku - 1]), played.all(own))
        assert end.standing == ends[one.kyoku - 1]
        assert end.over == (one.kyoku == len(course.kyoku))


def test_a_branch_ends_with_its_kyoku_as_a_game_does(played: Played, own: Entrant) -> None:
    kyoku = 1
    end = rolled(played, Branch(kyoku, 1, {}), same(played.game.walls[0]), played.all(own))
    assert isinstance(end.events[-1], HanchanEnd)
    assert end.events[-1].scores == end.standing.scores
    assert end.events[:-1] == played.game.events[: len(end.events) - 1]


@FOUR
def test_a_program_plays_on_from_a_turn_without_thinking_about_those_before(
    played: Played, own: Entrant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Majiang's dialect of 1.x no reply is wanted to what it hears before it has to be ready, but to `kaiju`."""
    told = list[tuple[bool, bytes]]()
    tell = Majiang.tell

    def noted(side: Majiang, event: Event, question: Question | None = None) -> bytes:
        told.append((side.past, line := tell(side, event, question)))
        return line

    monkeypatch.setattr(Majiang, "tell", noted)
    kyoku = len(played.course.kyoku)
    client = f"{PYTHON} -m jantaku.players.adapters.client --bot shanten --dialect majiang"
    program = enlist([f"exec:{client}?dialect=majiang"])[0]
    branch, wall = Branch(kyoku, 5, {}), played.game.walls[kyoku - 1]
    with kept([program]):
        end = rolled(played, branch, same(wall), {**played.all(own), 0: program}, turns=9)
    assert (end.standing, end.over) == (played.game.standing, True)
    asked = [b'"seq"' in line for past, line in told if past and line]
    assert not any(asked) and len(asked) > 100


class Hearing:
    def __init__(self) -> None:
        self.heard: list[object] = []

    def hear(self, event: object) -> None:
        self.heard.append(event)

    def answer(self, question: Question) -> Action:
        return question.default


def test_every_player_of_a_branch_has_heard_the_record_from_its_beginning(played: Played) -> None:
    bots: list[Hearing] = []

    def make(seed: int) -> Player:
        bots.append(Hearing())
        return bots[-1]

    entrants = played.all(Entrant("hearing", "", make))
    last = len(played.course.kyoku)
    rolled(played, Branch(last, 2, {}), same(played.game.walls[last - 1]), entrants)
    begin = next(
        place for place in reversed(range(len(played.game.events))) if "KyokuStart" in str(played.game.events[place])
    )
    for seat, bot in enumerate(bots):
        assert bot.heard[: begin + 1] == [played.game.masked(place, seat) for place in range(begin + 1)]
        assert isinstance(bot.heard[-1], HanchanEnd)


@FOUR
def test_what_nobody_has_seen_is_all_that_is_shuffled_anew(played: Played) -> None:
    """Of 136 tiles 52 are dealt, three are drawn by the third turn, and one indicator is open."""
    at = crossing(played.course, played.game, 1, 3, 2)
    assert at.unseen[0] == 55 and len(set(at.unseen)) == 136 - 52 - 3 - 1
    assert at.mover == 2 and at.before == 2


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("school", list(WALLS))
def test_places_that_were_drawn_are_those_of_the_tiles_that_were_drawn(school: School, rules: str) -> None:
    walls = walls_from("7", 0, RULES[rules], school)
    seats = RULES[rules].game.players
    game = RiichiGame(RULES[rules], walls, ("A", "B", "C", "D")[:seats])
    make = enlist(["caller"])[0].make
    Judge(game, [make(seat) for seat in range(seats)], mode=Mode.INLINE).run()
    tiles, dealt = {4: (136, 52), 3: (108, 39)}[seats]
    for wall in game.walls:
        fresh, unseen = same(wall), wall.unseen(1)
        assert len(unseen) == len(set(unseen)) == tiles - dealt - wall.drawn - wall.kans - 1
        stood = Counter(tile for tile in wall.standing() if tile is not None)
        gone = Counter(tile for tile in fresh.standing() if tile is not None) - stood
        kept = Counter(wall.tiles[place] for place in range(dealt, tiles) if place not in unseen)
        assert not gone - kept and (kept - gone).total() == 1


def test_a_bot_beside_its_own_games_forks_nothing_another_one_always_alike(played: Played, own: Entrant) -> None:
    forking = Forking(own, own, Beside())
    nothing = forking.forked(played.course, "5", 0, control=True)
    assert (nothing.forks, nothing.again) == ((), 0) and nothing.asked > 100
    other = enlist(["tsumogiri"])[0]
    once, twice = (Forking(own, other, Beside()).forked(played.course, "5", 0, control=False) for _ in range(2))
    assert once == twice
    assert len(once.forks) == played.game.seats * len(played.course.kyoku)

"""The messages of neof5 (コンピュータ大富豪): events to bytes, bytes to requests. Pure functions; knows no socket.

Every game message is a full snapshot of the round as one receiver sees it. See §4 and §5 of the protocol.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Literal

import msgspec

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import HIDDEN, UnknownSuit, cards_text, parse_cards
from jantaku.table.daifugo.events import Board, Step
from jantaku.table.ground.errors import BadInput

LONGEST = 6000
"""The most bytes in a message: a real client aborts on more (§12.1)."""
LONGEST_NAME = 32
"""The most characters of a player's name; longer ones are cut so that messages stay below LONGEST."""
LONGEST_TWEET = 500
"""The most characters of a Tweet that are forwarded."""
DEAL_STEP = 5
"""CardDistributed is sent whenever seat 0 has this many more cards (§3.2)."""
TIMED_OUT = "（サーバ処理：タイムアウト）"
"""The tweet of a seat whose time is over (§5.3)."""


class Kind(StrEnum):
    """The kinds of message that the server sends."""

    START = "Start"
    CARD_DISTRIBUTED = "CardDistributed"
    CARD_SWAPPED = "CardSwapped"
    THINKING = "Thinking"
    PROCESS_TURN = "ProcessTurn"
    CARDS_ARE_PUT = "CardsArePut"
    KAKUMEI = "Kakumei"
    NAGARE = "Nagare"
    AGARI = "Agari"
    FINISH = "Finish"
    TWEET = "Tweet"
    EXCEPTION = "Exception"
    CHOICE = "Choice"
    """An extension of ours, sent to players that ask for it (§4.4)."""


class Trouble(StrEnum):
    """Texts of Exceptions that are not about a play. The first three are neof5's own (§5.2)."""

    UNKNOWN_SUIT = "Unknown Suit."
    NO_KIND = "Kindがありません"
    NO_MESSAGE = "Messageがありません"
    NO_CARDS = "Cardsがありません"
    UNKNOWN_KIND = "Kindが不明です（Put, Tweet, Start のいずれか）"
    NO_JSON = "JSONオブジェクトではありません"
    BAD_CARDS = "Cardsを読めません"


# --- the server's messages ----------------------------------------------------------------------


def tell(board: Board, event: events.Event, swapped: Literal["once", "each"]) -> Iterator[Kind]:
    """Bring `board` up to date, and yield each kind of message that every receiver gets of the board in its current
    state. An event may take several steps (dealing): the caller must read the board before it requests the next
    kind."""
    match event:
        case events.Deal(hands):
            for count in range(DEAL_STEP, len(hands[0]) + 1, DEAL_STEP):
                board.deal([hand[:count] for hand in hands])
                yield Kind.CARD_DISTRIBUTED
            event.apply(board)
            yield Kind.CARD_DISTRIBUTED
        case events.Exchange(gifts) if swapped == "each":
            for at in range(0, len(gifts), 2):
                events.Exchange(gifts[at : at + 2]).apply(board)
                yield Kind.CARD_SWAPPED
        case _:
            event.apply(board)
            kind = _KINDS.get(type(event))
            if kind is not None:
                yield kind


_KINDS: dict[type[events.Event], Kind] = {
    events.RoundStart: Kind.START,
    events.Exchange: Kind.CARD_SWAPPED,
    events.SortedHands: Kind.CARD_DISTRIBUTED,
    events.Thinking: Kind.THINKING,
    events.Play: Kind.CARDS_ARE_PUT,
    events.Revolution: Kind.KAKUMEI,
    events.Nagare: Kind.NAGARE,
    events.Agari: Kind.AGARI,
    events.RoundEnd: Kind.FINISH,
}


def snapshot(
    kind: Kind, board: Board, names: Sequence[str], seat: int | None, *, agari: bool = True, hidden: bool = False
) -> bytes:
    """A game message for `seat`, or for spectators if it is None. Spectators see all hands unless `hidden`. `names` are
    shown as given; `agari` says whether the history contains `n-AGARI`."""
    return msgspec.json.encode(
        {
            "YourNum": seat or 0,
            "Kind": kind,
            "Teban": board.turn,
            "IsKakumei": board.revolution,
            "PlayerInfo": [
                {"Name": name[:LONGEST_NAME], "HavingCardCount": len(hand), "Ranking": rank, "OrderOfFinish": place}
                for name, hand, rank, place in zip(names, board.hands, board.ranks, board.places, strict=True)
            ],
            **(
                {"AllDeck": ["" if hidden else cards_text(hand) for hand in board.hands]}
                if seat is None
                else {"Deck": cards_text(board.hands[seat])}
            ),
            "Ba": [cards_text(play) for play in board.trick],
            "Yama": cards_text(board.pile),
            "History": history_texts(board.history, agari=agari),
        }
    )


def tweet(text: str, seat: int) -> bytes:
    """The message for what a seat says to all."""
    return msgspec.json.encode({"Kind": Kind.TWEET, "Message": text[:LONGEST_TWEET], "PlayerNum": seat})


def exception(text: str) -> bytes:
    """The message for what was wrong, sent only to the sender of the wrong message."""
    return msgspec.json.encode({"Kind": Kind.EXCEPTION, "Message": text})


def choice(question: int, plays: Iterable[Sequence[int]], seconds: float | None, allowed: float | None) -> bytes:
    """The message with the plays that the receiver may make, and the seconds left and allowed for that; None: no
    clock."""
    texts = [cards_text(cards) for cards in plays]
    return msgspec.json.encode(
        {"Kind": Kind.CHOICE, "Question": question, "Plays": texts, "Seconds": seconds, "Allowed": allowed}
    )


# --- the history ---------------------------------------------------------------------------------

_ENTRY = re.compile(r"(?P<seat>\d)-(?:\[(?P<cards>[^\]]+)\]|(?P<word>PASS|AGARI))")


def history_texts(history: Iterable[Step], *, agari: bool = True) -> list[str]:
    """The history as neof5 writes it: `2-[S3 H3]`, `2-PASS`, `2-AGARI`, `/`."""
    return [_step_text(step) for step in history if agari or step.kind != "agari"]


def _step_text(step: Step) -> str:
    if step.kind == "nagare":
        return "/"
    if step.kind == "agari":
        return f"{step.seat}-AGARI"
    return f"{step.seat}-[{cards_text(step.cards)}]" if step.cards else f"{step.seat}-PASS"


def parse_history(texts: Iterable[str]) -> list[Step]:
    """Parse the steps of a history. Raises BadInput, with the entry, for one that is invalid."""
    return [_parse_step(number, text) for number, text in enumerate(texts, 1)]


def _parse_step(number: int, text: str) -> Step:
    if text == "/":
        return Step("nagare")
    entry = _ENTRY.fullmatch(text)
    if entry is None:
        raise BadInput(f"history entry {number}: {text!r} is wrong; allowed are N-[CARDS], N-PASS, N-AGARI and /")
    seat = int(entry["seat"])
    if entry["word"] == "AGARI":
        return Step("agari", seat)
    return Step("play", seat, parse_cards(entry["cards"] or ""))


# --- the players' messages ----------------------------------------------------------------------


class Refused(Exception):
    """A player's message cannot be understood; the text is the Exception to send."""


class PutRequest(msgspec.Struct, frozen=True):
    """A play, with the cards in the order in which the player sent them; no cards: a pass. `question` is the one that
    it answers, if the player says so."""

    cards: tuple[int, ...]
    question: int | None = None


class TweetRequest(msgspec.Struct, frozen=True):
    """A text for all."""

    text: str


class StartRequest(msgspec.Struct, frozen=True):
    """A request to begin with the players that are connected."""


Request = PutRequest | TweetRequest | StartRequest


def parse_request(text: str) -> Request:
    """Parse a player's message. Raises Refused, with the text of the Exception, if it cannot be read."""
    try:
        message = msgspec.json.decode(text)
    except (ValueError, RecursionError):  # a lone surrogate, which cannot be encoded, is a ValueError too
        raise Refused(Trouble.NO_JSON) from None
    if not isinstance(message, dict):
        raise Refused(Trouble.NO_JSON)
    match message.get("Kind"):
        case "Put":
            number = message.get("Question")
            return PutRequest(_cards_of(message.get("Cards")), number if isinstance(number, int) else None)
        case "Tweet":
            if not isinstance(message.get("Message"), str):
                raise Refused(Trouble.NO_MESSAGE)
            return TweetRequest(message["Message"])
        case "Start":
            return StartRequest()
        case None:
            raise Refused(Trouble.NO_KIND)
        case _:
            raise Refused(Trouble.UNKNOWN_KIND)


def _cards_of(text: Any) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise Refused(Trouble.NO_CARDS)
    try:
        return parse_cards(text)
    except UnknownSuit:
        raise Refused(Trouble.UNKNOWN_SUIT) from None
    except BadInput:
        raise Refused(Trouble.BAD_CARDS) from None


# --- the player's side ---------------------------------------------------------------------------


class PlayerInfo(msgspec.Struct, frozen=True, rename="pascal"):
    """One seat as every snapshot shows it."""

    name: str
    having_card_count: int
    ranking: int
    order_of_finish: int


class Snapshot(msgspec.Struct, frozen=True, rename="pascal"):
    """A game message as a player receives it."""

    kind: str
    your_num: int
    teban: int
    is_kakumei: bool
    player_info: tuple[PlayerInfo, ...]
    ba: tuple[str, ...]
    yama: str
    history: tuple[str, ...]
    deck: str = ""
    all_deck: tuple[str, ...] = ()


class Said(msgspec.Struct, frozen=True, rename="pascal"):
    """A Tweet or an Exception as a player receives it."""

    kind: str
    message: str
    player_num: int = -1


def parse_message(text: str | bytes) -> Snapshot | Said:
    """Parse a message of the server. Raises BadInput for anything else."""
    try:
        message = msgspec.json.decode(text)
        if isinstance(message, dict) and message.get("Kind") in (Kind.TWEET, Kind.EXCEPTION):
            return msgspec.convert(message, Said)
        return msgspec.convert(message, Snapshot)
    except (ValueError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        raise BadInput(f"not a message of neof5: {error}") from None


def board_of(shown: Snapshot) -> Board:
    """Return the board that a snapshot shows; hands that it does not show consist of hidden cards."""
    board = Board()
    board.sit(len(shown.player_info))
    board.turn, board.revolution = shown.teban, shown.is_kakumei
    board.ranks = [info.ranking for info in shown.player_info]
    board.places = [info.order_of_finish for info in shown.player_info]
    board.hands = [[HIDDEN] * info.having_card_count for info in shown.player_info]
    if shown.all_deck:
        board.hands = [list(parse_cards(deck)) for deck in shown.all_deck]
    elif not 0 <= shown.your_num < len(board.hands):
        raise BadInput(f"not a message of neof5: YourNum is {shown.your_num}, and PlayerInfo has {len(board.hands)}")
    else:
        board.hands[shown.your_num] = list(parse_cards(shown.deck))
    board.trick = [parse_cards(play) for play in shown.ba]
    board.pile = list(parse_cards(shown.yama))
    board.history = parse_history(shown.history)
    return board


def put(cards: Iterable[int]) -> bytes:
    """The message for a play; no cards for a pass."""
    return msgspec.json.encode({"Kind": "Put", "Cards": cards_text(cards)})

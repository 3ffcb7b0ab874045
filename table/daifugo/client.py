"""A player of neof5 over WebSocket: the base of programs that connect, and a way to send one of our bots there.

class Mine(Neof5Client):
    def choose(self, board: Board, seat: int) -> Sequence[int]:
        return ()  # a pass

Mine("ws://127.0.0.1:8765/play/A/A-01?name=Mine").run()
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.events import Board
from jantaku.table.daifugo.legal import legal_plays, weakest_single
from jantaku.table.daifugo.neof5 import Kind, Said, Snapshot
from jantaku.table.daifugo.players import DaifugoPlayer
from jantaku.table.daifugo.plays import PASS, Put
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.port import Choice, Player, Question, warmed_up


class Neof5Client(ABC):
    """Plays at a server of neof5; a subclass only has to define `choose`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.connection: ClientConnection | None = None

    @abstractmethod
    def choose(self, board: Board, seat: int) -> Sequence[int]:
        """Return the cards to play as `seat` on this board, in any order; no cards: pass."""

    def hear(self, message: Snapshot | Said) -> None:  # noqa: B027 - most programs need only `choose`
        """Receive everything that the server sends, including Exceptions about own plays."""

    def run(self) -> None:
        """Play until the server closes the connection, or until Ctrl-C."""
        with suppress(KeyboardInterrupt), connect(self._url, compression=None) as connection:
            self.connection = connection
            while True:
                try:
                    message = neof5.parse_message(connection.recv())
                    self.hear(message)
                    if isinstance(message, Snapshot) and message.kind == Kind.PROCESS_TURN:
                        cards = self.choose(neof5.board_of(message), message.your_num)
                        connection.send(neof5.put(cards).decode())
                except ConnectionClosed:
                    return


class BotClient(Neof5Client):
    """Connects a bot of ours to a server. `rules` must be the room's, as the options depend on them."""

    def __init__(self, url: str, bot: Player, rules: Rules) -> None:
        super().__init__(url)
        self._bot, self._rules = bot, rules
        self._asked = 0
        warmed_up(bot)

    def choose(self, board: Board, seat: int) -> Sequence[int]:
        """Put the question that a table of our own would put, and return the bot's cards."""
        self._asked += 1
        hand = board.hands[seat]
        plays = legal_plays(self._rules, hand, board.top, board.revolution)
        default = PASS if board.trick else Put(weakest_single(hand, board.revolution))
        if isinstance(self._bot, DaifugoPlayer):
            board.letter = self._rules.game.letter
            self._bot.board = board  # each message shows the whole board, so the bot need not hear events
        answer = self._bot.answer(Question(self._asked, seat, Choice(tuple(map(Put, plays)), default, always=True)))
        assert isinstance(answer, Put)
        return answer.cards

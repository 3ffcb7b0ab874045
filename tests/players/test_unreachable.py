"""A client of ours whose server goes while it shakes hands says so, as for one that was never there."""

import socket
import struct
import threading

import pytest

from players.adapters.websocket import Visit, play
from players.bots.tsumogiri import Tsumogiri
from table.errors import PlayerGone


def test_a_server_that_resets_the_connection_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def reset() -> None:
            line, _ = server.accept()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()

        thread = threading.Thread(target=reset)
        thread.start()
        with pytest.raises(PlayerGone, match="cannot be reached"):
            play(Visit(f"ws://127.0.0.1:{server.getsockname()[1]}/play/club", "a"), Tsumogiri)
        thread.join()

"""How many playouts a second of CPU, and what share of it draws worlds: docs/playouts.md.

    python -m scripts.worlds.speed [LINE…] [--worlds 60] [--bots shanten,allround]

Plain Python is measured with JANTAKU_PURE=1 before it, or where nothing was compiled. The best of three runs counts.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from time import process_time

from jantaku.table.ground.errors import BadInput
from jantaku.table.play.playouts import Playouts
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.world import Worlds
from scripts.core import compile_first

LINES = (
    "jtk1 tenhou;game.length=tonpu E2 honba=0 sticks=1 left=36 indicators=p9 E22000/m1.p6p3Sz2m0z2s6s3m1/m1-23 "
    "S22000/z5m7s2s8.p2.p5m2s5s5/p123- W38000/z5z6z3z1z6.z3.s3m7z2 N17000/z7z6z1m1Ep3m7s6Rp5.m9. hand=m4788p4407s4z1 "
    "ask=E/discard/N/m9",
    "jtk1 tenhou;game.length=tonpu E1 honba=0 sticks=1 left=25 indicators=m1 E24000/z4z2z5z6.p8s4p8.m9.p3Sp5.s5m7RI "
    "S25000/s8m8z3Wp7z4s6p2p6s9m7z1z1/m111+,p23-4 W25000/m5m1Ss6m6s4m4m2s1.p6m4m6z1/z333- "
    "N25000/z4z7z7.p1m8s7z7.s7z7.s8.m2. hand=m8p3s3599z3+p5 ask=S/draw",
    "jtk1 tenhou;game.length=tonpu S1 honba=0 sticks=0 left=47 indicators=m3 E29800/z3m1m1.s9z5p6 S23800/z4z1z5m9z2p6 "
    "W22700/z1z7z4s9p1 N23700/z6p9s9z7.m6 hand=m3099p56789s0789+m9 ask=W/draw",
)
"""A claim, an own turn beside a riichi, and an own turn."""
RUNS = 3


def least(run: Callable[[], object]) -> float:
    """The least CPU seconds of `RUNS` runs."""
    spent = []
    for _ in range(RUNS):
        begun = process_time()
        run()
        spent.append(process_time() - begun)
    return min(spent)


def told(position: Position, bot: str, worlds: int) -> str:
    """Measure one bot at one position."""
    options = len(position.choice.options)

    def draw() -> None:
        drawn = Worlds(position, "1")
        for number in range(worlds):
            drawn.draw(number)

    played = least(lambda: Playouts(position, bot).play(worlds, decide=False))
    share = least(draw) / played
    return f"{bot}, {options} options: {worlds * options / played:,.0f} playouts a second, {share:.0%} draws worlds"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.worlds.speed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("lines", nargs="*", default=LINES, metavar="LINE")
    parser.add_argument("--worlds", type=int, default=60, metavar="N")
    parser.add_argument("--bots", default="shanten,allround", metavar="BOT,…")
    options = parser.parse_args(arguments)
    if options.worlds < 1:
        parser.error(f"--worlds {options.worlds}: allowed are 1 and more")
    try:
        for line in options.lines:
            for bot in options.bots.split(","):
                print(told(read_line(line), bot, options.worlds), flush=True)
    except BadInput as error:
        print(f"speed: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    compile_first()
    sys.exit(main())

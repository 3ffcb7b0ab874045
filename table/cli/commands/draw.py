"""`jantaku draw`: a hand as a picture."""

from jantaku.table.cli.options import CommandOptions, argument
from jantaku.table.cli.say import say
from jantaku.table.riichi.points.hand import Hand


class DrawOptions(CommandOptions):
    """The command's options."""

    hand: str = argument("HAND")


@DrawOptions.command(
    epilog="jantaku draw 'm123p406s27899z11 +m4' > hand.svg; 123m406p is read as well. The drawn tile stands after +, "
    "melds behind the tiles: s78-9 (chi), z222= (pon), p5555 (ankan), p505=5 (kakan); the mark behind the called tile "
    "says from which seat it came: - left, = opposite, + right."
)
def command(options: DrawOptions) -> None:
    """Draw a hand as SVG, on standard output."""
    say(Hand(options.hand).svg())

"""`jantaku verify`: play records again through the rules and compare every event."""

from pathlib import Path

from jantaku.table.cli.commands.records import RecordFile, opened_by
from jantaku.table.cli.options import CommandOptions, RuleOptions, argument, rules
from jantaku.table.cli.say import say
from jantaku.table.play.entry import game_of_record
from jantaku.table.records.journal.killed import SeedsOf
from jantaku.table.records.journal.lines import games_in


class VerifyOptions(CommandOptions):
    files: tuple[Path, ...] = argument("FILE…", type=RecordFile())
    ruling: RuleOptions = rules(
        "Rules for records of other programs.  [default: majiang; of 2015: majiang-2015]", "game.length=tonpu"
    )
    opened_by: SeedsOf = opened_by()


@VerifyOptions.command(epilog="Our own records name their rules. For records of other programs give --rules.")
def command(options: VerifyOptions) -> int:
    """Replay each record by the rules, and report the first difference and what replay cannot check.

    Exit code 0 if all agree, 1 if one differs, 2 if one cannot be read.
    """
    count = differing = 0
    for path in (game for file in options.files for game in games_in(file)):
        count += 1
        done = game_of_record(path).compared(path, options.ruling, options.opened_by)
        what = f"{path}: {done.amount}"
        if done.answers:
            what += f", {done.answers} answers"
        if done.difference is not None:
            differing += 1
            say(f"{what}: DIFFERENT at {done.difference}{done.why and f'; {done.why}'}")
        else:
            end = "" if done.complete else " up to where it breaks off (its end is missing)"
            say(f"{what}: identical{end}; not checked by replay ({done.guard}): {', '.join(done.told)}")
    if count > 1:
        say(f"{count} records, {differing} different")
    return 1 if differing else 0

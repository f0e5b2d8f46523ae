"""`python -m tests.breaks [GAME] [RULE...]`: is each break noticed? Exit code 1 if one is not, or cannot be applied.

A case in which the broken program only falls over has noticed nothing: such a break is `crashed`.

--part N: of every ten breaks the one whose turn N is, and those of the files that --touched names.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from tests.breaks.edits import GAMES, ROOT, Break, breaks
from tests.breaks.running import judged

GOOD = ("noticed", "crash meant")


def chosen(names: Sequence[str], part: int | None, touched: Sequence[str]) -> list[Break]:
    """The breaks that are asked for."""
    wanted_games = [n for n in names if n in GAMES] or GAMES
    rules = {n for n in names if n not in GAMES}
    found = [b for game in wanted_games for b in breaks(game) if not rules or b.rule in rules or b.name in rules]
    if part is None:
        return found
    return [b for i, b in enumerate(found) if i % 10 == part % 10 or _is_touched(b, touched)]


def _is_touched(b: Break, touched: Sequence[str]) -> bool:
    return b.path.relative_to(ROOT).as_posix() in touched


def main(arguments: Sequence[str]) -> int:
    """Prints what was not noticed, and how many were."""
    parser = argparse.ArgumentParser(prog="python -m tests.breaks")
    parser.add_argument("names", nargs="*", help="games (as folders) and ids of rules")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part", type=int, default=None)
    parser.add_argument("--touched", nargs="*", default=[], help="files of a change, from the top of the project")
    parser.add_argument("--why", action="store_true", help="what noticed each break")
    parser.add_argument("--tell-crashes", action="store_true", help="a crash is told and is no failure")
    given = parser.parse_args(arguments)
    good = {*GOOD, "crashed"} if given.tell_crashes else {*GOOD}
    count: Counter[str] = Counter()
    for verdict in judged(chosen(given.names, given.part, given.touched), given.jobs):
        count[verdict.outcome] += 1
        if given.why or verdict.outcome not in GOOD:
            print(f"{verdict.outcome}: {verdict.rule.game} {verdict.rule.name}: {verdict.why}", flush=True)
    print(", ".join(f"{n} {outcome}" for outcome, n in sorted(count.items())) or "no breaks")
    return 1 if set(count) - good or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""python -m tests.mails [--games 3] [--each] [word ...]: counts files of the stretches that have each word in their name."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from pbem import games
from tests.mails.counting import Count, Stretch, count
from tests.mails.operations import told
from tests.mails.stretches import STRETCHES, WAYS


def main(arguments: list[str]) -> None:
    """A line of the table for each stretch; `--each` names the kinds of questions that forced files by hand."""
    parser = argparse.ArgumentParser(prog="python -m tests.mails", description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument(
        "--ways",
        default=",".join(WAYS),
        help="which standing orders: "
        + ", ".join(WAYS)
        + "; `+plans` behind one: plans too; `+holds`: the usual holds; `+waits`: a file waits for orders behind it",
    )
    parser.add_argument("--each", action="store_true", help="questions that forced files, and how many did nothing")
    wanted = parser.parse_args(arguments)
    chosen = [s for s in STRETCHES if all(w in f"{s.system}/{s.scenario} {s.what}" for w in wanted.words)]
    ways = wanted.ways.split(",")
    print("| stretch | units a game |", " | ".join(f"{w}: by hand + by hold + automatic, runs" for w in ways), "|")
    print("| --- | --- |", " | ".join("---" for _ in ways), "|")
    for stretch in chosen:
        _line(stretch, ways, wanted.games, wanted.each)


def _line(stretch: Stretch, ways: list[str], number: int, each: bool) -> None:
    cells, kinds = [], []
    units, begun = 0.0, time.process_time()
    for way in ways:
        name, *more = way.split("+")
        held = games.load(stretch.system).own_usual if "holds" in more else {}
        wanted = WAYS[name](stretch.system)
        counted = [
            count(stretch, seed, wanted, plans="plans" in more, waits="waits" in more, held=held) for seed in range(number)
        ]
        units = sum(c.units for c in counted) / number
        cells.append(_cell(counted, number))
        kinds.append(f"  {way}: " + _kinds(counted) + _planned(counted) + told(c.operations for c in counted))
    print(f"| {stretch.scenario}, {stretch.what} | {units:.1f} {stretch.unit} |", " | ".join(cells), "|", flush=True)
    if each:
        print(*kinds, f"  {time.process_time() - begun:.0f} s", sep="\n", flush=True)


def _cell(counted: list[Count], games: int) -> str:
    rows = ((c.hand.total(), c.held.total(), c.auto.total(), c.runs) for c in counted)
    hand, held, auto, runs = (sum(n) / games for n in zip(*rows, strict=True))
    return f"{hand:.1f} + {held:.1f} + {auto:.1f}, {runs:.1f}"


def _planned(counted: list[Count]) -> str:
    told = sum((c.planned for c in counted), Counter[str]())
    return "; plans: " + ", ".join(f"{what} {n}" for what, n in told.items()) if told else ""


def _kinds(counted: list[Count]) -> str:
    hand, idle, held = Counter[str](), Counter[str](), Counter[str]()
    for one in counted:
        hand += one.hand
        idle += one.idle
        held += one.held
    told = ", ".join(f"{kind} {n}" + (f" ({idle[kind]} nothing)" if idle[kind] else "") for kind, n in hand.most_common())
    return told + ("; by hold: " + ", ".join(f"{kind} {n}" for kind, n in held.most_common()) if held else "")


if __name__ == "__main__":
    main(sys.argv[1:])

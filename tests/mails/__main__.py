"""python -m tests.mails [--games 3] [--each] [word ...]: counts files of the stretches that have each word in their name."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import stdev

from pbem.batch.jobs import Job, Kept, Lines
from pbem.batch.pools import Pool, Processes
from pbem.batch.running import run
from tests.mails.counting import Count, Stretch
from tests.mails.operations import told
from tests.mails.stretches import STRETCHES, WAYS, played


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
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--results", type=Path, help="file of JSON lines: what it holds is not played again")
    wanted = parser.parse_args(arguments)
    chosen = [s for s in STRETCHES if all(w in f"{s.system}/{s.scenario} {s.what}" for w in wanted.words)]
    ways = wanted.ways.split(",")
    kept, pool = Lines(wanted.results) if wanted.results else Kept(), Processes(wanted.jobs)
    print("| stretch | units a game |", " | ".join(f"{w}: by hand + by hold + automatic, runs" for w in ways), "|")
    print("| --- | --- |", " | ".join("---" for _ in ways), "|")
    for stretch in chosen:
        _line(stretch, {way: _games(stretch, way, wanted.games, kept, pool) for way in ways}, wanted.each)


def _games(stretch: Stretch, way: str, number: int, kept: Kept, pool: Pool) -> list[Count]:
    jobs = [
        Job("mails", {"scenario": stretch.scenario, "what": stretch.what, "way": way, "seed": seed}) for seed in range(number)
    ]
    return [Count.from_plain(result) for _, result in run(jobs, {"mails": played}, pool, kept) if isinstance(result, dict)]


def _line(stretch: Stretch, counted: Mapping[str, Sequence[Count]], each: bool) -> None:
    units = [c.units for games in counted.values() for c in games]
    cells = [_cell(games) for games in counted.values()]
    print(
        f"| {stretch.scenario}, {stretch.what} | {sum(units) / len(units):.1f} {stretch.unit} |",
        " | ".join(cells),
        "|",
        flush=True,
    )
    if each:
        for way, games in counted.items():
            print(f"  {way}: " + _kinds(games) + _planned(games) + told(c.operations for c in games), flush=True)


def _cell(counted: Sequence[Count]) -> str:
    """Means of the games; behind what is written by hand its standard error."""
    rows = [(c.hand.total(), c.held.total(), c.auto.total(), c.runs) for c in counted]
    hand, held, auto, runs = (sum(n) / len(rows) for n in zip(*rows, strict=True))
    error = f" (+- {stdev(row[0] for row in rows) / len(rows) ** 0.5:.1f})" if len(rows) > 1 else ""
    return f"{hand:.1f}{error} + {held:.1f} + {auto:.1f}, {runs:.1f}"


def _planned(counted: Sequence[Count]) -> str:
    told = sum((c.planned for c in counted), Counter[str]())
    return "; plans: " + ", ".join(f"{what} {n}" for what, n in told.items()) if told else ""


def _kinds(counted: Sequence[Count]) -> str:
    hand, idle, held = Counter[str](), Counter[str](), Counter[str]()
    for one in counted:
        hand += one.hand
        idle += one.idle
        held += one.held
    told = ", ".join(f"{kind} {n}" + (f" ({idle[kind]} nothing)" if idle[kind] else "") for kind, n in hand.most_common())
    return told + ("; by hold: " + ", ".join(f"{kind} {n}" for kind, n in held.most_common()) if held else "")


if __name__ == "__main__":
    main(sys.argv[1:])

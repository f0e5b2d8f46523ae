"""Mutation testing of the games' rules: `python -m tests.mutation.rules [GAME ...] [--number 400] [--seed 1] [--jobs 2]`.

Random mutants of the code that decides something (rule_mutants.py) are judged by the game's cases that reach their function,
then by quick tests of what no case can play (lies, proposals, words), then by its recorded games, the long ones last.
`rule_survivors.yaml` lists those that are accepted, each with its reason. The exit code is 1
when fewer than 90 % of a game's mutants are noticed, or a survivor is not listed; `--report` only tells.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml

from tests.breaks.edits import GAMES, ROOT
from tests.breaks.running import WARM, Edited, cases, played
from tests.case_driver import stage_of
from tests.mutation.rule_mutants import Mutant, mutants

FLOOR = 90  # per cent of a game's mutants
NUMBER = 400  # mutants of a game
PATIENCE = 300  # seconds of computing for a recorded game: a mutant that goes on for ever is noticed too
ACCEPTED = Path(__file__).parent / "rule_survivors.yaml"
HOME = str(ROOT / "pbem" / "games")
TESTS = {  # quick tests beside the cases: lies, proposals, words of refusals, months in secret, links that are kept
    "pacific_war": (
        "refusals",
        "proposals",
        "muster",
        "each_lie",
        "sealed_points",
        "hidden_moves",
        "hidden_months",
        "kept_links",
        "hidden_attacks",
    ),
    "empire_of_the_sun": ("plans", "clauses"),  # facts that conditions name
}
Reached = dict[tuple[str, str], list[str]]  # function -> cases


def main(arguments: Sequence[str]) -> int:
    """Judge the mutants of the games asked for, print survivors and a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="folders of games; all by default")
    parser.add_argument("--number", type=int, default=NUMBER)
    parser.add_argument("--seed", type=int, default=1, help="another seed, another sample")
    parser.add_argument("--under", default="", help="only modules whose path has this (a regular expression): secret/")
    parser.add_argument(
        "--function", default="", help="only functions with this in their name, with --number 0 all their mutants"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--cases-only", action="store_true", help="without the recorded games")
    parser.add_argument("--report", action="store_true", help="exit code 0 whatever survives")
    wanted = parser.parse_args(arguments)
    failed = [game for game in wanted.games or GAMES if not _game(game, wanted)]
    return 1 if failed and not wanted.report else 0


def _game(game: str, wanted: argparse.Namespace) -> bool:
    """Whether enough mutants of a game are noticed, and every survivor is listed."""
    chosen = [m for m in mutants(game, wanted.seed) if re.search(wanted.under, m.path) and wanted.function in m.function]
    chosen = chosen[: wanted.number or None]
    listed = accepted(ACCEPTED)
    by_case = by_test = by_game = 0
    unlisted = []
    for mutant, why in verdicts(game, chosen, wanted.jobs, wanted.cases_only):
        by_game += why.startswith("recorded ")
        by_test += why.startswith("test_")
        by_case += bool(why) and not why.startswith(("recorded ", "test_"))
        if not why and identity(mutant) not in listed:
            unlisted.append(mutant)
            print(f"survived: {mutant.path} {mutant.function} #{mutant.number}\n  - {mutant.was}\n  + {mutant.now}", flush=True)
    noticed = by_case + by_test + by_game
    rate = 100 * noticed / len(chosen)
    print(
        f"{game}: {len(chosen)} mutants, {by_case} noticed by cases, {by_test} by tests, {by_game} by recorded games, "
        f"{len(chosen) - noticed} survived ({len(unlisted)} not listed), {rate:.1f} %, floor {FLOOR} %",
        flush=True,
    )
    return rate >= FLOOR and not unlisted


def identity(mutant: Mutant) -> tuple[str, str, str, str]:
    """A mutant known by what it changes, not by its number."""
    return mutant.path, mutant.function, mutant.was, mutant.now


def accepted(path: Path) -> dict[tuple[str, str, str, str], str]:
    """The accepted survivors with their reasons."""
    rows = yaml.safe_load(path.read_text("utf-8")) or []
    return {(row["path"], row["function"], m["was"], m["now"]): row["reason"] for row in rows for m in row["mutants"]}


def verdicts(game: str, chosen: Sequence[Mutant], jobs: int, cases_only: bool = False) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with what noticed it (nothing: it survived). Processes begin as copies of this one, with no game loaded."""
    for name in WARM:
        importlib.import_module(name)
    assert not any(name.startswith("pbem.games.") and name.count(".") > 2 for name in sys.modules), "a game is loaded already"
    fork = multiprocessing.get_context("fork")
    with fork.Pool(1) as pool:
        reached = pool.apply(reach, (game,))
        judges = [] if cases_only else pool.apply(sound, (game,))
    gc.freeze()
    with fork.Pool(jobs, maxtasksperchild=1) as pool:
        todo = [(m, reached.get((m.path, m.function), []), judges) for m in chosen]
        judged = 0
        for verdict in pool.imap_unordered(_judge, todo, chunksize=1):
            judged += 1
            yield verdict
    assert judged == len(todo), f"{len(todo) - judged} mutants have no verdict"  # a StopIteration in a worker ends it quietly


def sound(game: str) -> list[str]:
    """The tests and recorded games that hold without any mutant; one that does not would notice each mutant: it is left out."""
    recordings = importlib.import_module("tests.test_recorded_games")
    titles = [f"test_{name}" for name in TESTS.get(game, ())]
    titles += [f"recorded {r.title}" for r in (*recordings.SHORT, *recordings.LONG) if r.system == game]
    faults = {title: fault for title in titles if (fault := _holds_no_more(game, title))}
    for title, fault in faults.items():
        print(f"left out, it does not hold by itself: {title}: {fault}", flush=True)
    return [title for title in titles if title not in faults]


def reach(game: str) -> Reached:
    """Which cases run which functions; what a second run does not (it is kept then), counts for all."""
    found: Reached = {}
    again: set[tuple[str, str]] = set()
    for name, case in cases(game).items():
        first = _run_by(game, name)
        again |= first - _run_by(game, name)
        for key in first:
            found.setdefault(key, []).append(case.id)
    return found | {key: list(cases(game)) for key in again}


def _run_by(game: str, name: str) -> set[tuple[str, str]]:
    seen: set[Any] = set()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    stage = stage_of(game)
    sys.setprofile(watch)
    try:
        stage(cases(game)[name]).run()
    finally:
        sys.setprofile(None)
    top = len(str(ROOT)) + 1
    return {(c.co_filename[top:], c.co_qualname.partition(".<")[0]) for c in seen if c.co_filename.startswith(HOME)}


def _judge(task: tuple[Mutant, Sequence[str], Sequence[str]]) -> tuple[Mutant, str]:
    """Play the cases that reach the mutant until one fails, then tests and recorded games. Only where no game is loaded yet."""
    mutant, names, judges = task
    signal.signal(signal.SIGVTALRM, _too_long)  # for the cases; recorded games set it for themselves
    sys.meta_path.insert(0, Edited(mutant.module, str(ROOT / mutant.path), mutant.tree()))
    for name in names:
        fault = played(mutant.game, cases(mutant.game)[name])
        if fault:
            return mutant, f"{name}: {fault.why}"
    for title in judges:
        why = _holds_no_more(mutant.game, title)
        if why:
            return mutant, f"{title}: {why}"
    return mutant, ""


def _holds_no_more(game: str, title: str) -> str:
    """What is wrong with a judge, `test_refusals` or `recorded coral-sea-bot-601`; nothing if it holds."""
    kind, _, name = title.partition(" ")
    return _goes_otherwise(name) if kind == "recorded" else _fails(game, title)


def _fails(game: str, title: str) -> str:
    """What comes of a file of tests; nothing if all hold."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            outcome = pytest.main(["-x", "-q", "-p", "no:cacheprovider", str(ROOT / "tests" / game / f"{title}.py")])
    except BaseException as error:  # whatever it is, the mutant was noticed
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return "" if outcome == pytest.ExitCode.OK else str(outcome)


def _goes_otherwise(title: str) -> str:
    """What happens when a recorded game is played again; nothing if it goes as it went."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        recordings = importlib.import_module("tests.test_recorded_games")
        recordings.replay(recordings.path_of(title))
    except BaseException as error:  # whatever it is, the mutant was noticed
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError("it goes on for ever")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

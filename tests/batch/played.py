"""Real game folders of a league: games of the bots through signed files, by people whose keys are the same in all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from pbem.cli import local, play, setup
from pbem.store.session import Session


def game(
    root: Path,
    name: str,
    system: str,
    scenario: str,
    seats: Mapping[str, Sequence[str]],
    options: Sequence[str] = (),
    most: int = 9999,
    resigns: str = "",
) -> Path:
    """A game of bots in `root/name/PLAYER`, to its end or so many files long, where one resigns; the first player's folder."""
    first, second = seats
    one, other = root / name / first, root / name / second
    before = os.environ.get("PBEM_HOME")
    os.environ["PBEM_HOME"] = str(root / "home")
    try:
        setup.new(one, system, scenario, list(options), "2d")
        setup.join(one, None, first, list(seats[first]))
        setup.join(other, one / "charter.yaml", second, list(seats[second]))
        setup.accept(other, None)
        setup.accept(one, other / "charter.yaml")
        setup.accept(other, one / "charter.yaml")
        with ExitStack() as stack:
            party = local.Party({p.name: stack.enter_context(Session.at_work(p)) for p in (one, other)})
            party.catch_up()  # a game may begin with a file that a program writes on founding
            while party.one.table.last < most and local.go_on(party, [first, second]):
                pass
            if resigns:
                play.resigned(party.sessions[resigns])
    finally:
        os.environ.pop("PBEM_HOME")
        if before is not None:
            os.environ["PBEM_HOME"] = before
    return one

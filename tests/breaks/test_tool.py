"""The program that breaks rules: what it applies, what it calls noticed, what it cannot use."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from pbem.kernel.orders import Rejected, failed, illegal
from pbem.kernel.wording import msg
from tests.breaks.edits import GAMES, ROOT, Break, Unusable, breaks, rules
from tests.breaks.running import is_crash

HALVED = ("strength._overmatch", "(3 * strength + 1) // 2", "3 * strength // 2")


def edit(place: str, old: str, new: str, *cases: str) -> Break:
    return Break("next_war", "9.4.3", 1, place, old, new, cases)


def verdict(wanted: Break) -> list[str]:
    """The verdict on a break: its outcome, and why."""
    return verdicts(wanted).split(maxsplit=1)


def verdicts(*wanted: Break) -> str:
    """A line for each break, from a process in which no game is loaded."""
    lines = (
        "from tests.breaks.edits import Break",
        "from tests.breaks.running import judged",
        f"for found in judged({[*wanted]!r}, 2): print(found.outcome, found.why)",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    return done.stdout


def test_a_break_that_a_case_plays_is_noticed() -> None:
    outcome, why = verdict(edit(*HALVED, "NW-BT-18"))
    assert outcome == "noticed" and why.startswith("NW-BT-18: ")


def test_a_break_that_no_cited_case_plays_survives() -> None:
    assert verdict(edit(*HALVED, "NW-FU-02")) == ["survived", "NW-FU-02\n"]


def test_breaks_of_modules_below_and_above_each_other_have_a_verdict_each() -> None:
    old = "from pbem.games.next_war.sequence import SEGMENTS"
    above, nowhere = edit("game", old, "import nothing_of_this_name", "NW-BT-18"), edit("no_such_module", "1", "2", "NW-BT-18")
    unloaded = edit("bot.marching", "from __future__ import annotations", "import nothing_of_this_name", "NW-BT-18")
    told = verdicts(unloaded, above, edit(*HALVED, "NW-BT-18"), nowhere, edit(*HALVED, "NW-FU-02")).splitlines()
    assert sorted(line.split(maxsplit=1)[0] for line in told) == ["crashed", "noticed", "survived", "survived", "unusable"]


CRASHES = [
    pytest.param("strength", "from __future__ import annotations", "import nothing_of_this_name", id="not loaded"),
    pytest.param("strength._overmatch", "(3 * strength + 1) // 2", "3 * strength // 0", id="raises"),
    pytest.param(
        "strength._overmatch",
        "    return strength if hindered and",
        "    assert not klass\n    return strength if hindered and",
        id="asserts",
    ),
]


@pytest.mark.parametrize(("place", "old", "new"), CRASHES)
def test_a_program_that_falls_over_has_shown_nothing(place: str, old: str, new: str) -> None:
    assert verdict(edit(place, old, new, "NW-BT-18"))[0] == "crashed"


def test_a_crash_that_says_why_it_can_do_no_less_is_good_as_long_as_it_is_one() -> None:
    raises = replace(edit("strength._overmatch", "(3 * strength + 1) // 2", "3 * strength // 0", "NW-BT-18"), crash="a reason")
    assert verdict(raises)[0] == "crash"
    assert verdict(replace(edit(*HALVED, "NW-BT-18"), crash="a reason"))[0] == "unusable"


def test_a_crash_in_reading_an_order_is_one_though_the_order_is_refused() -> None:
    refused = Rejected([failed(ZeroDivisionError("by zero"))])
    wanted = AssertionError("refused under another rule")
    wanted.__context__ = refused
    assert is_crash(refused) and is_crash(wanted)
    assert not is_crash(illegal(msg("not so far"), "9.4.3"))


def test_a_case_that_is_not_there_is_no_proof() -> None:
    assert verdict(edit(*HALVED, "NW-XX-99"))[0] == verdict(edit(*HALVED))[0] == "unusable"


@pytest.mark.parametrize(
    ("place", "old", "new", "why"),
    [
        ("weakness.attack_strength", "1", "2", "no such module"),
        ("strength.attack_weakness", "1", "2", "nothing of this name"),
        ("strength.attack_strength", "strength", "s", "stands there"),
        ("strength._overmatch", "(3 * strength + 1) // 2", "(3 *", "makes no Python"),
        ("strength._overmatch", "(3 * strength + 1) // 2", "((3 * strength + 1) // 2)", "changes nothing"),
    ],
)
def test_a_break_that_breaks_nothing_is_refused(place: str, old: str, new: str, why: str) -> None:
    with pytest.raises(Unusable, match=why):
        edit(place, old, new).source()


@pytest.mark.parametrize("game", GAMES)
def test_every_break_can_be_applied(game: str) -> None:
    assert all(b.source() and b.cases for b in breaks(game))


@pytest.mark.parametrize("game", GAMES)
def test_breaks_are_of_rules_that_are_implemented(game: str) -> None:
    assert {rules(game).entries[b.rule].status for b in breaks(game)} <= {"implemented"}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_break(game: str) -> None:
    implemented = {id for id, entry in rules(game).entries.items() if entry.status == "implemented"}
    assert sorted(implemented - {b.rule for b in breaks(game)}) == []

"""The count of files, on the shortest scenario: what is asked without standing orders, and what the usual set answers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.kernel.canon import Plain
from tests.mails.__main__ import _cell, _kinds
from tests.mails.counting import Count, count, does_nothing
from tests.mails.operations import Operations, told
from tests.mails.stretches import EMPIRE, NEXT, PACIFIC, STRETCHES, WAR, WAYS

pytestmark = pytest.mark.in_turn(3)

(SAVO,) = (s for s in STRETCHES if s.scenario == "savo-island")


def test_the_usual_set_answers_what_costs_files_without_it() -> None:
    none, usual = (count(SAVO, 2, WAYS[way](WAR)) for way in ("none", "usual"))
    assert none.hand["line"] > 1 and none.hand.total() >= none.runs > 1 and none.auto["witness"] > 0 and not none.fired
    assert usual.hand["line"] == 1 and usual.fired["line 1"] > 0, "the first is asked before anything holds"
    assert usual.hand.total() < none.hand.total()


def test_an_engagement_with_sealed_bids_takes_two_files_by_hand() -> None:
    """One of each side [PW-NAV-03] [PW-NAV-06]: lines and bids are sealed in their plans, and fire goes by the set."""
    planned = count(SAVO, 0, WAYS["usual"](WAR), plans=True)
    assert planned.hand == {"search": 1, "line": 1} and planned.planned["plan"] >= 3 and planned.fired["fire 1"] > 0


def test_an_engagement_takes_five_files_where_the_dice_wait_for_the_line() -> None:
    """The line of whoever turns the die of the search goes into the file that shows it; his lines and bids stay sealed."""
    at_once, waiting = (count(SAVO, 2, WAYS["usual"](WAR), plans=True, waits=waits) for waits in (False, True))
    assert at_once.hand == waiting.hand == {"search": 1, "line": 1}
    by_rule = [{what: n for what, n in one.auto.items() if what != "claim"} for one in (at_once, waiting)]  # by other dice one
    assert by_rule == [{"witness": 1, "open": 3}, {"open": 3}] and at_once.auto["claim"] <= 1 >= waiting.auto["claim"]


def test_a_sealed_month_with_plans_for_days_to_come() -> None:
    """August of Guadalcanal: the days of an operation, the paperwork before it and the bids behind it are planned."""
    sealed = next(s for s in STRETCHES if s.what == "August, all sealed")
    alone, planned = (count(sealed, 0, WAYS["usual"](WAR), plans=plans) for plans in (False, True))
    assert alone.hand["sail"] > planned.hand["sail"] > 0 == planned.hand["length"] == planned.hand["kinds"]
    assert planned.hand.total() <= 25 and alone.hand.total() > 40


def test_with_plans_a_power_s_turn_is_one_file_by_hand() -> None:
    """A round of Pacific 1940: nothing is asked behind the battles."""
    round_ = replace(next(s for s in STRETCHES if s.system == PACIFIC), what="a round", most=1)
    usual, planned = (count(round_, 0, WAYS["usual"](PACIFIC), plans=plans) for plans in (False, True))
    assert usual.hand["noncombat-move"] > 0 and not usual.planned
    assert planned.hand["noncombat-move"] + planned.hand["mobilize"] == 0 and planned.planned["plan"] > 10
    assert planned.hand.total() < usual.hand.total()


def test_with_plans_combats_ask_no_attacker_for_files_of_their_own() -> None:
    """A turn of Next War: the file of a movement brings its attacks and their support; what is left are movements."""
    gap = next(s for s in STRETCHES if s.scenario == "gap")
    alone, planned = (count(gap, 0, WAYS["careful"](NEXT), plans=plans) for plans in (False, True))
    assert alone.hand["combat"] > 5 and planned.hand["combat"] == 0 and planned.planned["plan"] > 10
    assert planned.hand.total() <= 8 < alone.hand.total(), "the goal for a turn"


def test_what_follows_the_last_combat_is_planned_or_answered_by_the_set() -> None:
    """Training: of arrivals, replacements, clearings and throws the side that moves last is asked nothing."""
    training = next(s for s in STRETCHES if s.scenario == "training")
    alone, planned = (count(training, 0, WAYS["careful"](NEXT), plans=plans) for plans in (False, True))
    assert alone.hand["combat"] > 5 and planned.hand["arrive"] <= 1
    assert set(planned.hand) == {"movement", "weather", "arrive"} and planned.hand.total() <= 8, (
        "the set holds before a defence"
    )


def test_with_plans_an_offensive_takes_a_card_and_a_reaction() -> None:
    """A turn of Empire of the Sun: neither who moves against an interception nor the order of battles is asked."""
    pacific = next(s for s in STRETCHES if s.scenario == "south-pacific")
    alone, planned = (count(pacific, 0, WAYS["usual"](EMPIRE), plans=plans) for plans in (False, True))
    assert alone.hand["counter"] > 2 and planned.hand["counter"] + planned.hand["fight"] <= 1
    assert planned.hand.total() <= 2 * planned.units + 1


def test_december_takes_its_two_offensives_and_the_fleets_that_may_sail() -> None:
    """[17.11] The floor of that turn: of the Allies, who have joined with the usual set, nothing else is asked."""
    december = next(s for s in STRETCHES if s.scenario == "campaign-1941")
    assert count(december, 0, WAYS["usual"](EMPIRE), plans=True).hand == {"card": 2, "sail": 1}


def test_what_a_hold_writes_is_neither_by_hand_nor_by_the_program_alone() -> None:
    """An engagement whose lines a program holds: they are files of decisions, which nobody wrote."""
    alone, held = (count(SAVO, 2, WAYS["none"](WAR), held=held) for held in ({}, {"line": "first"}))
    assert alone.hand["line"] > 1 and not alone.held
    assert held.held["line"] >= 1 and held.hand["line"] == 0 and "held" not in held.auto
    cell = _cell([held])
    assert cell.startswith(f"{held.hand.total():.1f} + {held.held.total():.1f} + {held.auto.total():.1f}, ")
    assert f"; by hold: line {held.held['line']}" in _kinds([held]) and "by hold" not in _kinds([alone])


def test_a_count_is_kept_as_plain_data() -> None:
    """A month of Guadalcanal has operations, which are counted apart."""
    august = next(s for s in STRETCHES if s.what == "August, all sealed")
    counted = count(august, 0, WAYS["usual"](WAR))
    again = Count.from_plain(json.loads(json.dumps(counted.plain)))
    assert again.plain == counted.plain and _kinds([again]) == _kinds([counted]) and _cell([again]) == _cell([counted])
    assert counted.operations.files and told([again.operations]) == told([counted.operations])


def test_what_does_nothing() -> None:
    assert does_nothing("done") and does_nothing({"stop": "no"}) and does_nothing({"seal": "done", "seat": "japan"})
    assert not does_nothing({"stop": "yes"}) and not does_nothing({"search": {"J1": "CA1"}})


def test_bids_belong_to_the_operation_that_they_win_and_those_that_win_none_to_no_one() -> None:
    games = Operations()
    files: tuple[tuple[tuple[int, str], str, tuple[str, ...]], ...] = (
        ((8, ""), "transport", ()),
        ((8, ""), "operation-bid", ()),
        ((8, ""), "", ()),
        ((8, "1"), "activate", ()),
        ((8, "1"), "sail", ("search",)),
        ((8, ""), "operation-bid", ()),
        ((8, "9"), "react", ()),
        ((8, "9"), "", ("line",)),
        ((8, ""), "operation-bid", ()),
        ((8, ""), "engineering", ()),
        ((8, "15"), "sail", ()),
    )
    for number, kind, fired in files:
        where: list[Plain] = [*number]
        games.tell(where, kind, fired)
    assert [(f.hand, f.auto, f.met) for f in games.files.values()] == [(3, 1, False), (2, 1, True), (1, 0, False)]
    assert told([games]) == (
        "; operations without contact 2: 2.0 + 0.5 (sail 2, operation-bid 1, activate 1)"
        "; operations with 1: 2.0 + 1.0 (operation-bid 1, react 1)"
    )


def test_an_operation_without_contact_takes_six_files_by_hand_at_most() -> None:
    """Two bids, activation and reaction are in plans, so is the way as far as it is planned [PW-BID-01] [PW-ACT-11]."""
    sealed = next(s for s in STRETCHES if s.what == "August, all sealed")
    planned = count(sealed, 0, WAYS["usual"](WAR), plans=True)
    quiet = [files for files in planned.operations.files.values() if not files.met]
    assert quiet and sum(files.hand for files in quiet) <= 6 * len(quiet)
    assert not count(SAVO, 0, WAYS["usual"](WAR)).operations.files

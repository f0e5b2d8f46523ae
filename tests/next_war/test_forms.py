"""Next War pick by pick: stacks with reasons, ends with cost and zones, attackers with the column as they join."""

from __future__ import annotations

import random

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Partial, form_of
from pbem.kernel.wording import english
from tests.case_driver import Case
from tests.generic.test_forms import chain, form_at_hand, moments, picked, values
from tests.next_war.stage import GameStage

MARCH = ("UNITS 0906: 3/I, 4/I", "UNITS 1007: 11/A", "START movement basic allied")
CROWD = ("UNITS 0906: 3/I, 4/I, 5/II, 6/II, 1/MEC, 2/MEC", "UNITS 1007: 11/A", "START combat basic allied")


def position(*setup: str) -> Engine:
    """A game at its first question, from lines of a case."""
    return GameStage(Case("", "", [], list(setup), [])).engine


def test_only_verbs_with_which_something_can_be_done_are_offered() -> None:
    step = form_at_hand(position(*MARCH)).step(Partial())
    assert values(step, "verb") == ["move", "done"] and values(step, "at") == ["0906"]


def test_an_end_tells_its_cost_and_the_zone() -> None:
    step = form_at_hand(position(*MARCH)).step(picked("", "at 0906", "unit 3/I"))
    told = {p.value: (english(p.cost), p.leads) for p in step.picks if p.slot == "to"}
    assert told["0805"] == ("movement points: 2 1/2", ("move",))
    assert told["0907"] == ("movement points: 4; enemy zone of control", ("enters-zone",))
    assert english(step.budget) == "movement points of the slowest: 4" and values(step, "unit") == ["4/I"]


def test_the_way_is_clicked_hex_by_hex() -> None:
    f = form_at_hand(position(*MARCH))
    assert "0907" not in values(f.step(picked("move", "at 0906", "unit 3/I")), "via"), "a zone stops the march"
    step = f.step(picked("move", "at 0906", "unit 3/I", "via 0807"))
    assert "0707" in values(step, "to") and "1105" not in values(step, "to")
    assert f.step(picked("move", "at 0906", "unit 3/I", "via 0807", "to 0707")).orders == (
        {"move": {"units": ["3/I"], "to": "0707", "via": ["0807"]}},
    )


def test_what_has_moved_stands_there_with_its_reason() -> None:
    engine = position(*MARCH)
    engine.reply({"move": "3/I to 0905"})
    f = form_at_hand(engine)
    (moved,) = f.step(picked("move", "at 0905")).picks
    assert moved.why_not is not None and english(moved.why_not.reason) == "3/I has moved in this segment"
    assert values(f.step(Partial("move")), "at") == ["0906"]


def test_the_column_follows_the_attackers() -> None:
    f = form_at_hand(position(*CROWD))
    assert [(p.value, p.leads) for p in f.step(Partial()).picks if p.slot == "target"] == [("1007", ("attack",))]
    one, two = (f.step(picked("attack", "target 1007", *units)) for units in (["unit 3/I"], ["unit 3/I", "unit 4/I"]))
    assert english(one.budget).startswith("attack 6, defense 6: 1:1, column 6")
    assert english(two.budget).startswith("attack 12, defense 6: 2:1, column 8")
    assert two.orders == ({"attack": {"units": ["3/I", "4/I"], "at": "1007"}},) and values(two, "by") == ["3/I", "4/I"]


def test_who_cannot_join_says_why() -> None:
    step = form_at_hand(position(*CROWD)).step(picked("attack", "target 1007", "unit 3/I"))
    (full,) = [p for p in step.picks if p.value == "2/MEC"]
    assert full.why_not is not None and full.why_not.rule == "8.1.1.1" and "1/MEC" in values(step, "unit")


def test_lines_are_written_as_players_do() -> None:
    f = form_at_hand(position(*MARCH))
    order: Plain = {"move": {"units": ["3/I", "4/I"], "to": "0707", "via": ["0807"]}}
    assert f.line(order) == {"move": "3/I, 4/I to 0707 via 0807"}
    assert f.partial(f.line(order)) == f.partial(order)


def test_every_kind_of_movement_is_finished_by_picks() -> None:
    """The generic laws pick the orders of recorded games; these verbs are among them."""
    verbs: set[str] = set()
    for title in ("next_war/gap-bot-504", "next_war/wonsan-random-511", "next_war/korea-random-509"):
        for _, ask, given in moments(title, 10**6):
            if isinstance(ask, Ask) and ask.kind == "movement" and isinstance(given, dict):
                verbs |= given.keys()
    assert {"move", "sail", "lift", "poise", "rebase", "ship"} <= verbs


def test_nothing_that_is_finished_is_refused() -> None:
    dice, finished = random.Random(5), 0
    for _, ask, _ in moments("next_war/wonsan-random-511", 60):
        for order in chain(form_of(ask), dice).orders:
            ask.read(order)
            finished += 1
    assert finished > 30


def test_replacements_tell_points_and_prices() -> None:
    """[11.1, 11.2] A step of infantry costs one point, its reconstitution two."""
    f = form_at_hand(
        position("START replacements", "BOX eliminated: 3/I", "MARK replacements Meridia 2", "UNITS 0106: 4/I reduced")
    )
    for verb, unit, price in (("recover", "4/I", 1), ("rebuild", "3/I", 2)):
        step = f.step(Partial(verb))
        assert english(step.budget) == "Replacement Points: Meridia 4", "two, and two that come this turn"
        assert [(p.value, english(p.cost)) for p in step.picks] == [(unit, f"Replacement Points: {price}")]

"""[9.8.1] Retreats by clicking: each end finishes an order, ways to the same end are told apart by their hexes."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.flow import Ask
from pbem.kernel.forms import Partial
from tests.generic.test_forms import moments, walk

TITLES = ("next_war/wonsan-bot-506", "next_war/training-random-502")


def questions() -> Iterator[Ask]:
    """One after the other: a question can be looked at while its game stands there."""
    for title in TITLES:
        for _, ask, _ in moments(title, 4):
            if isinstance(ask, Ask) and ask.kind == "retreat":
                yield ask


def test_a_click_on_a_hex_is_a_whole_retreat_there() -> None:
    found = 0
    for ask in questions():
        found += 1
        form = ask.form()  # type: ignore[misc]
        first = form.step(Partial("retreat"))
        assert first.picks and all(p.slot == "to" for p in first.picks)
        for pick in first.picks:
            (order,) = form.step(Partial("retreat").plus(pick)).orders
            way = ask.read(order)
            assert way.ship == pick.value or way.air == pick.value.startswith("air ")
            if not way.ship:
                assert pick.leads == ("retreat",) and pick.at, "the hex is lit as one of retreat"
    assert found > 1


def test_every_way_can_be_picked_by_its_hexes() -> None:
    for ask in questions():
        form = ask.form()  # type: ignore[misc]
        for order in ask.options():
            (made,) = walk(form, form.partial(order)).orders
            assert ask.read(made) == ask.read(order)

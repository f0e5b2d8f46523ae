"""A question that its default answers is offered all the same, as long as an order would come before the default."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import local
from pbem.kernel.canon import Plain
from pbem.kernel.forms import VERB, Chosen, Partial, Pick, Step
from pbem.kernel.wording import verbatim
from pbem.runtime.asked import WithPassed
from pbem.runtime.desk import Desk
from pbem.store.session import Session

BEGIN = "orders:\n  - kinds: air, ground, naval\n  - done\n"


@pytest.fixture(scope="module")
def coral_sea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Coral Sea with sealed forces, Japan about to move its ground units."""
    folder = tmp_path_factory.mktemp("passed") / "g"
    local.found(folder, "pacific-war", "coral-sea", ["forces=sealed"], {"yamada": ["japan"], "nowak": ["allies"]})
    with local.at_work(folder) as party:
        while getattr(party.one.table.engine.request, "kind", "") != "kinds":
            assert local.go_on(party, ["yamada", "nowak"])
        yield folder


def desk(folder: Path, text: str) -> Desk:
    return Session.open(folder / "yamada").desk(text)


def verbs(of: Desk) -> list[str]:
    return [p.value for p in of.step(Partial()).picks if p.slot == VERB]


def test_it_is_picked_beside_what_is_asked(coral_sea: Path) -> None:
    work = desk(coral_sea, BEGIN)
    assert work.sheet.asked is not None and work.sheet.asked.kind == "land"
    assert (work.sheet.passed[0].kind, work.sheet.passed[0].default) == ("show", {"show": "none"})
    assert {"show", "move", "done"} <= set(verbs(work))
    picks = work.step(Partial("show")).picks
    shown = next(p for p in picks if p.value == "J1")
    step = work.step(Partial("show").plus(shown))
    assert step.orders == ({"show": "J1"},)
    form = work.form()
    assert form is not None and form.step(form.partial(step.orders[0])).orders == step.orders
    sheet = work.take(step.orders)
    assert sheet.trouble is None and sheet.orders[-1] == {"show": "J1"} and "show: J1" in sheet.text
    assert not work.table.engine.state.markers["J1"].handle
    work.undo()
    assert work.table.engine.state.markers["J1"].handle and "show" in verbs(work)


def test_the_default_itself_may_be_written_and_is_not_asked_again(coral_sea: Path) -> None:
    work = desk(coral_sea, BEGIN + "  - show: none\n")
    assert work.sheet.asked is not None and work.sheet.asked.kind == "land" and not work.sheet.passed


def test_nothing_is_passed_where_nothing_was_answered(coral_sea: Path) -> None:
    work = desk(coral_sea, "orders: []\n")
    assert not work.sheet.passed and work.sheet.asked is not None and work.sheet.asked.kind == "kinds"


def test_a_file_says_the_same_with_and_without_looking(coral_sea: Path) -> None:
    work = desk(coral_sea, BEGIN)
    assert work.compose().document["orders"] == [*work.sheet.orders]
    assert work.compose().table.engine.state_hash() == work.table.engine.state_hash()


class Plainly:
    """A question with picks only, or with a verb before them."""

    def __init__(self, verb: str, named: bool) -> None:
        self._verb, self._named = verb, named

    def step(self, partial: Partial) -> Step:
        if self._named and not partial.verb:
            return Step((Pick(VERB, self._verb, verbatim(self._verb)),))
        if not partial.chosen:
            return Step((Pick("card", "7", verbatim("7")),))
        return Step(orders=({self._verb: partial.chosen[0].value},))

    def partial(self, order: Plain) -> Partial:
        return Partial(self._verb if self._named else "", (Chosen("card", "7"),))

    def line(self, order: Plain) -> Plain:
        return f"{self._verb} 7"


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_two_questions_at_once(named: bool, alone: bool) -> None:
    main = None if alone else Plainly("play", named)
    both = WithPassed(main, Plainly("cards", named), ("cards",))
    found = both.step(Partial())
    assert [p.value for p in found.picks][-1] == "cards"
    assert both.step(Partial("cards", (Chosen("card", "7"),))).orders == ({"cards": "7"},)
    assert both.partial({"cards": "7"}) == Partial("cards", (Chosen("card", "7"),)) and both.line({"cards": "7"}) == "cards 7"
    if main is not None:
        assert both.line({"play": "7"}) == "play 7"
        assert both.step(both.partial({"play": "7"})).orders == ({"play": "7"},)

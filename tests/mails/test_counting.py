"""The count of files, on the shortest scenario: what is asked without standing orders, and what the usual set answers."""

from __future__ import annotations

from tests.mails.counting import count, does_nothing
from tests.mails.stretches import STRETCHES, WAR, WAYS

(SAVO,) = (s for s in STRETCHES if s.scenario == "savo-island")


def test_the_usual_set_answers_what_costs_files_without_it() -> None:
    none, usual = (count(SAVO, 1, WAYS[way](WAR)) for way in ("none", "usual"))
    assert none.hand["line"] > 1 and none.hand.total() >= none.runs > 1 and none.auto["witness"] > 0 and not none.fired
    assert usual.hand["line"] == 1 and usual.fired["line 1"] > 0, "the first is asked before anything holds"
    assert usual.hand.total() < none.hand.total()


def test_what_does_nothing() -> None:
    assert does_nothing("done") and does_nothing({"stop": "no"}) and does_nothing({"seal": "done", "seat": "japan"})
    assert not does_nothing({"stop": "yes"}) and not does_nothing({"search": {"J1": "CA1"}})

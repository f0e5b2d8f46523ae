"""[PW-FOG-01] A player with a changed program against the honest one, everything sealed: what he gains, the audit names."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from tests.pacific_war.test_hidden_lies import caught


# -- statements that look true and are not -----------------------------------------------------------------------------


def as_number(claim: Any, truth: Any) -> Plain:
    """1 instead of true: equal in many a language, but the rules take it for no."""
    return 1 if truth is True else truth


def test_a_number_in_place_of_a_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    caught(monkeypatch, "lawful", as_number, 10)


def test_fewer_task_forces_than_were_activated(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_less(claim: Any, truth: Any) -> Plain:
        return {**truth, "fleets": truth["fleets"][1:]} if truth else truth

    caught(monkeypatch, "muster", one_less, 36)

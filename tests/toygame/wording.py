"""What reports want to know of Skirmish: its words, so that `pbem report` and `pbem replay` work in toy folders."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from pbem.games.plain_words import AsTheyStand
from pbem.kernel.wording import msg

AS_THEY_STAND = AsTheyStand()
WORDS = SimpleNamespace(
    CATALOGUE="skirmish",
    SEATS=AS_THEY_STAND,
    SIDES=AS_THEY_STAND,
    ASKED={},
    turn=lambda state: state.round,
    heading=lambda state: msg("Round {n}", n=state.round),
    overviews=lambda state: [],
    remarks=lambda state: [],
    board=lambda state: {},
    tell=lambda state, event: None,
    reason=lambda text: text,
)


def speak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skirmish has words from now on, and no map."""
    package = ModuleType("pbem.games.skirmish")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "pbem.games.skirmish", package)
    monkeypatch.setitem(sys.modules, "pbem.games.skirmish.wording", WORDS)  # type: ignore[arg-type]

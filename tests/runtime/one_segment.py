"""The smallest game that a test of the runtime needs: two seats, and the segments that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.module import GameModule
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Result
from pbem.kernel.events import Cursor
from tests.toygame.skirmish import SkirmishState


class OneSegment(GameModule[SkirmishState]):
    """It begins with the first of its segments, and ends when a test says so."""

    rules_version = 1
    editions = ("1st",)
    seats: Mapping[str, str] = {"red": "allies", "blue": "axis"}
    state_type = SkirmishState

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> SkirmishState:
        return SkirmishState(dict(options), stack=[Cursor(next(iter(self.segments)), [])])

    def attach(self, state: Any, scenario: Plain) -> None:
        return None

    def result(self, state: SkirmishState) -> Result | None:
        return None

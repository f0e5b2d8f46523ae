"""What is lost: one step of a unit, the whole unit, and the box that it goes to."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.events.units import Eliminated, StepLost
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.events import emit


def out_box(g: State, unit: str) -> str:
    """[11.1] Pre-war units and those without replacements never come back."""
    counter = g.counter(unit)
    return "removed" if counter.prewar or counter.nation == "dutch" else "eliminated"


def eliminate(g: State, unit: str, rule: str) -> None:
    """The whole unit."""
    emit(g, Eliminated(unit, out_box(g, unit), rule))


def lose_step(g: State, unit: str, rule: str) -> None:
    """One step; a unit with one step left is eliminated."""
    if g.weak(unit):
        eliminate(g, unit, rule)
    else:
        emit(g, StepLost(unit, rule))

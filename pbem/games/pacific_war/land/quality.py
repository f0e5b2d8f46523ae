"""[PW-LND-08] Troop quality: tests, demoralization."""

from __future__ import annotations

from pbem.games.pacific_war.dice import die, halved
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.units.changes import demoralize
from pbem.games.pacific_war.units.damage import hit_steps
from pbem.kernel.flow import Flow
from pbem.kernel.wording import Message, die_for


def quality(g: State, unit: str, half: bool = False) -> int:
    """[PW-UNT-01] Troop quality, halved once when demoralized or assaulting."""
    tq = g.counter(unit).tq
    return halved(tq) if half or g.units[unit].demoralized else tq


def passes(g: State, unit: str, why: Message, rule: str, half: bool = False) -> Flow[bool]:
    """A test: the die is at most the quality."""
    rolled = yield from die(g, die_for("troop quality of {unit}, {about}", unit=unit, about=why), rule, FOE[g.side(unit)])
    return bool(rolled <= quality(g, unit, half))


def shaken(g: State, unit: str, why: Message) -> Flow[None]:
    """[PW-LND-08] Result T: demoralized, or a step lost if it was already and has another."""
    if g.units[unit].demoralized and g.steps(unit) < 2:
        return
    good = yield from passes(g, unit, why, "PW-LND-08")
    if good:
        return
    if g.units[unit].demoralized:
        hit_steps(g, unit, 1, "PW-LND-08")
    else:
        demoralize(g, unit, "PW-LND-08")

"""Who defends a zone, and what a battle there comes to."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.bot.exact import Verdict, verdict
from pbem.games.axis_and_allies_pacific.scramble import bases, planes_on
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, State, Unit, enemies_of, enemy_units


def defending(g: State, power: str, zone: str) -> list[Unit]:
    """Ships of the enemy in a zone, and the aircraft on their decks."""
    return [u for u in enemy_units(g, power, zone) if u.type in SEA or u.type in AIR]


def rising(g: State, power: str, zone: str) -> list[Unit]:
    """Aircraft of enemies that may go up from their islands to defend a zone: a landing without an escort ends there."""
    islands = {t for t in g.board.neighbours[zone] if t in g.board.territories}
    return [u for e in enemies_of(g, power) for t in bases(g, e) if t in islands for u in planes_on(g, e, t)]


def met(g: State, force: Sequence[Unit], fighting: Sequence[Unit], above: Sequence[Unit]) -> Verdict:
    """The battle with those who defend a zone, and with what goes up `above` them where that is worse."""
    alone = verdict(g, force, fighting) if fighting else Verdict(1000, 0, 0, 0)
    return min(alone, verdict(g, force, [*fighting, *above]), key=lambda v: (v.swing, v.won)) if above else alone

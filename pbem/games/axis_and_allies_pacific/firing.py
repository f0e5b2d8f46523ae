"""[GC-02] [GC-10] [GC-11] Dice of one side: values with support, grouped so that a reader can follow every die."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.axis_and_allies_pacific.casualties import Hits, spares
from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled
from pbem.games.axis_and_allies_pacific.rolls import Label
from pbem.games.axis_and_allies_pacific.state import AIR, POWERS, State, Unit
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow, Roll

Value = Callable[[Unit], int]


def attack_values(g: State, units: Sequence[Unit]) -> dict[int, int]:
    """[T-VALUES] Attack values: artillery lifts infantry, fighters and tanks lift tactical bombers, one for one."""
    values = {u.id: g.board.types[u.type].attack for u in units}
    guns = sum(u.type == "artillery" for u in units)
    helped = [u for u in units if u.type in ("infantry", "mechanized-infantry")][:guns]
    partners = sum(u.type in ("fighter", "tank") for u in units)
    helped += [u for u in units if u.type == "tactical-bomber"][:partners]
    for unit in helped:
        values[unit.id] += 1
    return values


def defense_values(g: State, units: Sequence[Unit]) -> dict[int, int]:
    """[T-VALUES] Defence values."""
    return {u.id: g.board.types[u.type].defense for u in units}


def fire(
    g: State, where: Label, power: str, units: Sequence[Unit], values: dict[int, int], against: str | None, rule: str
) -> Flow[Hits]:
    """Roll for every unit, highest value first; ships, aircraft and submarines apart, because they hit different things."""
    counted = {"ships": 0, "air": 0, "submarines": 0}
    for value in sorted({values[u.id] for u in units}, reverse=True):
        for kind in counted:
            shooters = [u for u in units if values[u.id] == value and _kind(u) == kind]
            if shooters and value > 0:
                counted[kind] += yield from roll(g, where, power, shooters, value, against, rule)
    destroyer = any(u.type == "destroyer" for u in units)
    return Hits(counted["ships"], counted["air"], counted["submarines"], destroyer, spares(g))


def _kind(unit: Unit) -> str:
    return "air" if unit.type in AIR else "submarines" if unit.type == "submarine" else "ships"


def roll(g: State, where: Label, power: str, shooters: Sequence[Unit], value: int, against: str | None, rule: str) -> Flow[int]:
    """One roll: dice that all hit on the same value."""
    label = where(power, shooters, value)
    dice = yield Roll(label, len(shooters), 6, rule, against if against in POWERS else None)
    hits: int = sum(d <= value for d in dice)
    emit(g, DiceRolled(label, dice, hits, rule))
    return hits

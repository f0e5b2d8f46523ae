"""[AMP] Bombardment before a landing, and going ashore."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.casualties import Hits, choose, chooser_of, mark_fought
from pbem.games.axis_and_allies_pacific.events.combat import RoleTaken, TargetDropped
from pbem.games.axis_and_allies_pacific.events.moves import Landed
from pbem.games.axis_and_allies_pacific.firing import roll
from pbem.games.axis_and_allies_pacific.orders import read_groups, split_order
from pbem.games.axis_and_allies_pacific.rolls import bombardment
from pbem.games.axis_and_allies_pacific.state import State, Unit, enemy_units, zone_is_hostile
from pbem.games.axis_and_allies_pacific.terms import OWNERS, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Facts, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.wording import msg


def landing_force(g: State, power: str, territory: str) -> list[Unit]:
    """[AMP-06] Cargo bound for a territory whose zone has been cleared of warships and scrambled aircraft."""
    bound = [u for u in g.of(power) if u.target == territory]
    return [u for u in bound if _is_clear(g, power, u.at)]


def _is_clear(g: State, power: str, zone: str) -> bool:
    return not zone_is_hostile(g, power, zone) and not any(u.role == "scramble" for u in enemy_units(g, power, zone))


def go_ashore(g: State, power: str, territory: str) -> None:
    """[AMP-06] The landing force leaves its transports; what cannot land stays aboard [AMP-08]."""
    force = landing_force(g, power, territory)
    for unit in force:
        emit(g, Landed(unit.id, unit.aboard or 0, territory, "landed", "combat", "AMP-06"))
    for unit in [u for u in g.of(power) if u.target == territory]:
        emit(g, TargetDropped(unit.id))


def bombard(g: State, power: str, territory: str, defenders: Sequence[Unit], against: str, facts: Facts) -> Flow[list[Unit]]:
    """[AMP-03..05] Battleships and cruisers, no more than land units that land; hits still fire in the first round."""
    ships = guns(g, power, territory)
    number = min(len(ships), len(landing_force(g, power, territory)))
    if not number or not defenders:
        return []
    chosen = yield _ask(g, power, territory, ships, number)
    hits = 0
    for kind in ("battleship", "cruiser"):
        firing = [s for s in chosen if s.type == kind]
        if firing:
            value = g.board.types[kind].bombard
            hits += yield from roll(g, bombardment(g, territory), power, firing, value, against, "AMP-05")
    for ship in chosen:
        emit(g, RoleTaken(ship.id, "bombarded", "AMP-04"))
    mark_fought(g, chosen)
    chooser = chooser_of(g, defenders, power)
    return (yield from choose(g, chooser, defenders, Hits(by_ships=hits), f"battle:{territory}", facts, power))


def guns(g: State, power: str, territory: str) -> list[Unit]:
    """[AMP-03] [AMB-KAM-BOMBARD] Ships in the landing's zones where no combat took place, which have not bombarded yet."""
    zones = sorted({u.at for u in landing_force(g, power, territory)})
    quiet = [z for z in zones if z not in g.sea_battles and not _kamikazes_fell(g, z)]
    return [u for z in quiet for u in g.at(z) if u.owner == power and g.board.types[u.type].bombard and u.role != "bombarded"]


def _kamikazes_fell(g: State, zone: str) -> bool:
    return zone in g.kamikaze_zones and g.options["kamikaze-blocks-bombardment"] == "yes"


def _ask(g: State, power: str, territory: str, ships: list[Unit], number: int) -> Ask:
    best = sorted(ships, key=lambda u: (-g.board.types[u.type].bombard, u.id))[:number]
    everything: Plain = {"bombard": _count(best)}
    return Ask(
        power,
        "bombard",
        "AMP-04",
        msg("{power}: bombard {place}? Ships: up to {n}", power=OWNERS[power], place=place(g, territory), n=number),
        lambda plain: _read(ships, number, plain),
        ("bombard",),
        f"battle:{territory}",
        {"ships": number},
        default=everything,
        options=lambda: [everything, {"bombard": "none"}],
        policy=lambda p: everything if p == "all" else {"bombard": p},
    )


def _count(ships: Sequence[Unit]) -> dict[str, Plain]:
    return {k: n for k in ("battleship", "cruiser") if (n := sum(s.type == k for s in ships))}


def _read(ships: Sequence[Unit], number: int, plain: Plain) -> list[Unit]:
    _, body = split_order(plain, ("bombard",))
    if body == "none":
        return []
    if body is None:
        raise unreadable(msg("which ships bombard?"), msg("for example {example}, or none", example="`bombard: 1 battleship`"))
    chosen: list[Unit] = []
    for group in read_groups(body):
        able = [s for s in ships if s.type == group.type and s not in chosen]
        if len(able) < group.count:
            raise illegal(
                msg("able to bombard: {have}, not {want}", have=some(group.type, len(able)), want=group.count), "AMP-03"
            )
        chosen += able[: group.count]
    if len(chosen) > number:
        raise illegal(
            msg("ships named: {n}", n=len(chosen)), "AMP-04", msg("at most {n}: one for each land unit that lands", n=number)
        )
    return chosen

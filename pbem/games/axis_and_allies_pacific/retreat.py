"""[GC-20] [GC-21] [AMP-09] Retreats of the attacker."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.conduct_combat import is_sea_battle
from pbem.games.axis_and_allies_pacific.events.combat import Relocated, RoleTaken, TargetDropped
from pbem.games.axis_and_allies_pacific.events.moves import Boarded
from pbem.games.axis_and_allies_pacific.orders import read_space, split_order
from pbem.games.axis_and_allies_pacific.state import AIR, LAND, SEA, State, Unit, is_friendly
from pbem.games.axis_and_allies_pacific.terms import OWNERS, one_of, place, places
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Facts
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def origins(g: State, space: str, units: Sequence[Unit]) -> list[str]:
    """[GC-20] The spaces beside a battle from which a land unit or ship of these attacked, whatever becomes of it."""
    kinds = LAND if g.board.is_land(space) else SEA
    movers = [u for u in units if u.type in kinds and u.role != "landed"]
    return sorted({u.came_from for u in movers if u.came_from in g.board.neighbours[space]})


def retreat_spaces(g: State, power: str, space: str, units: Sequence[Unit], came: Sequence[str]) -> list[str]:
    """Where these may go: friendly spaces from which an attacker came, lost or not. The battle's own: aircraft break off."""
    kinds = LAND if g.board.is_land(space) else SEA
    if any(u.type in kinds and u.role != "landed" for u in units):
        return [s for s in came if _is_open(g, power, s)]
    return [space] if any(u.type in AIR for u in units) else []


def _is_open(g: State, power: str, space: str) -> bool:
    if space in g.board.zones:
        return space not in g.start.hostile_zones
    return is_friendly(g, power, space)


def ask_retreat(g: State, power: str, space: str, spaces: list[str], facts: Facts) -> Ask:
    """The attacker's question after each round."""
    return Ask(
        power,
        "retreat",
        "GC-20",
        msg(
            "{power}: press on in {place}, or retreat to {places}?",
            power=OWNERS[power],
            place=place(g, space),
            places=places(g, spaces),
        ),
        lambda plain: _read(g, spaces, plain),
        ("press", "retreat"),
        f"battle:{space}",
        facts,
        options=lambda: [*_choices(spaces)],
        policy=lambda wanted: _policy(g, spaces, wanted),
    )


def ask_escape(g: State, power: str, space: str, spaces: list[str], facts: Facts) -> Ask:
    """[GC-17] Transports alone before enemies that can fight: they leave, the attacker says where to."""
    return Ask(
        power,
        "escape",
        "GC-17",
        msg(
            "{power}: the transports in {place} retreat to {places}",
            power=OWNERS[power],
            place=place(g, space),
            places=places(g, spaces),
        ),
        lambda plain: _read(g, spaces, plain, ("retreat",)),
        ("retreat",),
        f"battle:{space}",
        facts,
        forced={"retreat": spaces[0]} if len(spaces) == 1 else None,
        options=lambda: [{"retreat": s} for s in spaces],
        policy=lambda wanted: _policy(g, spaces, wanted),
    )


def _choices(spaces: list[str]) -> list[Plain]:
    found: list[Plain] = ["press"]
    return found + [{"retreat": s} for s in spaces]


def _read(g: State, spaces: list[str], plain: Plain, verbs: tuple[str, ...] = ("press", "retreat")) -> str | None:
    verb, body = split_order(plain, verbs)
    if verb == "press":
        return None
    to = read_space(g.board, body)
    if to not in spaces:
        raise illegal(msg("no retreat to {place}", place=place(g, to)), "GC-20", one_of(places(g, spaces)))
    return to


def _policy(g: State, spaces: list[str], wanted: Plain) -> Plain:
    """`press`; `retreat` to the first space there is; {retreat: [spaces in order]}."""
    if wanted == "press":
        return wanted
    if wanted == "retreat":
        return {"retreat": spaces[0]}
    body = wanted.get("retreat") if isinstance(wanted, dict) else None
    listed = [read_space(g.board, s) for s in (body if isinstance(body, list) else [body])]
    found = next((s for s in listed if s in spaces), None)
    return {"retreat": found} if found else None


def withdraw(g: State, units: Sequence[Unit], space: str, to: str) -> None:
    """[GC-20] Land or sea units go together; aircraft break off and finish in Noncombat Move [GC-21]; landed units stay.

    Ships that come to where there is another battle do not join it: nobody is brought to one that has begun.
    """
    for plane in [u for u in units if u.type in AIR]:
        if plane.aboard is not None and to != space:
            emit(g, Boarded(plane.id, None, "", "GC-21"))  # it is in the air and does not sail away with its carrier
        emit(g, RoleTaken(plane.id, "retreated", "GC-21"))
    for unit in [u for u in units if u.type not in AIR]:
        if unit.role != "landed" and to != space:
            emit(g, Relocated(unit.id, to, unit.aboard, "GC-20"))
            if unit.type in SEA and is_sea_battle(g, unit.owner, to):
                emit(g, RoleTaken(unit.id, "retreated", "GC-20"))
            for cargo in g.cargo(unit):
                if cargo.target:
                    emit(g, TargetDropped(cargo.id, "TRN-03"))

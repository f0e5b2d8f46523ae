"""[PW-AIR-07] to [PW-AIR-10] What meets a mission in a hex: searches, interceptions, aborts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.dice import fire, halved
from pbem.games.pacific_war.engagements import CrewsRescued, FlewHex, GaveUp, MissionDetected, MissionHit
from pbem.games.pacific_war.records import Mission
from pbem.games.pacific_war.sea.searching import search_mission
from pbem.games.pacific_war.secret.meeting import AIR, offer_part
from pbem.games.pacific_war.state import ALLIES, FOE, State
from pbem.games.pacific_war.units.damage import hit_steps
from pbem.games.pacific_war.units.mustangs import is_mustang
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import msg

STRAFE = "strafe"  # the target that stands for unalerted aircraft


def mission_of(g: State) -> Mission:
    """The mission that is being flown."""
    assert g.mission is not None
    return g.mission


def fighting_units(g: State) -> list[str]:
    """Units of the mission that are still in the air."""
    m = mission_of(g)
    return [u for f in m.flights for u in f.units if g.units[u].box == "map" and u not in m.landed]


def over(g: State, units: Sequence[str], place: int, target: bool) -> Flow[None]:
    """One hex of a mission's way: the enemy searches, and may intercept before the target."""
    m = mission_of(g)
    foe = FOE[m.side]
    emit(g, FlewHex(tuple(units)))
    if not m.detected:
        seen = yield from search_mission(g, foe, place)
        if seen:
            emit(g, MissionDetected())
    if m.detected and not target:
        yield from intercept(g, units, place)


def fighters_at(g: State, side: str, place: int) -> list[str]:
    """[PW-AIR-08] 1E units of a side in a hex that may be alerted and fight."""
    return [u for u in alertable(g, side, place) if rises(g, u)]


def rises(g: State, unit: str) -> bool:
    """[PW-AIR-08] [PW-AIR-22] An alerted unit may fight as CAP: a 1E with a strength in the air that is no Kamikaze."""
    c = g.counter(unit)
    return c.type == "1E" and not c.kamikaze and combat_aa(g, unit) != X


def alertable(g: State, side: str, place: int) -> list[str]:
    """[PW-AIR-08] Units in a hex on bases that can launch, and not in the air already."""
    found = []
    for u in g.here(side, place, "air"):
        ship = g.units[u].aboard
        if g.airborne(u) or side in g.script.get("grounded", {}).get(str(g.cycle), ()):
            continue
        if g.night and not (side == ALLIES and g.counter(u).type == "1E" and g.counter(u).level == 2 and _american(g, u)):
            continue
        if ship and g.is_carrier(ship) and (g.crippled(ship) or g.launch(ship) < g.steps(u)):
            continue
        base = g.airfields.get(place)
        if not ship and (base is None or base.side != side or base.interdicted):
            continue
        found.append(u)
    return found


def _american(g: State, unit: str) -> bool:
    return g.counter(unit).nation == "us"


def combat_aa(g: State, unit: str) -> int:
    """[PW-UNT-02] Strength in air combat: both sides of the counter if printed there; halved for Allies at night."""
    c = g.counter(unit)
    if not g.units[unit].active and not c.aa_back and not is_mustang(g, unit):
        return X
    strength = g.strength(unit, c.aa)
    return halved(strength) if g.night and c.side == ALLIES else strength


def bonus(g: State, others: Sequence[str]) -> int:
    """[PW-AIR-08] One for 3 steps of level 2, 6 of level 1 or 12 of level 0 of the other fighters, which `others` are."""
    worth = sum(g.steps(u) * (1, 2, 4)[g.counter(u).level] for u in others)
    return worth // 12


def with_bonus(strength: int, more: int) -> int:
    """A strength that others add to."""
    return strength if strength == X or not more else max(strength, 0) + more


def intercept(g: State, units: Sequence[str], place: int) -> Flow[None]:
    """[PW-AIR-09] Fighters on the way attack once; the mission does not fire back."""
    m = mission_of(g)
    foe = FOE[m.side]
    if not g.night:
        yield from offer_part(
            g, foe, place, AIR, "PW-AIR-09", msg("show aircraft in {place}, to intercept", place=g.board.name(place))
        )
    able = fighters_at(g, foe, place)
    if not able or g.night:
        return
    prompt = msg("which unit intercepts the mission over {place}", place=g.board.name(place))
    unit = yield from choose_unit(g.board.unit_index, foe, "intercept", "PW-AIR-09", prompt, able, none=True, reaction=True)
    if not unit:
        return
    room = g.airfields[place].size if place in g.airfields and not g.units[unit].aboard else 99
    others, steps = [], g.steps(unit)
    for other in able:
        if other != unit and steps + g.steps(other) <= room:
            others.append(other)
            steps += g.steps(other)
    strength = with_bonus(combat_aa(g, unit), bonus(g, others))
    line = "cap-coordinated" if m.coordinated else "cap-uncoordinated"
    shot = yield from fire(g, line, strength, msg("{unit} intercepts", unit=unit), "PW-AIR-09", m.side)
    yield from mission_hits(g, foe, units, shot.hits, "PW-AIR-09")


def mission_hits(g: State, roller: str, units: Sequence[str], hits: int, rule: str, first: str = "") -> Flow[None]:
    """[PW-DMG-03] Hits on a mission, put where the roller likes; two on a unit make it abort [PW-AIR-10]."""
    m = mission_of(g)
    room = {u: g.steps(u) for u in units if g.units[u].box == "map" and u not in m.landed}
    losses = yield from distribute(g, roller, "hits", rule, msg("hits on the mission"), room, hits, first=first, reaction=True)
    if rule != "PW-AIR-09":  # over the target, not on the way
        rescue(g, losses)
    for unit, n in losses.items():
        hit_steps(g, unit, n, rule)
    if not losses:
        return
    emit(g, MissionHit(losses))
    drop_cargo(g, losses)
    never = m.type in ("transfer", "patrol")
    out = [u for u, n in m.hits.items() if n >= 2 and not never and not g.counter(u).kamikaze and g.units[u].box == "map"]
    if sorted(out) != sorted(m.aborted):
        emit(g, GaveUp(tuple(out), tuple(u for u in out if u not in m.aborted)))


def rescue(g: State, losses: Mapping[str, int]) -> None:
    """[PW-AIR-21] An Allied submarine in the hex saves the crews of one step: it comes back as a replacement."""
    m = mission_of(g)
    unit = next((u for u, n in losses.items() if n and g.counter(u).type != "LRA"), "")
    if m.side != ALLIES or m.rescued or not unit or not g.here(ALLIES, m.target, "submarine"):
        return
    emit(g, CrewsRescued(f"air {g.counter(unit).level}"))


def drop_cargo(g: State, losses: Mapping[str, int]) -> None:
    """[PW-AIR-20] Each air step lost takes a step of the troops it carries."""
    m = mission_of(g)
    for air, lost in losses.items():
        aboard = [t for t, a in m.cargo.items() if a == air and g.units[t].box == "map" and not g.units[t].dropped]
        for troop in aboard:
            lost -= hit_steps(g, troop, lost, "PW-AIR-20")

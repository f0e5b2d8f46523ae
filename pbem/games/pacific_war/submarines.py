"""[PW-SUB] Submarine attacks on task forces and the hunt for the submarine."""

from __future__ import annotations

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.choices import pick
from pbem.games.pacific_war.damage import hit_ship, hit_steps
from pbem.games.pacific_war.dice import die, fire
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.veil import unveil_hex
from pbem.kernel.flow import Flow
from pbem.kernel.questions import yes_or_no


def submarine_combat(g: State, side: str, place: int) -> Flow[None]:
    """[PW-SUB-01] The submarines of a side attack an enemy task force in their hex."""
    if g.here(side, place, "submarine"):
        yield from unveil_hex(g, FOE[side], place, "PW-SUB-01")
    boats = [u for u in g.here(side, place, "submarine") if g.units[u].active]
    prey = [s for s in g.ships(FOE[side], place) if g.units[s].tf]
    if not boats or not prey:
        return
    willing = yield from yes_or_no(
        side, "submarines", "PW-SUB-01", f"attack in {g.board.name(place)}", default="yes", reaction=True
    )
    if not willing:
        return
    rolled = yield from die(g, f"submarine attacks in {place:04d}", "PW-SUB-02", FOE[side])
    if rolled == 0 or rolled > sum(g.steps(u) for u in boats):
        return
    boat = yield from pick(g, side, "submarine", "PW-SUB-02", "which submarine attacks", boats, default=_best(g, boats))
    for number in range(min(rolled, len(prey))):
        prey = [s for s in prey if g.units[s].box == "map"]
        if not prey:
            break
        target = yield from pick(
            g, side, "torpedo", "PW-SUB-03", f"target of attack {number + 1}", prey, default=_richest(g, prey), reaction=True
        )
        strength = g.strength(boat, g.counter(boat).torpedo[0])
        shot = yield from fire(g, "torpedo", strength, f"{boat} at {target}", "PW-SUB-03", FOE[side])
        yield from hit_ship(g, target, shot.hits, "PW-SUB-03")
    yield from _hunt(g, side, place, boat)


def _best(g: State, boats: list[str]) -> str:
    return max(boats, key=lambda u: g.steps(u))


def _richest(g: State, prey: list[str]) -> str:
    return max(prey, key=lambda s: (g.is_carrier(s), g.counter(s).capital, g.counter(s).type == "AA", -g.steps(s)))


def _hunt(g: State, side: str, place: int, boat: str) -> Flow[None]:
    """[PW-SUB-04] All surviving ships of the hex together; at most one hit."""
    hunters = [g.strength(s, g.counter(s).asw) for s in g.ships(FOE[side], place)]
    able = [n for n in hunters if n != X]
    if not able:
        return
    total = sum(n for n in able if n > 0) if max(able) > 0 else max(able)
    shot = yield from fire(g, "asw", total, f"hunt for {boat}", "PW-SUB-04", side)
    hit_steps(g, boat, min(1, shot.hits), "PW-SUB-04")

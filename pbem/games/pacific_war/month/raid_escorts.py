"""[PW-OPT-10] By option the escort fighters P-51 of April 1945: they go with the raids on Japan."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.dice import fire
from pbem.games.pacific_war.secret.forces import unveil_force
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.damage import grounded, hit_steps
from pbem.games.pacific_war.units.mustangs import is_mustang
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import msg


def escort_raid(g: State, targets: Sequence[int]) -> Flow[None]:
    """It engages Japanese 1E in one attacked hex; where there are none it strafes an airfield in range."""
    for unit in [u for u in g.on_map(ALLIES, "air") if is_mustang(g, u)]:
        at, reach = g.units[unit].at, g.counter(unit).range
        base = g.airfield(ALLIES, at)
        if base is None or base.interdicted:
            continue
        for place in [h for h in targets if distance(at, h) <= reach]:
            yield from unveil_force(g, JAPAN, place, "PW-OPT-10", kind="air")
        met = [h for h in targets if distance(at, h) <= reach and _fighters(g, h)]
        fields = [] if met else [h for h in g.airfields if distance(at, h) <= reach and _on_the_ground(g, h)]
        prompt = (
            msg("over which hex {unit} engages the fighters", unit=unit)
            if met
            else msg("which airfield {unit} strafes", unit=unit)
        )
        place = yield from choose_place(
            g.board.place_index, ALLIES, "mustangs", "PW-OPT-10", prompt, sorted(met or fields), none=True
        )
        if not place:
            continue
        yield from unveil_force(g, JAPAN, place, "PW-OPT-10", kind="air")
        line = "coordinated-cap" if met else "strafing"
        strength = g.strength(unit, g.counter(unit).aa)
        label = msg("{unit} over {place}", unit=unit, place=hex_term(g, place))
        shot = yield from fire(g, line, strength, label, "PW-OPT-10", JAPAN)
        room = {u: g.steps(u) for u in (_fighters(g, place) if met else grounded(g, JAPAN, place, []))}
        losses = yield from distribute(g, ALLIES, "hits", "PW-OPT-10", msg("aircraft that are lost"), room, shot.hits)
        for loser, n in losses.items():
            hit_steps(g, loser, n, "PW-OPT-10")


def _on_the_ground(g: State, place: int) -> bool:
    """Aircraft on an airfield, or a Force that may stand for some."""
    return bool(grounded(g, JAPAN, place, [])) or place in g.forces.get(JAPAN, ())


def _fighters(g: State, place: int) -> list[str]:
    return [u for u in g.here(JAPAN, place, "air") if g.counter(u).type == "1E" and not g.units[u].aboard]

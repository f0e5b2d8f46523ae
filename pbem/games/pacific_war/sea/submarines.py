"""[PW-SUB] Submarine attacks on task forces and the hunt for the submarine."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.dice import die, fire
from pbem.games.pacific_war.sea.gunnery import laden
from pbem.games.pacific_war.secret.fleets import unveil_fleets
from pbem.games.pacific_war.secret.meeting import NAVAL, has_force, offer_part
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.damage import hit_ship, hit_steps
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit, yes_or_no
from pbem.kernel.wording import die_for, msg

SWEEPS_FROM = 31  # [PW-OPT-15] January 1943


def submarine_combat(g: State, side: str, place: int) -> Flow[None]:
    """[PW-SUB-01] The submarines of a side attack an enemy task force in their hex; if they let it pass it may hunt them."""
    if g.here(side, place, "submarine"):
        yield from unveil_fleets(g, FOE[side], place, "PW-SUB-01")
    boats = fighting_boats(g, side, place)
    if not boats or not _prey(g, side, place):
        return
    attacked = yield from _offer_attack(g, side, place, boats)
    if attacked or not may_sweep(g, side, place):
        return
    found = yield from _sweep(g, side, place)
    boats = [u for u in found if g.units[u].box == "map"]
    if boats and _prey(g, side, place):
        yield from _offer_attack(g, side, place, boats)


def fighting_boats(g: State, side: str, place: int) -> list[str]:
    """Activated submarines with torpedoes; the tanker KRS has none [PW-OPT-01]."""
    return [u for u in g.here(side, place, "submarine") if g.units[u].active and g.counter(u).type != "KRS"]


def _prey(g: State, side: str, place: int) -> list[str]:
    return [s for s in g.ships(FOE[side], place) if g.units[s].tf]


def _offer_attack(g: State, side: str, place: int, boats: list[str]) -> Flow[bool]:
    """[PW-SUB-02] [PW-SUB-03] [PW-SUB-04] Attack, or let them pass: False."""
    willing = yield from yes_or_no(
        side,
        "submarines",
        "PW-SUB-01",
        msg("attack with submarines in {place}", place=g.board.name(place)),
        default="yes",
        reaction=True,
    )
    if not willing:
        return False
    rolled = yield from die(g, msg("submarine attacks in {place}", place=hex_term(g, place)), "PW-SUB-02", FOE[side])
    if rolled == 0 or rolled > sum(g.steps(u) for u in boats):
        return True
    boat = yield from choose_unit(
        g.board.unit_index, side, "submarine", "PW-SUB-02", msg("which submarine attacks"), boats, default=_best(g, boats)
    )
    prey = _prey(g, side, place)
    for number in range(min(rolled, len(prey))):
        prey = [s for s in prey if g.units[s].box == "map"]
        if not prey:
            break
        target = yield from choose_unit(
            g.board.unit_index,
            side,
            "torpedo",
            "PW-SUB-03",
            msg("target of attack {n}", n=number + 1),
            prey,
            default=_richest(g, prey),
            reaction=True,
        )
        strength = g.counter(boat).torpedo[0]  # whatever its steps: hits lower the strengths of naval units only
        label = die_for("{unit} at {target}", unit=boat, target=target)
        shot = yield from fire(g, "torpedo", strength, label, "PW-SUB-03", FOE[side])
        yield from hit_ship(g, target, shot.hits, "PW-SUB-03")
    yield from _hunt(g, side, place, boat)
    return True


# -- sweeps ------------------------------------------------------------------------------------------------------------


def may_sweep(g: State, side: str, place: int) -> bool:
    """[PW-OPT-15] By option, from January 1943, US destroyers where Japan has nothing but submarines."""
    if g.options.get("asw-sweep") != "yes" or side != JAPAN or g.month > SWEEPS_FROM:
        return False
    alone = all(g.counter(u).kind == "submarine" for u in g.here(side, place)) and not g.marker_at(side, place)
    alone = alone and not has_force(g, side, place)
    return alone and bool(_sweepers(g, place))


def _sweepers(g: State, place: int) -> list[str]:
    fit = [s for s in g.ships(ALLIES, place) if g.counter(s).type in ("DD", "DE") and g.counter(s).nation == "us"]
    return [s for s in fit if g.units[s].tf and g.strength(s, g.counter(s).asw) != X]


def _sweep(g: State, side: str, place: int) -> Flow[list[str]]:
    """[PW-OPT-15] A die up to the number of submarines (steps) finds so many; each is attacked. The units that were found."""
    hunters = FOE[side]
    yes = yield from yes_or_no(
        hunters, "sweep", "PW-OPT-15", msg("sweep {place} for submarines", place=g.board.name(place)), reaction=True
    )
    if not yes:
        return []
    boats = [u for u in g.here(side, place, "submarine") if g.units[u].active]
    rolled = yield from die(g, die_for("sweep in {place}", place=hex_term(g, place)), "PW-OPT-15", side)
    if rolled == 0 or rolled > sum(g.steps(u) for u in boats):
        return []
    each = [u for u in boats for _ in range(g.steps(u))][:rolled]
    strength = together([_asw(g, s) for s in _sweepers(g, place)])
    for boat in each:
        shot = yield from fire(g, "asw", strength, msg("sweep against {unit}", unit=boat), "PW-OPT-15", side)
        hit_steps(g, boat, min(1, shot.hits), "PW-OPT-15")
    return [u for u in dict.fromkeys(each) if g.counter(u).type != "KRS"]


def _asw(g: State, ship: str) -> int:
    """[PW-DMG-02] [PW-AMP-04] Strength against submarines, halved with troops aboard a DD or APD."""
    return laden(g, ship, g.strength(ship, g.counter(ship).asw))


def _best(g: State, boats: list[str]) -> str:
    return max(boats, key=lambda u: g.steps(u))


def _richest(g: State, prey: list[str]) -> str:
    return max(prey, key=lambda s: (g.is_carrier(s), g.counter(s).capital, g.counter(s).type == "AA", -g.steps(s)))


def _hunt(g: State, side: str, place: int, boat: str) -> Flow[None]:
    """[PW-SUB-04] All surviving ships of the hex together; at most one hit."""
    yield from offer_part(
        g, FOE[side], place, NAVAL, "PW-SUB-04", msg("show ships at rest in {place}, to hunt", place=g.board.name(place))
    )
    hunters = [_asw(g, s) for s in g.ships(FOE[side], place)]
    shot = yield from fire(g, "asw", together(hunters), msg("hunt for {unit}", unit=boat), "PW-SUB-04", side)
    hit_steps(g, boat, min(1, shot.hits), "PW-SUB-04")


def together(strengths: Sequence[int]) -> int:
    """Ships that hunt together: the sum of the strengths above zero, else the best; X without any."""
    able = [n for n in strengths if n != X]
    if not able:
        return X
    return sum(n for n in able if n > 0) if max(able) > 0 else max(able)

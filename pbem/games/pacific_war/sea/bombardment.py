"""[PW-BOM-01] Bombardment of troops and installations by task forces."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.clock import PhaseBegan
from pbem.games.pacific_war.dice import fire
from pbem.games.pacific_war.engagements import QualityTested
from pbem.games.pacific_war.forms import bombardments
from pbem.games.pacific_war.land.occupation import contested, fall
from pbem.games.pacific_war.land.quality import shaken
from pbem.games.pacific_war.nouns import target_named
from pbem.games.pacific_war.orders import PASS, misread, read_unit
from pbem.games.pacific_war.sea.gunnery import laden
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.secret.forces import unveil_force
from pbem.games.pacific_war.secret.meeting import AIR, GROUND, has_force
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import target_terms
from pbem.games.pacific_war.units.damage import INSTALLATIONS, hit_base, hit_steps
from pbem.games.pacific_war.units.works import abandon_works
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.wording import msg, verbatim

FORCE = "force"  # the target that stands for hidden troops


def bombardment(g: State) -> Flow[None]:
    """[PW-BOM-01] The advantaged player first, hex by hex."""
    emit(g, PhaseBegan("bombardment", "PW-BOM-01"))
    for side in (g.advantage, FOE[g.advantage]):
        yield from offer_show(g, side, "PW-BOM-01")
        for place in sorted({m.at for m in g.markers.values() if m.side == side}):
            yield from _bombard_hex(g, side, place)


def guns_at(g: State, side: str, place: int) -> list[str]:
    """Activated ships of task forces that may bombard."""
    if g.in_penalty(side) or not g.board.coast(place) or g.afloat(FOE[side], place):
        return []
    ships = [s for s in g.ships(side, place) if g.units[s].tf and g.units[s].active]
    return [s for s in ships if power(g, s) != X]


def power(g: State, ship: str) -> int:
    """Bombardment strength, halved with troops aboard a DD or APD."""
    return laden(g, ship, g.strength(ship, g.counter(ship).bombard))


def land_targets(g: State, side: str, place: int) -> list[str]:
    """Ground units and installations of the enemy in a hex."""
    foe = FOE[side]
    found = list(g.ashore(foe, place))
    found += [k for k in INSTALLATIONS if (hit := g.target(k, place)) is not None and hit.side == foe]
    return found


def _bombard_hex(g: State, side: str, place: int) -> Flow[None]:
    ships, targets = guns_at(g, side, place), land_targets(g, side, place)
    if has_force(g, FOE[side], place):
        targets = [*targets, FORCE]
    if not ships or not targets:
        return
    aims: dict[str, str] = yield Ask(
        side,
        "bombard",
        "PW-BOM-01",
        msg("bombard {place}", place=g.board.name(place)),
        lambda plain: read_bombardment(g, side, ships, targets, plain),
        ("bombard", PASS),
        options=lambda: _options(ships, targets),
        policy=lambda wanted: (
            {"bombard": dict.fromkeys(ships, wanted)} if wanted in targets else wanted if wanted == PASS else None
        ),
        form=lambda: bombardments(
            g, side, ("bombard", PASS), ships, targets, lambda plain: read_bombardment(g, side, ships, targets, plain)
        ),
    )
    aims = yield from _aims_at_force(g, side, place, aims)
    before = contested(g)
    for ship, target in aims.items():
        yield from _fire(g, side, place, ship, target)
    yield from fall(g, before)
    abandon_works(g)


def _aims_at_force(g: State, side: str, place: int, aims: dict[str, str]) -> Flow[dict[str, str]]:
    """[PW-BOM-01] The ships are committed; then the owner of the Force shows his troops, and the ships pick among them."""
    ships = [s for s, target in aims.items() if target == FORCE]
    if not ships:
        return aims
    before = g.ashore(FOE[side], place)
    yield from unveil_force(g, FOE[side], place, "PW-BOM-01", kind=GROUND)
    found = [u for u in g.ashore(FOE[side], place) if u not in before]
    others = {s: target for s, target in aims.items() if s not in ships}
    if not found:
        return others
    named: dict[str, str] = yield Ask(
        side,
        "bombard",
        "PW-BOM-01",
        msg("which troops are bombarded in {place}", place=g.board.name(place)),
        lambda plain: _all_fire(ships, read_bombardment(g, side, ships, found, plain)),
        ("bombard",),
        options=lambda: _options(ships, found)[1:],
        form=lambda: bombardments(
            g, side, ("bombard",), ships, found, lambda plain: _all_fire(ships, read_bombardment(g, side, ships, found, plain))
        ),
    )
    return {**others, **named}


def _all_fire(ships: Sequence[str], aims: dict[str, str]) -> dict[str, str]:
    silent = [s for s in ships if s not in aims]
    if silent:
        raise illegal(
            msg("{ship} fires too", ship=silent[0]), "PW-BOM-01", msg("a target for each ship that bombards the Force")
        )
    return aims


def read_bombardment(g: State, side: str, ships: Sequence[str], targets: Sequence[str], plain: Plain) -> dict[str, str]:
    """`bombard: {CA1: airfield}` or a pass. Raises Rejected."""
    verb, body = split_order(plain, ("bombard", PASS))
    if verb == PASS:
        return {}
    if not isinstance(body, dict):
        raise misread("bombard", body, "bombard: {ship: target}")
    aims = {}
    for who, what in body.items():
        ship = read_unit(g, who, side)
        target = str(what).lower() if str(what).lower() in (*INSTALLATIONS, FORCE) else read_unit(g, what, FOE[side])
        if ship not in ships:
            raise illegal(msg("{ship} cannot bombard here", ship=ship), "PW-BOM-01", verbatim(*ships))
        if target not in targets:
            raise illegal(msg("this is no target here: {target}", target=target_named(target)), "PW-BOM-01", verbatim(*targets))
        aims[ship] = target
    return aims


def _options(ships: Sequence[str], targets: Sequence[str]) -> list[Plain]:
    found: list[Plain] = [PASS]
    for i in range(len(targets)):
        found.append({"bombard": {s: targets[(i + j) % len(targets)] for j, s in enumerate(ships)}})
    return found


def _fire(g: State, side: str, place: int, ship: str, target: str) -> Flow[None]:
    foe, label = FOE[side], msg("{unit} bombards {target}", unit=ship, target=target_terms((target,)))
    if target in INSTALLATIONS:
        if g.target(target, place) is None:
            return
        shot = yield from fire(g, "bombard-installation", power(g, ship), label, "PW-BOM-01", foe)
        if target == "airfield" and shot.hits:
            yield from unveil_force(g, foe, place, "PW-BOM-01", kind=AIR)
        yield from hit_base(g, target, place, shot.hits, side, [], "PW-BOM-01")
        return
    if g.units[target].box != "map":
        return
    shot = yield from fire(g, "bombard-ground", power(g, ship), label, "PW-BOM-01", foe)
    if shot.test and target not in g.tested:
        emit(g, QualityTested(target, "PW-BOM-01"))
        yield from shaken(g, target, msg("under bombardment"))
    elif not shot.test:
        hit_steps(g, target, shot.hits, "PW-BOM-01")

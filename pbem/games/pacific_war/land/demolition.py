"""[PW-DEM-01] Demolition of installations and resource hexes."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.events import InstallationTaken
from pbem.games.pacific_war.land.quality import passes
from pbem.games.pacific_war.nouns import target_named
from pbem.games.pacific_war.orders import misread, read_unit
from pbem.games.pacific_war.picks import each
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.state import FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.strategic import ResourceDemolished
from pbem.games.pacific_war.units.damage import interdict
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form, Pick
from pbem.kernel.memo import PLACES
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.picking import Verbs
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg

LANDING = 4  # hexes of a task force in the two Movement Phases from one demolition to the next; a march is three at most
FORTNIGHT = 14  # [PW-TIM-02] days that every operation lasts at least


def demolition(g: State) -> Flow[None]:
    """[PW-DEM-01] Linked steady troops alone in a hex may demolish what stands there; one attempt a hex."""
    for side in SIDES:
        if any(demolition_targets(g, h) for h in g.forces.get(side, ())):
            yield from offer_show(g, side, "PW-DEM-01")
        tried: list[int] = []

        def read(plain: Plain, side: str = side, tried: list[int] = tried) -> tuple[str, str] | None:
            return _read_order(g, side, tried, plain)

        def options(side: str = side, tried: list[int] = tried) -> list[Plain]:
            found: list[Plain] = [DONE]
            for unit in _demolishers(g, side):
                if g.units[unit].at not in tried and _threatened(g, side, g.units[unit].at):
                    found += [{"demolish": {unit: t}} for t in demolition_targets(g, g.units[unit].at)]
            return found

        def form(side: str = side, tried: list[int] = tried) -> Form:
            def able() -> list[str]:
                return [u for u in _demolishers(g, side) if g.units[u].at not in tried]

            def ends(unit: str) -> list[Pick]:
                return [Pick("to", t, target_named(t)) for t in demolition_targets(g, g.units[unit].at)]

            return Verbs(read, ("demolish", DONE), {"demolish": each(g, side, "demolish", able, ends, read, str)})

        def act(order: tuple[str, str], tried: list[int] = tried) -> Flow[None]:
            unit, what = order
            place = g.units[unit].at
            tried.append(place)
            good = yield from passes(g, unit, msg("demolition"), "PW-DEM-01")
            if good:
                demolish(g, what, place, "PW-DEM-01")

        prompt = msg("demolish installations, or done")
        while any(g.units[u].at not in tried for u in _demolishers(g, side)):  # asked even where nothing is proposed
            verbs, idle = ("demolish", DONE), None if _to_think_of(g, side, tried) else DONE
            order = yield Ask(side, "demolition", "PW-DEM-01", prompt, read, verbs, options=options, form=form, idle=idle)
            if order is None:
                break
            yield from act(order)


def _read_order(g: State, side: str, tried: Sequence[int], plain: Plain) -> tuple[str, str] | None:
    """Unit and target, or None when the side is done. Raises Rejected."""
    verb, body = split_order(plain, ("demolish", DONE))
    if verb == DONE:
        return None
    if not isinstance(body, dict) or len(body) != 1:
        raise misread("demolish", body, "demolish: {unit: airfield}")
    who, what = next(iter(body.items()))
    unit = read_unit(g, who, side)
    if unit not in _demolishers(g, side) or g.units[unit].at in tried:
        raise illegal(msg("{unit} cannot demolish now", unit=unit), "PW-DEM-01")
    if what not in demolition_targets(g, g.units[unit].at):
        raise illegal(
            msg(
                "in {place} this cannot be demolished: {what}",
                place=g.board.name(g.units[unit].at),
                what=target_named(str(what)),
            ),
            "PW-DEM-01",
        )
    return unit, str(what)


def _demolishers(g: State, side: str) -> list[str]:
    """Steady troops that may demolish something where they stand."""
    able = g.memo.cached(("demolishers", side), lambda: _beside_installations(g, side), PLACES)
    return [u for u in able if not g.units[u].demoralized]


def _beside_installations(g: State, side: str) -> list[str]:
    """Linked troops alone in a hex with something to demolish, steady or not."""
    places = {*g.airfields, *g.ports, *g.osbs, *(int(key[9:]) for key in g.ledger if key.startswith("resource "))}
    near = [u for u in g.on_map(side, "ground") if g.units[u].at in places]
    units = [u for u in near if not g.units[u].aboard]
    alone = [u for u in units if demolition_targets(g, g.units[u].at) and not g.ashore(FOE[side], g.units[u].at)]
    linked = linked_hexes(g, side) if alone else set()
    return [u for u in alone if g.units[u].at in linked]


def _threatened(g: State, side: str, place: int) -> bool:
    """Enemy troops are near: the time to think of demolition."""

    def near() -> set[int]:
        foes = {g.units[u].at for u in g.on_map(FOE[side], "ground")}
        return set().union(*(g.board.within(h, 2) for h in foes))

    return place in g.memo.cached(("threatened", side), near, PLACES)


def _to_think_of(g: State, side: str, tried: Sequence[int]) -> bool:
    """By public facts somebody may want to demolish: what is not his own, Allied resources, what the enemy could take next."""
    if g.options.get("barges") == "yes":
        return True
    foe = FOE[side]
    places = [h for h in dict.fromkeys(g.units[u].at for u in _demolishers(g, side)) if h not in tried]
    troops = list(g.on_map(foe, "ground"))
    hidden = [m.at for m in g.markers.values() if m.side == foe and m.handle]
    if (hidden or any(g.units[u].aboard for u in troops)) and not _goes_on(g, side):
        return True  # a Contact Phase may bring them from anywhere
    near = [*((h, LANDING) for h in (*hidden, *g.forces.get(foe, ()))), *((g.units[u].at, _far(g, u)) for u in troops)]
    return any(not _safe(g, side, h) or any(distance(h, n) <= far for n, far in near) for h in places)


def _far(g: State, unit: str) -> int:
    """Hexes that troops may come before the next demolition: on foot, in ships, by parachute with aircraft of their hex."""
    side, at = g.side(unit), g.units[unit].at
    wings = [u for u in g.here(side, at, "air") if g.counter(unit).type == "airborne"]
    return max([LANDING, *(g.counter(u).range for u in wings)])


def _goes_on(g: State, side: str) -> bool:
    """[PW-SEQ-05] The operation has another cycle if the side wants it: it has somebody active, and both have their time."""
    o = g.operation
    return o is not None and o.elapsed + 2 < FORTNIGHT and any(g.units[u].active for u in g.on_map(side))


def _safe(g: State, side: str, place: int) -> bool:
    """All that stands in a hex is the side's own and of use to it alone."""
    bases = [kind[place] for kind in (g.airfields, g.ports, g.osbs) if place in kind]
    return all(b.side == side for b in bases) and (side == JAPAN or "resource" not in demolition_targets(g, place))


def demolition_targets(g: State, place: int) -> list[str]:
    """What can be demolished in a hex."""
    kinds = (("airfield", g.airfields), ("port", g.ports), ("osb", g.osbs))
    found = [k for k, bases in kinds if place in bases and not bases[place].interdicted]
    if f"resource {place:04d}" in g.ledger and not g.ledger.get(f"demolished {place:04d}"):
        found.append("resource")
    return found


def demolish(g: State, what: str, place: int, rule: str) -> None:
    """A resource hex, a support base, an airfield or a port is out of use at once."""
    if what == "resource":
        emit(g, ResourceDemolished(place, rule))
    elif what == "osb":
        emit(g, InstallationTaken("osb", place, "", rule))
    else:
        interdict(g, what, place, rule)

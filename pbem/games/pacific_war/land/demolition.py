"""[PW-DEM-01] Demolition of installations and resource hexes."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.events import InstallationTaken
from pbem.games.pacific_war.land.quality import passes
from pbem.games.pacific_war.nouns import target_named
from pbem.games.pacific_war.orders import misread, read_unit
from pbem.games.pacific_war.picks import each
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.state import FOE, SIDES, State
from pbem.games.pacific_war.strategic import ResourceDemolished
from pbem.games.pacific_war.units.damage import interdict
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form, Pick
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.picking import Verbs
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg


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
            order = yield Ask(side, "demolition", "PW-DEM-01", prompt, read, ("demolish", DONE), options=options, form=form)
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
    units = [u for u in g.on_map(side, "ground") if not g.units[u].aboard and not g.units[u].demoralized]
    alone = [u for u in units if not g.ashore(FOE[side], g.units[u].at) and demolition_targets(g, g.units[u].at)]
    linked = linked_hexes(g, side) if alone else set()
    return [u for u in alone if g.units[u].at in linked]


def _threatened(g: State, side: str, place: int) -> bool:
    """Enemy troops are near: the time to think of demolition."""

    def near() -> set[int]:
        foes = {g.units[u].at for u in g.on_map(FOE[side], "ground")}
        return set().union(*(g.board.within(h, 2) for h in foes))

    return place in g.memo.cached(("threatened", side), near)


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

"""[PW-CMD-09] [PW-RUL-41] What hidden aircraft do to command links: their owner states it where it matters."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.secret.forces import concealing, roster
from pbem.games.pacific_war.state import BATTLE, ENGAGEMENT, FOE, SIDES, State
from pbem.games.pacific_war.veils import CoverStated
from pbem.games.pacific_war.world.links import AIR, FIGHTERS, SHIPS, link_position, links_under, ships_stated
from pbem.kernel.canon import Plain, digest
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.wording import msg, recorded_as

Cover = dict[int, str]


def show_cover(g: State, *sides: str) -> Flow[None]:
    """Before links are traced: in which hexes hidden aircraft close enemy links or keep their own side's open.

    `sides`: those that state it, both if none is named.
    """
    if g.level in (ENGAGEMENT, BATTLE):
        return
    for side in sides or SIDES:
        if not g.covers.get(side) and not _sealed_hexes(g, side):
            continue
        known = _digest(g, side)
        if g.cover_of.get(side) == known:
            continue  # nothing has changed since it was stated
        stated: Cover = {}
        if _matters(g, side, _possible(g, side)):
            stated = _sound((yield _claim(g, side)), _possible(g, side))
        emit(g, CoverStated(side, stated, known))


def _digest(g: State, side: str) -> str:
    """Everything public on which the statement of a side can depend, in short."""
    sealed: list[Plain] = [*sorted(n for n, u in g.units.items() if u.box == "sealed" and g.side(n) == side)]
    fleets: list[Plain] = [[m, x.at] for m, x in g.markers.items() if x.side == side and x.handle]
    hexes: list[Plain] = [[*_sealed_hexes(g, s)] for s in SIDES]
    return digest("cover", [link_position(g), sealed, fleets, hexes, len(g.in_secret.get(side, ()))])


def _claim(g: State, side: str) -> Claim:
    about = recorded_as(f"of {side}", msg("hidden aircraft that matter for command links"))
    return Claim(side, "cover", about, "PW-CMD-09", lambda reveal: _plain(needed(g, side, reveal)))


def _sealed_hexes(g: State, side: str) -> list[int]:
    fleets = {m.at for m in g.markers.values() if m.side == side and m.handle}
    return sorted(fleets | {*g.forces.get(side, ())})


def _possible(g: State, side: str) -> Cover:
    """As far as everybody knows: aircraft in every hex with sealed units, if there are any behind seals; and ships."""
    aircraft = any(u.box == "sealed" and g.side(n) == side and g.counter(n).kind == "air" for n, u in g.units.items())
    kind = _kind(FIGHTERS if aircraft or concealing(g) else "", ships_stated(g))
    return dict.fromkeys(_sealed_hexes(g, side), kind) if kind else {}


def _kind(air: str, ships: bool) -> str:
    return " ".join(part for part in (air, SHIPS if ships else "") if part)


def _matters(g: State, side: str, cover: Cover) -> bool:
    """Links are not the same with these aircraft as without them, wherever those of the other side are."""

    def test() -> bool:
        return any(links_under(g, {**other, side: cover}) != links_under(g, other) for other in _others(g, side) if cover)

    return g.memo.cached(("cover matters", side), test)


def _others(g: State, side: str) -> list[dict[str, Cover]]:
    """What the other side may hide: nothing, or everything."""
    return [{}, {FOE[side]: _possible(g, FOE[side])}]


def needed(g: State, side: str, reveal: Reveal) -> Cover:
    """The hexes of hidden aircraft without which links would be others; no further ones."""
    found = _whole(g, side, reveal)
    wanted = [(other, links_under(g, {**other, side: found})) for other in _others(g, side)]

    def without(places: Sequence[int], kept: Cover) -> Cover:
        """Less all of these hexes if links stay the same; else less those of either half."""
        fewer = {p: kind for p, kind in kept.items() if p not in places}
        if all(links_under(g, {**other, side: fewer}) == links for other, links in wanted):
            return fewer
        if len(places) < 2:
            return kept
        half = len(places) // 2
        return without(places[half:], without(places[:half], kept))

    return without(sorted(found), found) if found else found


def _whole(g: State, side: str, reveal: Reveal) -> Cover:
    """Where the hidden aircraft and ships of a side really are."""
    air: dict[int, str] = {}
    fleets: set[int] = set()
    for name, u in roster(g, side, reveal).items():
        if g.counter(name).kind == "air":
            air[u.at] = FIGHTERS if FIGHTERS in (g.counter(name).type, air.get(u.at)) else AIR
        elif g.counter(name).kind == "naval" and ships_stated(g):
            fleets.add(u.at)
    return {h: _kind(air.get(h, ""), h in fleets) for h in sorted({*air, *fleets})}


def _plain(cover: Cover) -> Plain:
    return {f"{place:04d}": kind for place, kind in sorted(cover.items())}


def _sound(answer: object, possible: Cover) -> Cover:
    """Only hexes that can be meant; the audit catches the rest of a lie."""
    stated = answer if isinstance(answer, dict) else {}
    kinds = [_kind(air, ships) for air in ("", AIR, FIGHTERS) for ships in (False, True)]
    return {place: stated[key] for place in possible if stated.get(key := f"{place:04d}") in kinds}

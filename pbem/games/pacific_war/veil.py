"""[PW-FOG-01] [PW-FOG-02] Sealed task forces: one commitment for each hex in which a side arranges its ships.

What a single task force holds is shown by a statement of its owner, which the audit compares with the commitment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import pick
from pbem.games.pacific_war.events import Unveiled, Veiled
from pbem.games.pacific_war.fleets import organization_options, read_organization
from pbem.games.pacific_war.state import BATTLE, ENGAGEMENT, FOE, State, Veil
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Commit, Flow, Reveal
from pbem.kernel.orders import Rejected

Contents = dict[str, dict[str, list[str]]]


def sealing(g: State) -> bool:
    """The option is on; campaigns keep forces open."""
    return bool(g.options["forces"] == "sealed") and g.level in (ENGAGEMENT, BATTLE)


def arrange_sealed(g: State, side: str) -> Flow[None]:
    """[PW-FOG-02] At the start each hex is arranged in secret; crippled ships and tenders with a base stay in sight."""
    for place in sorted({m.at for m in g.markers.values() if m.side == side}):
        ships = [s for s in g.ships(side, place) if g.units[s].tf]
        if any(g.crippled(s) or s in g.seaplanes for s in ships):
            continue
        before = arrangement(g, side, place)

        def read(plain: Plain, place: int = place, before: Contents = before) -> Contents:
            return arranged(g, side, place, before, plain)

        def options(place: int = place, before: Contents = before) -> Sequence[Plain]:
            ships = [s for row in before.values() for part in row.values() for s in part]
            return organization_options(g, side, place, ships)

        handle = yield Commit(
            side, "task forces", "PW-FOG-02", f"arrange {g.board.name(place)} in secret", read, default="done", options=options
        )
        emit(g, Veiled(handle, Veil(side, place, before), "PW-FOG-01"))


def arrangement(g: State, side: str, place: int) -> Contents:
    """The task forces of a hex as they are."""
    found: Contents = {}
    for marker in g.forces_at(side, place):
        ships = g.members(marker)
        core, screen = [s for s in ships if not g.units[s].screen], [s for s in ships if g.units[s].screen]
        found[marker] = {"core": core, "screen": screen}
    return found


def arranged(g: State, side: str, place: int, before: Contents, plain: Plain) -> Contents:
    """What a sealed order makes of a hex; an order that is not legal leaves it as it was."""
    ships = [s for row in before.values() for part in row.values() for s in part]
    try:
        parts = read_organization(g, side, place, ships, plain, list(before))
    except Rejected:
        return before
    if not parts:
        return before
    return {p.marker: {"core": list(p.core), "screen": list(p.screen)} for p in parts}


def contents(g: State, marker: str, reveal: Reveal) -> dict[str, list[str]]:
    """What a sealed task force holds, for its owner and the audit."""
    handle = g.markers[marker].handle
    veil = g.veils[handle]
    whole = arranged(g, veil.side, veil.place, veil.before, reveal(handle))
    return whole.get(marker, {"core": [], "screen": []})


def unveil(g: State, marker: str, rule: str) -> Flow[None]:
    """A task force acts or is met: its owner shows all of it."""
    m = g.markers[marker]
    if not m.handle:
        return
    stated = yield Claim(m.side, "contents", marker, rule, lambda reveal: _plain(contents(g, marker, reveal)))
    veil = g.veils[m.handle]
    pool = [s for row in veil.before.values() for part in row.values() for s in part if g.units[s].box == "sealed"]
    shown = _sound(stated, pool)
    emit(g, Unveiled(marker, tuple(shown["core"]), tuple(shown["screen"]), rule))


def _plain(found: dict[str, list[str]]) -> Plain:
    return {"core": [*found["core"]], "screen": [*found["screen"]]}


def _sound(stated: Any, pool: Sequence[str]) -> dict[str, list[str]]:
    """Only ships that can be there; the audit catches the rest of a lie."""
    found: dict[str, list[str]] = {"core": [], "screen": []}
    for part in found:
        rows = stated.get(part, []) if isinstance(stated, dict) else []
        found[part] = [s for s in rows if s in pool] if isinstance(rows, list) else []
    if not found["core"] and not found["screen"]:
        found["core"] = list(pool[:1])
    return found


def unveil_hex(g: State, side: str, place: int, rule: str) -> Flow[None]:
    """All task forces of a side in a hex are shown."""
    for marker in g.forces_at(side, place):
        yield from unveil(g, marker, rule)


def offer_show(g: State, side: str, rule: str) -> Flow[None]:
    """Before a phase its player may show task forces that are to act in it."""
    while True:
        able = [m for m, x in g.markers.items() if x.side == side and x.handle]
        marker = yield from pick(g, side, "show", rule, "show a task force that is to act", able, none=True, default="none")
        if not marker:
            return
        yield from unveil(g, marker, rule)


def aircraft_near(g: State, side: str, path: Sequence[int]) -> Flow[bool]:
    """[PW-MOV-06] The enemy must say whether hidden carrier aircraft are within two hexes of a flight."""
    foe = FOE[side]
    near = [m for m, x in g.markers.items() if x.side == foe and x.handle and any(distance(x.at, h) <= 2 for h in path)]
    if not near:
        return False

    def truth(reveal: Reveal) -> Plain:
        ships = [s for m in near for part in contents(g, m, reveal).values() for s in part]
        return any(u.aboard in ships and g.counter(name).kind == "air" for name, u in g.units.items())

    stated = yield Claim(foe, "aircraft", " ".join(f"{h:04d}" for h in path[:1]), "PW-MOV-06", truth)
    return bool(stated)

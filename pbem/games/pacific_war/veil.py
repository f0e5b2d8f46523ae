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
from pbem.games.pacific_war.orders import DONE
from pbem.games.pacific_war.state import FOE, State, Veil
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Commit, Flow, Reveal
from pbem.kernel.orders import Rejected, split_order

Contents = dict[str, dict[str, list[str]]]


def sealing(g: State) -> bool:
    """The option is on: what task forces hold is hidden."""
    return bool(g.options["forces"] == "sealed")


def arrange_sealed(g: State, side: str) -> Flow[None]:
    """[PW-FOG-02] At the start each hex is arranged in secret."""
    for place in sorted({m.at for m in g.markers.values() if m.side == side}):
        if not _in_sight(g, side, place):
            yield from seal_hex(g, side, place)


def _in_sight(g: State, side: str, place: int) -> bool:
    """Crippled ships and tenders with a base keep a hex open."""
    return any(g.crippled(s) or g.seaplanes.get(s, 0) > 0 for s in g.ships(side, place) if g.units[s].tf)


def seal_hex(g: State, side: str, place: int) -> Flow[None]:
    """The task forces of a hex, those sealed already among them, exchange ships in secret."""
    inner = {m: g.markers[m].handle for m in g.forces_at(side, place) if g.markers[m].handle}
    veil = Veil(side, place, arrangement(g, side, place), inner)

    def read(plain: Plain) -> object:
        """What was sealed before is known to its owner alone: only the form can be judged."""
        if inner:
            return split_order(plain, ("organize", DONE))
        return read_organization(g, side, place, _ships_of(veil.before), plain, list(veil.before))

    def options() -> Sequence[Plain]:
        return ["done"] if inner else organization_options(g, side, place, _ships_of(veil.before))

    prompt = f"arrange {g.board.name(place)} in secret"
    handle = yield Commit(side, "task forces", "PW-FOG-02", prompt, read, default="done", options=options)
    emit(g, Veiled(handle, veil, "PW-FOG-01"))


def offer_seal(g: State, side: str) -> Flow[None]:
    """[PW-FOG-02] A side may rearrange in secret what the enemy has lost sight of: several task forces in a hex."""
    done: list[int] = []
    while sealing(g):
        places = sorted({m.at for m in g.markers.values() if m.side == side})
        able = [p for p in places if p not in done and _out_of_sight(g, side, p)]
        names = {f"{p:04d}": p for p in able}
        prompt = "rearrange the task forces of a hex in secret"
        chosen = yield from pick(g, side, "hide", "PW-FOG-02", prompt, list(names), none=True, default="none")
        if not chosen:
            return
        done.append(names[chosen])
        yield from seal_hex(g, side, names[chosen])


def _out_of_sight(g: State, side: str, place: int) -> bool:
    """Several undetected task forces, none fixed in sight, no enemy in the hex."""
    markers, foe = g.forces_at(side, place), FOE[side]
    if len(markers) < 2 or any(g.markers[m].detected or g.markers[m].held for m in markers):
        return False
    return not (_in_sight(g, side, place) or g.here(foe, place, "air", "ground") or g.afloat(foe, place))


def arrangement(g: State, side: str, place: int) -> Contents:
    """The open task forces of a hex as they are."""
    found: Contents = {}
    for marker in [m for m in g.forces_at(side, place) if not g.markers[m].handle]:
        ships = g.members(marker)
        core, screen = [s for s in ships if not g.units[s].screen], [s for s in ships if g.units[s].screen]
        found[marker] = {"core": core, "screen": screen}
    return found


def _ships_of(found: Contents) -> list[str]:
    return [s for row in found.values() for part in row.values() for s in part]


def arranged(g: State, veil: Veil, before: Contents, plain: Plain) -> Contents:
    """What a sealed order makes of a hex; an order that is not legal leaves it as it was."""
    try:
        parts = read_organization(g, veil.side, veil.place, _ships_of(before), plain, list(before))
    except Rejected:
        return before
    if not parts:
        return before
    return {p.marker: {"core": list(p.core), "screen": list(p.screen)} for p in parts}


def contents(g: State, marker: str, reveal: Reveal) -> dict[str, list[str]]:
    """What a sealed task force holds, for its owner and the audit."""
    return _whole(g, g.markers[marker].handle, reveal).get(marker, {"core": [], "screen": []})


def _whole(g: State, handle: str, reveal: Reveal) -> Contents:
    """All task forces behind a handle."""
    veil = g.veils[handle]
    nothing: dict[str, list[str]] = {"core": [], "screen": []}
    inner = {m: _whole(g, h, reveal).get(m, nothing) for m, h in veil.inner.items()}
    return arranged(g, veil, {**veil.before, **inner}, reveal(handle))


def _pool(g: State, handle: str) -> list[str]:
    """Ships that may be behind a handle and are not shown yet."""
    veil = g.veils[handle]
    found = _ships_of(veil.before) + [s for h in dict.fromkeys(veil.inner.values()) for s in _pool(g, h)]
    return [s for s in dict.fromkeys(found) if g.units[s].box == "sealed"]


def unveil(g: State, marker: str, rule: str) -> Flow[None]:
    """A task force acts or is met: its owner shows all of it."""
    m = g.markers[marker]
    if not m.handle:
        return
    stated = yield Claim(m.side, "contents", marker, rule, lambda reveal: _plain(contents(g, marker, reveal)))
    shown = _sound(stated, _pool(g, m.handle))
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


def unveil_side(g: State, side: str, rule: str) -> Flow[None]:
    """All task forces of a side are shown."""
    for marker in [m for m, x in g.markers.items() if x.side == side]:
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

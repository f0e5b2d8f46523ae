"""[PW-FOG-01] [PW-FOG-02] Sealed task forces: one commitment for each hex in which a side arranges its ships.

What a single task force holds is shown by a statement of its owner, which the audit compares with the commitment.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.forms import organizations
from pbem.games.pacific_war.nouns import STAGES
from pbem.games.pacific_war.orders import hexes_named, read_place, read_units
from pbem.games.pacific_war.records import Secret, Unit
from pbem.games.pacific_war.secret.forces import Rows, changed, holds, roster, sound_rows, unveil_force, whole
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.damage import drop_empty_markers
from pbem.games.pacific_war.units.fleets import fits, organization_options, read_organization
from pbem.games.pacific_war.veils import OrderedInSecret, Unveiled, Veiled
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Commit, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import DONE, accepted, choose_unit
from pbem.kernel.wording import Message, msg, recorded_as


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
    markers = g.forces_at(side, place)
    inner = any(g.markers[m].handle for m in markers)
    ships = [s for m in markers for s in g.members(m)]

    def read(plain: Plain) -> object:
        """What was sealed before is known to its owner alone: only the form can be judged."""
        if inner:
            return split_order(plain, ("organize", DONE))
        return read_organization(g, side, place, ships, plain, markers)

    def options() -> Sequence[Plain]:
        return ["done"] if inner else [*accepted(read, organization_options(g, side, place, ships))]

    prompt = msg("arrange the task forces of {place} in secret", place=g.board.name(place))

    def judge(plain: Plain, reveal: Reveal) -> None:
        units = roster(g, side, reveal)
        there = [n for n, u in units.items() if u.tf in markers and g.counter(n).kind == "naval"]
        decoys = [m for m in markers if g.markers[m].handle and not any(units[n].tf == m for n in there)]
        read_organization(g, side, place, [*ships, *there], plain, markers, len(decoys))

    def form(may_seal: Read, reveal: Reveal) -> Form:
        seen = whole(g, side, reveal)
        there = [s for m in markers for s in seen.members(m)]

        def further(named: Sequence[str]) -> list[str]:
            return [m for m in markers if m not in named]

        return organizations(seen, side, ("organize", DONE), further, there, partial(fits, seen), may_seal)

    handle = yield Commit(
        side, "task forces", "PW-FOG-02", prompt, read, default="done", options=options, judge=judge, form=form
    )
    emit(g, Veiled(handle, side, place, tuple(markers), "PW-FOG-01"))
    ships = []
    about = recorded_as(g.board.name(place), msg("the secret arrangement is legal"))
    stated = yield Claim(side, "arranged", about, "PW-FOG-02", lambda reveal: holds(judge, handle, reveal))
    if stated is True:
        facts = {"place": place, "markers": [*markers]}
        emit(g, OrderedInSecret(side, Secret("organize", handle, facts), "PW-FOG-02"))


def offer_seal(g: State, side: str) -> Flow[None]:
    """[PW-FOG-02] A side may rearrange in secret what the enemy has lost sight of: several task forces in a hex."""
    done: list[int] = []
    while sealing(g):
        places = sorted({m.at for m in g.markers.values() if m.side == side})
        able = [p for p in places if p not in done and _out_of_sight(g, side, p)]
        names = {f"{p:04d}": p for p in able}
        prompt = msg("rearrange the task forces of a hex in secret")
        chosen = yield from choose_unit(
            g.board.unit_index, side, "hide", "PW-FOG-02", prompt, list(names), none=True, default="none"
        )
        if not chosen:
            return
        done.append(names[chosen])
        yield from seal_hex(g, side, names[chosen])


def _out_of_sight(g: State, side: str, place: int) -> bool:
    """Several undetected task forces, none fixed in sight, no enemy in the hex."""
    markers, foe = g.forces_at(side, place), FOE[side]
    if len(markers) < 2 or any(g.markers[m].detected or g.markers[m].held for m in markers):
        return False
    met = g.here(foe, place, "air", "ground") or g.afloat(foe, place) or place in g.forces.get(foe, ())
    return not (_in_sight(g, side, place) or met)


# -- what a task force holds -----------------------------------------------------------------------------------------------


def contents(g: State, marker: str, reveal: Reveal) -> dict[str, list[str]]:
    """What a sealed task force holds, for its owner and the audit; a decoy nothing."""
    return _holds(g, marker, roster(g, g.markers[marker].side, reveal))


def _holds(g: State, marker: str, units: dict[str, Unit]) -> dict[str, list[str]]:
    ships = [n for n, u in units.items() if u.tf == marker and g.counter(n).kind == "naval"]
    return {"core": [s for s in ships if not units[s].screen], "screen": [s for s in ships if units[s].screen]}


def unveil(g: State, marker: str, rule: str) -> Flow[None]:
    """A task force acts or is met: its owner shows all of it. A decoy [PW-OPT-04] is taken off."""
    m = g.markers[marker]
    if not m.handle:
        return

    def truth(reveal: Reveal) -> Plain:
        units = roster(g, m.side, reveal)
        found = _holds(g, marker, units)
        ships = [*found["core"], *found["screen"]]
        rows = changed(g, units, [n for n, u in units.items() if n in ships or u.aboard in ships])
        news: dict[str, Plain] = {n: dict(row) for n, row in rows.items() if row}
        carried = [n for n, u in g.units.items() if u.aboard in ships and u.box == "sealed"]
        away: list[Plain] = [n for n in carried if n not in units or units[n].aboard not in ships]
        more: dict[str, Plain] = {**({"news": news} if news else {}), **({"away": away} if away else {})}
        return {"core": [*found["core"]], "screen": [*found["screen"]], **more}

    stated = yield Claim(m.side, "contents", Message(marker), rule, truth)
    shown, rows = _sound(g, m.side, stated)
    gone = stated.get("away") if isinstance(stated, dict) else None
    away = tuple(str(n) for n in gone) if isinstance(gone, list) else ()
    emit(g, Unveiled(marker, tuple(shown["core"]), tuple(shown["screen"]), rule, rows, away))
    if not g.members(marker):
        emit(g, Remarked(msg("{marker} was a decoy", marker=marker), "PW-OPT-04"))
        drop_empty_markers(g)


def _sound(g: State, side: str, stated: Any) -> tuple[dict[str, list[str]], Rows]:
    """Only ships that can be there; the audit catches the rest of a lie."""
    pool = [n for n, u in g.units.items() if u.box == "sealed" and g.side(n) == side and g.counter(n).kind == "naval"]
    found: dict[str, list[str]] = {"core": [], "screen": []}
    for part in found:
        rows = stated.get(part, []) if isinstance(stated, dict) else []
        found[part] = [s for s in rows if s in pool] if isinstance(rows, list) else []
    if not found["core"] and not found["screen"] and g.options.get("decoys") != "yes":
        found["core"] = list(pool[:1])
    return found, sound_rows(g, side, stated.get("news") if isinstance(stated, dict) else None)


# -- who is shown ----------------------------------------------------------------------------------------------------------


def unveil_fleets(g: State, side: str, place: int, rule: str) -> Flow[None]:
    """All task forces of a side in a hex are shown."""
    for marker in g.forces_at(side, place):
        yield from unveil(g, marker, rule)


def unveil_hex(g: State, side: str, place: int, rule: str) -> Flow[None]:
    """[PW-SRC-02] All task forces and the Force of a side in a hex are shown."""
    yield from unveil_fleets(g, side, place, rule)
    yield from unveil_force(g, side, place, rule)


def unveil_side(g: State, side: str, rule: str) -> Flow[None]:
    """All task forces of a side are shown."""
    for marker in [m for m, x in g.markers.items() if x.side == side]:
        yield from unveil(g, marker, rule)


# What the question to show comes before, for conditions of standing orders: `when: phase = air`.
SHOWN_BEFORE = {
    "PW-CMD-10": "links",
    "PW-OPT-18": "barges",
    "PW-ENG-01": "engineering",
    "PW-NRP-05": "supply",
    "PW-STB-06": "raid",
    "PW-ACT-03": "activation",
    "PW-ACT-11": "reaction",
    "PW-MOV-08": "contact",
    "PW-AMP-01": "landing",
    "PW-MOV-14": "movement",
    "PW-AIR-04": "air",
    "PW-BOM-01": "bombardment",
    "PW-RAL-01": "rally",
    "PW-DEM-01": "demolition",
    "PW-DEA-01": "common",
}


def offer_show(g: State, side: str, rule: str) -> Flow[None]:
    """Before a phase its player may show task forces, and Forces of a hex, that are to act in it."""
    phase = SHOWN_BEFORE[rule]
    while True:
        able = [m for m, x in g.markers.items() if x.side == side and x.handle]
        able += [f"{h:04d}" for h in g.forces.get(side, ())]
        prompt = msg("show a task force or the Force of a hex that is to act; phase: {phase}", phase=STAGES[phase])
        facts = {"phase": phase}
        ask = next(
            choose_unit(g.board.unit_index, side, "show", rule, prompt, able, none=True, default="none", facts=facts), None
        )
        if not isinstance(ask, Ask):
            return
        chosen: tuple[str, list[str]] = yield replace(ask, read=partial(_read_show, g, side, ask))
        name, units = chosen
        if not name:
            return
        if name in g.markers:
            yield from unveil(g, name, rule)
        else:
            yield from unveil_force(g, side, int(name), rule, units)


def _read_show(g: State, side: str, ask: Ask, plain: Plain) -> tuple[str, list[str]]:
    """`show: J1`, `show: 1630`, or some units of a Force: `show: {1630: [144th Regiment]}`. Raises Rejected."""
    _, body = split_order(plain, ("show",))
    if not isinstance(body, dict) or len(body) != 1:
        return str(ask.read(plain) or ""), []
    where, names = next(iter(body.items()))
    place = read_place(g, where)
    forces = g.forces.get(side, [])
    if place not in forces:
        raise illegal(msg("no Force of yours is in {place}", place=g.board.name(place)), "PW-FOG-01", hexes_named(g, forces))
    return f"{place:04d}", read_units(g, names, side)


def aircraft_near(g: State, side: str, path: Sequence[int]) -> Flow[bool]:
    """[PW-MOV-06] The enemy must say whether hidden aircraft are within two hexes of a flight."""
    foe = FOE[side]
    places = [m.at for m in g.markers.values() if m.side == foe and m.handle] + g.forces.get(foe, [])
    if not any(distance(place, h) <= 2 for place in places for h in path):
        return False

    def truth(reveal: Reveal) -> Plain:
        near = [u.at for n, u in roster(g, foe, reveal).items() if g.counter(n).kind == "air"]
        return any(distance(at, h) <= 2 for at in near for h in path)

    words = msg("hidden aircraft within two hexes of the flight from {place}", place=hex_term(g, path[0]))
    about = recorded_as(f"{path[0]:04d}", words)
    stated = yield Claim(foe, "aircraft", about, "PW-MOV-06", truth)
    return bool(stated)

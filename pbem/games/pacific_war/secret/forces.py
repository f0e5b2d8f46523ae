"""[PW-FOG-01] Sealed units: what their owner knows of them, and how everybody else learns it.

A sealed unit is noted as everybody last saw it. What has changed since are the secret orders of its side, one after the
other; with the seals open (`reveal`) they give the truth. Whoever acts or is met is shown by a statement of its owner, which
the audit compares with that truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from msgspec.structs import replace

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.events import MarkerRemoved, Remarked
from pbem.games.pacific_war.records import Secret, Unit
from pbem.games.pacific_war.secret.orders import afloat_in_secret, apply_secret
from pbem.games.pacific_war.secret.pools import pools_left
from pbem.games.pacific_war.state import CAMPAIGN, FOE, STRATEGIC, State
from pbem.games.pacific_war.terms import hex_term, side_term
from pbem.games.pacific_war.units.mustangs import is_mustang
from pbem.games.pacific_war.veils import Concealed, ForcesStand, OrderedInSecret, Shown
from pbem.games.pacific_war.world.nations import CHINESE
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Commit, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.memo import Memo
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, recorded_as

Rows = dict[str, dict[str, Any]]
CHANGES = ("hits", "active", "closed", "demoralized", "landed", "aboard", "shore")  # what may change in secret, beside the hex


def concealing(g: State) -> bool:
    """The option is on: what land forces hold is hidden, in campaigns and the strategic game; alone there is no enemy."""
    sealed = g.options.get("land") == "sealed" and g.options.get("solitaire") != "yes"
    return sealed and g.level in (CAMPAIGN, STRATEGIC)


def concealed(g: State, side: str) -> bool:
    """A side has sealed units on land or in port that secret orders can concern."""
    return concealing(g) and bool(g.forces.get(side))


def stirring(g: State, side: str) -> bool:
    """Something activated stands behind the Force markers of a side, as its owner has stated."""
    return g.stirring.get(side, False) and bool(g.forces.get(side))


# -- what the owner knows --------------------------------------------------------------------------------------------------


def roster(g: State, side: str, reveal: Reveal) -> dict[str, Unit]:
    """The sealed units of a side as they really are."""
    return {n: u for n, u in _with_gone(g, side, reveal).items() if u.box == "sealed"}


def _with_gone(g: State, side: str, reveal: Reveal) -> dict[str, Unit]:
    """The same, and those that have left play in secret."""
    found = {n: replace(u) for n, u in g.units.items() if u.box == "sealed" and g.side(n) == side}
    for i, secret in enumerate(g.in_secret.get(side, ())):
        mine = {n: u for n, u in found.items() if u.since <= i}
        order = reveal(secret.handle) if secret.handle else None
        news = apply_secret(g, side, secret, order, mine)
        found.update({n: u for n, u in news.items() if n in mine or (n not in found and _may_enter(g, n, i))})
    for u in found.values():
        if u.tf in g.markers:
            u.at = g.markers[u.tf].at
    for u in found.values():
        if u.aboard in found:
            u.at = found[u.aboard].at
    return found


def _may_enter(g: State, name: str, order: int) -> bool:
    """A counter out of play, last seen before this secret order of its side."""
    last = g.units.get(name)
    return last is None or (last.box not in ("map", "sealed") and last.since <= order)


def whole(g: State, side: str, reveal: Reveal) -> State:
    """The game as this side sees it: its own sealed units stand on the map, used steps are gone from its pools. For reading
    orders, never for events."""
    seen = with_units(g, side, _with_gone(g, side, reveal))
    seen.pools = {**g.pools, side: pools_left(g, side, reveal)}
    return seen


def presumed(g: State, side: str) -> State:
    """The same for somebody who knows no secret order: sealed units are where everybody last saw them."""
    return with_units(g, side, {n: replace(u) for n, u in g.units.items() if u.box == "sealed" and g.side(n) == side})


def with_units(g: State, side: str, units: dict[str, Unit]) -> State:
    """A copy of the game with these units on the map and the markers of the side open."""
    seen = copy(g)
    for u in units.values():
        u.box = "map" if u.box == "sealed" else u.box
    seen.units = {**g.units, **units}
    seen.markers = {m: replace(x, handle="") if x.side == side else x for m, x in g.markers.items()}
    seen.memo, seen.events = Memo(), []
    return seen


def ashore_of(units: dict[str, Unit], place: int) -> list[str]:
    """The sealed units that the Force marker of a hex stands for: in no task force and aboard none."""
    return [n for n, u in units.items() if u.at == place and not afloat_in_secret(units, u)]


def changed(g: State, units: dict[str, Unit], names: Sequence[str]) -> Rows:
    """What has changed in secret in some units."""
    rows: Rows = {}
    for name in names:
        last = g.units.get(name, Unit())
        now = units[name]
        rows[name] = {k: getattr(now, k) for k in CHANGES if getattr(now, k) != getattr(last, k)}
    return rows


# -- orders in secret ------------------------------------------------------------------------------------------------------


def holds(judge: Callable[[Plain, Reveal], None], handle: str, reveal: Reveal) -> bool:
    """A sealed order is legal by everything its owner knows."""
    try:
        judge(reveal(handle), reveal)
    except Rejected:
        return False
    return True


def order_in_secret(
    g: State,
    side: str,
    kind: str,
    rule: str,
    prompt: Message,
    judge: Callable[[State, Plain], object],
    form: Callable[[Plain], object],
    options: Callable[[], Sequence[Plain]],
    facts: dict[str, Any] | None = None,
    picks: Callable[[State, Read], Form] | None = None,
    stirring: bool | None = None,
) -> Flow[bool]:
    """One sealed order for sealed units; its owner states whether it is legal. True if so: then it changes them.

    `picks`: its form, by the game as its owner sees it. `stirring`: whether something activated may be ashore after it.
    """

    def picked(may_seal: Read, reveal: Reveal) -> Form:
        assert picks is not None
        return picks(whole(g, side, reveal), may_seal)

    def by_all_he_knows(plain: Plain, reveal: Reveal) -> None:
        judge(whole(g, side, reveal), plain)

    own = None if picks is None else picked
    handle = yield Commit(side, kind, rule, prompt, form, default=DONE, options=options, judge=by_all_he_knows, form=own)
    about = recorded_as(kind, msg("the secret order is legal"))
    stated = yield Claim(side, "lawful", about, rule, lambda reveal: holds(by_all_he_knows, handle, reveal))
    if stated is not True:
        emit(g, Remarked(msg("{side}: the order given in secret is void", side=side_term(side)), rule))
        return False
    emit(g, OrderedInSecret(side, Secret(kind, handle, facts or {}), rule, stirring))
    return True


def restate_forces(g: State, side: str, rule: str) -> Flow[None]:
    """[PW-FOG-01] Where Force markers stand after a secret order: their owner says it."""

    def truth(reveal: Reveal) -> Plain:
        units = roster(g, side, reveal)
        return [*sorted({u.at for u in units.values() if not afloat_in_secret(units, u)})]

    stated = yield Claim(side, "forces", recorded_as(f"of {side}", msg("where Force markers stand")), rule, truth)
    places = [h for h in stated if isinstance(h, int) and g.board.on_map(h)] if isinstance(stated, list | tuple) else []
    if places != g.forces.get(side, []):
        emit(g, ForcesStand(side, tuple(sorted(set(places))), rule))


# -- behind Force markers, and out again -----------------------------------------------------------------------------------


def conceal(g: State, side: str, linked: set[int]) -> None:
    """[PW-FOG-01] Resting units in linked hexes without enemies go behind Force markers."""
    open_hexes: dict[int, bool] = {}
    names = []
    for name in g.on_map(side, "air", "ground", "naval"):
        at = g.units[name].at
        if at not in open_hexes:
            open_hexes[at] = at not in linked or at in g.works or _met(g, side, at)
        if not open_hexes[at] and _may_hide(g, name):
            names.append(name)
    if names:
        emit(g, Concealed(side, tuple(names), "PW-FOG-01"))


def _met(g: State, side: str, place: int) -> bool:
    foe = FOE[side]
    return bool(g.here(foe, place)) or g.afloat(foe, place) or place in g.forces.get(foe, ())


def _may_hide(g: State, name: str) -> bool:
    """Not what is activated or in a task force, aboard of such, a fortification, a crippled ship or one that is converted, a
    tender with its base; nor Chinese, who leave the game where they stand [PW-NAT-04]."""
    u = g.units[name]
    carrier = g.units.get(u.aboard)
    if u.active or u.tf or (carrier is not None and (carrier.active or carrier.tf or not _may_hide(g, u.aboard))):
        return False
    fixed = g.counter(name).type == FORT or is_mustang(g, name) or g.crippled(name) or g.seaplanes.get(name, 0) > 0
    fixed = fixed or f"converting {name}" in g.ledger or g.counter(name).nation in CHINESE
    return not fixed and not any(u.aboard == name and u.active for u in g.units.values())


def dissolve_unseen(g: State, marker: str, rule: str) -> None:
    """[PW-ACT-13] A sealed task force is taken off: what it holds rests in its hex, known to its owner alone."""
    m = g.markers[marker]
    emit(g, OrderedInSecret(m.side, Secret("dissolve", "", {"marker": marker, "place": m.at}), rule))
    emit(g, MarkerRemoved(marker, rule))


def rest_hidden(g: State, side: str, rule: str) -> None:
    """[PW-ACT-13] What is activated behind Force markers rests."""
    if stirring(g, side):
        emit(g, OrderedInSecret(side, Secret("rest"), rule, stirring=False))


def unveil_force(g: State, side: str, place: int, rule: str, names: Sequence[str] = (), kind: str = "") -> Flow[None]:
    """[PW-FOG-01] The Force of a hex is shown, all of it, some units or one kind (air, ground, naval): its owner says what it
    holds."""
    if place not in g.forces.get(side, ()):
        return

    def truth(reveal: Reveal) -> Plain:
        units = roster(g, side, reveal)
        here = ashore_of(units, place)
        seen = _meant(g, units, here, names, kind)
        news: dict[str, Plain] = {n: dict(row) for n, row in changed(g, units, seen).items()}
        return {"units": news, "rest": len(seen) < len(here)}

    about = Message(
        "{place}: {units}" if names or kind else "{place}", {"place": hex_term(g, place), "units": tuple(names) or kind}
    )
    stated = yield Claim(side, "force", about, rule, truth)
    rows = sound_rows(g, side, stated.get("units") if isinstance(stated, dict) else None)
    rest = bool(names or kind) and isinstance(stated, dict) and stated.get("rest") is True
    emit(g, Shown(side, place, rows, rest, rule))


def _meant(g: State, units: dict[str, Unit], here: Sequence[str], names: Sequence[str], kind: str) -> list[str]:
    """The units to be shown, with the ships that carry them and what these carry."""
    if kind:
        names = of_kind(g, units, here, kind)
    elif not names:
        return [*here]
    ships = {units[n].aboard for n in names if n in units} - {""}
    return [n for n in here if n in names or n in ships or units[n].aboard in (*names, *ships)]


def of_kind(g: State, units: dict[str, Unit], here: Sequence[str], kind: str) -> list[str]:
    """Those of one kind; ground units only on land."""
    return [n for n in here if g.counter(n).kind == kind and not (kind == "ground" and units[n].aboard)]


def sound_rows(g: State, side: str, stated: object) -> Rows:
    """Only units that can be meant, and details that units have; the audit catches the rest of a lie."""
    found: Rows = {}
    for name, row in stated.items() if isinstance(stated, dict) else ():
        known = name in g.board.counters and g.side(name) == side
        if known and (name not in g.units or g.units[name].box not in ("map",)) and isinstance(row, dict):
            found[name] = {k: v for k, v in row.items() if k in CHANGES and _can_be(g, name, k, v)}
    return found


def _can_be(g: State, unit: str, detail: str, value: Any) -> bool:
    """A unit can have this: some steps left, a place aboard a ship of its side."""
    c, carrier = g.counter(unit), g.units.get(value) if isinstance(value, str) else None
    if detail == "hits":
        return type(value) is int and 0 <= value < (c.capacity if c.kind == "naval" else c.steps)
    if detail == "aboard":
        at_sea = carrier is not None and carrier.box in ("map", "sealed") and g.counter(value).kind == "naval"
        return value == "" or (at_sea and c.kind in ("air", "ground") and g.side(value) == c.side)
    if detail == "shore":
        return type(value) is int and (value == 0 or g.board.on_map(value))
    return isinstance(value, bool)

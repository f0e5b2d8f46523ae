"""Units, task forces and installations in words, and what is hidden or shown: from the state just before each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war import events as e
from pbem.games.pacific_war import postures as p
from pbem.games.pacific_war import veils as v
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import BOXES, INSTALLATIONS, SIDES, block_of, place, side_of, things, where
from pbem.kernel.wording import Argument, Message, Told, msg


def hexes(*places: int) -> tuple[str, ...]:
    """Where on the map something was, as the report's links name it."""
    return tuple(f"{h:04d}" for h in places if h)


# -- units ----------------------------------------------------------------------------------------------------------------


def _of(g: State, unit: str) -> dict[str, Argument]:
    return {"power": side_of(g, unit), "place": where(g, unit), "things": things((unit,))}


def _stands(g: State, unit: str, topic: str, text: Message, rule: str) -> Told:
    """A sentence about one unit where it stands."""
    return Told(topic, text, rule, block_of(g), hexes(g.units[unit].at))


def _activated(g: State, x: p.Activated) -> Told:
    return _stands(g, x.unit, "orders", msg("Activated, {power}, in {place}: {things}", **_of(g, x.unit)), x.rule)


def _deactivated(g: State, x: p.Deactivated) -> Told:
    return _stands(g, x.unit, "orders", msg("Deactivated, {power}, in {place}: {things}", **_of(g, x.unit)), x.rule)


def _demoralized(g: State, x: p.Demoralized) -> Told:
    return _stands(g, x.unit, "battle", msg("Demoralized, {power}, in {place}: {things}", **_of(g, x.unit)), x.rule)


def _rallied(g: State, x: p.Rallied) -> Told:
    return _stands(g, x.unit, "battle", msg("Rallied, {power}, in {place}: {things}", **_of(g, x.unit)), x.rule)


def _fleet_joined(g: State, x: p.FleetJoined) -> Told:
    text = msg("{power}, into task force {marker}: {things}", marker=x.marker, **_of(g, x.ship))
    return _stands(g, x.ship, "orders", text, x.rule)


def _fleet_left(g: State, x: p.FleetLeft) -> Told | None:
    u = g.units[x.ship]
    if not u.active:
        return None  # it rests: that is told
    text = msg("{power}, out of task force {marker}: {things}", marker=u.tf, **_of(g, x.ship))
    return _stands(g, x.ship, "orders", text, x.rule)


def _boarded(g: State, x: p.Boarded) -> Told:
    return _stands(g, x.unit, "move", msg("{power}, aboard {ship}: {things}", ship=x.ship, **_of(g, x.unit)), x.rule)


def _went_ashore(g: State, x: p.WentAshore) -> Told:
    ship = g.units[x.unit].aboard
    text = msg("{power}, from {ship} to the land base in {place}: {things}", ship=ship, **_of(g, x.unit))
    return _stands(g, x.unit, "move", text, x.rule)


def _arrived(g: State, x: p.Arrived) -> Told:
    return _stands(g, x.unit, "build", msg("{power}, into play: {things}", **_of(g, x.unit)), x.rule)


def _moved(g: State, x: e.Moved) -> Told | None:
    start = g.units[x.unit].at
    if start == x.at:
        return None
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": place(g, x.at), "things": things((x.unit,))}
    if not start:
        return Told("build", msg("{power}, placed in {place}: {things}", **args), x.rule, spaces=hexes(x.at))
    text = msg("{power}, from {origin} to {place}: {things}", origin=place(g, start), **args)
    return Told("move", text, x.rule, block_of(g), hexes(start, x.at))


def _given(g: State, x: e.Hit) -> Told:
    """[PW-AIR-18] [PW-DSP-01] Steps that go from one unit to others."""
    things_given = (Message(f"{x.unit} (−{{n}})", {"n": x.hits}),)
    text = msg(
        "Steps given away, {power}, in {place}: {things}", power=side_of(g, x.unit), place=where(g, x.unit), things=things_given
    )
    return Told("build", text, x.rule, spaces=hexes(g.units[x.unit].at))


def _hit(g: State, x: e.Hit) -> Told:
    if x.rule in ("PW-AIR-18", "PW-DSP-01"):
        return _given(g, x)
    lost = (Message(f"{x.unit} (−{{n}})", {"n": x.hits, "unit": x.unit}),) if not x.box else things((x.unit,))
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": lost}
    sentence = msg("Hits, {power}, in {place}: {things}")
    if x.box:
        sentence, args["end"] = msg("{power}, in {place}, {end}: {things}"), BOXES[x.box]
        args["lost"] = _ended(x.unit, x.box)
    side, at = g.side(x.unit), g.units[x.unit].at
    return Told("loss", Message(sentence.id, args), x.rule, block_of(g), hexes(at), loser=side)


def _ended(unit: str, box: str) -> tuple[Message, ...]:
    """A loss as a list of losses names it: `CA1 Australia (sunk)`."""
    return (Message(f"{unit} ({{end}})", {"n": 1, "unit": unit, "end": BOXES.get(box, box)}),)


def _mended(g: State, x: e.Mended) -> Told:
    thing = (Message(f"{x.unit} (+{{n}})", {"n": x.hits}),)
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": thing}
    text = msg("Repaired or replaced, {power}, in {place}: {things}", **args)
    if isinstance(args["place"], Message):  # a box, no hex
        text = msg("Repaired or replaced, {power}, {place}: {things}", **args)
    return Told("build", text, x.rule, spaces=hexes(g.units[x.unit].at))


def _raised(g: State, x: e.Raised) -> Told:
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.beside), "things": things((x.unit,))}
    text = msg("{power}, in {place}, out of {parent}: {things}", parent=x.beside, **args)
    return Told("build", text, x.rule, spaces=hexes(g.units[x.beside].at))


def _exchanged(g: State, x: e.Exchanged) -> Told:
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": things((x.other,))}
    args |= {"before": x.unit, "level": g.counter(x.other).level}
    text = msg("{power}, in {place}, {before} is of level {level} now: {things}", **args)
    return Told("build", text, x.rule, block_of(g), hexes(g.units[x.unit].at))


def _listed(g: State, x: e.Listed) -> Told:
    return Told("build", msg("{power}, a new unit: {things}", power=side_of(g, x.unit), things=things((x.unit,))), x.rule)


def _removed(g: State, x: e.Removed) -> Told:
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": things((x.unit,))}
    at = g.units[x.unit].at
    if x.rule == "PW-DSP-01":
        return Told("build", msg("{power}, in {place}, into its division: {things}", **args), x.rule, spaces=hexes(at))
    args["end"], args["lost"] = BOXES.get(x.box, x.box), _ended(x.unit, x.box)
    return Told(
        "loss", msg("{power}, in {place}, {end}: {things}", **args), x.rule, block_of(g), hexes(at), loser=g.side(x.unit)
    )


# -- task forces ----------------------------------------------------------------------------------------------------------


def _fleet(g: State, marker: str, text: Message, rule: str) -> Told:
    """A sentence about a task force in the course of a fight."""
    return Told("battle", text, rule, block_of(g), hexes(g.markers[marker].at))


def _detected(g: State, x: p.Detected) -> Told:
    m = g.markers[x.marker]
    text = msg("Detected in {place}, {power}: {marker}", place=place(g, m.at), power=SIDES[m.side], marker=x.marker)
    return _fleet(g, x.marker, text, x.rule)


def _undetected(g: State, x: p.Undetected) -> Told:
    text = msg("No longer detected, {power}: {marker}", power=SIDES[g.markers[x.marker].side], marker=x.marker)
    return _fleet(g, x.marker, text, x.rule)


def _reconnoitred(g: State, x: p.Reconnoitred) -> Told:
    return _fleet(g, x.marker, msg("Reconnaissance of {marker}: level {level}", marker=x.marker, level=x.level), x.rule)


def _held(g: State, x: p.Held) -> Told:
    here = place(g, g.markers[x.marker].at)
    return _fleet(g, x.marker, msg("{marker} goes on fighting in {place}", marker=x.marker, place=here), x.rule)


def _released(g: State, x: p.Released) -> Told:
    return _fleet(g, x.marker, msg("{marker} is out of the combat", marker=x.marker), x.rule)


def _marker_moved(g: State, x: e.MarkerMoved) -> Told | None:
    m = g.markers[x.marker]
    if m.at == x.at:
        return None
    args: dict[str, Argument] = {"power": SIDES[m.side], "origin": place(g, m.at), "place": place(g, x.at)}
    text = msg("{power}, from {origin} to {place}: {things}", things=things((x.marker,)), **args)
    return Told("move", text, x.rule, spaces=hexes(m.at, x.at))


def _marker_placed(g: State, x: e.MarkerPlaced) -> Told:
    text = msg("{power}, new task force in {place}: {marker}", power=SIDES[x.side], place=place(g, x.at), marker=x.marker)
    return Told("orders", text, x.rule, spaces=hexes(x.at))


def _marker_removed(g: State, x: e.MarkerRemoved) -> Told:
    m = g.markers[x.marker]
    text = msg("{power}, task force dissolved in {place}: {marker}", power=SIDES[m.side], place=place(g, m.at), marker=x.marker)
    return Told("orders", text, x.rule, block_of(g), hexes(m.at))


# -- what is hidden and shown ---------------------------------------------------------------------------------------------


def _veiled(g: State, x: v.Veiled) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "place": place(g, x.place)}
    text = msg("{power} arranges task forces in secret in {place}: {markers}", markers=x.markers, **args)
    return Told("orders", text, x.rule, spaces=hexes(x.place))


def _unveiled(g: State, x: v.Unveiled) -> Told:
    m = g.markers[x.marker]
    args: dict[str, Argument] = {"power": SIDES[m.side], "place": place(g, m.at), "marker": x.marker, "core": tuple(x.core)}
    none = msg("none")
    text = msg("{power} shows {marker} in {place}: core: {core}; screen: {screen}", screen=tuple(x.screen) or none, **args)
    return Told("battle", text, x.rule, block_of(g), hexes(m.at))


def _concealed(g: State, x: v.Concealed) -> Told:
    found = tuple(place(g, h) for h in sorted({g.units[u].at for u in x.units}))
    return Told("orders", msg("{power} puts forces out of sight in {places}", power=SIDES[x.side], places=found), x.rule)


def _shown(g: State, x: v.Shown) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "place": place(g, x.place), "units": tuple(x.rows) or msg("none")}
    return Told("battle", msg("{power} shows its force in {place}: {units}", **args), x.rule, block_of(g), hexes(x.place))


def _forces_stand(g: State, x: v.ForcesStand) -> Told | None:
    before = set(g.forces.get(x.side, ()))
    new, gone = (tuple(place(g, h) for h in sorted(s)) for s in ({*x.places} - before, before - {*x.places}))
    args: dict[str, Argument] = {"power": SIDES[x.side], "new": new or msg("none"), "gone": gone or msg("none")}
    return Told("orders", msg("{power}, Force markers: new in {new}, gone from {gone}", **args), x.rule)


def _ordered_in_secret(g: State, x: v.OrderedInSecret) -> Told | None:
    if not x.secret.handle:
        return None
    return Told("orders", msg("{power}: an order given in secret", power=SIDES[x.side]), x.rule)


# -- installations --------------------------------------------------------------------------------------------------------


def _installation(g: State, x: e.InstallationBecame) -> Told:
    base = g.bases(x.kind)[x.at]
    args: dict[str, Argument] = {"power": SIDES[base.side], "what": INSTALLATIONS[x.kind], "place": place(g, x.at), "n": x.hits}
    text = (
        msg("{power}, {what} in {place}: hits {n}, interdicted")
        if x.interdicted
        else msg("{power}, {what} in {place}: hits {n}")
    )
    return Told("battle", Message(text.id, args), x.rule, block_of(g), hexes(x.at))


def _installation_taken(g: State, x: e.InstallationTaken) -> Told:
    held = g.bases(x.kind).get(x.at)
    args: dict[str, Argument] = {"what": INSTALLATIONS[x.kind], "place": place(g, x.at), "after": SIDES[x.side]}
    if not x.side:
        text = msg("{what} in {place}: no longer there", **args)
    elif held is None:
        text = msg("{what} in {place}: built by {after}", **args)
    else:
        text = msg("{what} in {place}: held by {before} before, by {after} now", before=SIDES[held.side], **args)
    return Told("control", text, x.rule, block_of(g), hexes(x.at))


TELL: dict[type, Callable[[State, Any], Told | None]] = {
    p.Activated: _activated,
    p.Deactivated: _deactivated,
    p.Demoralized: _demoralized,
    p.Rallied: _rallied,
    p.FleetJoined: _fleet_joined,
    p.FleetLeft: _fleet_left,
    p.Boarded: _boarded,
    p.WentAshore: _went_ashore,
    p.Arrived: _arrived,
    e.Moved: _moved,
    e.Hit: _hit,
    e.Mended: _mended,
    e.Removed: _removed,
    e.Raised: _raised,
    e.Exchanged: _exchanged,
    e.Listed: _listed,
    p.Detected: _detected,
    p.Undetected: _undetected,
    p.Reconnoitred: _reconnoitred,
    p.Held: _held,
    p.Released: _released,
    e.MarkerMoved: _marker_moved,
    e.MarkerPlaced: _marker_placed,
    e.MarkerRemoved: _marker_removed,
    v.Veiled: _veiled,
    v.Unveiled: _unveiled,
    v.Concealed: _concealed,
    v.Shown: _shown,
    v.ForcesStand: _forces_stand,
    v.OrderedInSecret: _ordered_in_secret,
    e.InstallationBecame: _installation,
    e.InstallationTaken: _installation_taken,
}

"""Every event of Pacific War in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war import events as e
from pbem.games.pacific_war.state import Mission, State
from pbem.games.pacific_war.terms import (
    BOXES,
    CONDITIONS,
    INSTALLATIONS,
    LIGHT,
    MISSIONS,
    PHASES,
    RANGES,
    REPORTED,
    SHIPPING,
    SIDES,
    WEATHER_ZONES,
    WEATHERS,
    WORKS,
    block_of,
    month,
    place,
    side_of,
    things,
    where,
)
from pbem.games.pacific_war.words.dice import fired, thrown
from pbem.games.pacific_war.words.statements import told_statement
from pbem.kernel.events import Stated
from pbem.kernel.wording import Argument, Message, Told, msg


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    return words(g, event) if words else None


def _hexes(*places: int) -> tuple[str, ...]:
    return tuple(f"{p:04d}" for p in places if p)


# -- records of the game -------------------------------------------------------------------------------------------------


def _noted(g: State, x: e.Noted) -> Told | None:
    if x.name == "mission" and x.value is None and g.mission is not None:
        fights = g.mission.type not in ("transfer", "patrol")
        return Told("battle", msg("The mission is over"), x.rule, block_of(g), closing=fights)
    words = _NOTED.get(x.name)
    if words is None or getattr(g, x.name) == x.value:
        return None
    found = words(g, x.value)
    return Told(found[0], found[1], x.rule) if found is not None else None


Note = Callable[[State, Any], tuple[str, Message] | None]


def _control(g: State, value: dict[int, str]) -> tuple[str, Message] | None:
    changed = [h for h in value if value[h] != g.control.get(h, "")]
    if not changed:
        return None
    h = changed[0]
    before = SIDES[g.control.get(h, "")]
    return "control", msg(
        "{place}: held by {before} before, by {after} now", place=place(g, h), before=before, after=SIDES[value[h]]
    )


def _sieges(g: State, value: dict[int, str]) -> tuple[str, Message] | None:
    new = tuple(place(g, h) for h in value if h not in g.sieges)
    over = tuple(place(g, h) for h in g.sieges if h not in value)
    if new:
        return "battle", msg("Besieged: {places}", places=new)
    return ("battle", msg("The siege is over: {places}", places=over)) if over else None


def _operation(g: State, value: Any) -> tuple[str, Message] | None:
    if value is None:
        return None
    text = msg("Operation of the headquarters {hq}: bid {bid}, level {level}", hq=value.hq, bid=value.bid, level=value.level)
    return "phase", text


def _works(g: State, value: dict[int, Any]) -> tuple[str, Message] | None:
    for h, work in value.items():
        if h not in g.works:
            return "build", msg(
                "{power} builds in {place}: {what}", power=SIDES[work.side], place=place(g, h), what=WORKS[work.kind]
            )
        if work.hits > g.works[h].hits:
            return "battle", msg(
                "{power}, construction in {place}: hits {n}", power=SIDES[work.side], place=place(g, h), n=work.hits
            )
    for h, work in g.works.items():
        if h not in value:
            return "build", msg(
                "{power}, work is over in {place}: {what}", power=SIDES[work.side], place=place(g, h), what=WORKS[work.kind]
            )
    return None


def _counts(g: State, value: dict[str, int]) -> tuple[str, Message] | None:
    for key in ("merchants", "escorts"):
        if value.get(key, 0) != g.ledger.get(key, 0):
            return "income", msg("Japanese merchant shipping, {what}: {n}", what=SHIPPING[key], n=value.get(key, 0))
    return None


def _points(g: State, value: dict[str, int]) -> tuple[str, Message] | None:
    for side, n in value.items():
        if n != g.purse.get(side, 0) and n:
            return "income", msg("Command points of the month, {power}: {n}", power=SIDES[side], n=n)
    return None


def _initiative(g: State, value: int) -> tuple[str, Message]:
    return "politics", msg("Strategic initiative: {before} before, {after} now", before=g.initiative, after=value)


def _weather(g: State, value: dict[str, str]) -> tuple[str, Message]:
    found = tuple(msg("{zone}: {weather}", zone=WEATHER_ZONES[zone], weather=WEATHERS[c]) for zone, c in value.items())
    return "politics", msg("Weather of the month: {conditions}", conditions=found)


_NOTED: dict[str, Note] = {
    "cycle": lambda g, n: ("turn", msg("Battle cycle {n}", n=n)),
    "month": lambda g, n: ("turn", month(n)),
    "phase": lambda g, p: ("phase", PHASES[p]),
    "light": lambda g, v: ("orders", msg("Light: {light}", light=LIGHT[v])),
    "advantage": lambda g, v: ("orders", msg("Advantaged player: {power}", power=SIDES[v])),
    "condition": lambda g, v: ("battle", msg("Intelligence condition: {condition}", condition=CONDITIONS[v])),
    "day": lambda g, n: ("orders", msg("Day {n}", n=n)),
    "operator": lambda g, v: ("orders", msg("Operations player: {power}", power=SIDES[v])),
    "claims_next": lambda g, v: (
        ("orders", msg("May begin the next operation without a bid: {power}", power=SIDES[v])) if v in SIDES else None
    ),
    "stopped": lambda g, v: ("move", msg("The approach is stopped")) if v else None,
    "operation": _operation,
    "control": _control,
    "sieges": _sieges,
    "works": _works,
    "ledger": _counts,
    "purse": _points,
    "initiative": _initiative,
    "weather": _weather,
}


# -- units -----------------------------------------------------------------------------------------------------------------


def _became(g: State, x: e.UnitBecame) -> Told | None:
    u = g.units[x.unit]
    if getattr(u, x.name) == x.value:
        return None
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": things((x.unit,))}
    found = _sentence(g, x, args)
    if found is None:
        return None
    return Told(found[0], Message(found[1].id, args), x.rule, block_of(g), _hexes(u.at))


def _sentence(g: State, x: e.UnitBecame, args: dict[str, Argument]) -> tuple[str, Message] | None:
    match x.name:
        case "active":
            return (
                ("orders", msg("Activated, {power}, in {place}: {things}"))
                if x.value
                else ("orders", msg("Deactivated, {power}, in {place}: {things}"))
            )
        case "demoralized":
            return (
                ("battle", msg("Demoralized, {power}, in {place}: {things}"))
                if x.value
                else ("battle", msg("Rallied, {power}, in {place}: {things}"))
            )
        case "tf" if x.value:
            args["marker"] = x.value
            return "orders", msg("{power}, into task force {marker}: {things}")
        case "tf" if g.units[x.unit].active:
            args["marker"] = g.units[x.unit].tf
            return "orders", msg("{power}, out of task force {marker}: {things}")
        case "aboard":
            args["ship"] = x.value or g.units[x.unit].aboard
            return (
                ("move", msg("{power}, aboard {ship}: {things}"))
                if x.value
                else ("move", msg("{power}, from {ship} to the land base in {place}: {things}"))
            )
        case "box" if x.value == "map":
            return "build", msg("{power}, into play: {things}")
    return None


def _moved(g: State, x: e.Moved) -> Told | None:
    start = g.units[x.unit].at
    if start == x.at:
        return None
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": place(g, x.at), "things": things((x.unit,))}
    if not start:
        return Told("build", msg("{power}, placed in {place}: {things}", **args), x.rule, spaces=_hexes(x.at))
    text = msg("{power}, from {origin} to {place}: {things}", origin=place(g, start), **args)
    return Told("move", text, x.rule, block_of(g), _hexes(start, x.at))


def _given(g: State, x: e.Hit) -> Told:
    """[PW-AIR-18] [PW-DSP-01] Steps that go from one unit to others."""
    things_given = (Message(f"{x.unit} (–{{n}})", {"n": x.hits}),)
    text = msg(
        "Steps given away, {power}, in {place}: {things}", power=side_of(g, x.unit), place=where(g, x.unit), things=things_given
    )
    return Told("build", text, x.rule, spaces=_hexes(g.units[x.unit].at))


def _hit(g: State, x: e.Hit) -> Told:
    if x.rule in ("PW-AIR-18", "PW-DSP-01"):
        return _given(g, x)
    lost = (Message(f"{x.unit} (–{{n}})", {"n": x.hits, "unit": x.unit}),) if not x.box else things((x.unit,))
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": lost}
    sentence = msg("Hits, {power}, in {place}: {things}")
    if x.box:
        sentence, args["end"] = msg("{power}, in {place}, {end}: {things}"), BOXES[x.box]
        args["lost"] = _ended(x.unit, x.box)
    side, at = g.side(x.unit), g.units[x.unit].at
    return Told("loss", Message(sentence.id, args), x.rule, block_of(g), _hexes(at), loser=side)


def _ended(unit: str, box: str) -> tuple[Message, ...]:
    """A loss as a list of losses names it: `CA1 Australia (sunk)`."""
    return (Message(f"{unit} ({{end}})", {"n": 1, "unit": unit, "end": BOXES.get(box, box)}),)


def _mended(g: State, x: e.Mended) -> Told:
    thing = (Message(f"{x.unit} (+{{n}})", {"n": x.hits}),)
    text = msg(
        "Repaired or replaced, {power}, in {place}: {things}", power=side_of(g, x.unit), place=where(g, x.unit), things=thing
    )
    return Told("build", text, x.rule, spaces=_hexes(g.units[x.unit].at))


def _raised(g: State, x: e.Raised) -> Told:
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.beside), "things": things((x.unit,))}
    text = msg("{power}, in {place}, out of {parent}: {things}", parent=x.beside, **args)
    return Told("build", text, x.rule, spaces=_hexes(g.units[x.beside].at))


def _exchanged(g: State, x: e.Exchanged) -> Told:
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": things((x.other,))}
    args |= {"before": x.unit, "level": g.counter(x.other).level}
    text = msg("{power}, in {place}, {before} is of level {level} now: {things}", **args)
    return Told("build", text, x.rule, block_of(g), _hexes(g.units[x.unit].at))


def _listed(g: State, x: e.Listed) -> Told:
    return Told("build", msg("{power}, a new unit: {things}", power=side_of(g, x.unit), things=things((x.unit,))), x.rule)


def _removed(g: State, x: e.Removed) -> Told:
    args: dict[str, Argument] = {"power": side_of(g, x.unit), "place": where(g, x.unit), "things": things((x.unit,))}
    at = g.units[x.unit].at
    if x.rule == "PW-DSP-01":
        return Told("build", msg("{power}, in {place}, into its division: {things}", **args), x.rule, spaces=_hexes(at))
    args["end"], args["lost"] = BOXES.get(x.box, x.box), _ended(x.unit, x.box)
    return Told(
        "loss", msg("{power}, in {place}, {end}: {things}", **args), x.rule, block_of(g), _hexes(at), loser=g.side(x.unit)
    )


# -- task forces -----------------------------------------------------------------------------------------------------------


def _marker_moved(g: State, x: e.MarkerMoved) -> Told | None:
    m = g.markers[x.marker]
    if m.at == x.at:
        return None
    args: dict[str, Argument] = {"power": SIDES[m.side], "origin": place(g, m.at), "place": place(g, x.at)}
    text = msg("{power}, from {origin} to {place}: {things}", things=things((x.marker,)), **args)
    return Told("move", text, x.rule, spaces=_hexes(m.at, x.at))


def _marker_became(g: State, x: e.MarkerBecame) -> Told | None:
    m = g.markers[x.marker]
    if getattr(m, x.name) == x.value:
        return None
    args: dict[str, Argument] = {"power": SIDES[m.side], "marker": x.marker, "place": place(g, m.at), "level": x.value}
    match x.name:
        case "detected":
            text = msg("Detected in {place}, {power}: {marker}") if x.value else msg("No longer detected, {power}: {marker}")
        case "level" if x.value:
            text = msg("Reconnaissance of {marker}: level {level}")
        case "held":
            text = msg("{marker} goes on fighting in {place}") if x.value else msg("{marker} is out of the combat")
        case _:
            return None
    return Told("battle", Message(text.id, args), x.rule, block_of(g), _hexes(m.at))


def _marker_placed(g: State, x: e.MarkerPlaced) -> Told:
    text = msg("{power}, new task force in {place}: {marker}", power=SIDES[x.side], place=place(g, x.at), marker=x.marker)
    return Told("orders", text, x.rule, spaces=_hexes(x.at))


def _marker_removed(g: State, x: e.MarkerRemoved) -> Told:
    m = g.markers[x.marker]
    text = msg("{power}, task force dissolved in {place}: {marker}", power=SIDES[m.side], place=place(g, m.at), marker=x.marker)
    return Told("orders", text, x.rule, block_of(g), _hexes(m.at))


def _veiled(g: State, x: e.Veiled) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "place": place(g, x.place)}
    text = msg("{power} arranges task forces in secret in {place}: {markers}", markers=x.markers, **args)
    return Told("orders", text, x.rule, spaces=_hexes(x.place))


def _unveiled(g: State, x: e.Unveiled) -> Told:
    m = g.markers[x.marker]
    args: dict[str, Argument] = {"power": SIDES[m.side], "place": place(g, m.at), "marker": x.marker, "core": tuple(x.core)}
    none = msg("none")
    text = msg("{power} shows {marker} in {place}: core: {core}; screen: {screen}", screen=tuple(x.screen) or none, **args)
    return Told("battle", text, x.rule, block_of(g), _hexes(m.at))


def _concealed(g: State, x: e.Concealed) -> Told:
    found = tuple(place(g, h) for h in sorted({g.units[u].at for u in x.units}))
    return Told("orders", msg("{power} puts forces out of sight in {places}", power=SIDES[x.side], places=found), x.rule)


def _shown(g: State, x: e.Shown) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "place": place(g, x.place), "units": tuple(x.rows) or msg("none")}
    return Told("battle", msg("{power} shows its force in {place}: {units}", **args), x.rule, block_of(g), _hexes(x.place))


def _forces_stand(g: State, x: e.ForcesStand) -> Told | None:
    before = set(g.forces.get(x.side, ()))
    new, gone = (tuple(place(g, h) for h in sorted(s)) for s in ({*x.places} - before, before - {*x.places}))
    args: dict[str, Argument] = {"power": SIDES[x.side], "new": new or msg("none"), "gone": gone or msg("none")}
    return Told("orders", msg("{power}, Force markers: new in {new}, gone from {gone}", **args), x.rule)


def _ordered_in_secret(g: State, x: e.OrderedInSecret) -> Told | None:
    if not x.secret.handle:
        return None
    return Told("orders", msg("{power} has given an order in secret", power=SIDES[x.side]), x.rule)


# -- installations ---------------------------------------------------------------------------------------------------------


def _installation(g: State, x: e.InstallationBecame) -> Told | None:
    base = g.bases(x.kind)[x.at]
    if (base.hits, base.interdicted) == (x.hits, x.interdicted):
        return None
    args: dict[str, Argument] = {"power": SIDES[base.side], "what": INSTALLATIONS[x.kind], "place": place(g, x.at), "n": x.hits}
    text = (
        msg("{power}, {what} in {place}: hits {n}, interdicted")
        if x.interdicted
        else msg("{power}, {what} in {place}: hits {n}")
    )
    return Told("battle", Message(text.id, args), x.rule, block_of(g), _hexes(x.at))


def _installation_taken(g: State, x: e.InstallationTaken) -> Told:
    held = g.bases(x.kind).get(x.at)
    args: dict[str, Argument] = {"what": INSTALLATIONS[x.kind], "place": place(g, x.at), "after": SIDES[x.side]}
    if not x.side:
        text = msg("{what} in {place}: no longer there", **args)
    elif held is None:
        text = msg("{what} in {place}: built by {after}", **args)
    else:
        text = msg("{what} in {place}: held by {before} before, by {after} now", before=SIDES[held.side], **args)
    return Told("control", text, x.rule, block_of(g), _hexes(x.at))


# -- missions and combats ----------------------------------------------------------------------------------------------------


def _mission_heading(g: State, m: Mission) -> Message:
    return msg("{power}, {type}: {place}", power=SIDES[m.side], type=MISSIONS[m.type], place=place(g, m.target))


def _mission_began(g: State, x: e.MissionBegan) -> Told:
    m = x.mission
    flights = [msg("{units} ({way})", units=tuple(f.units), way=tuple(f"{h:04d}" for h in f.path)) for f in m.flights]
    text = msg("Takes off: {flights}", flights=tuple(flights))
    return Told("battle", text, x.rule, _mission_heading(g, m), _hexes(m.target))


def _mission_became(g: State, x: e.MissionBecame) -> Told | None:
    m = g.mission
    assert m is not None
    text = _mission_words(g, m, x)
    return Told("battle", text, x.rule, block_of(g), _hexes(m.target)) if text is not None else None


def _mission_words(g: State, m: Mission, x: e.MissionBecame) -> Message | None:
    if x.name == "coordinated" and m.type == "strike":
        return msg("The mission is coordinated") if x.value else msg("The mission is not coordinated")
    if x.name == "detected" and x.value:
        return msg("The mission is detected")
    if x.name == "alerted":
        return msg("Alerted: {things}", things=things(x.value) or msg("nobody"))
    if x.name == "aborted":
        new = [u for u in x.value if u not in m.aborted]
        return msg("Gives up the mission: {things}", things=things(new)) if new else None
    if x.name == "targets" and x.value:
        aims = [msg("{unit} ({targets})", unit=u, targets=tuple(map(str, at))) for u, at in x.value.items()]
        return msg("Targets: {aims}", aims=tuple(aims))
    return None


def _sea_began(g: State, x: e.SeaBegan) -> Told | None:
    if x.sea is None:
        return Told("battle", msg("The combat is over"), x.rule, block_of(g), closing=True)
    if g.sea is not None:
        return Told("battle", msg("Range: {range}", range=RANGES[x.sea.range]), x.rule, block_of(g)) if x.sea.range else None
    text = msg("Naval combat: {place}", place=place(g, x.sea.hex))
    words = (
        msg("The combat begins; surprise: {power}", power=SIDES[x.sea.surprise]) if x.sea.surprise else msg("The combat begins")
    )
    return Told("battle", words, x.rule, text, _hexes(x.sea.hex))


def _sea_became(g: State, x: e.SeaBecame) -> Told | None:
    assert g.sea is not None
    if x.name == "phase" and x.value != g.sea.phase:
        return Told("battle", msg("Round {n}", n=x.value), x.rule, block_of(g))
    if x.name == "range" and x.value != g.sea.range:
        return Told("battle", msg("Range: {range}", range=RANGES[x.value]), x.rule, block_of(g))
    return None


# -- campaigns -----------------------------------------------------------------------------------------------------------------


def _hq(g: State, x: e.HqBecame) -> Told | None:
    hq = g.hqs[x.hq]
    if getattr(hq, x.name) == x.value:
        return None
    if x.name == "points":
        text = msg("{power}, command points of {hq}: {n}", power=SIDES[hq.side], hq=x.hq, n=x.value)
        return Told("income", text, x.rule)
    if x.name == "box":
        words = {"map": msg("on the map"), "gone": msg("out of the game")}.get(x.value, msg("dispersed"))
        return Told("orders", msg("{power}, headquarters {hq}: {where}", power=SIDES[hq.side], hq=x.hq, where=words), x.rule)
    return None


def _allotted(g: State, x: e.Allotted) -> None:
    """The points of the month have been told, how they are allocated is sealed."""


def _paid(g: State, x: e.Paid) -> Told:
    hq: Argument = x.payment.hq or "–"
    text = msg("{power}, command points of {hq}: {n}", power=SIDES[x.side], hq=hq, n=f"{-x.payment.points:+}")
    return Told("income", text, x.rule)


def _operation_became(g: State, x: e.OperationBecame) -> Told | None:
    if x.name == "reaction":
        return Told("orders", msg("Reaction time ends {n} days after the start", n=x.value), x.rule)
    if x.name == "penalty":
        return Told("orders", msg("Penalty time, {n} days after the start", n=x.value), x.rule)
    return None


# -- statements and the end -----------------------------------------------------------------------------------------------


def _remarked(g: State, x: e.Remarked) -> Told:
    return Told("battle", x.text, x.rule, block_of(g))


def _reported(g: State, x: e.Reported) -> Told:
    if "decoy" in x.found:
        return Told("battle", msg("Report of {marker}: no ships", marker=x.marker), x.rule, block_of(g))
    parts = tuple(msg("{what} {n}", what=REPORTED.get(what, what), n=n) for what, n in x.found.items())
    return Told("battle", msg("Report of {marker}: {parts}", marker=x.marker, parts=parts), x.rule, block_of(g))


def _ground_fought(g: State, x: e.GroundFought) -> Told:
    text = msg(
        "Result {n}: steps lost by the attacker {lost}, by the defender {killed}; must retreat: {side}",
        n=x.net,
        lost=x.lost,
        killed=x.killed,
        side=SIDES[x.retreats],
    )
    return Told("battle", text, x.rule, block_of(g), _hexes(x.hex))


def _won(g: State, x: e.Won) -> Told:
    return Told("end", msg("The game is won by: {side}. {reason}", side=SIDES[x.side], reason=x.reason), x.rule)


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    e.Rolled: thrown,
    e.Fired: fired,
    e.Noted: _noted,
    e.UnitBecame: _became,
    e.Moved: _moved,
    e.Hit: _hit,
    e.Mended: _mended,
    e.Removed: _removed,
    e.Raised: _raised,
    e.Exchanged: _exchanged,
    e.Listed: _listed,
    e.MarkerMoved: _marker_moved,
    e.MarkerBecame: _marker_became,
    e.MarkerPlaced: _marker_placed,
    e.MarkerRemoved: _marker_removed,
    e.Veiled: _veiled,
    e.Unveiled: _unveiled,
    e.Concealed: _concealed,
    e.Shown: _shown,
    e.ForcesStand: _forces_stand,
    e.OrderedInSecret: _ordered_in_secret,
    e.InstallationBecame: _installation,
    e.InstallationTaken: _installation_taken,
    e.MissionBegan: _mission_began,
    e.MissionBecame: _mission_became,
    e.SeaBegan: _sea_began,
    e.SeaBecame: _sea_became,
    e.HqBecame: _hq,
    e.Allotted: _allotted,
    e.Paid: _paid,
    e.OperationBecame: _operation_became,
    e.Remarked: _remarked,
    e.Reported: _reported,
    e.GroundFought: _ground_fought,
    Stated: told_statement,
    e.Won: _won,
}

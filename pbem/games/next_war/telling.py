"""Every event of the Next War series in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war import events as e
from pbem.games.next_war import tallies as t
from pbem.games.next_war.charts import fire_result
from pbem.games.next_war.labels import (
    AIR_LEVELS,
    HOW,
    PHASES,
    SEGMENTS,
    SIDES,
    WEATHERS,
    area,
    block_of,
    combat,
    place,
    units,
    where,
)
from pbem.games.next_war.state import ALLIED, FOE, LEVELS, State
from pbem.games.next_war.strength import Part, attack_strength, is_soft, modifiers, odds_of, shifts
from pbem.games.next_war.victory import why_it_ended
from pbem.kernel.wording import Argument, Message, Told, msg, signed


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    return words(g, event) if words else None


def _labels(g: State, *places: int) -> tuple[str, ...]:
    return tuple(g.board.hexes[p].label for p in places if p in g.board.hexes)


# -- the turn ----------------------------------------------------------------------------------------------------------


def _phase(g: State, x: e.PhaseBegan) -> Told | None:
    if x.turn == g.turn and x.phase == g.phase:
        return None
    topic = "turn" if x.turn != g.turn else "phase"
    return Told(topic, msg("Turn {turn}: {phase}", turn=x.turn, phase=PHASES[x.phase]), x.rule)


def _segment(g: State, x: e.SegmentBegan) -> Told:
    args: dict[str, Argument] = {"segment": SEGMENTS[x.segment, x.kind], "power": SIDES[x.side]}
    return Told("phase", msg("{segment}: {power}", **args), x.rule)


def _won(g: State, x: e.Won) -> Told:
    text = msg("The game is over. Winner: {side}. {reason}", side=SIDES[x.winner], reason=why_it_ended(x.level, x.reason))
    return Told("end", text, x.rule)


# -- moves -------------------------------------------------------------------------------------------------------------


def _moved(g: State, x: e.Moved) -> Told | None:
    if x.mode == "assault":  # told as the units leave their ships
        return None
    first = g.pieces[x.units[0]]
    args: dict[str, Argument] = {
        "power": SIDES[g.seat(x.units[0])],
        "how": HOW.get(x.mode, x.mode),
        "origin": place(g, x.path[0]) if x.path[0] in g.board.hexes else where(g, first.at, first.box, first.aboard),
        "place": place(g, x.path[-1]),
        "things": units(g, x.units),
    }
    text = msg("{power}, {how}, from {origin} to {place}: {things}", **args)
    if len(x.path) > 2:
        text = msg("{power}, {how}, from {origin} via {way} to {place}: {things}", way=_labels(g, *x.path[1:-1]), **args)
    return Told("move", text, x.rule, block_of(g), _labels(g, x.path[0], x.path[-1]))


def _sailed(g: State, x: e.Sailed) -> Told:
    piece = g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[g.seat(x.unit)], "place": where(g, x.at, x.box)}
    args |= {"origin": where(g, piece.at, piece.box), "things": units(g, (x.unit, *g.cargo(x.unit)))}
    text = msg("{power}, by sea, from {origin} to {place}: {things}", **args)
    return Told("move", text, x.rule, block_of(g), _labels(g, x.at))


def _placed(g: State, x: e.Placed) -> Told | None:
    piece = g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[g.seat(x.unit)], "things": units(g, (x.unit,))}
    to = where(g, x.at, x.box, x.aboard)
    if piece.box in ("due", "eliminated", "removed"):
        text = msg("{power}, arrival in {place}: {things}", place=to, **args)
        return Told("build", text, x.rule, spaces=_labels(g, x.at))
    if (piece.at, piece.box, piece.aboard) == (x.at, x.box, x.aboard):
        return None
    text = msg(
        "{power}, from {origin} to {place}: {things}", origin=where(g, piece.at, piece.box, piece.aboard), place=to, **args
    )
    return Told("move", text, x.rule, block_of(g), _labels(g, x.at))


# -- losses ------------------------------------------------------------------------------------------------------------


def _step_lost(g: State, x: e.StepLost) -> Told:
    side, piece = g.seat(x.unit), g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[side], "place": where(g, piece.at, piece.box), "things": units(g, (x.unit,))}
    args["lost"] = (Message(f"{g.counter(x.unit).name} (−1)", {"n": 1}),)
    text = msg("Step lost, {power}, in {place}: {things}", **args)
    return Told("loss", text, x.rule, block_of(g), _labels(g, piece.at), loser=side)


def _eliminated(g: State, x: e.Eliminated) -> Told:
    side, piece = g.seat(x.unit), g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[side], "place": where(g, piece.at, piece.box)}
    args["things"] = units(g, (x.unit, *g.cargo(x.unit)))
    text = msg("Destroyed, {power}, in {place}: {things}", **args)
    return Told("loss", text, x.rule, block_of(g), _labels(g, piece.at), loser=side)


def _restored(g: State, x: e.Restored) -> Told:
    args: dict[str, Argument] = {"power": SIDES[g.seat(x.unit)], "things": units(g, (x.unit,))}
    text = msg("Step recovered, {power}, in {place}: {things}", place=place(g, g.pieces[x.unit].at), **args)
    return Told("build", text, x.rule, spaces=_labels(g, g.pieces[x.unit].at))


# -- places and markers --------------------------------------------------------------------------------------------------


def _control(g: State, x: e.ControlTaken) -> Told:
    args: dict[str, Argument] = {
        "place": place(g, x.place),
        "before": SIDES[g.control.get(x.place, "")],
        "after": SIDES[x.side],
    }
    text = msg("{place}: held by {before} before, by {after} now", **args)
    return Told("control", text, x.rule, block_of(g), _labels(g, x.place))


def _marker_drawn(g: State, x: e.MarkerDrawn) -> Told:
    text = msg("Clearing marker of {power}, face down: {place}", power=SIDES[x.side], place=place(g, x.place))
    return Told("control", text, x.rule, block_of(g), _labels(g, x.place))


def _marker_turned(g: State, x: e.MarkerTurned) -> Told:
    text = msg("The Clearing marker in {place} is turned up: {number}", place=place(g, x.place), number=x.number)
    return Told("control", text, x.rule, spaces=_labels(g, x.place))


def _marker_gone(g: State, x: e.MarkerGone) -> Told:
    text = msg("The Clearing marker is taken off: {place}", place=place(g, x.place))
    return Told("control", text, x.rule, block_of(g), _labels(g, x.place))


def _beachhead(g: State, x: e.BeachheadPlaced) -> Told:
    text = msg("Beachhead of {power}: {place}", power=SIDES[x.side], place=place(g, x.place))
    return Told("control", text, x.rule, block_of(g), _labels(g, x.place))


def _beachhead_gone(g: State, x: e.BeachheadGone) -> Told:
    return Told(
        "control", msg("Beachhead taken off: {place}", place=place(g, x.place)), x.rule, block_of(g), _labels(g, x.place)
    )


def _beachhead_hit(g: State, x: e.BeachheadHit) -> Told:
    text = msg("The Beachhead loses a step: {place}", place=place(g, x.place))
    return Told("loss", text, x.rule, block_of(g), _labels(g, x.place), loser=g.beachheads[x.place].side)


def _mines(g: State, x: e.MinesSet) -> Told:
    text = msg("Mines of {power} in {place}: density {n}", power=SIDES[x.side], place=place(g, x.place), n=x.density)
    if not x.density:
        text = msg("Mines cleared: {place}", place=place(g, x.place))
    return Told("control", text, x.rule, spaces=_labels(g, x.place))


def _scored(g: State, x: e.Scored) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "points": x.points, "why": x.why}
    text = msg("Victory Points of {power}: {points}, {why}", **args)
    return Told("income", text, x.rule, block_of(g))


# -- combat --------------------------------------------------------------------------------------------------------------


def _attack(g: State, x: e.AttackDeclared) -> Told:
    f = x.fight
    target, soft = f.target, is_soft(g, g.ground(FOE[f.side], f.target))
    named = tuple(
        msg("{unit} (attack {n})", unit=g.counter(u).name, n=attack_strength(g, u, target, u in f.amphibious, soft))
        for u in f.units
    )
    args: dict[str, Argument] = {
        "power": SIDES[f.side],
        "place": place(g, target),
        "units": named,
        "lead": g.counter(f.lead).name,
    }
    text = msg("{power} attacks {place}: {units}; lead unit: {lead}", **args)
    return Told("battle", text, x.rule, combat(g, target), _labels(g, target))


def _defense_led(g: State, x: e.DefenseLed) -> Told:
    return Told("battle", msg("Lead unit of the defense: {unit}", unit=g.counter(x.unit).name), x.rule, block_of(g))


def _support_left(g: State, x: e.SupportLeft) -> Told | None:
    f = g.fight
    if (
        f is None
        or x.points == f.support.get(x.side)
        or not (f.points.get(x.side) or f.helos.get(x.side) or f.ships.get(x.side))
    ):
        return None
    text = msg("Combat support of {power} after Air Defense Fire: {n}", power=SIDES[x.side], n=x.points)
    return Told("battle", text, x.rule, block_of(g))


def _must_retreat(g: State, x: e.MustRetreat) -> Told | None:
    return Told("battle", msg("The defender retreats, hexes: {n}", n=x.hexes), x.rule, block_of(g)) if x.hexes else None


def _odds(g: State, x: e.ColumnFound) -> Told:
    """[9.2.2, 9.2.3] Strengths, odds, shifts and column, as both sides know them before they name their support."""
    assert g.fight is not None
    found = odds_of(g, g.fight)
    text = msg(
        "Attack {attack} against defense {defense}, odds {ratio}, {shifts}: column {column}",
        attack=found.attack,
        defense=found.defense,
        ratio=found.ratio,
        shifts=tuple(map(_part, shifts(g, g.fight))) or msg("no shift"),
        column=x.column,
    )
    return Told("battle", text, x.rule, block_of(g))


def _air_support(g: State, x: e.AirSupportNamed) -> Told | None:
    text = msg("Air Points of {power} in support: {n}", power=SIDES[x.side], n=x.points)
    return Told("battle", text, x.rule, block_of(g)) if x.points else None


def _units_in_support(g: State, x: e.HelicopterSupportNamed | e.NavalSupportNamed) -> Told | None:
    named = x.helos if isinstance(x, e.HelicopterSupportNamed) else x.ships
    text = msg("In support of {power}: {things}", power=SIDES[x.side], things=units(g, named))
    return Told("battle", text, x.rule, block_of(g)) if named else None


def _part(part: Part) -> Message:
    return Message("{by} {what}", {"by": signed(part.value), "what": part.why})


# -- dice ----------------------------------------------------------------------------------------------------------------


RESULTS = {
    "passed": msg("passed"),
    "failed": msg("failed"),
    "done": msg("success"),
    "no effect": msg("no effect"),
    "cleared": msg("cleared"),
    "not cleared": msg("not cleared"),
    "contested": msg("Contested"),
    "lost": msg("lost"),
    "destroyed": msg("destroyed"),
    "step": msg("a step lost"),
    "none": msg("no effect"),
    "-": msg("no effect"),
    "aborted": msg("the move is broken off"),
    "ok": msg("safe"),
    "loss": msg("the move is broken off, and a step lost by all aboard"),
    "rebase": msg("flies to another base"),
    "victory": msg("victory"),
    "nothing": msg("nothing"),
    "clear": msg("Clear"),
    "overcast": msg("Overcast"),
    "storm": msg("Storm"),
    "allied": msg("Allied"),
    "non-allied": msg("Non-Allied"),
}
DICE = {  # what a die was thrown for -> its sentence
    "weather": msg("Weather: {roll}"),
    "efficiency check, ignoring a retreat": msg("Efficiency check to ignore the retreat: {roll}"),
    "efficiency check, {name} cannot retreat": msg("Efficiency check without a way to retreat, {name}: {roll}"),
    "efficiency check, {name} passes an enemy zone": msg("Efficiency check in an enemy zone, {name}: {roll}"),
    "bridge, destroy": msg("Destruction of a bridge: {roll}"),
    "bridge, repair": msg("Repair of a bridge: {roll}"),
    "sea control, {name}": msg("Sea control, {name}: {roll}"),
    "mine clearing, {name}": msg("Mine clearing, {name}: {roll}"),
    "Air Points, {side}": msg("Air Points, {side}: {roll}"),
    "Air Defense Fire at Air Points, {side}": msg("Air Defense Fire at the Air Points of {side}: {roll}"),
    "Air Defense Fire at {name}": msg("Air Defense Fire at {name}: {roll}"),
    "loss of base, {name}": msg("Loss of its base, {name}: {roll}"),
    "paradrop, {name}": msg("Paradrop, {name}: {roll}"),
    "contested sea movement, {name}": msg("Contested sea movement, {name}: {roll}"),
    "clearing {name}": msg("Clearing, {name}: {roll}"),
    "loss of an air point, {side}": msg("Loss of an Air Point, {side}: {roll}"),
    "loss of an airmobile point, {side}": msg("Loss of an Airmobile Point, {side}: {roll}"),
    "Automatic Victory, {side}": msg("Automatic Victory, {side}: {roll}"),
    "efficiency check, {name} flees again": msg("Efficiency check of a unit that flees again, {name}: {roll}"),
}
FIRES = ("Air Defense Fire at Air Points, {side}", "Air Defense Fire at {name}")


def _face(die: int) -> int:
    """A die of 0 to 9 as the protocol rolls it: 0 comes as 10."""
    return die or 10


def _thrown(g: State, x: e.Thrown) -> Told:
    sentence = DICE[x.label.id]
    text = Message(sentence.id, {**x.label.args, "roll": _roll(x, g.fight is not None)})
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),), ten_is_zero=True)


def _roll(x: e.Thrown, fighting: bool) -> Message:
    result: Argument = RESULTS.get(x.outcome, x.outcome)
    if x.label.id in FIRES:
        result = _fire(x.outcome, fighting, x.rule)
    elif x.outcome == "steps lost":
        result = msg("steps lost: {n}", n=x.number or 0)
    elif x.number is not None:
        result = x.number
    if not x.drm:
        return msg("die {die}, {result}; rolled", die=x.die, result=result)
    args: dict[str, Argument] = {"die": x.die, "drm": signed(x.drm), "total": x.die + x.drm, "result": result}
    return msg("die {die} {drm}, gives {total}, {result}; rolled", **args)


def _fire(text: str, fighting: bool, rule: str) -> Argument:
    """[6.6.1.1] A result of Air Defense Fire in words, with its printed form: Combat Support is never aborted, loses points."""
    fire = fire_result(text)
    parts = (
        (msg("mission aborted"), fire.abort and not fighting),
        (msg("without effect: {n}", n=fire.spoiled), bool(fire.spoiled) and fighting and rule == "6.6.1"),
        (msg("lost for good"), fire.lost),
    )
    return (text, *(said for said, there in parts if there)) if any(there for _, there in parts) else msg("no effect")


def _combat_thrown(g: State, x: e.CombatThrown) -> Told:
    assert g.fight is not None
    rest = x.drm - sum(p.value for p in modifiers(g, g.fight))
    named = tuple(map(_part, modifiers(g, g.fight)))
    if rest:
        named = (Message("{by} {what}", {"by": signed(rest), "what": msg("odds")}), *named)
    text = msg(
        "Odds {ratio}, column {column}; die {die}, {modifiers}, gives {total}; result attacker/defender {result}; rolled",
        ratio=x.ratio,
        column=x.column,
        die=x.die,
        modifiers=named or msg("no modifier"),
        total=x.die + x.drm,
        result=x.outcome,
    )
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),), ten_is_zero=True)


# -- records -------------------------------------------------------------------------------------------------------------


def air_level(level: int) -> Message:
    """[6.4] The Air Superiority level, from -3 to 3."""
    if not level:
        return msg("Air Superiority: {level}", level=AIR_LEVELS[0])
    side = SIDES[ALLIED if level > 0 else FOE[ALLIED]]
    return msg("Air Superiority: {level}, {power}", level=AIR_LEVELS[min(abs(level), len(LEVELS) - 1)], power=side)


def _weather(g: State, x: t.WeatherSet) -> Told:
    return Told("orders", msg("Weather: {weather}", weather=WEATHERS[x.weather]), x.rule)


def _turn_opened(g: State, x: t.TurnOpened) -> Told | None:
    text = msg("This is a Contested Turn") if x.contested else msg("This is an Initiative Turn")
    return Told("orders", text, x.rule) if x.contested != g.contested else None


def _initiative(g: State, x: t.InitiativeHeld) -> Told:
    return Told("orders", msg("Initiative: {power}", power=SIDES[x.side]), x.rule)


def _air_level(g: State, x: t.AirLevelSet) -> Told | None:
    return Told("orders", air_level(x.level), x.rule) if x.level != g.air_level else None


def _points(g: State, x: t.PointsCounted) -> Told | None:
    """Scores that moved; both are told."""
    after = {side: g.vp[side] + g.vp_turn[side] for side in g.vp}
    text = msg("Victory Points: Allied {allied}, Non-Allied {other}", allied=after[ALLIED], other=after[FOE[ALLIED]])
    return Told("income", text, x.rule) if after != g.vp else None


def _supply(g: State, x: t.SupplyJudged) -> Told | None:
    text = msg("Out of supply: {names}", names=tuple(g.counter(u).name for u in x.out) or msg("nobody"))
    return Told("orders", text, x.rule) if list(x.out) != g.unsupplied else None


def _sea_control(g: State, x: t.SeaControlSet) -> Told | None:
    text = msg("Sea control of {place}: {power}", place=area(g, x.area), power=SIDES[x.side or ""])
    return Told("control", text, x.rule) if g.sea_control.get(x.area) != x.side else None


def _tally(g: State, sentence: Message, side: str, n: int, before: int | None, rule: str) -> Told | None:
    """A number of a side that changes."""
    if n == before:
        return None
    text = Message(sentence.id, {"power": SIDES.get(side, side), "n": n})
    return Told("income" if rule in INCOME else "orders", text, rule, block_of(g))


INCOME = ("6.1", "11.0")
AIR = msg("Air Points of {power}: {n}")


def _air_received(g: State, x: t.AirPointsReceived) -> Told | None:
    return _tally(g, AIR, x.side, x.points, g.air.get(x.side), x.rule)


def _air_spent(g: State, x: t.AirPointsSpent) -> Told | None:
    return _tally(g, AIR, x.side, x.left, g.air.get(x.side), x.rule) if g.fight is None else None  # else told as support


def _air_lost(g: State, x: t.AirPointLost) -> Told | None:
    return _tally(g, msg("Air Points that {power} has lost for good: {n}"), x.side, g.air_lost[x.side] + 1, None, x.rule)


def _airmobile(g: State, x: t.AirmobilePointsSet) -> Told | None:
    return _tally(g, msg("Airmobile Points of {power}: {n}"), x.side, x.points, g.lift_points.get(x.side), x.rule)


def _threat(g: State, x: t.ThreatSet) -> Told | None:
    return _tally(g, msg("Submarine threat of {power}: {n}"), x.side, x.level, g.threat.get(x.side), x.rule)


def _antisubmarine(g: State, x: t.AntisubmarineSet) -> Told | None:
    return _tally(g, msg("Antisubmarine level of {power}: {n}"), x.side, x.level, g.asw.get(x.side), x.rule)


def _replacements(g: State, x: t.ReplacementsSet) -> Told | None:
    return _tally(g, msg("Replacement points of {power}: {n}"), x.nation, x.points, g.replacements.get(x.nation), x.rule)


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    e.PhaseBegan: _phase,
    e.SegmentBegan: _segment,
    e.Won: _won,
    e.Moved: _moved,
    e.Sailed: _sailed,
    e.Placed: _placed,
    e.StepLost: _step_lost,
    e.Eliminated: _eliminated,
    e.Restored: _restored,
    e.ControlTaken: _control,
    e.MarkerDrawn: _marker_drawn,
    e.MarkerTurned: _marker_turned,
    e.MarkerGone: _marker_gone,
    e.BeachheadPlaced: _beachhead,
    e.BeachheadGone: _beachhead_gone,
    e.BeachheadHit: _beachhead_hit,
    e.MinesSet: _mines,
    e.Scored: _scored,
    e.AttackDeclared: _attack,
    e.DefenseLed: _defense_led,
    e.ColumnFound: _odds,
    e.AirSupportNamed: _air_support,
    e.HelicopterSupportNamed: _units_in_support,
    e.NavalSupportNamed: _units_in_support,
    e.SupportLeft: _support_left,
    e.MustRetreat: _must_retreat,
    e.Thrown: _thrown,
    e.CombatThrown: _combat_thrown,
    t.WeatherSet: _weather,
    t.TurnOpened: _turn_opened,
    t.InitiativeHeld: _initiative,
    t.AirLevelSet: _air_level,
    t.PointsCounted: _points,
    t.SupplyJudged: _supply,
    t.SeaControlSet: _sea_control,
    t.AirPointsReceived: _air_received,
    t.AirPointsSpent: _air_spent,
    t.AirPointLost: _air_lost,
    t.AirmobilePointsSet: _airmobile,
    t.ThreatSet: _threat,
    t.AntisubmarineSet: _antisubmarine,
    t.ReplacementsSet: _replacements,
}

"""Every event of the Next War series in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war import events as e
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


def _fight_noted(g: State, x: e.FightNoted) -> Told | None:
    match x.name:
        case "defender_lead" if x.value:
            return Told("battle", msg("Lead unit of the defense: {unit}", unit=g.counter(x.value).name), x.rule, block_of(g))
        case "column":
            return _odds(g, x)
        case "support":
            assert g.fight is not None
            side = next((s for s in x.value if x.value[s] != g.fight.support.get(s)), "")
            f = g.fight
            if not side or not (f.points.get(side) or f.helos.get(side) or f.ships.get(side)):
                return None
            text = msg("Combat support of {power} after Air Defense Fire: {n}", power=SIDES[side], n=x.value[side])
            return Told("battle", text, x.rule, block_of(g))
        case "retreated" if x.value:
            return Told("battle", msg("The defender retreats, hexes: {n}", n=x.value), x.rule, block_of(g))
    return _support_named(g, x)


def _odds(g: State, x: e.FightNoted) -> Told:
    """[9.2.2, 9.2.3] Strengths, odds, shifts and column, as both sides know them before they name their support."""
    assert g.fight is not None
    found = odds_of(g, g.fight)
    text = msg(
        "Attack {attack} against defense {defense}, odds {ratio}, {shifts}: column {column}",
        attack=found.attack,
        defense=found.defense,
        ratio=found.ratio,
        shifts=tuple(map(_part, shifts(g, g.fight))) or msg("no shift"),
        column=x.value,
    )
    return Told("battle", text, x.rule, block_of(g))


def _support_named(g: State, x: e.FightNoted) -> Told | None:
    """Helicopters, ships and Air Points that a side names for the combat."""
    assert g.fight is not None
    if x.name not in ("helos", "ships", "points"):
        return None
    before = getattr(g.fight, x.name)
    side = next((s for s in x.value if x.value[s] != before.get(s)), "")
    if not side or not x.value[side]:
        return None
    if x.name == "points":
        text = msg("Air Points of {power} in support: {n}", power=SIDES[side], n=x.value[side])
    else:
        text = msg("In support of {power}: {things}", power=SIDES[side], things=units(g, x.value[side]))
    return Told("battle", text, x.rule, block_of(g))


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
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),))


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
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),))


# -- records -------------------------------------------------------------------------------------------------------------


def air_level(level: int) -> Message:
    """[6.4] The Air Superiority level, from -3 to 3."""
    if not level:
        return msg("Air Superiority: {level}", level=AIR_LEVELS[0])
    side = SIDES[ALLIED if level > 0 else FOE[ALLIED]]
    return msg("Air Superiority: {level}, {power}", level=AIR_LEVELS[min(abs(level), len(LEVELS) - 1)], power=side)


def _noted(g: State, x: e.Noted) -> Told | None:
    words = _NOTED.get(x.name)
    if words is None or (getattr(g, x.name) == x.value and x.name not in ("weather", "first")):
        return None
    topic, text = words(g, x.value)
    return Told(topic, text, x.rule)


def _points(g: State, value: dict[str, int]) -> tuple[str, Message]:
    both: dict[str, Argument] = {"allied": value[ALLIED], "other": value[FOE[ALLIED]]}
    return "income", msg("Victory Points: Allied {allied}, Non-Allied {other}", **both)


def _unsupplied(g: State, value: list[str]) -> tuple[str, Message]:
    return "orders", msg("Out of supply: {names}", names=tuple(g.counter(u).name for u in value) or msg("nobody"))


_NOTED: dict[str, Callable[[State, Any], tuple[str, Message]]] = {
    "weather": lambda g, v: ("orders", msg("Weather: {weather}", weather=WEATHERS[v])),
    "first": lambda g, v: ("orders", msg("Initiative: {power}", power=SIDES[v])),
    "contested": lambda g, v: ("orders", msg("This is a Contested Turn") if v else msg("This is an Initiative Turn")),
    "air_level": lambda g, v: ("orders", air_level(v)),
    "vp": _points,
    "unsupplied": _unsupplied,
}


def _counted(g: State, x: e.Counted) -> Told | None:
    record = getattr(g, x.name)
    if record.get(x.key) == x.value:
        return None
    if x.name == "sea_control":
        args: dict[str, Argument] = {"place": area(g, x.key), "power": SIDES[x.value or ""]}
        return Told("control", msg("Sea control of {place}: {power}", **args), x.rule)
    sentence = _COUNTED.get(x.name)
    if sentence is None or (x.name == "air" and g.fight is not None):  # told as support
        return None
    topic = "income" if x.rule in INCOME else "orders"
    return Told(topic, Message(sentence.id, {"power": SIDES.get(x.key, x.key), "n": x.value}), x.rule, block_of(g))


INCOME = ("6.1", "11.0")
_COUNTED = {
    "air": msg("Air Points of {power}: {n}"),
    "air_lost": msg("Air Points that {power} has lost for good: {n}"),
    "lift_points": msg("Airmobile Points of {power}: {n}"),
    "threat": msg("Submarine threat of {power}: {n}"),
    "asw": msg("Antisubmarine level of {power}: {n}"),
    "replacements": msg("Replacement points of {power}: {n}"),
}


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
    e.FightNoted: _fight_noted,
    e.Thrown: _thrown,
    e.CombatThrown: _combat_thrown,
    e.Noted: _noted,
    e.Counted: _counted,
}

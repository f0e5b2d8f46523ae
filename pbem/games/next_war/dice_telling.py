"""Every die of the Next War series in words: what it was thrown for, what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war.charts import fire_result
from pbem.games.next_war.combat_telling import part_said
from pbem.games.next_war.events.combat import CombatThrown, Thrown
from pbem.games.next_war.labels import block_of
from pbem.games.next_war.state import State
from pbem.games.next_war.strength import modifiers
from pbem.kernel.wording import Argument, Message, Told, msg, signed

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


def _thrown(g: State, x: Thrown) -> Told:
    sentence = DICE[x.label.id]
    result = _result(x, g.fight is not None)
    text = Message(sentence.id, {**x.label.args, "roll": _roll(x, result)})
    short = Message(
        sentence.id, {**x.label.args, "roll": result if isinstance(result, Message) else msg("{result}", result=result)}
    )
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),), ten_is_zero=True, short=short)


def _result(x: Thrown, fighting: bool) -> Argument:
    result: Argument = RESULTS.get(x.outcome, x.outcome)
    if x.label.id in FIRES:
        result = _fire(x.outcome, fighting, x.rule)
    elif x.outcome == "steps lost":
        result = msg("steps lost: {n}", n=x.number or 0)
    elif x.number is not None:
        result = msg("points: {n}", n=x.number)
    return result


def _roll(x: Thrown, result: Argument) -> Message:
    """The die with what changes it, and what it brought."""
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


def _combat_thrown(g: State, x: CombatThrown) -> Told:
    assert g.fight is not None
    rest = x.drm - sum(p.value for p in modifiers(g, g.fight))
    named = tuple(map(part_said, modifiers(g, g.fight)))
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
    short = msg("odds {ratio}, result attacker/defender {result}", ratio=x.ratio, result=x.outcome)
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),), ten_is_zero=True, short=short)


DICE_TOLD: dict[type, Callable[[State, Any], Told | None]] = {
    Thrown: _thrown,
    CombatThrown: _combat_thrown,
}

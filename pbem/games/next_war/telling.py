"""Every event of the Next War series in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war.combat_telling import COMBAT_TOLD
from pbem.games.next_war.dice_telling import DICE_TOLD
from pbem.games.next_war.events import losses, markers, moves, turns
from pbem.games.next_war.labels import HOW, PHASES, SEGMENTS, SIDES, block_of, gone, labels_of, place, units, where
from pbem.games.next_war.record_telling import RECORDS_TOLD
from pbem.games.next_war.state import State
from pbem.games.next_war.victory import why_it_ended
from pbem.kernel.wording import Argument, Message, Told, msg


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    return words(g, event) if words else None


def _phase(g: State, x: turns.PhaseBegan) -> Told | None:
    if x.turn == g.turn and x.phase == g.phase:
        return None
    topic = "turn" if x.turn != g.turn else "phase"
    return Told(topic, msg("Turn {turn}: {phase}", turn=x.turn, phase=PHASES[x.phase]), x.rule)


def _segment(g: State, x: turns.SegmentBegan) -> Told:
    args: dict[str, Argument] = {"segment": SEGMENTS[x.segment, x.kind], "power": SIDES[x.side]}
    return Told("phase", msg("{segment}: {power}", **args), x.rule)


def _won(g: State, x: turns.Won) -> Told:
    text = msg("The game is over. Winner: {side} ({reason})", side=SIDES[x.winner], reason=why_it_ended(x.level, x.reason))
    return Told("end", text, x.rule)


def _moved(g: State, x: moves.Moved) -> Told | None:
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
        text = msg("{power}, {how}, from {origin} via {way} to {place}: {things}", way=labels_of(g, *x.path[1:-1]), **args)
    return Told("move", text, x.rule, block_of(g), labels_of(g, x.path[0], x.path[-1]))


def _sailed(g: State, x: moves.Sailed) -> Told:
    piece = g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[g.seat(x.unit)], "place": where(g, x.at, x.box)}
    args |= {"origin": where(g, piece.at, piece.box), "things": units(g, (x.unit, *g.cargo(x.unit)))}
    text = msg("{power}, by sea, from {origin} to {place}: {things}", **args)
    return Told("move", text, x.rule, block_of(g), labels_of(g, x.at))


def _placed(g: State, x: moves.Placed) -> Told | None:
    piece = g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[g.seat(x.unit)], "things": units(g, (x.unit,))}
    to = where(g, x.at, x.box, x.aboard)
    if piece.box in ("due", "eliminated", "removed"):
        text = msg("{power}, arrival in {place}: {things}", place=to, **args)
        return Told("build", text, x.rule, spaces=labels_of(g, x.at))
    if (piece.at, piece.box, piece.aboard) == (x.at, x.box, x.aboard):
        return None
    text = msg(
        "{power}, from {origin} to {place}: {things}", origin=where(g, piece.at, piece.box, piece.aboard), place=to, **args
    )
    return Told("move", text, x.rule, block_of(g), labels_of(g, x.at))


def _step_lost(g: State, x: losses.StepLost) -> Told:
    side, piece = g.seat(x.unit), g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[side], "place": where(g, piece.at, piece.box), "things": units(g, (x.unit,))}
    args["lost"] = (Message(f"{g.counter(x.unit).name} (−1)", {"n": 1, "unit": x.unit}),)
    text = msg("Step lost, {power}, in {place}: {things}", **args)
    return Told("loss", text, x.rule, block_of(g), labels_of(g, piece.at), loser=side)


def _eliminated(g: State, x: losses.Eliminated) -> Told:
    side, piece = g.seat(x.unit), g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[side], "place": where(g, piece.at, piece.box)}
    lost = (x.unit, *g.cargo(x.unit))
    args["things"], args["lost"] = units(g, lost), gone(g, lost)
    text = msg("Destroyed, {power}, in {place}: {things}", **args)
    return Told("loss", text, x.rule, block_of(g), labels_of(g, piece.at), loser=side)


def _restored(g: State, x: losses.Restored) -> Told:
    args: dict[str, Argument] = {"power": SIDES[g.seat(x.unit)], "things": units(g, (x.unit,))}
    text = msg("Step recovered, {power}, in {place}: {things}", place=place(g, g.pieces[x.unit].at), **args)
    return Told("build", text, x.rule, spaces=labels_of(g, g.pieces[x.unit].at))


def _control(g: State, x: markers.ControlTaken) -> Told:
    args: dict[str, Argument] = {
        "place": place(g, x.place),
        "before": SIDES[g.control.get(x.place, "")],
        "after": SIDES[x.side],
    }
    text = msg("{place}: held by {before} before, by {after} now", **args)
    return Told("control", text, x.rule, block_of(g), labels_of(g, x.place))


def _marker_drawn(g: State, x: markers.MarkerDrawn) -> Told:
    text = msg("Clearing marker of {power}, face down: {place}", power=SIDES[x.side], place=place(g, x.place))
    return Told("orders", text, x.rule, block_of(g), labels_of(g, x.place))


def _marker_turned(g: State, x: markers.MarkerTurned) -> Told:
    text = msg("The Clearing marker in {place} is turned up: {number}", place=place(g, x.place), number=x.number)
    return Told("orders", text, x.rule, spaces=labels_of(g, x.place))


def _marker_gone(g: State, x: markers.MarkerGone) -> Told:
    text = msg("The Clearing marker is taken off: {place}", place=place(g, x.place))
    return Told("orders", text, x.rule, block_of(g), labels_of(g, x.place))


def _beachhead(g: State, x: markers.BeachheadPlaced) -> Told:
    text = msg("Beachhead of {power}: {place}", power=SIDES[x.side], place=place(g, x.place))
    return Told("build", text, x.rule, block_of(g), labels_of(g, x.place))


def _beachhead_gone(g: State, x: markers.BeachheadGone) -> Told:
    return Told(
        "orders", msg("Beachhead taken off: {place}", place=place(g, x.place)), x.rule, block_of(g), labels_of(g, x.place)
    )


def _beachhead_hit(g: State, x: markers.BeachheadHit) -> Told:
    text = msg("The Beachhead loses a step: {place}", place=place(g, x.place))
    return Told("loss", text, x.rule, block_of(g), labels_of(g, x.place), loser=g.beachheads[x.place].side)


def _mines(g: State, x: markers.MinesSet) -> Told:
    text = msg("Mines of {power} in {place}: density {n}", power=SIDES[x.side], place=place(g, x.place), n=x.density)
    if not x.density:
        text = msg("Mines cleared: {place}", place=place(g, x.place))
    return Told("build", text, x.rule, spaces=labels_of(g, x.place))


def _scored(g: State, x: turns.Scored) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "points": x.points, "why": x.why}
    text = msg("Victory Points of {power}: {points}, {why}", **args)
    return Told("income", text, x.rule, block_of(g))


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    turns.PhaseBegan: _phase,
    turns.SegmentBegan: _segment,
    turns.Won: _won,
    moves.Moved: _moved,
    moves.Sailed: _sailed,
    moves.Placed: _placed,
    losses.StepLost: _step_lost,
    losses.Eliminated: _eliminated,
    losses.Restored: _restored,
    markers.ControlTaken: _control,
    markers.MarkerDrawn: _marker_drawn,
    markers.MarkerTurned: _marker_turned,
    markers.MarkerGone: _marker_gone,
    markers.BeachheadPlaced: _beachhead,
    markers.BeachheadGone: _beachhead_gone,
    markers.BeachheadHit: _beachhead_hit,
    markers.MinesSet: _mines,
    turns.Scored: _scored,
    **COMBAT_TOLD,
    **DICE_TOLD,
    **RECORDS_TOLD,
}

"""[12.0] Victory Points, Automatic Victory, levels of victory."""

from __future__ import annotations

from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.events.turns import PhaseBegan, Won
from pbem.games.next_war.events.victory import CapitalsJudged, PointsCounted, ThrowMade
from pbem.games.next_war.labels import VICTORY, side_term
from pbem.games.next_war.state import ALLIED, FOE, OPPOSED, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_word
from pbem.kernel.wording import Argument, Message, die_for, msg


def victory(g: State) -> Flow[None]:
    """[12.1 to 12.3] Points of the turn are added; throws for Automatic Victory; the end on the last turn."""
    emit(g, PhaseBegan(g.turn, "Victory Determination Phase", "12.0"))
    emit(g, PointsCounted())
    for side in g.order():
        for reason in chances(g, side):
            yield from _automatic(g, side, reason)
            if g.winner:
                return
    emit(g, CapitalsJudged())
    if g.turn >= g.p["game_length_turns"]:
        finish(g)


def lead(g: State) -> int:
    """Victory Points of the allied side more than those of the other, after the handicap of the scenario."""
    return g.vp[ALLIED] - g.vp[OPPOSED] - int(g.p["victory_base"])


def chances(g: State, side: str) -> list[str]:
    """[12.2] Why this side may throw now: the difference of points, a capital hex taken this turn; both give two throws."""
    if not g.p["auto_victory_table"]:
        return []
    found = []
    level = int(g.p["auto_victory_level"])
    if level and (lead(g) if side == ALLIED else -lead(g)) >= level:
        found.append("difference")
    if g.capital[side]:
        found.append("capital")
    return found


def _automatic(g: State, side: str, reason: str) -> Flow[None]:
    """[12.2] The throw for the difference must be made, that for a capital may be."""
    if reason == "capital":
        word = yield from choose_word(side, "throw", "12.2", msg("throw for Automatic Victory"), ("yes", "no"))
        if word == "no":
            return
    throws = g.throws[side] + 1
    emit(g, ThrowMade(side, throws))
    label = die_for("Automatic Victory, {side}", side=side_term(side))
    die = yield from throw(label, "12.2", FOE[side])
    table = g.p["auto_victory_table"]
    row = pick(table["rows"], die)
    column = next(i for i, turns in enumerate(table["columns"]) if throws <= _top(str(turns)))
    won = row[column] == "V"
    told(g, label, die, 0, "victory" if won else "nothing", "12.2")
    if won:
        emit(g, Won(side, "automatic", automatic(reason), "12.2"))


def _top(text: str) -> int:
    return 10_000 if text.startswith(">=") else int(text.split("-")[-1])


def finish(g: State) -> None:
    """[12.3] The side with more points wins; how clearly, by the scenario's levels."""
    difference = lead(g)
    levels = [(int(least), str(name)) for least, name in g.p["victory_levels"]]
    level = next((name for least, name in levels if abs(difference) >= least), "draw")
    winner = "" if level == "draw" or not difference else ALLIED if difference > 0 else OPPOSED
    emit(g, Won(winner, level if winner else "draw", by_points(g), "12.3"))


def by_points(g: State) -> Message:
    """[12.3] An end by Victory Points. The record form stands in the state."""
    return Message("{allied} to {other} Victory Points", {"allied": g.vp[ALLIED], "other": g.vp[OPPOSED]})


def automatic(cause: str) -> Message:
    """[12.2] An end by Automatic Victory."""
    return Message("Automatic Victory by {cause}", {"cause": cause})


def ended(g: State) -> Message:
    """[12.0] Why the game is over: the one of the few reasons there can be that the state has written down."""
    found = [by_points(g), automatic("difference"), automatic("capital")]
    return why_it_ended(g.level, next(reason for reason in found if str(reason) == g.win_reason))


def why_it_ended(level: str, reason: Message) -> Message:
    """The level of victory, and the points if they decided."""
    grade: Argument = VICTORY.get(level, level)
    if "allied" not in reason.args:
        return msg("{level}", level=grade)
    return msg("{level}; Victory Points: Allied {allied}, Non-Allied {other}", level=grade, **reason.args)

"""[12.0] Victory Points, Automatic Victory, levels of victory."""

from __future__ import annotations

from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.events import Counted, Noted, PhaseBegan, Won
from pbem.games.next_war.state import ALLIED, FOE, OPPOSED, SIDES, State
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_word


def victory(g: State) -> Flow[None]:
    """[12.1 to 12.3] Points of the turn are added; throws for Automatic Victory; the end on the last turn."""
    emit(g, PhaseBegan(g.turn, "Victory Determination Phase", "12.0"))
    emit(g, Noted("vp", {side: g.vp[side] + g.vp_turn[side] for side in SIDES}, "12.1"))
    for side in g.order():
        for reason in chances(g, side):
            yield from _automatic(g, side, reason)
            if g.winner:
                return
    emit(g, Noted("capital", {ALLIED: 0, OPPOSED: 0}, "12.2"))
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
        word = yield from choose_word(side, "throw", "12.2", "throw for Automatic Victory", ("yes", "no"))
        if word == "no":
            return
    throws = g.throws[side] + 1
    emit(g, Counted("throws", side, throws, "12.2"))
    die = yield from throw(f"Automatic Victory, {side}", "12.2", FOE[side])
    table = g.p["auto_victory_table"]
    row = pick(table["rows"], die)
    column = next(i for i, turns in enumerate(table["columns"]) if throws <= _top(str(turns)))
    won = row[column] == "V"
    told(g, f"Automatic Victory, {side}", die, 0, "victory" if won else "nothing", "12.2")
    if won:
        emit(g, Won(side, "automatic", f"Automatic Victory by {reason}", "12.2"))


def _top(text: str) -> int:
    return 10_000 if text.startswith(">=") else int(text.split("-")[-1])


def finish(g: State) -> None:
    """[12.3] The side with more points wins; how clearly, by the scenario's levels."""
    difference = lead(g)
    levels = [(int(least), str(name)) for least, name in g.p["victory_levels"]]
    level = next((name for least, name in levels if abs(difference) >= least), "draw")
    winner = "" if level == "draw" or not difference else ALLIED if difference > 0 else OPPOSED
    reason = f"{g.vp[ALLIED]} to {g.vp[OPPOSED]} Victory Points"
    emit(g, Won(winner, level if winner else "draw", reason, "12.3"))

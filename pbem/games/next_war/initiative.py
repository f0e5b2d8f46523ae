"""[5.0] Initiative: Initiative Turns and Contested Turns."""

from __future__ import annotations

from pbem.games.next_war.events.turns import InitiativeHeld, PhaseBegan, TurnOpened
from pbem.games.next_war.state import ALLIED, OPPOSED, SIDES, State
from pbem.kernel.events import Scheduled, emit

INITIATIVE_PHASE = (
    ("movement", ("initiative", "first")),
    ("combat", ("initiative", "first")),
    ("movement", ("elite", "second")),
    ("movement", ("exploitation", "first")),
    ("combat", ("exploitation", "first")),
    ("movement", ("reaction", "second")),
    ("combat", ("reaction", "second")),
)
BASIC_PHASE = (
    ("movement", ("basic", "first")),
    ("combat", ("basic", "first")),
    ("movement", ("basic", "second")),
    ("combat", ("basic", "second")),
)


def initiative(g: State) -> None:
    """[5.1] Who has the Initiative this turn; both tracks of this turn's Victory Points go to zero."""
    emit(g, PhaseBegan(g.turn, "Initiative/Air/Naval Phase", "5.0"))
    holder = holder_of(g)
    emit(g, TurnOpened(not holder))
    if holder:
        emit(g, InitiativeHeld(holder))


def holder_of(g: State) -> str:
    """[5.1] The Initiative player of this turn; "" in a Contested Turn."""
    start = g.p["initiative_start"]
    if g.turn <= int(start["through"]):
        return str(start["side"])
    fixed = g.p["fixed_turns"].get(str(g.turn))
    if fixed is not None:
        return "" if fixed == "contested" else str(fixed)
    gained = g.vp_turn
    if g.contested:  # [5.1.2]
        return "" if gained[ALLIED] == gained[OPPOSED] else max(SIDES, key=lambda s: gained[s])
    reached = [s for s in SIDES if s in g.p["initiative_vp"] and gained[s] >= int(g.p["initiative_vp"][s])]
    return reached[0] if len(reached) == 1 else ""


def phases(g: State) -> None:
    """[3.0] The movement and combat phases of this turn; a Contested Turn has no Initiative phase."""
    segments = BASIC_PHASE if g.contested else INITIATIVE_PHASE + BASIC_PHASE
    sides = dict(zip(("first", "second"), g.order(), strict=True))
    emit(g, Scheduled(tuple((name, (kind, sides[who])) for name, (kind, who) in segments), "3.0"))

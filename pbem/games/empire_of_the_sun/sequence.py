"""[4.0] The sequence of play: the phases of a turn as segments."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.aftermath import fleets_sail, offensive_end, return_segment
from pbem.games.empire_of_the_sun.battle.battles import battles
from pbem.games.empire_of_the_sun.events.cards import Reshuffled
from pbem.games.empire_of_the_sun.events.turns import ActiveSet, PhaseBegan, TurnCleared
from pbem.games.empire_of_the_sun.impulse.impulse import impulse
from pbem.games.empire_of_the_sun.impulse.initiative import initiative
from pbem.games.empire_of_the_sun.numbering import Segment, by_edition
from pbem.games.empire_of_the_sun.operations.moves import moves
from pbem.games.empire_of_the_sun.political import attrition, national_status, political_will
from pbem.games.empire_of_the_sun.reaction.reaction import reaction
from pbem.games.empire_of_the_sun.state import JAPAN, State
from pbem.games.empire_of_the_sun.strategic import deal, first_deal, reinforcements, replacements, strategic_warfare
from pbem.games.empire_of_the_sun.victory import check_end
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Flow

STRATEGIC = ("reinforcements", "replacements", "strategic-warfare", "deal")
LATER = ("initiative", "national-status", "political-will", "attrition", "turn-end")


def turn(g: State, number: int) -> None:
    """[4.0] Five phases."""
    emit(g, PhaseBegan(number, "Strategic Phase", "4.1"))
    emit(g, Scheduled(tuple((name, ()) for name in (*STRATEGIC, *LATER)), "4.0"))


def first_turn(g: State) -> None:
    """[17.11] December 1941: two Japanese cards, then the Political Phase; no attrition."""
    emit(g, PhaseBegan(1, "Offensives Phase", "17.11"))
    emit(g, ActiveSet(JAPAN, "17.11"))
    emit(g, Scheduled((("impulse", ()), ("national-status", ()), ("political-will", ()), ("turn-end", ())), "17.11"))


def scenario_start(g: State, japan: int, allies: int, arcadia: bool, sail: bool) -> Flow[None]:
    """[17.2] A scenario that begins with the Offensives Phase of its first turn."""
    yield from first_deal(g, japan, allies, arcadia)
    if sail:
        yield from fleets_sail(g)
    emit(g, Scheduled(tuple((name, ()) for name in LATER), "4.0"))


def turn_end(g: State) -> None:
    """[4.5] Victory; markers; reshuffles; the next turn."""
    emit(g, PhaseBegan(g.turn, "End of Turn Phase", "4.5"))
    check_end(g)
    if g.winner:
        return
    for side in g.reshuffle:
        emit(g, Reshuffled(side, "5.37"))
    emit(g, TurnCleared())
    emit(g, Scheduled((("turn", (g.turn + 1,)),), "4.5"))


_SEGMENTS: dict[str, Segment] = {
    "turn": turn,
    "first-turn": first_turn,
    "scenario-start": scenario_start,
    "reinforcements": reinforcements,
    "replacements": replacements,
    "strategic-warfare": strategic_warfare,
    "deal": deal,
    "initiative": initiative,
    "impulse": impulse,
    "moves": moves,
    "reaction": reaction,
    "battles": battles,
    "return": return_segment,
    "offensive-end": offensive_end,
    "national-status": national_status,
    "political-will": political_will,
    "attrition": attrition,
    "turn-end": turn_end,
}
SEGMENTS = {name: by_edition(segment) for name, segment in _SEGMENTS.items()}

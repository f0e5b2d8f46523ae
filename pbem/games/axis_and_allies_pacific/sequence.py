"""[TURN] The sequence of play, as the player aid prints it: rounds, turns, phases; and how the game is won [VIC]."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.axis_and_allies_pacific.battle import battle
from pbem.games.axis_and_allies_pacific.conduct_combat import conduct_combat, next_battle
from pbem.games.axis_and_allies_pacific.events.turns import RoundBegan, TurnBegan, TurnEnded, Won
from pbem.games.axis_and_allies_pacific.income import collect_income
from pbem.games.axis_and_allies_pacific.mobilize import mobilize
from pbem.games.axis_and_allies_pacific.movement import combat_move, noncombat_move
from pbem.games.axis_and_allies_pacific.ownership import settle_liberations
from pbem.games.axis_and_allies_pacific.purchase import purchase
from pbem.games.axis_and_allies_pacific.raid import raid
from pbem.games.axis_and_allies_pacific.state import (
    PHASES,
    POWERS,
    Snapshot,
    State,
    capital_lost,
    controller_side,
    zone_is_hostile,
)
from pbem.games.axis_and_allies_pacific.victory import axis_cities, captured, held, held_at_limit
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Flow


def play_round(g: State, number: int) -> None:
    """[TURN-01] Japan, United States, China, United Kingdom, ANZAC; then the victory check."""
    emit(g, RoundBegan(number))
    turns = tuple(("turn", (power,)) for power in POWERS)
    emit(g, Scheduled((*turns, ("round-end", (number,))), "TURN-01"))


def turn(g: State, power: str) -> None:
    """[TURN-02] Six phases in fixed order."""
    zones = [z for z in g.board.zones if zone_is_hostile(g, power, z)]
    emit(g, TurnBegan(power, Snapshot(dict(g.control), zones, list(g.wars))))
    emit(g, Scheduled((*((phase, (power,)) for phase in PHASES), ("turn-end", (power,))), "TURN-02"))


def with_capital(phase: Callable[[State, str], Flow[None]]) -> Callable[[State, str], Flow[None]]:
    """[CAP-11] A phase that is left out as long as the power's capital is lost; who frees it meanwhile plays it again."""

    def played(g: State, power: str) -> Flow[None]:
        if not capital_lost(g, power):
            yield from phase(g, power)

    return played


def turn_end(g: State, power: str) -> None:
    """[LIB-04] [VIC-03] Liberated territory finds its final owner; Japan may have lost."""
    settle_liberations(g)
    emit(g, TurnEnded(power))
    if power == "japan" and g.japan_fell and g.turns_taken["japan"] >= g.japan_fell:
        emit(g, Won("allies", captured(), "VIC-03"))


def round_end(g: State, number: int) -> None:
    """[VIC-02] After ANZAC's turn Japan wins with six victory cities; a round limit may end the game."""
    cities = axis_cities(g)
    tokyo = controller_side(g, "japan") == "axis" or g.options["axis-needs-tokyo"] == "no"
    if cities >= 6 and tokyo:
        emit(g, Won("axis", held(cities), "VIC-02"))
    elif g.options["round-limit"] and number >= g.options["round-limit"]:
        side = "axis" if cities >= 4 else "allies"
        emit(g, Won(side, held_at_limit(cities), "OPT-ROUNDS"))
    else:
        emit(g, Scheduled((("round", (number + 1,)),), "TURN-01"))


SEGMENTS: dict[str, Callable[..., Flow[None] | None]] = {
    "round": play_round,
    "turn": turn,
    "purchase": with_capital(purchase),  # 1
    "combat-move": combat_move,  # 2
    "conduct-combat": conduct_combat,  # 3
    "raid": raid,
    "next-battle": next_battle,
    "battle": battle,
    "noncombat-move": noncombat_move,  # 4
    "mobilize": with_capital(mobilize),  # 5
    "collect-income": with_capital(collect_income),  # 6
    "turn-end": turn_end,
    "round-end": round_end,
}

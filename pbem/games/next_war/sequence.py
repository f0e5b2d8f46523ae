"""[3.0] The sequence of play: the phases of a game turn as segments."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.next_war.air import air_points
from pbem.games.next_war.combat import attacks, combat, fight
from pbem.games.next_war.control import reorganization
from pbem.games.next_war.events.air import LiftSet
from pbem.games.next_war.events.turns import PhaseBegan, TurnCleared
from pbem.games.next_war.initiative import initiative, phases
from pbem.games.next_war.moving import movement
from pbem.games.next_war.reinforcements import reinforcements, replacements
from pbem.games.next_war.sea_control import mine_clearing, sea_control
from pbem.games.next_war.state import SIDES, State
from pbem.games.next_war.supply import supply
from pbem.games.next_war.victory import victory
from pbem.games.next_war.weather import weather
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Flow

TURN = (
    *("weather", "supply", "initiative", "air-points", "sea-control", "mine-clearing", "phases"),
    *("reorganization", "reinforcements", "replacements", "victory", "turn-end"),
)


def turn(g: State, number: int) -> None:
    """[3.0] A game turn."""
    emit(g, PhaseBegan(number, "Weather Phase", "3.0"))
    emit(g, TurnCleared())
    emit(g, Scheduled(tuple((name, ()) for name in TURN), "3.0"))


def airmobile_reset(g: State) -> None:
    """[4.1.2, 8.5.4.1] Airmobile Points of this turn; half of them in Overcast, none to use in a Storm."""
    points = {s: g.lift_points[s] for s in SIDES}
    if g.weather == "overcast":
        points = {s: -(-n // 2) for s, n in points.items()}
    emit(g, LiftSet(tuple((s, 0 if g.storm else 2 * n) for s, n in points.items())))


def air_phase(g: State) -> Flow[None]:
    """[6.1] Air Points and Airmobile Points of the turn."""
    airmobile_reset(g)
    yield from air_points(g)


def turn_end(g: State) -> None:
    """[3.0] The next turn."""
    emit(g, Scheduled((("turn", (g.turn + 1,)),), "3.0"))


SEGMENTS: dict[str, Callable[..., Flow[None] | None]] = {
    "turn": turn,
    "weather": weather,
    "supply": supply,
    "initiative": initiative,
    "air-points": air_phase,
    "sea-control": sea_control,
    "mine-clearing": mine_clearing,
    "phases": phases,
    "movement": movement,
    "combat": combat,
    "attacks": attacks,
    "fight": fight,
    "reorganization": reorganization,
    "reinforcements": reinforcements,
    "replacements": replacements,
    "victory": victory,
    "turn-end": turn_end,
}

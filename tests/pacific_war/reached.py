"""What a game has reached beyond the rules that its events cite: questions and turns of play by name."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.pacific_war import engagements as f
from pbem.games.pacific_war import events as e
from pbem.games.pacific_war.clock import WeatherSet
from pbem.games.pacific_war.tallies import WentAbroad, WorkBegan
from pbem.kernel.engine import Engine

THINGS: dict[str, Callable[[object], bool]] = {
    "siege": lambda x: isinstance(x, f.Besieged),
    "transfer": lambda x: isinstance(x, f.MissionBegan) and x.mission.type == "transfer",
    "paradrop": lambda x: isinstance(x, f.MissionBegan) and x.mission.type == "paradrop",
    "construction": lambda x: isinstance(x, WorkBegan),
    "experience": lambda x: isinstance(x, e.Exchanged) and x.rule == "PW-RPL-07",
    "break-down": lambda x: isinstance(x, e.Raised),
    "weather": lambda x: isinstance(x, WeatherSet),
    "surrender": lambda x: isinstance(x, e.Remarked) and x.text.id == "{nation} surrenders",
    "voyage": lambda x: isinstance(x, WentAbroad),
    "wave": lambda x: isinstance(x, f.WaveWaits),
    "naval combat": lambda x: isinstance(x, f.SeaBegan) and x.sea is not None,
}


def what(engine: Engine) -> dict[str, int]:
    """The things of this list that the game has reached, each counted once."""
    return {name: 1 for name, happened in THINGS.items() if any(happened(x) for x in engine.state.events)}

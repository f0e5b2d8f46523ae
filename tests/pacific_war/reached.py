"""What a game has reached beyond the rules that its events cite: questions and turns of play by name."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.pacific_war import events as e
from pbem.kernel.engine import Engine

THINGS: dict[str, Callable[[object], bool]] = {
    "siege": lambda x: isinstance(x, e.Noted) and x.name == "sieges" and bool(x.value),
    "transfer": lambda x: isinstance(x, e.MissionBegan) and x.mission.type == "transfer",
    "paradrop": lambda x: isinstance(x, e.MissionBegan) and x.mission.type == "paradrop",
    "construction": lambda x: isinstance(x, e.Noted) and x.name == "works" and bool(x.value),
    "experience": lambda x: isinstance(x, e.Exchanged) and x.rule == "PW-RPL-07",
    "break-down": lambda x: isinstance(x, e.Raised),
    "weather": lambda x: isinstance(x, e.Noted) and x.name == "weather" and bool(x.value),
    "surrender": lambda x: isinstance(x, e.Remarked) and x.text.id == "{nation} surrenders",
    "voyage": lambda x: isinstance(x, e.Noted) and x.name == "abroad" and bool(x.value),
    "wave": lambda x: isinstance(x, e.Noted) and x.name == "waves" and bool(x.value),
    "naval combat": lambda x: isinstance(x, e.SeaBegan) and x.sea is not None,
}


def what(engine: Engine) -> dict[str, int]:
    """The things of this list that the game has reached, each counted once."""
    return {name: 1 for name, happened in THINGS.items() if any(happened(x) for x in engine.state.events)}

"""Shipped scenarios, compiled to JSON."""

from __future__ import annotations

import json

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError, unreadable


def scenario_names(game: Module) -> list[str]:
    """The scenarios of a game."""
    return sorted(p.stem for p in (game.home("scenarios") / "compiled").glob("*.json"))


def load_scenario(game: Module, name: str) -> Plain:
    """A scenario as plain data. Raises ProtocolError (unreadable) naming those there are."""
    known = scenario_names(game)
    if name not in known:
        raise _unknown(name, known)
    data: Plain = json.loads((game.home("scenarios") / "compiled" / f"{name}.json").read_text("utf-8"))
    return data


def _unknown(name: str, known: list[str]) -> ProtocolError:
    return unreadable(msg("there is no scenario {name!r}; there are: {known}", name=name, known=", ".join(known) or "none"))

"""The rules modules, by the name a charter gives them."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from pbem.kernel.engine import Game
from pbem.kernel.orders import nearest, unreadable

SYSTEMS = {
    "axis-and-allies-pacific": "axis_and_allies_pacific",
    "empire-of-the-sun": "empire_of_the_sun",
    "next-war": "next_war",
    "pacific-war": "pacific_war",
}


def folder_of(system: str) -> str:
    """The folder of a system's module, scenarios and templates. Raises Rejected for a name that is not known."""
    if system not in SYSTEMS:
        raise unreadable(f"there is no system {system!r}", nearest(system, list(SYSTEMS)))
    return SYSTEMS[system]


def load(system: str) -> Game:
    """A rules module. Raises Rejected for a name that is not known."""
    return cast(Game, import_module(f"pbem.games.{folder_of(system)}.game").GAME)

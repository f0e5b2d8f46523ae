"""[PW-OPT-10] By option the escort fighters P-51 of April 1945: which unit they are."""

from __future__ import annotations

from pbem.games.pacific_war.state import State

NAME = "P-51"


def is_mustang(g: State, unit: str) -> bool:
    """The special unit, where the option is chosen."""
    return g.options.get("mustangs") == "yes" and NAME in unit

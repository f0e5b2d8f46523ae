"""What each scenario is, for a player who chooses one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.next_war.labels import VICTORY
from pbem.kernel.wording import Message, counted, msg, paragraph

ABOUT = {
    "training": msg("Training on an invented map: Borea attacks Meridia through the Orno gap."),
    "gap": msg("The road to Seoul: one corps of the North against one of the South."),
    "seoul-train": msg("Seoul Train, the first printed scenario as far as reports tell it; the option dmz belongs to it."),
    "wonsan": msg("The Wonsan landing: from the sea and from the air behind the Northern front."),
    "korea": msg("The whole peninsula, with every unit of the standard game."),
}
FILES = {"training": 100, "gap": 70, "seoul-train": 90, "wonsan": 90, "korea": 300}  # of both players in games of the bots


def summary(scenario: Mapping[str, Any]) -> Message:
    """[12.0] What it is, how long it lasts, who wins how, how many files it takes."""
    name = scenario["name"]
    found = [ABOUT[name]] if name in ABOUT else []
    found += [counted("{n} turn.", "{n} turns.", scenario["game_length_turns"]), *_victory(scenario)]
    if name in FILES:
        found.append(msg("About {n} files.", n=FILES[name]))
    return paragraph(found)


def _victory(scenario: Mapping[str, Any]) -> list[Message]:
    """[12.2] [12.3] The levels by the lead in points, and what may end the game sooner."""
    levels = [
        msg("{level} from {n}", level=VICTORY.get(name, name), n=least) for least, name in reversed(scenario["victory_levels"])
    ]
    found = [msg("The lead in Victory Points decides: {levels}.", levels=tuple(levels))]
    base = scenario.get("victory_base", 0)
    if base > 0:
        found.append(msg("The allied side counts {n} points less than it has.", n=base))
    elif base < 0:
        found.append(msg("The non-allied side counts {n} points less than it has.", n=-base))
    if scenario.get("auto_victory_level"):
        found.append(msg("A lead of {n}, or the enemy capital, may win at once.", n=scenario["auto_victory_level"]))
    return found

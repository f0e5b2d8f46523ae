"""What each scenario is, for a player who chooses one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.empire_of_the_sun.victory import BURMA_LEVELS, LEVELS, RESOURCES_NEEDED
from pbem.kernel.wording import Message, counted, msg, paragraph

ABOUT = {
    "campaign-1941": msg("The whole war, from the attack on Pearl Harbor on."),
    "short-campaign": msg("The war from 1942 to its end."),
    "shorter-campaign": msg("The war from 1943 to its end."),
    "burma": msg("Burma and its neighbours, on a small map."),
    "south-pacific": msg("The South Pacific, on a small map."),
    "year-1942": msg("The year 1942."),
    "year-1943": msg("The year 1943."),
    "year-1944": msg("The year 1944."),
    "years-1942-1943": msg("The years 1942 and 1943."),
    "years-1942-1944": msg("The years 1942 to 1944."),
    "years-1943-1944": msg("The years 1943 and 1944."),
}
# Files of both players, from whole games at random, rounded.
FILES = {
    "campaign-1941": 350,
    "short-campaign": 270,
    "shorter-campaign": 180,
    "burma": 50,
    "south-pacific": 100,
    "year-1942": 110,
    "year-1943": 120,
    "year-1944": 130,
    "years-1942-1943": 220,
    "years-1942-1944": 300,
    "years-1943-1944": 220,
}


def summary(scenario: Mapping[str, Any]) -> Message:
    """[16.0] What it is, how long it lasts, who wins how, how many files it takes."""
    name, (first, last) = scenario["name"], scenario["turns"]
    found = [ABOUT[name]] if name in ABOUT else []
    found += [counted("{n} turn.", "{n} turns.", last - first + 1), *_victory(scenario)]
    if name in FILES:
        found.append(msg("About {n} files.", n=FILES[name]))
    return paragraph(found)


def _victory(scenario: Mapping[str, Any]) -> list[Message]:
    """[16.1] [17.27] The end of the campaign, or the levels by points."""
    broken = [] if scenario["flags"].get("submap") else [msg("Japan wins at once if US Political Will is broken.")]
    if scenario["victory"] == "campaign":
        submission = msg("The Allies win if Japan surrenders or is bombed and blockaded into submission, else Japan wins.")
        return [submission, *broken]
    a, b, c = (most for most, _, _ in (BURMA_LEVELS if scenario["victory"] == "burma" else LEVELS))
    levels = msg(
        "Japanese victory points decide: up to {a} an Allied decisive victory, up to {b} an Allied tactical one, "
        "up to {c} a Japanese tactical one, more a Japanese decisive one.",
        a=a,
        b=b,
        c=c,
    )
    if scenario["victory"] == "1942":
        broken.append(msg("The Allies win if Japan holds fewer than {n} resource hexes at the end.", n=RESOURCES_NEEDED))
    return [levels, *broken]

"""What each scenario is, for a player who chooses one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.pacific_war.state import BATTLE, ENGAGEMENT
from pbem.games.pacific_war.terms import month
from pbem.games.pacific_war.words.wording import goals
from pbem.kernel.wording import Message, counted, msg, paragraph

ABOUT = {
    "pearl-harbor": msg("The raid on Pearl Harbor: Japanese carriers against ships and aircraft at rest."),
    "savo-island": msg("Savo Island: one naval combat at night, cruisers against the transports of a landing."),
    "santa-cruz": msg("The Santa Cruz Islands: two carrier fleets that have found each other at dawn."),
    "coral-sea": msg("The Coral Sea: carriers, landings and land-based aircraft for Port Moresby and Guadalcanal."),
    "midway": msg("Midway: the landing on the atoll and the ambush of the American carriers."),
    "guadalcanal": msg("The campaign of Guadalcanal: headquarters, command points, one operation after another."),
    "strategic-1941": msg("The whole war in the Pacific, with merchant shipping, production and bombing."),
}
# Files of both players, from whole games of the bots and at random, rounded; the strategic one from the months of Guadalcanal.
FILES = {
    "pearl-harbor": 10,
    "savo-island": 10,
    "santa-cruz": 25,
    "coral-sea": 80,
    "midway": 80,
    "guadalcanal": 600,
    "strategic-1941": 4000,
}


def summary(scenario: Mapping[str, Any]) -> Message:
    """[PW-GEN-02] What it is, how long it lasts, who wins how, how many files it takes."""
    name = scenario["name"]
    found = [ABOUT[name]] if name in ABOUT else []
    found += [_length(scenario), *goals(scenario["victory"])]
    if name in FILES:
        found.append(msg("About {n} files.", n=FILES[name]))
    return paragraph(found)


def _length(scenario: Mapping[str, Any]) -> Message:
    level, since = scenario["level"], month(int(scenario["month"]))
    if level == ENGAGEMENT or scenario.get("cycles"):
        return counted("{n} battle cycle, {month}.", "{n} battle cycles, {month}.", scenario["cycles"], month=since)
    if level == BATTLE:
        return counted("{n} day, {month}.", "{n} days, {month}.", scenario["days"], month=since)
    months = int(scenario["month"]) - int(scenario["last_month"]) + 1
    return counted("{n} month, {month}.", "{n} months, the first: {month}.", months, month=since)

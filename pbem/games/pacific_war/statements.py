"""What a player states about his hidden forces, in words that can be translated."""

from __future__ import annotations

import re
from collections.abc import Collection

from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Argument, Message, msg

TOLD: Collection[str] = ("report", "contents", "condition", "force", "harassment")  # the events that follow say it
CLAIMED: dict[str, tuple[str, Message]] = {
    "afford": (".*", msg("the points suffice")),
    "payer": (r"of (?P<n>\d+) points", msg("who pays {n} points")),
    "bid": (r"of (?P<n>\d+)", msg("what stands of a bid of {n}")),
    "end marker": (r"after (?P<n>\d+) days", msg("the operation ends now, after {n} days")),
    "length": (r"of (?P<n>\d+)", msg("length of the operation, at most {n} days")),
    "boats": (r"(?P<place>\d{4})", msg("PT boats in {place}")),
    "longest": (".*", msg("longest operation that can be paid, in days")),
    "common": (r"(?P<n>\d+) points", msg("a common activation for {n} points can be paid")),
    "lawful": (".*", msg("the secret order is legal")),
    "arranged": (".*", msg("the secret arrangement is legal")),
    "forces": (".*", msg("where Force markers stand")),
    "in play": (r"(?P<unit>.+)", msg("{unit} is in play")),
    "fighters": (r"(?P<place>\d{4})", msg("hidden fighters close the air route to {place}")),
    "lane": (r"(?P<place>\d{4}) to (?P<goal>\d{4})", msg("the sea lane from {place} to {goal} is safe")),
    "lanes": (".*", msg("ports that safe sea lanes join")),
    "pool": (r"(?P<unit>.+)", msg("the pool from which steps come: {unit}")),
    "steps": (r"(?P<pool>.+)", msg("steps are left in the pool: {pool}")),
    "spare": (r"(?P<unit>.+)", msg("this counter is not in play: {unit}")),
    "upkeep": (".*", msg("command points that sealed units cost")),
    "muster": (".*", msg("what is activated in secret, as far as it is seen")),
    "active": (".*", msg("somebody activated is out of sight")),
    "garrison": (".*", msg("command points that the garrison of Manchuria costs")),
    "defended": (".*", msg("fighters rise against the bombers")),
    "behind": (r"(?P<place>\d{4}): (?P<kind>.+)", msg("units behind the Force marker in {place}: {kind}")),
    "hexes": (r"(?:retreat|withdrawal) from (?P<place>\d{4}): .*", msg("hidden enemies around {place}")),
    "full": (r"(?P<place>\d{4})", msg("hexes around {place} that hidden units fill")),
    "room": (r"(?P<place>\d{4}) (?P<unit>.+)", msg("there is room in {place} for {unit}")),
    "cover": (".*", msg("hidden aircraft that matter for command links")),
    "aircraft": (r"(?P<place>\d{4})", msg("hidden aircraft within two hexes of the flight from {place}")),
}
OTHERWISE = {
    "hexes": (".*", msg("hexes with hidden enemies")),
    "room": (r"(?P<unit>.+)", msg("there is room somewhere for {unit}")),
}
YES, NO, NOTHING = msg("yes"), msg("no"), msg("nothing")


def claimed(g: State, kind: str, about: str, value: Plain) -> Message | None:
    """A statement in words; None where there are none."""
    for pattern, words in [table[kind] for table in (CLAIMED, OTHERWISE) if kind in table]:
        found = re.fullmatch(pattern, about)
        if found is not None:
            args = {name: _part(g, name, part) for name, part in found.groupdict().items()}
            return msg("{about}: {value}", about=Message(words.id, args), value=_value(g, kind, value))
    return None


def _part(g: State, name: str, part: str) -> Argument:
    return g.board.name(int(part)) if name in ("place", "goal") else part


def _mustered(g: State, value: dict[str, Plain]) -> Message:
    """[PW-ACT-02] What everybody sees of an activation in secret."""
    places = value.get("fleets")
    fleets = tuple(g.board.name(h) for h in places if isinstance(h, int)) if isinstance(places, list) else ()
    args: dict[str, Argument] = {key: str(value.get(key)) for key in ("hq", "points", "price")}
    args |= {"fleets": fleets or NOTHING, "ashore": YES if value.get("ashore") is True else NO}
    words = msg("{hq}, {points} activation points for {price}; task forces in {fleets}; behind Force markers: {ashore}")
    return Message(words.id, args)


def _value(g: State, kind: str, value: Plain) -> Argument:
    if isinstance(value, bool):
        return YES if value else NO
    if kind == "muster" and isinstance(value, dict) and value:
        return _mustered(g, value)
    if isinstance(value, dict):
        return tuple(f"{part} {said}" for part, said in value.items()) or NOTHING
    if isinstance(value, list):
        hexes = kind in ("forces", "hexes", "full")
        return tuple(g.board.name(h) if hexes and isinstance(h, int) else str(h) for h in value) or NOTHING
    return str(value) or NOTHING

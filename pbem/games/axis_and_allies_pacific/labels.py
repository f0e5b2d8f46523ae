"""Dice in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pbem.games.axis_and_allies_pacific import events as e
from pbem.games.axis_and_allies_pacific.names import OWNERS, THINGS, battle, place_named, raid, several
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.wording import Argument, Message, Told, msg, times

# Labels are part of the dice (protocol, "Dice"), so they never change and are read here rather than written twice.

_FIRE = re.compile(
    r"(?:battle for|bombardment of) (?P<place>.+?)(?:, round (?P<round>\d+))?(?P<early>, surprise)?: "
    r"(?P<who>the garrison's|\S+) (?P<names>\d.*) at (?P<at>\d)"
)
_GUNS = re.compile(r"battle for (?P<place>.+): (?P<who>\S+) AA gun at (?P<n>\d+) (?P<kind>\S+), at (?P<at>\d)")
_SUICIDE = re.compile(r"kamikaze in (?P<place>.+) against a (?P<kind>\S+) of (?P<who>\S+) \(ship \d+\), at (?P<at>\d)")
_PASSING = re.compile(
    r"(?P<place>.+): (?P<who>\S+) submarines fire at (?P<other>\S+) transports passing, (?P<n>\d+) at (?P<at>\d)"
)
_ESCORTS = re.compile(r"raid on (?P<place>.+): (?P<who>\S+) escorts, (?P<n>\d+) at (?P<at>\d)")
_INTERCEPT = re.compile(r"raid on (?P<place>.+): interceptors, (?P<n>\d+) at (?P<at>\d)")
_DEFENCE = re.compile(r"raid on (?P<place>.+), (?P<what>\S+): its guns, (?P<n>\d+) at (?P<at>\d)")
_BOMBS = re.compile(r"raid on (?P<place>.+), (?P<what>\S+): (?P<n>\d+) bombers")


def dice(g: State, x: e.DiceRolled) -> Told:
    """Dice, as their label says what they are for."""
    for pattern, words in _LABELS:
        if found := pattern.fullmatch(x.label):
            parts = found.groupdict()
            place = place_named(parts["place"])
            block, text = words(place, parts)
            return Told("dice", text, x.rule, block, label=x.label, dice=x.dice, hit_at=int(parts.get("at") or 0))
    return Told("dice", Message("{label}", {"label": x.label}), x.rule, label=x.label, dice=x.dice)


def _fire_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    args: dict[str, Argument] = {
        "power": OWNERS.get(p["who"], msg("neutral garrison")),
        "things": _named(p["names"]),
        "at": int(p["at"]),
    }
    if not p["round"]:
        return battle(place), msg("Bombardment by {power}: {things} at {at}", **args)
    if p["early"]:
        return battle(place), msg(
            "Combat round {round}, surprise strike by {power}: {things} at {at}", round=int(p["round"]), **args
        )
    return battle(place), msg("Combat round {round}, {power}: {things} at {at}", round=int(p["round"]), **args)


def _named(names: str) -> tuple[Message, ...]:
    """Things of a label: `3 infantry, 1 tank`."""
    pairs = (part.split(" ", 1) for part in names.split(", "))
    return tuple(times(THINGS[kind], int(n)) for n, kind in pairs)


def _guns_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    return battle(place), msg(
        "AA guns of {power} at {at}; targets: {things}",
        power=OWNERS[p["who"]],
        at=int(p["at"]),
        things=several(p["kind"], p["n"]),
    )


def _suicide_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    return msg("Kamikaze attacks: {place}", place=place), msg(
        "Kamikaze in {place} at {at}; target of {power}: {things}",
        place=place,
        at=int(p["at"]),
        power=OWNERS[p["who"]],
        things=several(p["kind"], "1"),
    )


def _passing_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    words = msg(
        "{power} fires in {place} on transports passing by ({other}): {things} at {at}",
        power=OWNERS[p["who"]],
        place=place,
        other=OWNERS[p["other"]],
        at=int(p["at"]),
        things=several("submarine", p["n"]),
    )
    return msg("Submarines: {place}", place=place), words


def _escort_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    return raid(place), msg(
        "Escorts of {power}: {things} at {at}",
        power=OWNERS[p["who"]],
        at=int(p["at"]),
        things=several("fighter", p["n"]),
    )


def _intercept_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    return raid(place), msg("Interceptors: {things} at {at}", at=int(p["at"]), things=several("fighter", p["n"]))


def _defence_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    return raid(place), msg(
        "Guns of {what} at {at}; targets: {things}",
        what=THINGS[p["what"]],
        at=int(p["at"]),
        things=several("strategic-bomber", p["n"]),
    )


def _bombs_words(place: Message, p: Mapping[str, str]) -> tuple[Message, Message]:
    return raid(place), msg("Bombs on {what}: {things}", what=THINGS[p["what"]], things=several("strategic-bomber", p["n"]))


_Words = Callable[[Message, Mapping[str, str]], tuple[Message, Message]]
_LABELS: tuple[tuple[re.Pattern[str], _Words], ...] = (
    (_GUNS, _guns_words),
    (_FIRE, _fire_words),
    (_SUICIDE, _suicide_words),
    (_PASSING, _passing_words),
    (_ESCORTS, _escort_words),
    (_INTERCEPT, _intercept_words),
    (_DEFENCE, _defence_words),
    (_BOMBS, _bombs_words),
)

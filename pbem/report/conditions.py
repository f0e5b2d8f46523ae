"""Conditions of standing orders, holds and plans, told in a reader's words. In a file they stay as the notation has them."""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.kernel.orders import Rejected
from pbem.kernel.standing import parse
from pbem.kernel.wording import Message, linked, msg, verbatim
from pbem.report.verbs import worded

Named = Callable[[str], Message | None]
SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
FACTS: dict[str, Message] = {
    "battle": msg("the hex of the battle"),
    "card": msg("the card"),
    "cards": msg("cards in hand"),
    "condition": msg("condition of the offensive"),
    "cycle": msg("cycle"),
    "enemy-destroyers": msg("enemy destroyers"),
    "enemy-strength": msg("enemy strength"),
    "enemy-units": msg("enemy units"),
    "enemy-value": msg("value of the enemy's units"),
    "enemy-value-lost": msg("value of what the enemy has lost"),
    "found": msg("enemy task forces detected"),
    "hits": msg("hits"),
    "moment": msg("movement segment of the game"),
    "month": msg("month"),
    "open-answers": msg("open answers that do anything"),
    "operator": msg("the operating side"),
    "ops": msg("operations value"),
    "own-answers": msg("answers that you alone can give"),
    "own-destroyers": msg("own destroyers"),
    "own-land-units": msg("own land units"),
    "own-strength": msg("own strength"),
    "own-surface-ships": msg("own surface warships"),
    "own-units": msg("own units"),
    "own-value": msg("value of own units"),
    "own-value-lost": msg("value of what you have lost"),
    "passes": msg("passes left"),
    "reactors": msg("units that react"),
    "round": msg("round"),
    "side": msg("side"),
    "space": msg("the place"),
    "target": msg("the hex attacked"),
    "turn": msg("turn"),
    "zone": msg("sea zone"),
}  # of all games; a fact without words here is told as it is written
AT_A_PLACE = (  # the first that fits holds
    (re.compile(r"(?P<place>.+)-held-by"), msg("holder of {place}")),
    (re.compile(r"holder-of-(?P<place>.+)"), msg("holder of {place}")),
    (re.compile(r"(?P<place>.+)-fell"), msg("{place} has fallen")),
    (re.compile(r"place-of-(?P<unit>.+)"), msg("hex of {unit}")),
    (re.compile(r"steps-of-(?P<unit>.+)"), msg("steps of {unit}")),
    (re.compile(r"own-within-(?P<n>\d+)-of-(?P<place>.+)"), msg("own units within {n} of {place}")),
    (re.compile(r"enemy-within-(?P<n>\d+)-of-(?P<place>.+)"), msg("enemy units within {n} of {place}")),
    (re.compile(r"found-within-(?P<n>\d+)-of-(?P<place>.+)"), msg("detected task forces within {n} of {place}")),
    (re.compile(r"found-at-(?P<place>.+)"), msg("detected task forces in {place}")),
    (re.compile(r"own-at-(?P<place>.+)"), msg("own units in {place}")),
    (re.compile(r"enemy-at-(?P<place>.+)"), msg("enemy units in {place}")),
    (re.compile(r"own-(?P<kind>.+)-at-(?P<place>.+)"), msg("own units in {place} ({kind})")),
    (re.compile(r"enemy-(?P<kind>.+)-at-(?P<place>.+)"), msg("enemy units in {place} ({kind})")),
)
PHRASES = {
    ("=", "own-answers", "0"): msg("you alone can give no answer"),
    ("=", "open-answers", "0"): msg("no open answer does anything"),
    (">", "open-answers", "0"): msg("an open answer does something"),
    (">", "own-answers", "0"): msg("you can give an answer that nobody else can"),
}


def condition_told(condition: str, named: Named) -> Message:
    """What has to be so. `named`: what a place, unit or power is called by the game."""
    try:
        return _told(parse(condition), named)
    except Rejected:
        return verbatim(condition)


def _told(tree: tuple[object, ...], named: Named) -> Message:
    match tree:
        case ("or", tuple(one), tuple(other)):
            return msg("{one} or {other}", one=_told(one, named), other=_told(other, named))
        case ("and", tuple(one), tuple(other)):
            return msg("{one} and {other}", one=_part(one, named), other=_part(other, named))
        case ("not", (">", "open-answers", "0")):
            return PHRASES["=", "open-answers", "0"]
        case ("not", tuple(inner)):
            return msg("not ({what})", what=_told(inner, named))
        case ("is", str(name)):
            return _fact(name, named) or _word(name, named)
        case ("in", str(name), *words):
            several = linked(", ", *(_word(str(word), named) for word in words))
            return msg("{fact} is one of: {several}", fact=_fact(name, named) or _word(name, named), several=several)
        case (str(sign), str(left), str(right)):
            said = PHRASES.get((sign, left, right))
            return said or linked(f" {SIGNS[sign]} ", *(_fact(x, named) or _word(x, named) for x in (left, right)))
    raise AssertionError(tree)


def _part(tree: tuple[object, ...], named: Named) -> Message:
    told = _told(tree, named)
    return linked("", "(", told, ")") if tree[0] == "or" else told


def _fact(name: str, named: Named) -> Message | None:
    if name in FACTS:
        return FACTS[name]
    for pattern, told in AT_A_PLACE:
        if found := pattern.fullmatch(name):
            return Message(told.id, {key: _word(value, named) for key, value in found.groupdict().items()})
    return None


def _word(word: str, named: Named) -> Message:
    """A place, unit or power by its name; another word in the reader's language."""
    known = named(word) or worded(word)
    return verbatim(word) if known is None or known.plural else known

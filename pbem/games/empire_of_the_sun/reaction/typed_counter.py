"""[7.26] A reaction as people type it: `counter South Seas: Shokaku, Zuiho to Lae; 21st Air Flotilla`, as the rules read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.games.empire_of_the_sun.activation import reacting_hqs
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.orders import ambiguous
from pbem.kernel.wording import msg

COUNTER = "counter"
WHOLE = ("", "none", "no", "air")  # what stands alone behind the verb
VERBS = (MOVE, ASSAULT)
Read = Callable[[str], Plain]  # a line of a move with its verb, as the rules read it: a mapping of the verb to its body

_LED = re.compile(r"(?P<hq>[^;]*?)\s*(?::|\bwith\b)\s*(?P<rest>.*)", re.IGNORECASE)
_FROM_AFAR = re.compile(r"(?P<units>.+?)\s+(?:at|against)\s+(?P<place>.+)", re.IGNORECASE)
_MOVED = re.compile(r"(?P<units>.+?)(?:\s+from\s+.+?)?\s+to\s+.+", re.IGNORECASE)
_ASSAULT = re.compile(r"(?:assault|land|invade)\b[\s:]*", re.IGNORECASE)


def countered(g: State, side: str, text: str, read: Read) -> list[Plain]:
    """The order that the rules read; none for a word that they read themselves.

    `[HQ:] PART; PART ...`, where a part is units with the hex to which they go, units and `at` the battle in which they fight
    from afar, or units alone. Without an HQ the one that may react leads. Raises Rejected where several may.
    """
    if text.strip().lower() in WHOLE:
        return []
    led = _LED.fullmatch(text.strip())
    activate: list[Plain] = []
    moves: list[Plain] = []
    battles: dict[str, Plain] = {}
    for part in filter(None, re.split(r"\s*;\s*", led["rest"] if led else text.strip())):
        if (afar := _FROM_AFAR.fullmatch(part)) and not _ASSAULT.match(part):
            units = _units(_said(read, MOVE, afar["units"]))
            battles[afar["place"]] = [*_listed(battles.get(afar["place"])), *units]
        else:
            landing = _ASSAULT.match(part)
            verb, stack = (ASSAULT, part[landing.end() :]) if landing else (MOVE, part)
            said = _said(read, verb, stack)
            moved = _MOVED.fullmatch(said)
            units = _units(moved["units"] if moved else said)
            moves += [{verb: said}] if moved else []
        activate += units
    hq = _leading(g, side, led["hq"] if led else "")
    body: dict[str, Plain] = {"hq": hq, "activate": activate, "moves": moves}
    return [{COUNTER: body | ({"battles": battles} if battles else {})}]


def _said(read: Read, verb: str, stack: str) -> str:
    """The body of a move in the names that the rules know; as it was typed where somebody in it is unknown."""
    order = read(f"{verb} {stack}")
    body = order.get(verb) if isinstance(order, dict) else None
    return body if isinstance(body, str) else stack


def _units(text: str) -> list[Plain]:
    return [*filter(None, re.split(r"\s*,\s*|\s+and\s+", text))]


def _listed(plain: Plain) -> list[Plain]:
    return plain if isinstance(plain, list) else []


def _leading(g: State, side: str, said: str) -> Plain:
    """The HQ of these words among those that may react; the words themselves where it is none of them."""
    able = reacting_hqs(g, side, offensive(g).battles)
    wanted = said.lower().split()
    found = [hq for hq in able if _begins(g.counter(hq).name.lower().split(), wanted)]
    if len(found) > 1:
        raise ambiguous(msg("which HQ leads the reaction"), [g.counter(hq).name for hq in found])
    return g.counter(found[0]).name if found else said


def _begins(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether each of the wanted words begins one of the words."""
    return all(any(word.startswith(part) for word in words) for part in wanted)

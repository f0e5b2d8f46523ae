"""Section numbers by edition: the module speaks in the second edition's, players of the first edition read their own.

Questions, rolls and refusals pass through `by_edition`; what is told of events and the result ask `section`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from msgspec.structs import replace

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow, Request, Simultaneous
from pbem.kernel.orders import Rejected

Segment = Callable[..., Flow[None] | None]

FIRST_BY_SECOND = {
    "5.37": "5.36",
    "6.0": "13.1",
    "6.1": "7.51",
    "6.11": "7.51",
    "6.12": "7.53",
    "6.13": "7.54",
    "6.14": "7.55",
    "6.15": "7.56",
    "6.2": "13.0",
    "6.21": "13.1",
    "6.22": "13.2",
    "6.23": "13.3",
    "6.24": "13.4",
    "6.3": "7.52",
    "6.4": "7.35",
    "6.5": "12.1",
    "8.35": "7.36",
    "8.41": "7.42",
    "8.42": "7.41",
    "10.12": "9.14",
    "12.33": "11.32",
    "13.1": "12.0",
    "13.74": "12.71",
    "13.76": "12.77",
    "13.78": "12.76",
}
MOVED_CHAPTERS = range(7, 14)  # offensives to national status stand one chapter earlier in the first edition
_NUMBER = re.compile(r"(\d+)\.(\d+)")


def first_number(rule: str) -> str:
    """The first edition's number of a section of the second (`9.2 F5` -> `8.2 F5`); a word such as EDITION stays."""
    found = _NUMBER.match(rule)
    if found is None:
        return rule
    number, rest = found[0], rule[found.end() :]
    chapter = int(found[1])
    shifted = f"{chapter - 1}.{found[2]}" if chapter in MOVED_CHAPTERS else number
    return FIRST_BY_SECOND.get(number, shifted) + rest


def section(g: State, rule: str) -> str:
    """A section as the players of this game find it in their rules."""
    return rule if g.second else first_number(rule)


def by_edition(segment: Segment) -> Segment:
    """A segment whose requests and refusals carry the section numbers of the edition that is played."""

    @wraps(segment)
    def run(g: State, *args: Any) -> Flow[None] | None:
        flow = segment(g, *args)
        return flow if g.second or flow is None else _renumbered(flow)

    return run


def _renumbered(flow: Flow[None]) -> Flow[None]:
    answer: Any = None
    while True:
        try:
            request = flow.send(answer)
        except StopIteration:
            return
        answer = yield _request(request)


def _request(request: Request) -> Request:
    if isinstance(request, Ask):
        return _ask(request)
    if isinstance(request, Simultaneous):
        return Simultaneous(tuple(_ask(a) for a in request.asks), first_number(request.rule))
    return replace(request, rule=first_number(request.rule))


def _ask(ask: Ask) -> Ask:
    def read(plain: Plain) -> Any:
        try:
            return ask.read(plain)
        except Rejected as refused:
            raise Rejected([replace(p, rule=first_number(p.rule)) for p in refused.problems]) from None

    return replace(ask, rule=first_number(ask.rule), read=read)

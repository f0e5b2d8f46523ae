"""Small questions that many rules ask: one of some things, one of some hexes, hits over units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.pacific_war.board import words_of
from pbem.games.pacific_war.orders import read_number, read_place, read_unit, split_order
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.questions import one_of


def pick(
    g: State,
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    choices: Sequence[str],
    none: bool = False,
    default: str | None = None,
    reaction: bool = False,
) -> Flow[str]:
    """One unit, task force or word of some; "" when there is none or the owner declines. Asks nothing without choices."""
    index = {c.lower(): c for c in choices}

    def read_one(body: Plain) -> str:
        if isinstance(body, str) and body.lower() in index:
            return index[body.lower()]
        wanted = set(words_of(str(body)).split())
        meant = [c for c in choices if wanted and wanted <= set(words_of(c).split())]
        return meant[0] if len(meant) == 1 else read_unit(g, body, seat)

    names = ", ".join(choices[:8])
    found = yield from one_of(
        seat, verb, rule, prompt, choices, read_one, names, str, none=none, default=default, reaction=reaction
    )
    return found or ""


def pick_place(
    g: State, seat: str, verb: str, rule: str, prompt: str, places: Sequence[int], none: bool = False, reaction: bool = False
) -> Flow[int]:
    """One of some hexes; 0 when there is none or the owner declines. Asks nothing without hexes."""
    names = ", ".join(g.board.name(p) for p in places[:8])
    found = yield from one_of(
        seat, verb, rule, prompt, places, lambda body: read_place(g, body), names, int, none=none, reaction=reaction
    )
    return found or 0


def distribute(
    g: State,
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    room: Mapping[str, int],
    total: int,
    first: str = "",
    reaction: bool = False,
) -> Flow[dict[str, int]]:
    """`total` hits over things with room for so many each; `first` takes at least one. Not asked when there is one way."""
    total = min(total, sum(room.values()))
    if total <= 0:
        return {}
    open_to = [k for k, n in room.items() if n > 0]
    if len(open_to) == 1 or total == sum(room.values()):
        return {k: min(total, room[k]) for k in open_to}
    if first and total == 1 and room.get(first, 0) > 0:
        return {first: 1}
    index = {k.lower(): k for k in room}

    def name(text: Plain) -> str:
        if isinstance(text, str) and text.lower() in index:
            return index[text.lower()]
        return read_unit(g, text)

    def read(plain: Plain) -> dict[str, int]:
        _, body = split_order(plain, (verb,))
        if isinstance(body, str):
            body = {body: total}
        if not isinstance(body, dict):
            raise unreadable(f"{verb}: {body!r}", f"{verb}: {{unit: hits}}")
        wanted = {name(k): read_number(n, 1, total, rule) for k, n in body.items()}
        for k, n in wanted.items():
            if n > room.get(k, 0):
                raise illegal(f"{k} cannot take {n}", rule, ", ".join(f"{k}: {n}" for k, n in room.items()))
        if sum(wanted.values()) != total:
            raise illegal(f"{sum(wanted.values())} hits are given, {total} must be", rule)
        if first and room.get(first, 0) > 0 and not wanted.get(first):
            raise illegal(f"the first hit is on {first}", "PW-DMG-03")
        return wanted

    def policy(order: Plain) -> Plain:
        if not isinstance(order, list):
            return None
        names: list[str] = []
        for item in order:
            try:
                names.append(name(item))
            except Rejected:
                continue
        return {verb: dict(fill(room, total, first, names))}

    answer: dict[str, int] = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        facts={"hits": total},
        default={verb: dict(fill(room, total, first))},
        options=lambda: _ways(room, total, first, verb),
        policy=policy,
        reaction=reaction,
    )
    return answer


def fill(room: Mapping[str, int], total: int, first: str = "", names: Sequence[str] = ()) -> dict[str, int]:
    """Hits put on one thing after another: the named ones, then the others in their order."""
    given: dict[str, int] = {}
    if first and room.get(first, 0) > 0 and total:
        given[first], total = 1, total - 1
    for k in [*names, *(k for k in room if k not in names)]:
        n = min(total, room.get(k, 0) - given.get(k, 0))
        if n > 0:
            given[k], total = given.get(k, 0) + n, total - n
    return given


def _ways(room: Mapping[str, int], total: int, first: str, verb: str) -> list[Plain]:
    names = list(room)
    ways: list[Plain] = []
    for i in range(len(names)):
        way: Plain = {verb: dict(fill(room, total, first, names[i:] + names[:i]))}
        if way not in ways:
            ways.append(way)
    return ways

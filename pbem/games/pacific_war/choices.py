"""Small questions that many rules ask: one of some things, some of them, yes or no, hits over units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pbem.games.pacific_war.board import words_of
from pbem.games.pacific_war.orders import DONE, NONE, read_number, read_place, read_unit, split_order
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal, unreadable

T = TypeVar("T")


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
    if not choices:
        return ""
    index = {c.lower(): c for c in choices}

    def read_one(body: Plain) -> str:
        if isinstance(body, str) and body.lower() in index:
            return index[body.lower()]
        wanted = set(words_of(str(body)).split())
        meant = [c for c in choices if wanted and wanted <= set(words_of(c).split())]
        return meant[0] if len(meant) == 1 else read_unit(g, body, seat)

    def read(plain: Plain) -> str:
        _, body = split_order(plain, (verb,))
        if none and body == NONE:
            return ""
        chosen = read_one(body)
        if chosen not in choices:
            raise illegal(f"{body!r} cannot be chosen for {verb!r}", rule, ", ".join(choices[:8]))
        return chosen

    answer: str = yield _ask(seat, verb, rule, prompt, read, read_one, list(choices), none, default, reaction)
    return answer


def pick_place(
    g: State, seat: str, verb: str, rule: str, prompt: str, places: Sequence[int], none: bool = False, reaction: bool = False
) -> Flow[int]:
    """One of some hexes; 0 when there is none or the owner declines. Asks nothing without hexes."""
    if not places:
        return 0

    def read_one(body: Plain) -> int:
        return read_place(g, body)

    def read(plain: Plain) -> int:
        _, body = split_order(plain, (verb,))
        if none and body == NONE:
            return 0
        chosen = read_one(body)
        if chosen not in places:
            raise illegal(f"{body!r} cannot be chosen for {verb!r}", rule, ", ".join(g.board.name(p) for p in places[:8]))
        return chosen

    answer: int = yield _ask(seat, verb, rule, prompt, read, read_one, list(places), none, None, reaction)
    return answer


def _ask(
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    read: Callable[[Plain], Any],
    read_one: Callable[[Plain], Any],
    choices: list[Any],
    none: bool,
    default: str | None,
    reaction: bool,
) -> Ask:
    def policy(wanted: Plain) -> Plain:
        for item in wanted if isinstance(wanted, list) else [wanted]:
            if none and item == NONE:
                return {verb: NONE}
            try:
                if read_one(item) in choices:
                    return {verb: item}
            except Rejected:
                continue
        return None

    options: list[Plain] = [{verb: c} for c in choices]
    if none:
        options.append({verb: NONE})
    return Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        facts={"choices": len(choices)},
        forced=options[0] if len(options) == 1 else None,
        default={verb: default} if default is not None else None,
        options=lambda: options,
        policy=policy,
        reaction=reaction,
    )


def yes_or_no(seat: str, verb: str, rule: str, prompt: str, default: str | None = None, reaction: bool = False) -> Flow[bool]:
    """A plain decision."""

    def read(plain: Plain) -> bool:
        _, body = split_order(plain, (verb,))
        words = {True: True, False: False, "yes": True, "no": False}
        if not isinstance(body, bool | str) or body not in words:
            raise unreadable(f"{verb}: {body!r}", f"{verb}: yes, or {verb}: no")
        return words[body]

    answer: bool = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        default={verb: default} if default is not None else None,
        options=lambda: [{verb: "yes"}, {verb: "no"}],
        policy=lambda word: {verb: word},
        reaction=reaction,
    )
    return answer


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


def orders_until_done(
    seat: str,
    kind: str,
    rule: str,
    prompt: str,
    verbs: Sequence[str],
    read: Callable[[Plain], T | None],
    options: Callable[[], list[Plain]],
    act: Callable[[T], Flow[None]],
) -> Flow[None]:
    """One order after the other until `done` (`read` gives None); not asked when only `done` is left."""
    while len(options()) > 1:
        order: T | None = yield Ask(seat, kind, rule, prompt, read, (*verbs, DONE), options=options)
        if order is None:
            return
        yield from act(order)

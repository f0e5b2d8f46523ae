"""Small questions that many rules ask: one of some units, one of some hexes, yes or no."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.empire_of_the_sun.orders import read_place, read_unit, split_order
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal, unreadable

NONE = "none"


def choose_unit(g: State, seat: str, verb: str, rule: str, prompt: str, units: Sequence[str], none: bool = False) -> Flow[str]:
    """One of some units; "" when there is none to choose or the owner declines. Asks nothing without units."""
    if not units:
        return ""
    names = ", ".join(g.counter(u).name for u in units[:8])
    found: str = yield _ask(g, seat, verb, rule, prompt, units, none, lambda body: read_unit(g, body), names)
    return found


def choose_place(
    g: State, seat: str, verb: str, rule: str, prompt: str, places: Sequence[int], none: bool = False
) -> Flow[int]:
    """One of some hexes; 0 when there is none to choose or the owner declines. Asks nothing without hexes."""
    if not places:
        return 0
    names = ", ".join(g.board.name(p) for p in places[:8])
    found: int | str = yield _ask(g, seat, verb, rule, prompt, places, none, lambda body: read_place(g, body), names)
    return int(found or 0)


def _ask(
    g: State,
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    choices: Sequence[str] | Sequence[int],
    none: bool,
    read_one: Callable[[Plain], str | int],
    names: str,
) -> Ask:
    def read(plain: Plain) -> str | int:
        _, body = split_order(plain, (verb,))
        if none and body == NONE:
            return ""
        chosen = read_one(body)
        if chosen not in choices:
            raise illegal(f"{body!r} cannot be chosen for {verb!r}", rule, names)
        return chosen

    def policy(wanted: Plain) -> Plain:
        for item in wanted if isinstance(wanted, list) else [wanted]:
            if none and item == NONE:
                return {verb: NONE}
            if _reads(read_one, item) in choices:
                return {verb: item}
        return None

    def options() -> list[Plain]:
        found: list[Plain] = [{verb: c} for c in choices]
        return [*found, {verb: NONE}] if none else found

    single = len(choices) == 1 and not none
    return Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        facts={"choices": len(choices)},
        forced={verb: choices[0]} if single else None,
        options=options,
        policy=policy,
    )


def _reads(read_one: Callable[[Plain], str | int], item: Plain) -> str | int | None:
    try:
        return read_one(item)
    except Rejected:
        return None


def yes_or_no(seat: str, verb: str, rule: str, prompt: str) -> Flow[bool]:
    """A plain decision."""

    def read(plain: Plain) -> bool:
        _, body = split_order(plain, (verb,))
        words = {True: True, False: False, "yes": True, "no": False}
        if not isinstance(body, bool | str) or body not in words:
            raise unreadable(f"{verb}: {body!r}", f"{verb}: yes, or {verb}: no")
        return words[body]

    answer: bool = yield Ask(
        seat, verb, rule, prompt, read, (verb,), options=lambda: [{verb: "yes"}, {verb: "no"}], policy=lambda word: {verb: word}
    )
    return answer

"""Dice, and small questions that many rules ask: one of some units, one of some places, yes or no."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.next_war.events import Thrown
from pbem.games.next_war.orders import NONE, read_spot, read_unit, split_order
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Facts, Flow, Roll
from pbem.kernel.orders import Rejected, illegal, unreadable


def throw(label: str, rule: str, against: str | None = None) -> Flow[int]:
    """[2.6] One ten-sided die, 0 to 9."""
    (face,) = yield Roll(label, 1, 10, rule, against)
    return int(face) % 10


def told(g: State, label: str, die: int, drm: int, outcome: str, rule: str) -> None:
    """What came of a die, for the report."""
    emit(g, Thrown(label, die, drm, outcome, rule))


def choose_unit(
    g: State,
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    units: Sequence[str],
    none: bool = False,
    reaction: bool = False,
    scope: str = "",
) -> Flow[str]:
    """One of some units; "" when there is none to choose or the owner declines. Asks nothing without units."""
    if not units:
        return ""
    names = ", ".join(g.counter(u).name for u in units[:8])
    found: str = yield _ask(
        seat, verb, rule, prompt, list(units), none, lambda body: read_unit(g, body, seat), names, reaction, lambda u: u, scope
    )
    return found


def choose_spot(
    g: State, seat: str, verb: str, rule: str, prompt: str, spots: Sequence[tuple[int, str]], reaction: bool = False
) -> Flow[tuple[int, str]]:
    """One of some hexes and sea areas. Asks nothing without any: (0, "")."""
    if not spots:
        return 0, ""
    names = ", ".join(spot_name(g, s) for s in spots[:8])
    found: tuple[int, str] = yield _ask(
        seat,
        verb,
        rule,
        prompt,
        list(spots),
        False,
        lambda body: read_spot(g, body),
        names,
        reaction,
        lambda s: spot_word(g, s),
    )
    return found


def spot_name(g: State, spot: tuple[int, str]) -> str:
    """A hex or area in words."""
    return g.board.areas[spot[1]].name if spot[1] in g.board.areas else spot[1] or g.board.name(spot[0])


def spot_word(g: State, spot: tuple[int, str]) -> str:
    """A hex or area as an order names it."""
    return spot[1] or g.board.hexes[spot[0]].label


def _ask(
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    choices: Sequence[object],
    none: bool,
    read_one: Callable[[Plain], object],
    names: str,
    reaction: bool,
    word: Callable[..., str],
    scope: str = "",
) -> Ask:
    def read(plain: Plain) -> object:
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
        found: list[Plain] = [{verb: word(c)} for c in choices]
        return [*found, {verb: NONE}] if none else found

    single = len(choices) == 1 and not none
    return Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        scope,
        facts={"choices": len(choices)},
        forced={verb: word(choices[0])} if single else None,
        options=options,
        policy=policy,
        reaction=reaction,
    )


def _reads(read_one: Callable[[Plain], object], item: Plain) -> object:
    try:
        return read_one(item)
    except Rejected:
        return None


def choose_word(
    seat: str,
    verb: str,
    rule: str,
    prompt: str,
    words: Sequence[str],
    reaction: bool = False,
    scope: str = "",
    facts: Facts | None = None,
) -> Flow[str]:
    """One of a few words; `yes` and `no` may come as truth values."""

    def read(plain: Plain) -> str:
        _, body = split_order(plain, (verb,))
        word = {True: "yes", False: "no"}.get(body, body) if isinstance(body, bool) else body
        if not isinstance(word, str) or word not in words:
            raise unreadable(f"{verb}: {body!r}", f"{verb}: " + f", or {verb}: ".join(words))
        return word

    answer: str = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        scope,
        facts or {},
        options=lambda: [{verb: w} for w in words],
        policy=lambda word: {verb: word},
        reaction=reaction,
    )
    return answer

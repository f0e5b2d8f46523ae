"""[PW-RPL-01] [PW-RPL-05] Replacement steps that wait: how trained they are, whom they suit, what is left of them in truth."""

from __future__ import annotations

from contextlib import suppress
from copy import copy

from pbem.games.pacific_war.orders import read_unit
from pbem.games.pacific_war.records import Secret
from pbem.games.pacific_war.secret.orders import REPLACEMENTS, read_rows, read_steps, split_becoming
from pbem.games.pacific_war.state import ALLIES, State
from pbem.games.pacific_war.terms import NATIONS
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Reveal
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.wording import NO_WORDS, Message, linked, msg


def training(g: State, side: str, arrived: int) -> int:
    """[PW-RPL-05] Level of aircraft that have been trained since a month; -1: not yet three months."""
    months = arrived - g.month
    if months < 3:
        return -1
    if side == ALLIES and 1 <= g.month <= 30:  # [PW-RPL-07] February 1943 to July 1945
        months += 6
    return 0 if months <= 12 else 1 if months <= 24 else 2


def level_of_pool(g: State, side: str, pool: str) -> int:
    """Level of the aircraft of a pool, `air 1` or `air from 40`; -1: ground steps, or not yet trained."""
    words = pool.split()
    if words[0] != "air":
        return -1
    return training(g, side, int(words[2])) if words[1] == "from" else int(words[1])


def pool_for(g: State, side: str, unit: str, new: bool = False, wanted: int | None = None, known: bool = True) -> str:
    """The pool that has steps for a unit, the most trained first [PW-RPL-05]; "" if none. `wanted`: of this level; `known`:
    what is left in the pools is certain, so that the most trained can be insisted on.

    [PW-RPL-04] Level 2 takes level 2 only, the others take any; a new unit takes its own level only.
    """
    c, pools = g.counter(unit), g.pools.get(side, {})
    if c.kind == "ground":
        return next((k for k in (f"ground {c.nation}", "ground") if pools.get(k)), "")
    levels = {k: level_of_pool(g, side, k) for k, n in pools.items() if k.startswith("air") and n}
    able = [k for k, lv in levels.items() if lv == c.level or (lv >= 0 and c.level < 2 and not new)]
    if wanted is not None:
        best = max((levels[k] for k in able), default=-1)
        if known and best > wanted and any(k.startswith("air from") and levels[k] == best for k in able):
            raise illegal(msg("the most trained steps come first"), "PW-RPL-05", msg("they are of level {level}", level=best))
        able = [k for k in able if levels[k] == wanted]
    return max(able, key=lambda k: levels[k], default="")


def told_pools(g: State, side: str) -> Message:
    """[PW-RPL-01] The steps on the replacement sheet of a side, by kind; "" where there are none."""
    left = [_told(g, side, pool, n) for pool, n in sorted(g.pools.get(side, {}).items()) if n]
    if not left:
        return NO_WORDS
    if uses_in_secret(g, side):
        return msg("replacement steps, less those that were used in secret: {steps}", steps=linked(", ", *left))
    return msg("replacement steps: {steps}", steps=linked(", ", *left))


def _told(g: State, side: str, pool: str, n: int) -> Message:
    kind, _, nation = pool.partition(" ")
    if kind == "air":
        level = level_of_pool(g, side, pool)
        return msg("{n} air of level {level}", n=n, level=level) if level >= 0 else msg("{n} air in training", n=n)
    return msg("{n} ground, {nation}", n=n, nation=NATIONS[nation]) if nation else msg("{n} ground", n=n)


# -- steps used in secret ----------------------------------------------------------------------------------------------


def uses_in_secret(g: State, side: str) -> bool:
    """Everybody knows that what is left in the pools of this side is not certain."""
    return any(s.kind == REPLACEMENTS for s in g.in_secret.get(side, ()))


def pools_left(g: State, side: str, reveal: Reveal) -> dict[str, int]:
    """The pools of a side less what it has used in secret, for its owner and the audit."""
    spent: dict[str, int] = {}
    for secret in g.in_secret.get(side, ()):
        if secret.kind == REPLACEMENTS:
            _use(g, side, secret, reveal(secret.handle), spent)
    return {key: max(0, n - spent.get(key, 0)) for key, n in g.pools.get(side, {}).items()}


def _use(g: State, side: str, secret: Secret, order: Plain, spent: dict[str, int]) -> None:
    """Adds the steps of a secret order, taken from the pools as they were then."""
    then = copy(g)
    then.month = secret.facts["month"]
    before = dict(secret.facts["pools"])
    with suppress(Rejected):  # what its owner's program would not have sealed
        for verb, who, what in read_rows(order):
            then.pools = {side: {key: n - spent.get(key, 0) for key, n in before.items()}}
            pool, n = _taken(then, side, verb, who, what)
            if pool:
                spent[pool] = spent.get(pool, 0) + n


def _taken(then: State, side: str, verb: str, who: str, what: Plain) -> tuple[str, int]:
    unit = read_unit(then, who, side)
    if verb == "replace":
        n, level = read_steps(split_becoming(then, side, what)[0])
        return pool_for(then, side, unit, wanted=level), n
    if verb == "rebuild" and isinstance(what, dict):
        return pool_for(then, side, unit, new=True), read_number(what.get("steps"), 1, 6, "PW-RPL-03")
    return "", 0

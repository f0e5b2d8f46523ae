"""Orders as people type them, read as those that the rules know: before a file is signed, never behind a signature."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Reveal
from pbem.kernel.forms import verbs_of, words_of
from pbem.kernel.orders import Problem, Rejected, judged
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.asked import question_of
from pbem.runtime.entries import read_entry
from pbem.runtime.knowledge import Unknown
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused


def with_verb(order: Plain, verbs: Sequence[str]) -> Plain:
    """`verb: rest` or `verb rest` in one text as `{verb: rest}`, the rest as in a file; any other order as it is."""
    if not isinstance(order, str):
        return order
    for verb in sorted(verbs, key=lambda v: (-len(v), v)):
        found = re.match(rf"{re.escape(verb)}(?:\s*:\s*|\s+)(?=\S)", order.strip(), re.IGNORECASE)
        if found is not None:
            return {verb: _body(order.strip()[found.end() :])}
    return order


def _body(rest: str) -> Plain:
    """The rest of an order as an entry of a file has it, or as text where that says something else."""
    try:
        entry = read_entry(f"- it: {rest}")
    except ProtocolError:
        return rest
    return entry["it"] if isinstance(entry, dict) and set(entry) == {"it"} else rest


def readings(table: Table, player: str, order: Plain, reveal: Reveal | None = None) -> list[tuple[Plain, ...]]:
    """Other readings of an order that does not stand as it was written, the plainest first.

    Each is the orders that take its place; `reveal`: what its writer knows of hidden things. Raises Refused where a word is
    unknown.
    """
    ask = question_of(table, player)
    if ask is None:
        return []
    if isinstance(order, dict) and set(order) == {"seal", "seat"}:
        return [tuple({**order, "seal": one} for one in orders) for orders in readings_at(table, ask, order["seal"], reveal)]
    return readings_at(table, ask, order, reveal)


def readings_at(table: Table, ask: Ask | Commit, order: Plain, reveal: Reveal | None = None) -> list[tuple[Plain, ...]]:
    """The same of an order for this question."""
    plain = with_verb(order, words_of(ask))
    found: list[tuple[Plain, ...]] = [] if plain is order else [(plain,)]
    try:
        meant = tuple(table.game.typed(_seen(table, ask, reveal), ask, plain))
    except Rejected as wrong:
        raise Refused(list(wrong.problems)) from None
    return [*found, meant] if meant and meant not in ((order,), (plain,)) else found


def _seen(table: Table, ask: Ask | Commit, reveal: Reveal | None) -> Any:
    """What everybody sees; for what is sealed, what its owner sees."""
    state = table.engine.state
    if reveal is not None and isinstance(ask, Commit):
        with suppress(Unknown):
            return table.game.seen_by(state, ask.seat, reveal) or state
    return state


def first_that_stands(
    add: Callable[[Sequence[Plain]], None],
    table: Table,
    player: str,
    order: Plain,
    refused: Refused,
    reveal: Reveal | None = None,
) -> tuple[Plain, ...]:
    """The orders for which one that was refused is taken; `add` puts them on the table, or changes nothing.

    Raises Refused as the reading that came furthest was refused.
    """
    answers = [*_bare_answers(table, player, order), *_as_beforehand(table, player, order)]
    try:
        others = readings(table, player, order, reveal)
    except Refused as unknown:
        meant = any(p.verdict == "means two things" for p in unknown.problems)
        others, refused = [], unknown if meant or _is_unread(refused.problems) else refused
    for orders in others:
        try:
            add(orders)
        except Refused as error:
            refused = refused if _is_unread(error.problems) and not _is_unread(refused.problems) else error
        else:
            return orders
    for orders in answers:
        with suppress(Refused):
            add(orders)
            return orders
    raise refused


def _bare_answers(table: Table, player: str, order: Plain) -> list[tuple[Plain, ...]]:
    """An answer without its verb, `yes`, where one verb alone is asked and no `done`; it is taken only where it stands."""
    ask = question_of(table, player)
    verbs = verbs_of(ask) if isinstance(ask, Ask) else ()
    if len(verbs) != 1 or isinstance(order, dict):
        return []
    return [({verbs[0]: _body(order) if isinstance(order, str) else order},)]


def _as_beforehand(table: Table, player: str, order: Plain) -> list[tuple[Plain, ...]]:
    """What may be said beforehand, said now: `hits: cheapest` as the order that a standing order of these words would give."""
    ask = question_of(table, player)
    plain = with_verb(order, [ask.kind]) if isinstance(ask, Ask) else order
    if not isinstance(ask, Ask) or not isinstance(plain, dict) or set(plain) != {ask.kind}:
        return []
    with suppress(Rejected):
        said = judged(ask.policy, plain[ask.kind])
        return [(said,)] if said not in (None, plain, plain[ask.kind]) else []
    return []


def best_guess(table: Table, player: str, order: Plain) -> tuple[Plain, ...]:
    """What an order behind one that is refused probably says, so that what is wrong with it is told too."""
    ask = question_of(table, player)
    try:
        if isinstance(ask, Ask):
            judged(ask.read, order)
    except Rejected as wrong:
        with suppress(Refused):
            others = readings(table, player, order) if _is_unread(wrong.problems) else []
            return others[-1] if others else (order,)
    return (order,)


def _is_unread(problems: Sequence[Problem]) -> bool:
    return all(p.verdict != "not allowed" for p in problems)

"""What a file gives up: phases that end without an order, questions still open, and what the game itself counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.kernel import images
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import KINDS, Consequence
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.questions import AGAIN, DONE
from pbem.kernel.wording import msg
from pbem.runtime.asked import question_of
from pbem.runtime.living import Living
from pbem.runtime.table import Table

Looked = Callable[[Table, Ask | Commit | None, int], None]


def nothing_seen(table: Table, ask: Ask | Commit | None, at: int) -> None:
    """Of him who looks at no order on the way."""


def consequences(
    living: Living, orders: Sequence[Plain], player: str, looked: Looked = nothing_seen
) -> tuple[Consequence, ...]:
    """Those of some orders, played on a table that has none of them yet, each told once; worst first.

    `looked`: is shown the table in front of each order, what is asked there, and its number, from 0.
    """
    found: list[Consequence] = []
    for at, order in enumerate(orders):
        ask = question_of(living.table, player)
        looked(living.table, ask, at)
        if ask is not None and (ask.kind in living.table.game.weighed or (order == DONE and isinstance(ask, Ask))):
            found += _skipped(living.table, ask) if order == DONE and isinstance(ask, Ask) else ()
            before = copied(living.table)
            living.add(order)
            found += living.table.game.consequences(before, living.table.engine.state, ask)
        else:
            living.add(order)
    found += _open(living.table, player)
    return tuple(sorted(_once(found), key=lambda c: KINDS.index(c.kind)))


def graver(found: Sequence[Consequence]) -> int:
    """How many of them have to be meant and are more than that a question had no order."""
    return sum(c.has_to_be_meant and c.kind != "skipped" for c in found)


def _once(found: Sequence[Consequence]) -> list[Consequence]:
    """Segments of one name that end one behind the other say the same: who reads it twice looks for the difference."""
    return [c for nth, c in enumerate(found) if c not in found[:nth]]


def copied(table: Table) -> Any:
    """The state of a table as another record, without its events."""
    state = images.copied(table.engine.state)
    table.game.attach(state, table.engine.scenario)
    return state


def _skipped(table: Table, ask: Ask) -> Iterator[Consequence]:
    """`done` is the first answer in its phase, though the question lists other orders than beginning anew."""
    if all(asked != table.engine.fingerprint for asked, _ in table.engine.journal) and any(
        o not in (DONE, AGAIN) for o in ask.options()
    ):
        yield Consequence("skipped", msg("ended with no order in it: {question}", question=ask.prompt), ask.rule)


def _open(table: Table, player: str) -> Iterator[Consequence]:
    """The question is still open behind the file, and what would be lost if its phase ended now."""
    ask = question_of(table, player)
    if ask is None:
        return
    told = msg("still asked, so that another file of yours is needed: {question}", question=ask.prompt)
    yield Consequence("unfinished", told, ask.rule)
    if ask.kind in table.game.usual:
        yield Consequence("unasked", msg("a standing order would save a message: {kind}", kind=ask.kind), "protocol")
    if isinstance(ask, Ask) and DONE in ask.verbs:
        yield from (replace(c, final=False, pending=True) for c in _if_done(table, ask))


def _if_done(table: Table, ask: Ask) -> Sequence[Consequence]:
    """What `done` would give up, tried on a copy."""
    try:
        judged(ask.read, DONE)
    except Rejected:
        return ()
    engine = Engine.resume(table.game, table.engine.scenario, table.engine.checkpoint())
    engine.reply(DONE)
    return table.game.consequences(table.engine.state, engine.state, ask)

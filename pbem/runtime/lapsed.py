"""Sealed steps of one's own plans that lapsed: what their owner's program alone can say of them.

A step whose answer is a seal answers unopened; what it holds is judged by its owner's program, which states no more than that
it does not stand. Here the file in which it answered is taken again, and the step is judged at its question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Commit
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import Message
from pbem.runtime.contents import Document, Fetch
from pbem.runtime.knowledge import Knowledge, Unknown
from pbem.runtime.ledger import Fired, Ledger, PlanHeld
from pbem.runtime.table import Table
from pbem.runtime.taking import take_in_place


class Lapsed(Struct, frozen=True):
    """A sealed step that its owner's program could not let stand: what it held, and why."""

    fired: Fired
    order: Plain
    why: Message


def answered_by(ledger: Ledger, player: str, files: Iterable[int]) -> dict[int, list[tuple[str, Fired]]]:
    """The sealed steps of a player's plans that answered in these files, unopened: by file, with the handle of each."""
    held = {plan.seq: plan for plan in ledger.plans if plan.player == player}
    wanted, found = {*files}, dict[int, list[tuple[str, Fired]]]()
    for made in ledger.fired:
        if made.by == "plan" and made.seq in wanted and made.file in held and (handle := _handle(held[made.file], made)):
            found.setdefault(made.seq, []).append((handle, made))
    return found


def _handle(plan: PlanHeld, made: Fired) -> str:
    """The seal of a step that is its own answer; "" of a step that lay open or was opened."""
    is_seal = isinstance(made.order, dict) and "sealed" in made.order
    return plan.seals[made.clause - 1] if is_seal else ""


def lapsed(before: Table, document: Document, fetch: Fetch, knowledge: Knowledge) -> Iterator[Lapsed]:
    """Those of a file that were not allowed when they were due. `before`: the table before it, which is used up.

    What is hidden from this program, a seal handed over without its key say, is judged as if it stood.
    """
    refused: dict[str, Message] = {}

    class Judging(Engine):
        def reply(self, answer: Plain) -> None:
            request = self.request
            if isinstance(request, Commit) and isinstance(answer, str):
                try:
                    request.check(knowledge.reveal(answer), knowledge.reveal)
                except Unknown:
                    pass
                except Rejected as wrong:
                    refused[answer] = wrong.told
            super().reply(answer)

    engine = before.engine
    before.engine = Judging.resume(before.game, engine.scenario, engine.checkpoint())
    taken = take_in_place(before, document, fetch)
    mine = answered_by(taken.table.ledger, knowledge.player, [taken.seq]).get(taken.seq, [])
    for handle, made in mine:
        if handle in refused:
            yield Lapsed(made, knowledge.reveal(handle), refused[handle])

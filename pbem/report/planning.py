"""Plans told: what a file has planned, what of it was carried out, and what did not apply and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.games.parts import Words
from pbem.kernel.canon import Plain
from pbem.kernel.plans import HIDDEN, later_of
from pbem.kernel.standing import WhyNot
from pbem.kernel.wording import Argument, Message, linked, msg, times
from pbem.report.conditions import condition_told
from pbem.report.quoting import Named, order_told, scope_told
from pbem.runtime.lapsed import Lapsed
from pbem.runtime.ledger import Fired

if TYPE_CHECKING:
    from pbem.runtime.behind import Behind


def steps_told(plan: Sequence[Plain], words: Words, named: Named) -> Iterator[Message]:
    """Each step of a plan for a reader; of a sealed one only its question."""
    for step in plan:
        assert isinstance(step, dict)
        kind = str(step["at"]).removeprefix(HIDDEN)
        about: Argument = words.ASKED.get(kind) or kind
        if step.get("sealed") is True and kind == step["at"]:  # its owner reads what is in it
            about = msg("{question}, sealed", question=about)
        if later := later_of(step):
            about = msg("{question} ({later})", question=about, later=times(words.LATER, later))
        if "do" not in step and kind != step["at"]:
            yield msg("then, {question}", question=about)
        elif "do" not in step:
            yield msg("then, {question}: sealed", question=about)
        elif step.get("when"):
            orders = orders_told(step["do"], named)
            yield msg(
                "then, {question}, when {condition}: {orders}",
                question=about,
                condition=condition_told(str(step["when"]), named),
                orders=orders,
            )
        else:
            yield msg("then, {question}: {orders}", question=about, orders=orders_told(step["do"], named))


def orders_told(orders: Plain, named: Named) -> Message:
    """One order, or several behind one another."""
    return linked("; ", *(order_told(order, named) for order in (orders if isinstance(orders, list) else [orders])))


def behind_told(found: Behind) -> list[Message]:
    """That a plan could hold orders behind a die, and which of them it could not."""
    first, last = found.first + 1, found.first + found.count
    if found.parted is not None:
        told = msg(
            "Order {n} is several, and only the first of them comes before a die or another's answer. A plan in the same file "
            "could hold what follows.",
            n=found.parted[0] + 1,
        )
    elif first == last:
        told = msg("Order {first} comes behind a die or another's answer. A plan in the same file could hold it.", first=first)
    else:
        told = msg(
            "Orders {first} to {last} come behind a die or another's answer. A plan in the same file could hold them.",
            first=first,
            last=last,
        )
    if found.is_whole:
        return [told]
    n = last + 1
    if found.why:
        return [told, msg("Mind: order {n} and what follows it cannot be planned so: {why}", n=n, why=found.why)]
    return [told, msg("Mind: for order {n} and what follows it no question is foreseen that a plan could answer so.", n=n)]


def why_told(made: Fired, named: Named) -> Message:
    """Where an answer of a plan came from, or what did not apply and what follows."""
    if made.by == "plan":
        return msg("plan of file {seq}, step {n}", seq=made.file, n=made.clause)
    (why,) = made.why
    if made.by == "stopped":
        return msg(
            "plan of file {seq}, step {n}: not allowed here ({why}); the plan ends there and its owner is asked",
            seq=made.file,
            n=made.clause,
            why=why.detail,
        )
    if why.reason == "condition":
        condition = condition_told(str(why.detail), named)
        return msg(
            "plan of file {seq}, step {n}: left out, not so: {condition}", seq=made.file, n=made.clause, condition=condition
        )
    return msg("plan of file {seq}, step {n}: left out, not allowed here ({why})", seq=made.file, n=made.clause, why=why.detail)


def lapse_told(found: Lapsed, named: Named) -> Message:
    """For its owner alone: a sealed step that was not allowed when it was due."""
    made = found.fired
    return msg(
        "plan of file {seq}, step {n}: lapsed in file {file}, not allowed there ({why}): {orders}",
        seq=made.file,
        n=made.clause,
        file=made.seq,
        why=found.why,
        orders=orders_told(found.order, named),
    )


def why_not(reason: WhyNot, named: Named) -> Message:
    """Why a clause of a standing order gave no answer."""
    match reason.reason:
        case "used":
            return msg("clause {n}: used up", n=reason.clause)
        case "scope":
            return msg("clause {n}: only for {scope}", n=reason.clause, scope=scope_told(str(reason.detail), named))
        case "condition":
            return msg("clause {n}: not so, {condition}", n=reason.clause, condition=condition_told(str(reason.detail), named))
        case "silent":
            return msg("clause {n}: no answer to this", n=reason.clause)
        case "asks" if reason.detail:
            return msg(
                "clause {n}: asks you, {condition}", n=reason.clause, condition=condition_told(str(reason.detail), named)
            )
        case "asks":
            return msg("clause {n}: asks you", n=reason.clause)
        case "illegal":
            return msg("clause {n}: not allowed here ({why})", n=reason.clause, why=reason.detail)

"""[PW-ACT-03] [PW-BID-01] What units cost, for whoever bids for an operation or activates, hidden ones too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.command.activation import MULTIPLE
from pbem.games.pacific_war.command.callable import Linked, callable_units
from pbem.games.pacific_war.secret.forces import whole
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import place
from pbem.kernel.flow import Reveal
from pbem.kernel.wording import Argument, Message, Overview, msg

PAYING = frozenset({"operation-bid", "claim", "activate", "muster", "react", "join"})  # questions about command points
SHORTEST = min(MULTIPLE)  # days


def prices(g: State, side: str, reveal: Reveal) -> Iterator[Overview]:
    """For each linked headquarters its idle units by hex, the dearest first."""
    seen = whole(g, side, reveal)
    sentence = msg("{place}: {units}.")
    columns = (("place", msg("Hex")), ("units", msg("Units")))
    for hq, linked in callable_units(seen, side).items():
        rows = tuple(_row(seen, at, [x for x in linked if x.at == at]) for at in sorted({x.at for x in linked}))
        if rows:
            yield Overview(_title(seen, hq), columns, rows, sentence.id)


def _title(g: State, hq: str) -> Message:
    return msg(
        "Command points of units activated by {hq} for {days} days (times 2 for 21 days, 3 for 28, submarines once); "
        "{cost} more above 10, 20 and 30 activation points",
        hq=hq,
        days=SHORTEST,
        cost=g.hqs[hq].cost,
    )


def _row(g: State, at: int, linked: Sequence[Linked]) -> dict[str, Argument]:
    costs = sorted({x.weekly + x.once for x in linked}, reverse=True)
    told = [msg("{n} each: {units}", n=n, units=tuple(x.unit for x in linked if x.weekly + x.once == n)) for n in costs]
    return {"place": place(g, at), "units": tuple(told)}

"""[PW-BID] Who becomes operations player: sealed bids of command points."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.clock import BID_MONTH, FreeBaseGranted, NextClaimSet, OperatorNamed
from pbem.games.pacific_war.cycle import solitaire
from pbem.games.pacific_war.operation_forms import bidding
from pbem.games.pacific_war.orders import misread
from pbem.games.pacific_war.secret.points import bid_of
from pbem.games.pacific_war.state import ALLIES, JAPAN, NOBODY, SIDES, State
from pbem.games.pacific_war.world.initiative import lead, lead_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow, Simultaneous
from pbem.kernel.naming import read_number
from pbem.kernel.orders import split_order
from pbem.kernel.questions import yes_or_no
from pbem.kernel.wording import msg

MOST_TIES = 3  # [PW-RUL-96] equal bids in a row


def bids(g: State, first: bool, of_nothing: bool = False) -> Flow[None]:
    """[PW-BID-01] Both bid; the higher becomes operations player; no bid ends the month [PW-SEQ-04].

    `first`: no operation of the month before goes on; the first bids of a month may also follow one [PW-BID-04].
    `of_nothing`: a side that has no points bids too, as it did up to version 4 of the rules.
    """
    first = first or g.script.get(BID_MONTH) != g.month
    side, declined = g.claims_next, bool(g.claims_next)
    if declined:
        emit(g, NextClaimSet(""))
    if side in SIDES and purse(g, side):
        yes = yield from yes_or_no(side, "claim", "PW-BID-05", msg("become operations player without a bid"))
        if yes:
            emit(g, NextClaimSet(NOBODY))
            _begin(g, side, purse(g, side), "PW-BID-05", claimed=True)
            return
    if solitaire.on(g):
        winner = "" if declined else (yield from solitaire.operations_player(g))
        if winner:
            _begin(g, winner, purse(g, winner), "PW-SOL-01", claimed=True)
        else:
            emit(g, Scheduled((("month-end", (False,)),), "PW-SEQ-04"))
        return
    bidders = [s for s in SIDES if of_nothing or purse(g, s)]
    for ties in range(1, MOST_TIES + 1):
        bid = yield from _named(g, bidders, first)
        for side in SIDES:
            bid[side] = yield from bid_of(g, side, bid[side], first)
        if not any(bid.values()):
            emit(g, Scheduled((("month-end", (False,)),), "PW-SEQ-04"))
            return
        total = {s: bid[s] + bonus(g, s) if bid[s] else 0 for s in SIDES}
        if total[JAPAN] != total[ALLIES]:
            winner = JAPAN if total[JAPAN] > total[ALLIES] else ALLIES
            break
        if lead(g):
            winner = JAPAN if lead(g) > 0 else ALLIES  # [PW-BID-03]
            break
        if ties == MOST_TIES:
            winner = g.reactor  # [PW-RUL-96]
    _begin(g, winner, bid[winner], "PW-BID-02")


def _named(g: State, bidders: Sequence[str], first: bool) -> Flow[dict[str, int]]:
    """What each side bids: two in secret, one alone openly; who has no points for it is not asked."""
    asks = [_ask(g, s, _least(g, s, first)) for s in bidders]
    bid = dict.fromkeys(SIDES, 0)
    if len(asks) == 1:
        bid[asks[0].seat] = yield asks[0]
    elif asks:
        bid |= yield Simultaneous(tuple(asks), "PW-BID-01")
    return bid


def _begin(g: State, side: str, bid: int, rule: str, claimed: bool = False) -> None:
    if side != g.operator:
        emit(g, OperatorNamed(side, rule))
    emit(g, FreeBaseGranted(side, 0 if claimed else g.month))
    emit(g, Scheduled((("activation", (bid, claimed)), ("operation", ())), rule))


def bonus(g: State, side: str) -> int:
    """[PW-SI-04] Five for each level of the strategic initiative, for its holder."""
    return 5 * max(0, lead_of(g, side))


def purse(g: State, side: str) -> int:
    """The most that one headquarters of a side can spend."""
    return max([h.points for h in g.hqs.values() if h.side == side and h.box == "map" and h.points > 0], default=0)


def _least(g: State, side: str, first: bool) -> int:
    """[PW-BID-04] In the month of a future operation the first bid is at least the reserve."""
    kept = g.reserve.get(side, [0, 0])
    return min(kept[1], purse(g, side)) if first and kept[0] == g.month else 0


def _ask(g: State, side: str, least: int) -> Ask:
    most = purse(g, side)

    def read(plain: Plain) -> int:
        _, body = split_order(plain, ("bid",))
        if isinstance(body, dict):
            raise misread("bid", body, "bid: 12")
        return read_number(body, least, most, "PW-BID-04" if least else "PW-BID-01")

    options: list[Plain] = [{"bid": n} for n in dict.fromkeys((least, most // 2, most)) if n >= least]
    return Ask(
        side,
        "operation-bid",
        "PW-BID-01",
        msg("bid for the operation, {least} to {most}", least=least, most=most),
        read,
        ("bid",),
        facts={"most": most},
        default={"bid": least},
        options=lambda: options,
        form=lambda: bidding("bid", least, most, read),
    )

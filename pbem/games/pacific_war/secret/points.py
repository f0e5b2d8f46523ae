"""[PW-CMD-01] [PW-CMD-04] [PW-CMD-05] Command points in secret, by option.

Each month a side seals how it allocates its points. What it spends is public; whether a headquarters has as much is a
statement of its owner, which the audit compares with the sealed allocations. `points` of a headquarters is then no more
than what it can have at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.orders import misread, read_month
from pbem.games.pacific_war.records import MONTHS_AHEAD, MOST_RESERVED, Allotment, Payment
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import month
from pbem.games.pacific_war.units.changes import set_points
from pbem.games.pacific_war.veils import Allotted, Paid
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Commit, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal, nearest, split_order
from pbem.kernel.wording import Message, counted, msg, recorded_as, verbatim

Points = dict[str, int]
Reserve = tuple[int, int]  # month and points; (0, 0): none


def hidden(g: State) -> bool:
    """The option is on; alone there is nobody to hide from."""
    return g.options.get("points") == "sealed" and g.options.get("solitaire") != "yes"


def public_points(g: State, side: str) -> int:
    """The points that a side has left, as far as everybody knows; with sealed ones a reserve may be among them or not."""
    found = [h.points for h in g.hqs.values() if h.side == side]
    return max(found, default=0) if hidden(g) else sum(found)


# -- the allocation of a month -----------------------------------------------------------------------------------------


def allot(
    g: State, side: str, total: int, linked: Sequence[str], options: Sequence[Plain], form: Callable[[Read], Form]
) -> Flow[None]:
    """A side seals the allocation of its points; an order that is not legal gives all to the first linked headquarters."""
    row = Allotment(g.month, "", total, list(linked))
    prompt = msg("allocate {n} command points in secret", n=total)

    def read(plain: Plain) -> object:
        """The reserve that there is already is known to the owner alone: the rest can be judged."""
        return read_shares(row, (0, 0), plain)

    handle = yield Commit(
        side,
        "allocate",
        "PW-CMD-04",
        prompt,
        read,
        default={"allocate": dict(_first(row))},
        options=lambda: options,
        form=lambda may_seal, _: form(may_seal),
    )
    row.handle = handle
    earlier = g.accounts[side].allotments if side in g.accounts else []
    kept = sum(min(MOST_RESERVED, a.total) for a in earlier if 0 < a.month - g.month <= MONTHS_AHEAD)
    emit(g, Allotted(side, row, total + kept, "PW-CMD-04"))


def _first(row: Allotment) -> Points:
    return {row.linked[0]: row.total} if row.linked else {}


def read_shares(row: Allotment, kept: Reserve, plain: Plain) -> tuple[Points, Reserve, str]:
    """`allocate: {hq: points, reserve: {month, points}, release: hq}` of a month with this reserve before. Raises Rejected."""
    _, body = split_order(plain, ("allocate",))
    if not isinstance(body, dict):
        raise misread("allocate", body, "allocate: {South Seas: 20}")
    shares: Points = {}
    reserve, release = (0, 0), ""
    for key, value in body.items():
        if key == "reserve":
            reserve = read_reserve(value, row.month, kept, row.total)
        elif key == "release":
            release = _linked(row, value)
        else:
            shares[_linked(row, key)] = read_number(value, 0, row.total, "PW-CMD-04")
    spent = sum(shares.values()) + reserve[1]
    if spent > row.total:
        raise illegal(msg("too many points are given away: {n}", n=spent), "PW-CMD-04", msg("at most: {most}", most=row.total))
    return shares, reserve, release


def _linked(row: Allotment, name: Plain) -> str:
    found = {n.lower(): n for n in row.linked}.get(str(name).lower(), "")
    if not found:
        raise illegal(
            msg("{hq} is not linked", hq=str(name)), "PW-CMD-04", nearest(str(name), row.linked) or verbatim(*row.linked)
        )
    return found


def reserve_months(now: int) -> range:
    """[PW-CMD-05] Months for which points may be kept: one to four ahead."""
    return range(max(1, now - MONTHS_AHEAD), now)


def open_months(now: int, kept: Reserve) -> list[int]:
    """Those for which points may be kept beside the reserve that stands."""
    return [m for m in reserve_months(now) if not 0 < kept[0] <= now or m == kept[0]]


def read_reserve(value: Plain, now: int, kept: Reserve, total: int) -> Reserve:
    """[PW-CMD-05] `{month: September 1942, points: 20}`: at most 50 points a month, one reserve at a time. Raises Rejected."""
    if not isinstance(value, dict) or set(value) != {"month", "points"} or not reserve_months(now):
        raise misread("reserve", value, "reserve: {month: September 1942, points: 20}")
    chosen = read_month(value["month"], reserve_months(now), "PW-CMD-05")
    points = read_number(value["points"], 1, min(MOST_RESERVED, total), "PW-CMD-05")
    if chosen not in open_months(now, kept):
        raise illegal(msg("the reserve is kept for {month}", month=month(kept[0])), "PW-CMD-05")
    return chosen, points


# -- what the owner knows ----------------------------------------------------------------------------------------------


def ledger(g: State, side: str, reveal: Reveal) -> tuple[Points, int]:
    """The points of each headquarters now, and the reserve that was released this month; for the owner and the audit."""
    points: Points = {}
    kept, released = (0, 0), 0
    for row in g.accounts[side].allotments if side in g.accounts else ():
        points, kept, released = _month(row, kept, reveal)
    for payment in g.accounts[side].paid if side in g.accounts else ():
        _spend(points, payment)
    return points, released


def balance(g: State, side: str, hq: str, reveal: Reveal) -> int:
    """The points of one headquarters; dispersed ones have none."""
    return ledger(g, side, reveal)[0].get(hq, 0) if g.hqs[hq].box == "map" else 0


def _month(row: Allotment, kept: Reserve, reveal: Reveal) -> tuple[Points, Reserve, int]:
    """Points after the allocation of a month, the reserve after it, and what was released of it."""
    try:
        shares, reserve, release = read_shares(row, kept, reveal(row.handle))
    except Rejected:
        shares, reserve, release = _first(row), (0, 0), ""
    released = 0
    name = release or max(shares, key=lambda n: shares[n], default=row.linked[0] if row.linked else "")
    if kept[0] == row.month and name:
        released = kept[1]
        shares[name] = shares.get(name, 0) + released
    if reserve[1]:
        return shares, (reserve[0], reserve[1] + (kept[1] if kept[0] == reserve[0] else 0)), released
    return shares, kept if kept[0] <= row.month else (0, 0), released


def _spend(points: Points, payment: Payment) -> None:
    """A payment comes off its headquarters; that of a bid off others too, the richest first."""
    left = payment.points
    if not payment.bid:
        points[payment.hq] = points.get(payment.hq, 0) - left
        return
    for name in sorted(points, key=lambda n: (n != payment.hq, -points[n])):
        lost = max(0, min(left, points[name]))
        points[name] -= lost
        left -= lost


# -- spending ----------------------------------------------------------------------------------------------------------


def pay(g: State, hq: str, points: int, rule: str) -> None:
    """A headquarters spends command points; a negative number comes back."""
    if hidden(g):
        if points:
            emit(g, Paid(g.hqs[hq].side, Payment(hq, points), rule))
    else:
        set_points(g, hq, g.hqs[hq].points - points, rule)


def spend_bid(g: State, side: str, points: int, hq: str, rule: str) -> None:
    """[PW-ACT-03] What is left of a bid is lost: from this headquarters first, or "", then from the richest."""
    if points > 0:
        emit(g, Paid(side, Payment(hq, points, bid=True), rule))


def afford(g: State, side: str, hq: str, price: int, rule: str) -> Flow[bool]:
    """Whether a headquarters can pay: judged with the order, or stated by the owner of sealed points."""
    if not hidden(g):
        return True
    about = recorded_as(f"{price} points of {hq}", msg("the points suffice"))
    stated = yield Claim(side, "afford", about, rule, lambda reveal: balance(g, side, hq, reveal) >= price)
    if not stated:
        emit(g, Remarked(too_dear(hq, price), rule))
    return bool(stated)


def too_dear(hq: str, price: int) -> Message:
    """A headquarters had less than it was to pay."""
    return counted("{hq} could not pay {n} command point", "{hq} could not pay {n} command points", price, hq=hq)


def payer(g: State, side: str, names: Sequence[str], price: int, rule: str, richest: bool = False) -> Flow[str]:
    """Which of some headquarters pays: the first or the `richest` that can, "" if none; stated when points are sealed."""

    def able(points: Callable[[str], int]) -> str:
        order = sorted(names, key=lambda n: -points(n)) if richest else names
        return next((n for n in order if points(n) >= price), "")

    if not names or not hidden(g):
        return able(lambda n: g.hqs[n].points)
    about = recorded_as(f"of {price} points", msg("who pays {n} points", n=price))
    stated = yield Claim(side, "payer", about, rule, lambda reveal: able(lambda n: balance(g, side, n, reveal)))
    return stated if stated in names else ""


def bid_of(g: State, side: str, bid: int, first: bool) -> Flow[int]:
    """[PW-BID-01] [PW-BID-04] A bid as it stands: one that no headquarters can pay, or below the reserve, is the least."""
    reserves = any(0 < a.month - g.month <= MONTHS_AHEAD for a in g.accounts[side].allotments) if side in g.accounts else False
    if not hidden(g) or not (bid or (first and reserves)):
        return bid

    def truth(reveal: Reveal) -> Plain:
        points, released = ledger(g, side, reveal)
        most = max((n for hq, n in points.items() if g.hqs[hq].box == "map"), default=0)
        least = min(released, most) if first else 0
        return bid if least <= bid <= most else least

    about = recorded_as(f"of {bid}", msg("what stands of a bid of {n}", n=bid))
    stated = yield Claim(side, "bid", about, "PW-BID-01", truth)
    return stated if isinstance(stated, int) and stated >= 0 else 0

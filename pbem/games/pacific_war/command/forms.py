"""[PW-ACT-03] [PW-CMD-04] Command points pick by pick: activations with their price, bids, allocations with what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.pacific_war.orders import misread, read_units, unit_parts
from pbem.games.pacific_war.picks import unit_picks
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Counts
from pbem.kernel.naming import read_number
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

RESERVE = "reserve"


@dataclass(frozen=True, slots=True)
class Purse:
    """What an activation has to go with: what units cost, what a headquarters can spend, how long it may last."""

    price: Callable[[str, Sequence[str], int], tuple[int, int]]  # headquarters, units, days: activation and command points
    most: Callable[[str], int]
    lengths: Sequence[int] = ()


def activations(
    g: State,
    side: str,
    verbs: Sequence[str],
    hqs: Sequence[str],
    units: Callable[[str], Sequence[str]],
    name: Callable[[Plain], str],
    purse: Purse,
    read: Read,
) -> Form:
    """A headquarters, those of its `units` that can be paid for together (the others with the reason), how long."""

    def told(taken: Taken) -> Message:
        if not taken.one("hq"):
            return NO_WORDS
        days = int(taken.one("number") or min(purse.lengths, default=14))
        points, price = purse.price(taken.one("hq"), taken.all("unit"), days)
        most = purse.most(taken.one("hq"))
        return msg("command points: {price} of {most}; activation points: {points}", price=price, most=most, points=points)

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"hq": taken.one("hq"), "units": [*taken.all("unit")]}
        return {"activate": {**body, "days": int(taken.one("number"))} if taken.one("number") else body}

    def said(body: Plain) -> Said:
        if not isinstance(body, dict) or not {"hq", "units"} <= set(body) <= {"hq", "units", "days"}:
            raise misread("activate", body, "activate: {hq: South Seas, units: [...], days: 14}")
        named = [u for part in unit_parts(g, body["units"]) for u in read_units(g, [part], side)]
        return {"hq": [name(body["hq"])], "unit": named, "number": [str(body["days"])] if "days" in body else []}

    fields = (
        Field("hq", lambda _: [Pick("hq", h, verbatim(h)) for h in hqs]),
        Field("unit", lambda taken: unit_picks(g, "unit", units(taken.one("hq"))), most=MANY, grey=True),
        Field("number", lambda _: [Pick("number", str(n), msg("days: {n}", n=n)) for n in purse.lengths], 0),
    )
    return Verbs(read, verbs, {"activate": Fields(fields, make, said, read, told)})


def bidding(verb: str, least: int, most: int, read: Read) -> Form:
    """[PW-BID-01] A number between the least and the most."""

    def said(body: Plain) -> Said:
        return {"number": [str(read_number(body, least, most, "PW-BID-01"))]}

    numbers = [Pick("number", str(n), verbatim(str(n))) for n in range(least, most + 1)]
    gesture = Fields((Field("number", lambda _: numbers),), lambda taken: {verb: int(taken.one("number"))}, said, read)
    return Verbs(read, (verb,), {verb: gesture}, bare=(verb,))


def allocations(hqs: Sequence[str], months: Sequence[int], total: int, name: Callable[[Plain], str], read: Read) -> Form:
    """[PW-CMD-04] [PW-CMD-05] Points for each headquarters, and kept for a later month, while some are left."""

    def offers(taken: Mapping[str, int]) -> list[Pick]:
        left = total - sum(taken.values())
        kept = [Pick("unit", f"{RESERVE} {m}", msg("kept for month {month}", month=m), most=left) for m in months]
        return [*(Pick("unit", h, verbatim(h), most=left) for h in hqs), *kept] if left > 0 else []

    def make(taken: Mapping[str, int]) -> Plain:
        body: dict[str, Plain] = {h: n for h, n in taken.items() if not h.startswith(RESERVE)}
        for thing, points in taken.items():
            if thing.startswith(RESERVE):
                body[RESERVE] = {"month": int(thing.removeprefix(RESERVE)), "points": points}
        return {"allocate": body}

    def said(body: Plain) -> Mapping[str, int]:
        if not isinstance(body, dict) or not set(body).isdisjoint(("release", "return", "disperse")):
            raise misread("allocate", body, "allocate: {South Seas: 20}")
        found: dict[str, int] = {}
        for key, value in body.items():
            row = value if isinstance(value, dict) else {"points": value}
            thing = f"{RESERVE} {row.get('month')}" if key == RESERVE else name(key)
            found[thing] = read_number(row.get("points"), 0, total, "PW-CMD-04")
        return found

    def told(taken: Mapping[str, int]) -> Message:
        return msg("command points left: {n} of {total}", n=total - sum(taken.values()), total=total)

    return Verbs(read, ("allocate",), {"allocate": Counts(offers, make, said, read, told)}, bare=("allocate",))

"""[PW-ACT-03] [PW-CMD-04] Command points pick by pick: activations with their price, bids, allocations with what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.pacific_war.orders import misread, month_word, read_month, read_units, unit_parts
from pbem.games.pacific_war.picks import unit_picks
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import month
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Counts
from pbem.kernel.naming import read_number
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs, sole
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

RESERVE, RELEASE, RETURN, DISPERSE = "reserve", "release", "return", "disperse"
MOVES = (RELEASE, RETURN, DISPERSE)  # what headquarters do beside getting points
Moves = Mapping[str, tuple[Message, int]]  # word and name -> how it is told, command points


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
    return sole(verb, gesture, read)


def allocations(hqs: Sequence[str], months: range, total: int, moves: Moves, name: Callable[[Plain], str], read: Read) -> Form:
    """[PW-CMD-04] [PW-CMD-05] [PW-HQ-01] Points for each headquarters, and kept for a later month, while some are left.

    `moves`: headquarters that may return or disperse, or get the reserve of this month, with what it costs.
    """

    def spent(taken: Mapping[str, int]) -> int:
        return sum(n if thing not in moves else moves[thing][1] for thing, n in taken.items())

    def offers(taken: Mapping[str, int]) -> list[Pick]:
        left = total - spent(taken)
        kept = [Pick("unit", f"{RESERVE} {m}", msg("kept for {month}", month=month(m)), most=left) for m in months]
        ways = [Pick("unit", m, told, cost=_price(n)) for m, (told, n) in moves.items() if m not in taken and n <= left]
        return [*([*(Pick("unit", h, verbatim(h), most=left) for h in hqs), *kept] if left > 0 else []), *ways]

    def make(taken: Mapping[str, int]) -> Plain:
        body: dict[str, Plain] = {h: n for h, n in taken.items() if h not in moves and not h.startswith(RESERVE)}
        for thing, points in taken.items():
            if thing in moves:
                word, hq = thing.split(" ", 1)
                body[word] = hq if word == RELEASE else [*(x for w, x in _split(taken) if w == word)]
            elif thing.startswith(RESERVE):
                body[RESERVE] = {"month": month_word(int(thing.removeprefix(RESERVE))), "points": points}
        return {"allocate": body}

    def said(body: Plain) -> Mapping[str, int]:
        if not isinstance(body, dict):
            raise misread("allocate", body, "allocate: {South Seas: 20}")
        found: dict[str, int] = {}
        for key, value in body.items():
            if key in MOVES:
                found |= {f"{key} {name(hq)}": 1 for hq in (value if isinstance(value, list) else [value])}
                continue
            row = value if isinstance(value, dict) else {"points": value}
            thing = f"{RESERVE} {read_month(row.get('month'), months, 'PW-CMD-05')}" if key == RESERVE else name(key)
            found[thing] = read_number(row.get("points"), 0, total, "PW-CMD-04")
        return found

    def told(taken: Mapping[str, int]) -> Message:
        return msg("command points left: {n} of {total}", n=total - spent(taken), total=total)

    return sole("allocate", Counts(offers, make, said, read, told), read)


def journeys(moves: Moves, verbs: Sequence[str], read: Read) -> Form:
    """[PW-HQ-01] Headquarters that return for points, and those that disperse."""

    def make(taken: Taken) -> Plain:
        pairs = _split(dict.fromkeys(taken.all("hq"), 1))
        named = {word: [hq for way, hq in pairs if way == word] for word in (RETURN, DISPERSE)}
        return {"allocate": {word: [*those] for word, those in named.items() if those}}

    def said(body: Plain) -> Said:
        plan = read({"allocate": body})
        return {"hq": [*(f"{RETURN} {hq}" for hq in plan.returns), *(f"{DISPERSE} {hq}" for hq in plan.disperse)]}

    field = Field("hq", lambda _: [Pick("hq", m, told, cost=_price(n)) for m, (told, n) in moves.items()], most=MANY)
    return sole("allocate", Fields((field,), make, said, read), read, verbs)


def _split(taken: Mapping[str, int]) -> list[tuple[str, str]]:
    return [(word, hq) for word, _, hq in (thing.partition(" ") for thing in taken) if word in MOVES]


def _price(points: int) -> Message:
    return msg("command points: {n}", n=points) if points else NO_WORDS

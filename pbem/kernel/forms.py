"""A question as a form: what may be picked next, given what is picked already, and the orders that are finished so.

The form is help, never the judge: an order is legal when the question's `read` accepts it, and a form shows as finished
only what `read` has accepted. It changes nothing. A question without a form of its own gets one over the orders that it
lists (`listed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.notation import PLACES_FROM, flat, order_text, place_text
from pbem.kernel.orders import Problem, Rejected, judged
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

if TYPE_CHECKING:
    from pbem.kernel.flow import Ask, Commit

Lead = Literal["attack", "move", "land", "retreat", "base", "enters-zone", "ends-phase"]
Read: TypeAlias = Callable[[Plain], Any]
Naming: TypeAlias = Callable[[str, str], Message]  # slot, value
VERB = "verb"
ENDS = ("done", "pass")  # verbs that end a phase or decline it
NOT_ALL = msg("an order that is not listed may be legal too")
UNLISTED = msg("nothing is listed here: write the order yourself")


class WhyNot(Struct, frozen=True):
    """Why a thing that stands in the place looked at cannot be picked, with the section."""

    reason: Message
    rule: str = ""


class Pick(Struct, frozen=True):
    """One thing that may come next. `at`: the place where it is clicked; `most`: how many of it; `why_not`: not now.

    `says`: what it is or does, in sentences, such as the text of a card.
    """

    slot: str
    value: str
    name: Message
    at: str = ""
    most: int = 1
    cost: Message = NO_WORDS
    leads: tuple[Lead, ...] = ()
    why_not: WhyNot | None = None
    says: Message = NO_WORDS


def refused(pick: Pick, problems: Sequence[Problem]) -> Pick:
    """A pick with the reason, where what it makes is refused."""
    return replace(pick, why_not=WhyNot(problems[0].reason, problems[0].rule)) if problems else pick


class Chosen(Struct, frozen=True):
    """One thing that was picked, and how many of it."""

    slot: str
    value: str
    count: int = 1


class Partial(Struct, frozen=True):
    """What was picked so far, in the order of picking."""

    verb: str = ""
    chosen: tuple[Chosen, ...] = ()

    def plus(self, pick: Pick, count: int = 1) -> Partial:
        """With one more pick; a unit that stands there already is counted anew."""
        if pick.slot == VERB:
            return replace(self, verb=pick.value)
        return replace(self, chosen=(*self.chosen, Chosen(pick.slot, pick.value, count)))


class Step(Struct, frozen=True):
    """What can come next, and the orders that the picks make already: they go into a file together.

    `budget`: what is left to choose with, such as money. `note`: what a list does not say. `problems`: why picks that
    make an order are refused.
    """

    picks: tuple[Pick, ...] = ()
    orders: tuple[Plain, ...] = ()
    budget: Message = NO_WORDS
    note: Message = NO_WORDS
    problems: tuple[Problem, ...] = ()


class Form(Protocol):
    """A question asked pick by pick."""

    def step(self, partial: Partial) -> Step:
        """What can come next. Changes no state."""
        ...

    def partial(self, order: Plain) -> Partial:
        """The picks that make an order: `step` of them is finished with it."""
        ...

    def line(self, order: Plain) -> Plain:
        """The order as a player would write it: it is read as the same."""
        ...


def form_of(ask: Ask | Commit) -> Form:
    """The form of a question for everybody: its own, or one over the orders that it lists."""
    from pbem.kernel.flow import Ask as Open

    if isinstance(ask, Open) and ask.form is not None:
        return ask.form()
    return listed(ask.options(), ask.read, verbs_of(ask))


def verbs_of(ask: Ask | Commit) -> tuple[str, ...]:
    """The verbs that a question takes; a sealed one names none."""
    from pbem.kernel.flow import Ask as Open

    return ask.verbs if isinstance(ask, Open) else ()


def words_of(ask: Ask | Commit) -> tuple[str, ...]:
    """The verbs that a question takes; of a sealed one those with which what can be sealed begins."""
    from pbem.kernel.flow import Ask as Open

    if isinstance(ask, Open):
        return ask.verbs
    return tuple(dict.fromkeys(verb for option in ask.options() if isinstance(option, dict) for verb in option))


def written(order: Plain, read: Read) -> Plain:
    """An order with its body as one line, where that is read as the same; else the order."""
    if isinstance(order, dict) and len(order) == 1:
        (verb, body), *_ = order.items()
        short: Plain = {verb: flat(dict(sorted(body.items())) if isinstance(body, dict) and _is_count(body) else body)}
        if isinstance(body, dict | list) and means_the_same(read, short, order):
            return short
    return order


def means_the_same(read: Read, one: Plain, other: Plain) -> bool:
    """Two orders that are read as the same; one that is refused means nothing."""
    try:
        return bool(judged(read, one) == judged(read, other))
    except Rejected:
        return False


def verdict(read: Read, orders: Sequence[Plain]) -> tuple[Problem, ...]:
    """Why the first refused one of some orders, each judged by itself, is refused; nothing when all are legal."""
    for order in orders:
        try:
            judged(read, order)
        except Rejected as wrong:
            return wrong.problems
    return ()


def picks_of(form: Form, order: Plain) -> tuple[Pick, ...]:
    """The picks that make an order as the form offers them, its verb first; what it does not offer by name is left out."""
    whole, so_far = form.partial(order), Partial()
    found: list[Pick] = []
    for one in (*((Chosen(VERB, whole.verb),) if whole.verb else ()), *whole.chosen):
        found += [p for p in form.step(so_far).picks if (p.slot, p.value) == (one.slot, one.value)][:1]
        so_far = so_far.plus(Pick(one.slot, one.value, NO_WORDS), one.count)
    return tuple(found)


# -- the fields of an order ---------------------------------------------------------------------------------------------------

SLOTS = {
    "units": "unit",
    "unit": "unit",
    "from": "at",
    "at": "at",
    "to": "to",
    "in": "to",
    "zone": "to",
    "via": "via",
    "with": "with",
    "by": "by",
    "target": "target",
    "card": "card",
    "hq": "hq",
    "power": "power",
    "territory": "at",
    "facility": "unit",
    "points": "number",
}  # keys of written orders -> what they fill
PLACES = ("at", "to", "via")


def fields(order: Plain, bare: str = "word") -> Partial:
    """A written order as picks: its verb, its units with their numbers, then place after place. `bare`: slot of a lone word."""
    if isinstance(order, dict) and len(order) == 1:
        (verb, body), *_ = order.items()
        return Partial(verb, tuple(_fields(body, bare)))
    if isinstance(order, str):
        return Partial(order)
    return Partial("", tuple(_fields(order, bare)))


def _fields(body: Plain, slot: str) -> Iterator[Chosen]:
    if isinstance(body, dict):
        if _is_count(body, slot):
            yield from (Chosen("unit", name, number) for name, number in body.items() if isinstance(number, int))
            return
        for key in [k for k in ("units",) if k in body] + [k for k in body if k != "units"]:
            if key not in SLOTS:
                yield Chosen("word" if key.islower() and not _is_place(body[key], slot) else "unit", key)
            yield from _fields(body[key], SLOTS.get(key, slot if slot in PLACES else "word"))
    elif isinstance(body, list):
        for part in body:
            yield from _fields(part, slot)
    elif isinstance(body, int) and not isinstance(body, bool):
        yield Chosen(slot if slot != "word" else "to" if _is_place(body) else "number", place_text(body))
    else:
        yield Chosen(slot, flat(body))


def _is_number(body: Plain) -> bool:
    """A number, not a truth value."""
    return isinstance(body, int) and not isinstance(body, bool)


def _is_place(body: Plain, slot: str = "word") -> bool:
    """A hex by its number, where `slot` asks for a place or the number is one that only hexes have."""
    return isinstance(body, int) and _is_number(body) and (slot in PLACES or body >= PLACES_FROM)


def _is_count(body: dict[str, Plain], slot: str = "word") -> bool:
    """Things and how many of each; not things and the hex of each, such as `sail: {TF1: 1531}`."""
    whole = all(isinstance(n, int) and _is_number(n) and n > 0 for n in body.values())
    named = bool(body) and not all(key in SLOTS for key in body)
    return whole and named and not any(_is_place(n, slot) for n in body.values())


def _counted(body: Plain, counts: Iterator[int], slot: str) -> Plain:
    """The same order with other numbers of units, in the order of `fields`."""
    if isinstance(body, dict):
        if _is_count(body, slot):
            return {name: next(counts) for name in body}
        keys = [k for k in ("units",) if k in body] + [k for k in body if k != "units"]
        made = {}
        for key in keys:
            if key not in SLOTS:
                next(counts)
            made[key] = _counted(body[key], counts, SLOTS.get(key, slot))
        return {key: made[key] for key in body}
    if isinstance(body, list):
        return [_counted(part, counts, slot) for part in body]
    next(counts)
    return body


# -- a form over listed orders ---------------------------------------------------------------------------------------------


def plainly(slot: str, value: str) -> Message:
    """A thing by the word that orders use for it."""
    return verbatim(value)


def silently(slot: str, value: str) -> Message:
    """Nothing more is said of a thing."""
    return NO_WORDS


def listed(
    options: Sequence[Plain],
    read: Read,
    verbs: Sequence[str] = (),
    *,
    bare: str = "word",
    name: Naming = plainly,
    says: Naming = silently,
    whole: bool = False,
) -> Form:
    """The form over some legal orders; `whole`: there are no others. `bare`: what a lone word fills; `name`: how a thing
    reads; `says`: what it does.
    """
    return Listed(options, read, verbs, bare, (name, says), whole)


class Listed:
    """Orders by their fields: what comes next is what comes next in some of them."""

    def __init__(
        self,
        options: Sequence[Plain],
        read: Read,
        verbs: Sequence[str],
        bare: str,
        told: tuple[Naming, Naming],
        whole: bool,
    ) -> None:
        self._read, self._verbs, self._bare, self._whole = read, tuple(verbs), bare, whole
        self._name, self._says = told
        found: dict[Partial, Plain] = {}
        for option in options:
            key = fields(option, bare)
            if key in found and found[key] != option:
                key = replace(key, chosen=(*key.chosen, Chosen("word", order_text(option))))
            found.setdefault(key, option)
        self._entries = tuple(found.items())
        self._keys = {repr(option): key for key, option in self._entries}

    @property
    def is_counted(self) -> bool:
        """Some of the orders have more than one of a thing: other numbers may be legal too."""
        return any(one.count > 1 for key, _ in self._entries for one in key.chosen)

    def step(self, partial: Partial) -> Step:
        """Verbs first, then field by field."""
        if partial == Partial():
            return replace(self._first(), note=NO_WORDS if self._whole else NOT_ALL)
        near = [(key, option) for key, option in self._entries if _begins(key, partial)]
        if not near:
            return Step(note=UNLISTED)
        at = len(partial.chosen)
        ends = [(key, option) for key, option in near if len(key.chosen) == at]
        picks = self._next([key.chosen[at] for key, _ in near if len(key.chosen) > at])
        orders, problems = self._finished(partial, ends)
        return Step(picks, orders, note=NO_WORDS if self._whole else NOT_ALL, problems=problems)

    def _first(self) -> Step:
        whole = (v for v in self._verbs if not verdict(self._read, [v]))
        verbs = dict.fromkeys([*(key.verb for key, _ in self._entries if key.verb), *whole])
        leads: tuple[Lead, ...] = ("ends-phase",)
        picks = [Pick(VERB, v, self._name(VERB, v), leads=leads if v in ENDS else ()) for v in verbs]
        bare = [key.chosen[0] for key, _ in self._entries if not key.verb and key.chosen]
        return Step((*picks, *self._next(bare)))

    def _next(self, chosen: Sequence[Chosen]) -> tuple[Pick, ...]:
        """One pick for each thing, with the greatest number that any order has of it."""
        most: dict[tuple[str, str], int] = {}
        for one in chosen:
            most[one.slot, one.value] = max(one.count, most.get((one.slot, one.value), one.count))
        return tuple(
            Pick(slot, value, self._name(slot, value), value if slot in PLACES else "", n, says=self._says(slot, value))
            for (slot, value), n in most.items()
        )

    def _finished(
        self, partial: Partial, ends: Sequence[tuple[Partial, Plain]]
    ) -> tuple[tuple[Plain, ...], tuple[Problem, ...]]:
        """The listed order of these picks, or the nearest one with the numbers that were picked."""
        if not ends:
            return (), ()
        same = [option for key, option in ends if key == partial]
        order = same[0] if same else _with_counts(max(ends, key=_size)[1], partial, self._bare)
        problems = verdict(self._read, [order])
        return ((), problems) if problems else ((order,), ())

    def partial(self, order: Plain) -> Partial:
        """The picks of a listed order, as it stands or read as the same; of another one its fields."""
        known = self._keys.get(repr(order))
        if known is not None:
            return known
        key = fields(order, self._bare)
        if any(_begins(other, key) and len(other.chosen) == len(key.chosen) for other, _ in self._entries):
            return key
        verb = [other for other in self._entries if other[0].verb == key.verb]
        return next((other for other, option in verb if means_the_same(self._read, option, order)), key)

    def line(self, order: Plain) -> Plain:
        """On one line, where that reads as the same."""
        return written(order, self._read)


def _begins(key: Partial, partial: Partial) -> bool:
    """The picks are the first ones of an order, whatever their numbers."""
    if partial.verb != key.verb or len(partial.chosen) > len(key.chosen):
        return False
    pairs = zip(partial.chosen, key.chosen, strict=False)
    return all(a.slot == b.slot and a.value == b.value and a.count > 0 for a, b in pairs)


def _size(end: tuple[Partial, Plain]) -> int:
    return sum(c.count for c in end[0].chosen)


def _with_counts(option: Plain, partial: Partial, slot: str) -> Plain:
    """An order, which is no lone word, with other numbers."""
    counts = iter([c.count for c in partial.chosen])
    if isinstance(option, dict) and len(option) == 1:
        (verb, body), *_ = option.items()
        return {verb: _counted(body, counts, slot)}
    return _counted(option, counts, slot)

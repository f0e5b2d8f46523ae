"""Forms of orders that are picked field by field: what games build their own forms from.

A field names its candidates by a cheap superset; those that would finish an order are kept when the question's `read`
accepts that order. So a form holds no rule a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.forms import ENDS, VERB, Chosen, Lead, Partial, Pick, Read, Step, fields, refused, verdict, written
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import NO_WORDS, Message, verbatim

MANY = 999
FEW = 24  # steps of other gestures, likewise
HALVED = 12  # a greater number than this that is too great is halved
TRIED = 250  # combinations that are looked at before a pick counts as one that leads on
Said: TypeAlias = Mapping[str, Sequence[str]]  # slot -> values, as an order says them


class Taken(Struct, frozen=True):
    """What is picked so far of one order."""

    chosen: tuple[Chosen, ...] = ()

    def all(self, slot: str) -> list[str]:
        """Every value of a slot, in the order of picking."""
        return [c.value for c in self.chosen if c.slot == slot]

    def one(self, slot: str) -> str:
        """The value of a slot; "" while there is none."""
        return next((c.value for c in self.chosen if c.slot == slot), "")


class Field(Struct, frozen=True):
    """One field: what may be picked for it. `least` 0: it may be left out. `grey`: what is refused is shown with its reason.

    `gathers`: what is refused alone may be legal with more of it.
    `trusted`: candidates are legal by the rules' own checks already, and reading each of them would take too long.
    """

    slot: str
    offers: Callable[[Taken], Iterable[Pick]]
    least: int = 1
    most: int = 1
    grey: bool = False
    trusted: bool = False
    gathers: bool = False


class Gesture(Protocol):
    """The orders of one verb."""

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """What may come next."""
        ...

    def takes(self, chosen: tuple[Chosen, ...]) -> bool:
        """These picks can be the first ones of such an order."""
        ...

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        """The picks that make a body. Raises Rejected for one that cannot be read."""
        ...


class Taking:
    """How the only gesture of a question begins: whatever is picked."""

    __slots__ = ()

    def takes(self, chosen: tuple[Chosen, ...]) -> bool:
        return True


def no_budget(taken: object) -> Message:
    """Nothing is counted."""
    return NO_WORDS


def no_picks() -> Rejected:
    """Of a body that no picks make: nobody is told, the order is shown by its fields."""
    return Rejected(())


def table(body: Plain, needed: Collection[str] = (), more: Collection[str] = ()) -> Mapping[str, Plain]:
    """A body as a table: where keys are `needed`, of them and perhaps `more`. Raises Rejected."""
    if not isinstance(body, dict) or (needed and not {*needed} <= body.keys() <= {*needed, *more}):
        raise no_picks()
    return body


def entry(body: Plain) -> tuple[str, Plain]:
    """A table of one thing. Raises Rejected."""
    rows = [*table(body).items()]
    if len(rows) != 1:
        raise no_picks()
    return rows[0]


class Fields(Struct, frozen=True):
    """An order that is picked field after field.

    `make`: the order; `said`: the values of a written body by slot, as `make` would take them. Raises Rejected.
    `judge`: what candidates are held against, where the whole can still mend what a part lacks; None: `read`.
    """

    fields: tuple[Field, ...]
    make: Callable[[Taken], Plain]
    said: Callable[[Plain], Said]
    read: Read
    budget: Callable[[Taken], Message] = no_budget
    judge: Read | None = None

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """More of the present field, the next ones, and the order as soon as nothing is missing."""
        at = self._reached(chosen)
        if at is None:
            return Step()
        taken, done = Taken(chosen), Step()
        if self._complete(chosen):
            done = finished(self.read, self.make(taken))
        needed: list[Pick] = []
        optional: list[Pick] = []
        for field in self.fields[at:]:
            count = _count(chosen, field.slot)
            if count < field.most:
                (needed if field.least else optional).extend(self._offered(field, taken))
            if count < field.least:
                break
        return replace(done, picks=(*needed, *optional), budget=self.budget(taken))

    def takes(self, chosen: tuple[Chosen, ...]) -> bool:
        """Each pick is a candidate of its field."""
        if self._reached(chosen) is None:
            return False
        slots = {f.slot: f for f in self.fields}
        for i, one in enumerate(chosen):
            offers = slots[one.slot].offers(Taken(chosen[:i]))
            if not any(p.value == one.value and p.why_not is None for p in offers):
                return False
        return True

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        said = self.said(body)
        return tuple(Chosen(f.slot, value) for f in self.fields for value in said.get(f.slot, ()))

    def _reached(self, chosen: tuple[Chosen, ...]) -> int | None:
        """The field of the last pick; None when picks do not come field by field."""
        slots, at = [f.slot for f in self.fields], 0
        for one in chosen:
            if one.slot not in slots[at:]:
                return None
            new = slots.index(one.slot)
            if any(_count(chosen, f.slot) < f.least for f in self.fields[at:new]):
                return None
            at = new
        return at

    def _new(self, field: Field, taken: Taken) -> Iterator[Pick]:
        """The candidates of a field that are not taken yet."""
        there = taken.all(field.slot)
        return (p for p in field.offers(taken) if p.value not in there)

    def leads_on(self, chosen: tuple[Chosen, ...]) -> bool:
        """More picks can finish an order, or so many were tried that it is left open."""
        return self._found(chosen, iter(range(TRIED)))

    def _found(self, chosen: tuple[Chosen, ...], tries: Iterator[int]) -> bool:
        """More than is needed of a field helps only where it gathers; optional ones that are trusted never do."""
        at = self._reached(chosen)
        if at is None or next(tries, None) is None:
            return at is not None
        if self._complete(chosen) and not verdict(self.read, [self.make(Taken(chosen))]):
            return True
        count = {f.slot: _count(chosen, f.slot) for f in self.fields}
        wanted = (f for f in self.fields[at:] if count[f.slot] < f.most)
        fields = [f for f in wanted if f.gathers or count[f.slot] < f.least or not (f.least or f.trusted)]
        missing = next((i for i, f in enumerate(fields) if _count(chosen, f.slot) < f.least), len(fields) - 1)
        for field in reversed(fields[: missing + 1]):
            taken = Taken(chosen)
            able = (p for p in self._new(field, taken) if p.why_not is None)
            if any(self._found(taken_with(taken, pick).chosen, tries) for pick in able):
                return True
        return False

    def _complete(self, chosen: tuple[Chosen, ...]) -> bool:
        return all(_count(chosen, f.slot) >= f.least for f in self.fields)

    def _offered(self, field: Field, taken: Taken) -> list[Pick]:
        """The candidates of a field, those that finish an order judged."""
        offers = [*self._new(field, taken)]
        if field.trusted:
            return offers
        if any(_count(taken.chosen, f.slot) < f.least for f in self.fields if f.slot != field.slot):
            return [p for p in offers if p.why_not is not None or self.leads_on(taken_with(taken, p).chosen)]
        found: list[Pick] = []
        for pick in offers:
            more = taken_with(taken, pick)
            problems = () if pick.why_not else verdict(self.judge or self.read, [self.make(more)])
            if not problems or (field.gathers and self.leads_on(more.chosen)):
                found.append(pick)
            elif field.grey:
                found.append(refused(pick, problems))
        return found


def only(verb: str, field: Field, said: Callable[[Plain], Sequence[str]], read: Read) -> Fields:
    """An order of one field, `verb: VALUE`, or a list where it takes several. `said`: what a body picks. Raises Rejected."""

    def make(taken: Taken) -> Plain:
        values: list[Plain] = [*taken.all(field.slot)]
        return {verb: values if field.most > 1 else values[0]}

    return Fields((field,), make, lambda body: {field.slot: said(body)}, read)


def ahead(step: Callable[[tuple[Chosen, ...]], Step], chosen: tuple[Chosen, ...]) -> Step:
    """A step without picks that lead to no order, counted no further than they do; undecided ones are left."""
    now = step(chosen)
    return replace(now, picks=tuple(p for pick in now.picks for p in _leading(step, chosen, pick)))


def _leading(step: Callable[[tuple[Chosen, ...]], Step], chosen: tuple[Chosen, ...], pick: Pick) -> list[Pick]:
    count = pick.most + 1 if pick.most < HALVED else 2 * pick.most
    while count := count // 2 if count > HALVED else count - 1:
        if pick.why_not or _can_end(step, (*chosen, Chosen(pick.slot, pick.value, count)), iter(range(FEW))):
            return [replace(pick, most=count)]
    return []


def _can_end(step: Callable[[tuple[Chosen, ...]], Step], chosen: tuple[Chosen, ...], tries: Iterator[int]) -> bool:
    if next(tries, None) is None:
        return True
    now = step(chosen)
    more = (Chosen(p.slot, p.value, n) for p in now.picks if not p.why_not for n in {p.most: 0, 1: 0})
    return bool(now.orders) or any(_can_end(step, (*chosen, one), tries) for one in more)


def _can_begin(gesture: Gesture) -> bool:
    """Something can be picked, or is an order by itself; of fields no more is looked at than that takes."""
    if isinstance(gesture, Fields):
        return gesture.leads_on(())
    step = gesture.step(())
    return bool(step.orders) or any(p.why_not is None for p in step.picks)


def taken_with(taken: Taken, pick: Pick) -> Taken:
    """With one more pick."""
    return Taken((*taken.chosen, Chosen(pick.slot, pick.value)))


def finished(read: Read, *orders: Plain) -> Step:
    """The orders, or what is wrong with the first that is refused."""
    problems = verdict(read, orders)
    return Step(problems=problems) if problems else Step(orders=orders)


def _count(chosen: Sequence[Chosen], slot: str) -> int:
    return sum(c.slot == slot for c in chosen)


class Worded(Taking, Struct, frozen=True):
    """A gesture, or one of a few words in its place: `return: home`. `words`: each with how it is told.

    `whole`: what a word stands for that orders do not know, such as everybody at one target.
    """

    verb: str
    words: Mapping[str, Message]
    gesture: Gesture
    read: Read
    whole: Mapping[str, Plain] | None = None

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """The words only at first."""
        if self._begins(chosen):
            return finished(self.read, self._order(chosen[0].value)) if len(chosen) == 1 else Step()
        step = self.gesture.step(chosen)
        able = [w for w in self.words if not chosen and not verdict(self.read, [self._order(w)])]
        return replace(step, picks=(*(Pick("word", w, self.words[w]) for w in able), *step.picks))

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        said = isinstance(body, str) and body in self.words and body not in (self.whole or {})
        return (Chosen("word", str(body)),) if said else self.gesture.picks(body)

    def _begins(self, chosen: tuple[Chosen, ...]) -> bool:
        return bool(chosen) and chosen[0].slot == "word" and chosen[0].value in self.words

    def _order(self, word: str) -> Plain:
        return {self.verb: (self.whole or {}).get(word, word)}


class Verbs:
    """A form of several gestures by their verbs; those with which nothing can be done are not offered. A verb without a
    gesture is a whole order.

    `bare`: verbs that need not be picked: a click on a place or unit means the first of them that can be; the others are
    offered as verbs once an order is finished. `says`: what a verb does.
    """

    def __init__(
        self,
        read: Read,
        verbs: Sequence[str],
        gestures: Mapping[str, Gesture],
        *,
        bare: Sequence[str] = (),
        line: Callable[[Plain], Plain] | None = None,
        says: Mapping[str, Message] | None = None,
    ) -> None:
        self._says: Mapping[str, Message] = says or {}
        self._read, self._verbs, self._gestures, self._bare = read, tuple(verbs), gestures, tuple(bare)
        self._line = line

    def step(self, partial: Partial) -> Step:
        """A verb, or a place at once; then the fields of the verb."""
        verb, chosen = partial.verb, partial.chosen
        if not verb:
            return self._bare_step(chosen) if chosen else self._first()
        if verb in self._gestures:
            return self._gestures[verb].step(chosen)
        if verb not in self._verbs or chosen:
            return Step()
        return finished(self._read, verb)

    def partial(self, order: Plain) -> Partial:
        """The picks of an order; of one that cannot be read its fields."""
        verb, body = _parts(order)
        if verb in self._gestures:
            try:
                return Partial(verb, self._gestures[verb].picks(body))
            except Rejected:
                return fields(order)
        return fields(order)

    def line(self, order: Plain) -> Plain:
        """The order as a player would write it."""
        return self._line(order) if self._line is not None else written(order, self._read)

    def _first(self) -> Step:
        leads: tuple[Lead, ...] = ("ends-phase",)
        able = [v for v in self._verbs if v not in self._gestures or _can_begin(self._gestures[v])]
        verbs = tuple(self._whole(self._verb(v, leads if v in ENDS else ())) for v in able)
        return Step((*verbs, *_once(p for v in self._bare for p in self._gestures[v].step(()).picks)))

    def _verb(self, verb: str, leads: tuple[Lead, ...] = ()) -> Pick:
        return Pick(VERB, verb, verbatim(verb), leads=leads, says=self._says.get(verb, NO_WORDS))

    def _whole(self, pick: Pick) -> Pick:
        """A verb that is an order by itself, with the reason where it is refused now."""
        return pick if pick.value in self._gestures else refused(pick, verdict(self._read, [pick.value]))

    def _bare_step(self, chosen: tuple[Chosen, ...]) -> Step:
        """What the gestures offer that these picks can belong to."""
        able = [v for v in self._bare if self._gestures[v].takes(chosen)]
        steps = {v: self._gestures[v].step(chosen) for v in able}
        picks = _once(p for step in steps.values() for p in step.picks)
        done = [v for v in able if steps[v].orders]
        problems = tuple(p for step in steps.values() for p in step.problems)[:1]
        if not done:
            budget = next((s.budget for s in steps.values() if s.budget), NO_WORDS)
            return Step(picks, budget=budget, problems=problems)
        others = tuple(self._verb(v) for v in done[1:])
        return replace(steps[done[0]], picks=(*picks, *others))


def sole(verb: str, gesture: Gesture, read: Read, verbs: Sequence[str] = ()) -> Verbs:
    """A question with one gesture, whose verb need not be picked. `verbs`: with those that are whole orders."""
    return Verbs(read, verbs or (verb,), {verb: gesture}, bare=(verb,))


def worded(verb: str, words: Mapping[str, Message], gesture: Gesture, read: Read) -> Verbs:
    """A question of one verb: words that stand for a whole order, or the gesture."""
    return sole(verb, Worded(verb, words, gesture, read), read)


def _once(picks: Iterable[Pick]) -> tuple[Pick, ...]:
    """Each thing once; where one gesture can take it, another's reason against it says nothing."""
    found: dict[tuple[str, str], Pick] = {}
    for pick in picks:
        key = pick.slot, pick.value
        if key not in found or (found[key].why_not is not None and pick.why_not is None):
            found[key] = pick
    return tuple(found.values())


def _parts(order: Plain) -> tuple[str, Plain]:
    if isinstance(order, dict) and len(order) == 1:
        (verb, body), *_ = order.items()
        return str(verb).strip().lower(), body
    verb, _, rest = str(order).partition(":")
    return verb.strip().lower(), rest.strip() or None

"""Places and units as picks; orders that gather: things each with one choice or with several, things that are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Lead, Pick, Read, Step, verdict
from pbem.kernel.picking import Field, Taken, Taking, ahead, finished, no_budget
from pbem.kernel.wording import NO_WORDS, Message


class Picker(Struct, frozen=True):
    """How the places and units of a game are picked.

    `word`: of a place by its number, as orders have it; `named`: such a word, `unit`: a unit by their names; `where`: the word
    of the place where a unit is clicked, empty off the map; `says`: what is known of a unit.
    """

    word: Callable[[int], str]
    named: Callable[[str], Message]
    unit: Callable[[str], Message]
    where: Callable[[str], str]
    says: Callable[[str], Message] = no_budget

    def at(self, slot: str, word: str, cost: Message = NO_WORDS, leads: tuple[Lead, ...] = ()) -> Pick:
        """A place by its word."""
        return Pick(slot, word, self.named(word), word, cost=cost, leads=leads)

    def place(self, slot: str, number: int, cost: Message = NO_WORDS, leads: tuple[Lead, ...] = ()) -> Pick:
        """A place that can be clicked."""
        return self.at(slot, self.word(number), cost, leads)

    def places(self, slot: str, numbers: Iterable[int], *leads: Lead) -> list[Pick]:
        """Several of them."""
        return [self.place(slot, number, leads=leads) for number in numbers]

    def units(self, slot: str, units: Iterable[str]) -> list[Pick]:
        """Units by their names, where they stand."""
        return [Pick(slot, u, self.unit(u), self.where(u), says=self.says(u)) for u in units]

    def field(self, slot: str, units: Iterable[str], least: int = 1, most: int = 1) -> Field:
        """Some units, wherever they stand."""
        return Field(slot, lambda _: self.units(slot, units), least, most)

    def stack(self, able: Callable[[], Iterable[str]], most: int = 1) -> tuple[Field, Field]:
        """The places of some units, each once, then those that stand there."""

        def starts(_: Taken) -> list[Pick]:
            return [self.at("at", word) for word in dict.fromkeys(self.where(u) for u in able()) if word]

        def there(taken: Taken) -> list[Pick]:
            return self.units("unit", (u for u in able() if self.where(u) == taken.one("at")))

        return Field("at", starts), Field("unit", there, most=most)


class Pairs(Taking, Struct, frozen=True):
    """An order that gathers things, each with what is chosen for it: `sail: {J1: 2231, J2: 1230}`.

    `things`: what may still be named; `ends`: what may be chosen for it. `make` and `said`: pairs to an order and back.
    """

    slots: tuple[str, str]
    things: Callable[[Sequence[tuple[str, str]]], Iterable[Pick]]
    ends: Callable[[str, Sequence[tuple[str, str]]], Iterable[Pick]]
    make: Callable[[Sequence[tuple[str, str]]], Plain]
    said: Callable[[Plain], Sequence[tuple[str, str]]]
    read: Read
    trusted: bool = False

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """A thing, then what is chosen for it; the order as it would be now."""
        return self._now(chosen) if self.trusted else ahead(self._now, chosen)

    def _now(self, chosen: tuple[Chosen, ...]) -> Step:
        pairs, thing = self._pairs(chosen)
        if pairs is None:
            return Step()
        done = tuple(pairs)
        if thing:
            ends = tuple(self.ends(thing, done))
            able = ends if self.trusted else tuple(p for p in ends if self._stands((*done, (thing, p.value))))
            return Step(able)
        names = [name for name, _ in done]
        picks = tuple(p for p in self.things(done) if p.value not in names)
        now = finished(self.read, self.make(done)) if done else Step()
        return replace(now, picks=picks)

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        one, other = self.slots
        return tuple(c for name, end in self.said(body) for c in (Chosen(one, name), Chosen(other, end)))

    def _pairs(self, chosen: Sequence[Chosen]) -> tuple[list[tuple[str, str]] | None, str]:
        for i, one in enumerate(chosen):
            if one.slot != self.slots[i % 2]:
                return None, ""
        values = [c.value for c in chosen]
        return list(zip(values[::2], values[1::2], strict=False)), values[-1] if len(values) % 2 else ""

    def _stands(self, pairs: Sequence[tuple[str, str]]) -> bool:
        return not verdict(self.read, [self.make(pairs)])


class Lists(Taking, Struct, frozen=True):
    """An order that gathers things, each with some others: `targets: {unit: [target, target]}`.

    `things` and `items`: what may be named, and what for it besides what it has; `make` and `said`: to an order and back.
    """

    slots: tuple[str, str]
    things: Callable[[], Iterable[Pick]]
    items: Callable[[str, Sequence[str]], Iterable[Pick]]
    make: Callable[[Mapping[str, Sequence[str]]], Plain]
    said: Callable[[Plain], Mapping[str, Sequence[str]]]
    read: Read

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """More for the last thing, the next thing, and the order as it would be now."""
        return ahead(self._now, chosen)

    def _now(self, chosen: tuple[Chosen, ...]) -> Step:
        named = self._named(chosen)
        last = next(reversed(named), "")
        items = [p for p in self.items(last, named[last]) if p.value not in named[last]] if last else []
        if last and not named[last]:
            return Step(tuple(items))
        things = [p for p in self.things() if p.value not in named]
        done = finished(self.read, self.make(named)) if named else Step()
        return replace(done, picks=(*items, *things), problems=() if things else done.problems)

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        thing, item = self.slots
        rows = self.said(body).items()
        return tuple(c for name, those in rows for c in (Chosen(thing, name), *(Chosen(item, t) for t in those)))

    def _named(self, chosen: Sequence[Chosen]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in chosen:
            if one.slot == self.slots[0]:
                found[one.value] = []
            elif found:
                found[next(reversed(found))].append(one.value)
        return found


class Counts(Taking, Struct, frozen=True):
    """An order that names things and how many of each: `hits: {CV Akagi: 1, 7 AF: 2}`. `offers`: what more can be taken."""

    offers: Callable[[Mapping[str, int]], Iterable[Pick]]
    make: Callable[[Mapping[str, int]], Plain]
    said: Callable[[Plain], Mapping[str, int]]
    read: Read
    budget: Callable[[Mapping[str, int]], Message] = no_budget

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """More of them, and the order as it would be now."""
        return ahead(self._now, chosen)

    def _now(self, chosen: tuple[Chosen, ...]) -> Step:
        taken = counted(chosen)
        if any(c.slot != "unit" for c in chosen):
            return Step()
        now = finished(self.read, self.make(taken))
        problems = now.problems if taken else ()
        return Step(tuple(self.offers(taken)), now.orders, self.budget(taken), problems=problems)

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        return tuple(Chosen("unit", name, count) for name, count in self.said(body).items())


def counted(chosen: Iterable[Chosen]) -> dict[str, int]:
    """Things by name, what was picked twice counted together."""
    found: dict[str, int] = {}
    for one in chosen:
        found[one.value] = found.get(one.value, 0) + one.count
    return found

"""Small questions that many rules ask: hits over units; and the orders that a question proposes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from pbem.games.pacific_war.nouns import target_named
from pbem.games.pacific_war.orders import misread, read_unit
from pbem.games.pacific_war.picks import shares
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.naming import read_number
from pbem.kernel.orders import Rejected, illegal, split_order
from pbem.kernel.proposals import Found
from pbem.kernel.questions import DONE, accepted
from pbem.kernel.wording import Message, msg, verbatim

PROPOSED = 12  # orders that a question proposes at most


def proposals(read: Callable[[Plain], object], ideas: Iterable[Any], most: int = PROPOSED) -> Sequence[Plain]:
    """Done, and the first of some ideas that are legal, at most so many: none only when no idea is."""
    return Found(chain((DONE,), islice(accepted(read, ideas), most)))


class Share(Struct, frozen=True):
    """Hits to be spread: over what, how many, which thing takes the first, and how the order is called."""

    verb: str
    rule: str
    room: Mapping[str, int]
    total: int
    first: str

    def only_way(self) -> dict[str, int] | None:
        """The one way to spread them; None when there are several."""
        open_to = [k for k, n in self.room.items() if n > 0]
        if self.total <= 0:
            return {}
        if len(open_to) == 1 or self.total == sum(self.room.values()):
            return {k: min(self.total, self.room[k]) for k in open_to}
        if self.total == 1 and self.room.get(self.first, 0) > 0:
            return {self.first: 1}
        return None

    def name(self, g: State, text: Plain) -> str:
        """One of the things, or whatever unit is meant. Raises Rejected."""
        index = {k.lower(): k for k in self.room}
        found = index.get(text.lower()) if isinstance(text, str) else None
        return found or read_unit(g, text)

    def read(self, g: State, plain: Plain) -> dict[str, int]:
        """`verb: {unit: hits}`, or one unit for all of them. Raises Rejected."""
        _, body = split_order(plain, (self.verb,))
        if isinstance(body, str):
            body = {body: self.total}
        if not isinstance(body, dict):
            raise misread(self.verb, body, f"{self.verb}: {{unit: hits}}")
        wanted = {self.name(g, k): read_number(n, 1, self.total, self.rule) for k, n in body.items()}
        for k, n in wanted.items():
            if n > self.room.get(k, 0):
                able = ", ".join(f"{k}: {n}" for k, n in self.room.items())
                raise illegal(
                    msg("{target} cannot take so many hits: {n}", target=target_named(k), n=n), self.rule, verbatim(able)
                )
        if sum(wanted.values()) != self.total:
            raise illegal(
                msg("hits given: {n}, hits to be given: {total}", n=sum(wanted.values()), total=self.total), self.rule
            )
        if self.room.get(self.first, 0) > 0 and not wanted.get(self.first):
            raise illegal(msg("the first hit is on {target}", target=target_named(self.first)), "PW-DMG-03")
        return wanted

    def policy(self, g: State, order: Plain) -> Plain:
        """A list of units: they take the hits one after the other; who is not there is left out."""
        if not isinstance(order, list):
            return None
        names: list[str] = []
        for item in order:
            try:
                names.append(self.name(g, item))
            except Rejected:
                continue
        return {self.verb: dict(fill(self.room, self.total, self.first, names))}


def distribute(
    g: State,
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    room: Mapping[str, int],
    total: int,
    first: str = "",
    reaction: bool = False,
) -> Flow[dict[str, int]]:
    """`total` hits over things with room for so many each; `first` takes at least one. Not asked when there is one way."""
    share = Share(verb, rule, room, min(total, sum(room.values())), first)
    only = share.only_way()
    if only is not None:
        return only
    answer: dict[str, int] = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        lambda plain: share.read(g, plain),
        (verb,),
        facts={"hits": share.total},
        default={verb: dict(fill(room, share.total, first))},
        options=lambda: _ways(room, share.total, first, verb),
        policy=lambda order: share.policy(g, order),
        reaction=reaction,
        form=lambda: shares(g, verb, room, share.total, lambda plain: share.read(g, plain)),
    )
    return answer


def fill(room: Mapping[str, int], total: int, first: str = "", names: Sequence[str] = ()) -> dict[str, int]:
    """Hits put on one thing after another: the named ones, then the others in their order."""
    given: dict[str, int] = {}
    if first and room.get(first, 0) > 0 and total:
        given[first], total = 1, total - 1
    for k in [*names, *(k for k in room if k not in names)]:
        n = min(total, room.get(k, 0) - given.get(k, 0))
        if n > 0:
            given[k], total = given.get(k, 0) + n, total - n
    return given


def _ways(room: Mapping[str, int], total: int, first: str, verb: str) -> list[Plain]:
    names = list(room)
    ways: list[Plain] = []
    for i in range(len(names)):
        way: Plain = {verb: dict(fill(room, total, first, names[i:] + names[:i]))}
        if way not in ways:
            ways.append(way)
    return ways

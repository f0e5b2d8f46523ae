"""What a bot plans in games of two sides: what it orders most often in futures that it draws, and a little beyond its turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pbem.games import Module
from pbem.games.parts import Bot
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Facts, Open, PrivateRoll, Request, Reveal, Roll, Simultaneous
from pbem.kernel.orders import Rejected
from pbem.kernel.plans import DROP, HIDDEN
from pbem.runtime.table import Table

FUTURES, FAR = 24, 12  # that are drawn: of a turn; of several stretches
FUTURE = 999999  # the file that would hide something
AHEAD = 2  # stretches behind the own one that are played on, where a plan may have steps for them
UNSEEN = 5  # the same as long as nobody is found: whoever meets nobody has nothing to think over
Answering: TypeAlias = Callable[[Engine, Ask, Bot], Plain]
GUESSES: tuple[Plain, ...] = (False, 0, "none", "no", [], {})  # what the other side might state of what it hides


@dataclass(frozen=True)
class Planner:
    """Who plans, from which stretch on, and what he knows."""

    table: Table
    seat: str
    stretch: Plain
    answering: Answering
    reveal: Reveal


@dataclass(frozen=True)
class Given:
    """One order of a future: to which question, how many stretches later, in which combat, and how many were found then."""

    kind: str
    order: Plain
    later: int = 0
    target: Plain = 0
    found: int = 0
    secret: bool = False


def plan_of(planner: Planner, seed: int) -> list[Plain]:
    """Steps for the questions of this side until its turn, or the turn in which it is asked, is over, and a little longer."""
    drawn = FAR if planner.table.game.plans_ahead else FUTURES
    lines = [[*_future(planner, random.Random(seed * drawn + n))] for n in range(drawn)]
    asked = dict.fromkeys((given.later, given.kind) for line in lines for given in line)
    steps: list[Plain] = []
    for later, kind in sorted(asked, key=lambda way: way[0]):
        own = [[g for g in line if (g.later, g.kind) == (later, kind)] for line in lines]
        ahead: dict[str, Plain] = {"later": later} if later else {}
        steps += [{"seat": planner.seat, **ahead, **step} for step in _WRITERS.get(kind, _usual)(kind, [x for x in own if x])]
    return steps


def _future(planner: Planner, dice: random.Random) -> Iterator[Given]:
    """The own orders that a plan could give; it ends with the turns that are looked at, or where something hidden is wanted."""
    module, seat = planner.table.game, planner.seat
    engine = Engine.resume(module, planner.table.engine.scenario, planner.table.engine.checkpoint())
    bot, turn, hidden = module.bot(), module.own_turn(engine.state), Hidden(planner)
    assert bot is not None
    while (asked := engine.request) is not None:
        later = module.stretches_since(engine.state, planner.stretch)
        if later is None or later > _so_far(module, engine.state):
            return
        if not module.plans_ahead and module.own_turn(engine.state) != turn:
            return
        if isinstance(asked, Simultaneous):
            orders = {ask.seat: bot.choose(engine.state, ask, {}, 0) for ask in asked.asks}  # never what silence counts as
            yield from (
                Given(a.kind, orders[a.seat], later, secret=True)
                for a in asked.asks
                if a.seat == seat and a.kind in module.plannable
            )
            engine.reply(orders)
        elif isinstance(asked, Ask):
            if asked.default is None and not [*asked.options()]:
                return
            order = planner.answering(engine, asked, bot)
            if asked.seat == seat and asked.kind in module.plannable and asked.forced is None:
                facts = module.facts(engine.state, seat)
                yield Given(asked.kind, order, later, _target(order, facts), _found(facts))
            engine.reply(order)
        elif isinstance(asked, Commit):
            handle = hidden.hide(engine.state, asked)
            if handle is None:
                return
            if asked.seat == seat and HIDDEN + asked.kind in module.plannable:
                yield Given(HIDDEN + asked.kind, hidden.contents[handle], later, secret=True)
            engine.reply(handle)
        elif not _drawn(engine, asked, hidden, dice):
            return


def _so_far(module: Module, state: Any) -> int:
    """How many stretches ahead are planned."""
    return AHEAD if any(_found(module.facts(state, seat)) for seat in module.seats) else UNSEEN


def _found(facts: Facts) -> int:
    """How many task forces are detected."""
    return int(facts["found"]) if "found" in facts else 0


def _target(order: Plain, facts: Facts) -> Plain:
    """The combat that is asked about, or how many task forces are found where a strike goes."""
    body = order.get("mission") if isinstance(order, dict) else None
    place = body.get("strike") if isinstance(body, dict) else None
    return facts.get(f"found-at-{place:04d}", 0) if isinstance(place, int) else facts.get("target", 0)


@dataclass
class Hidden:
    """What would be hidden in a future: contents by handle, beside what the planner knows already."""

    planner: Planner
    contents: dict[str, Plain] = field(default_factory=dict)

    def reveal(self, handle: str) -> Plain:
        """What lies behind a handle. Raises Unknown."""
        return self.contents[handle] if handle in self.contents else self.planner.reveal(handle)

    def hide(self, state: Any, asked: Commit) -> str | None:
        """A handle for what a side would hide; None: it cannot be guessed."""
        module, own = self.planner.table.game, asked.seat == self.planner.seat
        lawful = module.proposals(state, asked, {}, self.reveal) if own else [*asked.options()]
        content = next(iter(lawful), asked.default)
        if content is None:
            return None
        return self.keep(asked.seat, content)

    def keep(self, seat: str, content: Plain) -> str:
        """A new handle for it."""
        handle = f"{seat}:seal{FUTURE}:{len(self.contents)}"
        self.contents[handle] = content
        return handle


def _drawn(engine: Engine, asked: Request, hidden: Hidden, dice: random.Random) -> bool:
    """Dice as they might fall, and what sides might show and state of what they hide: the own side the truth."""
    answers: list[Any] = []
    try:
        if isinstance(asked, Roll):
            answers = [[dice.randint(1, asked.sides) for _ in range(asked.dice)]]
        elif isinstance(asked, PrivateRoll):
            answers = [hidden.keep(asked.seat, [dice.randint(1, asked.sides) for _ in range(asked.dice)])]
        elif isinstance(asked, Open):
            answers = [hidden.reveal(asked.handle)]
        elif isinstance(asked, Claim):
            own = asked.seat == hidden.planner.seat
            answers = [asked.truth(hidden.reveal)] if own else [*GUESSES]
    except LookupError:
        return False
    for answer in answers:
        try:
            engine.reply(answer)
        except (Rejected, TypeError, ValueError, LookupError, AttributeError, AssertionError):
            continue
        return True
    return False


Line: TypeAlias = list[Given]


def _usual(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """All orders to questions of one kind as they come most often; the same one as often as it ever came in a row."""
    ways = Counter(canonical([g.order for g in line]) for line in lines)
    most = ways.most_common(1)[0][0]
    found = next(line for line in lines if canonical([g.order for g in line]) == most)
    if found[0].secret:
        for given in found:
            yield {"at": kind, "do": [given.order], "sealed": True}
        return
    same = [line for line in lines if all(g.order == found[0].order for g in line)]
    if found in same:
        found = max(same, key=len)
    yield {"at": kind, "do": [g.order for g in found], "else": DROP}


def _missions(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """Each mission that is flown in a future, against ships as far as they are found; no more, unless more of them are."""
    flown: dict[bytes, Counter[bytes]] = {}
    orders: dict[bytes, Plain] = {}
    for given in (g for line in lines for g in line if isinstance(g.order, dict)):
        assert isinstance(given.order, dict) and isinstance(given.order["mission"], dict)
        body = given.order["mission"]
        target = canonical({verb: at for verb, at in body.items() if verb != "units"})
        orders[canonical(given.order)] = given.order
        flown.setdefault(target, Counter())[canonical(given.order)] += 1
    for ways in sorted(flown.values(), key=lambda ways: -ways.total()):
        order = orders[ways.most_common(1)[0][0]]
        assert isinstance(order, dict) and isinstance(order["mission"], dict)
        place = order["mission"].get("strike")
        at_sea = any(g.target for line in lines for g in line if g.order == order)
        ships: dict[str, Plain] = {"when": f"found-at-{place:04d} > 0"} if at_sea else {}
        yield {"at": kind, **ships, "do": [order], "else": DROP}
    passed = [g.found for line in lines for g in line if g.order == "pass"]
    if passed:
        yield {"at": kind, "when": f"found <= {max(passed)}", "do": ["pass"]}


def _attacks(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """Each attack, as long as the enemy stands there; then no more."""
    attacks = {canonical(g.order): g.order for line in lines for g in line if g.kind == kind and isinstance(g.order, dict)}
    for order in attacks.values():
        said = order.get("attack") if isinstance(order, dict) else None
        there = {"when": f"enemy at {said['at']} > 0"} if isinstance(said, dict) else {}
        yield {"at": kind, **there, "do": [order], "else": DROP}
    yield {"at": kind, "do": ["done"]}


def _supports(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """What is sent to each attack most often."""
    sent: dict[Plain, Counter[bytes]] = {}
    orders: dict[bytes, Plain] = {}
    for given in (g for line in lines for g in line if g.kind == kind):
        said = canonical(given.order)
        orders[said] = given.order
        sent.setdefault(str(given.target), Counter())[said] += 1
    for target, ways in sent.items():
        yield {"at": kind, "when": f"target = {target}", "do": [orders[ways.most_common(1)[0][0]]], "else": DROP}


_WRITERS: dict[str, Callable[[str, list[Line]], Iterator[dict[str, Plain]]]] = {
    "combat": _attacks,
    "support": _supports,
    "mission": _missions,
}

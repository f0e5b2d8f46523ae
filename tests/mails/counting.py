"""A bot on each side plays a stretch of a game over signed files; which files were decisions, which a program's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pbem import games
from pbem.games.parts import Bot
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Open, Request, Simultaneous
from pbem.protocol import strict_yaml
from pbem.runtime import holds
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.table import Table
from pbem.runtime.taking import take
from pbem.store.library import load_scenario
from tests.mails.operations import Operations
from tests.mails.planning import plan_of
from tests.toygame.party import Person, fixed, found_game

Standing: TypeAlias = Mapping[str, Plain]
SEED = 0  # of the bots
NONE: holds.Holds = {}


@dataclass(frozen=True)
class Stretch:
    """What is counted: so much of a scenario by its `clock` (a turn, a month); `number` changes with each `unit` of it."""

    system: str
    scenario: str
    what: str
    clock: Callable[[Any], int]
    most: int
    unit: str
    number: Callable[[Any], Plain]
    options: Mapping[str, Plain] = field(default_factory=dict)


COUNTERS = ("hand", "held", "auto", "idle", "planned", "fired")


@dataclass
class Count:
    """What one game took."""

    hand: Counter[str] = field(default_factory=Counter)  # by kind of the question that forced a file by hand
    held: Counter[str] = field(default_factory=Counter)  # by hold: a program's answers to such questions, by what it knows
    auto: Counter[str] = field(default_factory=Counter)  # by what was due of a program
    idle: Counter[str] = field(default_factory=Counter)  # files by hand whose only order does nothing, by kind
    runs: int = 0  # files by hand of one player in a row, with only dice between them, as one
    units: int = 0
    planned: Counter[str] = field(default_factory=Counter)  # what became of orders and steps of plans
    fired: Counter[str] = field(default_factory=Counter)  # standing orders that answered, by kind and clause
    operations: Operations = field(default_factory=Operations)  # where the stretch counts these

    @property
    def plain(self) -> dict[str, Plain]:
        """As plain data, for a line of results."""
        counters = {name: dict(getattr(self, name)) for name in COUNTERS}
        return {**counters, "runs": self.runs, "units": self.units, "operations": self.operations.plain}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Count:
        """The inverse of `plain`."""
        counters = {name: Counter[str](plain[name]) for name in COUNTERS}
        return cls(**counters, runs=plain["runs"], units=plain["units"], operations=Operations.from_plain(plain["operations"]))


@dataclass
class Player(Person):
    """A player whose secrets differ from game to game."""

    seed: int = 0
    length: int = 2048

    def chain_of(self, life: str) -> bytes:
        return fixed(self.name, "chain", str(self.seed))


def two_bots(stretch: Stretch, seed: int) -> list[Player]:
    """A game begun: the first side of the system's seats is yamada's, the rest nowak's."""
    module = games.load(stretch.system)
    first = next(iter(module.seats.values()))
    sides = {name: [s for s, side in module.seats.items() if (side == first) == mine] for name, mine in NAMES.items()}
    party = [Player(name, seats, seed=seed) for name, seats in sides.items()]
    options = {o.name: o.choices[0] for o in module.options} | {**stretch.options}
    found_game(module, [*party], options, load_scenario(module, stretch.scenario))
    return party


NAMES = {"yamada": True, "nowak": False}
QUIET = ("done", "no", "none", "pass", "hold", "stay")


def count(
    stretch: Stretch, seed: int, standing: Standing, *, plans: bool = False, waits: bool = False, held: holds.Holds = NONE
) -> Count:
    """One game; each player's first file lays `standing` down (`join --set`); with `plans` each brings one before its dice.

    `held`: what each player's program answers by what he alone knows.
    `waits`: a file of the program waits for the orders of its player, where he is asked right behind it.
    """
    party, found = two_bots(stretch, seed), Count()
    given: set[str] = set()
    heard = 0
    last, unit, end = "", None, stretch.clock(party[0].table.engine.state) + stretch.most
    while (table := party[0].table).due.what != "nothing" and stretch.clock(table.engine.state) < end:
        writer = next(p for p in party if p.name == table.due.player)
        if (now := stretch.number(table.engine.state)) != unit:
            found.units, unit = found.units + (unit is not None), now
        first = {} if writer.name in given else standing
        given.add(writer.name)
        asked = _behind(writer) if waits and table.due.what in AUTOMATIC else table
        if asked.due.what in AUTOMATIC or asked.due.player != writer.name:
            found.auto[table.due.what] += 1
            draft, kind = Draft((), first), ""
        elif given_held := _held(writer, asked, held):
            found.held[kind_of(asked.engine.request)] += 1
            draft, kind = Draft(given_held, first), ""
        else:
            kind = kind_of(asked.engine.request)
            draft = drafted(writer, first, asked)
            if plans:
                draft.plan = _plan(writer, draft, standing, seed)
            found.hand[kind] += 1
            found.idle[kind] += len(draft.orders) == 1 and does_nothing(draft.orders[0])
            found.runs, last = found.runs + (writer.name != last), writer.name
        _send(party, writer, draft)
        if stretch.unit == "operations":
            fired = party[0].table.ledger.fired
            found.operations.tell(now, kind, [f.kind for f in fired[heard:]])
            heard = len(fired)
    fired = party[0].table.ledger.fired
    found.fired = Counter(f"{f.kind} {f.clause}" for f in fired if f.by == "clause")
    found.planned = Counter(f.by for f in fired if f.by in ("plan", "passed", "stopped"))
    return found


def _held(writer: Person, asked: Table, held: holds.Holds) -> list[Plain]:
    """What the writer's program answers for him."""
    return holds.orders(asked, writer.name, held, writer.knowledge(), lambda given: writer.write(Draft(given)).table)


def _behind(writer: Person) -> Table:
    """The game behind the file that the writer's program owes."""
    return writer.write(Draft()).table


def _plan(writer: Person, draft: Draft, standing: Standing, seed: int) -> list[Plain]:
    """What is still to be decided in the turn behind these orders, as far as dice stand before it."""
    table = writer.write(draft).table
    mine = table.due.player == writer.name and table.due.what not in AUTOMATIC
    theirs = getattr(table.engine.state, "power", writer.seats[0]) not in writer.seats
    return [] if mine or theirs or not draft.orders else plan_of(writer, table, standing, seed)


def kind_of(request: Request | None) -> str:
    """The kind of question that somebody has to answer."""
    if isinstance(request, Simultaneous):
        return request.asks[0].kind
    assert isinstance(request, Ask | Commit)
    return request.kind


def does_nothing(order: Plain) -> bool:
    """A decision that is a word without content."""
    if isinstance(order, dict) and "seal" in order:
        order = order["seal"]
    said = next(iter(order.values())) if isinstance(order, dict) and len(order) == 1 else order
    return isinstance(said, str) and said in QUIET


def drafted(writer: Person, standing: Standing, asked: Table | None = None) -> Draft:
    """All that the writer can decide now, before a die or a decision of somebody else. `asked`: behind what his file owes."""
    orders: list[Plain] = []
    table = asked or writer.table
    while table.due.player == writer.name and table.due.what not in AUTOMATIC:
        more = bot_orders(writer, table)
        table = writer.write(Draft([*orders, *more], standing)).table
        orders += more
        if table.ledger.entries[-1].link and table.ledger.rolls:
            break
    return Draft(orders, standing)


def bot_orders(writer: Person, asked: Table) -> list[Plain]:
    """The bot's orders until a die, or a question to somebody else."""
    module, now = asked.game, asked.engine
    bot = module.bot()
    assert bot is not None
    request, engine = now.request, Engine.resume(module, now.scenario, now.checkpoint())
    state, reveal = engine.state, writer.knowledge().reveal
    if isinstance(request, Commit):
        lawful = module.proposals(state, request, {}, reveal)
        return [{"seal": lawful[0] if lawful else request.default, "seat": request.seat}]
    if isinstance(request, Simultaneous):
        due = asked.due
        order = bot.choose(state, next(a for a in request.asks if a.seat == due.seat), {}, SEED)
        return [{"seal": order, "seat": due.seat} if due.what == "seal" else order]
    return _asked(writer, engine, bot)


def _asked(writer: Person, engine: Engine, bot: Bot) -> list[Plain]:
    orders: list[Plain] = []
    module, knowledge = writer.table.game, writer.knowledge()
    while (asked := engine.request) is not None:
        if isinstance(asked, Ask) and asked.seat in writer.seats:
            own = knowledge.hand(asked.seat) if module.hidden_hands else {}
            order = asked.forced
            if order is None:
                order = module.spelled_out(engine.state, asked.seat, bot.choose(engine.state, asked, own, SEED), own)
                orders.append(order)
            engine.reply(order)
        elif isinstance(asked, Open | Claim) and asked.seat in writer.seats:
            engine.reply(knowledge.reveal(asked.handle) if isinstance(asked, Open) else asked.truth(knowledge.reveal))
        else:
            break
    return orders


def _send(party: list[Player], writer: Player, draft: Draft) -> None:
    """The file signed, and taken from its text; both go on from the same table, which each would come to."""
    composed = writer.write(draft)
    writer.sealed.update(composed.sealed)
    document, _ = strict_yaml.read_document(strict_yaml.write_document(writer.sign(composed.document)))
    taken = take(writer.table, document, writer.fetch)
    for person in party:
        person.table = taken.table
        person.log.append(document)

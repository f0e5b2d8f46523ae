"""Battles through the real engine: every number of hits of every roll, or dice thrown by a seeded generator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from math import comb
from re import search, sub
from typing import Any

from pbem.games.axis_and_allies_pacific.events.combat import Damaged, DiceRolled
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.orders import read_groups, read_space, spell
from pbem.games.axis_and_allies_pacific.state import LAND, State
from pbem.kernel import standing
from pbem.kernel.engine import Checkpoint, Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import table

BELIEVABLE = 1e-15
Orders = Mapping[str, Any]  # kind -> standing order of both sides
USUAL: Orders = {"casualties": "cheapest first", "submarines": "strike", "retreat": "press"}


def position(space: str, attack: str, defence: str, came_from: str = "", sea: str = "") -> State:
    """Japan attacks the United Kingdom; `sea`: a zone from which land units land and whose ships bombard."""
    g = table.empty()
    g.wars = sorted([*g.wars, "japan united-kingdom"])
    place, zone = read_space(g.board, space), read_space(g.board, sea) if sea else ""
    if place in g.board.territories:
        g.control[place] = "united-kingdom"
    for origin in [read_space(g.board, came_from)] if came_from else []:
        if origin in g.control:
            g.control[origin] = "japan"
    for group in read_groups(defence):
        table.put(g, "united-kingdom", place, group.type, group.count, group.mark == "damaged")
    for group in read_groups(attack):
        for _ in range(group.count):
            _attacker(g, group.type, group.mark == "damaged", place, zone, came_from)
    return g


def _attacker(g: State, kind: str, damaged: bool, place: str, zone: str, came_from: str) -> None:
    at_sea = zone and g.board.types[kind].kind != "air"
    table.put(g, "japan", zone if at_sea else place, kind, 1, damaged)
    unit = g.units[g.next_id - 1]
    unit.moved = "combat"
    if zone and kind in LAND:
        table.put(g, "japan", zone, "transport")
        unit.aboard, unit.target = g.next_id - 1, place
    elif came_from:
        unit.came_from = read_space(g.board, came_from)


def fight(g: State) -> Engine:
    """Conduct Combat begins; nothing but this one battle is there."""
    return table.engine_at(g, "japan", "conduct-combat")


def is_over(engine: Engine) -> bool:
    running = engine.state.running
    return running is None or running.name not in ("conduct-combat", "next-battle", "battle")


def answer(ask: Ask, orders: Orders) -> Any:
    """The forced answer, the default, or what the standing orders say."""
    if ask.forced is not None:
        return ask.forced
    if ask.kind not in orders:
        return ask.default
    given = standing.answer(ask, standing.read_clauses(ask.kind, orders[ask.kind]))
    if isinstance(given, tuple) and ask.kind in USUAL:
        given = standing.answer(ask, standing.read_clauses(ask.kind, USUAL[ask.kind]))
    assert isinstance(given, standing.Answered), given
    return given.order


def go_on(engine: Engine, orders: Orders) -> Roll | None:
    """Answer questions up to the next roll; None when the battle is over."""
    while not is_over(engine):
        if isinstance(engine.request, Roll):
            return engine.request
        assert isinstance(engine.request, Ask)
        engine.reply(answer(engine.request, orders))
    return None


def left(g: State, power: str, among: Container[int]) -> str:
    """What is left of a power among these units, in the words of the odds."""
    units = [u for u in g.of(power) if u.id in among]
    names = [name for kind in g.board.types for name in (kind, f"damaged {kind}")]
    words = [f"damaged {u.type}" if u.damaged else u.type for u in units]
    return spell({name: words.count(name) for name in names})


def faces(roll: Roll) -> int:
    return int(str(roll.label)[-1])


Ending = tuple[str, str]  # what is left of the attacker, of the defender
Followers = dict["str | Ending", float]


def every_course(g: State, orders: Orders, among: Container[int]) -> dict[Ending, float]:
    """What is left of both sides -> probability, by every number of hits of every roll.

    Rolls before which everything that matters is alike are looked at once. When all that still goes on is less likely
    than BELIEVABLE, it is let be.
    """
    tree = _Tree(orders, among)
    ends: dict[Ending, float] = defaultdict(float)
    frontier: Followers = {tree.node(fight(g)): 1.0}
    while sum(frontier.values()) > BELIEVABLE:
        now, frontier = frontier, defaultdict(float)
        for node, chance in now.items():
            if isinstance(node, tuple):
                ends[node] += chance
                continue
            for other, p in tree.followers(node).items():
                frontier[other] += chance * p
    return dict(ends)


class _Tree:
    """Rolls of the battle as nodes, and what follows each of them."""

    def __init__(self, orders: Orders, among: Container[int]) -> None:
        self.orders, self.among = orders, among
        self.rounds = 2 if "round" in str(orders) else 1  # no condition tells later rounds from the second
        self.checkpoints: dict[str, Checkpoint] = {}
        self.known: dict[str, Followers] = {}

    def node(self, engine: Engine) -> str | Ending:
        """The next roll, described by all that matters from there on; or the end."""
        roll = go_on(engine, self.orders)
        if roll is None:
            return left(engine.state, "japan", self.among), left(engine.state, "united-kingdom", self.among)
        units = sorted((u.type, u.owner, u.damaged, u.role, u.at) for u in engine.state.units.values())
        label = sub(r"round (\d+)", lambda found: f"round {min(int(found[1]), self.rounds)}", str(roll.label))
        key = f"{label} {units} {_of_this_round(engine)}"
        self.checkpoints.setdefault(key, engine.checkpoint())
        return key

    def followers(self, node: str) -> Followers:
        if node not in self.known:
            self.known[node] = self._followers(self.checkpoints[node])
        return self.known[node]

    def _followers(self, checkpoint: Checkpoint) -> Followers:
        roll = Engine.resume(GAME, table.scenario(), checkpoint).request
        assert isinstance(roll, Roll)
        n, at = roll.dice, faces(roll)
        found: Followers = defaultdict(float)
        for hits in range(n + 1):
            branch = Engine.resume(GAME, table.scenario(), checkpoint)
            branch.reply([1] * hits + [6] * (n - hits))
            found[self.node(branch)] += comb(n, hits) * at**hits * (6 - at) ** (n - hits) / 6**n
        return found


def _of_this_round(engine: Engine) -> str:
    """Hits that are still to take effect, and ships that were damaged just now; the first round begins with the first die."""
    found, number = "", "1"
    for event in engine.state.events:
        if isinstance(event, DiceRolled):
            now = match[1] if (match := search(r"round (\d+)", str(event.label))) else "1"
            found, number = found if now == number else "", now
            found += sub(r"round \d+", "", str(event.label)) + f": {event.hits}; "
        elif isinstance(event, Damaged):
            found += f"{event.unit} damaged; "
    return found

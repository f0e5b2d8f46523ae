"""Random legal play on the bare engine, warlike enough that things happen; a failure prints its seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from pbem.games.next_war.events.combat import AttackDeclared, CombatThrown, Thrown
from pbem.games.next_war.events.losses import Eliminated, Restored, StepLost
from pbem.games.next_war.events.markers import BeachheadPlaced, ControlTaken, MarkerDrawn, MinesSet
from pbem.games.next_war.events.moves import Moved, Placed, Sailed
from pbem.games.next_war.events.turns import Won
from pbem.games.next_war.state import SIDES
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Event
from pbem.kernel.flow import Ask
from pbem.kernel.proposals import Proposals, stands
from tests.next_war import table

Watch = Callable[[Engine, Plain], None]
MOVES = {"training": 12, "korea": 2, "gap": 8, "seoul-train": 4, "wonsan": 8}  # about so many moves a Movement Segment
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"edition": "newer", "supply": "on", "bridges": "on", "passed-fortifications": "on", "shift-clamp": "row", "dmz": "on"},
    {"supply": "on", "contested-air": "turn", "place-modifier": "city", "dmz": "on"},
)


def play(name: str, seed: int, watch: Watch | None = None, most: int = 200_000, moves: int = 12, **options: Plain) -> Engine:
    """One game of a scenario to its end; about so many moves a Movement Segment."""
    dice = random.Random(seed)
    engine = table.begin(name, **options)
    for _ in range(most):
        request = engine.request
        if request is None:
            return engine
        if isinstance(request, Ask):
            answer = request.forced if request.forced is not None else choose(request, dice, moves)
        else:
            answer = table.chance(request, dice)
        engine.reply(answer)
        if watch is not None:
            watch(engine, answer)
    raise AssertionError(f"{name}, seed {seed}: the game does not end")


def choose(ask: Ask, dice: random.Random, moves: int) -> Plain:
    """One of the orders that the question itself proposes, judged when it is drawn; passive ones are taken less often."""
    if ask.kind == "movement" and dice.random() < 1 / moves:
        return "done"
    offered = ask.options()
    left = list(offered.candidates if isinstance(offered, Proposals) else offered)
    eagerly = dice.random() < 0.9
    while left:
        eager = [o for o in left if not _passive(o)]
        order = dice.choice(eager if eager and eagerly else left)
        if stands(ask.read, order):
            return order
        left.remove(order)
    raise AssertionError(f"no option for {ask.kind}: {ask.prompt}")


def _passive(order: Plain) -> bool:
    if isinstance(order, dict):
        return next(iter(order.values())) in ("none", "no")
    return order == "done"


# -- what happened, for the floors -----------------------------------------------------------------------------------


def count(engine: Engine, tally: Counter[str]) -> None:
    """What happened in a game, under the names of the floors."""
    for event in engine.state.events:
        tally.update(name for name in _names(event) if name)


MODES = {"march": "marches", "retreat": "retreats", "advance": "advances", "assault": "landings", "paradrop": "paradrops"}
PLACED = {
    "6.5.1.2": "helicopter bases",
    "8.5.5": "Marines lifted",
    "8.5.8.3": "embarked or ashore",
    "10.0": "reinforcements",
    "11.2": "rebuilt units",
    "7.3.2.1": "turned ships",
}
LOST = {
    "6.6.1.1": "shot down",
    "8.5.6.4.1": "lost at sea",
    "8.5.8.1": "thrown back",
    "9.8.3": "stuck in retreat",
    "9.8.5": "lost in retreat",
}
DICE = {
    "clearing": "clearing operations",
    "contested": "contested seas",
    "sea": "sea control",
    "mine": "mines swept for",
    "loss": "bases lost",
}


def _names(event: Event) -> Iterator[str]:
    match event:
        case Moved(mode=mode):
            yield MODES.get(mode, mode)
        case Sailed():
            yield "voyages"
        case AttackDeclared():
            yield "attacks"
        case StepLost(rule=rule) | Eliminated(rule=rule):
            yield "losses"
            yield LOST.get(rule, "")
        case ControlTaken():
            yield "captures"
        case MarkerDrawn():
            yield "clearing markers"
        case BeachheadPlaced():
            yield "beachheads"
        case Restored():
            yield "replacements"
        case Placed(rule=rule):
            yield PLACED.get(rule, "")
        case MinesSet(rule=rule) if rule.startswith("7.5.1"):
            yield "mines laid"
        case Thrown(label=label) | CombatThrown(label=label):
            yield "second retreats" if "flees again" in label.id else DICE.get(label.id.split()[0], "")
        case Won(winner=winner, level=level):
            yield "ends"
            yield "victories" if winner in SIDES else "draws"
            yield "automatic victories" if level == "automatic" else ""

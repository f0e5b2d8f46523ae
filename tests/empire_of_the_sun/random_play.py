"""Random legal play on the bare engine, warlike enough that things happen; a failure prints its seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from pbem.games.empire_of_the_sun.events.battles import BattleBegan, Fired, Restored, RoundBegan
from pbem.games.empire_of_the_sun.events.cards import CardPlayed, FutureSet
from pbem.games.empire_of_the_sun.events.offensives import BattleDeclared, ConditionSet, Moved, TurnedBack, UnitsActivated
from pbem.games.empire_of_the_sun.events.politics import ChinaRolled, Surrendered
from pbem.games.empire_of_the_sun.events.turns import Won
from pbem.games.empire_of_the_sun.events.units import Controlled, Returned
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Event, Rewound
from pbem.kernel.flow import Ask, Request, Simultaneous
from pbem.kernel.proposals import Proposals, stands
from tests.empire_of_the_sun import table

Watch = Callable[[Engine], None]
PATIENCE = 2  # how often one offensive is started over before it is given up


def play(name: str, seed: int, watch: Watch | None = None, most: int = 100_000, **options: Plain) -> Engine:
    """One game of a scenario to its end."""
    engine = table.begin(name, **options)
    player = Player(random.Random(seed))
    for _ in range(most):
        if engine.request is None:
            return engine
        if watch is not None:
            watch(engine)
        engine.reply(player.answer(engine.request))
    raise AssertionError(f"{name}, seed {seed}: the game does not end")


class Player:
    """Both players at once: orders that the questions propose, more often those that lead to a fight."""

    def __init__(self, dice: random.Random) -> None:
        self.dice, self.decisions, self.restarts = dice, 0, 0

    def answer(self, request: Request) -> Plain:
        """What is forced, chance, or an order drawn from the proposals."""
        if isinstance(request, Simultaneous):
            return {a.seat: self.choose(a) for a in request.asks}
        if isinstance(request, Ask):
            return request.forced if request.forced is not None else self.choose(request)
        return table.chance(request, self.dice)

    def choose(self, ask: Ask) -> Plain:
        """A proposal is drawn first and judged then; a question without any legal one is a dead end."""
        self.decisions += 1
        if ask.kind in ("card", "reaction"):
            self.restarts = 0
        if ask.kind == "activate" and self.restarts > PATIENCE and stands(ask.read, {"activate": "none"}):
            return {"activate": "none"}
        offered = ask.options()
        left = list(offered.candidates if isinstance(offered, Proposals) else offered)
        while left:
            order = self.draw(ask, left)
            if stands(ask.read, order):
                self.restarts += order == "again"
                return order
            left = [o for o in left if o != order]
        raise AssertionError(f"no legal order for {ask.kind}: {ask.prompt}")

    def draw(self, ask: Ask, orders: list[Plain]) -> Plain:
        """One of some orders; passive ones seldom."""
        eager = [o for o in orders if not _passive(ask, o)]
        if eager and self.dice.random() < 0.9:
            fights = [o for o in eager if _warlike(o)]
            return self.promising(fights if fights and self.dice.random() < 0.6 else eager)
        calm = [o for o in orders if o != "again"]
        return self.dice.choice(calm or orders)

    def promising(self, orders: list[Plain]) -> Plain:
        """Proposals stand in the order of what they promise: the earlier of two that are drawn."""
        return orders[min(self.dice.randrange(len(orders)), self.dice.randrange(len(orders)))]


def _warlike(order: Plain) -> bool:
    return isinstance(order, dict) and next(iter(order)) in ("assault", "event", "battle", "play", "counter")


def _passive(ask: Ask, order: Plain) -> bool:
    if ask.kind == "battle":
        return False
    if isinstance(order, dict):
        verb, body = next(iter(order.items()))
        return verb in ("discard", "future", "withdraw") or body in ("none", "no")
    return order in ("done", "pass", "again", "discard")


# -- what happened, for the floors -----------------------------------------------------------------------------------


def count(engine: Engine, tally: Counter[str]) -> None:
    """What happened in a game, under the names of the floors."""
    for event in engine.state.events:
        tally.update(_names(engine.state, event))


def _names(g: State, event: Event) -> Iterator[str]:
    match event:
        case BattleBegan():
            yield "battles"
        case RoundBegan(kind="ground"):
            yield "ground battles"
        case Fired(critical=True):
            yield "critical hits"
        case Moved(mode="assault" | "organic" | "barge"):
            yield "landings"
        case Controlled():
            yield "captures"
        case UnitsActivated(rule="7.26"):
            yield "reactions"
        case ConditionSet(condition=value):
            yield {"intercept": "intercepts", "ambush": "ambushes"}.get(value, value)
        case BattleDeclared(rule="7.27"):
            yield "special reactions"
        case Rewound(name="card"):
            yield "cancellations"
        case Restored():
            yield "carrier transfers"
        case TurnedBack():
            yield "landings turned back"
        case Returned(rule="8.43"):
            yield "disengagements"
        case Surrendered(liberated=False):
            yield "surrenders"
        case ChinaRolled():
            yield "China offensives"
        case CardPlayed(card=card, use="reaction") if "Kamikaze" in g.board.cards[card].name:
            yield "kamikazes"
        case FutureSet():
            yield "future offensives"
        case Won():
            yield "victories"


def missing(tally: Mapping[str, int], games: int, floors: Mapping[str, int]) -> list[str]:
    """What happened less often than the floors, given per 100 games, ask for."""
    return [f"{tally[w]} {w} in {games} games, floor {n} per 100" for w, n in floors.items() if tally[w] * 100 < n * games]

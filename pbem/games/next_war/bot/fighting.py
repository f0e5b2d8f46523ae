"""Combat Segments: which attack comes next, who stands, goes and advances."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from pbem.bots.operation import Operation
from pbem.bots.planner import select
from pbem.games.next_war.bot.judgement import danger, defended, eliminated, expect_support, forecast, prize, step
from pbem.games.next_war.combat import targets
from pbem.games.next_war.control import mssp
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import read_place, read_unit
from pbem.games.next_war.retreat import may_ignore
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE, NONE

LEAST = 30  # points over ten faces that an attack has to promise
PRICE = 1  # points over ten faces that another unit has to bring


# -- attacks -------------------------------------------------------------------------------------------------------------


def combat(g: State, ask: Ask) -> Iterator[Plain]:
    """The attack that promises most; landings on empty Beaches and Beachheads at once; done when nothing is worth it."""
    for beach in sorted(set(g.poised.values())):
        if not g.ground(FOE[ask.seat], beach):
            yield {"land": [u for u, b in g.poised.items() if b == beach]}
    for order in ask.options():
        if isinstance(order, dict) and "beachhead" in order:
            yield order
    for one in select([one for one in _worthwhile(g, ask) if one.value >= LEAST]):
        yield one.steps[0]
    yield DONE


def _worthwhile(g: State, ask: Ask) -> Iterator[Operation]:
    """Attacks on each hex, and those that are left for it when another hex is attacked with all that helps there."""
    known = {target: attacks(g, ask, target) for target in sorted(targets(g, ask.seat))}
    for target, found in known.items():
        yield from found
        for other in known:
            taken = known[other][-1].units if known[other] and other != target else frozenset[int]()
            if found and not found[-1].units.isdisjoint(taken):
                yield from attacks(g, ask, target, taken)[-1:]


def attacks(g: State, ask: Ask, target: int, without: Set[int] = frozenset()) -> list[Operation]:
    """Attacks on a hex: the strongest unit, the two strongest and so on, as far as each one more makes it better."""
    numbers = {u: n for n, u in enumerate(g.board.armies[ask.seat])}
    able = [u for u in targets(g, ask.seat)[target] if numbers[u] not in without]
    ranked = sorted(able, key=lambda u: (-g.values(u).attack, -g.values(u).er, u))
    found: list[Operation] = []
    chosen: list[str] = []
    for unit in ranked:
        order: Plain = {"attack": {"units": [*chosen, unit], "at": g.board.hexes[target].label}}
        try:
            fight = ask.read(order)[1]
        except Rejected:
            continue
        chosen.append(unit)
        worth = forecast(g, expect_support(g, defended(g, fight))) - PRICE * len(chosen)
        if worth > max((one.value for one in found), default=0):
            found.append(Operation(str(target), frozenset(numbers[u] for u in chosen), worth, (order,)))
    return found


def best_attack(g: State, ask: Ask, target: int) -> tuple[int, Plain]:
    """What an attack on a hex promises that is made with as many as make it better, and its order."""
    found = attacks(g, ask, target)
    return (found[-1].value, found[-1].steps[0]) if found else (0, None)


# -- standing and going --------------------------------------------------------------------------------------------------


def stand(g: State, ask: Ask) -> Iterator[Plain]:
    """Stay where the hex matters or the units are likely to pass."""
    fight = g.fight
    assert fight is not None
    dear = prize(g, fight.side, fight.target) > 0 and g.holds(ask.seat, fight.target)
    worst = int(ask.facts["efficiency"])
    yield {"stand": "yes" if dear or worst >= 4 else "no"}


def failed(g: State, ask: Ask) -> Iterator[Plain]:
    """A step for a hex that is worth more than it, as long as there is one to spare."""
    fight = g.fight
    assert fight is not None
    price = min((step(g, u) for u in g.ground(ask.seat, fight.target)), default=0)
    worth = prize(g, fight.side, fight.target) if g.holds(ask.seat, fight.target) else 0
    yield {"failed": "step" if worth > price and int(ask.facts["steps"]) > 1 else "retreat"}


def retreat(g: State, ask: Ask) -> Iterator[Plain]:
    """Away from enemy zones, to own units, to ground that can be held."""
    fight = g.fight
    assert fight is not None
    hot, heat = zone(g, FOE[ask.seat]), danger(g, ask.seat)

    def badness(order: Any) -> tuple[int, int, str]:
        body = order["retreat"]
        if "on" in body:
            return 1, 0, str(order)
        places = [read_place(g, h) for h in (*body.get("via", ()), body["to"])]
        through = sum(h in hot and not g.ground(ask.seat, h) for h in places)
        held = bool(g.ground(ask.seat, places[-1])) or may_ignore(g, ask.seat, places[-1])
        return 2 * through + 2 * ("by" in body), heat.get(places[-1], 0) - (10 if held else 0), str(order)

    yield from sorted(ask.options(), key=badness)


def advance(g: State, ask: Ask) -> Iterator[Plain]:
    """As many as the hex needs: enough to clear it, few into danger; into the second hex only for a prize."""
    fight = g.fight
    assert fight is not None
    hex_ = g.board.hexes[fight.target]
    need = 2 * mssp(g, hex_) if hostile_place(g, ask.seat, fight.target) else 2
    heat = danger(g, ask.seat).get(fight.target, 0)

    def worth(order: Any) -> tuple[int, int, str]:
        body = order["advance"]
        if body == NONE:
            return -1000, 0, ""
        units = [read_unit(g, u, ask.seat) for u in body["units"]]
        left = {g.pieces[u].at for u in units}
        bare = sum(
            prize(g, FOE[ask.seat], h) for h in left if g.holds(ask.seat, h) and set(g.ground(ask.seat, h)) <= set(units)
        )
        short = max(0, need - g.stack_points(units))
        defense = sum(g.values(u).defense for u in units)
        beyond = prize(g, ask.seat, read_place(g, body["to"])) - 3 if "to" in body else 0
        score = -6 * short - bare // 2 - max(0, heat - 3 * defense) + beyond
        return score, -sum(eliminated(g, u) for u in units), str(order)

    yield from sorted(ask.options(), key=worth, reverse=True)


# -- small choices -------------------------------------------------------------------------------------------------------


def defend(g: State, ask: Ask) -> Iterator[Plain]:
    """The best efficiency leads; of equals the one whose step costs least."""
    yield from _units(g, ask, "defend", lambda u: (-efficiency(g, u), step(g, u)))


def lose(g: State, ask: Ask) -> Iterator[Plain]:
    """The cheapest step."""
    yield from _units(g, ask, ask.verbs[0], lambda u: (step(g, u), -efficiency(g, u)))


def lead_clearing(g: State, ask: Ask) -> Iterator[Plain]:
    """The best efficiency."""
    yield from _units(g, ask, ask.verbs[0], lambda u: (-efficiency(g, u), step(g, u)))


def _units(g: State, ask: Ask, verb: str, key: Any) -> Iterator[Plain]:
    names = [str(o[verb]) for o in ask.options() if isinstance(o, dict) and o.get(verb) != NONE]
    for name in sorted(names, key=lambda n: (key(read_unit(g, n, ask.seat)), n)):
        yield {verb: name}

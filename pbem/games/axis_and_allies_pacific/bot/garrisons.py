"""Land that the enemy could walk into: large bodies leave a man there, and in the last turn of a power all spread over it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.forces import orders_for
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    MARCHING,
    Temper,
    force_against,
    garrison,
    is_guarded,
    is_key,
    rivals,
)
from pbem.games.axis_and_allies_pacific.bot.lifts import Lift, ashore, lifts_to
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import exposure, gain
from pbem.games.axis_and_allies_pacific.paths import is_open, reach
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    SEA,
    SIDES,
    State,
    Unit,
    controller_side,
    is_cargo,
    movement_points,
    side_of,
    zone_is_hostile,
)
from pbem.kernel.canon import Plain

TOGETHER = 3  # men of one sort that are thought of as one body
MARCHES, VOYAGES = 40, 8  # bodies that march, and transports that sail, at most
LEAST = 200  # what a move has to save, in thousandths of an IPC
STACK, GUARDS, LEFT = 5, 2, 6  # men of whom some are left as guards, how many together, and how often in a turn


def stand_fast(stage: Rehearsal, mind: Temper) -> None:
    """Step by step what saves most: men march, and transports bring them, to where the enemy could still take something."""
    for moves, most in ((_by_road, MARCHES), (_by_sea, VOYAGES)):
        for _ in range(most):
            stakes = Stakes(stage.g, stage.power, mind)
            found = sorted(moves(stakes), key=lambda x: -x[0])
            if not any(stage.attempt(orders) for _, orders in found):
                break


def leave_guards(stage: Rehearsal, mind: Temper) -> None:
    """A man or two of a large body go to empty land beside it into which an enemy could walk."""
    for _ in range(LEFT):
        stakes = Stakes(stage.g, stage.power, mind)
        held = {t: sum(u.type in MARCHING for u in stakes.here(t)) for t in stakes.lands}
        found = _marches(
            stakes, [t for t, men in held.items() if men >= STACK], {t for t, men in held.items() if not men}, GUARDS
        )
        if not any(stage.attempt(orders) for _, orders in sorted(found, key=lambda x: -x[0])):
            break


class Stakes:
    """What the enemies' last turns cost in each place, whoever stands there."""

    def __init__(self, g: State, power: str, mind: Temper) -> None:
        self.g, self.power, self.mind = g, power, mind
        self.lands = [t for t in g.board.territories if controller_side(g, t) == SIDES[power]]
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def here(self, place: str) -> list[Unit]:
        """Who would defend it now."""
        return garrison(self.g, self.power, place)

    def cost(self, place: str, held: Sequence[Unit]) -> int:
        """What the worst of the enemies' attacks costs there; nothing where he would lose by it."""
        question = place, tuple(sorted(u.id for u in held))
        if question not in self._known:
            enemies = rivals(self.g, self.power)
            self._known[question] = max((self._taken_by(enemy, place, held) for enemy in enemies), default=0)
        return self._known[question]

    def _taken_by(self, enemy: str, place: str, held: Sequence[Unit]) -> int:
        force = self._sent(enemy, place)
        if not any(u.type in LAND for u in force):
            return 0
        found = verdict(self.g, force, held)
        return max(0, found.won * sum(gain(self.g, enemy, place, self.mind)) // 1000 + found.swing)

    def _sent(self, enemy: str, place: str) -> list[Unit]:
        """What he has for this place: a city gets all that can come, another its share of an army that stands beside more."""
        g, force = self.g, force_against(self.g, enemy, place)
        if g.board.territories[place].victory_city or place in g.board.capitals.values():
            return force
        sent: list[Unit] = []
        most = 1
        for at in dict.fromkeys(u.at for u in force if u.type in LAND):
            body = [u for u in force if u.at == at and u.type in LAND]
            targets = max(1, sum(t in self.lands for t in g.board.neighbours[at])) if at in g.board.territories else 1
            sent += body[: -(-len(body) // targets)]
            most = max(most, targets)
        planes = [u for u in force if u.type in AIR]
        return [*sent, *planes[: -(-len(planes) // most)]]

    def saved(self, place: str, coming: Sequence[Unit]) -> int:
        """What it saves that these, who leave other places, stand in this one."""
        ids, held = {u.id for u in coming}, self.here(place)
        best = self.cost(place, held) - self.cost(place, [*held, *coming])
        for origin in dict.fromkeys(u.at for u in coming if u.at in self.g.board.territories):
            before = self.here(origin)
            best -= max(0, self.cost(origin, [u for u in before if u.id not in ids]) - self.cost(origin, before))
        return best


Move = tuple[int, list[Plain]]


def _by_road(stakes: Stakes) -> Iterator[Move]:
    """Every march that saves something."""
    yield from _marches(stakes, stakes.lands, {*stakes.lands}, TOGETHER)


def _marches(stakes: Stakes, origins: Sequence[str], places: Collection[str], together: int) -> Iterator[Move]:
    """Marches of a few men of one sort, with what they save; a key place keeps its guards."""
    g, power = stakes.g, stakes.power
    wanted = {t for t in places if stakes.cost(t, stakes.here(t)) >= LEAST}
    for units in _bodies(g, power, origins):
        at = units[0].at
        for place in reach(g, at, lambda t: _may_pass(g, power, t), movement_points(g, units[0])):
            for number in range(1, min(together, len(units)) + 1) if place in wanted and place != at else ():
                if is_key(g, at) and not is_guarded(g, power, at, [u.id for u in units[:number]]):
                    break
                saved = stakes.saved(place, units[:number])
                if saved >= LEAST:
                    yield saved, [*orders_for(units[:number], place)]


def _bodies(g: State, power: str, origins: Sequence[str]) -> list[list[Unit]]:
    """Men who may still march, by place and sort."""
    found: dict[tuple[str, str], list[Unit]] = {}
    for at in origins:
        for unit in g.at(at):
            if unit.owner == power and unit.type in MARCHING and not unit.moved and not unit.fought and unit.aboard is None:
                found.setdefault((at, unit.type), []).append(unit)
    return [*found.values()]


def _may_pass(g: State, power: str, territory: str) -> bool:
    return is_open(g, power, territory) and why_not_enter(g, power, territory) is None


def _by_sea(stakes: Stakes) -> Iterator[Move]:
    """Landings by single transports, with what they save less what the transport risks more."""
    g, power = stakes.g, stakes.power
    for place in stakes.lands if power != "china" else ():
        zones = [z for z in g.board.coast(place) if not zone_is_hostile(g, power, z)]
        for zone in zones if stakes.cost(place, stakes.here(place)) >= LEAST else ():
            for lift in lifts_to(g, power, zone):
                saved = stakes.saved(place, lift.cargo) - _danger(g, power, zone, lift)
                if saved >= LEAST and all(u.at != place for u in lift.cargo):
                    yield saved, [*ashore(lift, zone, place)]


def _danger(g: State, power: str, zone: str, lift: Lift) -> int:
    """What a transport adds to what an answer at sea would cost in a zone, more than where it lies."""

    def added(place: str) -> int:
        others = [u for u in g.at(place) if side_of(g, u.owner) == SIDES[power] and u.id != lift.ship.id and not is_cargo(u)]
        others = [u for u in others if u.type in (*SEA, *AIR)]
        return exposure(g, power, place, [*others, lift.ship]) - exposure(g, power, place, others)

    return max(0, added(zone) - added(lift.ship.at))

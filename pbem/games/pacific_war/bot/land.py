"""Troops: embarking for an objective, landing where the combat should be won, attacks, retreats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.worth import goals
from pbem.games.pacific_war.dice import halved
from pbem.games.pacific_war.ground import ground_column, ratio_modifier
from pbem.games.pacific_war.landmoves import may_move
from pbem.games.pacific_war.state import FOE, STRATEGIC, State
from pbem.games.pacific_war.troops import quality
from pbem.games.pacific_war.victory import owner
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

MEAN_DIE = 4
GOOD, FAIR, BAD = 5, 2, -2  # net results of the ground chart


def net(g: State, place: int, side: str, attackers: Sequence[str], half: bool) -> int:
    """The mean net number of an attack into a hex; 99 against nobody."""
    defenders = g.ashore(FOE[side], place)
    if not defenders:
        return 99
    if not attackers:
        return -99
    best = max(quality(g, u) for u in attackers)
    column = ground_column(g, place, halved(best) if half else best, max(quality(g, u) for u in defenders))
    mine, theirs = sum(g.steps(u) for u in attackers), sum(g.steps(u) for u in defenders)
    return column - MEAN_DIE + ratio_modifier(g, mine, theirs)


def moves(g: State, ask: Ask) -> list[Plain]:
    """Landings that should succeed, then marches into objectives, then embarking for one that lies over the sea."""
    side, wanted = ask.seat, goals(g, ask.seat)
    found: list[Plain] = []
    for unit in [u for u in g.on_map(side, "ground") if may_move(g, u)]:
        u = g.units[unit]
        if u.aboard:
            mates = [t for s in g.ships(side, u.at) for t in g.cargo(s)] + g.ashore(side, u.at)
            here = u.at in wanted or (bool(g.ashore(FOE[side], u.at)) and owner(g, u.at) != side)
            if here and net(g, u.at, side, mates, True) >= FAIR:
                found.append({"debark": {unit: u.at}})
            continue
        stack = [t for t in g.ashore(side, u.at) if may_move(g, t)]
        for n in g.board.near(u.at):
            if n in wanted and net(g, n, side, stack, False) >= FAIR:
                found.append({"move": {unit: [n]}})
        far = [h for h in wanted if distance(h, u.at) > 1 and g.board.sea(h)]
        once = g.level == STRATEGIC and g.cycle  # one landing an operation
        if far and owner(g, u.at) == side and u.at not in wanted and side == g.operator and not once:
            ships = [s for s in g.ships(side, u.at) if g.units[s].tf]
            found += [{"embark": {unit: s}} for s in sorted(ships, key=lambda s: (g.counter(s).type != "AA", s))]
    return [*found, "done"]


def attack(g: State, ask: Ask) -> list[Plain]:
    """An attack that should not lose; troops that have landed go on."""
    place = _contested(g, ask)
    mine = [u for u in g.ashore(ask.seat, place) if g.units[u].active and not g.units[u].demoralized]
    landed = g.level == STRATEGIC and any(g.units[u].landed for u in mine)
    return [{"attack": "yes" if landed or net(g, place, ask.seat, mine, False) >= FAIR else "no"}]


def retreat(g: State, ask: Ask) -> list[Plain]:
    """Out of a hex where the enemy's next attack should win."""
    place = _contested(g, ask)
    theirs = g.ashore(FOE[ask.seat], place)
    mine = g.ashore(ask.seat, place)
    weak = net(g, place, FOE[ask.seat], theirs, False) >= GOOD + 2 and net(g, place, ask.seat, mine, False) < BAD
    return [{"retreat": "yes" if weak and place not in goals(g, FOE[ask.seat]) else "no"}]


def pursue(g: State, ask: Ask) -> list[Plain]:
    """After a retreat the winner follows where he has more steps."""
    place = _running(g)
    mine = sum(g.steps(u) for u in g.ashore(ask.seat, place))
    return [{"pursue": "yes" if mine >= 6 else "no"}]


def _running(g: State) -> int:
    """The hex of the ground combat that is going on."""
    if g.running is not None and g.running.name == "ground-combat":
        return int(str(g.running.args[0]))
    return 0


def _contested(g: State, ask: Ask) -> int:
    place = _running(g)
    if place:
        return place
    both = sorted({g.units[u].at for u in g.on_map(ask.seat, "ground") if g.ashore(FOE[ask.seat], g.units[u].at)})
    return both[0] if both else 0


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "land": moves,
    "attack": attack,
    "retreat": retreat,
    "pursue": pursue,
}

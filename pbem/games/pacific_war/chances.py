"""What the odds and luck commands ask of a game: forecasts of fire and ground combat, and what each roll was worth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pbem.games.pacific_war.air.strikes import strike_strength
from pbem.games.pacific_war.air.targets import line_of
from pbem.games.pacific_war.board import FORT, Board, X
from pbem.games.pacific_war.dice import ground_result
from pbem.games.pacific_war.events import Fired, GroundFought, Rolled
from pbem.games.pacific_war.game import build_board
from pbem.games.pacific_war.land.combat import (
    Assault,
    able_attackers,
    armour_shift,
    assaulting,
    ground_column,
    ratio_modifier,
)
from pbem.games.pacific_war.land.occupation import contested
from pbem.games.pacific_war.land.quality import quality
from pbem.games.pacific_war.odds import DIE, Shot, assault, hits_on, mean, shot, volley
from pbem.games.pacific_war.orders import any_of, example
from pbem.games.pacific_war.sea.gunnery import BATTERED, gun, salvo
from pbem.games.pacific_war.state import FOE, SIDES, State
from pbem.games.pacific_war.units.damage import INSTALLATIONS
from pbem.kernel.orders import unreadable
from pbem.kernel.standing import Clause
from pbem.kernel.wording import Message, msg, quoted
from pbem.odds.forecast import Forecast, Imagined
from pbem.odds.luck import Throw, points_thrown

UNIT = "hits"
COMES_AFTER = msg("quality tests and chosen retreats come after this")
MOST_TOLD = 8  # hits whose chance is told
PLACES = ("land", "sea", "amphibious")
Plans = Callable[[str, str], Sequence[Clause]]


# -- odds ----------------------------------------------------------------------------------------------------------------


def forecasts(state: Any, plans: Plans, *, hurry: bool = False) -> list[Forecast]:
    """Fire at each ship of a naval combat, the strikes of a mission over its target, contested hexes: as things stand now."""
    g: State = state
    return [*_salvoes(g), *_strikes(g), *_assaults(g)]


def _salvoes(g: State) -> Iterator[Forecast]:
    """[PW-NAV-03] Everything that the placed ships of a side can fire at the range, at each ship of the other."""
    if g.sea is None or not g.sea.range:
        return
    for side in SIDES:
        ships = [s for s in g.sea.placed.get(side, ()) if g.units[s].box == "map"]
        alike: dict[tuple[tuple[Shot, ...], int, bool], list[str]] = {}
        for target in (t for t in g.sea.placed.get(FOE[side], ()) if g.units[t].box == "map"):
            shots = tuple(one for ship in ships for one in _armament(g, ship, target))
            if shots:
                alike.setdefault((shots, g.steps(target), _cripples(g, target)), []).append(target)
        for (shots, _, _), targets in alike.items():
            yield _at_ship(g, _salvo_title(g, ships, targets), shots, targets[0])


def _salvo_title(g: State, ships: Sequence[str], targets: Sequence[str]) -> Message:
    """Of all that ships can fire, at the one target, or at any of several that it hits alike."""
    assert g.sea is not None
    said = msg("{place}, {range} range: everything that {ships} can fire, at one of {target}")
    if len(targets) == 1:
        said = msg("{place}, {range} range: everything that {ships} can fire, at {target}")
    place = g.board.name(g.sea.hex)
    return Message(said.id, {"place": place, "range": g.sea.range, "ships": ", ".join(ships), "target": ", ".join(targets)})


def _armament(g: State, ship: str, target: str) -> list[Shot]:
    assert g.sea is not None
    fort = g.counter(target).type == FORT
    guns, fish = (BATTERED if fort else g.sea.range, gun(g, ship, g.sea.range)), ("torpedo", salvo(g, ship, g.sea.range))
    return [one for one in (guns, fish) if one[1] != X and not (fort and one is fish)]


def _strikes(g: State) -> Iterator[Forecast]:
    """[PW-AIR-14] Each unit of the mission over its target, by itself, before flak."""
    m = g.mission
    if m is None:
        return
    for unit, targets in m.targets.items():
        if g.units[unit].box != "map" or unit in m.aborted or not targets or targets == ["strafe"]:
            continue
        line = line_of(g, unit, targets[0])
        title = msg("{place}: {unit} attacks {targets}", place=g.board.name(m.target), unit=unit, targets=", ".join(targets))
        shots = [(line, strike_strength(g, unit, line))]
        ship = targets[0] if len(targets) == 1 and targets[0] not in INSTALLATIONS else ""
        if ship and g.counter(ship).kind == "naval" and g.units[ship].box == "map":
            yield _at_ship(g, title, shots, ship)
        else:
            yield _fire(g.board, title, shots)


def _at_ship(g: State, title: Message, shots: Sequence[Shot], ship: str) -> Forecast:
    return _fire(g.board, title, shots, g.steps(ship), cripples=_cripples(g, ship))


def _cripples(g: State, ship: str) -> bool:
    return g.counter(ship).cripples and not g.crippled(ship)


def _fire(board: Board, title: Message, shots: Iterable[Shot], room: int = 0, *, cripples: bool = False) -> Forecast:
    """`room`: hits that sink the target, 0: nothing does."""
    found = volley(board.charts, shots)
    none, sunk = found[0], sum(found[room:]) if room else 0.0
    crippled = found[room - 1] if cripples and 1 < room <= len(found) else 0.0
    outcomes = {"no hit": none, "hit": 1.0 - none - sunk - crippled}
    if room:
        outcomes |= ({"crippled": crippled} if cripples else {}) | {"sunk": sunk}
    most = min(len(found) - 1, MOST_TOLD)
    return Forecast(title, outcomes, {f"{n}+ hits": sum(found[n:]) for n in range(1, most + 1)}, {}, {"hits": mean(found)})


def _assaults(g: State) -> Iterator[Forecast]:
    """[PW-LND-02] Each side that could attack in a contested hex, led by its best unit."""
    for place in contested(g):
        for side in SIDES:
            able = able_attackers(g, side, place)
            if able and g.ashore(FOE[side], place):
                yield _assault(g, side, place, able)


def _assault(g: State, side: str, place: int, able: Sequence[str]) -> Forecast:
    foes = g.ashore(FOE[side], place)
    half = assaulting(g, side, place)
    lead, against = max(quality(g, u, half) for u in able), max(quality(g, u) for u in foes)
    mine, theirs = sum(map(g.steps, able)), sum(map(g.steps, foes))
    column = ground_column(g, place, lead, against) + armour_shift(g, Assault(place, side))
    title = msg(
        "{place}: {side}, quality {lead}, steps {mine}, attacks quality {against}, steps {theirs}",
        place=g.board.name(place),
        side=side,
        lead=lead,
        mine=mine,
        against=against,
        theirs=theirs,
    )
    return _battle(g, title, column + ratio_modifier(g, mine, theirs), mine + theirs)


def _battle(g: State, title: Message, net: int, steps: int) -> Forecast:
    """Who must retreat tests its quality first: the chances are those of the chart."""
    found = assault(g, net, steps)
    stay = 1.0 - found.attacker_retreats - found.defender_retreats
    outcomes = {
        "attacker must retreat": found.attacker_retreats,
        "defender must retreat": found.defender_retreats,
        "no retreat": stay,
    }
    means = {"attacker loses": found.attacker_loses, "defender loses": found.defender_loses}
    return Forecast(title, outcomes, {}, {}, means, "steps", notes=(COMES_AFTER,))


# -- odds in words -------------------------------------------------------------------------------------------------------

TROOPS = re.compile(r"quality (\d+), steps? (\d+)(?:, (clear|jungle|rough|mountain|atoll))?", re.IGNORECASE)
FIRE = re.compile(r"([\w-]+) (zero-four|\d+)", re.IGNORECASE)


def imagine(scenario: Any, asked: Imagined) -> Forecast:
    """Attacks on the charts: `short 5, torpedo 5` at a ship that takes `4` hits; `quality 8, steps 6` against
    `quality 5, steps 3, jungle`. Raises Rejected.
    """
    if asked.losses or asked.defence_losses or asked.retreat:
        raise unreadable(
            msg("the charts of this game know no order of losses and no retreat at will"), msg("leave these options out")
        )
    board, attack, defence, place = build_board(scenario), asked.attack, asked.defence, asked.place
    if place == "sea":
        return _fire(
            board,
            msg("{attack} at a ship that takes {hits} hits", attack=attack, hits=defence),
            _read_fire(board, attack),
            _read_room(defence),
        )
    if place not in PLACES:
        raise unreadable(msg("{given} is no place for a battle", given=quoted(place)), any_of(*PLACES))
    g = State({})
    g.board = board
    lead, mine, _ = _read_troops(attack)
    against, theirs, land = _read_troops(defence)
    lead = -(-lead // 2) if place == "amphibious" else lead
    plain = board.charts.plain
    column = int(plain["ground"]["column_at_par"]) + lead - against + int(plain["terrain_shift"][land])
    return _battle(
        g,
        msg("{attack} against {defence}, {place}", attack=attack, defence=defence, place=place),
        column + ratio_modifier(g, mine, theirs),
        mine + theirs,
    )


def _read_fire(board: Board, text: str) -> list[Shot]:
    found = []
    for part in text.split(","):
        read = FIRE.fullmatch(part.strip())
        lines = {line.lower(): line for line in board.charts.air_naval}
        if read is None or read[1].lower() not in lines:
            raise unreadable(
                msg("{given} is no attack", given=quoted(part.strip())),
                msg(
                    "for example: {order}; lines of the chart: {lines}",
                    order="short 5, torpedo 5",
                    lines=", ".join(lines.values()),
                ),
            )
        found.append((lines[read[1].lower()], -1 if read[2].lower() == "zero-four" else int(read[2])))
    return found


def _read_room(text: str) -> int:
    if not text.strip().isdigit() or not int(text):
        raise unreadable(
            msg("{given} is no number of hits", given=quoted(text)),
            msg("the hits that sink the target, for example: {order}", order="4"),
        )
    return int(text)


def _read_troops(text: str) -> tuple[int, int, str]:
    read = TROOPS.fullmatch(text.strip())
    if read is None:
        raise unreadable(
            msg("{given} names no troops", given=quoted(text)), example("quality 8, steps 6", "quality 5, steps 3, jungle")
        )
    return int(read[1]), int(read[2]), (read[3] or "clear").lower()


# -- luck ----------------------------------------------------------------------------------------------------------------


def throw(state: Any, event: Any) -> Throw | None:
    """What a roll was worth: hits on the air and naval chart, critical hits, steps of a ground combat. None for other events.

    Hits count as the chart gives them, also beyond what the target can take; a troop quality test counts as no hit.
    """
    g: State = state
    match event:
        case Fired():
            return _fired(g, event)
        case Rolled() if event.label.id == "{about}, critical hit":
            charts = g.board.charts.critical
            return points_thrown(str(event.label), FOE[event.against], event.against, charts[event.die], charts, 1.0)
        case GroundFought():
            results = [ground_result(g, event.net + event.die - n, event.size) for n in DIE]
            swings = [killed - lost for lost, killed, _ in results]
            return points_thrown("ground combat", event.attacker, FOE[event.attacker], swings[event.die], swings, 1.0)
    return None


def _fired(g: State, x: Fired) -> Throw:
    charts = g.board.charts
    faces: list[float] = [hits_on(charts, x.line, x.strength, die) for die in DIE]
    if x.strength < 0:  # the second die is taken at its mean
        faces[0] = 10 * mean(shot(charts, x.line, x.strength))
    return points_thrown(str(x.label), FOE[x.against], x.against, faces[x.die], faces, 1.0)

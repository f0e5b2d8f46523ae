"""[PW-MOV-07] [PW-MOV-14] Movement of task forces and submarines inside a battle cycle, with its searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.events import MarkerMoved, Moved
from pbem.games.pacific_war.forms import sailings
from pbem.games.pacific_war.movements import MoveSpent
from pbem.games.pacific_war.orders import OFF, misread, not_next, read_place, read_unit
from pbem.games.pacific_war.postures import Released
from pbem.games.pacific_war.sea.doolittle import raid_at_once
from pbem.games.pacific_war.sea.searching import search_round
from pbem.games.pacific_war.sea.submarines import submarine_combat
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.units.fleets import weigh_anchor
from pbem.games.pacific_war.world.off_map import check_sail_off, sail_off
from pbem.games.pacific_war.world.options import panama
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form, Read
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import accepted
from pbem.kernel.wording import Message, msg, verbatim

STAY = "stay"


def sea_phase(g: State, side: str) -> Flow[None]:
    """[PW-MOV-14] Searches, first hexes, searches, second hexes, searches."""
    for step in (1, 2):
        yield from _searches(g, side, msg("before hex {n}", n=step))
        if movers(g, side, step):
            moves = yield from ask_moves(g, side, step)
            yield from sail(g, side, moves)
    yield from _searches(g, side, msg("after the last hex"))


def _searches(g: State, side: str, label: Message) -> Flow[None]:
    """[PW-SRC-05] The other player first, the mover second."""
    for seat in (FOE[side], side):
        yield from search_round(g, seat, label)


def movers(g: State, side: str, step: int) -> list[str]:
    """Task forces and submarines that may make this step of the phase."""
    found = []
    for marker, m in g.markers.items():
        if m.side == side and not m.held and _speed(g, marker) >= step and g.moved.get(marker, 0) == step - 1:
            found.append(marker)
    if step == 1:
        found += [u for u in g.on_map(side, "submarine") if g.units[u].active]
    return found


def _speed(g: State, marker: str) -> int:
    """[PW-UNT-05] Two hexes, one with a crippled ship; 0 if a ship is not activated."""
    ships = g.members(marker)
    if not all(g.units[s].active for s in ships):
        return 0
    return 1 if any(g.crippled(s) for s in ships) else 2


def ask_moves(g: State, side: str, step: int) -> Flow[dict[str, int]]:
    """`sail: {TF1: 1531, ...}` or stay; who is not named stays."""
    able = movers(g, side, step)
    moves: dict[str, int] = yield Ask(
        side,
        "sail",
        "PW-MOV-14",
        msg("hex {n} of task forces and submarines", n=step),
        lambda plain: read_moves(g, side, able, plain),
        ("sail", STAY),
        facts={"step": step},
        options=lambda: move_options(g, side, able),
        form=lambda: sail_form(g, side, ("sail", STAY), able, lambda plain: read_moves(g, side, able, plain)),
    )
    return moves


def sail_form(g: State, side: str, verbs: Sequence[str], able: Sequence[str], read: Read) -> Form:
    """The question pick by pick."""
    return sailings(g, side, verbs, able, lambda mover: place_of(g, mover), read)


def read_moves(g: State, side: str, able: list[str], plain: Plain) -> dict[str, int]:
    """One adjacent hex for each, or `off` for the way off the map [PW-EXT-01]. Raises Rejected."""
    verb, body = split_order(plain, ("sail", STAY))
    if verb == STAY:
        return {}
    if not isinstance(body, dict):
        raise misread("sail", body, "sail: {TF1: 1531}")
    moves: dict[str, int] = {}
    for who, where in body.items():
        mover = who if who in g.markers else read_unit(g, who, side)
        if mover not in able:
            raise illegal(msg("{unit} cannot move now", unit=mover), _rule(g), verbatim(*able))
        if where == OFF:
            check_sail_off(g, mover)
            moves[mover] = 0
            continue
        goal, start = read_place(g, where), place_of(g, mover)
        if goal not in g.board.near(start):
            raise not_next(g, goal, start, "PW-MOV-07")
        if not g.board.sea(goal):
            raise illegal(msg("{place} is land", place=g.board.name(goal)), "PW-MOV-07")
        if not g.sails(mover, goal):
            raise illegal(
                msg(
                    "no water joins {origin} and {place} on the side of {unit}",
                    origin=g.board.name(start),
                    place=g.board.name(goal),
                    unit=mover,
                ),
                "PW-MAP-01",
            )
        moves[mover] = goal
    return moves


def _rule(g: State) -> str:
    """[PW-MOV-09] [PW-MOV-14] By which rule ships move: that of the approach, or of a movement phase."""
    return "PW-MOV-09" if g.phase == "contact" else "PW-MOV-14"


def place_of(g: State, mover: str) -> int:
    """Where a task force or submarine is."""
    return g.markers[mover].at if mover in g.markers else g.units[mover].at


def sail(g: State, side: str, moves: dict[str, int], free: bool = False) -> Flow[None]:
    """They move; submarines and task forces that meet fight [PW-SUB-01]; who meets ships near a coast stops."""
    for mover in [m for m, goal in moves.items() if not goal]:
        sail_off(g, mover)
    moves = {m: goal for m, goal in moves.items() if goal}
    for mover, goal in moves.items():
        if mover in g.markers:
            emit(g, MarkerMoved(mover, goal, "PW-MOV-07"))
            weigh_anchor(g, mover)
        else:
            emit(g, Moved(mover, goal, "PW-MOV-07"))
        near_coast = g.board.hex(goal).water in ("coastal", "restricted")
        stops = mover in g.markers and near_coast and g.marker_at(FOE[side], goal)
        spent = g.moved.get(mover, 0) + 1
        emit(g, MoveSpent(mover, 2 if stops and not free else spent, _rule(g)))
    for mover, goal in moves.items():
        if mover in g.markers:
            yield from submarine_combat(g, FOE[side], goal)
        elif mover in g.units:
            yield from submarine_combat(g, side, goal)
            yield from panama(g, mover)
    if any(mover in g.markers for mover in moves):
        yield from raid_at_once(g)


def move_options(g: State, side: str, able: list[str]) -> list[Plain]:
    """Stay; everybody towards the nearest enemy ships or bases; each mover to each sea neighbour and off the map."""
    found: list[Plain] = [STAY]
    goals = _goals(g, FOE[side])
    for farther in (False, True) if goals else ():
        closing: dict[str, Plain] = {}
        for mover in able:
            step = _towards(g, mover, goals, farther)
            if step:
                closing[mover] = step
        if closing:
            found.append({"sail": closing})
    steps: Iterator[Plain] = ({"sail": {mover: goal}} for mover in able[:6] for goal in _one_step(g, mover))
    return [*found, *accepted(lambda plain: read_moves(g, side, able, plain), steps)]


def _one_step(g: State, mover: str) -> list[Plain]:
    """Every neighbour, and the way off the map."""
    return [*g.board.near(place_of(g, mover)), OFF]


def _towards(g: State, mover: str, goals: list[int], farther: bool) -> int:
    """The sea neighbour nearest to the nearest goal (or to the farthest one); 0: there already, or no way."""
    at = place_of(g, mover)
    ranked = sorted((distance(at, h), h) for h in goals)
    goal = ranked[-1 if farther else 0][1]
    ways = sorted((distance(n, goal), n) for n in g.board.near(at) if g.sails(mover, n))
    return ways[0][1] if ways and at != goal else 0


def _goals(g: State, foe: str) -> list[int]:
    """Where the enemy is: task forces and ports."""
    return sorted({m.at for m in g.markers.values() if m.side == foe} | {h for h, b in g.ports.items() if b.side == foe})


def release(g: State) -> None:
    """[PW-NAV-05] A held task force may move again once the enemy is gone."""
    for marker, m in g.markers.items():
        if m.held and not g.ships(FOE[m.side], m.at):
            emit(g, Released(marker, "PW-NAV-05"))

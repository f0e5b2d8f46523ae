"""[PW-EXT-01] [PW-NRP-01] Units that leave the map, the boxes they pass through, and the Allied yards behind its edges."""

from __future__ import annotations

from pbem.games.pacific_war.events import MarkerRemoved, Removed
from pbem.games.pacific_war.state import ALLIES, CAMPAIGN, JAPAN, STRATEGIC, State
from pbem.games.pacific_war.strategic import StepsExited
from pbem.games.pacific_war.tallies import AbroadNearer, CameBack, WentAbroad
from pbem.games.pacific_war.units.changes import arrive, board
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.events import emit
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg

ABROAD = "abroad"
BOXES = {"east": 3, "south": 2, "west": 3}  # reconstructed: naval repair phases until a unit may come back
YARDS = {"east": 6, "south": 2, "west": 3}  # reconstructed: ships mended in a phase


def edge(g: State, place: int) -> str:
    """Which Allied edge of the map a hex lies on; "" if none. Position 1 is the west edge, the first row the south edge."""
    row, position = divmod(place, 100)
    low, high = g.board.positions
    if position == high:
        return "east"
    if row == g.board.rows[0]:
        return "south"
    return "west" if position == low else ""


def check_sail_off(g: State, marker: str) -> None:
    """[PW-EXT-01] An Allied task force leaves from open water on the east, south or west edge. Raises Rejected."""
    m = g.markers.get(marker)
    if g.level not in (CAMPAIGN, STRATEGIC) or m is None or m.side != ALLIES or m.handle:
        raise illegal(
            msg("{marker} cannot leave the map", marker=marker),
            "PW-EXT-01",
            msg("Allied task forces that are not sealed can, in campaigns"),
        )
    if not edge(g, m.at) or g.board.hex(m.at).water != "open":
        raise illegal(msg("{place} is no open water on the east, south or west edge", place=g.board.name(m.at)), "PW-EXT-01")


def sail_off(g: State, marker: str) -> None:
    """The ships of a task force, with everything aboard, come to the first box behind the edge."""
    side = edge(g, g.markers[marker].at)
    for ship in g.members(marker):
        riders = [*g.air_aboard(ship), *g.cargo(ship)]
        _leave(g, ship, side, "")
        for unit in riders:
            _leave(g, unit, side, ship)
    emit(g, MarkerRemoved(marker, "PW-EXT-01"))


def check_march_off(g: State, unit: str) -> str:
    """[PW-EXT-01] The way out of a ground unit: an Allied edge, or "india" for Japanese troops. Raises Rejected."""
    u = g.units[unit]
    if g.level not in (CAMPAIGN, STRATEGIC) or u.aboard:
        raise illegal(msg("{unit} cannot leave the map", unit=unit), "PW-EXT-01")
    if g.side(unit) == JAPAN:
        if u.at not in g.board.region("exit") or u.at not in linked_hexes(g, JAPAN):
            raise illegal(msg("{unit} cannot leave the map", unit=unit), "PW-EXT-01", msg("linked hexes from 5801 to 5812"))
        return "india"
    if edge(g, u.at) not in ("west", "south") or not g.board.land(u.at):
        raise illegal(msg("{unit} cannot leave the map", unit=unit), "PW-EXT-01", msg("land on the west and south edge"))
    return edge(g, u.at)


def march_off(g: State, unit: str, way: str) -> None:
    """Japanese troops are gone for good and count towards the fall of India; Allied ones come to the first box."""
    if way == "india":
        emit(g, StepsExited(g.ledger.get("exited steps", 0) + g.steps(unit)))
        emit(g, Removed(unit, "exited", "PW-EXT-01"))
    else:
        _leave(g, unit, way, "")


def _leave(g: State, unit: str, side: str, ship: str) -> None:
    emit(g, Removed(unit, ABROAD, "PW-EXT-01"))
    emit(g, WentAbroad(unit, side, BOXES[side], ship))


def advance_boxes(g: State) -> None:
    """[PW-EXT-01] Each naval repair phase brings what is off the map a box nearer."""
    if any(left for _, left, _ in g.abroad.values()):
        emit(g, AbroadNearer())


def ready(g: State) -> list[str]:
    """Units off the map that may come back this month; riders come with their ships."""
    return [unit for unit, (_, left, ship) in g.abroad.items() if not left and not ship]


def come_back(g: State, unit: str) -> list[str]:
    """The unit and its riders are not abroad any more; everything aboard it, for the same hex."""
    riders = [u for u, (_, _, ship) in g.abroad.items() if ship == unit]
    emit(g, CameBack((unit, *riders)))
    for rider in riders:
        board(g, rider, unit, "PW-EXT-01")
        arrive(g, rider, "PW-EXT-01")
    return riders


def yard_abroad(g: State, ship: str) -> tuple[str, int]:
    """[PW-NRP-01] The edge behind which a ship lies and how many ships the yard there mends: it always works."""
    if ship not in g.abroad:
        return "", 0
    return g.abroad[ship][0], YARDS[g.abroad[ship][0]]

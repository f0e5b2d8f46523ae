"""What the bot thinks of a position: its temperament, distances, expected battles, threats, the worth of land."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.board import Board
from pbem.games.axis_and_allies_pacific.bot.ending import has_a_turn
from pbem.games.axis_and_allies_pacific.firing import attack_values, defense_values
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    CAPITAL_SHIPS,
    LAND,
    SEA,
    SIDES,
    State,
    Unit,
    controller_side,
    is_cargo,
    operative,
    side_of,
)

FAR = 99
PER_GUARD = 6  # what a place is worth for each man that guards it at most
SURE = 3  # attackers for each of whom a defender more is wanted in a capital
MARCHING = ("infantry", "mechanized-infantry", "artillery", "tank")


def draw(seed: int, name: str, low: int, high: int) -> int:
    """A number from low to high that a seed and a name fix."""
    number = int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:6], "big")
    return low + number % (high - low + 1)


class Temper(Struct, frozen=True):
    """How one power is played. `fleet`: per cent by which it wants more at sea than an enemy has; `goals`: per cent by which
    distant objectives are valued.
    """

    fleet: int
    goals: dict[str, int]
    seed: int = 0
    noise: int = 3  # per cent by which one plan is liked better than another of the same value
    fear: int = 100  # per cent of what an enemy's answer would cost

    def fancy(self, goal: str) -> int:
        """Thousandths by which the value of a goal is taken."""
        return 1000 + draw(self.seed, goal, -10 * self.noise, 10 * self.noise)


def temper(seed: int, power: str, board: Board) -> Temper:
    """The temperament that a game's seed gives to a power."""
    goals = {t: draw(seed, f"{power} {t}", 60, 160) for t in board.victory_cities.values()}
    return Temper(
        draw(seed, f"{power} fleet", 20, 60),
        goals,
        seed,
    )


# -- distances ---------------------------------------------------------------------------------------------------------

_STEPS: dict[int, tuple[Board, dict[str, dict[str, int]]]] = {}


def steps(board: Board, kind: str) -> dict[str, dict[str, int]]:
    """Distances between the spaces of one kind, `sea`, `land` or `air` (all), whoever holds them."""
    key = hash((id(board), kind))
    if key not in _STEPS:
        spaces = _spaces(board, kind)
        _STEPS[key] = (board, {s: _spread(board, s, kind) for s in spaces})
    return _STEPS[key][1]


def _spaces(board: Board, kind: str) -> Collection[str]:
    return board.neighbours if kind == "air" else board.zones if kind == "sea" else board.territories


def _spread(board: Board, origin: str, kind: str) -> dict[str, int]:
    spaces = _spaces(board, kind)
    found, ring = {origin: 0}, [origin]
    while ring:
        following = []
        for space in ring:
            for near in board.neighbours[space]:
                if near in spaces and near not in found and not _is_shut(board, near):
                    found[near] = found[space] + 1
                    following.append(near)
        ring = following
    return found


def _is_shut(board: Board, space: str) -> bool:
    return space in board.territories and board.territories[space].owner in ("soviet-union", "none")


# -- expected battles --------------------------------------------------------------------------------------------------


class Outlook(Struct, frozen=True):
    """An expected battle: hit points left in thousandths of one, IPC lost."""

    attack_left: int
    defence_left: int
    attack_cost: int
    defence_cost: int

    @property
    def is_won(self) -> bool:
        return self.defence_left == 0 and self.attack_left > 0


Points = list[tuple[int, int]]  # value and cost of every hit point, in order of loss


def outlook(g: State, attack: Sequence[Unit], defence: Sequence[Unit]) -> Outlook:
    """Rounds of average dice until one side is gone; cargo fights as an attacker ashore, never as a defender."""
    defence = [u for u in defence if not is_cargo(u)]
    mine, theirs = _points(g, attack, attack_values(g, attack)), _points(g, defence, defense_values(g, defence))
    lost_mine, lost_theirs = 0, 0
    for _ in range(8):
        if lost_mine >= len(mine) * 1000 or lost_theirs >= len(theirs) * 1000:
            break
        fire, answer = _power(mine, lost_mine), _power(theirs, lost_theirs)
        if fire + answer == 0:
            break
        lost_theirs = min(lost_theirs + fire // 6, len(theirs) * 1000)
        lost_mine = min(lost_mine + answer // 6, len(mine) * 1000)
    return Outlook(
        len(mine) * 1000 - lost_mine, len(theirs) * 1000 - lost_theirs, _cost(mine, lost_mine), _cost(theirs, lost_theirs)
    )


def _points(g: State, units: Sequence[Unit], values: dict[int, int]) -> Points:
    """First hits on capital ships, then the cheapest units."""
    types = g.board.types
    whole = [(0, 0) for u in units if u.type in CAPITAL_SHIPS and not u.damaged]
    rest = sorted((types[u.type].cost, values[u.id]) for u in units if u.type not in ("transport", "aa-gun"))
    return [*whole, *((value, cost) for cost, value in rest)]


def _power(points: Points, lost: int) -> int:
    """The values of what is left, in thousandths."""
    gone, part = divmod(lost, 1000)
    return sum(v for v, _ in points[gone:]) * 1000 - (points[gone][0] * part if part else 0)


def _cost(points: Points, lost: int) -> int:
    gone, part = divmod(lost, 1000)
    return sum(c for _, c in points[:gone]) + (points[gone][1] * part // 1000 if part else 0)


# -- threats -----------------------------------------------------------------------------------------------------------


def defenders_of(g: State, side: str, space: str) -> list[Unit]:
    """The units of one side in a space that would fight there."""
    return [u for u in g.at(space) if side_of(g, u.owner) == side and not is_cargo(u) and u.role == ""]


def garrison(g: State, power: str, territory: str) -> list[Unit]:
    """The troops and aircraft of a power's side that stand in a territory."""
    here = [u for u in g.at(territory) if side_of(g, u.owner) == SIDES[power] and u.aboard is None]
    return [u for u in here if u.type in (*MARCHING, *AIR)]


def rivals(g: State, power: str) -> list[str]:
    """The powers that are or may be at war with this one in their next turn; the United States stays out of a war that
    Japan has not opened until its third turn.
    """
    quiet = power == "japan" and g.wars == ["china japan"] and g.turns_taken.get("united-states", 0) < 2
    others = [p for p in SIDES if SIDES[p] != SIDES[power]]
    return [p for p in others if not (quiet and p == "united-states") and has_a_turn(g, p)]


def threat(g: State, power: str, territory: str) -> list[Unit]:
    """The strongest force that one enemy of this power could bring against a territory in its next turn; one that could
    take it before any wing.
    """
    forces = (force_against(g, enemy, territory) for enemy in rivals(g, power))
    return max(forces, key=lambda units: (any(u.type in LAND for u in units), strength(g, units)), default=[])


def force_against(g: State, enemy: str, territory: str) -> list[Unit]:
    """What one enemy could bring against a territory in its next turn."""
    memo, question = g.memo(), ("bot force", enemy, territory)
    if question not in memo:
        memo[question] = _force_against(g, enemy, territory)
    found: list[Unit] = memo[question]
    return found


def _force_against(g: State, enemy: str, territory: str) -> list[Unit]:
    """Land units beside a territory, aircraft that could come, and what transports near its coast could carry.

    A capital looks two turns ahead on land: what is lost there is not made good in one.
    """
    ahead = 2 if territory in g.board.capitals.values() else 1
    land, air = steps(g.board, "land")[territory], steps(g.board, "air")[territory]
    found = [u for u in g.of(enemy) if u.type in LAND and u.aboard is None and 0 < land.get(u.at, FAR) <= _march(u) + ahead - 1]
    found += [u for u in g.of(enemy) if u.type in AIR and can_strike(g, u, territory, air.get(u.at, FAR))]
    landed, lift = _by_transport(g, enemy, territory)
    return found + [u for u in landed if u not in found][:lift]


def _march(unit: Unit) -> int:
    return 2 if unit.type in ("tank", "mechanized-infantry") else 1


def can_strike(g: State, plane: Unit, space: str, distance: int) -> bool:
    """It attacks a space so far away and still comes home: to land of its side, or to a deck that may sail to it."""
    move = g.board.types[plane.type].move
    if distance > move:
        return False  # there and a space back, with a base beside it
    base = g.facility(plane.at, "air-base")
    return distance + _way_home(g, plane, space) <= move + (base is not None and base.damage < 3)


def _way_home(g: State, plane: Unit, space: str) -> int:
    """From a space to the nearest land where an aircraft may land, or to a deck after it has sailed."""
    memo, question = g.memo(), ("bot home", plane.owner, plane.type == "strategic-bomber", space)
    if question not in memo:
        air, far = steps(g.board, "air")[space], _way_to_land(g, SIDES[plane.owner], space)
        if plane.type != "strategic-bomber" and far > 1:
            decks = [u for u in g.of(plane.owner) if u.type == "aircraft-carrier"]
            far = min([far, *(max(1, air.get(u.at, FAR) - 2) for u in decks)])
        memo[question] = far
    return int(memo[question])


def _way_to_land(g: State, side: str, space: str) -> int:
    """To the nearest other land of a side."""
    memo, question = g.lasting(), ("bot land", side, space)
    if question not in memo:
        air = steps(g.board, "air")[space]
        lands = (t for t in air if t in g.board.territories and t != space)
        memo[question] = next((air[t] for t in lands if controller_side(g, t) == side), FAR)  # the nearest come first
    return int(memo[question])


def _by_transport(g: State, enemy: str, territory: str) -> tuple[list[Unit], int]:
    """Who could come over the sea, the strongest first, and how many of them transports carry."""
    sea, coast = steps(g.board, "sea"), g.board.coast(territory)
    afloat, lift = list[Unit](), 0
    for ship in (u for u in g.of(enemy) if u.type == "transport"):
        if any(sea[ship.at].get(z, FAR) <= _voyage(g, ship) for z in coast):
            lift += 2
            afloat += [c for c in g.cargo(ship) if c.owner == enemy]
            afloat += [u for t in g.board.neighbours[ship.at] if t in g.board.territories for u in _marching(g, enemy, t)]
    return list({u.id: u for u in sorted(afloat, key=lambda u: (-g.board.types[u.type].attack, u.id))}.values()), lift


def _voyage(g: State, ship: Unit) -> int:
    """Zones that an enemy's ship sails in its next turn, from where it lies now; a base that was taken will serve it then."""
    return g.board.types[ship.type].move + has_naval_base(g, SIDES[ship.owner], ship.at)


def has_naval_base(g: State, side: str, zone: str) -> bool:
    """Ships of a side that begin a turn there sail one zone farther."""
    near = (t for t in g.board.neighbours[zone] if t in g.facilities and controller_side(g, t) == side)
    return any(operative(g.facility(t, "naval-base")) for t in near)


def _marching(g: State, power: str, territory: str) -> list[Unit]:
    return [u for u in g.at(territory) if u.owner == power and u.type in MARCHING and u.aboard is None]


def strength(g: State, units: Sequence[Unit]) -> int:
    """Attack values and hit points together."""
    return sum(attack_values(g, units).values()) + 2 * len([u for u in units if u.type != "aa-gun"])


def is_safe(
    g: State, power: str, territory: str, without: Sequence[int] = (), more: Sequence[Unit] = (), struck: str = ""
) -> bool:
    """The defenders of a territory, without some and with more, would probably hold it, the own capital for certain;
    enemies in `struck` do not come.
    """
    here = [u for u in defenders_of(g, SIDES[power], territory) if u.id not in without]
    force = [u for u in threat(g, power, territory) if u.at != struck]
    if not any(u.type in LAND for u in force):
        return True
    found = outlook(g, force, [*here, *more])
    return found.defence_left >= spare(force) if g.board.capitals.get(power) == territory else not found.is_won


def is_guarded(g: State, power: str, territory: str, without: Sequence[int] = (), struck: str = "") -> bool:
    """Safe, or as many men stand in another place than the capital as it is worth: more are of more use at the front."""
    if is_safe(g, power, territory, without, struck=struck):
        return True
    if territory in g.board.capitals.values():
        return False
    here = [u for u in g.at(territory) if u.type in MARCHING and u.aboard is None and side_of(g, u.owner) == SIDES[power]]
    place = g.board.territories[territory]
    made = g.facility(territory, "minor-ic", "major-ic") is not None
    most = (3 * place.ipc + 35 * bool(place.victory_city) + 12 * made) // PER_GUARD
    return sum(u.id not in without for u in here) >= most


def spare(force: Sequence[Unit]) -> int:
    """Hit points, in thousandths, that are to be left of a capital's defence on the mean: dice may fall otherwise."""
    return 1000 * (1 + len(force) // SURE)


def fleet_threat(g: State, power: str, zone: str) -> list[Unit]:
    """The strongest force of one enemy's ships and aircraft that could come to a zone in its next turn."""
    return max((_sea_force(g, enemy, zone) for enemy in rivals(g, power)), key=lambda f: strength(g, f), default=[])


def _sea_force(g: State, enemy: str, zone: str) -> list[Unit]:
    sea, air = steps(g.board, "sea")[zone], steps(g.board, "air")[zone]
    ships = [u for u in g.of(enemy) if u.type in SEA and u.type != "transport" and 0 < sea.get(u.at, FAR) <= _voyage(g, u)]
    planes = [u for u in g.of(enemy) if u.type in AIR and enemy != "china" and can_strike(g, u, zone, air.get(u.at, FAR))]
    return [*ships, *planes]


# -- the worth of land -------------------------------------------------------------------------------------------------


def worth(g: State, power: str, territory: str, mind: Temper) -> int:
    """What it is to a power to hold a territory."""
    place = g.board.territories[territory]
    value = 3 * place.ipc + 2
    if place.victory_city:
        value += 35 * mind.goals[territory] // 100
    if territory in g.board.capitals.values():
        value += 30
    value += sum(12 if f.type.endswith("-ic") else 3 for f in g.facilities.get(territory, ()))
    for objective in g.board.objectives:
        if objective["power"] == power and territory in objective["spaces"]:
            value += 5 if objective["test"] in ("side-each", "power-all", "unit-once") else 3
    return value


def is_key(g: State, territory: str) -> bool:
    """A victory city, a capital, or land with a complex."""
    place = g.board.territories[territory]
    return (
        bool(place.victory_city)
        or territory in g.board.capitals.values()
        or bool(g.facility(territory, "minor-ic", "major-ic"))
    )


def is_harbour(g: State, power: str, zone: str) -> bool:
    """A zone beside an own complex: new ships appear there."""
    return any(
        g.control.get(t) == power and g.facility(t, "minor-ic", "major-ic") is not None for t in g.board.neighbours[zone]
    )


def is_wanted(g: State, power: str, territory: str) -> bool:
    """Enemy land, now or as soon as war is declared; Dutch land that has no guardian yet."""
    side = controller_side(g, territory)
    if g.control[territory] == "netherlands" and power in ("united-kingdom", "anzac"):
        return True  # theirs as soon as they come [POL-UK-05]
    return side != "" and side != SIDES[power] and g.control[territory] not in ("soviet-union", "none")

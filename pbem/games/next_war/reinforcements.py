"""[10.0, 11.0] Reinforcements as the scenario gives them; Replacement Points, recovery of steps, reconstitution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.next_war.board import PEAKS, Board
from pbem.games.next_war.charts import band, pick
from pbem.games.next_war.choices import Spot, choose_spot
from pbem.games.next_war.combat_forms import replacements as replacements_form
from pbem.games.next_war.events.air import AirmobilePointsSet
from pbem.games.next_war.events.losses import Reconstituted, ReplacementsBegan, ReplacementsSet, Restored
from pbem.games.next_war.events.moves import Placed
from pbem.games.next_war.events.sea import AntisubmarineSet, ThreatSet
from pbem.games.next_war.events.turns import PhaseBegan
from pbem.games.next_war.helicopters import room
from pbem.games.next_war.obstacles import neighbours_of
from pbem.games.next_war.orders import fields, only, read_own, read_place, read_unit, split_order
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.supply import supplied_hexes
from pbem.games.next_war.zoc import in_enemy_zone, zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.memo import boards
from pbem.kernel.orders import illegal
from pbem.kernel.proposals import Proposals
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg

ARRIVE = "arrive"
REPLACING = ("recover", "rebuild", DONE)


def reinforcements(g: State) -> Flow[None]:
    """[10.0] Arrivals of this turn, Initiative or First Player first; what finds no place waits a turn."""
    emit(g, PhaseBegan(g.turn, "Reinforcement and Replacement Phase", "10.0"))
    for side in g.order():
        for entry in g.p["reinforcements"]:
            if int(entry["turn"]) == g.turn and entry["side"] == side and entry.get("airmobile_points"):
                emit(g, AirmobilePointsSet(side, g.lift_points[side] + int(entry["airmobile_points"]), "8.5.4.1"))
        if g.storm and not g.p["storm_reinforcements"]:
            continue
        due = [u for u, p in g.pieces.items() if p.box == "due" and p.due <= g.turn and not p.aboard]
        for unit in [u for u in due if g.seat(u) == side]:
            spots = arrival_spots(g, unit)
            if not spots:
                continue
            prompt = msg("{unit} arrives: where?", unit=g.counter(unit).name)
            at, box = yield from choose_spot(g, side, ARRIVE, "10.0", prompt, spots, whose=unit)
            emit(g, Placed(unit, at, box, "10.0"))
            for passenger in g.cargo(unit):
                emit(g, Placed(passenger, at, box, "9.9.3", aboard=unit))
            if g.counter(unit).naval:
                _ships_arrive(g, side)


def _ships_arrive(g: State, side: str) -> None:
    """[7.4.3] Both tracks of the owner rise, the submarine threat not from 0."""
    most = int(g.p["track_maximum"])
    if g.threat[side]:
        emit(g, ThreatSet(side, min(most, g.threat[side] + 1), "7.4.3"))
    emit(g, AntisubmarineSet(side, min(most, g.asw[side] + 1)))


def places_of(g: State, unit: str) -> list[str]:
    """What the schedule names for a unit, in order of preference: hexes, areas, `port`, `airbase`, `town`, countries.

    Alternatives of one rank are joined by a stroke: `S4522/S4623`.
    """
    for entry in g.p["reinforcements"]:
        if unit in entry.get("units", ()):
            found: list[str] = [str(w) for w in entry["where"]]
            return found
    return ["town"]


def arrival_spots(g: State, unit: str) -> list[Spot]:
    """Where a unit may appear now: the first rank of places in which there is room."""
    for rank in places_of(g, unit):
        found = [spot for where in rank.split("/") for spot in _spots(g, unit, where)]
        if found:
            return list(dict.fromkeys(found))
    return []


def _spots(g: State, unit: str, where: str) -> list[Spot]:
    side = g.seat(unit)
    if where in g.board.areas:
        return [(0, where)]
    place = g.board.labels.get(where.lower())
    places = _kind(g, side, where) if place is None else [place]
    return [(h, "") for h in places if _fits(g, side, unit, h)]


def _kind(g: State, side: str, where: str) -> list[int]:
    return [h for h in boards(g.board, _land).get(where, ()) if g.holds(side, h)]


def _land(board: Board) -> dict[str, list[int]]:
    """Land hexes by what a schedule can name: a kind of place or a country; those that are a place at all as `town`."""
    land = {h: x for h, x in board.hexes.items() if x.land}
    countries: dict[str, list[int]] = {}
    for h, x in land.items():
        countries.setdefault(x.country, []).append(h)
    return {
        **countries,
        "port": [h for h, x in land.items() if x.port],
        "airbase": [h for h, x in land.items() if x.airbase],
        "airfield": [h for h, x in land.items() if x.airbase or x.airfield],
        "town": [h for h, x in land.items() if x.town or x.city or x.terrain == "urban" or x.installations > 0],
    }


def _fits(g: State, side: str, unit: str, place: int) -> bool:
    counter = g.counter(unit)
    if g.ground(FOE[side], place):
        return False
    if counter.kind == "helo":
        return room(g, side, place) > 0
    if counter.naval:
        return g.own_port(side, place)
    return g.holds(side, place) and g.stack_points(g.ground(side, place)) + g.values(unit).sp <= g.limit(place)


# -- replacements --------------------------------------------------------------------------------------------------------


def replacements(g: State) -> Flow[None]:
    """[11.0] Points of this turn, then recovery and reconstitution until both are done."""
    emit(g, ReplacementsBegan())
    for nation, turns in g.p["replacement_points"].items():
        points = int(pick({**turns, "<=0": 0}, g.turn)) if _in_schedule(turns, g.turn) else 0
        if points:
            emit(g, ReplacementsSet(nation, g.replacements.get(nation, 0) + points))
    for side in g.order():
        while _is_anybody_wanting(g, side):
            verb, deed = yield _ask(g, side)
            if verb == DONE:
                break
            unit, cost, spot = deed
            nation = g.counter(unit).nation
            emit(g, ReplacementsSet(nation, g.replacements[nation] - cost))
            if verb == "recover":
                emit(g, Restored(unit, "11.1"))
            else:
                emit(g, Placed(unit, spot, "", "11.2", reduced=g.counter(unit).back is not None))
                emit(g, Reconstituted(unit))


def _in_schedule(turns: dict[str, Any], turn: int) -> bool:
    return any(low <= turn <= high for low, high in map(band, turns))


def cost_of(g: State, unit: str, rebuild: bool) -> int | None:
    """[11.1, 11.2] Replacement Points for a step or for reconstitution; None: not possible."""
    counter = g.counter(unit)
    if rebuild and not g.newer and (counter.airborne or counter.marine or counter.airmobile):
        return None
    chart = g.p["replacement_costs"]
    row = chart.get(counter.type)
    if row is None:
        return None
    cost = row[int(rebuild)]
    return None if cost in (None, "NA") else int(cost)


def can_recover(g: State, unit: str) -> bool:
    """[11.1] Reduced, on the map, not in an enemy zone, not out of supply, points enough, no step yet this turn."""
    piece, counter = g.pieces[unit], g.counter(unit)
    cost = cost_of(g, unit, False)
    return (
        counter.ground
        and piece.reduced
        and bool(piece.at)
        and not piece.aboard
        and cost is not None
        and cost <= g.replacements.get(counter.nation, 0)
        and unit not in g.restored
        and unit not in g.unsupplied
        and not in_enemy_zone(g, unit)
        and not surrounded(g, unit)
    )


def surrounded(g: State, unit: str) -> bool:
    """[SOP] Every hex around is an enemy's, in his zone, or closed."""
    side, place = g.seat(unit), g.pieces[unit].at
    foes = zone(g, FOE[side])
    return all(n in foes for n in g.board.land_near[place])


def can_rebuild(g: State, unit: str) -> bool:
    """[11.2] Eliminated, points enough."""
    counter, cost = g.counter(unit), cost_of(g, unit, True)
    gone = counter.ground and g.pieces[unit].box == "eliminated" and unit not in g.restored
    return gone and cost is not None and cost <= g.replacements.get(counter.nation, 0)


def rebuild_hexes(g: State, unit: str) -> list[int]:
    """[11.2] Hexes of its country (abroad: places of an ally or beside one), two hexes from the enemy (newer: more)."""
    wanted = _room_wanted(g, unit)
    return g.memo.cached(("room", *wanted), lambda: [*_with_room(g, *wanted)])


def _is_rebuilt_somewhere(g: State, unit: str) -> bool:
    """There is such a hex."""
    wanted = _room_wanted(g, unit)
    return g.memo.cached(("any room", *wanted), lambda: any(_with_room(g, *wanted)))


def _room_wanted(g: State, unit: str) -> tuple[str, str, bool, int]:
    """What decides where a unit is rebuilt: side, nation, whether it needs a road in the mountains, half stacking points."""
    counter = g.counter(unit)
    vehicle = counter.back is not None and counter.back.mobility in ("mot", "mech")
    return g.seat(unit), counter.nation, vehicle, (counter.back or counter.front or g.values(unit)).sp


def _with_room(g: State, side: str, nation: str, vehicle: bool, size: int) -> Iterator[int]:
    places = g.memo.cached(("rebuild", side, nation), lambda: _rebuild_hexes(g, side, nation))
    own, hexes = g.points(side), g.board.hexes
    for h in places:
        if own.get(h, 0) + size <= g.limit(h) and not (vehicle and hexes[h].terrain in PEAKS and not g.board.has_road(h)):
            yield h


def _rebuild_hexes(g: State, side: str, nation: str) -> list[int]:
    home = list(g.p["sides"][side]["countries"].get(nation, ()))
    close = g.cached_of(FOE[side], "close to it", lambda: _close_to(g, FOE[side]))
    beside = g.memo.cached(("beside", side), lambda: neighbours_of(g, g.occupied(side)).union(boards(g.board, _land)["town"]))
    own = {h for h in g.board.lands.get(side, ()) if h in beside and g.holds(side, h)}
    if not g.newer:
        own.update(h for country in home for h in boards(g.board, _land).get(country, ()))
    supplied = supplied_hexes(g, side, "leg") if g.on("supply") else own
    return sorted(h for h in own - close if h in supplied)


def _close_to(g: State, side: str) -> frozenset[int]:
    """Hexes next to a side's ground units (newer rules: two hexes from them)."""
    return frozenset(h for at in g.occupied(side) for h in g.board.within(at, 2 if g.newer else 1))


def wanting(g: State, side: str) -> list[str]:
    """Units that could get a step."""
    key = ("wanting", side, tuple(g.replacements.items()), len(g.restored))
    return g.memo.cached(key, lambda: [*_wanting(g, side)])


def _prices(g: State, side: str) -> dict[str, int]:
    """Those units, and what a step or the reconstitution of each costs."""
    return {unit: cost_of(g, unit, not g.pieces[unit].at) or 0 for unit in wanting(g, side)}


def _is_anybody_wanting(g: State, side: str) -> bool:
    """There is such a unit; the others are looked for when somebody asks for them."""
    return any(_wanting(g, side))


def _wanting(g: State, side: str) -> Iterator[str]:
    for unit in g.board.armies[side]:
        if not g.replacements.get(g.counter(unit).nation, 0):
            continue
        if can_recover(g, unit) or (can_rebuild(g, unit) and _is_rebuilt_somewhere(g, unit)):
            yield unit


def _ask(g: State, side: str) -> Ask:
    verbs = REPLACING

    def read(plain: Plain) -> tuple[str, tuple[str, int, int] | None]:
        verb, body = split_order(plain, verbs)
        if verb == DONE:
            only(verb, body)
            return verb, None
        if verb == "recover":
            (unit, *more) = read_own(g, body, side, "11.1")
            if more or not can_recover(g, unit):
                raise illegal(msg("{unit} recovers no step", unit=g.counter(unit).name), "11.1", _why(g, unit))
            return verb, (unit, cost_of(g, unit, False) or 0, 0)
        f = fields(body, ("at",), ("units", "at"))
        unit, at = read_unit(g, f["units"], side), read_place(g, f["at"])
        if g.seat(unit) != side or not can_rebuild(g, unit):
            raise illegal(msg("{unit} is not reconstituted", unit=g.counter(unit).name), "11.2", _why(g, unit))
        if at not in rebuild_hexes(g, unit):
            raise illegal(
                msg("{unit} cannot be reconstituted in {place}", unit=g.counter(unit).name, place=g.board.name(at)), "11.2"
            )
        return verb, (unit, cost_of(g, unit, True) or 0, at)

    def options() -> Proposals:
        found: list[Plain] = []
        for unit in wanting(g, side)[:6]:
            found.append({"recover": unit})
            found += [{"rebuild": {"units": unit, "at": g.board.hexes[h].label}} for h in _some(rebuild_hexes(g, unit))]
        return Proposals(read, [*found, DONE])

    return Ask(
        side,
        "replacements",
        "11.0",
        msg("recover steps and reconstitute units"),
        read,
        verbs,
        facts={n: g.replacements.get(n, 0) for n in g.p["sides"][side]["nations"]},
        options=options,
        form=lambda: replacements_form(g, side, verbs, _prices(g, side), lambda u: rebuild_hexes(g, u), read),
    )


def _some(places: Sequence[int]) -> list[int]:
    return [places[0], places[len(places) // 2]] if places else []


def _why(g: State, unit: str) -> Message:
    """What stands in the way."""
    nation = g.counter(unit).nation
    return msg(
        "Replacement Points of {nation}: {points}, steps of the unit: {steps}; one step a turn, not in an enemy zone",
        nation=nation,
        points=g.replacements.get(nation, 0),
        steps=g.steps(unit),
    )

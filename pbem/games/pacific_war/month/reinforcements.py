"""[PW-RNF] Reinforcements: what comes to headquarters, openly or in secret, what waits."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.air.landings import bases_for
from pbem.games.pacific_war.events import Mended, Moved
from pbem.games.pacific_war.land.movement import check_stack, may_stack
from pbem.games.pacific_war.month.emergency_links import emergency_links
from pbem.games.pacific_war.month.shipping import merchant_points, submarines
from pbem.games.pacific_war.month.strategy import BOMBER_POINTS, assign_bombers
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.orders import hexes_named, read_place
from pbem.games.pacific_war.postures import ArrivesInSecret
from pbem.games.pacific_war.sea.barges import station_boats
from pbem.games.pacific_war.secret.forces import concealing, roster
from pbem.games.pacific_war.secret.meeting import room_for
from pbem.games.pacific_war.secret.orders import read_arrival
from pbem.games.pacific_war.secret.phases import SECRET, give_in_secret, states, trial
from pbem.games.pacific_war.secret.pools import uses_in_secret
from pbem.games.pacific_war.state import JAPAN, SIDES, State
from pbem.games.pacific_war.strategic import PointsCame
from pbem.games.pacific_war.tallies import ArrivalDelayed, HqArrived, PoolsChanged
from pbem.games.pacific_war.units.changes import arrive, board
from pbem.games.pacific_war.units.dispersal import is_part
from pbem.games.pacific_war.world.links import reach
from pbem.games.pacific_war.world.nations import lost_steps, surrenders
from pbem.games.pacific_war.world.off_map import come_back, ready
from pbem.games.pacific_war.world.options import extra_arrivals
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import choose_place, one_of
from pbem.kernel.wording import msg, recorded_as


def reinforcements(g: State) -> Flow[None]:
    """[PW-RNF-01] What is due this month comes to a headquarters; replacement steps go to the pools."""
    due = g.schedule.get(str(g.month), {})
    stranded = g.schedule.get("stranded", {}).get(str(g.month), [])
    for side in SIDES:
        yield from _headquarters(g, side)
        late = [u for u in [*stranded, *ready(g)] if g.side(u) == side]
        for unit in [*due.get(side, []), *late, *extra_arrivals(g, side)]:
            yield from _arrive(g, side, unit)
        _pool(g, side, due.get("steps", {}).get(side, {}))
        for key, n in due.get("points", {}).get(side, {}).items():
            if key == BOMBER_POINTS:
                yield from assign_bombers(g, side, n)
            else:
                emit(g, PointsCame(key, g.ledger.get(key, 0) + n))
        yield from submarines(g, side, due.get("submarines", {}).get(side, 0))
        if side == JAPAN:
            yield from merchant_points(g, due.get("shipping", 0))
        yield from emergency_links(g, side)
    yield from station_boats(g)
    surrenders(g)


def _pool(g: State, side: str, steps: dict[str, int]) -> None:
    """[PW-RPL-01] Replacement steps wait on the sheet; in the strategic game aircraft are trained from their month on."""
    if not steps:
        return
    coming = {f"air from {g.month}" if key == "air" else key: n for key, n in steps.items() if not lost_steps(g, key)}
    emit(g, PoolsChanged(side, coming, "PW-RPL-01"))


def hq_hexes(g: State, side: str) -> list[int]:
    """[PW-RNF-01] Hexes of linked headquarters."""
    return sorted({g.hqs[n].at for n in reach(g, side)})


def _headquarters(g: State, side: str) -> Flow[None]:
    """[PW-HQ-01] A dispersed headquarters that was paid for comes to a friendly linked port; without one it waits."""
    due = [n for n, h in g.hqs.items() if h.side == side and h.box not in ("map", "gone") and h.due >= g.month]
    places = ports_of(g, side)
    for name in due if places else ():
        place = yield from choose_place(
            g.board.place_index, side, "arrive", "PW-HQ-01", msg("where {hq} arrives", hq=name), places
        )
        emit(g, HqArrived(name, place))


def _arrive(g: State, side: str, unit: str) -> Flow[None]:
    if g.units[unit].box == "map" or (yield from _raised_in_secret(g, side, unit)):  # [PW-DSP-01] from a division before
        return
    places = hq_hexes(g, side)
    if g.counter(unit).kind == "submarine":
        places = ports_of(g, side)
    if g.counter(unit).kind == "ground":
        places = [h for h in places if may_stack(g, unit, h)]
    if g.counter(unit).kind == "air":
        places = [h for h in places if bases_for(g, unit, h, 0)]
    if not places and unit in g.abroad:
        return
    away = unit in g.abroad
    place = yield from _where(g, side, unit, places, none=away)
    if not place:  # it stays off the map, waits, or has come unseen
        if not away and g.units[unit].box != "sealed":
            _wait(g, side, unit)
        return
    riders = come_back(g, unit) if away else []
    if g.units[unit].box == "eliminated":
        emit(g, Mended(unit, g.units[unit].hits, "PW-RNF-01"))
    for name in (unit, *riders):
        arrive(g, name, "PW-RNF-01")
        emit(g, Moved(name, place, "PW-RNF-01"))
    if g.counter(unit).kind == "air":
        decks = [b for b in bases_for(g, unit, place, 0) if not b[0].isdigit()]
        board(g, unit, decks[0] if decks else "", "PW-RNF-01")


def _wait(g: State, side: str, unit: str) -> None:
    """[PW-RNF-01] There is no room this month."""
    emit(g, ArrivalDelayed(unit, g.month - 1))


def _raised_in_secret(g: State, side: str, unit: str) -> Flow[bool]:
    """[PW-DSP-01] The owner must say whether a part of a division that is due is in play already."""
    if not (uses_in_secret(g, side) and is_part(g, unit)):
        return False
    about = recorded_as(unit, msg("{unit} is in play", unit=unit))
    stated = yield Claim(side, "in play", about, "PW-DSP-01", lambda reveal: unit in roster(g, side, reveal))
    return stated is True


def _where(g: State, side: str, unit: str, places: list[int], none: bool) -> Flow[int]:
    """[PW-RNF-01] The hex in which a unit arrives; 0 if it stays away or comes in secret. Where its side has sealed troops,
    it says itself whether there is room."""
    left = [*places]
    hides = concealing(g) and not none and g.counter(unit).kind in ("air", "ground", "naval")
    while left:
        words: list[int | str] = [*left, *([SECRET] if hides and len(left) > 1 else [])]
        place = yield from one_of(
            side,
            "arrive",
            "PW-RNF-01",
            msg("where {unit} arrives", unit=unit),
            words,
            lambda body: SECRET if body == SECRET else read_place(g, body),
            ", ".join(g.board.name(p) for p in left[:8]),
            lambda word: word,
            facts={"unit": unit},
            none=none,
        )
        if place == SECRET:
            about = recorded_as(unit, msg("there is room somewhere for {unit}", unit=unit))
            if (yield from states(g, side, "room", about, "PW-MOV-05", lambda seen: _check_somewhere(seen, unit, left))):
                yield from _arrive_in_secret(g, side, unit, left)
        if not isinstance(place, int):
            return 0
        sure = place not in g.forces.get(side, ()) or g.counter(unit).kind not in ("air", "ground")
        if sure or (yield from _fits(g, side, unit, place)):
            return place
        left.remove(place)
    return 0


def _fits(g: State, side: str, unit: str, place: int) -> Flow[bool]:
    stated = yield from states(
        g, side, "room", room_for(g, unit, place), "PW-MOV-05", lambda seen: _check_arrival(seen, unit, place)
    )
    return stated


def _check_somewhere(seen: State, unit: str, places: Sequence[int]) -> None:
    """Raises Rejected where a unit has room in none of these hexes."""
    for place in places:
        try:
            _check_secret_arrival(seen, unit, place)
            return
        except Rejected:
            pass
    raise illegal(msg("{unit} finds no room", unit=unit), "PW-MOV-05")


def _check_secret_arrival(seen: State, unit: str, place: int) -> None:
    tried = trial(seen)
    tried.units[unit].box = "due"
    _check_arrival(tried, unit, place)
    if seen.counter(unit).kind == "air" and seen.airfield(seen.side(unit), place) is None:
        raise illegal(msg("{place} has no airfield", place=seen.board.name(place)), "PW-BAS-01")


def _check_arrival(seen: State, unit: str, place: int) -> None:
    """Raises Rejected where there is no room, or no airfield."""
    kind = seen.counter(unit).kind
    if kind == "ground":
        check_stack(seen, unit, place)
    if kind == "air" and not bases_for(seen, unit, place, 0):
        raise illegal(msg("{unit} finds no base in {place}", unit=unit, place=seen.board.name(place)), "PW-BAS-01")


def _arrive_in_secret(g: State, side: str, unit: str, places: list[int]) -> Flow[None]:
    """`arrive: 1630`, one of these hexes; aircraft come to an airfield. Until it is known the first of them is presumed."""

    def judge(seen: State, plain: Plain) -> None:
        place = read_arrival(g, plain)
        if place not in (0, *places):
            raise illegal(
                msg("{unit} does not arrive in {place}", unit=unit, place=g.board.name(place)),
                "PW-RNF-01",
                hexes_named(g, places),
            )
        _check_secret_arrival(seen, unit, place or places[0])

    if g.units[unit].box == "eliminated":
        emit(g, Mended(unit, g.units[unit].hits, "PW-RNF-01"))
    emit(g, ArrivesInSecret(unit, places[0]))
    ideas: list[Plain] = [{"arrive": h} for h in places]
    prompt, facts = msg("where {unit} arrives, in secret", unit=unit), {"unit": unit}
    yield from give_in_secret(
        g, side, "arrive", "PW-RNF-01", prompt, judge, lambda plain: read_arrival(g, plain), lambda seen: ideas, facts
    )

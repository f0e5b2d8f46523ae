"""[4.3] National status and US Political Will. [4.4] Attrition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pbem.games.empire_of_the_sun.activation import in_command
from pbem.games.empire_of_the_sun.china_box import wing_in_china_fed
from pbem.games.empire_of_the_sun.deployment import AIR_GROUND_LIMIT, displace_hqs, emergency, fed_hexes, room, stack_size
from pbem.games.empire_of_the_sun.events.politics import (
    BonusTaken,
    CutOff,
    IndiaMoved,
    IndiaWatched,
    OccupationCounted,
    Surrendered,
    WillChanged,
)
from pbem.games.empire_of_the_sun.events.turns import PhaseBegan, Won
from pbem.games.empire_of_the_sun.events.units import Controlled, Eliminated, Placed, Returned, StepLost
from pbem.games.empire_of_the_sun.labels import NATIONS
from pbem.games.empire_of_the_sun.losses import eliminate
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, SIDES, State, europe_level
from pbem.games.empire_of_the_sun.supply import hostile, limits_of, source_lines, supplied
from pbem.games.empire_of_the_sun.victory import CUT_OFF, HONSHU_LOST
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import Message, msg

WILL_OF = {  # [16.41]
    "australia": -2,
    "burma": -1,
    "china": -2,
    "dutch-east-indies": -1,
    "india": -2,
    "malaya": -1,
    "philippines": -1,
}
REGAINED = ("australia", "burma", "dutch-east-indies", "malaya", "philippines")
ALL_LOST = -2
BASES_OF_THEIR_OWN = ("philippines", "dutch-east-indies")  # [1e-12.22] [1e-12.42] aircraft and ships leave them
HAWAII = (5708, 5808, 5908, 5108)
SOURCELESS = 3  # [13.93] segments without a line to a resource hex


def national_status(g: State) -> Flow[None]:
    """[4.31] Surrenders, liberations, areas that change hands as a whole, and the surrender of Japan."""
    emit(g, PhaseBegan(g.turn, "National Status Segment", "4.31"))
    for nation in ("philippines", "malaya", "dutch-east-indies", "burma", "australia"):
        _check_nation(g, nation)
    yield from _india(g)
    _area(g, "mandates", "13.84")
    _area(g, "new-guinea", "13.85")
    _area(g, "marshalls", "13.92", only=ALLIES)
    yield from emergency(g)
    displace_hqs(g)
    _japan(g)


def _present(g: State, nation: str) -> Sequence[int]:
    """The hexes that decide, if they are all on this map."""
    wanted: Sequence[int] = g.board.nations.get(nation, {}).get("surrender", ())
    return wanted if all(h in g.board.hexes for h in wanted) else ()


def _check_nation(g: State, nation: str) -> None:
    """[13.1] Once a game; recapture gives its empty bases back."""
    wanted = _present(g, nation)
    if not wanted:
        return
    if nation not in g.surrendered and all(g.holds(JAPAN, h) for h in wanted):
        emit(g, Surrendered(nation, False, "13.1"))
        _aftermath(g, nation)
    elif nation in g.surrendered and nation not in g.liberated and all(g.holds(ALLIES, h) for h in wanted):
        emit(g, Surrendered(nation, True, "13.1"))
        _take_bases(g, nation, ALLIES, "13.1")


def _aftermath(g: State, nation: str) -> None:
    """Units that leave the game, and the bases that change hands."""
    for unit, piece in list(g.pieces.items()):
        counter = g.counter(unit)
        at_home = piece.box == "map" and g.board.hexes[piece.at].region == "Philippines"
        if nation == "philippines" and at_home and counter.side == ALLIES and counter.kind == "ground":
            eliminate(g, unit, "13.22")
        if nation == "dutch-east-indies" and counter.nation == "dutch" and piece.box != "removed":
            emit(g, Placed(unit, 0, "removed", "13.42"))
        if nation == "burma" and counter.burma and piece.box != "removed":
            emit(g, Placed(unit, 0, "removed", "13.52"))
    if nation not in ("malaya", "burma") or not g.second:
        _take_bases(g, nation, JAPAN, "13.1")


def _take_bases(g: State, nation: str, side: str, rule: str) -> None:
    """Ports and airfields of a nation without enemy ground units; a recaptured base keeps to its Japanese occupants [13.1].

    First edition: one with an Allied unit of any kind stays Allied [1e-12.0], but for nations whose own rule says otherwise.
    """
    foe = FOE[side]
    for h in g.board.nations[nation]["bases"]:
        here = g.board.hexes.get(h)
        if here is None or not (here.port or here.airfield) or not g.holds(foe, h):
            continue
        any_unit = side == ALLIES or not (g.second or nation in BASES_OF_THEIR_OWN)
        held = g.mine_at(foe, h) if any_unit else g.mine_at(foe, h, "ground")
        if not held:
            emit(g, Controlled(h, side, rule))


def _area(g: State, area: str, rule: str, only: str = "") -> None:
    """[13.84] [13.85] [13.92] Whoever holds the key hexes gets the rest without enemy ground units."""
    wanted = _present(g, area)
    for side in (only,) if only else SIDES:
        if not wanted or not all(g.holds(side, h) for h in wanted):
            continue
        for h in g.board.nations[area]["bases"]:
            kinds = () if area == "new-guinea" and g.second else ("ground",)
            if h in g.board.hexes and g.holds(FOE[side], h) and not g.mine_at(FOE[side], h, *kinds):
                emit(g, Controlled(h, side, rule))


# -- India -----------------------------------------------------------------------------------------------------------


def _india(g: State) -> Flow[None]:
    """[13.62] The marker moves while Japan holds all of Northern India."""
    north = g.board.region("NIndia")
    if not north or "india" in g.surrendered:
        return
    all_lost = all(g.holds(JAPAN, h) for h in north)
    if not g.second:
        _india_first(g, all_lost)
    elif all_lost:
        emit(g, IndiaMoved(min(4, g.india + 1)))
    if g.india >= (4 if g.second else 3):
        yield from _india_surrenders(g)


def _india_first(g: State, all_lost: bool) -> None:
    """[1e-12.62] First edition: each box lasts two consecutive turns; regaining any hex brings India back to Stable."""
    if g.northern_regained or (g.northern_lost and not all_lost):
        emit(g, IndiaMoved(0))
        turns = 0
    elif not all_lost:
        turns = 1 if g.india else 0
    elif g.india == 0 or g.india_turns >= 2:
        emit(g, IndiaMoved(g.india + 1))
        turns = 1
    else:
        turns = g.india_turns + 1
    emit(g, IndiaWatched(turns, all_lost))


def _india_surrenders(g: State) -> Flow[None]:
    """[13.63] Indian units leave the game; other Commonwealth units go to Ceylon or the Maldives.

    First edition: ports and airfields without an Allied unit turn Japanese as well [1e-12.0].
    """
    emit(g, Surrendered("india", False, "13.63"))
    for unit, piece in list(g.pieces.items()):
        if g.counter(unit).nation == "indian" and piece.box != "removed":
            emit(g, Placed(unit, 0, "removed", "13.63"))
    for unit in [u for u in g.on_map(ALLIES) if _must_leave_india(g, u)]:
        places = island_refuges(g, unit)
        prompt = msg("{unit} leaves India: where to?", unit=g.counter(unit).name)
        place = yield from choose_place(g.board.place_index, ALLIES, "relocate", "13.63", prompt, places)
        if place:
            emit(g, Returned(unit, (g.pieces[unit].at, place), "13.63"))
        elif g.counter(unit).kind == "hq" and g.second:
            emit(g, Placed(unit, 0, "track", "6.14", due=g.turn + 1, undelayable=True))
        else:
            emit(g, Eliminated(unit, "removed", "13.63"))
    yield from _americans_may_leave(g)
    if not g.second:
        _take_bases(g, "india", JAPAN, "13.1")


def _americans_may_leave(g: State) -> Flow[None]:
    """[13.63] Second edition: US units of peninsular India may go to the islands as well."""
    for unit in [u for u in g.on_map(ALLIES) if g.second and g.counter(u).nation == "us"]:
        places = island_refuges(g, unit) if g.board.hexes[g.pieces[unit].at].region == "India" else []
        prompt = msg("{unit} may leave India: where to?", unit=g.counter(unit).name)
        place = yield from choose_place(g.board.place_index, ALLIES, "relocate", "13.63", prompt, places, none=True)
        if place:
            emit(g, Returned(unit, (g.pieces[unit].at, place), "13.63"))


def _must_leave_india(g: State, unit: str) -> bool:
    """Second edition: the units of Mainland India, and the HQs of all India."""
    region, counter = g.board.hexes[g.pieces[unit].at].region, g.counter(unit)
    if counter.kind == "hq":
        return region in ("India", "NIndia") and counter.nation == "commonwealth"
    return region in (("India",) if g.second else ("India", "NIndia")) and counter.commonwealth


def island_refuges(g: State, unit: str) -> list[int]:
    """Supplied hexes of Ceylon and the Maldives, ports all of them, outside hostile zones, with room."""
    if g.counter(unit).kind == "hq" and g.second:
        return []
    fed, closed = fed_hexes(g, ALLIES), hostile(g, ALLIES)
    islands = g.board.region("Ceylon")
    open_to = [h for h in islands if h in g.board.hexes and g.holds(ALLIES, h) and h in fed and h not in closed]
    if g.counter(unit).kind == "hq":
        return [h for h in open_to if room(g, unit, h)]
    return [h for h in open_to if stack_size(g, [*g.mine_at(ALLIES, h), unit]) <= AIR_GROUND_LIMIT]


# -- Japan -----------------------------------------------------------------------------------------------------------


def _japan(g: State) -> None:
    """[13.93] All of Honshu lost, or three segments without a line from a home city to a resource hex."""
    honshu = _present(g, "japan")
    if not honshu:
        return
    cut = not resource_line(g)
    emit(g, CutOff(g.cut_off + 1 if cut else 0))
    if all(g.holds(ALLIES, h) for h in honshu):
        emit(g, Won(ALLIES, HONSHU_LOST, "13.93"))
    elif g.cut_off >= SOURCELESS:
        emit(g, Won(ALLIES, CUT_OFF, "13.93"))


def resource_line(g: State) -> bool:
    """A supply line runs from a Japanese home city to a Japanese resource hex."""
    reach = source_lines(g, JAPAN, limits_of(g, JAPAN)).all
    return any(g.board.fields.has(reach, h) for h in g.resources(JAPAN))


# -- Political Will --------------------------------------------------------------------------------------------------


def political_will(g: State) -> None:
    """[4.32] [16.4] All changes of this segment."""
    emit(g, PhaseBegan(g.turn, "US Political Will Segment", "4.32"))
    _surrender_losses(g)
    if g.board.edges == (10, 60):
        if not (g.turn == 1 and g.second):
            _occupation(g)
        _strategic_situation(g)
        _naval_situation(g)
        _progress(g)
    if not g.second and europe_level(g.europe) == 4:
        emit(g, WillChanged(-1, msg("War in Europe"), "16.48"))


OCCUPIED = {"alaska": msg("Japan in Alaska"), "hawaii": msg("Japan in Hawaii")}


def _once(g: State, what: str, why: Message, by: int, rule: str) -> None:
    """`what` stands in the state for good, so that it counts once."""
    if what not in g.bonuses:
        emit(g, BonusTaken(what, rule))
        emit(g, WillChanged(by, why, rule))


def _surrender_losses(g: State) -> None:
    """[16.41] Once for each nation, given back for the starred ones; two more when all have surrendered."""
    for nation, by in WILL_OF.items():
        if nation in g.surrendered:
            _once(g, f"{nation} surrenders", msg("surrender of: {nation}", nation=NATIONS.get(nation, nation)), by, "16.41")
        if nation in g.liberated and nation in REGAINED:
            _once(g, f"{nation} liberated", msg("liberated: {nation}", nation=NATIONS.get(nation, nation)), -by, "16.41")
    if all(n in g.surrendered for n in WILL_OF):
        _once(g, "all nations have surrendered", msg("all nations have surrendered"), ALL_LOST, "16.41")


def _occupation(g: State) -> None:
    """[16.42] Japan on the Aleutians or on Hawaii and Midway for consecutive segments; once each."""
    kinds = () if g.second else ("ground",)
    areas: tuple[tuple[Literal["alaska", "hawaii"], Mapping[str, int], Sequence[int], int], ...] = (
        ("alaska", g.alaska, g.board.region("Alaska"), 3 if g.second else 4),
        ("hawaii", g.hawaii, HAWAII, 2),
    )
    for name, before, hexes, needed in areas:
        now = {str(h): before.get(str(h), 0) + 1 for h in hexes if h in g.board.hexes and g.mine_at(JAPAN, h, *kinds)}
        if g.turn == 1:
            if now:
                emit(g, BonusTaken(f"Japan in {name}", "16.42"))
            continue
        emit(g, OccupationCounted(name, tuple(now.items())))
        if any(n >= needed for n in now.values()):
            _once(g, f"Japan in {name}", OCCUPIED[name], -1, "16.42")


def _strategic_situation(g: State) -> None:
    """[16.43] Few Japanese resource hexes once a game, successful bombing each turn."""
    if g.turn >= 5 and len(g.resources(JAPAN)) <= 3:
        _once(g, "Japan is short of resources", msg("Japan is short of resources"), 3 if g.second else 1, "16.43")
    if g.turn in g.bombing and g.turn != g.bombing_in_vain:
        emit(g, WillChanged(1, msg("strategic bombing"), "16.43"))


def _naval_situation(g: State) -> None:
    """[16.46] No US carrier on the map; no US ship at all."""
    ships = [u for u in g.on_map(ALLIES) if g.counter(u).nation == "us" and g.counter(u).kind == "naval"]
    if not any(g.counter(u).carrier for u in ships):
        emit(g, WillChanged(-1, msg("no US carriers on the map"), "16.46"))
    if not ships:
        emit(g, WillChanged(-1, msg("no US ships on the map"), "16.46"))


def _progress(g: State) -> None:
    """[16.47] The Allies have to hold enough places that were Japanese when the turn began."""
    target = progress_wanted(g)
    taken = sum(g.holds(ALLIES, h) and counts_for_progress(g, h) for h in g.japanese_before)
    if taken < target:
        emit(g, WillChanged(-1, msg("progress of the war: {taken} of {target}", taken=taken, target=target), "16.47"))


def progress_wanted(g: State) -> int:
    """How many places the progress of the war asks for: none before turn 4."""
    if g.turn < 4 or not g.japanese_before:
        return 0
    return min(4 if g.second else 5, g.asp_for_progress)


def counts_for_progress(g: State, place: int) -> bool:
    """A city, resource, port or airfield hex; second edition: Mainland India does not count [13.63]."""
    here = g.board.hexes[place]
    return (here.base or here.resource) and not (g.second and here.region == "India")


# -- attrition -------------------------------------------------------------------------------------------------------


def attrition(g: State) -> None:
    """[4.4] [6.24] First eliminations, then reductions, of both sides' unsupplied ground and air units at once."""
    emit(g, PhaseBegan(g.turn, "Attrition Phase", "4.4"))
    hungry = [u for side in SIDES for u in g.on_map(side) if g.counter(u).kind in ("ground", "air") and not supplied(g, u)]
    starving = [u for u in g.china_box() if not wing_in_china_fed(g, u)]
    lost = [u for u in hungry if g.weak(u) and not in_command(g, g.counter(u).side, g.pieces[u].at)]
    reduced = [u for u in (*hungry, *starving) if not g.weak(u)]
    for unit in lost:
        eliminate(g, unit, "6.24")
    for unit in reduced:
        emit(g, StepLost(unit, "6.24"))

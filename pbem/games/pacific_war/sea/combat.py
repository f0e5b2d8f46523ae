"""[PW-NAV] The naval combat cycle: surprise, sealed commitments and bids, gunnery and torpedoes, withdrawal."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.clock import PhaseBegan
from pbem.games.pacific_war.engagements import RangeChanged, RoundBegan, SeaBegan, ShipsPlaced
from pbem.games.pacific_war.events import MarkerMoved
from pbem.games.pacific_war.forms import ranges
from pbem.games.pacific_war.movements import WaysClosed
from pbem.games.pacific_war.nouns import range_named
from pbem.games.pacific_war.orders import any_of, hexes_named, misread, read_place, read_units
from pbem.games.pacific_war.picks import some_units
from pbem.games.pacific_war.postures import Held
from pbem.games.pacific_war.records import Sea
from pbem.games.pacific_war.sea.gunnery import RANGES, Aim, can_fire, fire_ask, rule_of, sea_of, shoot
from pbem.games.pacific_war.secret.fleets import unveil_fleets
from pbem.games.pacific_war.secret.forces import unveil_force
from pbem.games.pacific_war.secret.meeting import NAVAL, around, has_force, hexes_with, stated_behind
from pbem.games.pacific_war.state import FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.units.changes import detect, release_fleet
from pbem.games.pacific_war.units.damage import hit_ship
from pbem.games.pacific_war.units.fleets import reorganize, weigh_anchor
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow, Simultaneous
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim

START = {"open": ("long", "medium"), "coastal": ("medium", "short"), "restricted": ("short", "short")}  # [PW-NAV-06]
WITHDRAW = "withdraw"
PLACED = 4  # units that each side adds in phases 1 and 2


def naval_cycle(g: State) -> None:
    """[PW-NAV-01] Every hex with ships of both sides, the activated one at least a task force."""
    emit(g, PhaseBegan("naval", "PW-NAV-01"))
    able = [m for m in g.markers.values() if m.held or not g.in_penalty(m.side)]  # [PW-TIM-04] what has begun goes on
    places = sorted({m.at for m in able if _faces(g, FOE[m.side], m.at)})
    emit(g, Scheduled(tuple(("sea-combat", (p,)) for p in places), "PW-NAV-01"))


def _faces(g: State, foe: str, place: int) -> bool:
    """Enemy ships are in a hex, or a Force marker that may stand for some."""
    return g.afloat(foe, place) or has_force(g, foe, place)


def sea_combat(g: State, place: int) -> Flow[None]:
    """[PW-NAV-02] to [PW-NAV-05] The three phases in one hex."""
    meets = _meets(g, place)
    for side in SIDES:
        hidden = g.forces_at(FOE[side], place) and not g.in_penalty(FOE[side])
        meets = meets or bool(hidden and (yield from stated_behind(g, side, place, NAVAL, "PW-NAV-01")))
    for side in SIDES:
        yield from unveil_fleets(g, side, place, "PW-NAV-03") if meets else _nobody()
    for side in SIDES:
        if meets and not g.in_penalty(FOE[side]) and any(g.units[s].tf for s in g.ships(FOE[side], place)):
            yield from unveil_force(g, side, place, "PW-NAV-01", kind=NAVAL)
    if not (g.afloat(JAPAN, place) and g.afloat(FOE[JAPAN], place)):
        return
    again = any(g.markers[m].held for s in SIDES for m in g.forces_at(s, place))
    if not again and not _determine(g, place):
        return
    if again:
        emit(g, SeaBegan(Sea(place, 1, "short", "", {}, True), "PW-NAV-05"))
    else:
        light = 1 if g.night else 0
        band = START[g.board.hex(place).water][light]
        emit(g, SeaBegan(Sea(place, 1, band, g.sea.surprise if g.sea else "", {}), "PW-NAV-06"))
    yield from _ask_around(g, place)
    for phase in (1, 2, 3):
        if not (g.ships(JAPAN, place) and g.ships(FOE[JAPAN], place)):
            break
        if phase > 1:
            emit(g, RoundBegan(phase))
        left = yield from _bids(g, place) if phase > 1 else _nobody()
        if left:
            emit(g, SeaBegan(None, "PW-NAV-07"))
            yield from _tidy(g, place)
            return
        yield from _place_units(g, place)
        sides = SIDES if phase == 3 or again or not sea_of(g).surprise else (sea_of(g).surprise,)
        yield from _exchange(g, place, sides)
    emit(g, SeaBegan(None, "PW-NAV-05"))
    if g.ships(JAPAN, place) and g.ships(FOE[JAPAN], place):
        yield from _stay_or_go(g, place)
    yield from _tidy(g, place)


def _meets(g: State, place: int) -> bool:
    """[PW-NAV-02] Somebody is detected, or the water is narrow: the forces will see each other."""
    seen = any(g.markers[m].detected for s in SIDES for m in g.forces_at(s, place))
    return seen or g.board.hex(place).water != "open"


def _nobody() -> Flow[bool]:
    return False
    yield


def _determine(g: State, place: int) -> bool:
    """[PW-NAV-02] Is there a combat, and does a side have surprise."""
    known = {s: _is_known(g, s, place) for s in SIDES}
    surprise = ""
    if known[JAPAN] != known[FOE[JAPAN]]:
        surprise = JAPAN if not known[JAPAN] else FOE[JAPAN]
    elif not known[JAPAN] and g.board.hex(place).water == "open":
        return False
    if not any(known.values()):  # in narrow water they see each other; who surprises stays undetected
        for marker in [m for s in SIDES for m in g.forces_at(s, place)]:
            detect(g, marker, "PW-NAV-02")
    emit(g, SeaBegan(Sea(place, 1, "", surprise, {}), "PW-NAV-02"))
    return True


def _is_known(g: State, side: str, place: int) -> bool:
    """A detected task force, or ships in port and fortifications, which are always detected [PW-SRC-01]."""
    open_to_view = any(not g.units[s].tf for s in g.ships(side, place))
    return open_to_view or any(g.markers[m].detected for m in g.forces_at(side, place))


# -- commitment ------------------------------------------------------------------------------------------------------


def _place_units(g: State, place: int) -> Flow[None]:
    """[PW-NAV-03] to [PW-NAV-05] Four units more of each side; in phase 3 all."""
    sea = sea_of(g)
    waiting = {s: [u for u in g.ships(s, place) if u not in sea.placed.get(s, [])] for s in SIDES}
    asks = []
    chosen: dict[str, list[str]] = {}
    for s in SIDES:
        if sea.phase == 3 or sea.again or len(waiting[s]) <= PLACED:
            chosen[s] = waiting[s]
        else:
            asks.append(_commit_ask(g, s, waiting[s]))
    if len(asks) == 1:
        chosen[asks[0].seat] = yield asks[0]
    elif asks:
        chosen |= yield Simultaneous(tuple(asks), rule_of(g))
    placed = {s: [*(u for u in sea.placed.get(s, []) if g.units[u].box == "map"), *chosen[s]] for s in SIDES}
    emit(g, ShipsPlaced(placed, rule_of(g)))


def _commit_ask(g: State, side: str, waiting: Sequence[str]) -> Ask:
    def read(plain: Plain) -> list[str]:
        _, body = split_order(plain, ("line",))
        units = read_units(g, body, side)
        for u in units:
            if u not in waiting:
                raise illegal(msg("{unit} cannot be placed", unit=u), rule_of(g), verbatim(*waiting))
        if len(units) != PLACED:
            raise illegal(msg("units named: {n}", n=len(units)), rule_of(g), msg("exactly: {n}", n=PLACED))
        return units

    options: list[Plain] = [{"line": list(waiting[i : i + PLACED])} for i in range(0, len(waiting) - PLACED + 1)]
    return Ask(
        side,
        "line",
        rule_of(g),
        msg("which four ships enter the combat"),
        read,
        ("line",),
        default=options[0],
        options=lambda: options,
        policy=lambda wanted: {"line": _first_of(g, waiting, wanted)},
        form=lambda: some_units(g, side, ("line",), waiting, read, PLACED),
    )


def _first_of(g: State, waiting: Sequence[str], wanted: Plain) -> list[Plain]:
    """A priority list of ships or types, then the others; `first`: as they stand."""
    words = [str(w).lower() for w in wanted] if isinstance(wanted, list) else []

    def place(ship: str) -> int:
        names = {ship.lower(), *ship.lower().split(), g.counter(ship).type.lower()}
        return next((i for i, w in enumerate(words) if w in names), len(words))

    return list(sorted(waiting, key=place)[:PLACED])


# -- range -----------------------------------------------------------------------------------------------------------


def _bids(g: State, place: int) -> Flow[bool]:
    """[PW-NAV-06] Both bid in secret; True if a side withdrew."""
    bids: dict[str, tuple[str, int]] = yield Simultaneous(tuple(_bid_ask(g, s, place) for s in SIDES), "PW-NAV-06")
    leaving = [s for s in SIDES if bids[s][0] == WITHDRAW]
    band = new_range(g, sea_of(g).range, [bids[s][0] for s in SIDES])
    if band != sea_of(g).range:
        emit(g, RangeChanged(band))
    if len(leaving) == 2:  # [PW-NAV-07] the operations player leaves, nobody fires
        _leave(g, g.operator, place, bids[g.operator][1])
        return True
    if leaving:
        side = leaving[0]
        prey = g.ships(side, place)
        yield from _parting_shots(g, side, place, prey)
        if g.ships(side, place):
            _leave(g, side, place, bids[side][1])
        return True
    return False


def new_range(g: State, band: str, bids: Sequence[str]) -> str:
    """[PW-NAV-06] The range bid chart; a withdrawal leaves the range as it is."""
    if WITHDRAW in bids:
        return band
    found: str = g.board.charts.plain["range_bids"][band][" ".join(sorted(bids))]
    return found


def allowed_bids(g: State, place: int) -> list[str]:
    """[PW-NAV-06] Bands that may be bid in this water and light."""
    water = g.board.hex(place).water
    found = ["short"]
    if water in ("open", "coastal"):
        found.append("medium")
    if water == "open" and not g.night:
        found.append("long")
    return found


def _bid_ask(g: State, side: str, place: int) -> Ask:
    bands, ways = allowed_bids(g, place), exits(g, side, place)

    def read(plain: Plain) -> tuple[str, int]:
        _, body = split_order(plain, ("bid",))
        if isinstance(body, dict) and list(body) == [WITHDRAW]:
            reason = why_stay(g, side, place)
            if reason:
                raise illegal(reason, "PW-NAV-07", any_of(*(f"bid: {b}" for b in bands)))
            goal = read_place(g, body[WITHDRAW])
            if goal not in ways:
                raise illegal(
                    msg("nobody can withdraw to {place}", place=g.board.name(goal)), "PW-NAV-07", hexes_named(g, ways)
                )
            return WITHDRAW, goal
        if not isinstance(body, str) or body not in (*RANGES, WITHDRAW):
            raise misread("bid", body, "bid: short", "bid: {withdraw: hex}")
        if body not in bands:
            raise illegal(msg("this cannot be bid here: {range}", range=range_named(body)), "PW-NAV-06", verbatim(*bands))
        return body, 0

    def options() -> list[Plain]:
        found: list[Plain] = [{"bid": b} for b in bands]
        if not why_stay(g, side, place):
            found += [{"bid": {WITHDRAW: w}} for w in ways[:2]]
        return found

    band = sea_of(g).range
    default: Plain = {"bid": band if band in bands else bands[-1]}
    return Ask(
        side,
        "bid",
        "PW-NAV-06",
        msg("range bid; the range now: {range}", range=range_named(band)),
        read,
        ("bid",),
        facts={"range": band, "phase": sea_of(g).phase},
        default=default,
        options=options,
        policy=lambda word: {"bid": word},
        form=lambda: ranges(g, bands, WITHDRAW, () if why_stay(g, side, place) else ways, read),
    )


def exits(g: State, side: str, place: int) -> list[int]:
    """[PW-NAV-07] Adjacent water hexes without enemy ships that all task forces of the side can enter."""
    fleets = g.forces_at(side, place)
    free = [n for n in g.board.near(place) if f"{side} {n:04d}" not in g.barred and not g.afloat(FOE[side], n)]
    return [n for n in free if all(g.sails(m, n) for m in fleets)]


def _ask_around(g: State, place: int) -> Flow[None]:
    """[PW-NAV-07] Where hidden ships bar a withdrawal: their owners say it of the neighbours."""
    barred: list[str] = []
    water = [n for n in g.board.near(place) if g.board.sea(n)]
    for side in SIDES:
        shut = yield from hexes_with(g, FOE[side], water, NAVAL, around(g, "withdrawal", place), "PW-NAV-07")
        barred += [f"{side} {n:04d}" for n in shut]
    if barred != g.barred:
        emit(g, WaysClosed(tuple(barred), "PW-NAV-07"))


def why_stay(g: State, side: str, place: int) -> Message:
    """[PW-NAV-07] Why a side may not withdraw; "" if it may."""
    ships = g.ships(side, place)
    inactive = [s for s in ships if not g.units[s].active or not g.units[s].tf]
    if inactive:
        return msg("{unit} is not activated", unit=inactive[0])
    if not exits(g, side, place):
        return msg("there is no hex to withdraw to")
    slow = [s for s in ships if g.crippled(s) or g.counter(s).type == "AA"]
    guns = [s for s in ships if not g.crippled(s) and g.counter(s).gun[0] != X]
    return msg("{ship} has no escort", ship=slow[0]) if slow and not guns else NO_WORDS


def _leave(g: State, side: str, place: int, goal: int) -> None:
    for marker in g.forces_at(side, place):
        emit(g, MarkerMoved(marker, goal, "PW-NAV-07"))
        weigh_anchor(g, marker)
        release_fleet(g, marker, "PW-NAV-07")


def _parting_shots(g: State, leaver: str, place: int, prey: Sequence[str]) -> Flow[None]:
    """[PW-NAV-07] The side that stays fires once with what is placed, the others do not."""
    shooter = FOE[leaver]
    waiting = [u for u in g.ships(shooter, place) if u not in sea_of(g).placed.get(shooter, [])]
    more = waiting if sea_of(g).phase == 3 else waiting[:PLACED]
    placed = {**sea_of(g).placed, shooter: [*sea_of(g).placed.get(shooter, []), *more], leaver: list(prey)}
    emit(g, ShipsPlaced(placed, "PW-NAV-07"))
    yield from _exchange(g, place, (shooter,))


# -- fire ------------------------------------------------------------------------------------------------------------


def _exchange(g: State, place: int, sides: Sequence[str]) -> Flow[None]:
    """[PW-NAV-03] Ships fire alone, all hits count at the end."""
    placed = sea_of(g).placed
    asks = []
    for s in sides:
        shooters = [u for u in placed.get(s, []) if can_fire(g, u)]
        prey = placed.get(FOE[s], [])
        if shooters and prey:
            asks.append(fire_ask(g, s, shooters, prey))
    if len(asks) == 1:  # his own dice alone: he is asked
        answers: dict[str, dict[str, Aim]] = {asks[0].seat: (yield replace(asks[0], default=None))}
    elif asks:
        answers = yield Simultaneous(tuple(asks), rule_of(g))
    else:
        return
    damage: dict[str, int] = {}
    for ask in asks:
        for ship, aim in answers[ask.seat].items():
            hits = yield from shoot(g, ship, aim)
            damage[aim.target] = damage.get(aim.target, 0) + hits
    for ship, hits in damage.items():
        yield from hit_ship(g, ship, hits, rule_of(g))


# -- afterwards ------------------------------------------------------------------------------------------------------


def _stay_or_go(g: State, place: int) -> Flow[None]:
    """[PW-NAV-05] The advantaged player may withdraw, then the other; if both stay they are held."""
    for side in (g.advantage, FOE[g.advantage]):
        if not why_stay(g, side, place):
            goal = yield from choose_place(
                g.board.place_index,
                side,
                "leave",
                "PW-NAV-05",
                msg("the hex of the withdrawal"),
                exits(g, side, place),
                none=True,
                reaction=True,
            )
            if goal:
                _leave(g, side, place, goal)
                return
    for side in SIDES:
        for marker in g.forces_at(side, place):
            if not g.markers[marker].held:
                emit(g, Held(marker))


def _tidy(g: State, place: int) -> Flow[None]:
    """[PW-NAV-05] Reorganization once the enemy has gone."""
    for side in SIDES:
        if g.forces_at(side, place) and not g.ships(FOE[side], place):
            for marker in g.forces_at(side, place):
                release_fleet(g, marker, "PW-NAV-05")
            yield from reorganize(g, side, place, "PW-NAV-05")

"""[PW-NAV] The naval combat cycle: surprise, sealed commitments and bids, gunnery and torpedoes, withdrawal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.pacific_war.board import FORT, X
from pbem.games.pacific_war.choices import pick_place
from pbem.games.pacific_war.damage import hit_ship
from pbem.games.pacific_war.dice import fire, halved
from pbem.games.pacific_war.events import MarkerBecame, MarkerMoved, Noted, SeaBecame, SeaBegan, UnitBecame
from pbem.games.pacific_war.fleets import reorganize, weigh_anchor
from pbem.games.pacific_war.hidden import unveil_force
from pbem.games.pacific_war.meeting import NAVAL, has_force, hexes_with, stated_behind
from pbem.games.pacific_war.orders import read_place, read_unit, read_units
from pbem.games.pacific_war.state import FOE, JAPAN, SIDES, STRATEGIC, Sea, State
from pbem.games.pacific_war.veil import unveil_fleets
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow, Simultaneous
from pbem.kernel.orders import illegal, split_order, unreadable

RANGES = ("short", "medium", "long")
START = {"open": ("long", "medium"), "coastal": ("medium", "short"), "restricted": ("short", "short")}  # [PW-NAV-06]
HOLD, WITHDRAW = "hold", "withdraw"
PLACED = 4  # units that each side adds in phases 1 and 2
BATTERED = "bombard-installation"  # [PW-BAS-05] the line on which guns hit a fortification
WITH = ("guns", "torpedoes", "both")


@dataclass(frozen=True, slots=True)
class Aim:
    """What a ship fires at, and with what."""

    target: str
    guns: bool
    torpedoes: bool


def naval_cycle(g: State) -> Flow[None]:
    """[PW-NAV-01] Every hex with ships of both sides, the activated one at least a task force."""
    emit(g, Noted("phase", "naval", "PW-NAV-01"))
    able = [m for m in g.markers.values() if m.held or not g.in_penalty(m.side)]  # [PW-TIM-04] what has begun goes on
    places = sorted({m.at for m in able if _faces(g, FOE[m.side], m.at)})
    emit(g, Scheduled(tuple(("sea-combat", (p,)) for p in places), "PW-NAV-01"))
    return
    yield


def _faces(g: State, foe: str, place: int) -> bool:
    """Enemy ships are in a hex, or a Force marker that may stand for some."""
    return g.afloat(foe, place) or has_force(g, foe, place)


def _sea(g: State) -> Sea:
    assert g.sea is not None
    return g.sea


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
        emit(g, SeaBecame("phase", phase, "PW-NAV-03"))
        left = yield from _bids(g, place) if phase > 1 else _nobody()
        if left:
            emit(g, SeaBegan(None, "PW-NAV-07"))
            yield from _tidy(g, place)
            return
        yield from _place_units(g, place)
        sides = SIDES if phase == 3 or again or not _sea(g).surprise else (_sea(g).surprise,)
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
            emit(g, MarkerBecame(marker, "detected", True, "PW-NAV-02"))
    emit(g, SeaBegan(Sea(place, 1, "", surprise, {}), "PW-NAV-02"))
    return True


def _is_known(g: State, side: str, place: int) -> bool:
    """A detected task force, or ships in port and fortifications, which are always detected [PW-SRC-01]."""
    open_to_view = any(not g.units[s].tf for s in g.ships(side, place))
    return open_to_view or any(g.markers[m].detected for m in g.forces_at(side, place))


# -- commitment ------------------------------------------------------------------------------------------------------


def _place_units(g: State, place: int) -> Flow[None]:
    """[PW-NAV-03] to [PW-NAV-05] Four units more of each side; in phase 3 all."""
    sea = _sea(g)
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
        chosen |= yield Simultaneous(tuple(asks), "PW-NAV-03")
    placed = {s: [*(u for u in sea.placed.get(s, []) if g.units[u].box == "map"), *chosen[s]] for s in SIDES}
    emit(g, SeaBecame("placed", placed, "PW-NAV-03"))


def _commit_ask(g: State, side: str, waiting: Sequence[str]) -> Ask:
    def read(plain: Plain) -> list[str]:
        _, body = split_order(plain, ("line",))
        units = read_units(g, body, side)
        for u in units:
            if u not in waiting:
                raise illegal(f"{u} cannot be placed", "PW-NAV-03", ", ".join(waiting))
        if len(units) != PLACED:
            raise illegal(f"{len(units)} units are named", "PW-NAV-03", f"exactly {PLACED}")
        return units

    options: list[Plain] = [{"line": list(waiting[i : i + PLACED])} for i in range(0, len(waiting) - PLACED + 1)]
    return Ask(
        side,
        "line",
        "PW-NAV-03",
        "which four ships enter the combat",
        read,
        ("line",),
        default=options[0],
        options=lambda: options,
        policy=lambda wanted: {"line": _first_of(g, waiting, wanted)},
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
    emit(g, SeaBecame("range", new_range(g, _sea(g).range, [bids[s][0] for s in SIDES]), "PW-NAV-06"))
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
                raise illegal(reason, "PW-NAV-07", "bid: " + ", ".join(bands))
            goal = read_place(g, body[WITHDRAW])
            if goal not in ways:
                raise illegal(f"no withdrawal to {goal:04d}", "PW-NAV-07", ", ".join(f"{w:04d}" for w in ways))
            return WITHDRAW, goal
        if not isinstance(body, str) or body not in (*RANGES, WITHDRAW):
            raise unreadable(f"bid: {body!r}", "bid: short, medium or long, or bid: {withdraw: hex}")
        if body not in bands:
            raise illegal(f"{body} cannot be bid here", "PW-NAV-06", ", ".join(bands))
        return body, 0

    def options() -> list[Plain]:
        found: list[Plain] = [{"bid": b} for b in bands]
        if not why_stay(g, side, place):
            found += [{"bid": {WITHDRAW: w}} for w in ways[:2]]
        return found

    band = _sea(g).range
    default: Plain = {"bid": band if band in bands else bands[-1]}
    return Ask(
        side,
        "bid",
        "PW-NAV-06",
        f"range bid, now {band}",
        read,
        ("bid",),
        facts={"range": band, "phase": _sea(g).phase},
        default=default,
        options=options,
        policy=lambda word: {"bid": word},
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
        shut = yield from hexes_with(g, FOE[side], water, NAVAL, f"withdrawal from {place:04d}", "PW-NAV-07")
        barred += [f"{side} {n:04d}" for n in shut]
    if barred != g.barred:
        emit(g, Noted("barred", barred, "PW-NAV-07"))


def why_stay(g: State, side: str, place: int) -> str:
    """[PW-NAV-07] Why a side may not withdraw; "" if it may."""
    ships = g.ships(side, place)
    inactive = [s for s in ships if not g.units[s].active or not g.units[s].tf]
    if inactive:
        return f"{inactive[0]} is not activated"
    if not exits(g, side, place):
        return "there is no hex to withdraw to"
    slow = [s for s in ships if g.crippled(s) or g.counter(s).type == "AA"]
    guns = [s for s in ships if not g.crippled(s) and g.counter(s).gun[0] != X]
    return f"{slow[0]} has no escort" if slow and not guns else ""


def _leave(g: State, side: str, place: int, goal: int) -> None:
    for marker in g.forces_at(side, place):
        emit(g, MarkerMoved(marker, goal, "PW-NAV-07"))
        weigh_anchor(g, marker)
        emit(g, MarkerBecame(marker, "held", False, "PW-NAV-07"))


def _parting_shots(g: State, leaver: str, place: int, prey: Sequence[str]) -> Flow[None]:
    """[PW-NAV-07] The side that stays fires once with what is placed, the others do not."""
    shooter = FOE[leaver]
    waiting = [u for u in g.ships(shooter, place) if u not in _sea(g).placed.get(shooter, [])]
    more = waiting if _sea(g).phase == 3 else waiting[:PLACED]
    placed = {**_sea(g).placed, shooter: [*_sea(g).placed.get(shooter, []), *more], leaver: list(prey)}
    emit(g, SeaBecame("placed", placed, "PW-NAV-07"))
    yield from _exchange(g, place, (shooter,))


# -- fire ------------------------------------------------------------------------------------------------------------


def gun(g: State, ship: str, band: str) -> int:
    """[PW-NAV-03] Gunnery strength at a range; halved with troops aboard a DD or APD."""
    strength = g.strength(ship, g.counter(ship).gun[RANGES.index(band)])
    return at_night(g, ship, _laden(g, ship, strength))


def salvo(g: State, ship: str, band: str) -> int:
    """Torpedo strength at a range, X when the salvoes are gone."""
    c = g.counter(ship)
    if g.units[ship].spent >= (2 if c.side == JAPAN else 1):
        return X
    return at_night(g, ship, _laden(g, ship, g.strength(ship, c.torpedo[RANGES.index(band)])))


def at_night(g: State, ship: str, strength: int) -> int:
    """[PW-OPT-11] By option, at night and dusk in phases 2 and 3: the initiative makes crews better or worse."""
    if g.options.get("night-combat") != "yes" or g.light not in ("night", "dusk") or strength == X:
        return strength
    if _sea(g).phase == 1 and not _sea(g).again:
        return strength
    leads = assumed_initiative(g)
    if g.side(ship) == JAPAN:
        return strength + (1 if leads >= 0 else 0)
    return max(-1, strength + (1 if leads < 0 else 0 if leads == 0 else -1))


def assumed_initiative(g: State) -> int:
    """[PW-OPT-11] Without an initiative track the scenario says who leads: 1 Japan, 0 nobody, -1 the Allies."""
    return g.initiative if g.level == STRATEGIC else int(g.script.get("leads", 1))


def _laden(g: State, ship: str, strength: int) -> int:
    """[PW-AMP-04]"""
    return halved(strength) if g.counter(ship).type in ("DD", "APD") and g.cargo(ship) else strength


def _exchange(g: State, place: int, sides: Sequence[str]) -> Flow[None]:
    """[PW-NAV-03] Ships fire alone, all hits count at the end."""
    placed = _sea(g).placed
    asks = []
    for s in sides:
        shooters = [u for u in placed.get(s, []) if _can_fire(g, u)]
        prey = placed.get(FOE[s], [])
        if shooters and prey:
            asks.append(_fire_ask(g, s, shooters, prey))
    if len(asks) == 1:  # his own dice alone: he is asked
        answers: dict[str, dict[str, Aim]] = {asks[0].seat: (yield replace(asks[0], default=None))}
    elif asks:
        answers = yield Simultaneous(tuple(asks), "PW-NAV-03")
    else:
        return
    damage: dict[str, int] = {}
    for ask in asks:
        for ship, aim in answers[ask.seat].items():
            hits = yield from _shoot(g, ship, aim)
            damage[aim.target] = damage.get(aim.target, 0) + hits
    for ship, hits in damage.items():
        yield from hit_ship(g, ship, hits, "PW-NAV-03")


def _can_fire(g: State, ship: str) -> bool:
    band = _sea(g).range
    return gun(g, ship, band) != X or salvo(g, ship, band) != X


def _shoot(g: State, ship: str, aim: Aim) -> Flow[int]:
    band, foe, hits = _sea(g).range, FOE[g.side(ship)], 0
    if aim.guns:
        line = BATTERED if g.counter(aim.target).type == FORT else band
        shot = yield from fire(g, line, gun(g, ship, band), f"{ship} fires at {aim.target}", "PW-NAV-03", foe)
        hits += shot.hits
    if aim.torpedoes:
        shot = yield from fire(g, "torpedo", salvo(g, ship, band), f"{ship} torpedoes {aim.target}", "PW-NAV-03", foe)
        hits += shot.hits
        emit(g, UnitBecame(ship, "spent", g.units[ship].spent + 1, "PW-NAV-03"))
    return hits


def _fire_ask(g: State, side: str, shooters: Sequence[str], prey: Sequence[str]) -> Ask:
    first: Plain = {"fire": {s: prey[0] for s in shooters if gun(g, s, _sea(g).range) != X}}

    def options() -> list[Plain]:
        found: list[Plain] = [_spread_fire(g, shooters, [*prey[i:], *prey[:i]]) for i in range(min(4, len(prey)))]
        return [*found, first]

    return Ask(
        side,
        "fire",
        "PW-NAV-03",
        f"fire at {_sea(g).range} range",
        lambda plain: read_fire(g, side, shooters, prey, plain),
        ("fire", HOLD),
        facts={"range": _sea(g).range},
        default=first if first["fire"] else HOLD,  # type: ignore[index, call-overload]
        options=options,
        policy=lambda wanted: fire_policy(g, shooters, prey, wanted),
    )


def fire_policy(g: State, shooters: Sequence[str], prey: Sequence[str], wanted: Plain) -> Plain:
    """A priority list of targets, `CA` or `CA with both`: everybody who can fires at the first that is there."""
    for item in wanted if isinstance(wanted, list) else [wanted]:
        name, _, how = str(item).partition(" with ")
        for p in prey:
            if name.lower() in p.lower().split() or name in (p, g.counter(p).type):
                aims = {s: {"at": p, "with": how_able} for s in shooters if (how_able := _able(g, s, p, how or "guns"))}
                if aims:
                    return {"fire": aims}  # type: ignore[dict-item]
    return None


def _able(g: State, ship: str, target: str, how: str) -> str:
    """What a ship can use of `guns`, `torpedoes` or `both` against a target; "" for nothing."""
    guns = how in ("guns", "both") and gun(g, ship, _sea(g).range) != X
    fish = how in ("torpedoes", "both") and salvo(g, ship, _sea(g).range) != X and g.counter(target).type != FORT
    return "both" if guns and fish else "guns" if guns else "torpedoes" if fish else ""


def _spread_fire(g: State, shooters: Sequence[str], prey: Sequence[str]) -> Plain:
    aims: dict[str, Plain] = {}
    for i, s in enumerate(shooters):
        target = prey[i % len(prey)]
        how = _able(g, s, target, "both")
        if how:
            aims[s] = {"at": target, "with": how}
    return {"fire": aims} if aims else HOLD


def read_fire(g: State, side: str, shooters: Sequence[str], prey: Sequence[str], plain: Plain) -> dict[str, Aim]:
    """`fire: {CA1: CA2, DD1: {at: CA2, with: both}}` or hold. Raises Rejected."""
    verb, body = split_order(plain, ("fire", HOLD))
    if verb == HOLD:
        return {}
    if not isinstance(body, dict):
        raise unreadable(f"fire: {body!r}", "fire: {ship: target}")
    aims: dict[str, Aim] = {}
    for who, what in body.items():
        ship = read_unit(g, who, side)
        if ship not in shooters:
            raise illegal(f"{ship} cannot fire now", "PW-NAV-03", ", ".join(shooters))
        aims[ship] = _read_aim(g, side, ship, prey, what)
    return {ship: aims[ship] for ship in shooters if ship in aims}  # never in the order of the file's keys


def _read_aim(g: State, side: str, ship: str, prey: Sequence[str], what: Any) -> Aim:
    given = what if isinstance(what, dict) else {"at": what}
    how = given.get("with", "guns")
    if how not in WITH or not set(given) <= {"at", "with"}:
        raise unreadable(f"{what!r}", "{at: target, with: guns, torpedoes or both}")
    target = read_unit(g, given.get("at"), FOE[side])
    if target not in prey:
        raise illegal(f"{target} is not in the combat", "PW-NAV-03", ", ".join(prey))
    aim = Aim(target, how in ("guns", "both"), how in ("torpedoes", "both"))
    band = _sea(g).range
    if aim.torpedoes and g.counter(target).type == FORT:
        raise illegal(f"{target} is no target for torpedoes", "PW-BAS-05")
    if aim.guns and gun(g, ship, band) == X:
        raise illegal(f"{ship} has no guns at {band} range", "PW-NAV-03")
    if aim.torpedoes and salvo(g, ship, band) == X:
        raise illegal(f"{ship} has no torpedoes at {band} range", "PW-NAV-03")
    return aim


# -- afterwards ------------------------------------------------------------------------------------------------------


def _stay_or_go(g: State, place: int) -> Flow[None]:
    """[PW-NAV-05] The advantaged player may withdraw, then the other; if both stay they are held."""
    for side in (g.advantage, FOE[g.advantage]):
        if not why_stay(g, side, place):
            goal = yield from pick_place(
                g, side, "leave", "PW-NAV-05", "withdraw to", exits(g, side, place), none=True, reaction=True
            )
            if goal:
                _leave(g, side, place, goal)
                return
    for side in SIDES:
        for marker in g.forces_at(side, place):
            emit(g, MarkerBecame(marker, "held", True, "PW-NAV-05"))


def _tidy(g: State, place: int) -> Flow[None]:
    """[PW-NAV-05] Reorganization once the enemy has gone."""
    for side in SIDES:
        if g.forces_at(side, place) and not g.ships(FOE[side], place):
            for marker in g.forces_at(side, place):
                emit(g, MarkerBecame(marker, "held", False, "PW-NAV-05"))
            yield from reorganize(g, side, place, "PW-NAV-05")

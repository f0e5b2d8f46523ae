"""[PW-SRC] Searches for task forces and for air missions."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.engagements import ScoutedFar
from pbem.games.pacific_war.events import Reported
from pbem.games.pacific_war.forms import searches
from pbem.games.pacific_war.movements import SearchMade
from pbem.games.pacific_war.orders import ALL, PASS, check_in_play, hexes_named, misread, read_place, read_unit
from pbem.games.pacific_war.postures import Reconnoitred
from pbem.games.pacific_war.sea.night_strike import night_attack
from pbem.games.pacific_war.secret.fleets import contents, unveil
from pbem.games.pacific_war.secret.forces import unveil_force
from pbem.games.pacific_war.secret.meeting import AIR, has_force
from pbem.games.pacific_war.state import ALLIES, FOE, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.changes import detect
from pbem.games.pacific_war.world.weather import hides_aircraft, hides_ships
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal, same
from pbem.kernel.forms import Form
from pbem.kernel.memo import PLACES
from pbem.kernel.orders import illegal, split_order, unreadable
from pbem.kernel.wording import Message, die_for, msg, quoted, verbatim

REVEAL = "reveal"  # hidden units that are to search
SHORE = "shore"  # an airfield, port or support base as the searcher of its own hex


def kind_of_searcher(g: State, searcher: str) -> str:
    """Which search chart a searcher uses."""
    if searcher == SHORE:
        return "air"
    c = g.counter(searcher)
    if g.options.get("bomber-search") == "yes" and c.side == ALLIES and c.type == "4E" and g.units[searcher].active:
        return "air" if searcher in g.script.get("sorties", ()) else "lra"  # [PW-OPT-08]
    return "lra" if c.type == "LRA" else "spotter" if c.spotter else "air"


def reach(g: State, unit: str, place: int) -> int:
    """Hexes from a searcher to a hex; by option a Japanese LRA may search from the submarine KRS [PW-OPT-01]."""
    if unit == SHORE:
        return 0
    at = g.units[unit].at
    away = distance(at, place)
    if g.options.get("refuelling") != "yes" or g.counter(unit).type != "LRA":
        return away
    for boat in g.on_map(g.side(unit), "submarine"):
        there = g.units[boat].at
        foe = FOE[g.side(unit)]
        calm = g.board.hex(there).water in ("coastal", "restricted") and not g.here(foe, there) and not has_force(g, foe, there)
        if g.counter(boat).type == "KRS" and calm and distance(at, there) <= g.counter(unit).range:
            away = min(away, distance(there, place))
    return away


def best_die(g: State, side: str, searcher: str, place: int, away: int) -> tuple[int, int, int]:
    """[PW-SRC-03] Highest die for level 3, 2 and 1 of a search so many hexes away; -1: never."""
    kind = kind_of_searcher(g, searcher)
    rows = g.board.charts.search[side][f"{kind}-{g.search_part()}"]
    if searcher != SHORE and g.counter(searcher).kind != "air" and not g.counter(searcher).spotter and away > 0:
        return (-1, -1, -1)
    timid = g.options.get("seaplane-doctrine") == "yes" and side == ALLIES and kind == "spotter"
    if timid and away > 0 and not g.ledger.get("allies led"):  # [PW-OPT-14]
        return (-1, -1, -1)
    if away >= len(rows):
        return (-1, -1, -1)
    easier = search_modifier(g, side, place)
    third, second, first = (n - easier if n >= 0 else n for n in rows[away])
    return third, second, first


def search_modifier(g: State, side: str, place: int) -> int:
    """Added to the die: 1 less when two or more task forces are in the hex, or one and a Force marker [PW-FOG-01]; radar by
    option [PW-OPT-12]; weather."""
    markers = len(g.forces_at(FOE[side], place)) + (place in g.forces.get(FOE[side], ()))
    crowd = -1 if markers > 1 else 0
    return crowd + radar(g, side) + hides_ships(g, place)


def radar(g: State, side: str) -> int:
    """[PW-OPT-12] By option, added to every search die of a side, of task forces and of missions."""
    if g.options.get("radar") != "yes":
        return 0
    return -2 if side == ALLIES and g.month <= 31 else -1 if side != ALLIES and g.month <= 19 else 0


def searchers(g: State, side: str, place: int) -> list[str]:
    """[PW-SRC-03] [PW-SRC-05] Who may still search a hex this increment or phase, with a chance: units, or what is there."""
    found = []
    for unit in _near(g, side, place):
        c = g.counter(unit)
        if unit in g.searched or g.airborne(unit) or (c.kind == "submarine" and g.phase == "contact"):
            continue
        if (c.kind == "air" and _grounded(g, unit)) or (c.kind == "ground" and g.units[unit].aboard):
            continue
        if max(best_die(g, side, unit, place, reach(g, unit, place))) >= 0:
            found.append(unit)
    return [*found, SHORE] if _installed(g, side, place) else found


def _near(g: State, side: str, place: int) -> list[str]:
    """Units of a side from which a search chart has a column for a hex: those in it, aircraft and spotters farther away."""
    rows = g.board.charts.search[side]
    longest = max(len(rows[f"{kind}-{g.search_part()}"]) for kind in ("air", "lra", "spotter"))
    far = g.options.get("refuelling") == "yes"  # [PW-OPT-01] a submarine may stand for the aircraft

    def by_place() -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for unit in g.on_map(side):
            c = g.counter(unit)
            if c.kind == "air" or c.spotter:
                found.setdefault(g.units[unit].at, []).append(unit)
        return found

    able = g.memo.cached(("aircraft and spotters", side), by_place, PLACES)
    near = {u for at, units in able.items() if far or distance(at, place) < longest for u in units} | {*g.here(side, place)}
    return [u for u in g.on_map(side) if u in near]


def _installed(g: State, side: str, place: int) -> bool:
    """[PW-SRC-03] A working airfield, a port, support base or headquarters that searches its own hex."""
    field, base = g.airfield(side, place), g.osbs.get(place)
    if (field is not None and not field.interdicted) or g.port(side, place) or (base is not None and base.side == side):
        return True
    return any(hq.side == side and hq.at == place and hq.box == "map" for hq in g.hqs.values())


def _grounded(g: State, unit: str) -> bool:
    """[PW-BAS-02] On an interdicted airfield nobody searches."""
    u = g.units[unit]
    if u.aboard:
        return False
    base = g.airfields.get(u.at)
    return base is None or base.interdicted


def may_search(g: State, side: str) -> bool:
    """A scenario may take a side's searches away."""
    return side not in g.script.get("blind", {}).get(str(g.cycle), ())


def search_round(g: State, side: str, label: Message) -> Flow[bool]:
    """[PW-SRC-04] [PW-SRC-05] A side searches for task forces until it passes; True if one of its searches succeeded."""
    found = False
    while True:
        goals = open_targets(g, side)
        if not (goals or hidden_searchers(g, side)) or not may_search(g, side):
            return found
        order: tuple[str, str] | None = yield Ask(
            side,
            "search",
            "PW-SRC-03",
            msg("search or pass; {label}", label=label),
            lambda plain: read_search(g, side, plain),
            ("search", REVEAL, PASS),
            facts={"targets": len(goals)},
            options=lambda: search_options(g, side),
            policy=lambda wanted: search_policy(g, side, wanted),
            reaction=True,
            form=lambda: _search_form(g, side),
        )
        if order is None:
            return found
        if order[0] == REVEAL:
            yield from _show_searchers(g, side, int(order[1]))
            continue
        new = yield from search_task_force(g, side, *order)
        found = found or new


def _search_form(g: State, side: str) -> Form:
    """The question pick by pick."""
    return searches(
        g,
        ("search", REVEAL, PASS),
        open_targets(g, side),
        lambda place: searchers(g, side, place),
        hidden_searchers(g, side),
        lambda unit, place: best_die(g, side, unit, place, reach(g, unit, place)),
        lambda plain: read_search(g, side, plain),
    )


def open_targets(g: State, side: str) -> list[str]:
    """Enemy task forces that somebody may still search for."""
    return [marker for marker in _unsearched(g, side) if searchers(g, side, g.markers[marker].at)]


def _unsearched(g: State, side: str) -> list[str]:
    """Enemy task forces of which something can still be found out now."""
    found = []
    for marker, m in g.markers.items():
        done = marker in g.searched or f"{side} {m.at:04d}" in g.searched
        known = m.detected and m.level >= 3 and g.phase != "contact"  # there another detection gives the right to stop
        if m.side != side and not done and not known:
            found.append(marker)
    return found


def hidden_searchers(g: State, side: str) -> list[int]:
    """[PW-SRC-03] Hexes with a Force whose units might search for an enemy task force: aircraft, or anybody in its own hex."""
    goals = [g.markers[m].at for m in _unsearched(g, side)]
    rows = [g.board.charts.search[side][f"{kind}-{g.search_part()}"] for kind in ("air", "lra")]
    far = max(i for row in rows for i, dice in enumerate(row) if max(dice) >= 0)
    near = [h for h in g.forces.get(side, ()) if any(distance(h, goal) <= far for goal in goals)]
    return [h for h in near if _called(side, h) not in g.searched]


def _called(side: str, place: int) -> str:
    """What is noted of a Force that has shown its searchers in this increment or phase."""
    return f"{side} {REVEAL} {place:04d}"


def _show_searchers(g: State, side: str, place: int) -> Flow[None]:
    """The aircraft of a Force are shown; all of it when the enemy is in its hex."""
    near = place in [g.markers[m].at for m in _unsearched(g, side)]
    emit(g, SearchMade((_called(side, place),), "PW-SRC-03"))
    yield from unveil_force(g, side, place, "PW-SRC-03", kind="" if near else AIR)


def _searcher(unit: str) -> Message:
    return msg("search from the shore") if unit == SHORE else verbatim(unit)


def read_search(g: State, side: str, plain: Plain) -> tuple[str, str] | None:
    """`search: {TF1: 1st Patrol Wing}`; `reveal: 1630`, hidden aircraft that are to search; or a pass. Raises Rejected."""
    verb, body = split_order(plain, ("search", REVEAL, PASS))
    if verb == PASS:
        return None
    if verb == REVEAL:
        place, able = read_place(g, body), hidden_searchers(g, side)
        if place not in able:
            raise illegal(msg("no Force in {place} can search", place=g.board.name(place)), "PW-SRC-03", hexes_named(g, able))
        return REVEAL, str(place)
    if not isinstance(body, dict) or len(body) != 1:
        raise misread("search", body, "search: {task force: searching unit}")
    marker, who = next(iter(body.items()))
    if marker not in g.markers or g.markers[marker].side == side:
        raise unreadable(msg("there is no enemy task force {given}", given=quoted(marker)), verbatim(*open_targets(g, side)))
    place = g.markers[marker].at
    unit = SHORE if who == SHORE else read_unit(g, who, side)
    check_in_play(g, [unit] if unit != SHORE else [], "PW-SRC-03")
    if unit != SHORE and (g.side(unit) != side or g.units[unit].box != "map"):
        raise illegal(msg("{unit} does not search for you", unit=unit), "PW-SRC-03")
    if unit in g.searched:
        raise illegal(
            msg("{unit} has searched already", unit=_searcher(unit)), "PW-SRC-04" if g.phase == "contact" else "PW-SRC-05"
        )
    if marker in g.searched or f"{side} {place:04d}" in g.searched:
        again = msg("{marker} or its hex has been searched already", marker=marker)
        raise illegal(again, "PW-SRC-04" if g.phase == "contact" else "PW-SRC-05")
    if unit != SHORE and g.counter(unit).kind == "submarine" and g.phase == "contact":
        raise illegal(msg("submarines do not search in a contact phase"), "PW-SRC-04")
    if unit not in searchers(g, side, place):
        raise illegal(
            msg("{unit} cannot find anything in {place}", unit=_searcher(unit), place=g.board.name(place)), "PW-SRC-03"
        )
    return unit, marker


def search_options(g: State, side: str) -> list[Plain]:
    """A pass, and for each task force the searcher with the best chance."""
    found: list[Plain] = [PASS]
    found += [_best_search(g, side, marker) for marker in open_targets(g, side)]
    found += [{REVEAL: f"{h:04d}"} for h in hidden_searchers(g, side)]
    return found


def _best_search(g: State, side: str, marker: str) -> Plain:
    """For a task force by the searcher with the best chance."""
    place = g.markers[marker].at
    best = max(searchers(g, side, place), key=lambda u: best_die(g, side, u, place, reach(g, u, place))[2])
    return {"search": {marker: best}}


def search_policy(g: State, side: str, wanted: Plain) -> Plain:
    """A standing order: `all`, one task force after the other by whoever sees best, then a pass; or an order as it stands.

    It shows nobody who is hidden.
    """
    if wanted != ALL:
        return wanted
    goals = open_targets(g, side)
    return _best_search(g, side, goals[0]) if goals else PASS


def search_task_force(g: State, side: str, unit: str, marker: str) -> Flow[bool]:
    """[PW-SRC-02] One search; on success the owner says what the level requires. True on success: every one is a detection."""
    m = g.markers[marker]
    levels = best_die(g, side, unit, m.at, reach(g, unit, m.at))
    used = (*((unit,) if unit != SHORE else ()), f"{side} {m.at:04d}")
    emit(g, SearchMade(used, "PW-SRC-04") if g.phase == "contact" else SearchMade((*used, marker), "PW-SRC-05"))
    if unit != SHORE and g.counter(unit).type == "4E" and kind_of_searcher(g, unit) == "lra":
        emit(g, ScoutedFar(unit))
    rolled = yield from die(g, _search_label(unit, marker), "PW-SRC-03", m.side)
    level = level_of(rolled, levels)
    if level == 0:
        return False
    detect(g, marker, "PW-SRC-01")
    if level > m.level:
        emit(g, Reconnoitred(marker, level))
    stated = yield Claim(
        m.side,
        "report",
        Message("{marker} level {level}", {"marker": marker, "level": level}),
        "PW-SRC-02",
        lambda reveal: report(g, _ships(g, marker, reveal), level),
        _within_half,
    )
    emit(g, Reported(marker, level, _numbers(stated), "PW-SRC-02"))
    if isinstance(stated, dict) and "decoy" in stated:  # [PW-OPT-04] found, it is taken off
        yield from unveil(g, marker, "PW-OPT-04")
        return True
    yield from night_attack(g, unit, marker)
    return True


def _search_label(unit: str, marker: str) -> Message:
    if unit == SHORE:
        return die_for("shore searches for {marker}", marker=marker)
    return msg("{unit} searches for {marker}", unit=unit, marker=marker)


def level_of(rolled: int, levels: Sequence[int]) -> int:
    """The reconnaissance level a die gives: 3, 2, 1 or 0."""
    for level, highest in zip((3, 2, 1), levels, strict=True):
        if rolled <= highest:
            return level
    return 0


def _numbers(stated: Plain) -> dict[str, int]:
    return {what: n for what, n in stated.items() if isinstance(n, int)} if isinstance(stated, dict) else {}


def _ships(g: State, marker: str, reveal: Reveal) -> list[str]:
    """The ships of a task force, sealed or not."""
    if not g.markers[marker].handle:
        return g.members(marker)
    return [s for part in contents(g, marker, reveal).values() for s in part]


def report(g: State, ships: Sequence[str], level: int) -> Plain:
    """[PW-SRC-02] What the owner must say: number of ships; capital ships, others and carriers; types; or a decoy."""
    if not ships:
        return {"decoy": True}
    if level == 1:
        return {"ships": len(ships)}
    capital = sum(g.counter(s).capital for s in ships)
    if level == 2:
        carriers = sum(g.is_carrier(s) for s in ships)
        return {"capital": capital, "others": len(ships) - capital, "carriers": carriers}
    types: dict[str, int] = {}
    for s in ships:
        types[g.counter(s).type] = types.get(g.counter(s).type, 0) + 1
    return {k: types[k] for k in sorted(types)}


def _within_half(truth: Plain, stated: Plain) -> bool:
    """[PW-SRC-02] Level 1 may be misstated by half; everything else is exact."""
    if isinstance(truth, dict) and isinstance(stated, dict) and list(truth) == ["ships"] == list(stated):
        number, said = truth["ships"], stated["ships"]
        return isinstance(number, int) and isinstance(said, int) and 2 * abs(said - number) <= number and said > 0
    return same(truth, stated)


def search_mission(g: State, side: str, place: int) -> Flow[bool]:
    """[PW-AIR-07] The side whose hex a mission enters looks up; once a hex."""
    if not may_search(g, side) or not somebody_below(g, side, place):
        return False
    levels = g.board.charts.search[side][f"mission-{'night' if g.night else 'day'}"]
    rolled = yield from die(g, msg("search for the mission over {place}", place=hex_term(g, place)), "PW-AIR-07", FOE[side])
    return level_of(rolled + hides_aircraft(g, side, place) + radar(g, side), levels) > 0


def somebody_below(g: State, side: str, place: int) -> bool:
    """[PW-SRC-06] Anybody or anything in the hex that may search it."""
    sealed = any(g.markers[m].handle for m in g.forces_at(side, place)) or has_force(g, side, place)
    if sealed or _installed(g, side, place):
        return True
    return any(g.counter(u).kind != "submarine" and not g.airborne(u) for u in g.here(side, place))

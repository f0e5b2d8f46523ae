"""[11.0] Replacements: steps for reduced units, and eliminated units that come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pbem.games.empire_of_the_sun.board import KUNMING, OAHU, Board, Counter
from pbem.games.empire_of_the_sun.burma import kunming_source
from pbem.games.empire_of_the_sun.china_box import wing_in_china_fed
from pbem.games.empire_of_the_sun.deployment import entry_hexes, may_enter_china_box
from pbem.games.empire_of_the_sun.events.strategy import DivisionsSet, PointsSaved
from pbem.games.empire_of_the_sun.events.units import Placed, Rebuilt, Recovered
from pbem.games.empire_of_the_sun.labels import POOLS, names, places, unread, written
from pbem.games.empire_of_the_sun.orders import only_done, read_place, read_unit, split_order
from pbem.games.empire_of_the_sun.phase_forms import replacements
from pbem.games.empire_of_the_sun.state import ALLIES, COLLAPSED, JAPAN, SIDES, State, china_coast_lost
from pbem.games.empire_of_the_sun.supply import hostile, limits_of, supplied
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.memo import boards
from pbem.kernel.orders import illegal, possible, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg

US_NAVAL_TURNS = (2, 4, 6, 8, 10, 12)  # Replacements Chart: one step, besides the one for Oahu
JAPAN_NAVAL_TURNS = (3, 4, 11)
COMMONWEALTH_PORTS = (1307, 1308, 2015, 2709, 3727)
DIVISIONS_PER_TURN = 2
Pools = Mapping[str, int]


class Step(Struct, frozen=True):
    """One use of replacement points: a reduced unit flipped (`to` 0), or an eliminated one back in a hex (-1: China box)."""

    unit: str
    pool: str
    cost: int
    to: int = 0
    reduced: bool = False


def pool_of(counter: Counter) -> str:
    """The row of the Replacements Chart that rebuilds a unit; "" for those that are never replaced [11.1] [11.35]."""
    names = {"naval": "us-naval", "commonwealth_naval": "cw-naval"} if counter.side == ALLIES else {}
    return names.get(counter.replaced_by, counter.replaced_by)


def allied_pools(g: State) -> dict[str, int]:
    """[11.31] to [11.34] The Allied points of this turn."""
    late = g.turn >= 2
    cw_turns = (6, 9, 12) if g.second else (3, 6, 9, 12)
    cw = g.turn in cw_turns and any(g.holds(ALLIES, h) for h in COMMONWEALTH_PORTS)
    chinese = g.turn % 2 == 1 and g.china < COLLAPSED and "china" not in g.surrendered and chinese_fed(g)
    us_naval = (g.turn in US_NAVAL_TURNS) + (g.holds(ALLIES, OAHU))
    gandhi = g.ground_penalty == g.turn
    return {
        "ground": (2 - gandhi) * late,
        "air": 5,
        "us-naval": us_naval * (late and (not g.second or g.holds(ALLIES, OAHU) or OAHU not in g.board.hexes)),
        "cw-naval": int(cw),
        "chinese": int(chinese),
    }


def chinese_fed(g: State) -> bool:
    """[11.34] Kunming is a supply source."""
    if KUNMING not in g.board.hexes:
        return False
    return kunming_source(g, limits_of(g, ALLIES))


def flippable(g: State, unit: str) -> bool:
    """[11.0] A reduced unit in supply and outside a hostile zone, or in the supplied China box."""
    piece, counter = g.pieces[unit], g.counter(unit)
    if not piece.reduced or not pool_of(counter):
        return False
    if piece.box == "china":
        return wing_in_china_fed(g, unit)
    return piece.box == "map" and supplied(g, unit) and piece.at not in hostile(g, counter.side)


def rebuildable(g: State, unit: str) -> bool:
    """An eliminated unit that replacements can bring back; Australians not after their country's surrender [13.8]."""
    counter = g.counter(unit)
    lost = counter.nation == "australian" and "australia" in g.surrendered
    return g.pieces[unit].box == "eliminated" and bool(pool_of(counter)) and not lost


def replace_steps(
    g: State,
    side: str,
    pools: Pools,
    rule: str,
    may: Callable[[str], bool] = lambda unit: True,
    places: Callable[[str], list[int]] | None = None,
    withdrawals: int = 0,
) -> Flow[dict[str, int]]:
    """Ask for replacement steps until `done`; returns the points left. `may` limits the units, `places` where they come back.

    `withdrawals`: Japanese divisions that may still leave China [11.23], each worth a ground point at once.
    """
    left, taken = dict(pools), 0
    closed = hostile(g, side)  # what comes back neutralises nothing for the others
    where = places or (lambda unit: [h for h in entry_hexes(g, unit) if h not in closed])
    while True:
        more = withdrawals - taken if g.divisions > 0 else 0
        usable = {p: n + (more if p == "ground" else 0) for p, n in left.items()}
        if not _possible(g, side, usable, may, where):
            return left
        step = yield _ask(g, side, usable, rule, may, where)
        if step is None:
            return left
        drawn = max(0, step.cost - left[step.pool])
        if drawn:
            emit(g, DivisionsSet(g.divisions - drawn))
            taken += drawn
        left[step.pool] += drawn - step.cost
        _carry_out(g, step, rule)


def _carry_out(g: State, step: Step, rule: str) -> None:
    if not step.to:
        emit(g, Recovered(step.unit, rule))
    elif step.to < 0:
        emit(g, Placed(step.unit, 0, "china", rule, reduced=step.reduced))
    else:
        emit(g, Rebuilt(step.unit, step.to, step.reduced, rule))


def _replaced(board: Board) -> dict[str, dict[str, str]]:
    """By side the units that some points rebuild, and which ones."""
    return {s: {u: pool for u, c in board.counters.items() if c.side == s and (pool := pool_of(c))} for s in SIDES}


def _possible(
    g: State, side: str, usable: Pools, may: Callable[[str], bool], where: Callable[[str], list[int]]
) -> list[tuple[str, list[int]]]:
    """Units that some point can help, with the hexes in which they come back (none for a flip)."""
    found: list[tuple[str, list[int]]] = []
    for unit, pool in boards(g.board, _replaced)[side].items():
        if usable.get(pool, 0) < 1 or not may(unit):
            continue
        counter = g.counter(unit)
        if g.ground_penalty == g.turn and pool == "ground" and counter.commonwealth:
            continue  # [card J15] the strike keeps the ground steps from Commonwealth units
        if flippable(g, unit):
            found.append((unit, []))
        elif rebuildable(g, unit):
            hexes = list(where(unit))
            if may_enter_china_box(g, unit):
                hexes.append(-1)
            if hexes:
                found.append((unit, hexes))
    return found


def _ask(g: State, side: str, usable: Pools, rule: str, may: Callable[[str], bool], where: Callable[[str], list[int]]) -> Ask:
    def read(plain: Plain) -> Step | None:
        verb, body = split_order(plain, ("replace", "rebuild", DONE))
        if verb == DONE:
            only_done(body)
            return None
        able = dict(_possible(g, side, usable, may, where))
        if verb == "replace":
            unit = read_unit(g, body)
            if able.get(unit) != []:
                why = msg("{unit} takes no replacement step", unit=g.counter(unit).name)
                raise illegal(why, rule, possible(names(g, able)))
            return Step(unit, pool_of(g.counter(unit)), 1)
        return _read_rebuild(g, body, able, usable, rule)

    points = tuple(msg("{kind} {n}", kind=POOLS[p], n=n) for p, n in usable.items() if n)
    return Ask(
        side,
        "replacements",
        rule,
        msg("replacement points: {points}", points=points),
        read,
        ("replace", "rebuild", DONE),
        facts=dict(usable),
        options=lambda: _options(g, _possible(g, side, usable, may, where), usable),
        form=lambda: replacements(g, ("replace", "rebuild", DONE), dict(_possible(g, side, usable, may, where)), read),
    )


def _read_rebuild(g: State, body: Plain, able: dict[str, list[int]], usable: Pools, rule: str) -> Step:
    text = body if isinstance(body, str) else ""
    name, at, rest = text.partition(" at ")
    full = rest.rstrip().endswith(" full")
    if not at:
        raise unreadable(unread("rebuild", body), written("rebuild: UNIT at HEX", "rebuild: UNIT at HEX full"))
    unit = read_unit(g, name.strip())
    place = rest.strip().removesuffix(" full").strip()
    to = -1 if place.lower() in ("china", "china box") else read_place(g, place)
    cost = 2 if full and g.counter(unit).steps == 2 else 1
    pool = pool_of(g.counter(unit))
    if to not in able.get(unit, []):
        legal = possible(places(g, able.get(unit, ()))) or possible(names(g, able))
        raise illegal(msg("{unit} cannot come back there", unit=g.counter(unit).name), rule, legal)
    if cost > usable[pool]:
        raise illegal(msg("points that full strength costs: {n}", n=cost), rule, msg("left: {n}", n=usable[pool]))
    if pool == "chinese" and full:
        raise illegal(msg("an eliminated Chinese army comes back reduced"), "11.34")
    return Step(unit, pool, cost, to, not full and g.counter(unit).steps == 2)


def _options(g: State, possible: list[tuple[str, list[int]]], usable: Pools) -> list[Plain]:
    found: list[Plain] = []
    for unit, hexes in possible:
        if not hexes:
            found.append({"replace": unit})
        for h in hexes[:3]:
            found.append({"rebuild": f"{unit} at {'china box' if h < 0 else f'{h:04}'}"})
            if usable[pool_of(g.counter(unit))] >= 2 and g.counter(unit).replaced_by != "chinese":
                found.append({"rebuild": f"{unit} at {'china box' if h < 0 else f'{h:04}'} full"})
    return [*found, DONE]


def japanese_pools(g: State) -> dict[str, int]:
    """[11.21] [11.22] Saved naval and air points; ground points come from divisions in China."""
    return {"naval": g.points["naval"], "air": g.points["air"], "ground": 0}


def withdrawals(g: State) -> int:
    """[11.23] [13.71] How many divisions may leave China this turn."""
    limit = 1 if g.board.edges[1] == 26 else DIVISIONS_PER_TURN
    return 0 if china_coast_lost(g) else min(limit, g.divisions)


def replacement_segment(g: State) -> Flow[None]:
    """[4.12] Allies first; unused Allied points are lost, Japanese naval and air ones kept."""
    yield from replace_steps(g, ALLIES, allied_pools(g), "11.3")
    if g.turn in JAPAN_NAVAL_TURNS:
        emit(g, PointsSaved("naval", g.points["naval"] + 1, "11.21"))
    left = yield from replace_steps(g, JAPAN, japanese_pools(g), "11.2", withdrawals=withdrawals(g))
    for pool in ("air", "naval"):
        emit(g, PointsSaved(pool, left[pool], "11.0"))

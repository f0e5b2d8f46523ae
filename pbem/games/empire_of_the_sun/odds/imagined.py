"""Battles in words: points against points, or units put into a hex that nobody else is in."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.games.empire_of_the_sun.battle.strengths import AIR_NAVAL_CRT, GROUND_CRT, hits_of, rating
from pbem.games.empire_of_the_sun.board import Board
from pbem.games.empire_of_the_sun.odds.courses import DIE
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.state import FOE, YEARS, Activated, Offensive, Piece, State
from pbem.kernel.orders import illegal, possible, unreadable
from pbem.kernel.wording import msg

PLACES = ("land", "sea", "amphibious")
CONDITIONS = ("surprise", "intercept", "ambush")
EDITIONS = ("2nd-2015", "1st-2005")
TERRAINS = ("open", "jungle", "mixed", "mountain", "island")
YEAR_WORDS = {str(year): turn for turn, year in reversed(YEARS.items())}  # its first turn
DEFAULTS = {"condition": "surprise", "rules": EDITIONS[0], "terrain": "open", "year": "1942"}
CLOSED = ("Manchuria", "China", "IChina", "India", "Ceylon")  # [8.41] [13.76] not for every unit, or with troops of its own
_POINTS = re.compile(r"(\d{1,4})(?:\s*,?\s*([+-]\d{1,2}))?")
_WORDS = {
    **dict.fromkeys(CONDITIONS, "condition"),
    **dict.fromkeys(EDITIONS, "rules"),
    **dict.fromkeys(TERRAINS, "terrain"),
    **dict.fromkeys(YEAR_WORDS, "year"),
}


# -- points --------------------------------------------------------------------------------------------------------------


class Points(Struct, frozen=True):
    """Strength and modifier of the die."""

    strength: int
    drm: int


def read_points(text: str) -> Points | None:
    """`24` or `24 +3`; None for anything else."""
    found = _POINTS.fullmatch(text.strip())
    return Points(int(found[1]), int(found[2] or 0)) if found else None


def hits(points: Points, at_sea: bool) -> dict[int, float]:
    """[9.2] B, [9.4] A: number of hits -> probability."""
    found: dict[int, float] = {}
    for die in DIE:
        scored = hits_of(points.strength, rating(AIR_NAVAL_CRT if at_sea else GROUND_CRT, die + points.drm))
        found[scored] = found.get(scored, 0) + 1
    return {scored: ways / 10 for scored, ways in sorted(found.items())}


# -- units ---------------------------------------------------------------------------------------------------------------


def battle_of(board: Board, attack: str, defence: str, place: str) -> tuple[State, int]:
    """A state with this battle alone, and its hex. Raises Rejected.

    Each side: units by comma, `reduced` after a name; among them, in whatever place, the intelligence condition, the
    terrain, the year and the edition.
    """
    words = dict(DEFAULTS)
    g = State({"rules": EDITIONS[0], "simultaneous-hits": "in-order", "bid": 0})
    g.board = board
    g.pieces = {unit: Piece(0, "removed") for unit in board.counters}
    mine, theirs = _read(g, attack, words), _read(g, defence, words)
    g.options["rules"], g.turn = words["rules"], YEAR_WORDS[words["year"]]
    side = _side(g, mine, theirs)
    at, back = _hex(board, "sea" if place == "sea" else words["terrain"])
    g.control = {h: FOE[side] if h == at else side for h, x in board.hexes.items() if x.is_land}
    o = Offensive(side, "", False, "", 0, 0, battles=[at], condition=words["condition"])
    for unit, reduced in {**mine, **theirs}.items():
        g.pieces[unit] = Piece(at, "map", reduced)
    ashore = [u for u in (*mine, *theirs) if g.counter(u).kind == "ground"]
    if place == "sea" and ashore:
        raise illegal(msg("{unit} does not fight at sea", unit=g.counter(ashore[0]).name), "9.1")
    for unit in mine:
        way = {"ground": "assault" if place == "amphibious" else "land", "air": "air"}.get(g.counter(unit).kind, "sea")
        o.units[unit] = Activated(at, mode=way, came_from=back)
    if place == "amphibious" and any(u in theirs for u in ashore):
        o.garrisoned = [at]
    g.offensive = o
    g.memo.forget()
    return g, at


def _read(g: State, text: str, words: dict[str, str]) -> dict[str, bool]:
    """Unit -> reduced; words of the situation are put into `words`."""
    found: dict[str, bool] = {}
    for part in (p.strip() for p in text.split(",")):
        if part.lower() in _WORDS:
            words[_WORDS[part.lower()]] = part.lower()
            continue
        unit = read_unit(g, part.removesuffix(" reduced"))
        reduced = part.endswith(" reduced")
        if unit in found:
            raise illegal(msg("{name} is named twice", name=g.counter(unit).name), "9.1")
        if g.counter(unit).kind == "hq" or (reduced and g.counter(unit).steps == 1):
            raise illegal(msg("{unit} does not fight so", unit=part), "9.1")
        found[unit] = reduced
    return found


def _side(g: State, mine: dict[str, bool], theirs: dict[str, bool]) -> str:
    """Whose attack it is. Raises Rejected where a side has no units, or those of both."""
    one, other = ({g.counter(u).side for u in units} for units in (mine, theirs))
    if len(one) != 1 or len(other) != 1 or one == other:
        raise unreadable(
            msg("a battle needs units of one side against units of the other"),
            msg("for example: {order}", order='"CV Akagi, CV Kaga, intercept" "CV Lexington, CA Exeter" --sea'),
        )
    return min(one)


def _hex(board: Board, terrain: str) -> tuple[int, int]:
    """A hex of this terrain, and a neighbour that an attack overland comes from (0: there is none).

    It has no troops of its own, and on land a second neighbour to retreat to. Raises Rejected.
    """
    for place, here in board.hexes.items():
        fits = {"sea": not here.is_land, "island": here.one_hex_island}.get(terrain, here.terrain == terrain)
        if not fits or here.city in ("garrison", "homeland") or here.region in CLOSED:
            continue
        ways = [n for n in board.by_land[place] if board.hexes[n].region not in CLOSED] if here.is_land else []
        if len(ways) > 1 or terrain in ("sea", "island"):
            return place, ways[0] if ways else 0
    raise unreadable(msg("no hex of this map is {terrain}", terrain=terrain), possible(TERRAINS))

"""[13.7] The Burma Road, the Hump and what they feed: Kunming."""

from __future__ import annotations

from functools import lru_cache

from pbem.games.empire_of_the_sun.board import KUNMING, LASHIO, MADRAS, RANGOON, Board
from pbem.games.empire_of_the_sun.fields import Field, Fields
from pbem.games.empire_of_the_sun.lines import ANY_LENGTH, ANY_PORTS, Ground, along_routes, by_sea, lines, missing_routes
from pbem.games.empire_of_the_sun.state import ALLIES, State
from pbem.kernel.memo import boards

NORTHERN_FIELDS = (1905, 2104, 2205)  # airfields of Northern India
HUMP_FIELDS = (1905, 2104)  # [6.23] those that the Hump flies from in the second edition


def kunming_source(g: State, limits: Ground) -> bool:
    """[13.75] The Burma Road is open, or the Hump flies from a supply-eligible airfield of Northern India."""
    return road(g, limits) or (g.has("hump") and hump_field(g, limits))


def hump_field(g: State, limits: Ground) -> bool:
    """The Allies control an airfield in Northern India that some HQ can reach by a line: Jarhat or Dacca [6.23]."""
    return any(eligible_field(g, h, limits) for h in (HUMP_FIELDS if g.second else NORTHERN_FIELDS))


def eligible_field(g: State, place: int, limits: Ground) -> bool:
    """[1.3] The airfield is supply-eligible: a line of any length leads there from some HQ, supplied or not."""
    if place not in g.board.hexes or not g.friendly_airfield(ALLIES, place):
        return False
    starts = [g.pieces[u].at for u in g.on_map(ALLIES) if g.counter(u).kind == "hq"]
    return g.board.fields.has(lines(g, g.board.fields.of(starts), limits, ANY_LENGTH, ANY_PORTS).all, place)


def road(g: State, limits: Ground) -> bool:
    return _road_second(g, limits) if g.second else _road_first(g)


def _road_first(g: State) -> bool:
    """[1e-12.76] The road itself is Kunming, 2306, Lashio; beyond it any Allied hexes lead to Madras."""
    fields = g.board.fields
    held = g.held(ALLIES)
    found = frontier = fields.of([LASHIO]) & held
    while frontier:
        frontier = fields.step("land", frontier) & held & ~found
        found |= frontier
    return fields.has(found, MADRAS)


def _routes(board: Board) -> Field:
    """The hexes with a strategic transport route."""
    return board.fields.of(board.on_routes)


@lru_cache(maxsize=64)
def _from_kunming(fields: Fields, held: Field, kwai: Field, shut: Field) -> Field:
    """Where usable routes over some hexes lead."""
    found = frontier = fields.one[KUNMING]
    while frontier:
        frontier = along_routes(fields, frontier, kwai, shut) & held & ~found
        found |= frontier
    return found


def _road_second(g: State, limits: Ground) -> bool:
    fields = g.board.fields
    found = _from_kunming(fields, boards(g.board, _routes) & g.held(ALLIES), *missing_routes(g))
    if fields.has(found, MADRAS):
        return True
    reach = by_sea(fields, fields.of([RANGOON]), limits.closed)
    return fields.has(found, RANGOON) and bool(reach & (fields.one[MADRAS] | g.board.east_edge))

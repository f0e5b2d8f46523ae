"""[7.24] Battle hexes: where units of both sides stand, who fights or covers from where he is."""

from __future__ import annotations

from msgspec import Struct, field

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, State, offensive


class Declaration(Struct):
    """Battle hexes and who takes part from outside, as declared so far; covered landings."""

    battles: dict[int, list[str]] = field(default_factory=dict)
    covers: dict[int, list[str]] = field(default_factory=dict)

    def assigned(self) -> list[str]:
        """Units that have a hex already."""
        return [u for units in (*self.battles.values(), *self.covers.values()) for u in units]


def must_fight(g: State) -> list[int]:
    """[7.24] Hexes with units of both sides, HQs included."""
    return [*g.memo.cached("must fight", lambda: _must_fight(g))]


def _must_fight(g: State) -> list[int]:
    o = offensive(g)
    mine = {g.pieces[u].at for u in o.units if g.pieces[u].box == "map"}
    return sorted(h for h in mine if g.mine_at(FOE[o.side], h) or (o.side == ALLIES and g.intrinsic(h)))


def in_range(g: State, unit: str, place: int) -> bool:
    """[1.3] An air unit or carrier can fight in the hex from where it is; not after a move at parenthetical range."""
    o = offensive(g)
    counter, piece = g.counter(unit), g.pieces[unit]
    entry = o.units.get(unit) or o.reactors.get(unit)
    if not counter.flies or piece.box != "map" or (entry and entry.mode == "strategic"):
        return False
    if entry is not None and entry.far and counter.parenthesis:
        return False
    return distance(piece.at, place) <= counter.reach


def may_cover(g: State, place: int) -> bool:
    """An enemy hex without enemy units."""
    foe = FOE[offensive(g).side]
    return g.holds(foe, place) and not g.mine_at(foe, place)

"""Ways over the whole map in a few steps: hexes are bits of a number, a step is a shift of all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial

from pbem.games.pacific_war.board import NODE, Board

ROW = 64  # bits of a row of the map
PARTS = 1 << 12  # the first bit of the sea nodes in double-coastline hexes
KEPT = 4000  # areas of a kind
Shifts = tuple[tuple[int, int], ...]  # how far to shift which hexes


def bit(place: int) -> int:
    """A hex as a bit."""
    return 1 << (place // 100 * ROW + place % 100)


def bits(places: Iterable[int]) -> int:
    """Hexes as bits."""
    found = 0
    for place in places:
        found |= bit(place)
    return found


def places_of(found: int) -> Iterator[int]:
    """The hexes of some bits, in order."""
    text = bin(found)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at // ROW * 100 + at % ROW
        at = text.find("1", at + 1)


@lru_cache(maxsize=KEPT)
def hexes_of(found: int) -> frozenset[int]:
    """The hexes of some bits."""
    return frozenset(places_of(found))


class Ways:
    """The sea ways and marches of a board."""

    def __init__(self, board: Board) -> None:
        self.parts = self._double_coasts(board)
        sea = ((a, b) for a, ways in board.sea_ways.items() if a < NODE for b in ways if b < NODE)
        self.sea = _shifts(sea)
        marches: dict[int, list[tuple[int, int]]] = {}
        for a, priced in board.land_ways.items():
            for b, price in priced:
                marches.setdefault(price, []).append((a, b))
        self.land = {price: _shifts(pairs) for price, pairs in marches.items()}
        self.back = {price: _shifts((b, a) for a, b in pairs) for price, pairs in marches.items()}
        self.coasts = bits(board.coasts)
        (west, east), south = board.positions, board.rows[0]
        self._seas: dict[tuple[int, int], int] = {}  # hexes and number of steps -> what is reached where nothing is barred
        self._flooded: dict[tuple[int, int, int], int] = {}
        self._lands: tuple[dict[tuple[int, int], int], ...] = ({}, {})  # onwards, towards
        self._marched: tuple[dict[tuple[int, int, int], int], ...] = ({}, {})
        self.edge = bits(h for h in board.seas if h % 100 in (west, east) or h // 100 == south)  # [PW-CMD-07]
        self._within: dict[int, int] = {}
        self._board = board

    def _double_coasts(self, board: Board) -> dict[int, tuple[int, int, int]]:
        """[PW-MAP-01] Sea node: its bit, the bit of its hex, the bits of its neighbours."""
        nodes = [n for n in board.sea_ways if n > NODE]
        own = {n: 1 << (PARTS + i) for i, n in enumerate(nodes)}
        found = {}
        for n in nodes:
            near = 0
            for way in board.sea_ways[n]:
                near |= own[way] if way > NODE else bit(way)
            found[n] = own[n], bit(n % NODE), near
        return found

    def around(self, place: int) -> int:
        """Bits of the hexes within two hexes of a hex."""
        if place not in self._within:
            self._within[place] = bits(self._board.within(place, 2))
        return self._within[place]

    def shut(self, barred: int) -> int:
        """Barred hexes with the sea nodes in them."""
        for own, place, _ in self.parts.values():
            if place & barred:
                barred |= own
        return barred

    def flood(self, start: int, most: int, barred: int) -> int:
        """Hexes within a number of steps over water of some hexes, not through barred ones; the start is never barred.

        Kept by what is barred among the hexes that could be reached at all: nothing else changes it.
        """
        return _kept(self._seas, self._flooded, self._flood, start, most, barred) & ((1 << PARTS) - 1)

    def _flood(self, start: int, most: int, barred: int) -> int:
        for own, place, _ in self.parts.values():
            if place & start:
                start |= own
        seen = live = start
        for _ in range(most):
            new = _step(live, self.sea)
            for own, _, near in self.parts.values():
                if live & near:
                    new |= own
                if live & own:
                    new |= near
            new &= ~seen
            if not new:
                break
            seen |= new
            live = new & ~barred
        for own, place, _ in self.parts.values():
            if seen & own:
                seen |= place
        return seen

    def overland(self, start: int, points: int, barred: int, towards: bool = False) -> int:
        """Hexes within a number of movement points of a hex, not through barred ones; `towards`: from which it is reached.

        Kept as for water, each direction by itself.
        """
        find = partial(self._overland, self.back if towards else self.land)
        return _kept(self._lands[towards], self._marched[towards], find, start, points, barred)

    def _overland(self, ways: Mapping[int, Shifts], start: int, points: int, barred: int) -> int:
        reached = [0] * (points + 1)
        reached[0] = seen = start
        for spent in range(points):
            live = reached[spent] if spent == 0 else reached[spent] & ~barred
            if not live:
                continue
            for price, shifts in ways.items():
                if spent + price <= points:
                    new = _step(live, shifts)
                    reached[spent + price] |= new
                    seen |= new
        return seen


def _kept(
    open_ways: dict[tuple[int, int], int],
    known: dict[tuple[int, int, int], int],
    find: Callable[[int, int, int], int],
    start: int,
    most: int,
    barred: int,
) -> int:
    if (start, most) not in open_ways:
        if len(open_ways) >= KEPT:
            open_ways.clear()
        open_ways[start, most] = find(start, most, 0)
    key = start, most, barred & open_ways[start, most]
    if key not in known:
        if len(known) >= KEPT:
            known.clear()
        known[key] = find(*key)
    return known[key]


def _shifts(pairs: Iterable[tuple[int, int]]) -> Shifts:
    """Ways from hex to hex, gathered by how far their bits are apart."""
    found: dict[int, int] = {}
    for a, b in pairs:
        far = (b // 100 - a // 100) * ROW + b % 100 - a % 100
        found[far] = found.get(far, 0) | bit(a)
    return tuple(found.items())


def _step(live: int, shifts: Shifts) -> int:
    new = 0
    for far, able in shifts:
        here = live & able
        if here:
            new |= here << far if far > 0 else here >> -far
    return new

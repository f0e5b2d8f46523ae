"""Where ships can rest, and how far it is over the sea."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import distance, shortest
from pbem.games.pacific_war.state import FOE, STRATEGIC, State
from pbem.games.pacific_war.world.links import linked_hexes

NEAREST_PORTS, FEW_WAYS = 12, 3
OVERRUN = 2  # hexes from which enemy troops come upon ships in an anchorage that nobody guards [PW-MOV-04]


def harbours(g: State, side: str) -> list[int]:
    """Friendly ports without enemy ships; in campaigns linked ones if there are any."""
    ports = [h for h, b in g.ports.items() if b.side == side and not g.afloat(FOE[side], h)]
    if g.operation is None:
        return ports
    linked = linked_hexes(g, side)
    return [h for h in ports if h in linked] or ports


def refuge(g: State, side: str, at: int) -> int:
    """The nearest port or linked anchorage in which ships can rest; 0: none is near."""

    def find() -> list[int]:
        linked = linked_hexes(g, side)
        return [
            h for h in {**dict.fromkeys(harbours(g, side)), **dict.fromkeys(anchorages(g))} if h in linked and _safe(g, side, h)
        ]

    return reached(g, at, g.memo.cached(("bot refuges", side), find))


def reached(g: State, at: int, places: Sequence[int]) -> int:
    """The place with the shortest voyage, of those that are near; 0: the sea leads to none."""
    near = sorted((distance(at, h), h) for h in places)[:NEAREST_PORTS]
    ways = [(n, h) for _, h in near for n in [voyage(g, at, h)] if n is not None][:FEW_WAYS]
    return min(ways, default=(0, 0))[1]


def voyage(g: State, at: int, goal: int) -> int | None:
    """Hexes of the shortest way over the sea; None: there is none."""

    def find() -> int | None:
        way = shortest(g.board, at, goal, g.board.sea) if at != goal else []
        return None if way is None else len(way)

    return g.memo.cached(("bot voyage", at, goal), find)


def anchorages(g: State) -> list[int]:
    """[PW-MAP-02] Hexes of the sea in which ships can rest."""
    return g.memo.cached("bot anchorages", lambda: sorted(h for h in g.board.seas if g.anchorage(h)))


def _safe(g: State, side: str, place: int) -> bool:
    """Ships of the side may rest there, and no enemy troops make the place theirs [PW-MOV-04]."""
    foe = FOE[side]
    if g.port(foe, place) or g.afloat(foe, place) or g.ashore(foe, place):
        return False
    return (
        g.level != STRATEGIC or bool(g.ashore(side, place)) or not any(g.ashore(foe, h) for h in g.board.within(place, OVERRUN))
    )

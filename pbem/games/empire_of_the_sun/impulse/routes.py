"""[13.77] Transport routes that a card may build."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import RANGOON
from pbem.games.empire_of_the_sun.deployment import port_fed
from pbem.games.empire_of_the_sun.lines import BUILT_ROUTES
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State


def routes_to_build(g: State, side: str) -> list[str]:
    """[13.77] B, C: Jarhat before the others; the Allies need all of Northern India and Akyab, Japan a line to Rangoon."""
    left = [n for n in BUILT_ROUTES if n not in g.routes and BUILT_ROUTES[n] in g.board.hexes]
    if side == ALLIES:
        wanted = [*g.board.region("NIndia"), 2006]
        if not all(g.holds(ALLIES, h) for h in wanted):
            return []
        return ["jarhat"] if "jarhat" in left else left
    return ["imphal"] if "imphal" in left and _imphal_line(g) else []


def _imphal_line(g: State) -> bool:
    """Along routes through Japanese hexes from Imphal to a supplied Japanese Rangoon."""
    here, goal = BUILT_ROUTES["imphal"], RANGOON
    if not (g.holds(JAPAN, here) and g.holds(JAPAN, goal) and port_fed(g, JAPAN, goal)):
        return False
    found, frontier = {here}, [here]
    while frontier:
        at = frontier.pop()
        for n in g.board.by_land[at]:
            if n not in found and g.holds(JAPAN, n) and g.board.route(at, n):
                found.add(n)
                frontier.append(n)
    return goal in found

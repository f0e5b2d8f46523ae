"""[7.23] A stack that has moved: its events, the zones that it touched, the way that a search has found."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.events.offensives import Moved, StackMoving, ZoneTouched
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import zone_met
from pbem.kernel.events import Event


def stack_moved(
    g: State, route: Route, paths: dict[str, tuple[int, ...]], mode: str, rule: str, **more: int | str | bool
) -> list[Event]:
    """A move of each unit along its path; `more` goes into each of them as it is."""
    found: list[Event] = []
    for unit, path in paths.items():
        before = path[-2] if len(path) > 1 else 0
        found.append(Moved(unit, path, mode, rule, came_from=before, **more))  # type: ignore[arg-type]
    found.append(StackMoving(tuple(route.units), rule))
    return [*found, *_touching(g, route.units[0], next(iter(paths.values())))]


def _touching(g: State, unit: str, path: Sequence[int]) -> list[Event]:
    """[7.25] E: the active stack leaves, enters or crosses a hex of the enemy's zone, neutralised or not."""
    o = offensive(g)
    met = unit in o.units and not o.touched and zone_met(g, FOE[o.side], path)
    return [ZoneTouched()] if met else []


def way_back(came: dict[int, int], to: int) -> tuple[int, ...]:
    """The way to a hex without its start, from what each hex was entered from (the start: 0)."""
    path = []
    while came[to]:
        path.append(to)
        to = came[to]
    return tuple(reversed(path))

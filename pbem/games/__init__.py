"""The rules modules, by the name a charter gives them. The only place that knows which games there are.

A game that is not built in is found by an entry point of the group `pbem.games`: its name, and the place of its `GameModule`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pbem.games.module import GameModule
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import msg

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Module = GameModule[Any]
GROUP = "pbem.games"


def _pacific_1940() -> Module:
    from pbem.games.axis_and_allies_pacific.game import GAME

    return GAME


def _empire_of_the_sun() -> Module:
    from pbem.games.empire_of_the_sun.game import GAME

    return GAME


def _next_war() -> Module:
    from pbem.games.next_war.game import GAME

    return GAME


def _pacific_war() -> Module:
    from pbem.games.pacific_war.game import GAME

    return GAME


BUILT_IN: dict[str, Callable[[], Module]] = {
    "axis-and-allies-pacific": _pacific_1940,
    "empire-of-the-sun": _empire_of_the_sun,
    "next-war": _next_war,
    "pacific-war": _pacific_war,
}
TITLES = {  # of those built in, for who asks for nothing else
    "axis-and-allies-pacific": "Axis & Allies Pacific 1940",
    "empire-of-the-sun": "Empire of the Sun",
    "next-war": "Next War",
    "pacific-war": "Pacific War",
}
_REGISTERED: dict[str, Module] = {}


def names() -> list[str]:
    """Every game that can be played here: those built in, and those that other packages bring."""
    return list(dict.fromkeys([*BUILT_IN, *_REGISTERED, *(point.name for point in _installed())]))


def titles() -> dict[str, str]:
    """Every game by name; instead of its title what is wrong with one that a package says it brings."""
    found = {}
    for name in names():
        try:
            found[name] = TITLES.get(name) or load(name).title
        except Exception as error:  # another package's code: whatever is wrong with it, the others can be played
            found[name] = f"cannot be played: {error}"
    return found


def is_known(name: object) -> bool:
    """There is a game of this name."""
    return isinstance(name, str) and (name in BUILT_IN or name in _REGISTERED or name in names())


def load(name: str) -> Module:
    """A rules module. Raises Rejected for a name that is not known, or a package that does not bring what it says."""
    if name in BUILT_IN:
        return BUILT_IN[name]()
    if name in _REGISTERED:
        return _REGISTERED[name]
    points = [point for point in _installed() if point.name == name]
    if not points:
        raise unreadable(msg("there is no system {name!r}", name=name), nearest(name, names()))
    found = points[0].load()
    if not isinstance(found, GameModule) or found.name != name:
        raise unreadable(
            msg(
                "the package that brings {name} does not bring it: {value} is no GameModule of that name",
                name=name,
                value=points[0].value,
            )
        )
    return found


def _installed() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # a scan costs what a whole command costs: never for a built-in name

    return list(entry_points(group=GROUP))


@contextmanager
def register(module: Module) -> Iterator[None]:
    """A game for the length of a block, for tests. A built-in name cannot be taken over."""
    assert module.name not in BUILT_IN
    _REGISTERED[module.name] = module
    try:
        yield
    finally:
        _REGISTERED.pop(module.name, None)

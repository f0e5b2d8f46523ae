"""What one picture leaves to the next of the same game and look: parts are drawn anew only where they have changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pbem.report.maps.style import Shape
from pbem.report.maps.tokens import Shapes

Part = TypeVar("Part")


class Kept:
    """The parts of the latest picture by name, each with what it was drawn from and the silhouettes that it uses."""

    def __init__(self) -> None:
        self._parts: dict[object, tuple[object, Any, dict[str, Shape]]] = {}

    def part(self, name: object, of: object, used: Shapes, draw: Callable[[], Part]) -> Part:
        """The part of that name: as it was where it is drawn from the same, `of`, else drawn. Nothing else may go into it."""
        known = self._parts.get(name)
        if known is None or known[0] != of:
            made, shapes = used.noted(draw)
            self._parts[name] = known = (of, made, shapes)
        used.used.update(known[2])
        found: Part = known[1]
        return found

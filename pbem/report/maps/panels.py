"""Panels of an area map: one for each space, in its area or beside it, settled so that none covers another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pbem.kernel.picture import Space, Stack
from pbem.report.maps import tokens
from pbem.report.maps.areas import Areas, Box
from pbem.report.maps.tokens import Panel, Token

LARGEST, LARGEST_NAME = 1.3, 1.15
ISLET = 36.0  # board units around an islet that no panel should cover
STEP, FARTHEST = 14, 12
COVERED = 12.0  # square units of another panel that are as bad as one unit of distance
STEPS = sorted(
    ((dx * STEP, dy * STEP) for dx in range(-FARTHEST, FARTHEST + 1) for dy in range(-FARTHEST, FARTHEST + 1)),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A space's panel on the board."""

    space: Space
    panel: Panel
    size: float
    x: float
    y: float
    outside: bool  # it stands beside its area

    @property
    def box(self) -> Box:
        """Middle and extent."""
        return self.x, self.y, self.panel.width * self.size, self.panel.height * self.size


def settled(
    spaces: Iterable[Space], told: Callable[[Space], list[Token]], shapes: Areas, *, largest: float = 0
) -> list[Placed]:
    """Every space's panel; those that are larger than their room give way to others. `largest`: of all, 0: as suits them."""
    fitted = []
    for space in spaces:
        x, y, width, height = shapes.boxes[space.id]
        most = largest or (LARGEST if any(stack.count for stack in space.stacks) else LARGEST_NAME)
        panel, size = tokens.fit(told(space), width, height, most)
        fits = panel.width * size <= width + 1 and panel.height * size <= height + 1
        outside = not space.sea and space.id not in shapes.inside
        fitted.append((fits, Placed(space, panel, size, x, y, outside)))
    standing = [placed for fits, placed in fitted if fits]
    islets = [(*shapes.anchors[placed.space.id], ISLET, ISLET) for _, placed in fitted if placed.outside]
    for _, placed in (pair for pair in fitted if not pair[0]):
        standing.append(_best_place(placed, standing, islets, shapes))
    return standing


def refilled(placed: Placed, space: Space, told: Sequence[Token]) -> Placed:
    """Another content in a panel that stays where it is and as large as it is."""
    inner = tokens.flow(told, placed.panel.width)
    aside = (placed.panel.width - inner.width) / 2
    moved = tuple((x + aside, y, token) for x, y, token in inner.tokens)
    return replace(placed, space=space, panel=Panel(placed.panel.width, placed.panel.height, moved))


def united(one: Space, other: Space) -> Space:
    """A space with the larger of two numbers of each stack."""
    return replace(one, stacks=_united(one.stacks, other.stacks), badges=max(one.badges, other.badges, key=len))


def _united(one: Sequence[Stack], other: Sequence[Stack]) -> tuple[Stack, ...]:
    found = {(stack.owner, stack.type): stack for stack in one}
    for stack in other:
        known = found.get((stack.owner, stack.type), stack)
        larger = replace(known, count=max(known.count, stack.count), damaged=max(known.damaged, stack.damaged))
        found[stack.owner, stack.type] = larger
    owners = dict.fromkeys(stack.owner for stack in (*one, *other))
    return tuple(stack for owner in owners for stack in found.values() if stack.owner == owner)


def _best_place(placed: Placed, others: Sequence[Placed], islets: Sequence[Box], shapes: Areas) -> Placed:
    """The nearest place on the board where a panel that is larger than its room covers hardly anything."""
    _, _, width, height = placed.box
    reach = STEP * FARTHEST
    field = (placed.x, placed.y, width + 2 * reach, height + 2 * reach)
    near = tuple(box for box in (*(other.box for other in others), *islets) if overlap(field, box))
    x, y = _best_spot(placed.box, near, shapes.width, shapes.height)
    return replace(placed, x=x, y=y)


@lru_cache(maxsize=4096)  # from one picture of a game to the next most panels stay as they are
def _best_spot(box: Box, near: tuple[Box, ...], wide: float, high: float) -> tuple[float, float]:
    middle_x, middle_y, width, height = box
    best, least = (middle_x, middle_y), float("inf")
    for dx, dy in STEPS:
        distance = math.hypot(dx, dy)
        if distance >= least:
            break
        x = min(max(middle_x + dx, width / 2 + 4), wide - width / 2 - 4)
        y = min(max(middle_y + dy, height / 2 + 4), high - height / 2 - 4)
        price = distance + sum(overlap((x, y, width, height), other) for other in near) / COVERED
        if price < least:
            best, least = (x, y), price
    return best


def overlap(one: Box, other: Box) -> float:
    wide = min(one[0] + one[2] / 2, other[0] + other[2] / 2) - max(one[0] - one[2] / 2, other[0] - other[2] / 2)
    high = min(one[1] + one[3] / 2, other[1] + other[3] / 2) - max(one[1] - one[3] / 2, other[1] - other[3] / 2)
    return max(0.0, wide + 6) * max(0.0, high + 4) if wide > -6 and high > -4 else 0.0

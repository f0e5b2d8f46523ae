"""Panels of an area map: one for each space, in its area or beside it, settled so that none covers another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pbem.kernel.picture import Space, Stack
from pbem.report.maps import tokens
from pbem.report.maps.areas import Areas, Box
from pbem.report.maps.tokens import Panel, Token

LARGEST, LARGEST_NAME = 1.3, 1.15
ISLET = 36.0  # board units around an islet that no panel should cover
STEP, FARTHEST = 14, 12
ROOM = (6.0, 4.0)  # beside a panel and below it, which belong to it too
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


def fitted(space: Space, told: Callable[[Space], list[Token]], shapes: Areas, *, largest: float = 0) -> Placed:
    """A space's panel at its own place, as large as suits its room. `largest`: of its tokens at most, 0: as suits it."""
    x, y, width, height = shapes.boxes[space.id]
    most = largest or (LARGEST if any(stack.count for stack in space.stacks) else LARGEST_NAME)
    panel, size = tokens.fit(told(space), width, height, most)
    return Placed(space, panel, size, x, y, not space.sea and space.id not in shapes.inside)


def settled(panels: Sequence[Placed], shapes: Areas) -> list[Placed]:
    """Panels that stand at their own places: those that are larger than their room give way to others."""
    standing = [one for one in panels if _fits(one, shapes)]
    islets = [(*shapes.anchors[one.space.id], ISLET, ISLET) for one in panels if one.outside]
    taken = [_sides(box) for box in (*islets, *(one.box for one in standing))]
    for one in (one for one in panels if not _fits(one, shapes)):
        standing.append(_best_place(one, taken, shapes))
        taken.append(_sides(standing[-1].box))
    return standing


def _sides(box: Box) -> Box:
    """Left, top, right, bottom of a panel; on its right and below it with the room that belongs to it."""
    x, y, width, height = box
    return x - width / 2, y - height / 2, x + width / 2 + ROOM[0], y + height / 2 + ROOM[1]


def _fits(placed: Placed, shapes: Areas) -> bool:
    """Is the panel as small as the room of its area?"""
    width, height = shapes.boxes[placed.space.id][2:]
    return placed.box[2] <= width + 1 and placed.box[3] <= height + 1


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


def _best_place(placed: Placed, taken: Sequence[Box], shapes: Areas) -> Placed:
    """The nearest place on the board where a panel that is larger than its room covers hardly anything. `taken`: sides."""
    x, y, width, height = placed.box
    reach = STEP * FARTHEST
    left, top, right, bottom = _sides((x, y, width + 2 * reach, height + 2 * reach))
    near = tuple([one for one in taken if one[0] < right and one[2] > left and one[1] < bottom and one[3] > top])
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
        covered = _covered(_sides((x, y, width, height)), near, (least - distance) * COVERED)
        if distance + covered / COVERED < least:
            best, least = (x, y), distance + covered / COVERED
    return best


def _covered(sides: Box, others: Sequence[Box], most: float) -> float:
    """How much a panel covers of others; whatever is `most` or more is not counted to its end."""
    left, top, right, bottom = sides
    covered = 0.0
    for x1, y1, x2, y2 in others:
        across = (right if right < x2 else x2) - (left if left > x1 else x1)
        down = (bottom if bottom < y2 else y2) - (top if top > y1 else y1)
        if across > 0 and down > 0:
            covered += across * down
            if covered >= most:
                break
    return covered


def overlap(one: Box, other: Box) -> float:
    """What two panels, by middle and extent, cover of each other's room."""
    wide = min(one[0] + one[2] / 2, other[0] + other[2] / 2) - max(one[0] - one[2] / 2, other[0] - other[2] / 2)
    high = min(one[1] + one[3] / 2, other[1] + other[3] / 2) - max(one[1] - one[3] / 2, other[1] - other[3] / 2)
    return (wide + ROOM[0]) * (high + ROOM[1]) if wide > -ROOM[0] and high > -ROOM[1] else 0.0

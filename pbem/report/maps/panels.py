"""Panels of an area map: one for each space, in its area or beside it, settled so that none covers another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.picture import Space, Stack
from pbem.report.maps import tokens
from pbem.report.maps.areas import Areas, Box
from pbem.report.maps.tokens import Panel, Token

LARGEST, LARGEST_NAME = 1.3, 1.15
ISLET = 36.0  # board units around an islet that no panel should cover
STEP, FARTHEST = 14, 14
ROUNDS = 3  # in which panels look for a better place than the one found
Sides = tuple[float, float, float, float, float]  # left, top, right, bottom; what covering a square unit of it counts
NOWHERE: Sides = (0.0, 0.0, 0.0, 0.0, 1.0)  # of what is not there
ROOM = (6.0, 4.0)  # beside a panel and below it, which belong to it too
USUAL = 6000.0  # square units: a smaller panel counts as much where it is covered, so that no number of a sea zone is hidden
COVERED = 12.0  # square units of another panel that are as bad as one unit of distance
STEPS = sorted(
    ((dx * STEP, dy * STEP) for dx in range(-FARTHEST, FARTHEST + 1) for dy in range(-FARTHEST, FARTHEST + 1)),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)


class Placed(Struct, frozen=True):
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
    """Panels that stand at their own places: those that are larger than their room give way to others.

    What covers something all the same, or is covered, looks for a place once more when all are known; panels that have room
    for it move in their own.
    """
    loose = [one for one in panels if not _fits(one, shapes)]
    standing = [one for one in panels if _fits(one, shapes)]
    islets = [_sides((*shapes.anchors[one.space.id], ISLET, ISLET), 1.0) for one in panels if one.outside]
    taken = [*islets, *(_sides(one.box) for one in standing)]
    for one in loose:
        standing.append(_best_place(one, taken, shapes))
        taken.append(_sides(standing[-1].box))
    for _ in range(ROUNDS):
        if not _better(standing, taken, shapes, {one.space.id: one for one in panels}):
            break
    return standing


def _better(standing: list[Placed], taken: list[Sides], shapes: Areas, own: Mapping[str, Placed]) -> bool:
    """Panels that cover something look for a place among all others; has one found another? `taken` ends with theirs."""
    moved, before = False, len(taken) - len(standing)
    for at in (at for at in _touching(taken) if at >= before):
        one, there = standing[at - before], taken[at]
        taken[at] = NOWHERE
        if _covered(there, taken, 1.0):
            standing[at - before] = better = _best_place(own[one.space.id], taken, shapes)
            moved, there = moved or better.box != one.box, _sides(better.box)
        taken[at] = there
    return moved


def _touching(taken: Sequence[Sides]) -> list[int]:
    """Where in the list the sides are that cover some of others."""
    found, open_ = set[int](), list[int]()
    for at in sorted(range(len(taken)), key=lambda at: taken[at][0]):
        left, top, _, bottom, _ = taken[at]
        open_ = [other for other in open_ if taken[other][2] > left]
        near = [other for other in open_ if taken[other][1] < bottom and taken[other][3] > top]
        found.update(near, [at] if near else [])
        open_.append(at)
    return sorted(found)


def _sides(box: Box, weight: float = 0) -> Sides:
    """The sides of a panel, on its right and below it with the room that belongs to it. `weight` 0: as its size gives it."""
    x, y, width, height = box
    if not width:
        return NOWHERE
    wide, high = width + ROOM[0], height + ROOM[1]
    return x - width / 2, y - height / 2, x - width / 2 + wide, y - height / 2 + high, weight or max(1.0, USUAL / (wide * high))


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


def _best_place(placed: Placed, taken: Sequence[Sides], shapes: Areas) -> Placed:
    """The nearest place where a panel covers hardly anything: in its own room, or on the board if it is larger than that.
    `taken`: the others."""
    x, y, width, height = placed.box
    reach = STEP * FARTHEST
    left, top, right, bottom, _ = _sides((x, y, width + 2 * reach, height + 2 * reach))
    near = tuple([one for one in taken if one[0] < right and one[2] > left and one[1] < bottom and one[3] > top])
    x, y = _best_spot(placed.box, near, _room(placed, shapes))
    return replace(placed, x=x, y=y)


def _room(placed: Placed, shapes: Areas) -> Box:
    """Where the middle of a panel can be: left, top, right, bottom."""
    x, y, width, height = placed.box
    if not _fits(placed, shapes):
        return width / 2 + 4, height / 2 + 4, shapes.width - width / 2 - 4, shapes.height - height / 2 - 4
    broad, tall = shapes.boxes[placed.space.id][2:]
    across, down = max(0.0, broad - width) / 2, max(0.0, tall - height) / 2
    return x - across, y - down, x + across, y + down


@lru_cache(maxsize=4096)  # from one picture of a game to the next most panels stay as they are
def _best_spot(box: Box, near: tuple[Sides, ...], room: Box) -> tuple[float, float]:
    middle_x, middle_y, width, height = box
    best, least = (middle_x, middle_y), float("inf")
    for dx, dy in STEPS:
        distance = math.hypot(dx, dy)
        if distance >= least:
            break
        x = min(max(middle_x + dx, room[0]), room[2])
        y = min(max(middle_y + dy, room[1]), room[3])
        covered = _covered(_sides((x, y, width, height)), near, (least - distance) * COVERED)
        if distance + covered / COVERED < least:
            best, least = (x, y), distance + covered / COVERED
    return best


def _covered(sides: Sides, others: Sequence[Sides], most: float) -> float:
    """How much a panel covers of others; whatever is `most` or more is not counted to its end."""
    left, top, right, bottom, _ = sides
    covered = 0.0
    for x1, y1, x2, y2, weight in others:
        across = (right if right < x2 else x2) - (left if left > x1 else x1)
        down = (bottom if bottom < y2 else y2) - (top if top > y1 else y1)
        if across > 0 and down > 0:
            covered += across * down * weight
            if covered >= most:
                break
    return covered


def overlap(one: Box, other: Box) -> float:
    """What two panels, by middle and extent, cover of each other's room."""
    wide = min(one[0] + one[2] / 2, other[0] + other[2] / 2) - max(one[0] - one[2] / 2, other[0] - other[2] / 2)
    high = min(one[1] + one[3] / 2, other[1] + other[3] / 2) - max(one[1] - one[3] / 2, other[1] - other[3] / 2)
    return (wide + ROOM[0]) * (high + ROOM[1]) if wide > -ROOM[0] and high > -ROOM[1] else 0.0

"""Curves over the turns of a game with the band in which they lie, laid out for a drawing that a template writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

WIDTH, HEIGHT = 360, 210
LEFT, RIGHT, TOP, BOTTOM = 46, 348, 12, 180
MOST_TICKS = 8  # turns that are named below


class Point(Struct, frozen=True):
    """A value of a turn and the ends of its band."""

    turn: int
    low: int
    middle: int
    high: int


class Line(Struct, frozen=True):
    """A curve with its name, "" where it is the only one."""

    name: str
    points: Sequence[Point]


class Drawn(Struct, frozen=True):
    """A curve on the sheet: corners of the line and of its band."""

    name: str
    line: str
    band: str


class Curve(Struct, frozen=True):
    """A drawing: its curves, and where turns and values stand beside it, (place, words) each."""

    drawn: tuple[Drawn, ...]
    turns: tuple[tuple[int, str], ...]
    values: tuple[tuple[int, str], ...]
    size: tuple[int, int] = (WIDTH, HEIGHT)
    frame: tuple[int, int, int, int] = (LEFT, TOP, RIGHT, BOTTOM)

    @classmethod
    def of(cls, lines: Sequence[Line], low: int, high: int, words: Callable[[int], str]) -> Curve:
        """Curves between two values, of which `high` is the larger; `words` says what a value is called."""
        turns = sorted({point.turn for line in lines for point in line.points})
        first, length = turns[0], max(1, turns[-1] - turns[0])

        def x(turn: int) -> int:
            return LEFT + (turn - first) * (RIGHT - LEFT) // length

        def y(value: int) -> int:
            return BOTTOM - (value - low) * (BOTTOM - TOP) // (high - low)

        drawn = []
        for line in lines:
            upper = [f"{x(p.turn)},{y(p.high)}" for p in line.points]
            lower = [f"{x(p.turn)},{y(p.low)}" for p in reversed(line.points)]
            middle = " ".join(f"{x(p.turn)},{y(p.middle)}" for p in line.points)
            drawn.append(Drawn(line.name, middle, " ".join([*upper, *lower])))
        step = -(-len(turns) // MOST_TICKS)
        values = sorted({low + (high - low) * part // 4 for part in range(5)})
        return cls(tuple(drawn), tuple((x(t), str(t)) for t in turns[::step]), tuple((y(v), words(v)) for v in values))

"""Opening lines: whole offensives that are known to be good, as data in players' notation."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from pbem.bots.lines import by_weight, weight_of
from pbem.kernel.canon import Plain

BOOK = Path(__file__).with_name("openings.yaml")


class Line(Struct, frozen=True):
    """The orders of an offensive. `why`: for people; `weight`: how often it is drawn among those of its card."""

    name: str
    why: str
    weight: int
    activate: str
    moves: tuple[dict[str, Plain], ...]
    battles: tuple[str, ...]
    returns: tuple[str, ...]

    def orders(self) -> list[Plain]:
        """Activation, moves, declarations, in this order; nothing where the line says only where to go afterwards."""
        said: list[Plain] = [{"activate": self.activate}] if self.activate else []
        declared: list[Plain] = [{"battle": battle} for battle in self.battles]
        return [*said, *self.moves, *declared]


@cache
def book() -> dict[str, tuple[Line, ...]]:
    """Card -> its lines."""
    plain: dict[str, list[Any]] = yaml.safe_load(BOOK.read_text("utf-8"))
    return {card: tuple(_line(row) for row in rows) for card, rows in plain.items()}


def _line(row: dict[str, Any]) -> Line:
    return Line(
        row["name"], row["why"], row["weight"], row.get("activate", ""), tuple(row.get("moves", ())),
        tuple(row.get("battles", ())), tuple(row.get("returns", ())),
    )  # fmt: skip


def drawn(card: str, seed: int) -> Line | None:
    """The line of a card that a seed draws; None for a card without any."""
    lines = book().get(card, ())
    return by_weight(lines, seed % weight_of(lines)) if lines else None

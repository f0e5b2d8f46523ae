"""[PW-FOG-02] Task forces put together pick by pick: a marker, the ships of its core, those of its screen, the next marker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pbem.games.pacific_war.orders import misread, read_units
from pbem.games.pacific_war.picks import unit_picks
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Form, Pick, Read, Step, verdict
from pbem.kernel.picking import Verbs, ahead
from pbem.kernel.wording import msg, verbatim

Markers = Callable[[Sequence[str]], Sequence[str]]  # task forces that may still be named after some
PARTS = {"core": "with", "screen": "by"}  # how the parts of a task force are picked


@dataclass(slots=True)
class Part:
    """A task force that is being put together."""

    marker: str
    ships: dict[str, list[str]] = field(default_factory=lambda: {part: [] for part in PARTS})


def organizations(
    g: State,
    side: str,
    verbs: Sequence[str],
    markers: Markers,
    ships: Sequence[str],
    read: Read,
) -> Form:
    """Every ship has to be in a part."""
    return Verbs(read, verbs, {"organize": Organizing(g, side, markers, ships, read)}, bare=("organize",))


@dataclass(frozen=True)
class Organizing:
    """The gesture."""

    g: State
    side: str
    markers: Markers
    ships: Sequence[str]
    read: Read

    def step(self, chosen: tuple[Chosen, ...]) -> Step:
        """Ships that are in no part yet, another marker, and the order once all of them have one."""
        return ahead(self._now, chosen)

    def _now(self, chosen: tuple[Chosen, ...]) -> Step:
        parts = _parts(chosen)
        named = [s for p in parts for ships in p.ships.values() for s in ships]
        left = [s for s in self.ships if s not in named]
        told = msg("ships without a task force: {n}", n=len(left))
        begun = not parts or any(parts[-1].ships.values())
        more = [Pick("word", m, verbatim(m)) for m in self.markers([p.marker for p in parts])] if begun and left else []
        slots = PARTS if parts and not parts[-1].ships["screen"] else {"screen": "by"}
        picks = [p for slot in slots.values() for p in unit_picks(self.g, slot, left)] if parts else []
        if left or not parts:
            return Step((*picks, *more), budget=told)
        order = _order(parts)
        problems = verdict(self.read, [order])
        return Step((*picks, *more), () if problems else (order,), told, problems=problems)

    def takes(self, chosen: tuple[Chosen, ...]) -> bool:
        """It begins with a marker."""
        return chosen[0].slot == "word"

    def picks(self, body: Plain) -> tuple[Chosen, ...]:
        """Part by part. Raises Rejected."""
        if not isinstance(body, dict) or not all(isinstance(part, dict) for part in body.values()):
            raise misread("organize", body, "organize: {TF1: {core: [CV1, CV2], screen: [DD9]}}")
        return tuple(c for marker, part in body.items() for c in self._picks_of(marker, part))

    def _picks_of(self, marker: str, part: Plain) -> Iterator[Chosen]:
        assert isinstance(part, dict)
        yield Chosen("word", marker)
        for key, slot in PARTS.items():
            for ship in read_units(self.g, part[key], self.side) if part.get(key) else []:
                yield Chosen(slot, ship)


def _parts(chosen: Sequence[Chosen]) -> list[Part]:
    found: list[Part] = []
    for one in chosen:
        if one.slot == "word":
            found.append(Part(one.value))
        elif found:
            part = next(key for key, slot in PARTS.items() if slot == one.slot)
            found[-1].ships[part].append(one.value)
    return found


def _order(parts: Sequence[Part]) -> Plain:
    return {"organize": {p.marker: {key: [*ships] for key, ships in p.ships.items()} for p in parts}}

"""What a short report tells where nothing has been decided: attacks and operations that were declared, orders that stand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.kernel.events import Marked, Rewound
from pbem.kernel.wording import Argument, Declared, Message, Told
from pbem.report.changes import in_all
from pbem.report.view import ReportView

DEEDS = ("orders", "build")  # topics of what is told where nothing was fought over


class Declarations(Struct):
    """What was declared and stands: a rule that takes everything back takes that back too."""

    standing: list[Declared] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)

    def add(self, event: Any, told: Told | None) -> None:
        """The next event, and what is told of it."""
        if isinstance(event, Marked):
            self.marks[event.name] = len(self.standing)
        elif isinstance(event, Rewound):
            del self.standing[self.marks.get(event.name, 0) :]
        elif told is not None:
            self.standing += told.declares


def announced(declared: Iterable[Declared], settled: Collection[str]) -> list[Message]:
    """What was declared and is not told as a fight. Neighbours that differ in `places` only become one."""
    found: list[Message] = []
    for text in (one.text for one in declared if str(one.fight) not in settled):
        places, before = text.args.get("places"), found[-1].args.get("places") if found else None
        if found and found[-1].id == text.id and isinstance(places, tuple) and isinstance(before, tuple):
            found[-1] = replace(text, args={**text.args, "places": (*before, *places)})
        else:
            found.append(text)
    return found


def deeds(view: ReportView, told: bool) -> list[Argument]:
    """What else was done outside battles; `told`: what is about battles is said already. Of the same sentence the last."""
    topics = DEEDS if told else (*DEEDS, "battle")
    lines = [line for chapter in view.chapters for block in chapter.blocks if block.kind != "battle" for line in block.lines]
    return in_all([line for line in lines if line.topic in topics and line.roll is None])


def answered(view: ReportView) -> list[Argument]:
    """What was asked and how it was answered: what is told where nothing has come of it yet."""
    return _each_once([answer for file in view.files if not file.voided for answer in file.answers])


def _each_once(texts: Sequence[Message]) -> list[Argument]:
    found: dict[str, Argument] = {}
    for text in texts:
        found.pop(str(text), None)
        found[str(text)] = text
    return [*found.values()]

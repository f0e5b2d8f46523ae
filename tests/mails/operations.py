"""Files by operation of Pacific War: those without contact apart, as the goal for them is another than for a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.kernel.canon import Plain

BEFORE = ("claim", "operation-bid", "activate", "muster", "length")  # asked for an operation that has not begun
FOUGHT = ("line", "bid", "fire", "targets", "flak", "attack", "retreat", "cap", "escort", "simultaneous", "bombard")


@dataclass
class Files:
    """What an operation took, from its bids to its end. `met`: somebody was fought, at sea, in the air or on land."""

    hand: int = 0
    auto: int = 0
    met: bool = False
    kinds: Counter[str] = field(default_factory=Counter)  # of questions that forced files by hand


@dataclass
class Operations:
    """Files are told one by one; those of bids go to the operation that they win, or to none."""

    files: dict[str, Files] = field(default_factory=dict)
    bidding: Files = field(default_factory=Files)
    heard: int = 0

    @property
    def plain(self) -> dict[str, Plain]:
        """The operations of the stretch as plain data; bids that nobody has won are left out."""
        return {start: {**vars(files), "kinds": dict(files.kinds)} for start, files in self.files.items()}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Operations:
        """The inverse of `plain`."""
        return cls(
            {
                start: Files(files["hand"], files["auto"], files["met"], Counter(files["kinds"]))
                for start, files in plain.items()
            }
        )

    def tell(self, number: Plain, kind: str, fired: Iterable[str]) -> None:
        """A file in the stretch of that number: by hand for a question of this kind, "" for one of a program; and the kinds of
        questions that standing orders and plans have answered since the last one."""
        month, start = number if isinstance(number, list) else (0, "")
        if not start:
            if kind and kind not in BEFORE:
                self.bidding = Files()
            elif kind or self.bidding.hand:
                _add(self.bidding, kind, fired)
            return
        if f"{month} {start}" not in self.files:
            self.files[f"{month} {start}"], self.bidding = self.bidding, Files()
        _add(self.files[f"{month} {start}"], kind, fired)


def _add(files: Files, kind: str, fired: Iterable[str]) -> None:
    files.hand += bool(kind)
    files.auto += not kind
    files.kinds[kind] += bool(kind)
    files.met = files.met or any(k in FOUGHT for k in (kind, *fired))


def told(games: Iterable[Operations]) -> str:
    """The means of operations without contact and of the others."""
    every = [files for game in games for files in game.files.values()]
    lines = []
    for what, part in (("without contact", [f for f in every if not f.met]), ("with", [f for f in every if f.met])):
        if part:
            hand, auto = (sum(getattr(f, of) for f in part) / len(part) for of in ("hand", "auto"))
            kinds = sum((f.kinds for f in part), Counter[str]())
            most = ", ".join(f"{kind} {n}" for kind, n in kinds.most_common(8))
            lines.append(f"; operations {what} {len(part)}: {hand:.1f} + {auto:.1f} ({most})")
    return "".join(lines)

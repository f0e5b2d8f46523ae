"""One view model for all formats: what the files of a range brought, what happened, what is asked next. Knows no game.

A rules module brings its words (`Words`); everything here is messages, numbers and text as players wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.kernel.wording import Argument, Message, Overview, Told
from pbem.protocol.outcomes import unreadable


class Words(Protocol):
    """What a rules module says about its game. All of it is public: states hold no secrets."""

    CATALOGUE: str  # name of its gettext catalogue

    def seat(self, name: str) -> Message:
        """A seat."""
        ...

    def side(self, name: str) -> Message:
        """A side."""
        ...

    def turn(self, state: Any) -> int:
        """The number that players give to the present turn or round."""
        ...

    def heading(self, state: Any) -> Message:
        """Where the game stands, for titles."""
        ...

    def overviews(self, state: Any) -> Sequence[Overview]:
        """Tables of the situation."""
        ...

    def remarks(self, state: Any) -> Sequence[Message]:
        """Sentences about the situation."""
        ...

    def board(self, state: Any) -> Mapping[str, Message]:
        """Every space in sentences, for readers who see no map."""
        ...

    def tell(self, state: Any, event: Any) -> Told | None:
        """An event in words, from the state just before it; None for bookkeeping."""
        ...

    def asked(self, kind: str) -> Message | None:
        """What a question of this kind is about; None: its own prompt says it."""
        ...

    def reason(self, text: str) -> Message | str:
        """Why the game ended."""
        ...


def has_picture(game_folder: str) -> bool:
    """Does a rules module draw its board?"""
    return find_spec(f"pbem.games.{game_folder}.picture") is not None


def picture_of(game_folder: str, state: Any, files: Sequence[tuple[Any, Sequence[Any]]], happened: str) -> Picture | HexPicture:
    """The picture of a state with what happened in the latest `turn` or `file`, or `none`. Raises ProtocolError.

    `files`: the states before each file of the game, which are used up, and its events.
    """
    if not has_picture(game_folder):
        raise unreadable("this game has no map")
    module = import_module(f"pbem.games.{game_folder}.picture")
    chosen = {"turn": module.latest_turn, "file": lambda known: known[-1:], "none": lambda _: []}
    if happened not in chosen:
        raise unreadable(f"there are no arrows of {happened!r}; there are: {', '.join(chosen)}")
    found: Picture | HexPicture = module.picture(state, chosen[happened](files))
    return found


def words_of(game_folder: str) -> Words:
    """The words of a rules module."""
    found: Words = import_module(f"pbem.games.{game_folder}.wording")
    return found


@dataclass(frozen=True, slots=True)
class Roll:
    """One open roll with its proof: the seed comes from the id of file `source` and the link that `shower` showed after it."""

    number: int  # in this report
    source: int
    index: int
    label: str
    rule: str
    sides: int
    dice: tuple[int, ...]
    file_id: str
    link: str
    shown_in: int
    shower: str
    hit_at: int = 0
    ten_is_zero: bool = False
    outcome: Message | None = None

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice as players read them."""
        return tuple(0 if self.ten_is_zero and die == 10 else die for die in self.dice)

    @property
    def hits(self) -> int:
        """Dice at or below the number that hits."""
        return sum(die <= self.hit_at for die in self.dice)


@dataclass(frozen=True, slots=True)
class Fired:
    """A standing order or default that answered a question."""

    who: Message
    asked: Argument
    order: str
    why: Message
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Something that happened."""

    text: Message
    rule: str = ""
    topic: str = ""
    roll: Roll | None = None
    fired: Fired | None = None


@dataclass(frozen=True, slots=True)
class FileView:
    """One file. `kind` is what it is in words; `voided`: an undo took it back."""

    seq: int
    player: str
    kind: Message
    id: str
    orders: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    note: tuple[str, ...] = ()
    voided: bool = False


@dataclass(slots=True)
class Block:
    """A stretch of a chapter: the orders of a file, or lines under a heading. `kind`: orders, phase, battle."""

    kind: str
    title: Message | None = None
    file: FileView | None = None
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class Chapter:
    """A turn."""

    title: Message
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Losses:
    """What a seat lost in the range and what it was worth in the game's money (0: the game puts no price on it)."""

    who: Message
    things: tuple[Message, ...]
    worth: int


@dataclass(frozen=True, slots=True)
class Seated:
    """A player and what he plays."""

    name: str
    seats: tuple[Message, ...]
    side: Message | None
    by_hand: int  # files so far that he had to write himself


@dataclass(frozen=True, slots=True)
class ReportView:
    """Everything that the templates show."""

    game: str
    title: Message
    game_id: str
    first: int
    last: int
    players: tuple[Seated, ...]
    due: Message
    due_rule: str
    over: bool
    overviews: tuple[Overview, ...]
    remarks: tuple[Message, ...]
    losses: tuple[Losses, ...]
    income: tuple[Line, ...]
    politics: tuple[Line, ...]
    control: tuple[Line, ...]
    chapters: tuple[Chapter, ...]
    fired: tuple[Fired, ...]
    rolls: tuple[Roll, ...]
    files: tuple[FileView, ...]
    spaces: tuple[Message, ...]  # for readers without a map
    private: tuple[tuple[str, str], ...]  # what the reader alone knows: (what it is, content); never for spectators


@dataclass(frozen=True, slots=True)
class Mistake:
    """One reason why a file was refused. `order` counts from 1, 0: the file as a whole."""

    verdict: Message
    reason: str
    rule: str = ""
    legal: str = ""
    order: int = 0
    text: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class RefusalView:
    """A refused file: what, where, which rule, what would be legal."""

    game: str
    title: Message
    game_id: str
    name: str
    outcome: Message
    mistakes: tuple[Mistake, ...]
    due: Message
    due_rule: str

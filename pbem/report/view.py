"""One view model for all formats: what the files of a range brought, what happened, what is asked next. Knows no game.

A rules module brings its words (`Words`); everything here is messages, numbers and text as players wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from pbem.games import Module
from pbem.kernel.happened import File
from pbem.kernel.wording import NO_WORDS, Argument, Declared, Message, Overview, msg
from pbem.odds.luck import Throw
from pbem.protocol.outcomes import unreadable

if TYPE_CHECKING:
    from pbem.kernel.hex_picture import HexPicture
    from pbem.kernel.picture import Picture


def picture_of(
    game: Module, state: Any, files: Sequence[File[Any]], happened: str, *, changes: bool = False
) -> Picture | HexPicture:
    """The picture of a state with what happened in the latest `turn`, `round` or `file`, or `none`. Raises ProtocolError.

    `files`: the states before each file of the game, which stay as they are like `state`, and its events. A round has the
    turns of all powers that have the number of the latest one. `changes`: on a hex map what each hex has gained and lost.
    """
    drawn = game.picture()
    if drawn is None:
        raise unreadable(msg("this game has no map"))
    shown = happened_in(game, files, happened)
    picture = drawn.picture(state, shown)
    if not (changes and shown):
        return picture
    from pbem.kernel.hex_picture import HexPicture, compared

    before = drawn.picture(shown[0][0], [])
    return compared(picture, before) if isinstance(picture, HexPicture) and isinstance(before, HexPicture) else picture


def happened_in(game: Module, files: Sequence[File[Any]], happened: str) -> Sequence[File[Any]]:
    """The files, or parts of them, of the latest `turn`, `round` or `file`, or `none`. Raises ProtocolError."""
    drawn = game.picture()
    if drawn is None:
        raise unreadable(msg("this game has no map"))
    chosen: Mapping[str, Callable[[Sequence[File[Any]]], Sequence[File[Any]]]]
    chosen = {
        "turn": drawn.latest_turn,
        "round": lambda known: _latest_round(game, known),
        "file": lambda known: known[-1:],
        "none": lambda _: [],
    }
    if happened not in chosen:
        raise unreadable(
            msg("there are no arrows of {happened!r}; there are: {chosen}", happened=happened, chosen=", ".join(chosen))
        )
    return chosen[happened](files)


def _latest_round(game: Module, files: Sequence[File[Any]]) -> Sequence[File[Any]]:
    turn = game.words().turn
    return [file for file in files if turn(file[0]) == turn(files[-1][0])]


class Roll(Struct, frozen=True):
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


class Fired(Struct, frozen=True):
    """A standing order, default or plan that answered a question, `times` over in the same way; or what of a plan did not."""

    who: Message
    asked: Argument
    order: Message
    why: Message
    condition: Message = NO_WORDS
    times: int = 1
    planned: bool = False


class Line(Struct, frozen=True):
    """Something that happened."""

    text: Message
    rule: str = ""
    topic: str = ""
    roll: Roll | None = None
    fired: Fired | None = None
    throw: Throw | None = None  # what the dice were worth, where that was asked for
    short: Message | None = None  # the same for short reports
    decisive: bool = False  # what came of a battle or a die: no short report leaves it out


class FileView(Struct, frozen=True):
    """One file. `kind` is what it is in words; `beside`: its standing orders and plan; `voided`: an undo took it back.

    `answers`: its orders once more, each with what was asked.
    """

    seq: int
    player: str
    kind: Message
    id: str
    orders: tuple[Message, ...] = ()
    beside: tuple[Message, ...] = ()
    note: tuple[str, ...] = ()
    voided: bool = False
    answers: tuple[Message, ...] = ()


class Block(Struct):
    """A stretch of a chapter: the orders of a file, or lines under a heading. `kind`: orders, phase, battle.

    `lost`: who lost, in which words, and what it was worth.
    """

    kind: str
    title: Message | None = None
    file: FileView | None = None
    lines: list[Line] = field(default_factory=list)
    lost: list[tuple[str, Message, int]] = field(default_factory=list)


class Chapter(Struct):
    """A turn."""

    title: Message
    blocks: list[Block] = field(default_factory=list)


class Losses(Struct, frozen=True):
    """What a seat lost in the range and what it was worth in the game's money (0: the game puts no price on it)."""

    who: Message
    things: tuple[Message, ...]
    worth: int


class Seated(Struct, frozen=True):
    """A player and what he plays."""

    name: str
    seats: tuple[Message, ...]
    side: Message | None
    by_hand: int  # files so far that he had to write himself


class Note(Struct, frozen=True):
    """What a player has said to all others behind file `seq`."""

    who: str
    seq: int
    text: str


class ReportView(Struct, frozen=True):
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
    private: tuple[tuple[Argument, Argument], ...]  # what the reader alone knows: (what it is, content); never for spectators
    notes: tuple[Note, ...] = ()
    earlier: tuple[Overview, ...] = ()  # the situation before these files
    declared: tuple[Declared, ...] = ()  # attacks and operations, whatever came of them


class Mistake(Struct, frozen=True):
    """One reason why a file was refused. `order` counts from 1, 0: the file as a whole."""

    verdict: Message
    reason: Message
    rule: str = ""
    legal: Message = NO_WORDS
    order: int = 0
    text: Message = NO_WORDS
    line: int = 0


class RefusalView(Struct, frozen=True):
    """A refused file: what, where, which rule, what would be legal."""

    game: str
    title: Message
    game_id: str
    name: str
    outcome: Message
    mistakes: tuple[Mistake, ...]
    due: Message
    due_rule: str

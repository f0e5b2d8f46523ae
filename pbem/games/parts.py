"""The lazy parts of a game's face: what a game's words, pictures, chances, checks, charts and bots have to offer.

A game's module imports its own and returns it; mypy checks it against the Protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Handle, Reveal
from pbem.kernel.standing import Clause
from pbem.kernel.wording import Argument, Message, Overview, Told

if TYPE_CHECKING:  # every start loads this module
    from pbem.bots.advice import Advice, Loss
    from pbem.kernel.happened import File
    from pbem.kernel.hex_picture import HexPicture
    from pbem.kernel.picture import Picture
    from pbem.kernel.shapes import Fault
    from pbem.odds.forecast import Forecast, Imagined
    from pbem.odds.luck import Throw

Own = Mapping[str, Handle]  # a player's own hidden items that he has not shown -> their handles
NOTHING: Own = {}
EASY, NORMAL, HARD = "easy", "normal", "hard"
LEVELS = (NORMAL, EASY)  # that are offered, the usual one first; `hard` is in the making, see the continuations of Pacific 1940
USUAL = "usual"  # the set of standing orders that most players give
Plans = Callable[[str, str], Sequence[Clause]]  # seat, kind of question -> the standing orders that are known


# -- lazy parts --------------------------------------------------------------------------------------------------------------


class Words(Protocol):
    """What a game says about itself. All of it is public: states hold no secrets."""

    CATALOGUE: str  # name of its gettext catalogue

    @property
    def SEATS(self) -> Mapping[str, Message]:
        """What each seat is called."""
        ...

    @property
    def SIDES(self) -> Mapping[str, Message]:
        """What each side is called."""
        ...

    @property
    def ASKED(self) -> Mapping[str, Message]:
        """What every kind of question is about."""
        ...

    @property
    def LATER(self) -> Message:
        """What is said of a step of a plan for the n-th stretch behind its own; empty where no plan goes that far."""
        ...

    def turn(self, g: Any) -> int:
        """The number that players give to the present turn or round."""
        ...

    def part(self, g: Any, *, whole: bool = False) -> Message:
        """What the turn of whoever is at play (`own_turn`) is called, or the whole turn of the game: this card, this month."""
        ...

    def heading(self, g: Any) -> Message:
        """Where the game stands, for titles."""
        ...

    def overviews(self, g: Any) -> Sequence[Overview]:
        """Tables of the situation."""
        ...

    def remarks(self, g: Any) -> Sequence[Message]:
        """Sentences about the situation."""
        ...

    def board(self, g: Any) -> Mapping[str, Message]:
        """Every space in sentences, for readers who see no map."""
        ...

    def tell(self, g: Any, event: Any) -> Told | None:
        """An event in words, from the state just before it; None for bookkeeping.

        Of the kernel's `Stated` it is what is stated; None where the events that follow say it.
        """
        ...

    def item(self, g: Any, hidden: Plain) -> Argument | None:
        """A hidden item, for its owner or once it is shown; None: it is shown as it stands."""
        ...

    def named(self, g: Any, word: str) -> Message | None:
        """What a word of an order is called: a space, a unit, a card by its handle; None: it has no other name.

        A message that counts (`{n} tank`) is told with the number that the order gives. `verb: word` asks for a word of such
        orders alone; an empty message: it need not be told. `verb: {n}` is what is counted of each thing in them, `verb: →`
        what stands between a name and what is done to it.
        """
        ...

    def own(self, g: Any, seat: str, reveal: Reveal, asked: str = "") -> Sequence[Overview]:
        """Tables of what a seat has on the board and nobody else sees, and of what its units cost where it is asked
        (`asked`: the kind of the question) to pay for them."""
        ...

    def scenario_names(self, scenario: Mapping[str, Any]) -> Iterable[str]:
        """Names that a scenario brings and catalogues translate."""
        ...


class Picturing(Protocol):
    """The board as a picture."""

    def picture(self, g: Any, files: Sequence[File[Any]]) -> Picture | HexPicture:
        """A state, with what happened in these files. Changes none of the states."""
        ...

    def latest_turn(self, files: Sequence[File[Any]]) -> Sequence[File[Any]]:
        """The events of the latest turn by file, with the state before them. Changes none of the states."""
        ...


class Chances(Protocol):
    """Odds of battles, and what single throws were worth."""

    UNIT: str  # what luck is counted in

    def forecasts(self, g: Any, plans: Plans, *, hurry: bool = False) -> Sequence[Forecast]:
        """The battles that the state is at, or that its declared moves lead to; `hurry`: in half a second each."""
        ...

    def imagine(self, scenario: Any, asked: Imagined) -> Forecast:
        """A battle that a player thinks of. Raises Rejected."""
        ...

    def throw(self, g: Any, event: Any) -> Throw | None:
        """What a roll was worth, in `UNIT`; None for events that are none."""
        ...


class Checking(Protocol):
    """A scenario of one's own, judged more closely than by comparison with the shipped ones."""

    def faults_of(self, scenario: Mapping[str, Any]) -> Sequence[Fault]:
        """Everything that is wrong with it."""
        ...

    def counts_of(self, scenario: Mapping[str, Any]) -> Mapping[str, Any]:
        """What it holds, in numbers. Raises ScenarioFault where the board cannot be set up."""
        ...


class Reason(Struct, frozen=True):
    """What a cell of a chart rests on. `kind`: printed, fact, bound (a range or a shape that follows), own."""

    id: str
    kind: str
    says: str


class Bound(Struct, frozen=True):
    """A cell of a chart: the way to it (`rows.2.results.5`, positions from 1) and its reasons, the strongest first."""

    at: str
    value: Plain
    by: tuple[str, ...]


class Charts(Protocol):
    """Charts that an owner of the game may type in, where no source prints them."""

    def reasons(self) -> Mapping[str, Reason]:
        """Everything that a cell can rest on, by its id."""
        ...

    def bound(self, scenario: Mapping[str, Any]) -> Mapping[str, Sequence[Bound]]:
        """Every chart of a scenario, cell by cell, with what each rests on."""
        ...

    def reconstructed(self, scenario: Mapping[str, Any]) -> Sequence[str]:
        """The charts of a scenario that are not printed in the rules text: told when a game is created."""
        ...

    def faults(self, charts: Any) -> Sequence[Fault]:
        """What is wrong with such charts."""
        ...

    def replaced(self, scenario: Mapping[str, Any], charts: Mapping[str, Any]) -> Mapping[str, Any]:
        """The scenario with these charts."""
        ...


class Bot(Protocol):
    """A player of the program."""

    def choose(self, g: Any, ask: Ask, own: Own, seed: int, level: str = NORMAL) -> Plain:
        """An order that answers the question, the same wherever position, question, own items, seed and level are the same.

        `seed` is one for a whole game: a bot may draw its openings and its temperament from it, or not use it at all.
        `level`: one of `LEVELS`, or `HARD` where the game's bot knows it.
        """
        ...


class Adviser(Protocol):
    """What the bot's thoughts are good for beside its play: hints and reviews, by one evaluation."""

    @property
    def UNIT(self) -> Message:
        """What values are counted in, in thousandths."""
        ...

    def advise(self, g: Any, ask: Ask, own: Own, seed: int) -> Sequence[Advice]:
        """The best answers that it can weigh, best first, three at most, each different; nothing where it weighs none.

        From nothing but position, question and the asker's own items: what is hidden changes nothing.
        """
        ...

    def review(self, g: Any, ask: Ask, orders: Sequence[Plain], own: Own, seed: int) -> Sequence[Loss]:
        """What orders lost against that, largest first: given from this question on, as long as it is of the same kind.

        `g` is the position before the first of them, `own` what their author held then.
        """
        ...


# -- the module --------------------------------------------------------------------------------------------------------------

"""The one face of a game: everything that a rules module can offer, declared with its types and a default.

A module must have its name, seats, segments, `start` and `attach`, `result`. All else is an offer: a game without words
speaks raw names, one without a map has none, one without odds says so. The lazy parts (`words`, `picture`, `chances`,
`checking`, `charts`, `bot`) are methods that import their own module and return it; mypy checks it against the Protocol.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pbem.games.data import data_folder
from pbem.games.index import RuleIndex, index_beside
from pbem.games.plain_words import PlainWords
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Option, Result
from pbem.kernel.flow import Ask, Commit, Flow, Handle, Reveal
from pbem.kernel.forms import Form
from pbem.kernel.questions import accepted
from pbem.kernel.standing import Clause
from pbem.kernel.wording import Argument, Message, Overview, Told

if TYPE_CHECKING:  # every start loads this module
    from pbem.games.lesson import Lesson
    from pbem.kernel.happened import File
    from pbem.kernel.hex_picture import HexPicture
    from pbem.kernel.picture import Picture
    from pbem.kernel.shapes import Fault
    from pbem.odds.forecast import Forecast, Imagined
    from pbem.odds.luck import Throw

S = TypeVar("S")
Own = Mapping[str, Handle]  # a player's own hidden items that he has not shown -> their handles
NOTHING: Own = {}
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

    def turn(self, g: Any) -> int:
        """The number that players give to the present turn or round."""
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

        A message that counts (`{n} tank`) is told with the number that the order gives.
        """
        ...

    def own(self, g: Any, seat: str, reveal: Reveal) -> Sequence[Overview]:
        """Tables of what a seat has on the board and nobody else sees."""
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


@dataclass(frozen=True, slots=True)
class Reason:
    """What a cell of a chart rests on. `kind`: printed, fact, bound (a range or a shape that follows), own."""

    id: str
    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class Bound:
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

    def choose(self, g: Any, ask: Ask, own: Own, seed: int) -> Plain:
        """An order that answers the question, the same wherever position, question, own items and seed are the same.

        `seed` is one for a whole game: a bot may draw its openings and its temperament from it, or not use it at all.
        """
        ...


# -- the module --------------------------------------------------------------------------------------------------------------


class GameModule(ABC, Generic[S]):
    """A game's rules and all that it offers. Seats are in the module's fixed order of answering."""

    name: str  # as a charter names it, such as next-war
    title: str
    rules_version: int
    editions: Sequence[str]  # the first is the usual one
    seats: Mapping[str, str]  # seat -> side
    options: Sequence[Option] = ()
    state_type: type[S]
    segments: Mapping[str, Callable[..., Flow[None] | None]]
    usual: Mapping[str, Plain] = {}  # standing orders that most players give, by kind of question
    postures: Mapping[str, Mapping[str, Plain]] = {}  # by name what a careful or bold player adds to `usual`, or changes
    vocabulary: Sequence[str] = ()  # words of orders that the shell completes, such as types of units
    earlier: Mapping[int, GameModule[Any]] = {}  # older versions of these rules that games may still be played under
    passes_idle: bool = True  # questions that public facts leave nothing to decide (`Ask.idle`) pass unasked
    weighed: Sequence[str] = ()  # kinds of questions whose every answer may give something up, not `done` alone
    hidden_hands: bool = False  # orders name hidden items, which `spelled_out` turns into handles

    @property
    def folder(self) -> str:
        """The name of its folders of scenarios, styles and rules code."""
        return self.name.replace("-", "_")

    def home(self, kind: str) -> Path:
        """The folder of its `scenarios` (with `compiled/NAME.json`) or `templates`."""
        return data_folder(kind) / self.folder

    def summary(self, scenario: Any) -> Message | None:
        """What a scenario is, how long it lasts, who wins how, how many files it takes; None: it says nothing."""
        return None

    # -- the rules

    @abstractmethod
    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> S:
        """The state before the first segment. A missing option takes its first choice. Raises ScenarioFault."""

    @abstractmethod
    def attach(self, state: S, scenario: Plain) -> None:
        """Give a state read from plain data its fixed parts (the board), which are not stored with it."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the game ended, or None while it goes on."""

    # -- hidden things

    def spelled_out(self, state: S, seat: str, order: Plain, own: Own) -> Plain:
        """An order as its owner wrote it, with the handles of the hidden items that it names: `play: J14 japan:draw0:3`."""
        return order

    def hand_options(self, state: S, ask: Ask, own: Own) -> Sequence[Plain]:
        """Orders that name hidden items of the seat that is asked."""
        return ()

    def hand_form(self, state: S, ask: Ask, own: Own) -> Form | None:
        """The form of a question whose orders name hidden items of the seat that is asked; None: it has no such form."""
        return None

    def sealed_options(self, state: S, ask: Commit, reveal: Reveal) -> Sequence[Plain]:
        """Sealed orders to fill in, from what their owner alone knows."""
        return ()

    def seen_by(self, state: S, seat: str, reveal: Reveal) -> S | None:
        """The game as the owner of what is sealed sees it; None: nothing on the board is hidden."""
        return None

    def holdings(self, state: S, seat: str, reveal: Reveal) -> Sequence[Mapping[str, Plain]]:
        """What a seat has on the board out of sight."""
        return ()

    def may_hold(self, state: S, seat: str, handle: Handle, item: str) -> bool:
        """Whether an item that was drawn unseen may be this one, by what its owner has stated; what was shown is known."""
        return True

    def unasked(self, state: S) -> Mapping[str, Message]:
        """Questions that pass as declined unless a standing order says `ask me`: kind -> what they offer."""
        return {}

    def typed(self, state: S, ask: Ask | Commit, order: Plain) -> Sequence[Plain]:
        """The orders that a player means by one that cannot be taken as it stands; nothing where it has no other reading.

        It is asked before a file is signed, never about one that was. Raises Rejected for a word that nobody knows.
        """
        return ()

    def promises(self, state: S, seat: str) -> Sequence[Message]:
        """What a seat has bound itself to for the rest of its turn: told when orders are tried out."""
        return ()

    def places_in(self, state: S, order: Plain) -> Sequence[str]:
        """The names of places that an order gives by number alone."""
        return ()

    def consequences(self, before: S, after: S, ask: Ask) -> Sequence[Consequence]:
        """What is given up by `done`, or by an order at a question in `weighed`: the state before it, and as far as it led
        without dice."""
        return ()

    def measured(self, state: S) -> Sequence[tuple[Argument, int]]:
        """What the game itself is measured by, such as points, each with its name: always the same ones, in the same order."""
        return ()

    # -- parts that are loaded when they are wanted

    def words(self) -> Words:
        """What it says."""
        return PlainWords(self.name)

    def picture(self) -> Picturing | None:
        """Its board drawn; None: it has no map."""
        return None

    def chances(self) -> Chances | None:
        """Odds and luck; None: it has none."""
        return None

    def checking(self) -> Checking | None:
        """What judges a player's own scenario; None: it is compared with the shipped ones."""
        return None

    def charts(self) -> Charts | None:
        """Charts that players may type in; None: it has none."""
        return None

    def bot(self) -> Bot | None:
        """A player of the program; None: it has none."""
        return None

    def lesson(self) -> Lesson | None:
        """A first game for newcomers, file by file; None: it has no tutorial."""
        return None

    def index(self) -> RuleIndex:
        """Its rules, rulings and cards, to be looked up: from `sections.yaml` and the like beside the module's class."""
        return index_beside(type(self))

    # -- what follows from these

    def sets(self) -> dict[str, dict[str, Plain]]:
        """Sets of standing orders by name: `usual`, and each posture with what is usual besides."""
        return {USUAL: {**self.usual}, **{name: {**self.usual, **more} for name, more in self.postures.items()}}

    def proposals(self, state: S, ask: Ask | Commit, own: Own, reveal: Reveal | None = None) -> list[Plain]:
        """What a question proposes, and orders that name the owner's hidden items.

        `reveal`: what the owner knows; with it only those contents are proposed that he may seal.
        """
        if isinstance(ask, Commit):
            return list(ask.options() if reveal is None else accepted(lambda order: ask.check(order, reveal), ask.options()))
        return [*ask.options(), *self.hand_options(state, ask, own)]


def that_asks_all(game: GameModule[S], version: int) -> GameModule[S]:
    """The same rules as an earlier version had them: every question is asked, whatever public facts leave to decide."""
    older = copy(game)
    older.rules_version, older.passes_idle = version, False
    return older

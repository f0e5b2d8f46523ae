"""The one face of a game: everything that a rules module can offer, declared with its types and a default.

A module must have its name, seats, segments, `start` and `attach`, `result`. All else is an offer: a game without words
speaks raw names, one without a map has none, one without odds says so. The lazy parts (`words`, `picture`, `chances`,
`checking`, `charts`, `bot`) are methods that import their own module and return it; mypy checks it against the Protocol.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pbem.games.parts import USUAL, Adviser, Bot, Chances, Charts, Checking, Own, Picturing, Words
from pbem.games.plain_words import PlainWords
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Option, Result
from pbem.kernel.flow import Ask, Commit, Facts, Flow, Handle, Reveal
from pbem.kernel.forms import Form
from pbem.kernel.questions import accepted
from pbem.kernel.wording import Argument, Message
from pbem.shipped import data_folder

if TYPE_CHECKING:  # every start loads this module
    from pbem.games.index import RuleIndex
    from pbem.games.lesson import Lesson

S = TypeVar("S")


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
    own_usual: Mapping[str, Plain] = {}  # what a player's own program may well answer by what he alone knows, never sent
    postures: Mapping[str, Mapping[str, Plain]] = {}  # by name what a careful or bold player adds to `usual`, or changes
    vocabulary: Sequence[str] = ()  # words of orders that the shell completes, such as types of units
    earlier: Mapping[int, GameModule[Any]] = {}  # older versions of these rules that games may still be played under
    passes_idle: bool = True  # questions that public facts leave nothing to decide (`Ask.idle`) pass unasked
    weighed: Sequence[str] = ()  # kinds of questions whose every answer may give something up, not `done` alone
    plannable: Mapping[str, Sequence[str]] = {}  # kinds of questions that a plan may answer -> verbs of their orders
    plans_ahead: int = 0  # for how many stretches behind its own a plan may have steps
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

    def held_openly(self, state: S, seat: str) -> Sequence[str]:
        """Items of a seat's hand that everybody knows: taken or shown before all eyes, and still held."""
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

    def legs(self, state: S, order: Plain) -> Sequence[Plain]:
        """The orders of a plan that one stands for, each the answer to a question of its own, such as a course hex by hex.

        It is asked before a file is signed, never about one that was.
        """
        return (order,)

    def chosen_way(self, state: S, ask: Ask, order: Plain) -> Message | None:
        """The hexes over which the rules take units that an order sends to a place; None where it sends none so far.

        It is told before a file is signed, with another way as good, for who would rather choose.
        """
        return None

    def promises(self, state: S, seat: str) -> Sequence[Message]:
        """What a seat has bound itself to for the rest of its turn: told when orders are tried out."""
        return ()

    def not_done_yet(self, state: S, ask: Ask) -> Sequence[Message]:
        """What has to be done before a question ends, or is lost with it: a line each."""
        return ()

    def names_in(self, state: S, order: Plain) -> Sequence[str]:
        """The names of what an order gives by number alone: places, cards."""
        return ()

    def onward(self, state: S, ask: Ask, orders: Sequence[Plain]) -> Plain | None:
        """An order that goes on where one's last ones led, newest first, such as the same course; None: there is none."""
        return None

    def consequences(self, before: S, after: S, ask: Ask | Commit) -> Sequence[Consequence]:
        """What is given up by `done`, or by an order at a question in `weighed`: the state before it, and as far as it led
        without dice."""
        return ()

    # -- plans

    def plannable_here(self, state: S) -> Mapping[str, Sequence[str]]:
        """Those of `plannable` that may come up in this game, by its scenario and options: for who writes a plan.

        It refuses nothing: a step for another question is a file as good as any, and answers nothing.
        """
        return self.plannable

    def may_ask(self, state: S, kind: str, later: int) -> bool:
        """Whether a question of `plannable_here` may come up so many stretches behind the one at hand: for who plans, too."""
        return True

    def facts(self, state: S, seat: str) -> Facts:
        """What a condition of a plan may name, from public state alone; each is computed when it is looked up.

        The names are the same at every moment of a game, so that a plan is refused when it is written.
        """
        return {}

    def stretch(self, state: S) -> Plain:
        """The part of the game at hand, such as a round: a plan ends with the one in which its file gave its first order."""
        return None

    def stretches_since(self, state: S, stretch: Plain) -> int | None:
        """How many stretches ago that one was, 0: it is this one; None: a plan of it has nothing to say any more."""
        return 0 if stretch == self.stretch(state) else None

    def own_turn(self, state: S) -> Plain:
        """What changes when whoever is at play has had his turn: a power's turn, a card, a segment; None: the game's turn."""
        return None

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

    def adviser(self) -> Adviser | None:
        """Its bot's thoughts for hints and reviews; None: it tells none."""
        return None

    def lesson(self) -> Lesson | None:
        """A first game for newcomers, file by file; None: it has no tutorial."""
        return None

    def index(self) -> RuleIndex:
        """Its rules, rulings and cards, to be looked up: from `sections.yaml` and the like beside the module's class."""
        from pbem.games.index import index_beside

        return index_beside(type(self))

    def plan_doubts(self, state: S, seat: str, plan: Sequence[Plain]) -> Iterable[tuple[int, Message]]:
        """Numbers of steps that everybody can see cannot be carried out as they are written, and why. For their owner's eyes:
        nothing is refused for it."""
        return ()

    # -- what follows from these

    def sets(self) -> dict[str, dict[str, Plain]]:
        """Sets of standing orders by name: `usual`, and each posture with what is usual besides."""
        return {USUAL: {**self.usual}, **{name: {**self.usual, **more} for name, more in self.postures.items()}}

    def never_asks(self, state: S, kind: str) -> bool:
        """A question that can be planned for, but not in this game: nothing would ask for a plan's step or a standing order."""
        return kind in self.plannable and kind not in self.plannable_here(state)

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

"""Runs a game's segments and stops at each request. Knows no players, no files, no dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from pbem.kernel.canon import Plain, canonical, tagged
from pbem.kernel.events import DiceThrown, Entered, Left, Stated, emit
from pbem.kernel.flow import Ask, Claim, Flow, Request, Roll, Simultaneous, fingerprint
from pbem.kernel.hashing import canonical_record
from pbem.kernel.images import Image, image
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.records import from_plain
from pbem.kernel.wording import Message, english, msg

JournalEntry = tuple[str, Plain]
AWAY = 24  # answers and segments behind which the way from an image has become long


class Result(Struct, frozen=True):
    """How a game ended: the winning side (None: a draw) and why, with the rule section."""

    winner: str | None
    reason: Message
    rule: str


class Option(Struct, frozen=True):
    """An optional rule or a disputed reading: its choices (first: as documented), what it means, the section."""

    name: str
    choices: tuple[Plain, ...]
    text: str
    rule: str


class Rules(Protocol):
    """What an engine needs of a game; all that a game offers is declared in `pbem.games.module`."""

    @property
    def state_type(self) -> type[Any]: ...

    @property
    def segments(self) -> Mapping[str, Callable[..., Flow[None] | None]]: ...

    def attach(self, state: Any, scenario: Plain) -> None:
        """Give a state read from plain data its fixed parts (the board), which are not stored with it."""
        ...

    def result(self, state: Any) -> Result | None:
        """How the game ended, or None while it goes on."""
        ...


class Broken(Exception):
    """The rules refused in mid-flow what they had accepted: nothing can be said about the state any more."""


class Diverged(Exception):
    """The journal was written by other rules than these: entry number and the two fingerprints."""

    def __init__(self, entry: int, expected: str, found: str) -> None:
        self.told = msg(
            "journal entry {entry}: these rules ask {expected!r}, the journal answers {found!r}",
            entry=entry,
            expected=expected,
            found=found,
        )
        super().__init__(english(self.told))
        self.entry = entry


class Checkpoint(Struct):
    """A state between two segments and the journal of answers since: enough to resume in mid-battle."""

    state: Plain
    journal: list[JournalEntry] = field(default_factory=list)


class Engine:
    """One running game. `request` is what the rules ask now; None when the game is over."""

    def __init__(self, game: Rules, scenario: Plain, state: Any, base: Image[Any] | None = None) -> None:
        """`base`: an image of the state as it is, where there is one."""
        self.game, self.scenario, self.state = game, scenario, state
        self.request: Request | None = None
        self.journal: list[JournalEntry] = []
        self._kept = image(state) if base is None else base
        self._played: list[list[JournalEntry]] = []  # the answers of each whole segment since the image was taken
        self._wanted = False  # somebody has looked at the base since the running segment began
        self._flow: Flow[None] | None = None
        self._next_segment()

    @classmethod
    def resume(cls, game: Rules, scenario: Plain, checkpoint: Checkpoint) -> Engine:
        """Continue from a checkpoint. Raises Diverged when its journal does not fit these rules."""
        return cls._from(game, scenario, image(from_plain(game.state_type, checkpoint.state)), checkpoint.journal)

    def fork(self) -> Engine:
        """Another engine that stands where this one does."""
        return Engine._from(self.game, self.scenario, self._base(), self.journal)

    @classmethod
    def _from(cls, game: Rules, scenario: Plain, base: Image[Any], journal: Sequence[JournalEntry]) -> Engine:
        """From a state between two segments on, by the answers since."""
        state = base.record()
        game.attach(state, scenario)
        engine = cls(game, scenario, state, base)
        for entry, (asked, answer) in enumerate(journal):
            if engine.fingerprint != asked:
                raise Diverged(entry, engine.fingerprint, asked)
            engine.reply(answer)
        return engine

    @property
    def fingerprint(self) -> str:
        """The pending request in one line, or `over`."""
        return fingerprint(self.request, str(self.state.running)) if self.request is not None else "over"

    def checkpoint(self) -> Checkpoint:
        """Where this engine stands, as plain data."""
        return Checkpoint(self._base().plain(), list(self.journal))

    def _base(self) -> Image[Any]:
        """The state before the running segment; for it the segments since the image are played again."""
        self._wanted = True
        if self._played:
            state = self._kept.record()
            self.game.attach(state, self.scenario)
            for journal in self._played:
                self._play(state, journal)
            self._kept, self._played = image(state), []
        return self._kept

    def _play(self, state: Any, journal: Sequence[JournalEntry]) -> None:
        """A whole segment on a state by itself: its answers have been judged before."""
        flow = self._entered(state)
        request = None if flow is None else next(flow, None)
        for _, answer in journal:
            assert flow is not None and request is not None
            _note(state, request, answer)
            try:
                request = flow.send(typed_answer(request, answer))
            except StopIteration:
                request = None
        assert request is None
        emit(state, Left())

    def state_hash(self) -> str:
        """SHA-256 of the public state and the pending request (protocol specification, `state`)."""
        asked = canonical(self.fingerprint)
        return tagged("pbem/1 state", b'{"asked":' + asked + b',"state":' + canonical_record(self.state) + b"}")

    def reply(self, answer: Plain) -> None:
        """Answer the pending request. Raises Rejected, with nothing changed, when an order or statement is not legal.

        Raises Broken, or whatever else goes wrong in a rule, when this engine is of no more use.
        """
        typed = typed_answer(self.request, answer)
        self.journal.append((self.fingerprint, answer))
        assert self._flow is not None
        assert self.request is not None
        _note(self.state, self.request, answer)
        try:
            self._send(typed)
        except Rejected as wrong:
            raise Broken(f"refused after it was accepted: {wrong}") from wrong

    def _send(self, typed: Any) -> None:
        assert self._flow is not None
        try:
            self.request = self._flow.send(typed)
        except StopIteration:
            emit(self.state, Left())
            self._begin()
            self._next_segment()

    def _next_segment(self) -> None:
        while self.state.stack and self.game.result(self.state) is None:
            try:
                self._flow = self._entered(self.state)
                if self._flow is not None:
                    self.request = next(self._flow)
                    return
            except StopIteration:
                pass
            emit(self.state, Left())
            self._begin()
        self.request, self._flow = None, None

    def _begin(self) -> None:
        """A segment begins: one more since the image, or with an image of its own.

        Who looks at one base will look at the next, and the way to it is never long.
        """
        if self._wanted or sum(map(len, self._played), len(self._played) + len(self.journal)) >= AWAY:
            self._kept, self._played = image(self.state), []
        else:
            self._played.append(self.journal)
        self.journal, self._wanted = [], False

    def _entered(self, state: Any) -> Flow[None] | None:
        """The next segment of a state; None where it is over, and asked nothing."""
        emit(state, Entered())
        cursor = state.running
        return self.game.segments[cursor.name](state, *cursor.args)


def _note(state: Any, request: Request, answer: Plain) -> None:
    """Dice and statements are events, whatever the rule makes of them."""
    match request:
        case Roll(label, _, sides, rule) if isinstance(answer, list):
            emit(state, DiceThrown(label, tuple(int(str(die)) for die in answer), sides, rule))
        case Claim(seat, kind, about, rule):
            emit(state, Stated(seat, kind, about, answer, rule))


def typed_answer(request: Request | None, answer: Plain) -> Any:
    """What the rule receives for a plain answer. Orders and statements are judged here, the runtime has judged the rest."""
    if isinstance(request, Ask | Claim):
        return judged(request.read, answer)
    if isinstance(request, Simultaneous):
        assert isinstance(answer, dict)
        return {ask.seat: read_or_default(ask, answer[ask.seat]) for ask in request.asks}
    return tuple(answer) if isinstance(answer, list) else answer


def read_or_default(ask: Ask, answer: Plain) -> Any:
    """A sealed order when it is opened: an illegal one counts as the ask's stated default."""
    try:
        return judged(ask.read, answer)
    except Rejected:
        return ask.read(ask.default)

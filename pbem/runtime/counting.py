"""How many files a turn still takes: a table played on with drawn dice, by what is in force, from what a player knows.

A question that nothing answers is a file by hand of its player; more questions to the same player are in the same file as
long as no die stands between and nobody else has to say something. It gets its default, or else the answer that does least;
so does what is decided in secret. What others hide is taken to be nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit, Open, Request, Reveal, Simultaneous
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.records import to_plain
from pbem.kernel.standing import read_clauses
from pbem.runtime.ahead import Drawn, answered, drawn_from, go_on, part_of, quiet_first
from pbem.runtime.guessing import Guessed, NoGuess, by_silence
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import StandingOrder
from pbem.runtime.table import Table
from pbem.runtime.together import has_said

MOST = 40  # files that are counted
GUESSES: Sequence[Plain] = (False, {}, [], 0, "")  # of what others hide: that there is nothing


def nothing_held(table: Table) -> Plain:
    """Of a player whose program answers nothing by itself."""
    return None


def nothing_decided(ask: Ask) -> Plain:
    """Of a player who says nothing when several decide at once."""
    return None


def nothing_given(table: Table, ask: Ask) -> Plain:
    """Of a player whose program decides nothing at once with others."""
    return None


def nothing_known(handle: str) -> Plain:
    """Of him who knows what everybody knows."""
    raise Unknown(handle)


class Counted(Struct, frozen=True):
    """One way in which the turn may go on: each file by hand as its player and the kind of question that forces it.

    `whole`: it was played to the turn's end; `guessed`: what somebody hides was taken to be nothing on the way.
    """

    files: tuple[tuple[str, str], ...]
    whole: bool
    guessed: bool = False


class Course(Struct):
    """The turn played on. `own`: the order that somebody gives at a table, `decides`: at a question to several; else None."""

    drawn: Drawn
    secrets: Guessed
    own: Callable[[Table], Plain]
    decides: Callable[[Ask], Plain] = nothing_decided
    files: list[tuple[str, str]] = field(default_factory=list)
    last: tuple[str, int] | None = None  # who has written the newest file, and how many dice had fallen
    guessed: bool = False

    def by_hand(self, player: str, kind: str) -> None:
        """A question to a player: a file of his, unless he is still at his last one."""
        now = (player, len(self.drawn.ledger.rolled))
        if now != self.last:
            self.files.append((player, kind))
        self.last = now

    def goes_on(self) -> bool:
        """The pending request is answered, and what answers itself behind it; False where no answer stands."""
        try:
            if not self._answered(self.drawn.engine.request):
                return False
            go_on(self.drawn)
        except (Rejected, NoGuess, Unknown):
            return False
        except Exception:  # what was guessed of hidden things can break any rule
            if self.guessed:
                return False
            raise
        return True

    def _answered(self, request: Request | None) -> bool:
        engine = self.drawn.engine
        match request:
            case Ask() if (order := self.own(self.drawn)) is not None:
                engine.reply(order)
            case Ask():
                self.by_hand(self.drawn.answering(request), request.kind)
                return answered(self.drawn, request)
            case Simultaneous():
                engine.reply({ask.seat: self._decided(ask) for ask in request.asks})
                self.drawn.ledger.sealed_answers.clear()
                self.drawn.ledger.open_answers.clear()
            case Commit():
                engine.reply(self.secrets.keep(request.seat, self._sealed(request)))
            case Open():
                self._by_program(request.seat)
                engine.reply(self.secrets.reveal(request.handle))
            case Claim():
                self._by_program(request.seat)
                engine.reply(self._stated(request))
            case _:
                return False
        return True

    def _by_program(self, seat: str) -> None:
        """A file of somebody else's program ends the one that a player is at."""
        if self.last is not None and self.last[0] != self.drawn.player_of(seat):
            self.last = None

    def _decided(self, ask: Ask) -> Plain:
        """What a seat decides at the same time as others: as it has said before, else the default or what does least."""
        if (order := self.decides(ask)) is not None:
            return order
        if not has_said(self.drawn, ask):
            self.by_hand(self.drawn.answering(ask), ask.kind)
        elif (said := self.drawn.ledger.open_answers.get(ask.seat)) is not None:
            return said
        return ask.default if ask.default is not None else _first_allowed(ask.read, quiet_first([*ask.options()]))

    def _sealed(self, ask: Commit) -> Plain:
        """What a seat hides: as its program does it, or by hand, by silence."""
        held = self.own(self.drawn)
        if isinstance(held, dict):
            return held["seal"]
        self.by_hand(self.drawn.player_of(ask.seat), ask.kind)
        return by_silence(ask)

    def _stated(self, claim: Claim) -> Plain:
        """What is stated of hidden things: the truth, where it can be known; else that there is nothing."""
        try:
            return claim.truth(self.secrets.reveal)
        except Unknown:
            self.guessed = True
        return _first_allowed(claim.read, GUESSES)


def _first_allowed(read: Callable[[Plain], object], answers: Sequence[Plain]) -> Plain:
    """The first of these answers that a question takes. Raises NoGuess."""
    for answer in answers:
        with suppress(Rejected):
            judged(read, answer)
            return answer
    raise NoGuess


def counted(
    table: Table,
    since: Plain,
    number: int,
    supposed: Sequence[tuple[str, str, Plain]] = (),
    known: Reveal = nothing_known,
    part: Callable[[Table], Plain] = part_of,
    own: Callable[[Table], Plain] = nothing_held,
    decides: Callable[[Table, Ask], Plain] = nothing_given,
) -> Counted:
    """The files by hand until the turn `since` (`part` of the table) is over. `number`: of the dice.

    `supposed`: player, kind and, as in a file, standing orders that are taken to be in force where there is none. `known`: what
    he knows of hidden things who counts, `own`: the order that his program gives by itself to what he is asked at a table,
    `decides`: and what it decides there at once with others, unless he has done so already.
    """
    drawn = drawn_from(table, number)
    drawn.ledger.standing[:0] = [
        StandingOrder(0, player, kind, [to_plain(clause) for clause in read_clauses(kind, plain)])
        for player, kind, plain in supposed
    ]
    course = Course(drawn, Guessed(known), own, lambda ask: None if has_said(drawn, ask) else decides(drawn, ask))
    go_on(drawn)
    while drawn.result is None and part(drawn) == since and len(course.files) < MOST:
        if not course.goes_on():
            return Counted(tuple(course.files), whole=False, guessed=course.guessed)
    return Counted(tuple(course.files), len(course.files) < MOST, course.guessed)

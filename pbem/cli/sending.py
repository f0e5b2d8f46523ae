"""An order file tried out and sent: what it says, what it gives up, what is wrong with it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.cli import behind, drafted, planning
from pbem.cli.guiding import with_names
from pbem.cli.play import written
from pbem.cli.rules import titled
from pbem.cli.sent import check_not_sent, once_more
from pbem.cli.speech import make_sure, speak, speak_counted, tongue
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.flow import Ask
from pbem.kernel.notation import order_text, reads_as
from pbem.kernel.orders import Problem, nearest, verb_of
from pbem.kernel.wording import NO_WORDS, Message, counted, english, linked, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import consequences
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.paper import Paper, read_paper
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from pbem.store import dues, sets
from pbem.store.session import Session

if TYPE_CHECKING:
    from pbem.cli.chances import Sealed


class Written(Struct, frozen=True):
    """An order file as it would be sent. `desk`: where it is this player's turn; without it nothing is left out."""

    paper: Paper
    draft: Draft
    desk: Desk | None

    @property
    def entries(self) -> list[int]:
        """The entry of the file for each order that is sent."""
        return [at for at, _ in self.desk.placed()] if self.desk else [*range(len(self.paper.orders))]

    def as_the_desk_has_it(self, error: Refused) -> Refused:
        """The refusal with the first trouble as the desk tells it, which knows what was typed."""
        trouble = self.desk.sheet.trouble if self.desk else None
        if trouble is None or not trouble.problems or trouble.problems[0].order is None:
            return error
        at = self.entries.index(trouble.problems[0].order)
        return Refused([*(replace(p, order=at) for p in trouble.problems), *(p for p in error.problems if p.order != at)])

    def placed(self, error: Refused) -> list[Problem]:
        """The problems, each with the entry of the file that it is about."""
        return [replace(p, order=self.entries[p.order] if p.order is not None else None) for p in error.problems]

    def consequences(self) -> tuple[Consequence, ...]:
        """What it gives up; nothing where it does not stand."""
        return self.desk.consequences() if self.desk and self.desk.sheet.trouble is None else ()

    def ways(self) -> list[str]:
        """A sentence for each order whose way the rules choose; nothing where it does not stand."""
        if self.desk is None or self.desk.sheet.trouble is not None:
            return []
        return [speak("Order {number}, {way}", number=at + 1, way=way) for at, way in self.desk.chosen_ways()]

    def remarks(self) -> list[str]:
        """A sentence for each `done` that is not sent, and for each entry that is signed in other words than it has."""
        if self.desk is None:
            return []
        left_out = [speak("Mind: order {number}: {told}", number=o.at + 1, told=o.message) for o in self.desk.sheet.left_out]
        table = self.desk.table
        name_of = partial(table.game.words().named, table.engine.state)
        reworded = [
            speak(
                "Order {number} is signed as: {orders}",
                number=at + 1,
                orders="; ".join(order_text(with_names(order, name_of)) for order in orders),
            )
            for at, orders in self.desk.reworded()
            if len(orders) > 1 or not reads_as(orders[0], self.paper.orders[at])
        ]
        return [*left_out, *reworded]


def read_orders(session: Session, source: bytes | str) -> Written:
    """An order file before a game. Raises ProtocolError with line and column."""
    paper = read_paper(source)
    drafted.check(session, paper.text)
    spelled = sets.written_out(session, paper.text)
    paper = paper if spelled == paper.text else read_paper(spelled)
    if session.table.due.what in ("orders", "seal", *AUTOMATIC):
        with suppress(Refused, ProtocolError):
            if session.table.due.player == session.me.player:
                desk = session.desk(paper.text)
                return Written(paper, desk.wanted, desk)
    return Written(paper, paper.draft, None)


# -- trying out --------------------------------------------------------------------------------------------------------


def check(path: Path, file: Path, *, forecast: bool = False) -> tuple[Plain, str]:
    """What orders would do up to the first die, what they give up, and the odds of the battles that they start.

    `forecast`: and how many files by hand the turn takes behind them.
    """
    session = Session.open(path)
    return _check(session, read_orders(session, file.read_bytes()), file, forecast)


def check_orders(path: Path, orders: Sequence[str], *, forecast: bool = False) -> tuple[Plain, str]:
    """The same for orders from the command line, each written as in a file."""
    session = Session.open(path)
    text = "\n".join(["orders:", *(f"- {order}" for order in orders)]) + "\n"
    return _check(session, read_orders(session, text), None, forecast)


def _check(session: Session, said: Written, file: Path | None, forecast: bool) -> tuple[Plain, str]:
    from pbem.cli.chances import ahead

    table, sealed = _tried(session, said, file)
    due, found = table.due, said.consequences()
    used, bound = len(said.draft.orders), _promises(session, table)
    lines = [speak_counted("{n} order is legal.", "{n} orders are legal.", used)]
    if not said.draft.orders and session.table.due.what in ("orders", "seal"):
        lines = [speak("There is no order in it yet.")]
    lines += [
        *_unasked(session, said.draft),
        *said.remarks(),
        *said.ways(),
        *once_more(session, said.draft.orders, said.draft.plan),
    ]
    lines.append(speak("Then {due}", due=dues.clause(due)) if due.player else speak("The game ends."))
    plan = said.draft.plan
    lines += [*planning.told(session, plan), *planning.never_asked(session, plan)]
    lines += [*planning.doubted(session, table, plan, sealed), *planning.open_to_all(plan), *planning.ended(session, plan)]
    lines += [speak("Mind: {told}", told=text) for text in bound]
    lines += consequences.lines(tongue(), found if said.draft.orders else ())
    odds, told = ahead(session, table, sealed)
    lines += [told] if told else []
    plain: dict[str, Plain] = {"legal": used, "due": due.player, "what": due.what, "odds": odds}
    if forecast:
        from pbem.cli import counting

        plain["forecast"], ahead_of_it = counting.told(session, table, sealed)
        lines.append(ahead_of_it)
    return {**plain, "promises": [*map(english, bound)], "consequences": plainly(found)}, "\n".join(lines)


def _promises(session: Session, after: Table) -> list[Message]:
    """What these orders bind their writer to later in his turn."""
    seats = session.charter.seats_of(session.me.player)
    return [text for seat in seats for text in session.game.promises(after.engine.state, seat)]


def plainly(found: Sequence[Consequence]) -> list[Plain]:
    """Consequences for programs, in English."""
    return [{"kind": c.kind, "text": english(c.message), "rule": c.rule, "at": c.at, "final": c.final} for c in found]


def _tried(session: Session, said: Written, file: Path | None) -> tuple[Table, Sealed]:
    """The table behind the orders and what they seal: from the desk, which has played them, where all of them stand."""
    if said.desk is not None and said.desk.sheet.trouble is None:
        return said.desk.table, said.desk.sealed
    try:
        composed = session.try_out(said.draft)
    except Refused as error:
        raise _told(session, said, error, file) from None
    return composed.table, composed.sealed


def _told(session: Session, said: Written, error: Refused, file: Path | None) -> Refused:
    """A refusal with its question, each problem with the number and the line of its order.

    Raises ProtocolError where what is refused was sent before.
    """
    check_not_sent(session, said.draft.orders, error.problems)
    explained = titled(session, _explained(session, said, said.as_the_desk_has_it(error)))
    located = []
    for problem in said.placed(explained):
        line = said.paper.line_of(problem.order) if problem.order is not None else 0
        where = f"{file.name}:{line}" if file and line else ""
        located.append(replace(problem, reason=linked(": ", where, problem.reason) if where else problem.reason))
    return behind.offered(session, said.desk, located, file) if said.desk is not None else Refused(located)


def _explained(session: Session, said: Written, error: Refused) -> Refused:
    """The first problem with the question that its order met; those that only follow from it are counted, not listed."""
    draft, first, behind = said.draft, error.problems[0], error.problems[1:]
    asked = _asked_before(session, draft, first.order) if first.order is not None else None
    if first.order is None or asked is None:
        return error
    lost = asked.verbs and not _begins(asked, draft.orders[first.order])
    stray = [p for p in behind if p.order is not None and (lost or not _begins(asked, draft.orders[p.order]))]
    forgotten = said.desk.done_forgotten() if said.desk else NO_WORDS
    told: list[Message] = [*([forgotten] if forgotten else []), msg("asked here: {prompt}", prompt=asked.prompt)]
    if asked.verbs and stray:
        told.append(
            counted(
                "{n} order behind it does not fit either while it is wrong",
                "{n} orders behind it do not fit either while it is wrong",
                len(stray),
            )
        )
        behind = [p for p in behind if p not in stray]
    legal = linked("; ", *([first.legal] if first.legal else []), *told)
    return Refused([replace(first, legal=legal), *behind])


def _begins(ask: Ask, order: Plain) -> bool:
    """An order begins with a verb of the question, typed or as a file has it."""
    said = verb_of(order)
    return any(said == verb or said.startswith(f"{verb} ") for verb in ask.verbs)


def _asked_before(session: Session, draft: Draft, at: int) -> Ask | None:
    """The question that the order with this index answers; None where nothing or something else is asked."""
    try:
        table = session.try_out(replace(draft, orders=draft.orders[:at])).table if at else session.table
    except (Refused, ProtocolError):
        return None
    return table.engine.request if isinstance(table.engine.request, Ask) else None


# -- sending -----------------------------------------------------------------------------------------------------------


def send(path: Path, file: Path, *, sure: bool = False) -> tuple[Plain, str]:
    """Sign and store; the outbox then holds the file and the mail. Who gives something up has to be `sure`."""
    doubted = not sure and _looked_at(path, file)
    with Session.at_work(path) as session:
        said = read_orders(session, file.read_bytes())
        again = _signed_already(session, said.draft, file)
        if again is not None:
            return again
        found, repeated = said.consequences(), once_more(session, said.draft.orders, said.draft.plan)
        try:
            document = session.write(said.draft)
        except Refused as error:
            raise _told(session, said, error, file) from None
        doubts = [] if doubted else planning.doubted(session, session.table, said.draft.plan)
        session.answer_by_itself()
    plain, told = written(session, document)
    assert isinstance(plain, dict)
    lines = [*_unasked(session, said.draft), *said.remarks(), *repeated, *doubts, *consequences.lines(tongue(), found), told]
    return {**plain, "consequences": plainly(found)}, "\n".join(lines)


def _looked_at(path: Path, file: Path) -> bool:
    """Ask whether what the file gives up is meant; nothing is locked meanwhile. Raises ProtocolError when it is not.

    At a terminal it is asked too whether a file may go that stops before one's next question, for the others get it for
    nothing; and whether a plan may go in which something is doubted, for what is sealed cannot be mended. True where the plan
    was looked at, and whatever is doubted in it shown.
    """
    found: list[Consequence] = []
    doubts: list[str] = []
    doubted = False
    with suppress(Refused, ProtocolError):
        session = Session.open(path)
        said = read_orders(session, file.read_bytes())
        found = [c for c in said.consequences() if c.has_to_be_meant or _stops_short(c)]
        if said.draft.plan and sys.stdin.isatty():
            table, sealed = _tried(session, said, file)
            doubts, doubted = planning.doubted(session, table, said.draft.plan, sealed), True
    lost = [c for c in found if c.has_to_be_meant]
    if not lost and not ((found or doubts) and sys.stdin.isatty()):
        return doubted
    told = [*map(tongue().text, consequences.grouped(found)), *doubts]
    make_sure(told, _not_signed(file, lost, adds=bool(found)), speak("Send it all the same? [y/N]"))
    return doubted


def _not_signed(file: Path, lost: Sequence[Consequence], *, adds: bool) -> Message:
    """`adds`: a command could add what is asked next."""
    if lost:
        return msg(
            "nothing is signed, because the file gives something up: {lost}. `pbem send {file} --yes` sends it all the same",
            lost=linked("; ", *consequences.grouped(lost)),
            file=str(file),
        )
    more = [msg("`pbem orders --continue {file}` adds what is asked next", file=str(file))] if adds else []
    return linked("; ", msg("nothing is signed"), *more)


def _stops_short(found: Consequence) -> bool:
    return found.kind == "unfinished" and not found.pending


def _signed_already(session: Session, draft: Draft, file: Path) -> tuple[Plain, str] | None:
    """What is said where the file was signed before an interruption. Raises ProtocolError when it held other orders."""
    mine = [d for d in session.caught_up if d["player"] == session.me.player]
    if not mine or mine[-1]["seq"] != session.table.last:
        return None
    newest = mine[-1]
    said = [[*draft.orders], dict(draft.standing), [*draft.plan]]
    same = said == [newest.get("orders") or [], newest.get("standing") or {}, newest.get("plan") or []]
    plain, given = written(session, newest)
    assert isinstance(plain, dict)
    if same:
        again = speak("File {seq} was signed already; it is given out again as it is.", seq=newest["seq"])
        return plain, f"{again}\n{given}"
    reason = msg(
        "file {seq} was signed before the interruption and may be with the others: {file}",
        seq=newest["seq"],
        file=str(plain["file"]),
    )
    what = msg(
        "it does not say what {name} says, or seals it. `pbem undo {seq}` offers to take it back",
        name=file.name,
        seq=newest["seq"],
    )
    raise ProtocolError(Outcome.REFUSED, linked("; ", reason, what))


def _unasked(session: Session, draft: Draft) -> list[str]:
    """A line for each kind of standing order of which this game has no question: mostly a slip of the pen."""
    words = session.game.words()
    known = sorted(words.ASKED)
    odd = [kind for kind in (*draft.standing, *draft.sealed_standing) if kind not in words.ASKED]
    return [
        speak(
            "Mind: nothing in this game asks for {kind!r}: that standing order never answers; {nearest}",
            kind=kind,
            nearest=nearest(kind, known),
        )
        for kind in odd
    ]

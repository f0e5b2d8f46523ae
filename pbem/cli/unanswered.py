"""What one's own program did not answer, and what it sealed that lapsed; for its player alone, nothing of it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.cli import planning
from pbem.cli.speech import speak, text
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.standing import WhyNot
from pbem.report.planning import lapse_told, why_not
from pbem.runtime import holds, lapsed, standing_orders
from pbem.runtime.asked import question_of
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from pbem.store import shelf
from pbem.store.session import Session


def asked(session: Session) -> list[str]:
    """Why standing orders and holds of this player leave to him what he is asked."""
    secrets = session.folder.secrets()
    ask = question_of(session.table, secrets.player) if secrets is not None else None
    return [] if ask is None else [*_by_standing_orders(session, ask), *_by_holds(session, ask)]


def _by_standing_orders(session: Session, ask: Ask | Commit) -> Iterator[str]:
    table = session.table
    held = standing_orders.in_force(table, session.me.player, ask.kind)
    why = standing_orders.why_asked(table, ask, held) if held is not None and isinstance(ask, Ask) else []
    if held is not None and why:
        yield speak(
            "your standing order of file {seq} does not answer `{question}`: {why}",
            seq=held.seq,
            question=ask.kind,
            why=_told(session, why),
        )


def _by_holds(session: Session, ask: Ask | Commit) -> Iterator[str]:
    held = session.me.local_standing if session.folder.private.opens_unasked() else {}
    if not held:
        return
    if why := holds.why_asked(session.table, ask, held, session.knowledge()):
        yield speak("your holds do not answer `{question}`: {why}", question=ask.kind, why=_told(session, why))
    elif ask.kind in held:
        yield from _half_way(session, ask, held)


def _half_way(session: Session, ask: Ask | Commit, held: holds.Holds) -> Iterator[str]:
    """What they do answer, but not to the file's end: it is left to him as a whole."""
    found = holds.course(
        session.table, session.me.player, held, session.knowledge(), lambda given: session.try_out(Draft(given)).table
    )
    behind = found.asked(session.me.player)
    if found.refused:
        yield speak(
            "your holds do not answer `{question}`: not allowed here ({why})",
            question=ask.kind,
            why=text(found.refused),
        )
    elif behind is not None:
        yield speak(
            "your holds answer `{question}`, but not what is asked behind it in the same file: `{behind}`",
            question=ask.kind,
            behind=behind.kind,
        )


def _told(session: Session, reasons: Sequence[WhyNot]) -> str:
    return "; ".join(text(why_not(one, planning.naming(session))) for one in reasons)


def lapses(session: Session, files: Iterable[int]) -> list[str]:
    """The sealed steps of his plans that lapsed in these files, as his program alone knows."""
    if not session.sees_hidden:
        return []
    secrets, ledger, fetch = session.folder.secrets(), session.table.ledger, session.folder.fetch
    assert secrets is not None
    named, found = planning.naming(session), list[str]()
    for seq in lapsed.answered_by(ledger, secrets.player, files):
        one = lapsed.lapsed(shelf.table_at(session, seq - 1), fetch(seq), fetch, session.knowledge())
        found += [text(lapse_told(each, named)) for each in one]
    return found


def behind(session: Session, before: Table | None) -> list[str]:
    """What there is to tell of both when files have come behind a table."""
    if before is None or session.table.last <= before.last:
        return []
    return [*lapses(session, range(before.last + 1, session.table.last + 1)), *asked(session)]


def of_plan(session: Session) -> list[str]:
    """Those of his newest plan."""
    secrets = session.folder.secrets()
    own = [p.seq for p in session.table.ledger.plans if secrets is not None and p.player == secrets.player]
    fired = session.table.ledger.fired
    return lapses(session, sorted({f.seq for f in fired if own and f.file == own[-1] and f.by == "plan"}))

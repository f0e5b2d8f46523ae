"""One game as the page works on it: the newest log, the order file, the desk between them. Nothing is written but through
the order file and, for `send`, through a session of its own, so that no session is kept over a write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pbem.board import answers, gestures
from pbem.board.order_file import NAME, ChangedElsewhere, DraftFile
from pbem.board.services import Services
from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.consequences import Consequence
from pbem.kernel.forms import Partial
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import NO_WORDS, english, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import board, board_map, view
from pbem.report.board import Shown, Teller
from pbem.report.filmstrip import Palette
from pbem.runtime.ahead import Ahead
from pbem.runtime.behind import behind
from pbem.runtime.desk import Desk
from pbem.runtime.giving_up import copied
from pbem.runtime.paper import read_paper
from pbem.runtime.taking import Refused
from pbem.store import sets, talk
from pbem.store.session import Session

NO_ORDER = msg("no order is chosen")
NOT_MINE = msg("nothing is asked of you now")
MEANWHILE = msg("file {seq} has come meanwhile: nothing is signed, your orders are kept")
OTHERWISE = msg("the file gives up something else than what you have seen: look again before you send")
MAIL_SETTINGS = "mail.yaml"  # in the game folder
MAIL_BODY = 6000  # letters that a mail program takes from a link


class OpenGame:
    """A game folder on the board. `file`: the order file, where it is not the one in the folder."""

    def __init__(self, path: Path, services: Services, file: Path | None = None) -> None:
        self.path, self.services, self._file = path, services, file
        self._stamp = ""
        self._session: Session | None = None
        self._desk: Desk | None = None
        self.planning: Ahead | None = None  # the question behind the dice that is on the page
        self._seen = ""  # the stamp of the order file on the desk
        self._palette = Palette()
        self.moved = ("", "")  # the text with orders moved into its plan, and as it was before
        self._undone: list[str] = []  # texts that were taken back on this desk
        self._asked: bool | None = None  # whether orders are asked, of the session that is open

    # -- what there is --------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    @property
    def session(self) -> Session:
        """The game for reading, opened again whenever its log has changed."""
        stamp = self.log_stamp()
        if self._session is None or stamp != self._stamp:
            self._session, self._desk, self._stamp = Session.open(self.path), None, stamp
            self._undone, self.planning, self._asked = [], None, None
        return self._session

    def log_stamp(self) -> str:
        """What tells one state of the log from another, without reading it."""
        stamps = []
        for name in ("log.jsonl", talk.FILE):
            with suppress(FileNotFoundError):
                found = (self.path / name).stat()
                stamps.append(f"{found.st_size}-{found.st_mtime_ns}")
        return " ".join(stamps) or "none"

    @property
    def draft(self) -> DraftFile:
        """The order file."""
        return DraftFile(self._file or self.path / NAME, self.session.folder.disk)

    @property
    def is_mine(self) -> bool:
        """Orders are asked of this folder's player, or may go into the file that waits for them."""
        session = self.session
        if self._asked is None:
            table = session.table
            is_due = table.result is None and table.due.what in ("orders", "seal") and table.due.player == session.me.player
            self._asked = (is_due and session.is_seated) or session.place_kept_back() > 0
        return self._asked

    @property
    def desk(self) -> Desk:
        """The desk with the order file as it lies on the disk. Raises ProtocolError where nothing is asked."""
        session = self.session
        if not self.is_mine:
            raise ProtocolError(Outcome.WAITING, NOT_MINE)
        text, stamp = self.draft.read()
        if self._desk is None:
            self._desk = session.desk("")
            self._typed(text)
        elif stamp != self._seen and text != self._desk.sheet.text:
            self._typed(text)
        self._seen = stamp
        return self._desk

    def _typed(self, text: str) -> None:
        """Another text of the order file, which may be wrong in any way; a set that it names is spelled out."""
        desk = self._desk
        assert desk is not None
        self._undone = []
        try:
            sheet = desk.edit(text)
            if (sheet.trouble is None or sheet.trouble.unread == NO_WORDS) and sets.names_any(desk.wanted.standing):
                desk.edit(sets.written_out(self.session, text))
        except Refused as error:
            desk.refuse(text, error.problems)
        except ProtocolError as error:
            desk.refuse(text, unreadable(error.message).problems)

    def teller(self, state: Any) -> Teller:
        """What tells of a position in the player's language."""
        return Teller(self.services.language(self.path), self.session.game.words(), state)

    # -- the sheet ------------------------------------------------------------------------------------------------------

    def changes(self) -> Shown:
        """Stamps of log and order file."""
        return {"log": self.log_stamp(), "draft": self.draft.read()[1]}

    def head(self) -> Shown:
        """Where the game stands."""
        session, mine = self.session, self.is_mine
        teller = self.teller(session.table.engine.state)
        shown = {**board.head(teller, session.table, session.me.player), "mine": mine}
        received = session.folder.log.entries[-1]["received"]
        waiting = board.waiting(teller, shown, received, self.services.deadline(session))
        tab = board.tab(teller, self.name, mine)
        return {**shown, **waiting, "name": self.name, "tab": tab, "received": received, "head": session.head}

    def sheet(self) -> Shown:
        """The whole sheet: place, order file, first picks, own hand."""
        self.planning = None
        shown = {**self.head(), "changes": self.changes(), "hand": self._hand()}
        if not self.is_mine:
            return {
                **shown,
                "desk": None,
                "step": None,
                "bar": shown["due"],
                "answers": [],
                "some": "",
                "all": False,
                "redo": False,
            }
        desk = self.desk
        found, teller = behind(desk), self.teller(desk.table.engine.state)
        heading = teller.said(teller.words.heading(teller.state))
        first = gestures.told(teller, gestures.Question(desk.form()).begun())
        return {
            **shown,
            "heading": heading,
            "desk": board.desk(teller, desk, found),
            "step": first,
            "bar": board.bar(teller, desk.sheet),
            "about": board.about(desk.sheet.asked),
            "answers": [*answers.offered(self.session, desk, teller, found)],
            "some": answers.some(desk, teller),
            "all": answers.is_all(desk),
            "redo": bool(self._undone),
        }

    def _hand(self) -> list[Plain]:
        return board.texts(self.services.hand(self.session)) if self.session.sees_hidden else []

    def edit(self, text: str, seen: str) -> Shown:
        """Another text, as it was typed; kept whether it can be read or not. Raises ChangedElsewhere."""
        assert self.desk is not None
        self._save(text, seen)
        self._typed(text)
        return self.sheet()

    def take(self, partial: Partial, seen: str, instead: int = -1, before: Desk | None = None) -> Shown:
        """The orders that the picks make, into the file; `instead` of one order there, for which `before` asks.

        Raises Refused, ChangedElsewhere.
        """
        desk = self.unchanged(seen)
        asked = before or desk
        found = asked.step(partial)
        if not found.orders:
            raise Refused([*found.problems]) if found.problems else ProtocolError(Outcome.REFUSED, NO_ORDER)
        if before is None:
            desk.take(found.orders)
        else:
            form = before.form()
            assert form is not None
            paper = read_paper(desk.sheet.text).without(instead)
            desk.edit(paper.adding([form.line(order) for order in found.orders], instead).text)
        return self.written(seen)

    def put(self, orders: Sequence[Plain], seen: str) -> Shown:
        """Whole orders behind those that stand. Raises Refused, ChangedElsewhere."""
        self.unchanged(seen).put(orders)
        return self.written(seen)

    def finish(self, seen: str) -> Shown:
        """`done` to what is asked and to whatever follows. Raises Refused, ChangedElsewhere."""
        self.unchanged(seen).finish()
        return self.written(seen)

    def undo(self, seen: str) -> Shown:
        """Without the orders of the last gesture. Raises ChangedElsewhere."""
        desk = self.unchanged(seen)
        text, plan, (after, before) = desk.sheet.text, desk.wanted.plan, self.moved
        if text == after:
            desk.edit(before)
        elif plan:
            desk.say("plan", shorter(plan))
        else:
            desk.undo()
        is_undone = desk.sheet.text != text
        return self.written(seen, [*self._undone, *([text] if is_undone else [])])

    def redo(self, seen: str) -> Shown:
        """The text as it stood before the last `undo`, if nothing else was written since. Raises ChangedElsewhere."""
        desk = self.unchanged(seen)
        if self._undone:
            desk.edit(self._undone[-1])
        return self.written(seen, self._undone[:-1])

    def remove(self, at: int, seen: str) -> Shown:
        """Without one order of the file, wherever it stands. Raises ChangedElsewhere."""
        desk = self.unchanged(seen)
        paper = read_paper(desk.sheet.text)
        if 0 <= at < len(paper.orders):
            desk.edit(paper.without(at).text)
        elif 0 <= at - len(paper.orders) < len(paper.draft.plan):
            desk.say("plan", [step for n, step in enumerate(paper.draft.plan, len(paper.orders)) if n != at])
        return self.written(seen)

    def unchanged(self, seen: str) -> Desk:
        """The desk of the order file with this stamp. Raises ChangedElsewhere."""
        desk = self.desk
        if self._seen != seen:
            raise ChangedElsewhere(*self.draft.read())
        return desk

    def written(self, seen: str, undone: Sequence[str] = ()) -> Shown:
        """The text of the desk kept in the order file; `undone`: what can be done again. Raises ChangedElsewhere."""
        assert self._desk is not None
        self._save(self._desk.sheet.text, seen)
        self._undone = [*undone]
        return self.sheet()

    def _save(self, text: str, seen: str) -> None:
        try:
            self._seen = self.draft.save(text, seen)
        except ChangedElsewhere:
            self._desk = None
            raise

    # -- looking --------------------------------------------------------------------------------------------------------

    def map(self, held: Mapping[str, str]) -> Shown:
        """The board behind the orders that stand, with their arrows, as its player sees it."""
        session = self.session
        if session.game.picture() is None:
            return dict(board_map.NOTHING)
        before = session.table
        table, knowledge = (self.desk.table, self.desk.knowledge()) if self.is_mine else (before, session.knowledge())
        if self.planning is not None:
            table, knowledge = self.planning.table, self.desk.knowledge_at(self.planning.table)
        state = table.engine.state
        known = len(before.fork().engine.state.events)  # the desk goes on with a fork, which begins with these
        events = tuple(state.events[known:]) if self.is_mine else ()
        for seat in session.charter.seats_of(session.me.player) if session.sees_hidden else ():
            state = session.game.seen_by(state, seat, knowledge.reveal) or state
        start = copied(before)
        picture = view.picture_of(session.game, state, [(start, events)], "file")
        return self.drawn(picture, view.picture_of(session.game, start, [], "none"), held)

    def drawn(self, picture: Any, other: Any, held: Mapping[str, str]) -> Shown:
        """A picture of this game in layers, with room for another one; without those that the page holds."""
        language = self.services.language(self.path)
        pins = talk.visible_pins(self.session.folder)
        return board_map.drawn(self.session.game, picture, other, self._palette, language.text, held, pins)

    def odds(self) -> Shown:
        """A heading and the odds of the battles that the orders lead to, by line; nothing where they do not stand."""
        if not self.is_mine or self.session.game.chances() is None:
            return {"lines": []}
        desk = self.desk
        if desk.sheet.trouble is not None or not desk.sheet.orders:
            return {"lines": []}
        found = board.texts(self.services.odds(self.session, desk.compose()).splitlines())
        head = self.teller(desk.table.engine.state).said(board.ODDS)
        return {"lines": [head, *found] if found else []}

    def hint(self) -> Shown:
        """Alternatives for the question behind the orders, by line, or why there are none; each can be taken."""
        lines, found = self.services.hint(self.session, self.desk)
        teller = self.teller(self.desk.table.engine.state)
        return {"lines": [*board.texts(lines)], "answers": answers.shown(teller, found)}

    # -- sending ----------------------------------------------------------------------------------------------------------

    def review(self) -> Shown:
        """What is sent and what it gives up, with the digest that `send` wants to see again. Raises Refused."""
        desk = self._standing(self.desk)
        after = desk.compose().table
        teller = self.teller(after.engine.state)
        found = desk.consequences()
        return {
            **board.review(teller, found),
            "digest": digest(found),
            "orders": [
                *(teller.order(order) for order in desk.sheet.orders),
                *board.planned(teller, desk.wanted.plan),
                *answers.in_advance(desk, teller),
            ],
            "left_out": [teller.said(left.message) for left in desk.sheet.left_out],
            "due": board.head(teller, after, self.session.me.player)["due"],
        }

    def send(self, text: str, seen: str, head: str, agreed: str) -> Shown:
        """Sign what the page shows, on the log that the page has seen.

        Raises ProtocolError (refused) when another file or another consequence has come in between; ChangedElsewhere.
        """
        self._save(text, seen)
        with Session.at_work(self.path) as session:
            self.check_head(session, head)
            desk = self._standing(session.desk(text))
            if digest(desk.consequences()) != agreed:
                raise ProtocolError(Outcome.REFUSED, OTHERWISE)
            document = session.write(desk.wanted)
            session.answer_by_itself()
            out = session.folder.outgoing(document)
        self.draft.discard()
        return self.handed_out(answers.sent(document, out))

    @staticmethod
    def check_head(session: Session, head: str) -> None:
        """The log ends where the page has seen it end. Raises ProtocolError."""
        if session.head != head:
            raise ProtocolError(Outcome.REFUSED, msg(MEANWHILE.id, seq=session.table.last))

    def handed_out(self, shown: Shown) -> Shown:
        """Something was signed: whoever plays here by himself goes on; what was signed, and who is due now."""
        self._session = self._desk = None
        self.services.go_on()
        head, post = self.head(), str(shown["post"])
        subject = quote(f"[pbem] {head['title']}, {shown['seq']}")
        link = f"mailto:?subject={subject}&body={quote(post)}"
        is_short = 0 < len(post) <= MAIL_BODY
        mails = (self.path / MAIL_SETTINGS).exists()
        told = board.handed_out(self.teller(self.session.table.engine.state), shown["seq"])
        return {**shown, "told": told, "link": link if is_short else "", "mails": mails, "due": head["due"]}

    def mail(self) -> Shown:
        """What the others do not have yet goes to them by mail. Raises ProtocolError where it cannot."""
        return {"lines": [*board.texts(self.services.mail(self.path))]}

    @staticmethod
    def _standing(desk: Desk) -> Desk:
        """The desk, when every order on it stands. Raises Refused, ProtocolError."""
        trouble = desk.sheet.trouble
        if trouble is not None and trouble.problems:
            raise Refused([*trouble.problems])
        if trouble is not None:
            raise ProtocolError(Outcome.UNREADABLE, trouble.unread, trouble.line)
        return desk


def shorter(plan: Sequence[Plain]) -> list[Plain]:
    """A plan without the last order of its last step."""
    last = plan[-1]
    do = last.get("do") if isinstance(last, dict) else None
    return [*plan[:-1], *([{**last, "do": do[:-1]}] if isinstance(last, dict) and isinstance(do, list) and len(do) > 1 else [])]


def digest(found: Sequence[Consequence]) -> str:
    """A name for what a file gives up."""
    plain: Plain = [[c.kind, english(c.message), c.final] for c in found]
    return sha256_hex(canonical(plain))[:16]

"""Play in the terminal: hot-seat or against the bot. Reads lines, so that a script or a test can play too."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem import games
from pbem.cli import asides, choosing, guiding, hinting, kept, local, speech, why
from pbem.cli.asides import ASIDES
from pbem.cli.guiding import SHOWN, Asked
from pbem.cli.local import Party
from pbem.cli.rules import titled
from pbem.cli.terminal import Leave, Talk, terminal
from pbem.games.parts import NORMAL
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, picks_of
from pbem.kernel.notation import order_text
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import Argument, Message, linked, msg, verbatim
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.report import consequences, render, story
from pbem.report.due import due_message
from pbem.report.languages import rules_in
from pbem.report.quoting import order_told
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk as Work
from pbem.runtime.dues import sends
from pbem.runtime.taking import Refused
from pbem.store.session import Session

HELP: Sequence[tuple[Argument, Message]] = (
    (msg("list [WORDS]"), msg("legal orders, only those with these words")),
    (msg("standing KIND: VALUE"), msg("a standing order from this file on")),
    (msg("why? [ORDER]"), msg("why the last order was refused, or why this one would be, and what the rule says")),
    (msg("note TEXT"), msg("a line for the other player")),
    ("show", msg("the orders of this file so far")),
    ("back", msg("take the last order back")),
    ("send", msg("sign the file and hand it over, once nothing more is asked")),
    ("report", msg("what happened since the last files")),
    ("quit", msg("leave; the game and this file's orders are kept")),
)


NOT_YET = msg("Not yet: something is still asked.")
AGAIN = msg("What is lost above cannot be had back: `send` once more sends it all the same, `back` takes the last order back.")


def _names(text: str, word: str) -> bool:
    """The word stands in the text by itself."""
    return bool(re.search(rf"(?<!\S){re.escape(word)}(?!\S)", text))


def _question_of(asked: Asked | None) -> tuple[str, ...]:
    return (asked.seat, asked.kind, asked.rule, str(asked.prompt)) if asked else ()


# -- a game -------------------------------------------------------------------------------------------------------------


class Wanted(Struct, frozen=True):
    """A new local game: what is played, with whom. `side`: of the human when the bot has the others."""

    system: str
    scenario: str
    options: Sequence[str] = ()
    side: str = ""
    bot: bool = False
    level: str = NORMAL


def play(folder: Path, wanted: Wanted) -> None:
    """Begin a game below `folder`, or go on with the one there, until it ends or the player leaves."""
    if not folder.exists():
        begin(folder, wanted)
    bots = local.bots_in(folder)
    with local.at_work(folder) as party:
        speech.of_game(party.one.folder.path)
        desk = Desk(party, bots, Talk(str, speech.tongue()))
        desk.talk.read = terminal(desk.vocabulary)
        desk.run()


def begin(folder: Path, wanted: Wanted) -> None:
    """Folders, keys and the charter: one player for each side, named after it. Raises Rejected."""
    system, level = choosing.system_of(wanted.system, wanted.scenario), local.checked_level(wanted.level)
    wanted = replace(wanted, system=system)
    seats = games.load(wanted.system).seats
    sides = list(dict.fromkeys(seats.values()))
    if (side := wanted.side or sides[0]) not in sides:
        raise unreadable(msg("there is no side {side!r}", side=side), verbatim(*sides))
    if wanted.bot:
        local.bot_of(wanted.system)
    players = {s: [seat for seat, of in seats.items() if of == s] for s in sides}
    local.found(folder, wanted.system, wanted.scenario, wanted.options, players)
    local.note_bots(folder, [s for s in sides if wanted.bot and s != side], level)


class Desk(Struct):
    """A local game at play."""

    party: Party
    bots: Sequence[str]
    talk: Talk
    work: Work | None = None
    asked: Asked | None = None
    listed: list[Plain] = field(default_factory=list)
    latest: str = ""
    warned: str = ""  # the text that was to be sent though it gives up something for good
    hidden: dict[str, str] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)  # cards whose text has been shown
    wrong: why.Wrong | None = None  # with the last order that was refused
    offered: str = ""  # that order as it was probably meant

    def vocabulary(self) -> list[str]:
        """Words of the orders that are legal now."""
        return self.asked.vocabulary() if self.asked else []

    def run(self) -> None:
        """File by file until the game ends or the player leaves."""
        try:
            while self.party.one.table.result is None:
                self.next_file()
        except (Leave, KeyboardInterrupt):
            if self.work is not None:
                kept.keep(self.party.writer, self.work, self.talk)
        self.tell_news()
        self.talk.say(self._due())

    def next_file(self) -> None:
        """One file of whoever is due: a program's at once, a person's with guidance. Raises Leave."""
        if local.go_on(self.party, self.bots):
            return
        writer = self.party.writer
        self.tell_news()
        offered = writer.table.due.what == "accept"
        document = self.party.send(self.answer_offer(writer) if offered else self.compose(writer))
        self.work = None
        kept.file_of(writer).unlink(missing_ok=True)
        self.talk.say(
            self.talk.speak("File {seq} is signed: {path}", seq=document["seq"], path=str(writer.folder.path / "outbox"))
        )

    def tell_news(self) -> None:
        """What happened since this was told last."""
        steps, self.party.news = self.party.news, []
        if not steps:
            return
        session = self.party.one
        words = session.game.words()
        view = story.report(words, steps, session.table, session.folder.fetch, whole=None)
        self.latest = render.news(view, self.talk.language) if steps else ""
        self.talk.say("\n" + self.latest)

    def _due(self) -> str:
        session = self.party.one
        return self.talk.language.text(due_message(session.game.words(), session.table))

    # -- a file ---------------------------------------------------------------------------------------------------------

    def answer_offer(self, session: Session) -> Draft:
        """Yes or no to the offer on the table. Raises Leave."""
        on_table = session.table.ledger.offer
        assert on_table is not None
        while True:
            line = self.talk.ask(self.talk.speak("{player}, an offer: `agree` or `refuse`", player=session.me.player) + "> ")
            if line == "agree":
                return Draft(type="accept", extra={"accepts": on_table.id})
            if line == "refuse":
                return Draft(type="decline")

    def compose(self, session: Session) -> Draft:
        """A file of a person, order by order. Raises Leave."""
        self.work = work = kept.orders(session, self.talk)
        self._ask_on(session, work)
        own = story.private(session.game.words(), session.knowledge(), session.table)
        self.hidden = {handle: self.talk.language.text(item) for handle, item in own}
        self.talk.say("\n".join([f"\n=== {session.me.player} ===", *asides.hand(session, self.read)]))
        self._question(session, work)
        while True:
            line = self.talk.ask(f"{session.me.player}> ")
            if not line or line.startswith("#"):
                continue
            offered, self.offered = self.offered, ""
            line = offered if offered and speech.is_yes(line) else line
            verb, _, rest = line.partition(" ")
            if verb == "send" and self.asked is None and self._is_sure(work):
                return work.draft
            before = self.asked
            self._act(session, work, line, verb, rest.strip())
            if _question_of(self.asked) != _question_of(before):
                self._question(session, work)

    def _act(self, session: Session, work: Work, line: str, verb: str, rest: str) -> None:
        """One line of input."""
        if self.asked and verb.rstrip(":") in self.asked.verbs:
            self._order(session, work, line)
            return
        match verb:
            case "?" | "help":
                self._help()
            case "list":
                self._list(rest.split())
            case "show":
                told = (self.talk.language.text(self._told(session, order)) for order in work.sheet.orders)
                self.talk.say("\n".join(f"{i:3} {one}" for i, one in enumerate(told, 1)) or self.talk.speak("no orders yet"))
            case "report":
                self.talk.say(self.latest or self.talk.speak("nothing has happened yet"))
            case "note":
                work.say("note", [*work.draft.note, rest])
            case "send":
                self.talk.say(self.talk.language.text(NOT_YET if self.asked else AGAIN))
            case "quit":
                raise Leave
            case "back":
                work.undo()
                self._ask_on(session, work)
            case "standing":
                self._standing(session, work, rest)
            case "why?" | "why":
                self._why(session, work, rest)
            case "hint" if rest.isdecimal():
                self._follow(session, work, int(rest))
            case _ if verb in ASIDES:
                self.talk.say(asides.told(session, work, verb, rest))
            case _:
                self._order(session, work, line)

    def _help(self) -> None:
        self.talk.say(
            self.talk.speak("Type an order as in an order file, or the number of a listed one. Words may be cut short.")
        )
        for usage, meaning in (*HELP, *(aside[:2] for aside in ASIDES.values())):
            self.talk.say(f"  {self.talk.language.text(usage):23} {self.talk.language.text(meaning)}")

    def _ask_on(self, session: Session, work: Work) -> None:
        """What is asked behind the orders so far."""
        self.asked = guiding.asked_of(work.table, session.me.player, work.knowledge())

    def _is_sure(self, work: Work) -> bool:
        """What cannot be had back is told once before it is sent; nothing of the kind, or told already."""
        final = [c for c in work.consequences() if c.final]
        sure, self.warned = not final or self.warned == work.sheet.text, work.sheet.text
        return sure

    def _order(self, session: Session, work: Work, line: str) -> None:
        """An order, as it was typed or with its words completed; refused ones are explained and forgotten."""
        if self.asked is None:
            self.talk.say(self.talk.speak("Nothing more is asked: `send`, or `back`."))
            return
        first: why.Wrong | None = None
        stood = len(work.sheet.orders)
        for reading in self._readings(self.asked, line):
            try:
                work.put([reading()])
            except (Refused, ProtocolError) as error:
                first = first or error
                continue
            self._ask_on(session, work)
            for order in work.sheet.orders[stood:]:
                self.talk.say(self.talk.speak("ok: {orders}", orders=self._told(session, order)))
            return
        assert first is not None
        self.wrong = first
        self._explain(session, first, line, self.asked.vocabulary())
        self.offered = why.near_miss(work, self.asked, line)
        if self.offered:
            self.talk.say(self.talk.speak("Did you mean `{order}`? `y` orders it.", order=self.offered))

    def _follow(self, session: Session, work: Work, number: int) -> None:
        """The orders of one of the hints for this question."""
        try:
            found = hinting.orders(session, work, number)
            work.put(found)
        except (Refused, ProtocolError) as error:
            self._explain(session, error, "", [])
            return
        self._ask_on(session, work)
        for order in found:
            self.talk.say(self.talk.speak("ok: {orders}", orders=self._told(session, order)))

    def _readings(self, asked: Asked, line: str) -> list[Callable[[], Plain]]:
        """The order that a line means, as it was typed and with its words completed. Each raises ProtocolError."""
        texts = dict.fromkeys((line, guiding.completed(line, asked.vocabulary())))
        return [partial(self._reading, asked, text) for text in texts]

    def _reading(self, asked: Asked, text: str) -> Plain:
        return asked.order(self._chosen(text))

    def _why(self, session: Session, work: Work, line: str) -> None:
        """Why the last order was refused, or why one would be that is not listed: with the rule and what it says."""
        wrong, none = self.wrong, msg("no order was refused yet")
        if line and self.asked is not None:
            wrong, none = (
                why.wrong_with(work, self._readings(self.asked, line)),
                msg("nothing is wrong with it: it can be ordered"),
            )
        if wrong is None:
            self.talk.say(self.talk.language.text(none))
            return
        rules = rules_in(self.talk.language.code, session.game)
        for told in why.lines(self.talk.language, rules, session.charter.rules, wrong):
            self.talk.say(told)

    def _chosen(self, text: str) -> Plain:
        if text.isdigit() and 0 < int(text) <= len(self.listed):
            return self.listed[int(text) - 1]
        return guiding.read_line(text)

    def _explain(self, session: Session, error: why.Wrong, line: str, vocabulary: Sequence[str]) -> None:
        told = [p.told for p in titled(session, error).problems] if isinstance(error, Refused) else [error.told]
        for one in told:
            self.talk.say(self.talk.language.text(one))
        for words in guiding.open_words(line, vocabulary):
            self.talk.say(f"  {words}")

    def _standing(self, session: Session, work: Work, text: str) -> None:
        try:
            document, _ = strict_yaml.read_document(f"{text}\n")
            work.say("standing", {**work.draft.standing, **document})
        except (Refused, ProtocolError) as error:
            self._explain(session, error, "", [])
            return
        self._ask_on(session, work)
        self.talk.say(self.talk.speak("ok: standing order {document}", document=", ".join(document)))

    # -- guidance -------------------------------------------------------------------------------------------------------

    def _question(self, session: Session, work: Work) -> None:
        """What is asked, and how many legal orders there are for each verb, or all of them when they are few."""
        self.listed = []
        if self.asked is None:
            due = work.table.due
            then = msg("then {sends}", sends=sends(due)) if due.player else msg("then the game is over")
            self.talk.say(
                self.talk.speak(
                    "Nothing more is asked, {then}. `send` signs the file, `back` takes the last order back.", then=then
                )
            )
            for told in consequences.lines(self.talk.language, work.consequences()):
                self.talk.say(f"  {told}")
            return
        words = session.game.words()
        about = words.ASKED.get(self.asked.kind) or self.asked.prompt
        short = self.talk.language.text(linked(": ", words.SEATS[self.asked.seat], about))
        self.talk.say(f"{short} [{self.asked.rule}]")
        if (whole := self.talk.language.text(self.asked.prompt)) not in short:  # with money, or which of several it is
            self.talk.say(f"  {whole}")
        if len(self.asked.options) <= SHOWN:
            self._list([])
            return
        verbs = (f"{verb} ({n})" if n else verb for verb, n in self.asked.by_verb().items())
        self.talk.say("  " + self.talk.speak("{verbs}; `list WORDS` shows them, `?` helps", verbs=", ".join(verbs)))

    def _list(self, words: Sequence[str]) -> None:
        if self.asked is None:
            self.talk.say(self.talk.speak("Nothing more is asked: `send`, or `back`."))
            return
        found = self.asked.matching(words)
        self.listed = found[: 3 * SHOWN]
        form, told = self.work.form() if self.work else None, set[str]()
        for number, order in enumerate(self.listed, 1):
            self.talk.say(f"{number:3} {order_text(order)}{self._meaning(order) or self._sayings(form, order, told)}")
        if not found:
            listed = self.asked.options
            none = msg("nothing is listed here: write the answer yourself")
            if listed:
                none = msg("none of the proposals; an order that is not listed may be legal too")
            self.talk.say(f"  {self.talk.language.text(none)}")
        elif len(found) > len(self.listed):
            self.talk.say(
                "  " + self.talk.speak("and {number} more: add a word to `list`", number=len(found) - len(self.listed))
            )

    def _told(self, session: Session, order: Plain) -> Message:
        """An order with the game's own names."""
        return order_told(order, lambda word: session.game.words().named(session.table.engine.state, word))

    def _meaning(self, order: Plain) -> str:
        """What stands behind the hidden things that an order names by handle or by number, for the player who knows it."""
        text = order_text(order)
        known = [item for handle, item in self.hidden.items() if _names(text, handle) or _names(text, item.partition(" ")[0])]
        return f"  ({', '.join(known)})" if known else ""

    def _sayings(self, form: Form | None, order: Plain, told: set[str]) -> str:
        """What an order costs and does, as the board says it; what was told of another one already is not told again."""
        picks, text = picks_of(form, order) if form else (), self.talk.language.text
        said = [s for p in picks if (s := text(p.says)) not in told]
        told.update(said)
        known = [words for words in (*(s.rstrip(".") for s in said), *(text(p.cost) for p in picks)) if words]
        return f"  ({'; '.join(known)})" if known else ""

"""From a log to the view model: files are taken again one by one and every event is put into words as it happened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.games.parts import Chances, Words
from pbem.kernel.canon import Plain
from pbem.kernel.events import Stated, emit
from pbem.kernel.wording import NO_WORDS, Argument, Message, Overview, Told, counted, english, msg
from pbem.odds.luck import Throw
from pbem.protocol.dice import label_of
from pbem.report.announced import Declarations
from pbem.report.deadlines import remarks as late
from pbem.report.due import drawn_told, due_message
from pbem.report.files import by, file_view
from pbem.report.planning import orders_told, why_not, why_told
from pbem.report.quoting import Named, clause_told, order_told
from pbem.report.steps import Fetch, Step, events_of
from pbem.report.tolls import Toll, with_loss
from pbem.report.trust import healed
from pbem.report.view import Block, Chapter, FileView, Fired, Line, Losses, ReportView, Roll, Seated
from pbem.runtime import ledger as records
from pbem.runtime.knowledge import Knowledge, Unknown
from pbem.runtime.table import Table


def report(
    words: Words,
    steps: Iterable[Step],
    table: Table,
    fetch: Fetch,
    *,
    knowledge: Knowledge | None = None,
    whole: bool | None = False,
    chances: Chances | None = None,
) -> ReportView:
    """The report of some neighbouring files of a log at whose end `table` stands.

    `knowledge`: of the player who reads it; None for spectators. `whole`: the board in words, False: of what was touched.
    `chances`: the game's, where its throws are to be weighed.
    Uses up the states of the tables before each step.
    """
    story = _Story(words, table, fetch, chances)
    for step in steps:
        story.add(step)
    state, due = table.engine.state, table.due
    return ReportView(
        table.game.title,
        words.heading(state),
        table.charter.game_id,
        story.first or table.last,
        story.last or table.last,
        _players(words, table),
        due_message(words, table),
        table.result.rule if table.result else due.rule,
        table.result is not None,
        tuple(words.overviews(state)),
        (*words.remarks(state), *(msg("{player} has resigned.", player=p) for p in table.ledger.resigned), *late(words, table)),
        tuple(Losses(words.SEATS[s] if s in table.game.seats else who, t, w) for s, (who, t, w) in story.losses.items()),
        tuple(story.summary["income"]),
        tuple(story.summary["politics"]),
        tuple(story.summary["control"]),
        tuple(story.chapters),
        tuple(_counted(story.fired)),
        tuple(story.rolls),
        tuple(story.files),
        _spaces(words, state, whole, story.touched),
        tuple((handle_told(table, h, alone=True), item) for h, item in private(words, knowledge, table)) if knowledge else (),
        earlier=story.earlier,
        declared=tuple(story.declared.standing),
    )


def _players(words: Words, table: Table) -> tuple[Seated, ...]:
    counts = dict.fromkeys((*table.charter.players_in_order, *(p.name for p in table.charter.all_players)), 0)
    for entry in (e for e in table.ledger.entries[1:] if e.player):
        counts[entry.player] = counts.get(entry.player, 0) + (entry.decides or entry.type != "turn")
    return tuple(_seated(words, table, player, n) for player, n in counts.items())


def _seated(words: Words, table: Table, player: str, by_hand: int) -> Seated:
    """A player with seats and side; an umpire, and who has given his seats away, has none."""
    seats = tuple(words.SEATS[s] for s in table.charter.seats_of(player))
    return Seated(player, seats, words.SIDES[table.side_of(player)] if seats else None, by_hand)


def _spaces(words: Words, state: Any, whole: bool | None, touched: Iterable[str]) -> tuple[Message, ...]:
    board = {} if whole is None else words.board(state)
    return tuple(board.values()) if whole else tuple(board[s] for s in touched if s in board)


def private(words: Words, knowledge: Knowledge, table: Table) -> tuple[tuple[str, Argument], ...]:
    """What is behind this player's own handles that nobody else has seen, in the words of games that name such things."""
    own = [h for made in table.ledger.draws if made.player == knowledge.player for h in made.handles()]
    own += [h for h, seal in table.ledger.seals.items() if seal.player == knowledge.player]
    found = []
    for handle in own:
        if handle in table.ledger.opened:
            continue
        try:
            item = knowledge.reveal(handle)
        except Unknown:
            continue
        if item is not None:
            told = words.item(table.engine.state, item) or hidden_told(item, lambda word: words.named(table.engine.state, word))
            found.append((handle, told))
    return tuple(found)


def hidden_told(content: Plain, named: Named) -> Message:
    """What was sealed, for a reader: an order, a clause, a step of a plan; of one without a condition what it does alone."""
    if isinstance(content, dict) and content.keys() == {"do"}:
        return orders_told(content["do"], named)
    return order_told(content, named)


def handle_told(table: Table, handle: str, *, alone: bool = False) -> Argument:
    """Where something hidden was sealed, drawn or rolled: its handle tells nothing. `alone`: it stands for what is hidden."""
    seal = SEAL.fullmatch(handle)
    if seal is None:
        return drawn_told(table, handle) or handle
    seq = int(seal[1])
    return msg("what was sealed in file {seq}", seq=seq) if alone else msg("sealed in file {seq}", seq=seq)


def _shown(table: Table, player: Argument, item: Argument, handle: str) -> Message:
    """That something hidden is shown, and where it was sealed or rolled; a card that was drawn says enough by its name."""
    made = table.ledger.draw_of(handle)
    if made is not None and not made.sides:
        return msg("{player} shows {item}.", player=player, item=item)
    return msg("{player} shows {item} ({handle}).", player=player, item=item, handle=handle_told(table, handle))


SEAL = re.compile(r".*:seal([0-9]+):[0-9]+")
KINDS = {
    "undo": msg("offer to take files back"),
    "offer": msg("offer of a draw"),
    "accept": msg("offer accepted"),
    "decline": msg("offer declined"),
    "seat": msg("seat offered"),
    "heal": msg("heal"),
}
CLAUSE_SHOWN = 80  # letters of a clause that is printed again beside its answer; longer ones stand with their file


class _Story(Struct):
    """The report while it grows."""

    words: Words
    table: Table
    fetch: Fetch
    chances: Chances | None
    chapters: list[Chapter] = field(default_factory=list)
    files: list[FileView] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    fired: list[Fired] = field(default_factory=list)
    losses: Toll = field(default_factory=dict)
    touched: dict[str, None] = field(default_factory=dict)
    summary: dict[str, list[Line]] = field(default_factory=lambda: {"income": [], "politics": [], "control": []})
    latest: Told | None = None
    fought: Message | None = None  # the battle that goes on, and what it has cost so far
    toll: Toll = field(default_factory=dict)
    declared: Declarations = field(default_factory=Declarations)
    earlier: tuple[Overview, ...] = ()
    first: int = 0
    last: int = 0

    def add(self, step: Step) -> None:
        """A file: its orders, what it opens, what happened, the standing orders that answered."""
        self.first, self.last = self.first or step.taken.seq, step.taken.seq
        if step.document["type"] == "void":
            return
        if not self.chapters:
            self.chapters.append(Chapter(self.words.heading(step.state)))
            self.earlier = tuple(self.words.overviews(step.state))
        self._file(step)
        for line in [*self._offers(step), *self._hidden(step)]:
            self._block("orders" if self._blocks and self._blocks[-1].kind == "orders" else "phase").lines.append(line)
        pending = self._rolls(step)
        for told, throw in self._events(step):
            self._tell(told, throw, pending)
        for roll in pending:
            if step.taken.seq not in self.table.ledger.voided:
                self._plain_line(Line(msg("Roll: {label}", label=roll.label), roll.rule, "dice", roll))
        self._standing(step)

    # -- files -----------------------------------------------------------------------------------------------------------

    def _file(self, step: Step) -> None:
        voided = step.taken.seq in self.table.ledger.voided
        view = file_view(step.document, self._kind(step), step.taken.id, voided, self._named, self.words, step.taken.asked)
        self.files.append(view)
        if view.orders or view.beside or view.note:
            self._blocks.append(Block("orders", None, view))
            self.latest = None

    def _kind(self, step: Step) -> Message:
        document = step.document
        if document["type"] != "turn":
            return KINDS[document["type"]]
        if document.get("orders"):
            return msg("orders")
        return msg("turns the dice") if step.taken.turned else msg("no decision")

    def _offers(self, step: Step) -> list[Line]:
        player, document = by(step.document), step.document
        match document["type"]:
            case "heal":
                return [Line(healed(document), topic="offer")]
            case "undo":
                to = int(document["to"])
                text = msg("{player} offers to take back file {to} and all that followed.", player=player, to=to)
                return [Line(text, topic="offer")]
            case "offer":
                return [Line(msg("{player} offers a draw.", player=player), topic="offer")]
            case "accept":
                return [Line(msg("{player} accepts the offer.", player=player), topic="offer")]
            case "decline":
                return [Line(msg("{player} declines the offer.", player=player), topic="offer")]
        return []

    def _hidden(self, step: Step) -> Iterator[Line]:
        """Draws and openings: what the table may know of them."""
        player, ledger = by(step.document), step.taken.table.ledger
        for made in ledger.draws:
            if made.seq == step.taken.seq:
                yield Line(text := self._drawn(made), topic="drawn", short=None if made.sides else text)
        for entry in step.document.get("open") or []:
            if "claim" in entry:
                continue  # an event tells it
            shown = entry["item"] if "item" in entry else entry["order"]
            item = hidden_told(shown, self._named)
            yield Line(_shown(step.taken.table, player, item, str(entry["handle"])))

    def _drawn(self, made: records.DrawMade) -> Message:
        who = self.words.SEATS[made.seat]
        if made.sides:
            return msg("{who} rolls in secret: {label}.", who=who, label=made.told)
        return counted("{who}: {n} card drawn unseen.", "{who}: {n} cards drawn unseen.", made.count, who=who)

    # -- dice ------------------------------------------------------------------------------------------------------------

    def _rolls(self, step: Step) -> list[Roll]:
        """The rolls that this file turned, with their proofs, still to be matched with events."""
        entries = step.taken.table.ledger.entries
        made: list[Roll] = []
        for rolled in step.taken.turned:
            at = step.taken.table.ledger.behind(rolled.source)
            deciding, showing = entries[rolled.source], entries[at]
            made.append(
                Roll(
                    len(self.rolls) + len(made) + 1,
                    rolled.source,
                    rolled.index,
                    rolled.label,
                    rolled.rule,
                    rolled.sides,
                    tuple(rolled.dice),
                    deciding.id,
                    showing.link,
                    at,
                    showing.player or showing.of,
                )
            )
        self.rolls += made
        return made

    def _matched(self, told: Told, pending: list[Roll]) -> Roll | None:
        roll = next((r for r in pending if r.label == label_of(told.label) and r.dice == told.dice), None)
        if roll is None:
            return None
        pending.remove(roll)
        known = replace(roll, hit_at=told.hit_at, ten_is_zero=told.ten_is_zero, outcome=told.outcome)
        self.rolls[roll.number - 1] = known
        return known

    # -- events ----------------------------------------------------------------------------------------------------------

    def _events(self, step: Step) -> Iterator[tuple[Told, Throw | None]]:
        state, events = events_of(step, self.table.ledger.voided, self.fetch)
        for event in events:
            told = self.words.tell(state, event)
            throw = self.chances.throw(state, event) if self.chances is not None and told is not None else None
            self.declared.add(event, told)
            emit(state, event)
            if told is not None and isinstance(event, Stated):
                who = step.taken.table.player_of(event.seat)
                told = replace(told, text=msg("{player} states: {claim}", player=who, claim=told.text))
            if told is not None:
                yield told, throw

    def _tell(self, told: Told, throw: Throw | None, pending: list[Roll]) -> None:
        self.touched.update(dict.fromkeys(told.spaces))
        if told.loser:
            self._lose(told)
        roll = self._matched(told, pending) if told.label else None
        line = Line(told.text, told.rule, told.topic, roll, throw=throw, short=told.short, decisive=told.decisive)
        if told.topic == "turn":
            self.chapters.append(Chapter(told.text))
        elif told.topic == "phase":
            self._blocks.append(Block("phase", told.text))
        else:
            if told.topic in self.summary:
                self.summary[told.topic].append(line)
            block = self._battle(told.block) if told.block else self._block("phase")
            if told.loser:
                block.lost.append((told.loser, told.text, told.worth))
            joined = self.latest.joined(told) if self.latest and block.lines else None
            if joined:
                block.lines[-1] = replace(block.lines[-1], text=joined.text)
                told = joined
            else:
                block.lines.append(line)
            if told.closing:
                block.lines += self._toll(told)
        self.latest = told

    def _lose(self, told: Told) -> None:
        """A loss for the lists."""
        if told.block != self.fought:
            self.fought, self.toll = told.block, {}
        for kept in (self.losses, self.toll):
            with_loss(kept, told.loser, told.text, told.worth)

    def _toll(self, told: Told) -> Iterator[Line]:
        """What the battle that is over cost each side."""
        toll = self.toll if self.fought == told.block else {}
        for who, things, _ in toll.values():
            yield Line(msg("Losses, {power}: {things}", power=who, things=things), "", "toll")
        if not toll:
            yield Line(msg("Nobody has lost anything"), "", "toll")
        self.fought, self.toll = None, {}

    @property
    def _blocks(self) -> list[Block]:
        return self.chapters[-1].blocks

    def _block(self, kind: str) -> Block:
        """The block in which a line goes on that belongs to no battle."""
        if not self._blocks or self._blocks[-1].kind != kind:
            self._blocks.append(Block(kind))
        return self._blocks[-1]

    def _battle(self, title: Message) -> Block:
        if not self._blocks or self._blocks[-1].title != title:
            self._blocks.append(Block("battle", title))
        return self._blocks[-1]

    def _plain_line(self, line: Line) -> None:
        self._block("phase").lines.append(line)

    # -- standing orders -------------------------------------------------------------------------------------------------

    def _standing(self, step: Step) -> None:
        ledger = step.taken.table.ledger
        for made in ledger.fired:
            if made.seq == step.taken.seq:
                self.fired.append(self._answered(ledger, made))

    def _answered(self, ledger: records.Ledger, made: records.Fired) -> Fired:
        who, about = self.words.SEATS[made.seat], self.words.ASKED.get(made.kind) or made.kind
        if made.by in ("plan", "passed", "stopped"):
            return Fired(who, about, orders_told(made.order, self._named), why_told(made, self._named), planned=True)
        if made.by == "default":
            why: Argument = tuple(why_not(one, self._named) for one in made.why) or (
                msg("no clause") if made.file else msg("no standing order")
            )
            why = msg("no standing order applied; the default: {why}", why=why)
            return Fired(who, about, order_told(made.order, self._named), why)
        told = msg("standing order of file {seq}, clause {clause}", seq=made.file, clause=made.clause)
        held = next((s for s in ledger.standing if s.seq == made.file and s.kind == made.kind), None)
        text: Message = NO_WORDS
        if held and made.clause <= len(held.clauses):
            text = clause_told(made.kind, held.clauses[made.clause - 1], self._named)
        return Fired(
            who, about, order_told(made.order, self._named), told, text if len(english(text)) <= CLAUSE_SHOWN else NO_WORDS
        )

    def _named(self, word: str) -> Message | None:
        return self.words.named(self.table.engine.state, word)


def _counted(fired: Sequence[Fired]) -> Iterator[Fired]:
    """Equal answers once, each with how often it was given."""
    for nth, one in enumerate(fired):
        if one not in fired[:nth]:
            yield replace(one, times=fired.count(one))

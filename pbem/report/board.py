"""What the board's page shows, as plain data: sentences in the player's language, words of others made harmless in one place.

The page puts every text into the document as text; it makes no markup of any. `Teller.said` is the only way from a message
or a name to such a text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.games.parts import Words
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import KINDS, Consequence
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import Pick, Step
from pbem.kernel.orders import Problem
from pbem.kernel.wording import Argument, Message, linked, msg, times
from pbem.protocol.outcomes import ProtocolError
from pbem.report.consequences import HEADS, with_rule
from pbem.report.due import due_message
from pbem.report.escaping import plain
from pbem.report.languages import Language, rule_said
from pbem.report.planning import behind_told, steps_told
from pbem.report.quoting import order_told, standing_told
from pbem.report.verbs import name_of
from pbem.report.view import Block, Line, ReportView
from pbem.runtime.behind import Behind
from pbem.runtime.desk import Desk
from pbem.runtime.paper import read_paper
from pbem.runtime.sheet import Sheet, Trouble
from pbem.runtime.table import Table

Shown = dict[str, Plain]
SIGNS = {"attack": "⚔", "land": "✈", "retreat": "↩", "base": "⌂", "enters-zone": "◎"}  # beside a pick, for the eye alone
PAGE = {
    "title": msg("pbem board"),
    "map": msg("Map of {title}; every choice is a button beside it"),
    "games": msg("Games"),
    "your_turn": msg("your turn"),
    "news": msg("What happened"),
    "to_turn": msg("Go to my turn"),
    "next": msg("Forward"),
    "back": msg("Back"),
    "orders": msg("orders"),
    "text": msg("Text"),
    "clicks": msg("Clicks"),
    "hand": msg("Hand"),
    "undo": msg("Undo"),
    "redo": msg("Redo"),
    "send": msg("Send"),
    "sent": msg("Sent"),
    "take": msg("Take this order"),
    "drop": msg("Start again"),
    "step_back": msg("One step back"),
    "remove": msg("Remove: {order}"),
    "change": msg("Change: {order}"),
    "instead": msg("In the place of: {order}"),
    "more": msg("one more: {unit}"),
    "fewer": msg("one fewer: {unit}"),
    "here": msg("To here: {place}"),
    "choose": msg("What next?"),
    "no_orders": msg("no orders yet"),
    "find": msg("Find a place, a unit or a word"),
    "help": msg("Keys"),
    "show": msg("Show"),
    "hint": msg("Give me a hint"),
    "larger": msg("Larger"),
    "smaller": msg("Smaller"),
    "units": msg("Counters"),
    "receive": msg("Take mail or files"),
    "drop_here": msg("Drop files here, or paste the text of a post"),
    "review": msg("Before you send"),
    "keep_on": msg("Go on with the orders"),
    "nothing_lost": msg("Nothing is given up."),
    "copy": msg("Copy as post"),
    "copied": msg("copied"),
    "mail": msg("Open the mail program"),
    "mail_send": msg("Send the mail now"),
    "matters": msg("More"),
    "no_deals": msg("There is nothing to offer or to answer now."),
    "standing": msg("Standing orders"),
    "write": msg("Write into the orders"),
    "your_text": msg("Your text"),
    "their_text": msg("The file now"),
    "conflict": msg("The order file was changed elsewhere. Nothing is overwritten: which one stands?"),
    "use_mine": msg("Mine stands"),
    "use_theirs": msg("The file stands"),
    "gone": msg("The program has stopped: start `pbem board` again"),
    "curtain": msg("{player}, your turn"),
    "show_hand": msg("I sit here: show my hand"),
    "everything": msg("Everything that can act"),
    "attack": msg("attack"),
    "land": msg("landing"),
    "retreat": msg("retreat"),
    "base": msg("base"),
    "enters-zone": msg("enters a zone"),
    "nothing_asked": msg("No orders are asked of you now."),
    "many": msg("{number} things can be chosen: click on the map, or find them by name"),
    "chosen": msg("chosen"),
    "when": msg("Only if (a condition; left empty: always)"),
}  # every word of the page's own
KEYS = (
    ("N P F", msg("next, previous place with units that can act; F flashes all")),
    ("← → ↑ ↓", msg("from one lit place to the next")),
    ("Enter", msg("choose the place, or take the order")),
    ("0 – 9", msg("how many of the unit chosen last")),
    ("Backspace", msg("one step back; without a choice: undo the last order")),
    ("Esc", msg("leave the choice")),
    ("/", msg("find by name")),
    ("D", msg("end the phase")),
    ("E", msg("end all that is left")),
    ("S", msg("send")),
    ("+ −", msg("larger, smaller")),
)  # what they do on the page
NO_KEY = msg("This page needs the address that `pbem board` opens")
SINCE = msg("since {time}")
LINE = msg("line {number}")
ALL_ASKED = msg("Nothing more is asked: send the file.")
MAY_ANSWER = msg("You may answer this too: {question}. Unless you do: {order}")
ODDS = msg("Odds")
SENDING = msg("Send")
SENDING_LOSS = msg("Send all the same: {loss}")
NUMBER = re.compile(r"^\d+\s")  # of a kind of units: "3 infantry"
MOST_PICKS = 400  # in one answer; the rest is found by name on the map
UNIT = "unit"  # the slot of what moves and fights, as forms name it


class Teller(Struct, frozen=True):
    """What turns facts into texts: the player's language and the game's names as things stand."""

    language: Language
    words: Words
    state: Any

    def said(self, value: Argument) -> str:
        """A text for the page."""
        return plain(self.language.text(value))

    def order(self, order: Plain) -> str:
        """An order with the game's names."""
        return self.said(order_told(order, lambda word: self.words.named(self.state, word)))

    def standing(self, order: Plain) -> str:
        """A standing order with the game's names."""
        return self.said(standing_told(order, lambda word: self.words.named(self.state, word)))

    def place(self, at: str) -> str:
        """A place by its name, or as orders have it."""
        return self.said(self.words.named(self.state, at) or at)

    def card(self, text: Message) -> str:
        """What a thing does; texts of cards are translated with the index of rules."""
        return plain(rule_said(self.language.code, self.words.CATALOGUE, self.language.text(text)))

    def problem(self, wrong: Problem) -> str:
        """What is wrong with an order."""
        return self.said(wrong.told)


def vocabulary(language: Language) -> Shown:
    """The page's own words; {named} places are filled by the page."""
    return {key: plain(language.text(Message(m.id, {n: f"{{{n}}}" for n in _places(m.id)}))) for key, m in PAGE.items()}


def keyboard(language: Language) -> list[Plain]:
    """Keys and what they do."""
    return [[key, plain(language.text(what))] for key, what in KEYS]


def _places(id: str) -> list[str]:
    return [part.partition("}")[0] for part in id.split("{")[1:]]


# -- a game ---------------------------------------------------------------------------------------------------------------


def head(teller: Teller, table: Table, player: str) -> Shown:
    """Where a game stands."""
    return {
        "title": teller.said(table.game.title),
        "heading": teller.said(teller.words.heading(teller.state)),
        "due": teller.said(due_message(teller.words, table)),
        "player": plain(player),
        "over": table.result is not None,
        "files": table.last,
    }


def tab(teller: Teller, name: str, mine: bool) -> str:
    """The title of the browser's tab: a game that waits for its player says so."""
    return f"● {name}: {teller.said(PAGE['your_turn'])}" if mine else name


def handed_out(teller: Teller, seq: Plain) -> str:
    """That something was signed; `seq`: the number of the file, empty where it is none."""
    return teller.said(linked(": ", PAGE["sent"], *([str(seq)] if seq else [])))


def waiting(teller: Teller, shown: Shown, received: str, deadline: Sequence[str]) -> Shown:
    """A game in the list: where it stands; who is due, since when and until when."""
    since = "" if shown["over"] else teller.said(Message(SINCE.id, {"time": received}))
    return {"at": f"{shown['title']}, {shown['heading']}", "waits": " ".join([str(shown["due"]), since, *map(plain, deadline)])}


def bar(teller: Teller, sheet: Sheet) -> str:
    """What is asked behind the orders, in short."""
    if sheet.asked is None:
        return teller.said(ALL_ASKED).removesuffix(".")  # the page may say more behind it
    asked = question(teller, sheet.asked)
    return teller.said(linked(": ", str(asked["seat"]), str(asked["text"])))


def desk(teller: Teller, work: Desk, behind: Behind | None) -> Shown:
    """The order file as it stands: its text, every order with its line, the first trouble, what is asked behind them.

    `behind`: orders of it that a plan could hold.
    """
    sheet = work.sheet
    orders: list[Plain] = [_entry(teller, sheet, at, order, line) for at, order, line in _entries(sheet)]
    steps = enumerate(planned(teller, work.wanted.plan), len(orders))
    plan: list[Plain] = [{"at": at, "text": text, "line": 0, "stands": True, "left_out": False} for at, text in steps]
    return {
        "text": sheet.text,
        "orders": [*orders, *plan],
        "trouble": [] if sheet.trouble is None else [*_trouble(teller, sheet.trouble), *_behind(teller, behind)],
        "left_out": [_at_line(teller, left.line, teller.said(left.message)) for left in sheet.left_out],
        "asked": None if sheet.asked is None else question(teller, sheet.asked),
        "passed": [_passed(teller, ask) for ask in sheet.passed],
    }


def planned(teller: Teller, plan: Sequence[Plain]) -> list[str]:
    """The steps of a file's plan."""
    told = steps_told([*plan], teller.words, lambda word: teller.words.named(teller.state, word))
    return [teller.said(step) for step in told]


def _entries(sheet: Sheet) -> list[tuple[int, Plain, int]]:
    """Entry, order and line of everything that the text orders; of a text that cannot be read what stood before."""
    try:
        paper = read_paper(sheet.text)
    except ProtocolError:
        return [(-1, order, 0) for order in sheet.orders]
    return [(at, order, paper.line_of(at)) for at, order in enumerate(paper.orders)]


def _entry(teller: Teller, sheet: Sheet, at: int, order: Plain, line: int) -> Shown:
    left_out = any(left.at == at for left in sheet.left_out)
    return {"at": at, "text": teller.order(order), "line": line, "stands": line in sheet.lines or at < 0, "left_out": left_out}


def _trouble(teller: Teller, trouble: Trouble) -> list[Plain]:
    told = [teller.problem(p) for p in trouble.problems] or [teller.said(trouble.unread)]
    return [_at_line(teller, trouble.line, one) for one in told]


def _behind(teller: Teller, behind: Behind | None) -> list[Plain]:
    return [] if behind is None else [teller.said(told) for told in behind_told(behind)]


def _at_line(teller: Teller, line: int, text: str) -> str:
    return teller.said(linked(": ", Message(LINE.id, {"number": line}), text)) if line else text


def question(teller: Teller, asked: Ask | Commit) -> Shown:
    """What is asked, of whom and by which rule."""
    about = teller.words.ASKED.get(asked.kind) or asked.prompt
    scope = asked.prompt if asked.scope and about != asked.prompt else ""
    return {
        "kind": asked.kind,
        "seat": teller.said(teller.words.SEATS[asked.seat]),
        "text": teller.said(about),
        "scope": teller.said(scope),
        "rule": plain(asked.rule),
    }


def about(asked: Ask | Commit | None) -> str:
    """The place that a question is about, as maps have it: `battle:sz-19`, `combat:n2818`; empty where it is none."""
    place = asked.scope.rpartition(":")[2] if isinstance(asked, Ask) else ""
    return place.upper() if place[1:].isdigit() else place


def _passed(teller: Teller, passed: Ask) -> str:
    text, default = question(teller, passed)["text"], teller.order(passed.default)
    return teller.said(Message(MAY_ANSWER.id, {"question": str(text), "order": default}))


def step(teller: Teller, found: Step) -> Shown:
    """What may be picked next, and the orders that the picks make; units of several places with where each of them stands."""
    are_apart = len({one.at for one in found.picks if one.slot == UNIT}) > 1
    return {
        "picks": [pick(teller, one, are_apart and one.slot == UNIT) for one in found.picks[:MOST_PICKS]],
        "left": max(0, len(found.picks) - MOST_PICKS),
        "orders": [teller.order(order) for order in found.orders],
        "budget": teller.said(found.budget),
        "note": teller.said(found.note),
        "problems": [teller.problem(p) for p in found.problems],
    }


def pick(teller: Teller, offered: Pick, tells_where: bool = False) -> Shown:
    """A thing that may be picked."""
    why = ""
    if offered.why_not is not None:
        why = teller.said(linked(" ", offered.why_not.reason, f"[{offered.why_not.rule}]" if offered.why_not.rule else ""))
    name, says = teller.said(name_of(offered)), teller.card(offered.says)
    cost = teller.said(offered.cost) or (teller.place(offered.at) if tells_where and offered.at and not says else "")
    lead = next((lead for lead in offered.leads if lead in PAGE), "")
    heard = [name, teller.said(PAGE[lead]) if lead else "", cost, why, says]
    return {
        "slot": offered.slot,
        "value": offered.value,
        "name": name,
        "at": offered.at,
        "cost": cost,
        "lead": lead,
        "sign": SIGNS.get(lead, ""),
        "why": why,
        "says": says,
        "heard": ", ".join(text for text in heard if text),
    }


def named(teller: Teller, offered: Pick, count: int = 1) -> str:
    """What a pick is called once so many of it are chosen: without the number, where it can have one."""
    name = name_of(offered)
    if offered.most > 1 and isinstance(name, Message) and name.plural and "n" in name.args:
        name = times(name, count)
    return NUMBER.sub("", teller.said(name)) if offered.most > 1 else teller.said(name)


# -- before sending ---------------------------------------------------------------------------------------------------------


def review(teller: Teller, found: Sequence[Consequence]) -> Shown:
    """What a file gives up, by kind, worst first; and the words of the button that sends it all the same."""
    groups: list[Plain] = []
    for kind in KINDS:
        here: list[Plain] = [{"text": teller.said(with_rule(c)), "at": c.at, "final": c.final} for c in found if c.kind == kind]
        if here:
            groups.append({"kind": kind, "head": teller.said(HEADS[kind]), "told": here})
    worst = next((c for c in found if c.final), None)
    button = SENDING if worst is None else Message(SENDING_LOSS.id, {"loss": worst.message})
    return {"groups": groups, "button": teller.said(button), "final": worst is not None}


# -- what happened ----------------------------------------------------------------------------------------------------------


def told(teller: Teller, view: ReportView) -> list[Plain]:
    """A report's chapters as blocks: a title, the orders and notes of a file, lines with their dice; then what was said."""
    blocks: list[Plain] = [
        _block(teller, block) for chapter in view.chapters for block in chapter.blocks if block.lines or block.file
    ]
    said: list[Plain] = [plain(f"{note.who}: {note.text}") for note in view.notes]
    return [*blocks, {"kind": "said", "title": "", "orders": [], "note": said, "lines": []}] if said else blocks


def _block(teller: Teller, block: Block) -> Shown:
    file = block.file
    return {
        "kind": block.kind,
        "title": "" if block.title is None else teller.said(block.title),
        "orders": [] if file is None else [teller.said(order) for order in file.orders],
        "note": [] if file is None else [plain(line) for line in file.note],
        "lines": [_line(teller, line) for line in block.lines],
    }


def _line(teller: Teller, line: Line) -> Shown:
    dice: list[Plain] = []
    if line.roll is not None:
        hit_at = line.roll.hit_at
        dice = [{"face": face, "hit": die <= hit_at} for face, die in zip(line.roll.faces, line.roll.dice, strict=True)]
    return {"text": teller.said(line.text), "rule": plain(line.rule), "topic": line.topic, "dice": dice}


def texts(lines: Sequence[str]) -> list[Plain]:
    """Lines that were told elsewhere already, made harmless."""
    return [plain(line) for line in lines]

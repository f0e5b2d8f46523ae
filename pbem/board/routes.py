"""The closed table of addresses: files of the page, and what it may ask. Nothing of a request becomes a path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.board import answers, gestures, planning
from pbem.board.game import OpenGame
from pbem.board.gestures import Before, Gesture
from pbem.board.hall import Hall
from pbem.board.order_file import PLAN, Entries
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Partial
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.board import NO_KEY, Shown
from pbem.shipped import data_folder

SCRIPTS = ("main", "wire", "words", "map", "column", "keys")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FILES = {
    "/": "board.html",
    "/board.css": "board.css",
    "/icon.svg": "icon.svg",
    **{f"/{name}.js": f"{name}.js" for name in SCRIPTS},
}


# -- what the page sent -------------------------------------------------------------------------------------------------


MOST_CHOSEN, LONGEST = 2000, 200  # picks of one order; letters of one


class Asked(Struct, frozen=True):
    """The body of a request. Its methods raise ProtocolError (unreadable)."""

    plain: Mapping[str, Any]

    def text(self, name: str, most: int = 1 << 20) -> str:
        """A text; empty where it is missing."""
        value = self.plain.get(name, "")
        if not isinstance(value, str) or len(value) > most:
            raise strange(name)
        return value

    def number(self, name: str, missing: int | None = None) -> int:
        """A whole number."""
        value = self.plain.get(name, missing)
        if not isinstance(value, int) or isinstance(value, bool):
            raise strange(name)
        return value

    def texts(self, name: str) -> Sequence[str]:
        """A few texts; none where they are missing."""
        value = self.plain.get(name, [])
        if not isinstance(value, list) or not all(
            isinstance(text, str) and len(text) <= LONGEST for text in value[:MOST_CHOSEN]
        ):
            raise strange(name)
        return value[:MOST_CHOSEN]

    def names(self, name: str) -> Mapping[str, str]:
        """Texts by name; none where it is missing."""
        value = self.plain.get(name, {})
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise strange(name)
        return value

    def part(self, name: str) -> Asked:
        """Several things under one name; nothing where it is missing."""
        value = self.plain.get(name) or {}
        if not isinstance(value, dict):
            raise strange(name)
        return Asked(value)

    def orders(self) -> Sequence[Plain]:
        """Whole orders, whatever they are."""
        value = self.plain.get("orders")
        if not isinstance(value, list) or len(value) > MOST_CHOSEN:
            raise strange("orders")
        return value

    def partial(self) -> Partial:
        """What is picked so far: [slot, value, count] each."""
        chosen = self.plain.get("chosen", [])
        if not isinstance(chosen, list) or len(chosen) > MOST_CHOSEN:
            raise strange("chosen")
        return Partial(self.text("verb", LONGEST), tuple(_chosen(one) for one in chosen))


def _chosen(one: Any) -> Chosen:
    match one:
        case [str(slot), str(value), int(count)] if len(value) <= 10 * LONGEST and 0 < count <= 10_000:
            return Chosen(slot, value, count)
    raise strange("chosen")


def strange(name: str) -> ProtocolError:
    """What is said of something that the page would not send."""
    return ProtocolError(Outcome.UNREADABLE, msg("the page sent something strange: {name}", name=name))


def read_asked(body: bytes) -> Asked:
    """The body of a request. Raises ProtocolError (unreadable)."""
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        raise strange("JSON") from None
    if not isinstance(plain, dict):
        raise strange("JSON")
    return Asked(plain)


# -- a gesture, one act at each request ---------------------------------------------------------------------------------


Act = Callable[[Gesture, Asked], Gesture | None]
ACTS: Mapping[str, Act] = {
    "": lambda g, asked: g,
    "begin": lambda g, asked: g.question.begun(),
    "choose": lambda g, asked: g.choose(asked.text("slot", LONGEST), asked.text("value", 10 * LONGEST)),
    "count": lambda g, asked: g.counted(asked.number("index"), asked.number("number")),
    "all": lambda g, asked: g.everything(g.origin),
    "back": lambda g, asked: g.back(),
    "around": lambda g, asked: g.around(asked.number("by")),
    "here": lambda g, asked: g.here(),
    "click": lambda g, asked: g.clicked(asked.texts("places"), asked.texts("names")),
    "drag": lambda g, asked: g.dragged(asked.texts("source"), asked.texts("places")),
}
TAKING = ("choose", "here", "click", "drag")  # with these an order that is whole may be taken at once


def acted(game: OpenGame, entries: Entries, asked: Asked) -> Shown:
    """The gesture after an act; why a place does not fit, where it does not. Raises ProtocolError (unreadable)."""
    name, at = asked.text("act", LONGEST), asked.number("instead", -1)
    if name not in ACTS:
        raise strange("act")
    teller = game.teller(entries.desk(at).table.engine.state)
    earlier = asked.part("before")
    before = Before(earlier.text("at", LONGEST), earlier.partial()) if earlier.plain else None
    gesture = Gesture(entries.question(at), asked.partial(), before)
    found = ACTS[name](gesture, asked)
    shown = gestures.told(teller, gesture if found is None else found, at, asked.text("when", LONGEST))
    if found is None and gesture.partial.chosen:
        gestures.refuse(shown, [teller.problem(p) for p in entries.why(at, gesture.whole.partial, asked.texts("places"))])
    return {**shown, "takes": shown["takes"] and name in TAKING}


# -- files of the page --------------------------------------------------------------------------------------------------


def page_file(address: str, hall: Hall) -> tuple[str, bytes] | None:
    """Type and content of a file of the page, which speaks the player's language; None for any other address."""
    name = FILES.get(address)
    if name is None:
        return None
    path: Path = data_folder("templates") / "board" / name
    content = path.read_bytes()
    if path.suffix == ".html":
        content = content.replace(b"{language}", hall.language.code.encode())
        content = content.replace(b"{no_key}", escape(hall.language.text(NO_KEY)).encode())
    return TYPES[path.suffix], content


# -- what the page may ask ------------------------------------------------------------------------------------------------


def _game(hall: Hall, asked: Asked) -> OpenGame:
    return hall.game(asked.number("game"), asked.text("seat", LONGEST))


def _sheet(hall: Hall, asked: Asked) -> Shown:
    game = _game(hall, asked)
    return game.edit(asked.text("text"), asked.text("seen")) if "text" in asked.plain else game.sheet()


def _map(hall: Hall, asked: Asked) -> Shown:
    if "scene" in asked.plain:
        news = hall.news(asked.number("game"), asked.text("seat", LONGEST))
        return news.map(asked.number("scene"), asked.names("held"))
    return _game(hall, asked).map(asked.names("held"))


def _send(hall: Hall, asked: Asked) -> Shown:
    game = _game(hall, asked)
    seen, head, agreed = (asked.text(name, LONGEST) for name in ("seen", "head", "digest"))
    found = game.send(asked.text("text"), seen, head, agreed)
    hall.stand_up()
    return found


def _deal(hall: Hall, asked: Asked) -> Shown:
    found = answers.deal(_game(hall, asked), asked.text("id", LONGEST), asked.text("head", LONGEST))
    hall.stand_up()
    return found


def _stand(hall: Hall, asked: Asked) -> Shown:
    game, kind, seen = _game(hall, asked), asked.text("kind", LONGEST), asked.text("seen", LONGEST)
    return answers.stand(game, kind, asked.text("value"), seen, bool(asked.number("now", 0)))


def _entries(hall: Hall, asked: Asked) -> Entries:
    return hall.entries(asked.number("game"), asked.text("seat", LONGEST))


def _step(hall: Hall, asked: Asked) -> Shown:
    """`instead`: the order of the file in front of which the question was asked."""
    return acted(_game(hall, asked), _entries(hall, asked), asked)


def _take(hall: Hall, asked: Asked) -> Shown:
    game, at, seen = _game(hall, asked), asked.number("instead", -1), asked.text("seen", LONGEST)
    if at == PLAN:
        return planning.take(game, _entries(hall, asked), asked.partial(), asked.text("when", LONGEST), seen)
    return game.take(asked.partial(), seen, at, _entries(hall, asked).desk_before(at) if at >= 0 else None)


def _why(hall: Hall, asked: Asked) -> Shown:
    game, entries, at = _game(hall, asked), _entries(hall, asked), asked.number("instead", -1)
    teller = game.teller(entries.desk(at).table.engine.state)
    return {"problems": [teller.problem(p) for p in entries.why(at, asked.partial(), asked.texts("places"))]}


Answer = Callable[[Hall, Asked], Mapping[str, Plain]]
ASKED: dict[str, Answer] = {
    "/games": lambda hall, asked: hall.listed(),
    "/sit": lambda hall, asked: hall.sit_down(),
    "/sheet": _sheet,
    "/step": _step,
    "/why": _why,
    "/entry": lambda hall, asked: _entries(hall, asked).told(asked.number("at")),
    "/take": _take,
    "/plan": lambda hall, asked: planning.plan(_game(hall, asked), _entries(hall, asked), asked.text("seen", LONGEST)),
    "/behind": lambda hall, asked: planning.move(_game(hall, asked), asked.text("seen", LONGEST)),
    "/put": lambda hall, asked: _game(hall, asked).put(asked.orders(), asked.text("seen", LONGEST)),
    "/finish": lambda hall, asked: _game(hall, asked).finish(asked.text("seen", LONGEST)),
    "/matters": lambda hall, asked: answers.matters(_game(hall, asked)),
    "/deal": _deal,
    "/stand": _stand,
    "/mail": lambda hall, asked: _game(hall, asked).mail(),
    "/redo": lambda hall, asked: _game(hall, asked).redo(asked.text("seen", LONGEST)),
    "/undo": lambda hall, asked: _game(hall, asked).undo(asked.text("seen", LONGEST)),
    "/remove": lambda hall, asked: _game(hall, asked).remove(asked.number("at"), asked.text("seen", LONGEST)),
    "/odds": lambda hall, asked: _game(hall, asked).odds(),
    "/hint": lambda hall, asked: _game(hall, asked).hint(),
    "/map": _map,
    "/replay": lambda hall, asked: hall.news(asked.number("game"), asked.text("seat", LONGEST)).shown(),
    "/review": lambda hall, asked: _game(hall, asked).review(),
    "/send": _send,
    "/changes": lambda hall, asked: _game(hall, asked).changes(),
}
RECEIVE = "/receive"  # bytes

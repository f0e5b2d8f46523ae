"""The closed table of addresses: files of the page, and what it may ask. Nothing of a request becomes a path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from pbem.board import acts, matters, planning
from pbem.board.asked import LONGEST, Asked
from pbem.board.entries import PLAN, Entries
from pbem.board.game import OpenGame
from pbem.board.hall import Hall
from pbem.kernel.canon import Plain
from pbem.report.board import NO_KEY, Shown
from pbem.shipped import data_folder

SCRIPTS = ("main", "wire", "words", "map", "column", "screens", "keys")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FILES = {
    "/": "board.html",
    "/board.css": "board.css",
    "/icon.svg": "icon.svg",
    **{f"/{name}.js": f"{name}.js" for name in SCRIPTS},
}


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
    found = matters.deal(_game(hall, asked), asked.text("id", LONGEST), asked.text("head", LONGEST))
    hall.stand_up()
    return found


def _stand(hall: Hall, asked: Asked) -> Shown:
    return matters.stand(_game(hall, asked), asked.text("kind", LONGEST), asked.text("value"), asked.text("seen", LONGEST))


def _entries(hall: Hall, asked: Asked) -> Entries:
    return hall.entries(asked.number("game"), asked.text("seat", LONGEST))


def _step(hall: Hall, asked: Asked) -> Shown:
    """`instead`: the order of the file in front of which the question was asked."""
    return acts.acted(_game(hall, asked), _entries(hall, asked), asked)


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
    "/put": lambda hall, asked: _game(hall, asked).put(asked.orders(), asked.text("seen", LONGEST)),
    "/finish": lambda hall, asked: _game(hall, asked).finish(asked.text("seen", LONGEST)),
    "/matters": lambda hall, asked: matters.matters(_game(hall, asked)),
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

"""What the page does with a gesture, one act at each request: the picks so far go in, what they have become comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.board import gestures
from pbem.board.asked import LONGEST, Asked, strange
from pbem.board.entries import Entries
from pbem.board.game import OpenGame
from pbem.board.gestures import Before, Gesture
from pbem.report.board import Shown

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

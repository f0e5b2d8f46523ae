"""What people type: `sail J1 1531`, `march 1 marine guadalcanal`, `search A1 with Chokai`, as orders that stand."""

from __future__ import annotations

import re

from pbem.games.pacific_war.sea.courses import legs
from pbem.games.pacific_war.secret.orders import REPAIRS, REPLACEMENTS, ROWS
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.stretches import whole
from pbem.kernel import shorthand
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import words_of
from pbem.kernel.orders import verb_of

VERBS = {
    "go": ("sail", "move"),
    "sail": ("ship", "move"),
    "march": ("move",),
    "move": ("sail", "march", "ship", "rebase"),
    "attack": ("mission",),
}
# Kinds of questions whose orders name neither unit nor place: `air` is no air unit.
WORDS_ALONE = ("kinds", "first", "light", "allocate")
SHAPES = {"sail": "map", "ship": "map", "rebase": "map", "move": "ways", "march": "ways"}


def typed(g: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
    """The orders that a line means; none where it is no such line. Raises Rejected for a name of several."""
    verbs = words_of(ask)
    if isinstance(ask, Commit) and ask.kind in (REPLACEMENTS, REPAIRS) and verb_of(order) in ROWS:
        return [{"orders": [order]}]
    filled = whole(g, ask.seat, order)
    if filled is not None:
        return legs(filled)
    along = legs(order)
    if along != [order]:
        return along
    if "allocate" in verbs and (given := _allocation(order)):
        return [given]
    if ask.kind in WORDS_ALONE:
        return []
    if "search" in verbs and (looked := _search(order)):
        return [looked]
    known = shorthand.Vocabulary(g.board.unit_index, g.board.place_index, VERBS, SHAPES, lambda place: ())
    return [leg for one in shorthand.typed(known, ask.seat, verbs, order) for leg in legs(whole(g, ask.seat, one) or one)]


def _search(order: Plain) -> dict[str, Plain]:
    """`search A1 with Chokai` as the mapping that the rules read; nothing for any other order."""
    found = re.fullmatch(r"(\w+)\s+(?:with|by)\s+(\S.*)", _behind("search", order), re.IGNORECASE)
    return {"search": {found[1].upper(): found[2]}} if found else {}


def _behind(verb: str, order: Plain) -> str:
    """What an order says behind its verb, or without one; nothing where it is no line."""
    if isinstance(order, dict) and [*map(str.lower, order)] == [verb]:
        order = next(iter(order.values()))
    return re.sub(rf"^{verb}[\s:]+", "", order.strip(), flags=re.IGNORECASE) if isinstance(order, str) else ""


_GIVEN = re.compile(r"(?P<points>\d+)\s+(?:to\s+|for\s+)?(?P<hq>\D+)|(?P<after>\D+?)\s*[:=]?\s+(?P<then>\d+)")
_KEPT = re.compile(r"(?:(?:keep|kept|reserve)\s+(\d+)|(\d+)\s+kept)\s+(?:for\s+)?(\w+(?:\s+\d{4})?)", re.IGNORECASE)


def _allocation(order: Plain) -> dict[str, Plain]:
    """`allocate 30 Combined Fleet, 8 kept for January 1942` as the mapping that the rules read; nothing for any other order."""
    text = _behind("allocate", order)
    body: dict[str, Plain] = {}
    for part in re.split(r"\s*[,;&+]\s*|\s+and\s+", text) if text else ():
        if kept := _KEPT.fullmatch(part):
            more: dict[str, Plain] = {"reserve": {"month": kept[3], "points": int(kept[1] or kept[2])}}
        elif given := _GIVEN.fullmatch(part):
            more = {(given["hq"] or given["after"]).strip(): int(given["points"] or given["then"])}
        else:
            return {}
        if more.keys() & body:
            return {}
        body |= more
    return {"allocate": body} if body else {}

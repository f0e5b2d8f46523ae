"""What a plan may be made for, and the public facts that conditions of plans and standing orders name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pbem.games.pacific_war.board import Board
from pbem.games.pacific_war.land.movement import LEAVE
from pbem.games.pacific_war.orders import PASS
from pbem.games.pacific_war.sea.barges import used
from pbem.games.pacific_war.sea.searching import REVEAL
from pbem.games.pacific_war.secret.fleets import sealing
from pbem.games.pacific_war.secret.forces import concealing
from pbem.games.pacific_war.secret.orders import FLY, LAND, MARCH, WHETHER
from pbem.games.pacific_war.secret.points import hidden
from pbem.games.pacific_war.state import CAMPAIGN, ENGAGEMENT, FOE, STRATEGIC, State
from pbem.kernel.canon import Plain
from pbem.kernel.memo import boards
from pbem.kernel.plans import HIDDEN

DONE, SECRET, ROWS = "done", "secret", "orders"
IN_SECRET: Mapping[str, tuple[str, ...]] = {  # questions whose answer is a seal, which shows nothing and is not opened
    "allocate": ("allocate",),
    "muster": ("activate", DONE),
    "length": ("days",),
    "task forces": ("organize", DONE),
    "transport": ("ship", DONE),
    "repairs": (ROWS, DONE),
    "replacements": (ROWS, DONE),
    "arrive": ("arrive", DONE),
    "PT boats": ("boats",),
    MARCH: (*LAND, ROWS, DONE),
    FLY: (FLY, DONE),
}
_OPEN: Mapping[str, tuple[str, ...]] = {  # in the order of a month, its operations and their cycles
    "allocate": ("allocate",),
    "transport": ("ship", SECRET, DONE),
    "links": ("link", "drop", DONE),
    "repairs": ("repair", "recombine", "convert", SECRET, DONE),
    "replacements": ("replace", "rebuild", "break_down", "recombine", SECRET, DONE),
    "submarines": ("submarines",),
    "merchants": ("buy", DONE),
    "engineering": ("build", "repair", "restore", "base", "abandon", DONE),
    "claim": ("claim",),
    "operation-bid": ("bid",),
    "activate": ("activate", SECRET, DONE),
    "react": ("activate", SECRET, DONE),
    "kinds": ("kinds",),
    WHETHER[FLY]: (WHETHER[FLY],),
    "rebase": ("rebase", DONE),
    WHETHER[MARCH]: (WHETHER[MARCH],),
    "contact": ("sail", "stay", "end"),
    "stop": ("stop",),
    "light": ("light",),
    "first": ("first",),
    "land": ("move", "embark", "debark", LEAVE, DONE),
    "hide": ("hide",),
    "organize": ("organize", DONE),
    "sail": ("sail", "stay"),
    "show": ("show",),
    "mission": ("mission", PASS),
    "search": ("search", REVEAL, PASS),
    "line": ("line",),
    "bid": ("bid",),
    "bombard": ("bombard", PASS),
    "extend": ("extend",),
}
PLANNABLE: Mapping[str, tuple[str, ...]] = {**_OPEN, **{HIDDEN + kind: verbs for kind, verbs in IN_SECRET.items()}}
PAPERWORK = ("transport", "links", "repairs", "replacements", "engineering")
# `raid` and `headquarters` are the first that a month asks of a side: a plan, which ends with its month, cannot stand before.
SHIPPING = "merchants"  # bought in the strategic game alone
BOATS = "submarines"  # new steps in the strategic game; in operations whether they attack
MONTHLY = (*PAPERWORK, SHIPPING, "activate", "react", "claim", "extend", "operation-bid", "allocate")
APPROACH = ("rebase", "kinds", "contact", "stop")  # asked in the approach of an operation alone
FLIGHTS = (WHETHER[FLY], HIDDEN + FLY)
IN_CYCLES = ("light", "first", "sail", "mission", "bombard")  # in its battle cycles alone
IN_BOTH = ("react", "land", "search", "line", "bid", WHETHER[MARCH], HIDDEN + MARCH)
SEALED_ON_LAND = tuple(HIDDEN + kind for kind in IN_SECRET if kind not in ("allocate", "length", "task forces", "PT boats"))
_WITHIN = ("react", "extend", "march", "fly", "task forces")  # asked in operations too
BETWEEN = tuple(k for k in (*MONTHLY, *(HIDDEN + kind for kind in IN_SECRET)) if k.removeprefix(HIDDEN) not in _WITHIN)
CYCLES_AHEAD = 30  # of an operation, for which a plan may have steps
OWN, NOBODY = "own", "nobody"
FARTHEST = 20  # hexes within which somebody is counted
FOUND = "found"
_COUNT = re.compile(r"(own|enemy|found)-(?:at|within-(0|[1-9][0-9]?)-of)-(.+)")
_HOLDER = "holder-of-"
_NO_WORD = re.compile(r"[^a-z0-9]+")


class PlanFacts(Mapping[str, int | str | bool]):
    """The facts of one side, each computed when it is looked up, from what everybody sees.

    `month`, `cycle`; `operator`, whose operation it is; `found`, how many enemy task forces are detected; `holder-of-PLACE`,
    the side that took a hex last, else that of its bases; `own-at-PLACE`, `enemy-at-PLACE`, `own-within-N-of-PLACE`,
    `enemy-within-N-of-PLACE` (N is 0 to 20), numbers of markers, and of units that stand in no task force and on no ship;
    `found-at-PLACE`, `found-within-N-of-PLACE`, those of the detected ones that are there. A place goes by its number or its
    name; the names alone are listed.
    """

    def __init__(self, g: State, side: str) -> None:
        self._g, self._side = g, side

    def __getitem__(self, name: str) -> int | str | bool:
        g, name = self._g, name.lower()
        if name in ("month", "cycle"):
            return int(getattr(g, name))
        if name == FOUND:
            return sum(m.side == FOE[self._side] and m.detected for m in g.markers.values())
        if name == "operator":
            return g.operator if g.operation is not None else NOBODY
        if name.startswith(_HOLDER):
            return self._holder(self._place(name.removeprefix(_HOLDER)))
        found = _COUNT.fullmatch(name)
        if found is None or int(found[2] or 0) > FARTHEST:
            raise KeyError(name)
        side = self._side if found[1] == OWN else FOE[self._side]
        near = {*g.board.within(self._place(found[3]), int(found[2] or 0))}
        if found[1] == FOUND:
            return sum(m.side == side and m.detected and m.at in near for m in g.markers.values())
        return sum(m.side == side and m.at in near for m in g.markers.values()) + sum(
            u.at in near and not u.tf and not u.aboard for u in map(g.units.__getitem__, g.on_map(side))
        )

    def _holder(self, place: int) -> str:
        """Who took a hex last, else whose bases stand there."""
        base = self._g.airfields.get(place) or self._g.ports.get(place)
        return self._g.control.get(place) or (base.side if base is not None else "") or NOBODY

    def _place(self, word: str) -> int:
        if re.fullmatch("[0-9]{4}", word) and self._g.board.on_map(int(word)):
            return int(word)
        return boards(self._g.board, places_by_word)[word]

    def __iter__(self) -> Iterator[str]:
        yield from ("month", "cycle", "operator", FOUND)
        for place in boards(self._g.board, places_by_word):
            yield _HOLDER + place
            for whose in (OWN, "enemy", FOUND):
                yield f"{whose}-at-{place}"
                yield from (f"{whose}-within-{n}-of-{place}" for n in range(FARTHEST + 1))

    def __len__(self) -> int:
        return 4 + len(boards(self._g.board, places_by_word)) * (1 + 3 * (2 + FARTHEST))


def plannable_here(g: State) -> dict[str, tuple[str, ...]]:
    """What may be planned in a game of this scenario and these options."""
    alone, campaign = g.options.get("solitaire") == "yes", g.level in (CAMPAIGN, STRATEGIC)
    absent = {
        *(() if campaign else MONTHLY),
        *(() if g.level == STRATEGIC else (SHIPPING,)),
        *(() if g.level != ENGAGEMENT else APPROACH),
        *(() if concealing(g) else (*WHETHER.values(), *SEALED_ON_LAND)),
        *(() if sealing(g) else ("hide", HIDDEN + "task forces")),
        *(() if sealing(g) or concealing(g) else ("show",)),
        *(() if campaign and hidden(g) else (HIDDEN + "allocate",)),
        *(() if not hidden(g) else ("allocate",)),
        *(() if campaign and g.options["secrets"] == "sealed" else (HIDDEN + "length",)),
        *(() if campaign and used(g) else (HIDDEN + "PT boats",)),
        *(() if not alone else ("operation-bid",)),
    }
    return {kind: verbs for kind, verbs in PLANNABLE.items() if kind not in absent}


def may_ask(g: State, kind: str, later: int) -> bool:
    """Whether a question may come up in the part of the game that is so many stretches behind this one."""
    if later and kind in BETWEEN:
        return False  # a plan of an operation has them in its own stretch
    if g.operation is None and g.level in (CAMPAIGN, STRATEGIC):
        if not later:
            return kind not in (*FLIGHTS, *APPROACH, *IN_CYCLES, *IN_BOTH, *(() if g.level == STRATEGIC else (SHIPPING, BOATS)))
        cycle = later - 1
    else:
        cycle = g.cycle + later
    return kind not in (IN_CYCLES if cycle == 0 else (*FLIGHTS, *APPROACH))


def stretch_of(g: State) -> Plain:
    """The approach of an operation or a battle cycle; between those of a campaign the day too, on which the next begins."""
    if g.operation is None and g.level in (CAMPAIGN, STRATEGIC):
        return [g.month, g.cycle, None, g.day]
    return [g.month, g.cycle, None if g.operation is None else str(g.operation.start)]


def cycles_since(g: State, stretch: Plain) -> int | None:
    """How many battle cycles ago that one was, 0: it is this one; None: that operation, or its month, is over.

    Between its operation and the next a plan may still bid: these bids belong to its own cycle. A plan made there goes on in
    the operation that begins on that day: its approach is the first stretch behind the bids.
    """
    month, cycle, start, *day = stretch if isinstance(stretch, list) else (None, None, None)
    now = None if g.operation is None else str(g.operation.start)
    if month == g.month and day and (g.day if now is None else int(now)) == day[0]:
        return 0 if now is None else g.cycle + 1
    if day:
        return None
    if month != g.month or not isinstance(cycle, int) or (now is not None and now != start):
        return None
    if now is None and start is not None:
        return 0
    return g.cycle - cycle if g.cycle >= cycle else None


def places_by_word(board: Board) -> dict[str, int]:
    """Hexes by name, where only one has it."""
    named = [(word, h.number) for h in board.listed.values() if (word := _NO_WORD.sub("-", h.name.lower()).strip("-"))]
    counted = [word for word, _ in named]
    return {word: number for word, number in named if counted.count(word) == 1}

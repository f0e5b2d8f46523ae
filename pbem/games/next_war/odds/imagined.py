"""A combat in words: `24, efficiency 6, steps 4` against `8, efficiency 4, steps 3, rough woods`; or `3:1`, against `city`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.next_war.board import GRID, Board, Counter, Hex, Strength
from pbem.games.next_war.charts import TERRAINS
from pbem.games.next_war.retreat import edge_distance
from pbem.games.next_war.state import ALLIED, OPPOSED, Fight, Piece, State
from pbem.kernel.naming import Index
from pbem.kernel.orders import Rejected, unreadable
from pbem.kernel.wording import msg, quoted

RATIO = re.compile(r"([1-9]\d{0,2})(?:\.(\d))?:([1-9]\d{0,2})")
NUMBER = re.compile(r"(strength|efficiency|steps?|support|drm) *([+-]?\d{1,4})")
PLACES = ("city", "town", "fortification", "jungle")
MOST = {"strength": 9999, "efficiency": 9, "steps": 40, "support": 99, "drm": 20}
HINTERLAND = 4  # hexes around the attacked one, room for a retreat
TENTHS = 10
TARGET = 2020  # column and row of the attacked hex


class Force(Struct, frozen=True):
    """One side in words. `ratio`: both strengths in its stead; `ground`: terrain and places, of the defender only."""

    strength: int = 0
    ratio: tuple[int, int] | None = None
    efficiency: int = 5
    steps: int = 2
    support: int = 0
    drm: int = 0
    ground: tuple[str, ...] = ()


def read_force(text: str, ground: bool) -> Force:
    """The parts of one side, between commas. `ground`: terrain may be among them. Raises Rejected."""
    found = Force()
    for part in (p.strip().lower() for p in text.split(",")):
        word = part.replace(" ", "_")
        ratio, number = RATIO.fullmatch(part), NUMBER.fullmatch(part)
        if part.isdigit():
            number = NUMBER.fullmatch(f"strength {part}")
        if number is not None:
            name = "steps" if number[1] == "step" else number[1]
            found = _with(found, name, int(number[2]))
        elif ratio is not None and not ground:
            found = replace(found, ratio=(TENTHS * int(ratio[1]) + int(ratio[2] or 0), TENTHS * int(ratio[3])))
        elif ground and word in (*TERRAINS, *PLACES):
            found = replace(found, ground=(*found.ground, word))
        else:
            raise _no_part(part, ground)
    return found


def _with(force: Force, name: str, number: int) -> Force:
    least = {"strength": 1, "efficiency": 1, "steps": 1, "drm": -MOST["drm"]}.get(name, 0)
    if not least <= number <= MOST[name]:
        raise unreadable(msg("{name}: {least} to {most}", name=name, least=least, most=MOST[name]))
    changes: dict[str, Any] = {name: number}
    return replace(force, **changes)


def _no_part(part: str, ground: bool) -> Rejected:
    example = (
        "8, efficiency 4, steps 3, support 1, rough woods, city" if ground else "24, efficiency 6, steps 4, support 2, drm -1"
    )
    return unreadable(msg("{given} is no part of a combat", given=quoted(part)), msg("for example {example}", example=example))


def position(board: Board, options: Mapping[str, Any], attack: Force, defence: Force, amphibious: bool) -> State:
    """A state with this combat alone, all its strengths as they count in the odds. Raises Rejected."""
    if attack.ratio is None and not (attack.strength and defence.strength):
        raise unreadable(
            msg("both sides need a strength, or the attacker odds"), msg("for example {example}", example="24, or 3:1")
        )
    if attack.ratio is not None and (attack.strength or defence.strength):
        raise unreadable(msg("either odds or strengths"), msg("for example {example}", example="24, or 3:1"))
    mine, theirs = attack.ratio or (attack.strength, defence.strength)
    units = [*_units(ALLIED, 2 * mine if amphibious else mine, attack), *_units(OPPOSED, theirs, defence)]
    g = State(dict(options))
    g.board = _plain_of(board, defence.ground, units)
    start = _start(g)
    g.pieces = {u.id: Piece(start if u.seat == ALLIED else TARGET) for u in units}
    g.control = dict.fromkeys(g.board.hexes, OPPOSED) | {start: ALLIED}
    g.first = ALLIED
    attackers = [u.id for u in units if u.seat == ALLIED]
    g.fight = Fight(ALLIED, TARGET, attackers, attackers[0], attackers if amphibious else [])
    g.fight.support = {ALLIED: attack.support, OPPOSED: defence.support}
    g.fight.points = {ALLIED: 0, OPPOSED: 0}  # the support is what is left after Air Defense Fire
    return g


def _units(side: str, strength: int, force: Force) -> Iterable[Counter]:
    """Units of two steps, one of them of one when the steps are odd. The first has the strength of all."""
    for i in range((force.steps + 1) // 2):
        own = strength if i == 0 else 0
        front = Strength(own, own, 5, force.efficiency, 0)
        back = front if 2 * i + 1 < force.steps else None
        name = f"{side} {i + 1}"
        klass = "mechanized" if side == OPPOSED else "leg"  # neither doubled nor overmatched: the strength is final
        yield Counter(name, name, side, side, "ground", klass=klass, front=front, back=back)


def _plain_of(board: Board, ground: tuple[str, ...], units: Iterable[Counter]) -> Board:
    """Flat land without rivers, the attacked hex in its middle, with the parameters of a scenario and these counters."""
    terrain = [w for w in ground if w in TERRAINS]
    if len(terrain) > 1:
        raise unreadable(msg("{given}: one terrain for one hex", given=", ".join(terrain)))
    country = next(str(c) for c, side in board.p["countries"].items() if side == OPPOSED)
    hexes = {h: Hex(h, str(h), "flat", country) for h in GRID.within(TARGET, HINTERLAND)}
    hexes[TARGET] = replace(
        hexes[TARGET],
        terrain=terrain[0] if terrain else "flat",
        city="city" in ground,
        town="town" in ground,
        fort=country if "fortification" in ground else "",
        jungle="jungle" in ground,
    )
    near = {h: tuple(n for n in GRID.within(h, 1) if n != h and n in hexes) for h in hexes}
    counters = {u.id: u for u in units}
    found = Board(hexes, {}, counters, {}, {}, board.p, near, near, near)
    found.armies = {s: tuple(u for u, c in counters.items() if c.seat == s) for s in (ALLIED, OPPOSED)}
    found.ships = {ALLIED: (), OPPOSED: ()}
    found.place_index = Index([(hex_.label, h) for h, hex_ in hexes.items()])
    found.unit_index = Index([(u, u) for u in counters], ids=counters, side=lambda u: counters[u].seat)
    return found


def _start(g: State) -> int:
    """The neighbour of the attacked hex that is farthest from the defender's map edge."""
    return max(g.board.near[TARGET], key=lambda h: (edge_distance(g, OPPOSED, h), h))

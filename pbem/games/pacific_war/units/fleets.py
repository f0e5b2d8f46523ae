"""[PW-FOG-02] Task forces: their composition, core and screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from pbem.games.pacific_war.board import TENDERS
from pbem.games.pacific_war.events import MarkerPlaced
from pbem.games.pacific_war.forms import organizations
from pbem.games.pacific_war.movements import TendersGone, TendersSailed
from pbem.games.pacific_war.orders import example, misread, read_units
from pbem.games.pacific_war.picks import some_units
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.changes import join_fleet, put_in_screen
from pbem.games.pacific_war.units.damage import drop_empty_markers
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order, unreadable
from pbem.kernel.questions import DONE, accepted
from pbem.kernel.wording import msg, quoted, verbatim

MOST_CAPITAL, MOST_OTHER = 6, 4
FLAK_SCREEN = 4  # [PW-AIR-13] ships of a screen that fire at a mission


class Composition(Struct, frozen=True):
    """A task force as its owner wants it."""

    marker: str
    core: tuple[str, ...]
    screen: tuple[str, ...]


def weigh_anchor(g: State, marker: str) -> None:
    """[PW-BAS-03] Tenders that sail give up their base, and make none in this battle cycle: 0 until its end."""
    sailed = tuple(s for s in g.members(marker) if g.counter(s).type in TENDERS)
    if g.phase != "contact":
        if any(g.seaplanes.get(s) != 0 for s in sailed):
            emit(g, TendersSailed(sailed))
    elif any(s in g.seaplanes for s in sailed):
        emit(g, TendersGone(sailed))


def reorganize(g: State, side: str, place: int, rule: str, asked: bool = False) -> Flow[None]:
    """[PW-FOG-02] The task forces of a side in a hex exchange ships. `asked`: there is no default."""
    ships = [s for s in g.ships(side, place) if g.units[s].tf]
    if not ships:
        return
    order: list[Composition] = yield Ask(
        side,
        "organize",
        rule,
        msg("task forces in {place}, or done", place=g.board.name(place)),
        lambda plain: read_organization(g, side, place, ships, plain),
        ("organize", DONE),
        facts={"ships": len(ships)},
        default=None if asked else DONE,
        options=lambda: organization_options(g, side, place, ships),
        form=lambda: organizations(
            g,
            side,
            ("organize", DONE),
            lambda named: [m for m in own_markers(g, side, place) if m not in named],
            ships,
            partial(fits, g),
            lambda plain: read_organization(g, side, place, ships, plain),
        ),
    )
    detected = any(g.markers[m].detected for m in g.forces_at(side, place))
    for part in order:
        if part.marker not in g.markers:
            emit(g, MarkerPlaced(part.marker, side, place, rule, detected))
        for ship in (*part.core, *part.screen):
            join_fleet(g, ship, part.marker, ship in part.screen, rule)
    drop_empty_markers(g)


def own_markers(g: State, side: str, place: int) -> list[str]:
    """Open task forces of a side in a hex."""
    return [m for m in g.forces_at(side, place) if not g.markers[m].handle]


def read_organization(
    g: State,
    side: str,
    place: int,
    ships: Sequence[str],
    plain: Plain,
    only: Sequence[str] | None = None,
    decoys: int = 0,
) -> list[Composition]:
    """`organize: {TF1: {core: [...], screen: [...]}, ...}` or done; `only`: exactly these markers, among them so many
    decoys [PW-OPT-04], which may stay without ships. Raises Rejected."""
    verb, body = split_order(plain, ("organize", DONE))
    if verb == DONE:
        return []
    if not isinstance(body, dict) or not body:
        raise misread("organize", body, "organize: {TF1: {core: [CV1, CV2], screen: [DD9]}}")
    if only is not None and sorted(str(m) for m in body) != sorted(only):
        raise illegal(msg("exactly the task forces of this hex are named"), "PW-FOG-02", verbatim(*only))
    where = None if only is not None else place
    parts = [_read_part(g, side, where, str(m), p) for m, p in body.items()]
    named = [s for p in parts for s in (*p.core, *p.screen)]
    for i, ship in enumerate(named):
        if ship not in ships:
            raise illegal(msg("{ship} is in no task force of this hex", ship=ship), "PW-FOG-02", verbatim(*ships))
        if ship in named[:i]:
            raise illegal(msg("{ship} is in two task forces", ship=ship), "PW-FOG-02")
    left = [s for s in ships if s not in named]
    if left:
        raise illegal(msg("{ship} is in no task force", ship=left[0]), "PW-FOG-02")
    empty = [p for p in parts if not p.core and not p.screen]
    for part in [p for p in parts if p not in empty[:decoys]]:
        check_composition(g, part)
    return parts


def _read_part(g: State, side: str, place: int | None, marker: str, plain: Plain) -> Composition:
    if place is not None and marker in g.markers and (g.markers[marker].side != side or g.markers[marker].at != place):
        raise illegal(msg("{marker} is elsewhere", marker=marker), "PW-FOG-02")
    if place is not None and marker in g.markers and g.markers[marker].handle:
        raise illegal(msg("what {marker} holds is sealed: show it first", marker=marker), "PW-FOG-02")
    if not isinstance(plain, dict) or not set(plain) <= {"core", "screen"}:
        raise unreadable(msg("{given} is no task force", given=quoted(plain)), example("{core: [...], screen: [...]}"))
    core = read_units(g, plain["core"], side) if plain.get("core") else []
    screen = read_units(g, plain["screen"], side) if plain.get("screen") else []
    return Composition(marker, tuple(core), tuple(screen))


def fits(g: State, ships: Sequence[str]) -> bool:
    """[PW-FOG-02] At most 6 capital and 4 other ships."""
    capital = sum(g.counter(s).capital for s in ships)
    return capital <= MOST_CAPITAL and len(ships) - capital <= MOST_OTHER


def check_composition(g: State, part: Composition) -> None:
    """[PW-FOG-02] At most 6 capital and 4 other ships; the core at least as many as the screen. Raises Rejected."""
    ships = (*part.core, *part.screen)
    capital = sum(g.counter(s).capital for s in ships)
    named = part.marker or msg("a new task force")
    if not ships:
        raise illegal(msg("{marker} has no ship", marker=named), "PW-FOG-02")
    if not fits(g, ships):
        raise illegal(
            msg(
                "{marker} has too many ships: capital {capital}, others {others}",
                marker=named,
                capital=capital,
                others=len(ships) - capital,
            ),
            "PW-FOG-02",
            msg("at most {capital} and {others}", capital=MOST_CAPITAL, others=MOST_OTHER),
        )
    if len(part.screen) > len(part.core):
        raise illegal(msg("the screen of {marker} is larger than its core", marker=named), "PW-FOG-02")


def exchange(g: State, marker: str, rule: str) -> Flow[None]:
    """[PW-FOG-02] Core and screen may be exchanged at any time: asked, without need to answer, before they matter."""
    ships, side = g.members(marker), g.markers[marker].side
    if len(ships) < 2:
        return
    best: Plain = {"exchange": list(_best_screen(g, ships))}

    def read(plain: Plain) -> list[str]:
        verb, body = split_order(plain, ("exchange", DONE))
        if verb == DONE:
            return [s for s in ships if g.units[s].screen]
        screen = read_units(g, body, side)
        for ship in screen:
            if ship not in ships:
                raise illegal(msg("{ship} is not in {marker}", ship=ship, marker=marker), rule, verbatim(*ships))
        check_composition(g, Composition(marker, tuple(s for s in ships if s not in screen), tuple(screen)))
        return screen

    screen: list[str] = yield Ask(
        side,
        "exchange",
        rule,
        msg("which ships of {marker} are now its screen, or done", marker=marker),
        read,
        ("exchange", DONE),
        facts={"ships": len(ships)},
        default=DONE,
        options=lambda: [DONE, best],
        form=lambda: some_units(g, side, ("exchange", DONE), ships, read),
        policy=lambda wanted: best if wanted == "best" else wanted if wanted == DONE else None,
        reaction=True,
    )
    for ship in ships:
        put_in_screen(g, ship, ship in screen, rule)


def _best_screen(g: State, ships: Sequence[str]) -> Sequence[str]:
    """The four ships with the best flak, as far as the core stays the larger part."""
    able = sorted(ships, key=lambda s: -g.strength(s, g.counter(s).aa))
    return able[: min(FLAK_SCREEN, len(ships) // 2)]


def organization_options(g: State, side: str, place: int, ships: Sequence[str]) -> list[Plain]:
    """Done; all in one; dealt over two, carriers first."""
    markers = list(dict.fromkeys(g.units[s].tf for s in ships))
    order = sorted(ships, key=lambda s: (not g.is_carrier(s), not g.counter(s).capital))
    ideas = [{markers[0]: _halves(order)}]
    if len(markers) > 1:
        ideas.append({markers[0]: _halves(order[::2]), markers[1]: _halves(order[1::2])})
    orders: Iterator[Plain] = ({"organize": idea} for idea in ideas)
    return [DONE, *accepted(lambda plain: read_organization(g, side, place, ships, plain), orders)]


def _halves(ships: Sequence[str]) -> Plain:
    half = -(-len(ships) // 2)
    return {"core": list(ships[:half]), "screen": list(ships[half:])}


def organize_everywhere(g: State, side: str, rule: str, asked: bool = False) -> Flow[None]:
    """Every hex where a side has task forces to arrange."""
    for place in dict.fromkeys(m.at for m in g.markers.values() if m.side == side):
        yield from reorganize(g, side, place, rule, asked)

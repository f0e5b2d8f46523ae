"""What a map shows of a game: the part of the Pacific in play, forces, and what happened in the latest cycle or month."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.games.pacific_war import events as e
from pbem.games.pacific_war.board import GRID, Board, X
from pbem.games.pacific_war.clock import CycleBegan, CyclesCleared, MonthBegan
from pbem.games.pacific_war.engagements import MissionBegan, SeaBegan
from pbem.games.pacific_war.nouns import LIGHT
from pbem.games.pacific_war.state import CAMPAIGN, LIGHTS, SIDES, STRATEGIC, State
from pbem.games.pacific_war.terms import month
from pbem.kernel.happened import File, lasting, since
from pbem.kernel.hex_picture import Box, Cell, HexMap, HexPicture, Journey, Piece, Place, Track
from pbem.kernel.picture import Party
from pbem.kernel.wording import Message, linked, msg

Bounds = tuple[int, int, int, int]  # rows from and to, positions from and to
DIGITS = "0123456789"
MARGIN = 3  # hexes around everything that is in play


def picture(g: State, files: Sequence[File[State]]) -> HexPicture:
    """The map of `g` with what happened in some neighbouring files."""
    before = _holders(files[0][0]) if files else _holders(g)
    happened = lasting(files)
    journeys = _journeys(files[0][0], happened) if files else ()
    bounds = _bounds(g, [h for j in journeys for h in j.path])
    return HexPicture(
        hex_map(g.board, bounds, _signs(g)),
        tuple(Party(s, _facts(g, s)) for s in SIDES),
        _when(g),
        tuple(_places(g, _fought(happened), before, bounds)),
        journeys,
        (Track(msg("Light"), tuple(LIGHT[name] for name in LIGHTS), LIGHTS.index(g.light)),),
        _boxes(g),
    )


def latest_turn(files: Sequence[File[State]]) -> list[File[State]]:
    """From the latest battle cycle or month on, which may begin inside a file; everything before the first of them."""
    return since(files, lambda x: isinstance(x, (MonthBegan, CyclesCleared, CycleBegan))) or list(files)


def _when(g: State) -> Message:
    if g.level in (CAMPAIGN, STRATEGIC):
        return msg("{month}, day {day}", month=month(g.month), day=g.day)
    return msg("Battle cycle {n}", n=g.cycle) if g.cycle else msg("Before the first battle cycle")


# -- the map -----------------------------------------------------------------------------------------------------------

Signs = tuple[tuple[int, tuple[str, ...]], ...]
_MAPS: dict[tuple[int, Bounds, Signs], tuple[Board, HexMap]] = {}


def hex_map(board: Board, bounds: Bounds, signs: Signs) -> HexMap:
    """A part of the printed map with the installations that stand on it; made once for each of these."""
    key = (id(board), bounds, signs)
    if key not in _MAPS:
        _MAPS[key] = (board, _hex_map(board, bounds, dict(signs)))
    return _MAPS[key][1]


def _signs(g: State) -> Signs:
    """Ports and airfields by hex."""
    both = sorted({*g.ports, *g.airfields})
    return tuple((h, tuple(w for w, there in (("port", g.ports), ("airfield", g.airfields)) if h in there)) for h in both)


def _hex_map(board: Board, bounds: Bounds, signs: dict[int, tuple[str, ...]]) -> HexMap:
    low, high, west, east = bounds
    inside = (100 * row + position for row in range(low, high + 1) for position in range(west, east + 1))
    return HexMap(tuple(_cell(board, h, signs.get(h, ())) for h in inside if board.on_map(h)), odd_lower=False, pointed=True)


def _cell(board: Board, h: int, signs: tuple[str, ...]) -> Cell:
    here = board.hex(h)
    if not here.land:
        return Cell(h, "ocean", ("W",) * 6, here.name, signs)
    sides = tuple(_side(board, h, n) for n in GRID.neighbours(h))
    return Cell(h, here.land, sides, "" if here.name.endswith(f"{h:04d}") else here.name, signs)


def _side(board: Board, h: int, n: int) -> str:
    if not board.on_map(n):
        return "W" if board.sea(h) else "-"
    if "atoll" in (board.hex(h).land, board.hex(n).land) or n not in board.marches(h):
        return "W"
    return "LR" if n in board.hex(h).routes else "L"


def _bounds(g: State, more: Iterable[int]) -> Bounds:
    """The part of the map that holds everything in play, with a margin."""
    used = {u.at for u in g.units.values() if u.box == "map"} | {m.at for m in g.markers.values()} | set(more)
    used |= {*g.airfields, *g.ports, *g.osbs, *g.control, *(q.at for q in g.hqs.values() if q.at)}
    used |= {h for places in g.forces.values() for h in places}
    rows, positions = [h // 100 for h in used], [h % 100 for h in used]
    (first, last), (west, east) = g.board.rows, g.board.positions
    return (
        max(first, min(rows) - MARGIN),
        min(last, max(rows) + MARGIN),
        max(west, min(positions) - MARGIN),
        min(east, max(positions) + MARGIN),
    )


# -- the position --------------------------------------------------------------------------------------------------------


def _holders(g: State) -> dict[int, str]:
    """Who holds a hex: by its control, else by its installations."""
    found = {h: base.side for bases in (g.ports, g.airfields) for h, base in bases.items()}
    return {**found, **g.control}


def _places(g: State, fought: set[int], before: dict[int, str], bounds: Bounds) -> Iterable[Place]:
    now = _holders(g)
    standing: dict[int, list[str]] = {}
    for name, u in g.units.items():
        if u.box == "map" and not u.aboard:
            standing.setdefault(u.at, []).append(name)
    sealed: dict[int, list[Piece]] = {}
    for s in SIDES:
        for h in g.forces.get(s, ()):
            sealed.setdefault(h, []).append(Piece(s, "force", "force", "Force (sealed)", 0, 0, said="F"))
    for name, m in g.markers.items():
        if m.handle:
            sealed.setdefault(m.at, []).append(_marker(g, name))
    for h in sorted({*now, *standing, *sealed, *fought}):
        pieces = [piece(g, u) for u in sorted(standing.get(h, ()), key=lambda u: _rank(g, u))]
        pieces += sealed.get(h, ())
        held, owner = before.get(h, ""), now.get(h, "")
        yield Place(h, owner, (), tuple(pieces), h in fought, held if held != owner else "")


def _rank(g: State, name: str) -> tuple[str, int, int]:
    c = g.counter(name)
    return c.side, ("ground", "air", "naval", "submarine").index(c.kind), -g.steps(name)


def piece(g: State, name: str) -> Piece:
    """A unit as a counter. Strengths: in the air and steps; gunnery at short range and hits left; steps and troop quality."""
    c, u = g.counter(name), g.units[name]
    left = g.steps(name)
    values = {
        "air": (_plain(c.aa), left),
        "naval": (_plain(g.strength(name, c.gun[0])), left),
        "ground": (left, c.tq),
        "submarine": (left, 0),
    }
    attack, defense = values[c.kind]
    said = str(left) if c.kind == "submarine" else ""
    return Piece(c.side, c.type.lower(), c.kind, name, attack, defense, short(name), u.hits > 0, said=said)


def _plain(strength: int) -> int:
    return 0 if strength in (X, -1) else strength


def _marker(g: State, name: str) -> Piece:
    return Piece(g.markers[name].side, "tf", "naval", f"{name} (sealed)", 0, 0, said=name)


def short(name: str) -> str:
    """What tells a counter from its like: `CV1 Akagi` CV1, `144th Regiment` 144, `Tainan air group` Tai."""
    first = name.split()[0]
    letters, number = first.rstrip(DIGITS), first[: len(first) - len(first.lstrip(DIGITS))]
    if letters != first and letters.isalpha() and letters.isupper():
        return first
    return number or first[:3]


def _facts(g: State, s: str) -> Message:
    """Sealed units count as everybody last saw them."""
    total, hidden = strengths(g, s, ("map", "sealed")), strengths(g, s, ("sealed",))
    told = _counted(total, ("ships", "air", "ground"))
    unseen = [kind for kind, n in hidden.items() if n]
    return msg("{told}; out of sight: {unseen}", told=told, unseen=_counted(hidden, unseen)) if unseen else told


def _counted(steps: Mapping[str, int], kinds: Sequence[str]) -> Message:
    words = {"ships": msg("ships {n}", n=steps["ships"]), "air": msg("air steps {n}", n=steps["air"])}
    words["ground"] = msg("ground steps {n}", n=steps["ground"])
    return linked(", ", *(words[kind] for kind in kinds))


def strengths(g: State, side: str, boxes: Sequence[str]) -> dict[str, int]:
    """Ships, air steps and ground steps of a side in these boxes: sealed ones as everybody last saw them."""
    found = {"ships": 0, "air": 0, "ground": 0}
    for name, u in g.units.items():
        if u.box in boxes and g.side(name) == side and (kind := g.counter(name).kind) in ("naval", "air", "ground"):
            found["ships" if kind == "naval" else kind] += 1 if kind == "naval" else g.steps(name)
    return found


def _boxes(g: State) -> tuple[Box, ...]:
    found = []
    for title, s in ((msg("Japan has lost"), "japan"), (msg("The Allies have lost"), "allies")):
        lost = [n for n, u in g.units.items() if u.box in ("sunk", "eliminated", "surrendered") and g.side(n) == s]
        if lost:
            pieces = (piece(g, n) for n in sorted(lost, key=lambda n: _rank(g, n)))
            found.append(Box(title, tuple(replace(p, said=p.short, short="") for p in pieces)))
    return tuple(found)


# -- what happened ---------------------------------------------------------------------------------------------------------


def _fought(happened: Iterable[Any]) -> set[int]:
    """Hexes of strikes, naval and ground combats."""
    found = set()
    for x in happened:
        if isinstance(x, MissionBegan) and x.mission.type not in ("transfer", "patrol"):
            found.add(x.mission.target)
        elif isinstance(x, SeaBegan) and x.sea is not None:
            found.add(x.sea.hex)
        elif isinstance(x, e.GroundFought):
            found.add(x.hex)
    return found


def _journeys(before: State, happened: Iterable[Any]) -> tuple[Journey, ...]:
    """The ways of task forces and units, hex after hex, and of air missions."""
    ways: dict[str, list[int]] = {}
    earlier: list[tuple[str, list[int]]] = []  # of markers that left the map and were placed anew
    sides = {name: m.side for name, m in before.markers.items()}
    flown: list[Journey] = []
    for x in happened:
        if isinstance(x, e.MarkerPlaced):
            sides[x.marker] = x.side
            if x.marker in ways:
                earlier.append((x.marker, ways[x.marker]))
            ways[x.marker] = [x.at]
        elif isinstance(x, e.MarkerMoved):
            start = before.markers[x.marker].at if x.marker in before.markers else x.at
            ways.setdefault(x.marker, [start]).append(x.at)
        elif isinstance(x, e.Moved) and x.unit in before.units:
            sides[x.unit] = before.side(x.unit)
            ways.setdefault(x.unit, [before.units[x.unit].at]).append(x.at)
        elif isinstance(x, MissionBegan):
            flown += [Journey(tuple(f.path), x.mission.side, "air", len(f.units)) for f in x.mission.flights]
    kinds = dict.fromkeys(sides, "sea") | {n: _kind(before, n) for n in ways if n in before.units}
    gone = [*earlier, *ways.items()]
    moved = [Journey(tuple(way), sides[n], kinds[n], 1) for n, way in gone if 0 not in way and len(set(way)) > 1]
    return (*moved, *(j for j in flown if len(j.path) > 1))


def _kind(g: State, unit: str) -> str:
    return {"air": "air", "ground": "land"}.get(g.counter(unit).kind, "sea")

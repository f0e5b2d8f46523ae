"""What a map shows of a game: the position, and the moves, battles and changes of its latest offensive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pbem.games.empire_of_the_sun.board import Board
from pbem.games.empire_of_the_sun.events.battles import BattleBegan
from pbem.games.empire_of_the_sun.events.offensives import BattleDeclared, Moved, OffensiveBegan, OffensiveEnded, Withdrawn
from pbem.games.empire_of_the_sun.labels import CHINA, INDIA
from pbem.games.empire_of_the_sun.labels import SIDES as NAMED
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, SIDES, YEARS, State, europe_level, side_of
from pbem.games.empire_of_the_sun.supply import supplied, zones
from pbem.kernel.happened import File, lasting, since
from pbem.kernel.hex_picture import Box, Cell, HexMap, HexPicture, Journey, Piece, Place, Track
from pbem.kernel.memo import boards
from pbem.kernel.picture import Party
from pbem.kernel.wording import Message, linked, msg

COMMONWEALTH = ("british", "australian", "new-zealand", "indian")
WORLD = (msg("US Political Will"), msg("War in Europe, level"))  # tracks that the small maps do not use
SHIPS = ("CV", "CVL", "CVE", "BB", "BC", "CA", "CL", "DD", "APD")
KINDS = {"air": "air", "land": "land"}  # other ways of moving are by sea


def picture(g: State, files: Sequence[File[State]]) -> HexPicture:
    """The map of `g` with what happened in some neighbouring files."""
    before = dict(files[0][0].control) if files else g.control
    happened = lasting(files)
    fought = {x.hex for x in happened if isinstance(x, BattleDeclared | BattleBegan)}
    if files and g.offensive is not None:
        fought |= set(g.offensive.battles)
    journeys = _journeys(files[0][0], happened) if files else ()
    return HexPicture(
        hex_map(g.board),
        tuple(Party(s, _facts(g, s)) for s in (JAPAN, ALLIES)),
        msg("Turn {turn} of {last}, {year}", turn=g.turn, last=g.last_turn, year=g.year),
        tuple(_places(g, fought, before)),
        journeys,
        _tracks(g),
        _boxes(g),
    )


def latest_turn(files: Sequence[File[State]]) -> list[File[State]]:
    """From the beginning of the latest offensive on, which may lie inside a file, to its end or to now."""
    return since(files, lambda x: isinstance(x, OffensiveBegan), lambda x: isinstance(x, OffensiveEnded))


# -- the map -----------------------------------------------------------------------------------------------------------


def hex_map(board: Board) -> HexMap:
    """The printed map; made once for each board."""
    return boards(board, _hex_map)


def _hex_map(board: Board) -> HexMap:
    cells = []
    for h, x in board.hexes.items():
        signs = [word for word, there in (("port", x.port), ("airfield", x.airfield), ("resource", x.resource)) if there]
        if x.city:
            signs.insert(0, "city")
        cells.append(Cell(h, x.terrain, x.sides, x.name, tuple(signs)))
    return HexMap(tuple(cells))


# -- the position --------------------------------------------------------------------------------------------------------


def _places(g: State, fought: set[int], before: dict[int, str]) -> Iterable[Place]:
    now, fields = zones(g), g.board.fields
    reach = {s: frozenset(fields.hexes(now.reach[s])) for s in SIDES}
    neutral = {s: frozenset(fields.hexes(now.reach[s] & now.fighters[FOE[s]])) for s in SIDES}
    standing = g.by_hex()
    for h in g.board.hexes:
        owner = g.control.get(h, "")
        there = tuple((s, h in neutral[s]) for s in SIDES if h in reach[s])
        pieces = tuple(piece(g, u) for u in sorted(standing.get(h, ()), key=lambda u: _rank(g, u)))
        held = before.get(h, "")
        if owner or there or pieces or h in fought:
            yield Place(h, owner, there, pieces, h in fought, held if held != owner else "")


def _rank(g: State, u: str) -> tuple[str, int, int]:
    counter = g.counter(u)
    return counter.side, ("ground", "air", "naval", "hq").index(counter.kind), -g.attack(u)


def piece(g: State, u: str) -> Piece:
    """A unit as a counter."""
    counter = g.counter(u)
    kind = counter.type if counter.kind == "naval" else "lrb" if counter.lrb else counter.kind
    marks = () if g.pieces[u].box != "map" or counter.kind == "hq" or supplied(g, u) else ("unsupplied",)
    attack = counter.command if counter.kind == "hq" else g.attack(u)
    defense = counter.efficiency if counter.kind == "hq" else counter.defense
    reduced = g.pieces[u].reduced and counter.steps > 1
    return Piece(_owner(counter.nation), kind, counter.kind, counter.name, attack, defense, short(counter.name), reduced, marks)


def short(name: str) -> str:
    """What tells a counter from its like: `CV Akagi` Akag, `22nd Air Flotilla` 22, `South West Pacific HQ` SWP."""
    named = re.search(r"\((\w{5,})\)", name)
    plain = re.sub(r"\s*\(.*\)", "", name)
    if named:
        return named[1][:4]
    if number := re.match(r"\d+", plain):
        return number[0]
    words = [w for w in plain.split() if w not in ("HQ", "The")]
    if words[0].isupper() and len(words) == 2:
        return words[1][:5] if words[0] in SHIPS else words[0][:4]
    return "".join(w[0] for w in words)[:4] if len(words) > 2 else words[0][:5]


def _owner(nation: str) -> str:
    return "commonwealth" if nation in COMMONWEALTH else "allies" if nation == "joint" else nation


def _facts(g: State, s: str) -> Message:
    told = [msg("cards {n}", n=g.hand_size(s))]
    told += [msg("future offensive")] if g.future[s] else []
    told += [msg("passes {n}", n=g.passes[s])] if g.passes[s] else []
    told.append(msg("shipping points {left}/{most}", left=g.asp[s] - g.asp_used[s], most=g.asp[s]))
    return linked(", ", *told, msg("resources {n}", n=len(g.resources(s))))


# -- beside the map --------------------------------------------------------------------------------------------------------


def _tracks(g: State) -> tuple[Track, ...]:
    years = tuple(f"{t} ({YEARS[t] % 100})" for t in YEARS if t <= g.last_turn)
    divisions = g.divisions - 7 if 7 <= g.divisions <= 12 else -1
    found = [
        Track(msg("Turn (year)"), years, g.turn - 1),
        Track(WORLD[0], tuple(map(str, range(11))), g.will),
        Track(WORLD[1], tuple(map(str, range(5))), europe_level(g.europe)),
        Track(msg("China front"), CHINA, g.china),
        Track(msg("India"), INDIA, g.india),
        Track(msg("Japanese divisions in China"), tuple(map(str, range(7, 13))), divisions),
        Track(msg("Inter-Service Rivalry"), (NAMED[JAPAN], NAMED[ALLIES], msg("both"), msg("nobody")), _rivalry(g)),
        Track(msg("The Hump"), (msg("not in use"), msg("in use")), int(g.has("hump"))),
    ]
    whole = g.board.edges == (10, 60)
    return tuple(track for track in found if whole or track.title not in WORLD)


def _rivalry(g: State) -> int:
    return 2 if len(g.rivalry) == 2 else 3 if not g.rivalry else (JAPAN, ALLIES).index(g.rivalry[0])


def _boxes(g: State) -> tuple[Box, ...]:
    wanted = (
        (msg("Air units in China"), "china", 0),
        (msg("Delayed reinforcements"), "delayed", 0),
        (msg("Turn {turn}", turn=g.turn + 1), "due", g.turn + 1),
        (msg("Turn {turn}", turn=g.turn + 2), "due", g.turn + 2),
    )
    found = []
    for title, box, due in wanted:
        inside = [u for u, p in g.pieces.items() if (p.box in ("track", "schedule") and p.due == due if due else p.box == box)]
        if inside:
            found.append(Box(title, tuple(piece(g, u) for u in sorted(inside, key=lambda u: _rank(g, u)))))
    return tuple(found)


# -- what happened ---------------------------------------------------------------------------------------------------------


def _journeys(before: State, happened: Iterable[Any]) -> tuple[Journey, ...]:
    """The way of every stack in each offensive; moves that one unit makes one after the other in it are one way."""
    earlier: list[tuple[str, tuple[tuple[int, ...], str]]] = []
    ways: dict[str, tuple[tuple[int, ...], str]] = {}
    for x in happened:
        if isinstance(x, OffensiveBegan):
            earlier += ways.items()
            ways = {}
        elif isinstance(x, Moved) and len(set(x.path)) > 1:
            old = ways.get(x.unit)
            joined = old[0] + x.path[1:] if old and old[0][-1] == x.path[0] else x.path
            ways[x.unit] = (joined, KINDS.get(x.mode, "sea"))
        elif isinstance(x, Withdrawn):
            ways.pop(x.unit, None)
    counts: dict[tuple[tuple[int, ...], str, str], int] = {}
    for unit, (path, kind) in (*earlier, *ways.items()):
        key = (path, side_of(before, unit), kind)
        counts[key] = counts.get(key, 0) + 1
    return tuple(Journey(path, owner, kind, n) for (path, owner, kind), n in counts.items())

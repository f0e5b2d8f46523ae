"""What a map shows of a game of the Next War series: the position, and the moves and combats of its latest segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.games.next_war.board import Board
from pbem.games.next_war.events.combat import AttackDeclared
from pbem.games.next_war.events.moves import Moved, Sailed
from pbem.games.next_war.events.turns import SegmentBegan
from pbem.games.next_war.labels import AIR_LEVELS, WEATHERS
from pbem.games.next_war.labels import SIDES as NAMED
from pbem.games.next_war.state import ALLIED, OPPOSED, SIDES, State
from pbem.kernel.happened import File, since
from pbem.kernel.hex_picture import Box, Cell, HexMap, HexPicture, Journey, Piece, Place, Track
from pbem.kernel.hexes import Grid
from pbem.kernel.memo import boards
from pbem.kernel.picture import Party
from pbem.kernel.wording import Message, linked, msg, signed

GRID = Grid(odd_lower=True)
ROADS = {"secondary": "S", "primary": "P", "highway": "H"}
RIVERS = {"minor": "m", "major": "M"}
DEEDS = (Moved, Sailed, AttackDeclared)
BY_AIR = ("air transport", "paradrop", "airmobile", "airmobile retreat")
BY_SEA = ("sea transport", "assault", "disembark")
SYMBOLS = (  # the first that begins or ends the type's name
    ("armored_cavalry", "cavalry"),
    ("light_armored_recon", "cavalry"),
    ("marine_amphibious_armor", "marine_armor"),
    ("amphibious", "marine_armor"),
    ("marine", "marine"),
    ("naval", "marine"),
    ("commando", "special"),
    ("air_sniper", "special"),
    ("airborne", "airborne"),
    ("airmobile", "airmobile"),
    ("armor", "armor"),
    ("mech", "mech"),
    ("stryker", "mech"),
    ("task_force", "mech"),
    ("motorized", "motorized"),
    ("light", "light"),
    ("pmtu", "light"),
)


def picture(g: State, files: Sequence[File[State]]) -> HexPicture:
    """The map of `g` with what happened in some neighbouring files."""
    before = dict(files[0][0].control) if files else g.control
    happened = [event for _, events in files for event in events]
    fought = {x.fight.target for x in happened if isinstance(x, AttackDeclared)}
    if g.fight is not None:
        fought.add(g.fight.target)
    kind = msg("Contested Turn") if g.contested else msg("Initiative Turn")
    last = int(g.p["game_length_turns"])
    return HexPicture(
        hex_map(g.board),
        tuple(Party(s, _facts(g, s)) for s in SIDES),
        msg("Turn {turn} of {last}, {kind}, {weather}", turn=g.turn, last=last, kind=kind, weather=WEATHERS[g.weather]),
        tuple(_places(g, fought, before)),
        _journeys(files[0][0], happened) if files else (),
        _tracks(g),
        _boxes(g),
    )


def latest_turn(files: Sequence[File[State]]) -> list[File[State]]:
    """From the latest Movement Segment on since whose beginning something happened; it may begin inside a file."""
    return since(
        files,
        lambda x: isinstance(x, SegmentBegan) and x.segment == "movement",
        deed=lambda x: isinstance(x, DEEDS),
    )


# -- the map -----------------------------------------------------------------------------------------------------------


def hex_map(board: Board) -> HexMap:
    """The printed map; made once for each board."""
    return boards(board, _hex_map)


def _hex_map(board: Board) -> HexMap:
    return HexMap(tuple(_cell(board, h) for h in board.hexes), sea="sea")


def _cell(board: Board, h: int) -> Cell:
    x = board.hexes[h]
    signs = [
        word
        for word, there in (
            ("city", x.city),
            ("town", x.town),
            ("airbase", x.airbase),
            ("airfield", x.airfield),
            ("port", x.port),
            ("site", x.sites > 0),
            ("fort", bool(x.fort)),
        )
        if there
    ]
    return Cell(h, x.terrain, tuple(_side(board, h, n) for n in GRID.neighbours(h)), x.name, tuple(signs), x.label)


def _side(board: Board, h: int, other: int) -> str:
    """Letters of a hexside: land or sea, road, river."""
    if other not in board.hexes:
        return "-"
    side = board.side(h, other)
    land = board.hexes[h].land and board.hexes[other].land and not side.water
    ferry = "F" if side.ferry else ""
    return ("L" if land else "W") + ROADS.get(side.road, "") + RIVERS.get(side.river, "") + ferry


# -- the position --------------------------------------------------------------------------------------------------------


def _places(g: State, fought: set[int], before: dict[int, str]) -> Iterable[Place]:
    standing = g.by_hex()
    for h in g.board.hexes:
        owner, held = g.control.get(h, ""), before.get(h, "")
        marker = g.clearing.get(h)
        pieces = tuple(piece(g, u) for u in sorted(standing.get(h, ()), key=lambda u: _rank(g, u))) + _markers(g, h)
        if owner or pieces or marker or h in fought:
            yield Place(h, owner, (), pieces, h in fought, held if held != owner else "")


def _markers(g: State, h: int) -> tuple[Piece, ...]:
    """Clearing markers, Beachheads and mines as counters of their side."""
    found = []
    if h in g.clearing:
        number = g.clearing[h].number
        found.append(Piece(g.clearing[h].side, "clearing", "marker", "Clearing", number, 0, "Clr", said=str(number or "?")))
    if h in g.beachheads:
        found.append(Piece(g.beachheads[h].side, "beachhead", "marker", "Beachhead", g.beachheads[h].steps, 0, "Bch", said="B"))
    if h in g.mines:
        found.append(
            Piece(g.mines[h].side, "mines", "marker", "Mines", g.mines[h].density, 0, "", said=str(g.mines[h].density))
        )
    return tuple(found)


def _rank(g: State, u: str) -> tuple[int, int, int]:
    counter = g.counter(u)
    return SIDES.index(counter.seat), ("ground", "helo").index(counter.kind) if not counter.naval else 2, -_values(g, u)[0]


def _values(g: State, u: str) -> tuple[int, int]:
    """Attack and defense of ground units; combat support and range of the others."""
    counter = g.counter(u)
    if counter.ground:
        side = g.values(u)
        return side.attack, side.defense
    reduced = g.pieces[u].reduced and len(counter.support) > 1
    return (counter.support[int(reduced)] if counter.support else 0), counter.range


def piece(g: State, u: str) -> Piece:
    """A unit as a counter."""
    counter = g.counter(u)
    group = "naval" if counter.naval else counter.kind
    marks = ("unsupplied",) if u in g.unsupplied else ()
    attack, defense = _values(g, u)
    kind = symbol(counter.type) if counter.ground else counter.kind.lower()
    reduced = g.pieces[u].reduced and counter.steps > 1
    return Piece(counter.seat, kind, group, counter.name, attack, defense, short(counter.name), reduced, marks)


def symbol(type: str) -> str:
    """The symbol of a ground unit's type; infantry when no other fits."""
    return next((s for word, s in SYMBOLS if type.startswith(word) or type.endswith(word)), "infantry")


def short(name: str) -> str:
    """What tells a counter from its like: `ROK 20/VII` 20, `11/A` 11, `Hornet 1` H1, `ROK AH-1-2` AH12."""
    first = name.split("/")[0].split()
    last = first[-1]
    if last.isdigit() and len(first) == 2 and "/" not in name:
        return f"{first[0][0]}{last}"
    return last.replace("-", "")[:5]


def _facts(g: State, s: str) -> Message:
    lift = f"{g.lift[s] // 2}" + (".5" if g.lift[s] % 2 else "")
    names = g.p["sides"][s]["name"] if "sides" in g.p else ""
    told = msg(
        "VP {vp} (turn {won}), air points {air}/{received}, airmobile {lift}",
        vp=g.vp[s],
        won=signed(g.vp_turn[s]),
        air=g.air[s],
        received=g.air_received[s],
        lift=lift,
    )
    return linked("; ", Message(names) if "{" not in names else names, told) if names else told


# -- beside the map --------------------------------------------------------------------------------------------------------


def _tracks(g: State) -> tuple[Track, ...]:
    turns = tuple(str(t) for t in range(1, int(g.p["game_length_turns"]) + 1))
    levels = (*reversed(AIR_LEVELS[1:]), *AIR_LEVELS)
    sides = NAMED[ALLIED], NAMED[OPPOSED]
    found = [
        Track(msg("Turn"), turns, g.turn - 1),
        Track(msg("Initiative"), sides, SIDES.index(g.first)),
        Track(msg("Weather"), tuple(WEATHERS.values()), [*WEATHERS].index(g.weather)),
        Track(msg("Air Superiority: Non-Allied to Allied"), levels, g.air_level + 3),
    ]
    for x in g.board.areas.values():
        if not x.box:
            held = g.sea_control.get(x.id, "")
            at = {ALLIED: 0, "": 1, OPPOSED: 2}[held]
            found.append(Track(msg("Sea control, {area}", area=x.name), (sides[0], AIR_LEVELS[0], sides[1]), at))
    return tuple(found)


def _boxes(g: State) -> tuple[Box, ...]:
    found = []
    for x in g.board.areas.values():
        inside = [u for u, p in g.pieces.items() if p.box == x.id and not p.aboard]
        if inside:
            found.append(Box(x.name, _pieces(g, inside)))
    wanted = ((msg("Reinforcements, next turn"), "due", g.turn + 1), (msg("Eliminated"), "eliminated", 0))
    for title, box, due in wanted:
        inside = [u for u, p in g.pieces.items() if p.box == box and (not due or p.due == due)]
        if inside:
            found.append(Box(title, _pieces(g, inside)))
    return tuple(found)


def _pieces(g: State, units: Iterable[str]) -> tuple[Piece, ...]:
    return tuple(piece(g, u) for u in sorted(units, key=lambda u: _rank(g, u)))


# -- what happened ---------------------------------------------------------------------------------------------------------


def _journeys(before: State, happened: Iterable[Any]) -> tuple[Journey, ...]:
    """The way of every stack; moves that a unit makes one after the other in one manner are one way."""
    ways: dict[str, list[tuple[tuple[int, ...], str]]] = {}
    places = {u: p.at for u, p in before.pieces.items()}
    for x in happened:
        if isinstance(x, Moved) and len(set(x.path)) > 1:
            kind = "air" if x.mode in BY_AIR else "sea" if x.mode in BY_SEA else "land"
            for unit in x.units:
                _lengthen(ways.setdefault(unit, []), x.path, kind)
                places[unit] = x.path[-1]
        elif isinstance(x, Sailed):
            if x.at and places.get(x.unit) and places[x.unit] != x.at:
                _lengthen(ways.setdefault(x.unit, []), (places[x.unit], x.at), "sea")
            places[x.unit] = x.at
    counts: dict[tuple[tuple[int, ...], str, str], int] = {}
    for unit, found in ways.items():
        for path, kind in found:
            key = (path, before.counter(unit).seat, kind)
            counts[key] = counts.get(key, 0) + 1
    return tuple(Journey(path, owner, kind, n) for (path, owner, kind), n in counts.items())


def _lengthen(known: list[tuple[tuple[int, ...], str]], path: tuple[int, ...], kind: str) -> None:
    if known and known[-1][1] == kind and known[-1][0][-1] == path[0]:
        known[-1] = (known[-1][0] + path[1:], kind)
    else:
        known.append((path, kind))

"""What a map shows of a game: the position, and the moves, battles and changes of its latest turn."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.conduct_combat import battles
from pbem.games.axis_and_allies_pacific.events.combat import BattleEnded, RaidEnded
from pbem.games.axis_and_allies_pacific.events.moves import Landed, Moved
from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.income import production
from pbem.games.axis_and_allies_pacific.state import POWERS, State, garrison
from pbem.games.axis_and_allies_pacific.victory import axis_cities
from pbem.kernel.happened import File, between
from pbem.kernel.picture import Arrow, Badge, Party, Picture, Space, Stack
from pbem.kernel.wording import counted, msg

Counts = dict[str, dict[tuple[str, str], list[int]]]  # space -> (owner, type) -> [units, damaged]

NONE = (0, 0)


def picture(g: State, files: Sequence[File[State]]) -> Picture:
    """The map of `g` with what happened in some neighbouring files."""
    happened = [event for _, events in files for event in events]
    before = files[0][0] if files else g
    old, new = _counts(before), _counts(g)
    fought = {x.space for x in happened if isinstance(x, BattleEnded)}
    fought |= {x.territory for x in happened if isinstance(x, RaidEnded)}
    if files and g.phase in ("combat-move", "conduct-combat"):
        fought |= set(battles(g, g.power))  # those that are still to come
    spaces = tuple(
        _space(g, s, _stacks(g, new.get(s, {}), old.get(s, {})), s in fought, before.control.get(s, ""))
        for s in g.board.neighbours
    )
    held = counted("Japan holds {n} victory city", "Japan holds {n} victory cities", axis_cities(g))
    parties = tuple(Party(p, msg("{cash} IPC, makes {income}", cash=g.cash[p], income=production(g, p))) for p in POWERS)
    return Picture(parties, held, spaces, _arrows(files))


def latest_turn(files: Sequence[File[State]]) -> list[File[State]]:
    """From the beginning of the last turn in which anything moved to its end; it may begin and end inside a file."""
    starts, last = [(0, 0)], (-1, 0)
    for i, (_, events) in enumerate(files):
        for j, event in enumerate(events):
            if isinstance(event, PhaseBegan) and event.phase == "purchase":
                starts.append((i, j))
            elif isinstance(event, Moved):
                last = (i, j)
    if last < (0, 0):
        return []
    begun = max(start for start in starts if start <= last)
    return between(files, begun, min((start for start in starts if start > last), default=None))


def _arrows(files: Sequence[File[State]]) -> tuple[Arrow, ...]:
    """Every unit from where it stood to where it went, phase by phase; what a transport lands has an arrow from its zone."""
    journeys: dict[tuple[int, str], tuple[str, str, str, str]] = {}
    where: dict[int, str] = {}
    for before, events in files:
        for event in events:
            if not isinstance(event, Moved | Landed) or event.unit not in before.units:
                continue
            unit = before.units[event.unit]
            if isinstance(event, Landed):
                to, phase = event.territory, "ashore"
                start = where.get(event.transport, before.units[event.transport].at)
            else:
                to, phase = event.to, event.phase
                known = journeys.get((event.unit, phase))
                start = known[0] if known else where.get(event.unit, unit.at)
            where[event.unit] = to
            journeys[event.unit, phase] = (start, to, unit.owner, before.board.types[unit.type].kind)
    counts: dict[tuple[str, str, str, str], int] = {}
    for journey in journeys.values():
        if journey[0] != journey[1]:
            counts[journey] = counts.get(journey, 0) + 1
    return tuple(Arrow(*journey, count) for journey, count in counts.items())


def _counts(g: State) -> Counts:
    counts: Counts = {}
    for unit in g.units.values():
        count = counts.setdefault(unit.at, {}).setdefault((unit.owner, unit.type), [0, 0])
        count[0] += 1
        count[1] += unit.damaged
    for territory in g.board.territories:
        if inside := garrison(g, territory):
            counts.setdefault(territory, {})["neutral", "infantry"] = [inside, 0]
    return counts


def _stacks(g: State, now: dict[tuple[str, str], list[int]], old: dict[tuple[str, str], list[int]]) -> tuple[Stack, ...]:
    ranks = {kind: i for i, kind in enumerate(g.board.types)}
    keys = sorted({*now, *old}, key=lambda key: ((*POWERS, "neutral").index(key[0]), ranks[key[1]]))
    return tuple(_stack(key, now.get(key, NONE), old.get(key, NONE)) for key in keys)


def _stack(key: tuple[str, str], now: Sequence[int], old: Sequence[int]) -> Stack:
    return Stack(*key, now[0], now[1], now[0] - old[0])


def _space(g: State, space: str, stacks: tuple[Stack, ...], fought: bool, held: str) -> Space:
    land, zone = g.board.territories.get(space), g.board.zones.get(space)
    signs = (("convoy", zone.convoy), ("kamikaze", zone.kamikaze)) if zone else ()
    owner = g.control.get(space, "")
    return Space(
        id=space,
        name=g.board.name(space),
        sea=zone is not None,
        owner=owner,
        value=land.ipc if land else 0,
        city=land.victory_city if land else "",
        capital=space in g.board.capitals.values(),
        signs=tuple(sign for sign, there in signs if there),
        badges=tuple(Badge(f.type, f.damage) for f in g.facilities.get(space, [])),
        stacks=stacks,
        fought=fought,
        taken_from=held if held != owner else "",
    )

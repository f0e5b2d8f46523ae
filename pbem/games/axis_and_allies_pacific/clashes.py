"""The battles of which odds can be told: those on the board, and those that somebody imagines."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.axis_and_allies_pacific.amphibious import guns
from pbem.games.axis_and_allies_pacific.battle import Battle, attackers, defenders
from pbem.games.axis_and_allies_pacific.board import Board
from pbem.games.axis_and_allies_pacific.conduct_combat import battles, is_sea_battle
from pbem.games.axis_and_allies_pacific.events.combat import Damaged, DiceRolled
from pbem.games.axis_and_allies_pacific.odds.clash import Clash
from pbem.games.axis_and_allies_pacific.orders import Group, read_groups
from pbem.games.axis_and_allies_pacific.retreat import origins, retreat_spaces
from pbem.games.axis_and_allies_pacific.rolls import number_in
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    SEA,
    SURFACE_WARSHIPS,
    State,
    Unit,
    enemy_units,
    garrison,
    is_enemy_unit,
)
from pbem.games.axis_and_allies_pacific.terms import some
from pbem.kernel.events import Entered
from pbem.kernel.orders import illegal
from pbem.kernel.wording import Message, msg
from pbem.odds.distributions import Dice, together


def clashes(g: State) -> list[Clash]:
    """The battles that the power whose turn it is has to fight as things stand now."""
    return [clash_at(g, g.power, space) for space in battles(g, g.power)]


def clash_at(g: State, power: str, space: str) -> Clash:
    """One battle on the board. Seaborne units count as landed; ships bombard as far as they can."""
    at_sea = space in g.board.zones
    b = Battle(space, power)
    if at_sea and not any(u.type in SURFACE_WARSHIPS or u.role == "scramble" for u in enemy_units(g, power, space)):
        b.engaged = tuple(g.engaged.get(space, []))
    seaborne = [] if at_sea else [u for u in g.of(power) if u.target == space]
    landing = [replace(u, role="landed", at=space, aboard=None) for u in seaborne if u.type != "aa-gun"]
    round_now = _round_now(g)
    guard = [u for u in g.at(space) if u.type == "aa-gun" and is_enemy_unit(g, power, u)]
    mine = attackers(g, b)
    came = g.attacked_from.get(space) or origins(g, space, mine)
    return Clash(
        g,
        space,
        power,
        [*mine, *landing],
        [*defenders(g, b), *(() if at_sea else _garrison(g, space))],
        at_sea,
        lambda units: retreat_spaces(g, power, space, units, came),
        _bombards(g, power, space, len(seaborne)) if landing else (),
        bool(guard) and not at_sea and not round_now,
        round_now,
        tuple(_notes(g, power, at_sea, seaborne, round_now)),
    )


def _garrison(g: State, territory: str) -> list[Unit]:
    """[NEUT-02] Who comes out where a neutral territory is attacked, as long as the moves have not ended."""
    return [Unit(g.next_id + n, "infantry", "neutral", territory) for n in range(garrison(g, territory))]


def _round_now(g: State) -> int:
    """How many rounds of the battle that is being fought have had dice."""
    rounds = 0
    for event in g.events:
        if isinstance(event, Entered):
            rounds = 0
        elif isinstance(event, DiceRolled) and number_in(event.label, "round"):
            rounds = number_in(event.label, "round")
    return rounds if g.running is not None and g.running.name == "battle" else 0


def _bombards(g: State, power: str, territory: str, landing: int) -> Dice:
    """[AMP-03] [AMP-04] The best guns, one for each land unit, from zones where nobody fights."""
    able = [s for s in guns(g, power, territory) if not is_sea_battle(g, power, s.at)]
    return together(sorted((g.board.types[s.type].bombard for s in able), reverse=True)[:landing])


def _notes(g: State, power: str, at_sea: bool, seaborne: Sequence[Unit], round_now: int) -> list[Message]:
    zones = sorted({u.at for u in seaborne if is_sea_battle(g, power, u.at)})
    found = [msg("if the battle for {place} before it is won without loss of cargo", place=g.board.name(z)) for z in zones]
    if g.phase == "combat-move" and (at_sea or seaborne):
        found.append(msg("without aircraft that scramble and without kamikazes"))
    if round_now and isinstance(g.events[-1], DiceRolled | Damaged):
        found.append(msg("hits of round {round} that are still to be taken are not counted", round=round_now))
    return found


# -- imagined ------------------------------------------------------------------------------------------------------------


def imagined(board: Board, attack: str, defence: str, at_sea: bool, amphibious: bool, retreats: bool = True) -> Clash:
    """A battle in words: `3 infantry, 1 artillery` against `2 infantry, 1 aa-gun`.

    In an amphibious assault all land units are landed and ships bombard. Raises Rejected.
    """
    g = State({}, board=board)
    mine, theirs = _units(g, "japan", attack), _units(g, "united-kingdom", defence)
    ships = [u for u in mine if u.type in SEA]
    wrong = LAND if at_sea else SEA
    strangers = [u for u in (*(mine if at_sea or not amphibious else ()), *theirs) if u.type in wrong]
    if strangers:
        things = some(strangers[0].type)
        why = msg("does not fight at sea: {things}", things=things)
        if not at_sea:
            why = msg("does not fight on land: {things}", things=things)
        raise illegal(why, "GC-01", msg("{sea}, or {landing} for ships that bombard", sea="--sea", landing="--amphibious"))
    if amphibious:
        mine = [replace(u, role="landed") if u.type in LAND else u for u in mine if u.type not in SEA]
    return Clash(
        g,
        "",
        "japan",
        [u for u in mine if u.type != "aa-gun"],
        [u for u in theirs if u.type != "aa-gun"],
        at_sea,
        lambda units: _way_out(units, at_sea) if retreats else (),
        _imagined_guns(g, ships, mine) if amphibious else (),
        any(u.type == "aa-gun" for u in theirs),
    )


def _units(g: State, power: str, text: str) -> list[Unit]:
    groups: Sequence[Group] = read_groups(text)
    found: list[Unit] = []
    for group in groups:
        if group.type not in g.board.types:
            raise illegal(msg("takes no part in battles: {things}", things=some(group.type)), "GC-03")
        for _ in range(group.count):
            found.append(Unit(g.next_id, group.type, power, "", damaged=group.mark in ("damaged", "hit")))
            g.next_id += 1
    return found


def _way_out(units: Sequence[Unit], at_sea: bool) -> Sequence[str]:
    """[GC-20] [AMP-09] As if every ship and every land unit that was not landed had come from a friendly space."""
    kinds = SEA if at_sea else LAND
    return ("away",) if any(u.type in AIR or (u.type in kinds and u.role != "landed") for u in units) else ()


def _imagined_guns(g: State, ships: Sequence[Unit], mine: Sequence[Unit]) -> Dice:
    values = sorted((g.board.types[s.type].bombard for s in ships), reverse=True)
    return together(values[: sum(u.type in LAND for u in mine)])

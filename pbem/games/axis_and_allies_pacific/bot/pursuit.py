"""Whether a battle that has begun is fought on."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.battles import held_by
from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.judgement import Temper
from pbem.games.axis_and_allies_pacific.bot.value import comes_to, counter, gain, judged
from pbem.games.axis_and_allies_pacific.state import LAND, State, Unit, enemy_units

APART = ("bomb", "bombed", "escort", "intercept", "submerged", "retreated")  # roles of units that are not in the battle


def pursuit(g: State, power: str, space: str, mind: Temper) -> int:
    """What an attacker gains on the mean by fighting on in a space to the end, in thousandths of an IPC."""
    mine = [u for u in g.at(space) if u.owner == power and _fights(u)]
    theirs = [u for u in enemy_units(g, power, space) if _fights(u)]
    battle = verdict(g, mine, theirs)
    prize = sum(g.board.types[u.type].cost for u in theirs if u.type == "transport") if space in g.board.zones else 0
    ground = [u for u in mine if u.type in LAND]
    if not ground:
        return battle.swing + battle.won * prize
    now, lasting = gain(g, power, space, mind)
    answer = counter(g, power, space, held_by(g, ground, battle), frozenset(u.id for u in theirs))
    keeps, answered = judged(answer, lasting, comes_to(g, space))
    return battle.swing + battle.won * (now + lasting * keeps // 1000 - answered * mind.fear // 100) // 1000


def _fights(unit: Unit) -> bool:
    return unit.role not in APART and unit.type != "aa-gun"

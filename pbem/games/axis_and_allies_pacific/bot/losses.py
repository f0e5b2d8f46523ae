"""[GC-10] Which losses an attacker takes: the cheapest, but an aircraft for the last man who takes land that is worth it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.judgement import Temper
from pbem.games.axis_and_allies_pacific.bot.legal import is_legal
from pbem.games.axis_and_allies_pacific.bot.value import comes_to, counter, gain, judged
from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled
from pbem.games.axis_and_allies_pacific.state import AIR, LAND, State, Unit, enemy_units
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

APART = ("bomb", "bombed", "escort", "retreated")  # roles of units that are in no battle on land


def losses(g: State, ask: Ask, mind: Temper) -> Plain:
    """The cheapest losses, or the same with an aircraft in place of the last land unit."""
    usual = next(iter(ask.options()))
    space = str(ask.facts["space"]) if ask.facts else ""
    if ask.seat != g.power or space not in g.board.territories or not isinstance(usual, dict):
        return usual
    named = usual["casualties"]
    words = [str(w) for w in named] if isinstance(named, list) else []
    mine = [u for u in g.at(space) if u.owner == g.power and u.role not in APART and u.type != "aa-gun"]
    ground = sorted((u for u in mine if u.type in LAND), key=lambda u: (g.board.types[u.type].cost, u.id))
    planes = [u for u in mine if u.type in AIR]
    for word in words:
        planes = _less(planes, word)
    if not ground or not planes or sum(word.split()[-1] in LAND for word in words) < len(ground):
        return usual
    last, plane = ground[-1], min(planes, key=lambda u: (g.board.types[u.type].cost, u.id))
    at = words.index(f"1 {last.type}") if f"1 {last.type}" in words else -1
    other: Plain = {"casualties": [*words[:at], f"1 {plane.type}", *words[at + 1 :]]}
    dearer = 1000 * (g.board.types[plane.type].cost - g.board.types[last.type].cost)
    if at < 0 or not is_legal(ask, other):
        return usual
    return other if _taken_by(g, space, last, _less(planes, f"1 {plane.type}"), mind) > dearer else usual


def _less(planes: Sequence[Unit], word: str) -> list[Unit]:
    """Without one of the type that a word names."""
    gone = next((u for u in planes if f"1 {u.type}" == word), None)
    return [u for u in planes if u is not gone]


def _taken_by(g: State, space: str, last: Unit, planes: Sequence[Unit], mind: Temper) -> int:
    """What it is worth that the last land unit lives on, in thousandths of an IPC: it takes the land if the rest is beaten."""
    theirs = sorted((u for u in enemy_units(g, g.power, space) if u.type != "aa-gun"), key=lambda u: g.board.types[u.type].cost)
    left = theirs[_hits(g) :]
    chance = verdict(g, planes, left).won if left else 1000
    now, lasting = gain(g, g.power, space, mind)
    answer = counter(g, g.power, space, [last], frozenset(u.id for u in theirs))
    keeps, answered = judged(answer, lasting, comes_to(g, space))
    return chance * (now + lasting * keeps // 1000 - answered) // 1000


def _hits(g: State) -> int:
    """Hits that the attacker has just thrown: those down fire once more before they are removed."""
    rolls = [e for e in g.events[-12:] if isinstance(e, DiceRolled)]
    while rolls and rolls[-1].rule == "GC-11":
        rolls.pop()
    hits = 0
    while rolls and rolls[-1].rule == "GC-10":
        hits += rolls.pop().hits
    return hits

"""Exact chances of ground combats: whether troops that keep attacking take a hex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.pacific_war.board import Board
from pbem.games.pacific_war.dice import ground_result, halved
from pbem.games.pacific_war.land.combat import ground_column, ratio_modifier
from pbem.games.pacific_war.land.quality import quality
from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.memo import boards

SURE = 1_000_000  # millionths
MOST_ROUNDS = 4  # ground combats that an operation has time for
WANTED, ENOUGH = 700_000, 400_000  # chance with which an attack is planned; with which troops on the spot go on

Known = dict[tuple[int, int, int, int, int], int]


def chance_to_take(
    g: State, place: int, side: str, attackers: Iterable[str], assault: bool, pips: int, against: Sequence[str] | None = None
) -> int:
    """Millionths: the chance that these troops have the hex after a few ground combats. `assault`: they come from the sea;
    `pips`: what bombers add to the die; `against`: others than who is there now.
    """
    mine, defenders = list(attackers), g.ashore(FOE[side], place) if against is None else list(against)
    if not mine or not defenders:
        return SURE if mine else 0
    best, theirs = max(quality(g, u) for u in mine), max(quality(g, u) for u in defenders)
    later = ground_column(g, place, best, theirs) + pips
    first = ground_column(g, place, halved(best), theirs) + pips if assault else later
    own, foes = sum(g.steps(u) for u in mine), sum(g.steps(u) for u in defenders)
    return _chance(g, boards(g.board, _table), own, foes, first, later, MOST_ROUNDS)


def _table(board: Board) -> Known:
    """What has been computed for a board: its charts do not change."""
    return {}


def _chance(g: State, known: Known, steps: int, against: int, column: int, later: int, rounds: int) -> int:
    key = steps, against, column, later, rounds
    if key not in known:
        more, total = ratio_modifier(g, steps, against), 0
        for die in range(10):
            lost, killed, retreat = ground_result(g, column - die + more, steps + against)
            if retreat == "A" or steps <= lost:
                continue
            if retreat == "D" or against <= killed:
                total += SURE
            elif rounds > 1:
                total += _chance(g, known, steps - lost, against - killed, later, later, rounds - 1)
        known[key] = total // 10
    return known[key]

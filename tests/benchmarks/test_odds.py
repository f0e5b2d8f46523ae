"""Odds: 15 against 10 units aimed at 5 ms, 100 against 70 at 100 ms of processor time (`--benchmark-timer=time.process_time`).

Battles in which submarines fight beside destroyers, AA guns fire or large armies may retreat take longer and are watched here.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.clashes import imagined
from pbem.games.axis_and_allies_pacific.odds.clash import Clash
from pbem.games.axis_and_allies_pacific.odds.reckoning import odds_of
from pbem.games.axis_and_allies_pacific.odds.standing import Plans
from pbem.kernel.standing import read_clauses
from tests.axis_and_allies_pacific import table

BATTLES = {
    "land, 15 v. 10": (
        "6 infantry, 3 artillery, 2 tank, 2 fighter, 2 tactical-bomber",
        "7 infantry, 1 artillery, 1 fighter, 1 tank",
        "land",
    ),
    "sea, 15 v. 10": (
        "4 destroyer, 3 cruiser, 2 battleship, 1 carrier, 2 fighter, 3 tactical-bomber",
        "4 destroyer, 2 cruiser, 1 battleship, 1 carrier, 2 fighter",
        "sea",
    ),
    "landing, 15 v. 10": ("8 infantry, 3 artillery, 1 tank, 3 cruiser", "8 infantry, 1 artillery, 1 fighter", "amphibious"),
    "AA guns, 15 v. 10": (
        "6 infantry, 3 artillery, 2 tank, 2 fighter, 2 tactical-bomber",
        "6 infantry, 1 artillery, 1 fighter, 1 tank, 1 aa-gun",
        "land",
    ),
    "submarines, 15 v. 10": (
        "3 submarine, 3 destroyer, 2 cruiser, 2 battleship, 1 carrier, 2 fighter, 2 tactical-bomber",
        "2 submarine, 2 destroyer, 2 cruiser, 1 battleship, 1 carrier, 2 fighter",
        "sea",
    ),
    "land, 100 v. 70": (
        "50 infantry, 20 artillery, 15 tank, 10 fighter, 5 tactical-bomber",
        "50 infantry, 10 artillery, 5 fighter, 5 tank",
        "land",
    ),
    "sea, 100 v. 70": ("50 destroyer, 30 cruiser, 20 fighter", "40 destroyer, 20 cruiser, 10 fighter", "sea"),
}
RETREAT = [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}]


def clash(name: str) -> Clash:
    attack, defence, place = BATTLES[name]
    return imagined(table.empty().board, attack, defence, place == "sea", place == "amphibious")


def plans(retreat: Any) -> Plans:
    return lambda seat, kind: read_clauses(kind, retreat) if kind == "retreat" and seat == "japan" else ()


@pytest.mark.parametrize("name", BATTLES)
def test_odds(benchmark: Any, name: str) -> None:
    fought = clash(name)
    odds = benchmark(lambda: odds_of(fought, plans("press")))
    assert odds.error == 0


@pytest.mark.parametrize("name", ["land, 15 v. 10", "sea, 15 v. 10", "land, 100 v. 70"])
def test_odds_with_retreats(benchmark: Any, name: str) -> None:
    fought = clash(name)
    odds = benchmark(lambda: odds_of(fought, plans(RETREAT)))
    assert odds.error == 0 and odds.retreat > 0

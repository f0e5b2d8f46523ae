"""Random play of every scenario keeps the invariants, and reaches the rules it should."""

from __future__ import annotations

import pytest

from tests.pacific_war import random_play, table
from tests.pacific_war.invariants import check_only, watch

FLOOR = {
    "midway": {"PW-MOV-09", "PW-AIR-14", "PW-AIR-11", "PW-CAL-01", "PW-DET-01", "PW-SRC-02", "PW-SEQ-02"},
    "santa-cruz": {"PW-AIR-11", "PW-AIR-13", "PW-AIR-14", "PW-SRC-02", "PW-MOV-14", "PW-SEQ-02"},
    "coral-sea": {"PW-MOV-06", "PW-MOV-09", "PW-MOV-10", "PW-MOV-14", "PW-NAV-02", "PW-CAL-01", "PW-DET-01", "PW-DEA-01"},
    "guadalcanal": {
        "PW-SEQ-06",
        "PW-CMD-04",
        "PW-BID-02",
        "PW-ACT-03",
        "PW-ACT-11",
        "PW-OIN-01",
        "PW-TIM-03",
        "PW-RNF-01",
        "PW-OSB-01",
    },
    "savo-island": {"PW-NAV-02", "PW-NAV-03", "PW-NAV-05", "PW-NAV-06", "PW-NAV-07", "PW-SEQ-02"},
    "pearl-harbor": {"PW-AIR-11", "PW-AIR-13", "PW-AIR-14", "PW-AIR-15", "PW-AIR-18", "PW-SRC-02", "PW-FOG-02", "PW-SEQ-02"},
}
STRATEGIC = "strategic-1941"
GAMES = {"midway": 8, "santa-cruz": 8, "coral-sea": 8, "guadalcanal": 3, "pearl-harbor": 12, "savo-island": 12}


@pytest.mark.parametrize("name", ["coral-sea", "midway", "savo-island", "pearl-harbor"])
def test_random_play_with_sealed_forces(name: str) -> None:
    rules: set[str] = set()
    for seed in range(5):
        engine = random_play.play(name, seed, watch, forces="sealed")
        assert engine.state.winner
        rules |= {event.rule for event in engine.state.events}
    assert "PW-FOG-01" in rules


def test_strategic_layer() -> None:
    """The strategic phases on the map of Guadalcanal: no scenario, but every monthly phase of the whole war."""
    rules: set[str] = set()
    for seed in (42, 51):
        engine = random_play.play("guadalcanal", seed, watch, changes=STRATEGIC_CHANGES)
        rules |= {event.rule for event in engine.state.events}
    wanted = {"PW-STB-03", "PW-RES-02", "PW-MER-01", "PW-MER-02", "PW-MER-03"}
    assert rules >= wanted, sorted(wanted - rules)


STRATEGIC_CHANGES = {
    "level": "strategic",
    "month": 10,
    "last_month": 8,
    "initiative": -1,
    "ledger": {
        "home 2533": 60,
        "home 2534": 30,
        "resource 1630": 40,
        "merchants": 20,
        "escorts": 10,
        "harassing": 40,
        "20th at": 1134,
        "20th points": 6,
    },
    "airfields": {
        "1134": {"side": "allies", "size": 18},
        "1630": {"side": "japan", "size": 18},
        "1626": {"side": "japan", "size": 6},
        "0722": {"side": "allies", "size": 18},
        "0135": {"side": "allies", "size": 18},
        "1426": {"side": "allies", "size": 6},
    },
    "control": {"1134": "allies", "1630": "japan", "2533": "japan", "2534": "japan"},
    "schedule": {},
}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_random_play(name: str) -> None:
    rules: set[str] = set()
    for seed in range(GAMES[name]):
        engine = random_play.play(name, seed, watch)
        assert engine.state.winner
        rules |= {event.rule for event in engine.state.events}
    assert rules >= FLOOR[name], sorted(FLOOR[name] - rules)


def test_every_scenario_is_played() -> None:
    assert set(table.SCENARIOS) == {*GAMES, STRATEGIC}


def test_first_month_of_the_strategic_scenario() -> None:
    engine = random_play.play(STRATEGIC, 2, check_only, changes={"last_month": 44})
    assert engine.state.winner
    rules = {event.rule for event in engine.state.events}
    wanted = {"PW-MER-02", "PW-MER-03", "PW-CMD-04", "PW-RNF-01", "PW-BID-02", "PW-ACT-03", "PW-SEQ-06"}
    assert rules >= wanted, sorted(wanted - rules)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_the_whole_war(seed: int) -> None:
    assert random_play.play(STRATEGIC, seed, watch).state.winner

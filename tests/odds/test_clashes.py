"""Battles as they stand on the board: who fights, what is noted, what is sampled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.chances import forecasts
from pbem.games.axis_and_allies_pacific.clashes import clash_at, clashes, imagined
from pbem.games.axis_and_allies_pacific.odds.clash import Clash
from pbem.games.axis_and_allies_pacific.odds.fight import COURSES
from pbem.games.axis_and_allies_pacific.odds.reckoning import Odds, odds_of
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.standing import Clause, read_clauses
from pbem.kernel.wording import english
from pbem.odds.forecast import Forecast, in_words
from tests.axis_and_allies_pacific import table
from tests.odds.engine_tree import USUAL, every_course, fight, position
from tests.odds.test_pacific import NEARLY, joint, plans


def nobody(seat: str, kind: str) -> Sequence[Clause]:
    return ()


def allied_defence() -> State:
    """Two nations defend Kwangsi; the one with more units chooses the losses [MULT-05]."""
    g = position("Kwangsi", "1 infantry, 1 tank", "1 infantry")
    g.wars = sorted([*g.wars, "anzac japan"])
    table.put(g, "anzac", "kwangsi", "infantry")
    table.put(g, "anzac", "kwangsi", "tank")
    return g


def test_two_nations_defend_together() -> None:
    g = fight(allied_defence()).state
    clash = clash_at(g, "japan", "kwangsi")
    assert {u.owner for u in clash.defenders} == {"united-kingdom", "anzac"}
    among = {u.id for u in clash.attackers}
    wanted = every_course(allied_defence(), USUAL, among)
    found: dict[str, float] = {}
    for (mine, _), p in joint(clash, USUAL).items():
        found[mine] = found.get(mine, 0.0) + p
    left: dict[str, float] = {}
    for (mine, _), p in wanted.items():
        left[mine] = left.get(mine, 0.0) + p
    assert found == pytest.approx(left, abs=NEARLY)


def test_every_battle_of_the_power_whose_turn_it_is() -> None:
    g = position("Kwangsi", "1 infantry", "1 infantry")
    table.put(g, "united-kingdom", "kwangtung", "infantry")
    table.put(g, "japan", "kwangtung", "tank")
    g.control["kwangtung"] = "united-kingdom"
    state = fight(g).state
    assert [c.space for c in clashes(state)] == ["kwangsi", "kwangtung"]
    titles = [english(t.title).partition(":")[0] for t in forecasts(state, nobody)]
    assert titles == [
        "battle for Kwangsi",
        "battle for Kwangtung",
    ]


def test_what_no_standing_order_decides_is_said() -> None:
    state = fight(position("Kwangsi", "2 infantry", "1 infantry", "Kiangsi")).state
    (told,) = forecasts(state, nobody)
    assert tuple(map(english, told.notes)) == (
        "Japan has no standing order; supposed: casualties cheapest first, retreat press",
        "United Kingdom has no standing order; supposed: casualties cheapest first",
    )
    assert forecasts(state, plans(USUAL))[0].notes == ()


def test_conditions_see_the_game_elsewhere_as_well() -> None:
    """Whoever holds Shantung; who stands in the battle's own space is the battle's to say."""
    state = fight(position("Kwangsi", "2 infantry", "2 infantry", "Kiangsi")).state
    holder = state.control["shantung"]

    def leaving(when: str) -> Any:
        return forecasts(state, plans({"retreat": [{"when": when, "do": "retreat"}, {"do": "press"}]}))[0].outcomes

    pressed = forecasts(state, plans(USUAL))[0].outcomes
    assert leaving(f"shantung held by = {holder}") != pressed == leaving("shantung held by = nobody")
    assert leaving("own at kwangsi > 0") == pressed


def test_clauses_that_hold_once_are_said_to_be_counted_always() -> None:
    state = fight(position("Kwangsi", "2 infantry", "1 infantry")).state
    once = read_clauses("casualties", [{"do": "cheapest first", "life": "once"}])
    (told,) = forecasts(state, lambda seat, kind: once)
    assert tuple(map(english, told.notes)) == ("clauses of life `once` are counted as if they always held",)


def test_an_undefended_territory_is_taken() -> None:
    g = fight(position("Kwangsi", "1 infantry", "")).state
    odds = odds_of(clash_at(g, "japan", "kwangsi"), nobody)
    assert odds.taken == pytest.approx(1) and odds.swing == 0


def submarines() -> Clash:
    board = table.empty().board
    return imagined(board, "2 submarine, 1 destroyer, 1 battleship", "1 submarine, 1 destroyer, 1 fighter", True, False)


def test_a_battle_with_too_many_states_is_sampled_and_says_so() -> None:
    exact, sampled = odds_of(submarines(), nobody), odds_of(submarines(), nobody, limit=5)
    assert exact.error == 0 and sampled.error == pytest.approx(0.5 / COURSES**0.5)
    for name in ("win", "loss", "draw"):
        p, q = getattr(exact, name), getattr(sampled, name)
        assert abs(p - q) <= 4 * (p * (1 - p) / COURSES) ** 0.5
    assert sampled == odds_of(submarines(), nobody, limit=5), "the seed is fixed"


def told_of(odds: Odds) -> str:
    return in_words(Forecast("a", {"win": odds.win}, error=odds.error))


def test_words_tell_exact_from_sampled() -> None:
    assert "(exact)" in told_of(odds_of(submarines(), nobody))
    assert "(sampled, standard error at most 0.35 points)" in told_of(odds_of(submarines(), nobody, limit=5))


@pytest.mark.parametrize("retreat", ["press", [{"when": "own-value-lost > enemy-value-lost", "do": "retreat"}]])
def test_what_both_lose_and_keep_adds_up(retreat: Any) -> None:
    board = table.empty().board
    attack, defence = "3 infantry, 1 tank, 1 fighter", "3 infantry, 1 artillery, 1 aa-gun"
    clash = imagined(board, attack, defence, False, False)
    odds = odds_of(clash, plans({"retreat": retreat}))
    assert odds.win + odds.loss + odds.draw + odds.retreat == pytest.approx(1, abs=NEARLY)
    cost = {kind: t.cost for kind, t in board.types.items()}
    for left, lost, whole in (
        (odds.attackers, odds.attack_lost, 3 * 3 + 6 + 10),
        (odds.defenders, odds.defence_lost, 3 * 3 + 4),
    ):
        kept = sum(p * value(text, cost) for text, p in left.items())
        assert kept + lost == pytest.approx(whole)


def value(text: str, cost: dict[str, int]) -> int:
    parts = [part.split(" ") for part in text.split(", ") if text != "nothing"]
    return sum(int(number) * cost[kind] for number, kind in parts)

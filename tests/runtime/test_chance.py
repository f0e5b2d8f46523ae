"""Dice and draws: of which seed, with which number, who shows the link that is missing, who is short of draw keys."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.flow import Draw, PrivateRoll, Roll
from pbem.kernel.wording import msg, verbatim
from pbem.protocol import dice
from pbem.runtime import chance
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import DrawMade, DrawTree, Rolled
from pbem.runtime.table import Table
from tests.runtime.desks import Engine
from tests.runtime.test_table import with_files

ROLL = Roll(verbatim("battle"), 3, 6, "S6", "rust")
DRAW = Draw("red", "deck", ("ace", "king", "queen"), ("king",), 2, "S2")
DIE = PrivateRoll("blue", verbatim("scouting"), 2, 8, "S8")


def table_with(source: int, *authors: str) -> tuple[Table, Any]:
    """Files of these authors, and an engine that notes its answers."""
    table, engine = with_files(source, *authors), Engine()
    table.engine = engine  # type: ignore[assignment]
    return table, engine


def seed_of(table: Table) -> bytes:
    seed = table.seed()
    assert seed is not None
    return seed


def test_dice_come_from_the_seed_by_their_number_and_are_written_down() -> None:
    table, engine = table_with(1, "nowak", "yamada")
    hand, seed = Hand("yamada", 2), seed_of(table)
    table.ledger.rolls = 4
    assert chance.roll(table, ROLL, hand) is None and chance.roll(table, ROLL, hand) is None
    numbers = [[*dice.roll(seed, n, "battle", 3, 6)] for n in (4, 5)]
    assert engine.given == numbers and numbers[0] != numbers[1] and table.ledger.rolls == 6
    assert hand.turned == table.ledger.rolled == [Rolled(1, n, "battle", 6, "S6", numbers[n - 4]) for n in (4, 5)]


@pytest.mark.parametrize(
    "unfit",
    [
        Roll(verbatim(""), 3, 6, "S6"),
        Roll(verbatim("battle"), 3, 6, ""),
        Roll(verbatim("battle"), 0, 6, "S6"),
        Roll(verbatim("battle"), 3, 1, "S6"),
    ],
    ids=["no label", "no rule", "no dice", "one side"],
)
def test_a_roll_has_a_label_a_rule_dice_and_sides(unfit: Roll) -> None:
    with pytest.raises(AssertionError):
        chance.roll(table_with(1, "nowak", "yamada")[0], unfit, Hand("", 0))


def test_the_smallest_roll_is_one_die_of_two_sides() -> None:
    table, engine = table_with(1, "nowak", "yamada")
    assert chance.roll(table, Roll(verbatim("coin"), 1, 2, "S6"), Hand("yamada", 2)) is None
    assert engine.given in ([[1]], [[2]])


def test_without_a_link_the_one_against_whom_is_rolled_shows_it_and_no_die_is_turned() -> None:
    table, engine = table_with(2, "nowak", "yamada")
    hand = Hand("yamada", 2)
    assert chance.roll(table, ROLL, hand) == Due("dubois", "witness")
    assert (engine.given, hand.turned, table.ledger.rolled) == ([], [], [])


def test_a_draw_is_of_its_players_next_key_and_written_down() -> None:
    table, engine = table_with(1, "nowak", "yamada")
    table.ledger.draw_counts = {"nowak": 5}
    seed = seed_of(table).hex()
    assert chance.draw(table, DRAW, Hand("yamada", 9)) is None
    base = ["ace", "king", "queen"]
    assert table.ledger.draws == [DrawMade(5, "nowak", "red", seed, 9, 2, "deck", base, ["king"], source=1)]
    assert engine.given == [["red:draw5:0", "red:draw5:1"]]
    assert chance.draw(table, DIE, Hand("yamada", 9)) is None
    assert table.ledger.draws[1] == DrawMade(0, "yamada", "blue", seed, 9, 2, label="scouting", sides=8, source=1)
    assert engine.given[1] == "blue:draw0:0" and table.ledger.draw_counts == {"nowak": 6, "yamada": 1}


def test_a_draw_without_a_link_waits_for_a_witness_of_the_other_side() -> None:
    table, engine = table_with(2, "nowak", "yamada")
    assert chance.draw(table, DRAW, Hand("yamada", 2)) == Due("nowak", "witness")
    assert (engine.given, table.ledger.draws, table.ledger.draw_counts) == ([], [], {})


def test_who_has_used_all_his_draw_keys_is_due_with_new_ones() -> None:
    table, engine = table_with(1, "nowak", "yamada")
    for used in (1024, 1030):
        table.ledger.draw_counts = {"nowak": used}
        assert chance.draw(table, DRAW, Hand("yamada", 2)) == Due("nowak", "draws", "red", msg("new draw keys"))
    assert (engine.given, table.ledger.draws, table.ledger.draw_counts) == ([], [], {"nowak": 1030})


def test_new_draw_keys_that_this_seed_does_not_reach_wait_for_the_next_one() -> None:
    """They were announced behind the file whose seed is turned: the newest file's seed is the first that reaches them."""
    table, _ = table_with(1, "nowak", "yamada")
    table.ledger.draw_counts = {"nowak": 1024}
    table.ledger.trees.append(DrawTree("nowak", "ab" * 32, 1024, 2))
    assert chance.draw(table, DRAW, Hand("yamada", 2)) == Due("nowak", "witness")
    assert table.ledger.source == 2
    for used, what in ((2047, "witness"), (2048, "draws")):
        table.ledger.draw_counts, table.ledger.source = {"nowak": used}, 1
        assert getattr(chance.draw(table, DRAW, Hand("yamada", 2)), "what", "") == what


def test_the_newest_file_holds_where_no_seed_is_turned() -> None:
    table, _ = table_with(1, "nowak", "yamada", "nowak")
    table.ledger.rolls = 3
    assert chance.needs_witness(table, "red") == Due("yamada", "witness"), "against the signer's own side"
    assert (table.ledger.source, table.ledger.rolls) == (3, 0)


def test_no_dice_come_from_the_charter() -> None:
    opening = Due("nowak", "start", "red", msg("no dice come from the charter: file 1 opens the game"))
    table, _ = table_with(0)
    table.ledger.rolls = 3
    assert chance.needs_witness(table, None) == opening and table.ledger.rolls == 3
    table, _ = table_with(0, "nowak")
    assert chance.needs_witness(table, None) == Due("yamada", "witness") and table.ledger.source == 1

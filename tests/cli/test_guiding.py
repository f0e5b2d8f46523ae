"""Guidance knows no game: a toy game with sealed bids and a hidden hand is played to its end from the listed orders alone."""

from __future__ import annotations

import random

import pytest

from pbem.cli import guiding
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message, msg, verbatim
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import GAME


@pytest.mark.parametrize("seed", range(3))
def test_listed_orders_are_enough_to_play_any_game(seed: int) -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(GAME, party, {})
    dice, sealed = random.Random(seed), 0
    while party[0].table.due.what != "nothing":
        due = party[0].table.due
        writer = next(p for p in party if p.name == due.player)
        asked = guiding.asked_of(writer.table, writer.name)
        assert all(guiding.asked_of(p.table, p.name) is None for p in party if p is not writer)
        if due.what in AUTOMATIC:
            assert asked is None
            send(party, Draft())
            continue
        assert asked and asked.rule and (asked.options or asked.kind == "garrison")
        sealed += asked.sealed
        send(party, Draft(orders=[asked.order(dice.choice(asked.options or (2,)))]))
    assert sealed and party[0].table.result is not None


def test_verbs_that_cannot_be_listed_are_named() -> None:
    asked = guiding.Asked("red", "move", "S1", "move", ({"march": "north"}, {"march": "south"}, "done"), ("march", "bomb"))
    assert asked.by_verb() == {"march": 2, "done": 1, "bomb": 0}
    assert asked.matching(["MAR", "sou"]) == [{"march": "south"}]


def test_units_are_listed_by_their_printed_names() -> None:
    names = {"raaf": "Australian Air Force", "5-af-lrb": "5th Air Force (LRB)"}

    def name_of(word: str) -> Message | None:
        return verbatim(names[word]) if word in names else msg("the verb {word}", word=word) if word == "move" else None

    order: Plain = {"counter": {"raaf": "raaf, 5-af-lrb, 5 to move", "moves": ["raaf"], "hexes": 3823}}
    assert guiding.with_names(order, name_of) == {
        "counter": {
            "Australian Air Force": "Australian Air Force, 5th Air Force (LRB), 5 to move",
            "moves": ["Australian Air Force"],
            "hexes": 3823,
        }
    }

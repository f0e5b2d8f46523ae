"""What a verdict costs: no more than the size of the heap, and about as much as playing the game."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pbem.protocol import slips
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import unreadable
from pbem.runtime.judging import judge
from pbem.runtime.table import Table
from pbem.runtime.taking import take_in_place
from tests.toygame.party import Person
from tests.toygame.skirmish import GAME
from tests.toygame.test_judging import audits, forked, items, log, rules
from tests.toygame.test_skirmish import people, play


def seconds(documents: list[Any]) -> float:
    """The CPU time of one verdict, the best of two."""
    taken = []
    for _ in range(2):
        begun = time.process_time()
        judge(items(documents), rules)
        taken.append(time.process_time() - begun)
    return min(taken)


def heap(kind: str, count: int) -> list[Any]:
    """A game and `count` documents more, of a kind that somebody could send in any number."""
    before, one, two = forked()
    nowak, yamada = Person("nowak", ["red"]), Person("yamada", ["blue"])
    head = document_id(before[-1])
    match kind:
        case "copies":
            more = [dict(one) for _ in range(count)]
        case "forged":
            more = [{**two, "note": [str(n)]} for n in range(count)]
        case "second files":
            more = [nowak.sign({**two, "note": [str(n)]}) for n in range(count)]
        case "orphans":
            more = [nowak.sign({**two, "prev": f"{n:064x}", "seq": 5}) for n in range(count)]
        case "slips":
            content = {"text": "please hurry"}
            made = [slips.make("request", one["game"], head, "yamada", content, 2) for _ in range(count)]
            more = [slips.sign({**s, "note": [str(n)]}, yamada.private) for n, s in enumerate(made)]
        case "foreign":
            more = [{**one, "game": f"{n:064x}"} for n in range(count)]
        case _:
            more = [unreadable(f"block {n}") for n in range(count)]
    return [*before, one, *more]


@pytest.mark.parametrize("kind", ["copies", "forged", "second files", "orphans", "slips", "foreign", "damaged"])
def test_the_cost_of_a_heap_grows_with_its_size_and_no_faster(kind: str) -> None:
    small, large = heap(kind, 150), heap(kind, 600)
    seconds(small[:5])
    assert seconds(large) < 8 * seconds(small) + 0.2


def test_a_whole_game_costs_about_as_much_as_playing_it() -> None:
    party = people()
    play(party, 3)
    documents = [*log(party), *audits(party)]
    begun = time.process_time()
    table = Table.start(party[0].table.charter, GAME, None)
    for document in party[0].log[1:]:
        take_in_place(table, document, party[0].fetch)
    assert seconds(documents) < 6 * (time.process_time() - begun) + 0.2

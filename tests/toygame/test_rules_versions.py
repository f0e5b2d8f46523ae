"""An agreed rules version holds from the next file on; what does not fit stops with an explanation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import astuple

from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from pbem.runtime.taking import take
from tests.toygame import skirmish
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import Changed, Skirmish, SkirmishState
from tests.toygame.test_attacks import advance_to, due
from tests.toygame.test_seats import agree
from tests.toygame.test_skirmish import disclosures, play


def finish(g: SkirmishState) -> Flow[None]:
    """[S9] as version 2 has it: a tie goes to red."""
    yield from skirmish.finish(g)
    emit(g, Changed("winner", "allies" if g.score["allies"] >= g.score["axis"] else "axis", "S9"))


def march(g: SkirmishState, step: int) -> Flow[None]:
    """[S5] as version 3 has it: blue is asked before red, so a march that has begun does not fit."""
    yield Ask("blue", "watch", "S5", "watch?", skirmish.word_of("watch"), options=lambda: ["watch"])
    yield from skirmish.march(g, step)


class Version(Skirmish):
    """One rules version of a module that keeps the earlier ones."""

    def __init__(self, number: int, segments: Mapping[str, Any], earlier: Mapping[int, Any]) -> None:
        self.rules_version, self.segments, self.earlier = number, {**Skirmish.segments, **segments}, earlier


ONE = Version(1, {}, {})
TWO = Version(2, {"finish": finish}, {1: ONE})
THREE = Version(3, {"march": march}, {1: ONE, 2: TWO})


def founded_under(first: Any, module: Any) -> list[Person]:
    """A game whose charter says version 1, played by programs that have newer versions too."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(first, party, {})
    for person in party:
        person.table = Table.start(person.table.charter, module, None)
    return party


def offer(party: list[Person], version: int) -> None:
    send(party, Draft(type="offer", extra={"offer": {"rules_version": version}}))


def test_an_agreed_version_holds_from_the_next_file_on() -> None:
    party = founded_under(ONE, TWO)
    advance_to(party, "red", "march")
    assert party[0].table.game.rules_version == 1
    offer(party, 2)
    assert party[0].table.game.rules_version == 1
    agree(party)
    ledger = party[0].table.ledger
    assert [astuple(r) for r in ledger.rules] == [(1, 0), (2, party[0].table.last + 1)]
    assert party[0].table.game is TWO and party[0].table.fork().game is TWO
    play(party, 1)
    again = Table.start(party[0].table.charter, TWO, None)
    for document in party[0].log[1:]:
        again = take(again, document, party[0].fetch).table
    assert again.engine.state_hash() == party[0].table.engine.state_hash()
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_a_version_that_asks_otherwise_is_not_agreed_to_in_the_middle() -> None:
    party = founded_under(ONE, THREE)
    advance_to(party, "red", "march")
    offer(party, 3)
    on_table = party[0].table.ledger.offer
    assert on_table is not None
    send(party, Draft(type="accept", extra={"accepts": on_table.id}))
    with pytest.raises(ProtocolError) as caught:
        send(party, Draft(type="accept", extra={"accepts": on_table.id}))
    assert caught.value.outcome is Outcome.DIVERGED and "version 3 asks" in str(caught.value)
    send(party, Draft(type="decline"))
    assert party[0].table.game is ONE


def test_a_program_without_the_version_says_which_it_has() -> None:
    party = founded_under(ONE, TWO)
    advance_to(party, "red", "march")
    offer(party, 9)
    on_table = party[0].table.ledger.offer
    assert on_table is not None
    send(party, Draft(type="accept", extra={"accepts": on_table.id}))
    with pytest.raises(ProtocolError, match=r"version 9; this program has 1, 2"):
        due(party).write(Draft(type="accept", extra={"accepts": on_table.id}))
    with pytest.raises(ProtocolError, match=r"version 1; this program has 2"):
        Table.start(party[0].table.charter, Version(2, {}, {}), None)


def test_an_undo_across_the_change_keeps_the_agreed_version() -> None:
    party = founded_under(ONE, TWO)
    writer = advance_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    taken_back = party[0].table.last
    offer(party, 2)
    agree(party)
    send(party, Draft(type="undo", extra={"to": taken_back}))
    agree(party)
    assert due(party) is writer and party[0].table.game is TWO
    play(party, 2)
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None

"""[7.26] `counter: air`: whatever flies and reaches a battle reacts, said beforehand, so that the window costs no file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Problem, Rejected
from pbem.kernel.wording import msg
from pbem.runtime import holds
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from pbem.runtime.typed import first_that_stands
from tests.empire_of_the_sun.test_plans import JAPAN, REACT, asked, attacked, go_on
from tests.toygame.party import Person, send

AIR: list[Plain] = [{"when": "condition = intercept", "do": "air"}, {"do": "none"}]


def found_out(standing: Mapping[str, Plain]) -> tuple[list[Person], int]:
    """The offensive on Manila, with a die by which the Allies may react; and the number of their file that says so."""
    for n in range(40):
        party = attacked(JAPAN, note=str(n))
        send(party, Draft(REACT, standing=standing))
        own = party[0].table.last
        go_on(party)
        state = party[0].table.engine.state
        if state.offensive is not None and state.offensive.condition == "intercept":
            return party, own
        if any(f.kind == "counter" and f.by == "clause" and f.clause == 1 for f in party[0].table.ledger.fired):
            return party, own
    raise AssertionError("no such die")


def test_a_standing_order_answers_the_window_in_the_file_of_the_die() -> None:
    party, own = found_out({"counter": AIR})
    (fired,) = [f for f in party[0].table.ledger.fired if f.kind == "counter"]
    body: Any = fired.order["counter"] if isinstance(fired.order, dict) else None
    assert "us-feaf" in body["activate"] and not body["moves"]
    assert not [d for d in party[0].log[own + 1 :] if d["player"] == "nowak" and d.get("orders")]


def test_a_hold_answers_it_unseen_in_a_file_that_its_program_writes() -> None:
    party, _ = found_out({})
    assert asked(party) == ("nowak", "counter")
    person = next(p for p in party if p.name == "nowak")

    def given(held: holds.Holds) -> list[Plain]:
        return holds.orders(person.table, person.name, held, person.knowledge(), lambda o: person.write(Draft(o)).table)

    ((order),) = given({"counter": AIR})
    body: Any = order["counter"] if isinstance(order, dict) else None
    assert "us-feaf" in body["activate"]
    assert given({"counter": [{"do": {"counter": "none"}}]}) == given({"counter": "none"}) == [{"counter": "none"}], (
        "with its verb, as in a file"
    )
    assert given({"counter": [{"do": {"counter": "all"}}, {"do": "none"}]}) == [{"counter": "none"}]
    assert given({"counter": [{"when": "condition = ambush", "do": "air"}]}) == []


def test_where_nothing_that_flies_reaches_a_battle_the_next_clause_answers() -> None:
    party, _ = found_out({})
    request, g = party[0].table.engine.request, party[0].table.engine.state
    assert isinstance(request, Ask) and request.policy is not None
    for unit, piece in [*g.pieces.items()]:
        if g.counter(unit).side == "allies" and g.counter(unit).flies:
            g.pieces[unit] = replace(piece, box="eliminated")
            g.changed(unit)
    with pytest.raises(Rejected, match="nothing that flies reaches a battle"):
        request.policy("air")
    assert request.policy("none") == {"counter": "none"}


@pytest.mark.parametrize("line", ["counter: air", {"counter": "air"}, "counter air", "Counter: air"])
def test_as_an_order_it_is_written_out_in_the_file(line: Plain) -> None:
    party, _ = found_out({})
    assert asked(party) == ("nowak", "counter")
    person = next(p for p in party if p.name == "nowak")
    unread = Refused([Problem("cannot be read", msg("not as it stands"))])
    (order,) = first_that_stands(lambda orders: [person.write(Draft([*orders]))], person.table, person.name, line, unread)
    body: Any = order["counter"] if isinstance(order, dict) else None
    assert "us-feaf" in body["activate"] and not body["moves"]

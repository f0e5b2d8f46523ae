"""What a program writes for its player: the file's keys, its seals and commitments, and what it refuses to write."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.orders import Problem
from pbem.kernel.wording import msg
from pbem.protocol import chain, seals
from pbem.protocol.keys import key_bytes
from pbem.protocol.outcomes import Outcome
from pbem.runtime.composing import Draft
from tests.toygame.party import NONCE, Person, send
from tests.toygame.test_dues import people
from tests.toygame.test_refusals import by_himself, problems

LINKS = 512


def link(person: Person, n: int) -> str:
    return chain.link(NONCE, person.chain_of(""), LINKS, n)


def test_the_keys_of_a_file_that_says_little() -> None:
    party = people()
    table = party[0].table
    document = party[0].write(Draft(orders=["left"])).document
    assert document == {
        "pbem": 2,
        "type": "turn",
        "game": table.charter.game_id,
        "seq": 1,
        "prev": table.charter.game_id,
        "player": "nowak",
        "link": link(party[0], 1),
        "state": table.engine.state_hash(),
        "orders": ["left"],
    }
    assert party[0].table.last == 0 and party[0].table.due.what == "orders", "the table itself is left alone"


def test_the_keys_of_a_file_that_says_everything() -> None:
    party = people()
    draft = Draft(
        orders=["left"],
        standing={"loss": ["foot"]},
        sealed_standing={"bid": ["x"]},
        note=["Good luck."],
        extra={"next_draws": "ab" * 32},
    )
    composed = party[0].write(draft)
    assert composed.document["note"] == ["Good luck."] and composed.document["next_draws"] == "ab" * 32
    assert composed.document["standing"] == {"loss": ["foot"]} and list(composed.document["standing_sealed"]) == ["bid"]
    assert composed.table.last == 1 and composed.table.due.what == "witness" and composed.hand.player == "nowak"


def test_dice_commitments_and_state_of_a_file_that_turns_dice() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    composed = party[2].write(Draft())
    table = composed.table
    assert composed.document["link"] == link(party[2], 1) and "orders" not in composed.document
    assert composed.document["commit"] == [{"draw": 0, "items": party_commitments(composed.table, party[2])}]
    send(party, Draft())
    send(party, Draft(orders=[2]))
    turned = party[0].write(Draft())
    ledger = turned.table.ledger
    assert turned.document["dice"] == [
        {"roll": 0, "label": "luck", "sides": 10, "dice": ledger.rolled[0].dice},
        {"roll": 1, "label": "more luck", "sides": 6, "dice": ledger.rolled[1].dice},
    ]
    assert turned.document["state"] == turned.table.engine.state_hash() and turned.document["link"] == link(party[0], 2)
    assert [c["draw"] for c in turned.document["commit"]] == [0] and table.last == 2


def party_commitments(table: Any, person: Person) -> list[str]:
    knowledge = person.knowledge()
    knowledge.ledger = table.ledger
    return knowledge.commitments(next(d for d in table.ledger.draws if d.player == person.name))


def test_a_secret_order_is_sealed_by_itself_with_its_salt() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft())
    composed = party[2].write(Draft(orders=[2]))
    (sealed,) = composed.document["orders"]
    ((handle, kept),) = composed.sealed.items()
    assert handle == "blue:seal3:0" and kept["order"] == 2
    key = key_bytes(party[2].record.key)
    assert sealed == {"sealed": seals.seal(party[0].table.charter.game_id, key, 3, 0, bytes.fromhex(kept["salt"]), 2)}
    again = party[2].write(Draft(orders=[{"seal": 2, "seat": "blue"}]))
    assert [*again.sealed] == ["blue:seal3:0"] and [*again.document["orders"][0]] == ["sealed"]


def test_eight_clauses_of_a_kind_are_sealed_and_numbered_behind_the_orders() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft())
    composed = party[2].write(Draft(orders=[1], sealed_standing={"pause": ["go"], "bid": [1, {"do": 2, "when": "round = 1"}]}))
    assert [*composed.sealed] == ["blue:seal3:0", *(f"yamada:seal3:{i}" for i in range(1, 17))]
    orders = [kept["order"] for kept in composed.sealed.values()]
    assert orders == [1, {"do": 1}, {"do": 2, "when": "round = 1"}, *[None] * 6, {"do": "go"}, *[None] * 7]
    written = composed.document["standing_sealed"]
    assert list(written) == ["bid", "pause"] and [len(v) for v in written.values()] == [8, 8]
    game, key = party[0].table.charter.game_id, key_bytes(party[2].record.key)
    kept = composed.sealed["yamada:seal3:2"]
    assert written["bid"][1] == seals.seal(game, key, 3, 2, bytes.fromhex(kept["salt"]), kept["order"])
    held = {s.kind: s for s in composed.table.ledger.standing}
    assert held["pause"].seals == [f"yamada:seal3:{i}" for i in range(9, 17)]
    assert {(s.number, s.kind) for h, s in composed.table.ledger.seals.items() if h in held["bid"].seals} == {
        (i, "bid") for i in range(1, 9)
    }


def test_a_clause_may_show_its_scope() -> None:
    clause = {"do": "foot", "scope": "hill", "show": "scope"}
    party = people()
    composed = party[0].write(Draft(orders=["left"], sealed_standing={"loss": [clause]}))
    written = composed.document["standing_sealed"]["loss"]
    assert [w["scope"] for w in written] == ["hill"] * 8 and {*written[0]} == {"seal", "scope"}
    assert composed.sealed["nowak:seal1:0"]["order"] == {"do": "foot", "scope": "hill"}
    (held,) = composed.table.ledger.standing
    assert held.scopes == ["hill"] * 8
    mixed = (
        party[0].write(Draft(orders=["left"], sealed_standing={"loss": [clause, "horse"]})).document["standing_sealed"]["loss"]
    )
    assert mixed[0]["scope"] == "hill" and all(isinstance(seal, str) for seal in mixed[1:])
    assert party[0].table.ledger.standing == []


@pytest.mark.parametrize(
    ("clauses", "why"),
    [
        ([{"do": 1, "show": "all", "scope": "x"}], "cannot be read: loss: show 'all'; show: scope, beside a scope, in games"),
        (
            [{"do": 1, "show": "scope"}],
            "cannot be read: loss: show 'scope'; show: scope, beside a scope, in games of version 2",
        ),
        ([1] * 9, "cannot be read: loss: 9 sealed clauses; at most 8 of a kind"),
        ([{"do": 1, "when": "("}], "cannot be read: condition '(': a fact, a number or a word is missing"),
        ([{"do": 1, "odd": 2}], "cannot be read: standing order 'loss', clause 1: unknown key 'odd'"),
    ],
)
def test_clauses_that_cannot_be_sealed(clauses: Any, why: str) -> None:
    party = people()
    outcome, told = by_himself(lambda: party[0].write(Draft(orders=["left"], sealed_standing={"loss": clauses})))
    assert outcome is Outcome.REFUSED and told.startswith(why)


def test_what_is_sealed_for_another_seat_is_not_written() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft())
    found = problems(lambda: party[2].write(Draft(orders=[{"seal": 2, "seat": "red"}])))
    assert found == [Problem("cannot be read", msg("sealed for another seat than {partition}", partition="blue"), order=0)]


def test_an_illegal_secret_order_names_its_place() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft())
    (problem,) = problems(lambda: party[2].write(Draft(orders=[9])))
    assert problem == Problem("not allowed", "9 is not possible", "P0", "(0, 1, 2)", 0)


def test_openings_and_claims_are_written_by_themselves() -> None:
    party = people()
    for draft in (["left"], None, [2], None, ["foot"], [1], [2]):
        send(party, Draft(orders=draft) if draft else Draft())
    opened = send(party, Draft())["open"]
    assert [(o["handle"], o["order"]) for o in opened] == [("red:seal6:0", 1)] and [*opened[0]] == ["handle", "order", "salt"]
    (stated,) = send(party, Draft())["open"]
    assert stated["claim"] == 0 and isinstance(stated["value"], bool)
    (card,) = send(party, Draft())["open"]
    assert card["handle"] == "red:draw0:1" and card["item"] in ("ace", "king", "queen")

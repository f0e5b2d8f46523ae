"""The umpire as witness, whose link turns all dice, and as escrow, who shows a stalled player's link."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.protocol import chain, charter, escrow, strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft, Secrets, compose
from tests.toygame.party import NONCE, Person, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, due, refused, signed
from tests.toygame.test_seats import named, seat
from tests.toygame.test_skirmish import choose, disclosures, play


def with_umpire(role: str, **more: Any) -> list[Person]:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("smith", [])]
    found_game(GAME, party, {}, role=role, **more)
    return party


def deliver(party: list[Person], document: dict[str, Any]) -> None:
    for person in party:
        person.receive(strict_yaml.write_document(document))


def test_the_link_of_an_umpire_as_witness_turns_all_dice() -> None:
    party = with_umpire("witness")
    dice = random.Random(2)
    turned = 0
    while party[0].table.due.what != "nothing":
        if party[0].table.due.what == "witness":
            assert party[0].table.due.player == "smith"
        document = send(party, choose(due(party), dice))
        if document.get("dice"):
            turned += 1
            k = party[0].table.ledger.rolled[-1].source
            assert party[0].table.ledger.entries[k + 1].player == "smith"
    assert turned
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


# -- escrow ---------------------------------------------------------------------------------------------------------------


def stand_in(umpire: Person, **changes: Any) -> dict[str, Any]:
    """The file by which the umpire shows the link due, from the escrow in the charter."""
    table = umpire.table
    player = table.charter.player(table.due.player)
    text = table.charter.document["escrow"][player.name]
    secret = escrow.decrypt(umpire.escrow_private, NONCE, player.chain, player.chain_length, text)

    def link(n: int) -> str:
        return chain.link(NONCE, secret, player.chain_length, n)

    draft = Draft(extra={"signed_by": umpire.name})
    composed = compose(table, Secrets(player.name, link, {}), draft, umpire.fetch, umpire.salt)
    return umpire.sign({**composed.document, **changes})


def stalled(party: list[Person], seed: int = 5) -> Person:
    dice = random.Random(seed)
    while not (party[0].table.due.what == "witness" and due(party).write(Draft()).document.get("dice")):
        send(party, choose(due(party), dice))
    return due(party)


def test_the_umpire_breaks_a_stall_with_the_same_dice() -> None:
    party = with_umpire("escrow")
    player = stalled(party)
    own = player.write(Draft()).document
    document = stand_in(named(party, "smith"))
    assert document["dice"] == own["dice"] and document["link"] == own["link"]
    shown = party[0].table.ledger.chains[player.name].shown
    deliver(party, document)
    assert party[0].table.ledger.chains[player.name].shown == shown + 1
    late = refused(party, player.sign(own))
    assert late.outcome is Outcome.ALREADY_KNOWN and "dice are the same" in str(late)
    play(party, 4)
    assert party[0].table.result is not None
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_the_umpire_can_show_every_link_of_a_game_and_openings_and_claims_wait_for_their_owner() -> None:
    party = with_umpire("escrow")
    dice = random.Random(5)
    stood_in, owned = 0, []
    while party[0].table.due.what != "nothing":
        if party[0].table.due.what in ("witness", "start"):
            deliver(party, stand_in(named(party, "smith")))
            stood_in += 1
            owned.append(party[0].table.due.what)
        else:
            send(party, choose(due(party), dice))
    assert stood_in > 5 and "claim" in owned
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_decisions_stay_with_their_owner() -> None:
    party = with_umpire("escrow")
    writer = advance_to(party, "red", "march")
    document = signed(writer, Draft(orders=["halt"]))
    smith = named(party, "smith")
    assert refused(party, smith.sign({**document, "signed_by": "smith"})).outcome is Outcome.REFUSED


@pytest.mark.parametrize("more", [{"standing": {"loss": ["foot"]}}, {"commit": [{"draw": 0, "items": []}]}], ids=str)
def test_the_umpire_brings_nothing_but_the_link(more: dict[str, Any]) -> None:
    party = with_umpire("escrow")
    stalled(party)
    assert refused(party, stand_in(named(party, "smith"), **more)).outcome is Outcome.REFUSED


def test_nobody_else_signs_for_another() -> None:
    party = with_umpire("escrow")
    player = stalled(party)
    ally = next(p for p in party if p.seats and p is not player)
    document = {**player.write(Draft()).document, "signed_by": ally.name}
    assert refused(party, ally.sign(document)).outcome is Outcome.WRONG_KEY
    only_witness = with_umpire("witness")
    document = {**due(only_witness).write(Draft()).document, "signed_by": "smith"}
    assert refused(only_witness, named(only_witness, "smith").sign(document)).outcome is Outcome.WRONG_KEY


def test_the_escrow_opens_for_the_umpire_alone_and_for_its_tip_alone() -> None:
    one, umpire = Person("yamada", ["blue"]), Person("smith", [])
    text, tip = one.escrow("", umpire.escrow_public), one.record.chain
    assert escrow.decrypt(umpire.escrow_private, NONCE, tip, one.length, text) == one.chain_of("")
    for private, nonce, about, length in (
        (one.escrow_private, NONCE, tip, one.length),
        (umpire.escrow_private, "11" * 32, tip, one.length),
        (umpire.escrow_private, NONCE, "ab" * 32, one.length),
        (umpire.escrow_private, NONCE, tip, 511),
    ):
        with pytest.raises(ProtocolError) as caught:
            escrow.decrypt(private, nonce, about, length, text)
        assert caught.value.outcome is Outcome.BAD_OPENING


def test_an_escrow_of_another_chain_is_noticed() -> None:
    one, umpire = Person("yamada", ["blue"]), Person("smith", [])
    wrong = escrow.encrypt(umpire.escrow_public, NONCE, one.record.chain, one.length, bytes(32), "22" * 32)
    with pytest.raises(ProtocolError, match="another chain"):
        escrow.decrypt(umpire.escrow_private, NONCE, one.record.chain, one.length, wrong)


def test_a_point_of_small_order_gives_no_escrow_key() -> None:
    with pytest.raises(ValueError):
        escrow.encrypt("00" * 32, NONCE, "ab" * 32, 512, bytes(32), "22" * 32)


def test_the_umpire_signs_last_and_every_player_gives_an_escrow() -> None:
    one, two, smith = Person("yamada", ["blue"]), Person("nowak", ["red", "rust"]), Person("smith", [])
    draft = charter.new_draft("skirmish", "1st", 1, NONCE, {"name": "t", "hash": "00" * 32}, {}, GAME.seats)
    draft = charter.appoint(draft, smith.record, "escrow", smith.escrow_public)
    with pytest.raises(ProtocolError, match="escrow"):
        charter.join(draft, one.record, one.seats)
    for person in (one, two):
        draft = charter.join(draft, person.record, person.seats, person.escrow("", smith.escrow_public))
    with pytest.raises(ProtocolError, match="signs last"):
        charter.sign(draft, "smith", smith.private)
    for person in (one, two, smith):
        draft = charter.sign(draft, person.name, person.private)
    assert charter.verify(draft).escrow_key == smith.escrow_public


def test_a_renewed_chain_brings_its_escrow() -> None:
    party = with_umpire("escrow")
    writer = due(party)
    tip = writer.record_of("next").chain
    bare = {"tip": tip, "length": writer.length}
    with pytest.raises(ProtocolError, match="escrow"):
        writer.write(Draft(extra={"next_chain": bare}))
    text = writer.escrow("next", named(party, "smith").escrow_public)
    send(party, Draft(extra={"next_chain": {**bare, "escrow": text}}))
    assert party[0].table.ledger.chains[writer.name].next_tip == tip


# -- the umpire and lost keys -----------------------------------------------------------------------------------------------


def replacement(party: list[Person], player: Person) -> dict[str, Any]:
    smith = named(party, "smith")
    draft = seat(player, party[0].table.last + 2, escrow=player.escrow("second", smith.escrow_public), holder="Jones")
    return smith.sign(smith.write(draft).document)


def test_the_umpire_replaces_a_player_who_vanished() -> None:
    party = with_umpire("escrow", lost_keys="umpire")
    player = advance_to(party, "red", "march")
    deliver(party, replacement(party, player))
    assert party[0].table.ledger.keys[player.name] == player.record_of("second").key
    player.begin("second")
    play(party, 2)
    assert party[0].table.result is not None
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_the_umpire_replaces_nobody_unless_the_charter_says_so() -> None:
    party = with_umpire("escrow")
    player = advance_to(party, "red", "march")
    with pytest.raises(ProtocolError, match="only nowak himself"):
        replacement(party, player)

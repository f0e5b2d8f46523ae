"""The attack table of the protocol, tried on Skirmish: each cheat is refused or proved where the protocol says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim
from pbem.kernel.wording import english
from pbem.protocol import chain, charter, draws, ids, slips, strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import composing
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.ledger import DrawMade
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from tests.toygame.party import NONCE, Person, fixed, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_skirmish import choose, disclosures, people, play


def due(party: list[Person]) -> Person:
    return next(p for p in party if p.name == party[0].table.due.player)


def advance_to(party: list[Person], seat: str, kind: str, seed: int = 1) -> Person:
    """Play on until a question of this kind is put to a seat."""
    dice = random.Random(seed)
    for _ in range(200):
        request = party[0].table.engine.request
        if isinstance(request, Ask) and (request.seat, request.kind) == (seat, kind):
            return due(party)
        send(party, choose(due(party), dice))
    raise AssertionError("never asked")


def refused(party: list[Person], document: dict[str, Any]) -> ProtocolError | Refused:
    """Everybody else refuses the file, and nothing has changed."""
    receiver = next(p for p in party if p.name != document["player"])
    before = receiver.table.engine.state_hash(), len(receiver.table.ledger.entries)
    with pytest.raises((ProtocolError, Refused)) as caught:
        take(receiver.table, document, receiver.fetch)
    assert (receiver.table.engine.state_hash(), len(receiver.table.ledger.entries)) == before
    return caught.value


def signed(person: Person, draft: Draft, **changes: Any) -> dict[str, Any]:
    """A file of this person, changed after it was composed and signed as changed."""
    return person.sign({**person.write(draft).document, **changes})


def test_changed_after_signing() -> None:
    party = people()
    document = signed(due(party), Draft())
    assert refused(party, {**document, "note": ["another"]}).outcome is Outcome.BAD_SIGNATURE


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"game": "ab" * 32}, Outcome.FOREIGN_GAME),
        ({"seq": 9}, Outcome.WAITING),
        ({"prev": "ab" * 32}, Outcome.BAD_CHAIN),
        ({"link": "ab" * 32}, Outcome.BAD_CHAIN),
        ({"player": "yamada"}, Outcome.BAD_SIGNATURE),
        ({"player": "stranger"}, Outcome.WRONG_KEY),
        ({"surprise": 1}, Outcome.UNREADABLE),
    ],
    ids=str,
)
def test_wrong_header(change: dict[str, Any], outcome: Outcome) -> None:
    party = people()
    document = signed(due(party), Draft())
    document.update(change)
    writer = due(party)
    ordered = {k: v for k, v in document.items() if k != "signature"}
    again = {**ordered, "signature": document["signature"]} if "surprise" in change else writer.sign(ordered)
    assert refused(party, again).outcome is outcome


def test_a_skipped_link_is_noticed() -> None:
    party = people()
    writer = due(party)
    burnt = chain.link(NONCE, writer.chain_of(""), writer.length, 2)
    assert refused(party, signed(writer, Draft(), link=burnt)).outcome is Outcome.BAD_CHAIN


def test_invented_dice_are_noticed() -> None:
    party = people()
    dice = random.Random(3)
    for _ in range(60):
        writer = due(party)
        composed = writer.write(choose(writer, dice))
        if composed.document.get("dice"):
            wrong = [{**composed.document["dice"][0], "dice": [6] * len(composed.document["dice"][0]["dice"])}]
            if wrong != composed.document["dice"]:
                assert refused(party, writer.sign({**composed.document, "dice": wrong})).outcome is Outcome.BAD_DICE
                return
        writer.sealed.update(composed.sealed)
        text = strict_yaml.write_document(writer.sign(composed.document))
        for person in party:
            person.receive(text)
    raise AssertionError("no dice fell")


def test_another_state_is_noticed() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    assert refused(party, signed(writer, Draft(orders=["halt"]), state="ab" * 32)).outcome is Outcome.DIVERGED


def test_dice_do_not_depend_on_what_the_witness_can_vary() -> None:
    """Rule 3: neither note nor signature of the answering file moves a die."""
    party = people()
    dice = random.Random(5)
    while not (due(party).table.due.what == "witness" and due(party).write(Draft()).document.get("dice")):
        send(party, choose(due(party), dice))
    writer = due(party)
    made = [writer.write(Draft(note=[note])).document["dice"] for note in ("a", "b", "c")]
    assert made[0] and made[0] == made[1] == made[2]


def test_orders_stop_at_the_dice() -> None:
    """Rule 1: what is left over after the dice come in is an error that says where the engine stopped."""
    party = people()
    writer = advance_to(party, "red", "march")
    receiver = advance_to(party, "red", "march")
    assert writer is receiver
    with pytest.raises(Refused, match="left over"):
        writer.write(Draft(orders=["go", "go", "go"]))


def test_all_mistakes_of_a_file_are_reported_at_once() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    with pytest.raises(Refused) as caught:
        writer.write(Draft(orders=["run", "fly", "halt"]))
    assert [p.order for p in caught.value.problems] == [0, 1]


def test_a_file_that_brings_nothing_is_refused() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    assert refused(party, signed(writer, Draft(), orders=[])).outcome is Outcome.REFUSED


def test_a_resent_file_is_known_and_a_second_one_is_proof() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    one, two = signed(writer, Draft(orders=["go"])), signed(writer, Draft(orders=["halt"]))
    for person in party:
        person.receive(strict_yaml.write_document(one))
    assert refused(party, one).outcome is Outcome.ALREADY_KNOWN
    assert refused(party, two).outcome is Outcome.EQUIVOCATION
    slips.check_equivocation(one, two, party[0].table.ledger.keys[writer.name])
    with pytest.raises(ProtocolError):
        slips.check_equivocation(one, one, party[0].table.ledger.keys[writer.name])


def test_commitments_are_owed() -> None:
    party = people()
    dice = random.Random(1)
    for _ in range(60):
        writer = due(party)
        composed = writer.write(choose(writer, dice))
        if composed.document.get("commit"):
            without = {k: v for k, v in composed.document.items() if k != "commit"}
            assert refused(party, writer.sign(without)).outcome is Outcome.BAD_OPENING
            return
        writer.sealed.update(composed.sealed)
        for person in party:
            person.receive(strict_yaml.write_document(writer.sign(composed.document)))
    raise AssertionError("nothing was drawn")


def test_a_card_never_drawn_cannot_be_opened() -> None:
    party = people()
    writer = advance_to(party, "red", "card")
    held = party[0].table.engine.state.hand
    composed = writer.write(Draft(orders=[{"play": held[0]}]))
    entry = dict(composed.document["open"][0])
    entry["item"] = "storm" if entry["item"] != "storm" else "ruse"
    assert refused(party, writer.sign({**composed.document, "open": [entry]})).outcome is Outcome.BAD_OPENING


def test_a_swapped_card_is_proved_by_the_audit() -> None:
    """Red commits to other cards than he drew: the opening fits his commitment, the audit does not."""
    party = people()
    dice = random.Random(2)
    original = composing._knowledge

    class Lying(Knowledge):
        def items(self, made: DrawMade) -> list[Plain]:
            return ["charge"] * (1 if made.sides else made.count) if self.player == "nowak" else super().items(made)

    def lying(table: Table, secrets: Secrets, sealed: Any) -> Knowledge:
        return Lying(secrets.player, secrets.draw_secrets, sealed, table.ledger, table.charter.game_id)

    composing._knowledge = lying
    try:
        while party[0].table.due.what != "nothing":
            send(party, choose(due(party), dice))
    finally:
        composing._knowledge = original
    finding = audit(party[0].table, disclosures(party), party[0].fetch)
    assert finding is not None
    assert finding.player == "nowak" and "other items" in english(finding.what)


def test_a_false_claim_is_proved_by_the_audit_with_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    party = people()
    dice = random.Random(4)
    lies: dict[int, int] = {}
    honest = Knowledge.claim

    def claim(self: Knowledge, n: int, request: Claim) -> Any:
        entry: Any = honest(self, n, request)
        if type(entry["value"]) is int and (not lies or n in lies):
            lies[n] = len(self.ledger.entries) - 1
            return {**entry, "value": 6 if entry["value"] < 4 else 1}
        return entry

    monkeypatch.setattr(Knowledge, "claim", claim)
    while party[0].table.due.what != "nothing":
        send(party, choose(due(party), dice))
    finding = audit(party[0].table, disclosures(party), party[0].fetch)
    assert finding is not None and [finding.seq] == [*lies.values()] and finding.player == "yamada"


def test_a_misstatement_that_the_rules_allow_is_no_lie() -> None:
    from tests.toygame.skirmish import _within_one

    assert _within_one(3, 4) and not _within_one(3, 5)


def test_who_refuses_the_audit_is_named() -> None:
    party = people()
    play(party, 0)
    shown = [d for d in disclosures(party) if d.player != "nowak"]
    finding = audit(party[0].table, shown, party[0].fetch)
    assert finding is not None and finding.player == "nowak" and "does not show" in english(finding.what)


def test_a_seal_opened_otherwise_is_refused() -> None:
    party = people()
    dice = random.Random(7)
    for _ in range(80):
        writer = due(party)
        composed = writer.write(choose(writer, dice))
        sealed = [e for e in composed.document.get("open") or [] if "order" in e]
        if sealed:
            wrong = [{**e, "order": 5 if e["order"] != 5 else 4} if "order" in e else e for e in composed.document["open"]]
            assert refused(party, writer.sign({**composed.document, "open": wrong})).outcome is Outcome.BAD_OPENING
            return
        writer.sealed.update(composed.sealed)
        for person in party:
            person.receive(strict_yaml.write_document(writer.sign(composed.document)))
    raise AssertionError("nothing was sealed")


def test_the_witness_is_on_the_other_side() -> None:
    party = people()
    dice = random.Random(8)
    seen = 0
    while party[0].table.due.what != "nothing":
        table = party[0].table
        if table.due.what == "witness":
            signer = table.ledger.entries[table.ledger.source].player
            assert table.side_of(signer) != table.side_of(table.due.player)
            seen += 1
        send(party, choose(due(party), dice))
    assert seen


def test_no_die_comes_from_the_charter() -> None:
    party = people()
    assert party[0].table.due.what == "start" and party[0].table.due.player == "nowak"


def test_standing_orders_hold_as_they_stood_before_the_seed() -> None:
    """A standing order in the file that turns the dice does not count for those dice (rule 1)."""
    party = people()
    blue = next(p for p in party if p.name == "yamada")
    advance_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    assert party[0].table.due.player == "yamada" and party[0].table.due.what == "orders"
    send(party, Draft(orders=["stop"], standing={"loss": ["foot"]}))
    while party[0].table.due.what == "witness":
        send(party, Draft(standing={"loss": ["horse"]}))
    assert blue.table.ledger.rolled
    losses = party[0].table.engine.state.losses
    assert "red horse" not in losses, "the witness's own new standing order answered while its seed was open"


def test_copied_tips_keys_and_roots_are_refused() -> None:
    one, two = Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])
    for field in ("key", "chain", "draws"):
        draft = charter.new_draft("skirmish", "1st", 1, NONCE, {"name": "t", "hash": "00" * 32}, {}, GAME.seats)
        draft = charter.join(draft, one.record, one.seats)
        copied = charter.Player(**{**_plain(two.record), field: getattr(one.record, field)})
        with pytest.raises(ProtocolError, match="same"):
            charter.join(draft, copied, two.seats)


def _plain(record: charter.Player) -> dict[str, Any]:
    return {name: getattr(record, name) for name in ("name", "key", "chain", "chain_length", "draws")}


def test_one_player_cannot_hold_both_sides() -> None:
    draft = charter.new_draft("skirmish", "1st", 1, NONCE, {"name": "t", "hash": "00" * 32}, {}, GAME.seats)
    with pytest.raises(ProtocolError, match="both sides"):
        charter.join(draft, Person("yamada", []).record, ["red", "blue"])


def test_an_unsigned_charter_is_refused() -> None:
    party = people()
    document = dict(party[0].log[0])
    document["signatures"] = {k: v for k, v in document["signatures"].items() if k != "dubois"}
    with pytest.raises(ProtocolError, match="has not signed"):
        charter.verify(document)


# -- undo, draw, resignation ----------------------------------------------------------------------------------------------


def test_an_undo_gives_the_place_back_and_keeps_dice_and_links() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    before = party[0].table.engine.state_hash()
    taken_back = party[0].table.last + 1
    send(party, Draft(orders=["go"]))
    assert party[0].table.due.player == "yamada"
    shown = party[0].table.ledger.chains["nowak"].shown
    send(party, Draft(type="undo", extra={"to": taken_back}))
    offer = party[0].table.ledger.offer
    assert offer is not None and party[0].table.due.what == "accept"
    while party[0].table.ledger.offer is not None:
        send(party, Draft(type="accept", extra={"accepts": offer.id}))
    assert party[0].table.engine.state_hash() == before
    assert party[0].table.due.player == writer.name
    assert party[0].table.ledger.chains["nowak"].shown == shown + 1
    play(party, 3)
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_a_declined_undo_changes_nothing() -> None:
    party = people()
    advance_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    before = party[0].table.engine.state_hash()
    send(party, Draft(type="undo", extra={"to": party[0].table.last}))
    send(party, Draft(type="decline"))
    assert party[0].table.engine.state_hash() == before and party[0].table.due.player == "yamada"


def test_an_offer_needs_the_player_to_act_and_no_dice_to_come() -> None:
    party = people()
    dice = random.Random(5)
    while due(party).table.due.what != "witness":
        send(party, choose(due(party), dice))
    with pytest.raises(ProtocolError, match=r"no dice to come|orders to give"):
        due(party).write(Draft(type="offer", extra={"offer": {"draw": True}}))


def test_an_agreed_draw_ends_the_game() -> None:
    party = people()
    advance_to(party, "red", "march")
    send(party, Draft(type="offer", extra={"offer": {"draw": True}}))
    offer = party[0].table.ledger.offer
    assert offer is not None
    while party[0].table.ledger.offer is not None:
        send(party, Draft(type="accept", extra={"accepts": offer.id}))
    result = party[0].table.result
    assert result is not None and result.winner is None


def test_a_whole_side_that_resigns_has_lost() -> None:
    party = people()
    table = party[0].table
    table.ledger.resigned = ["nowak"]
    assert table.result is None
    table.ledger.resigned = ["nowak", "dubois"]
    result = table.result
    assert result is not None and result.winner == "axis"


def test_slips_are_signed_and_name_game_and_head() -> None:
    person = people()[0]
    slip = slips.make("resignation", "ab" * 32, "cd" * 32, person.name, {"seats": ["blue"]})
    made = slips.sign(slip, person.private)
    slips.verify(made, person.record.key)
    with pytest.raises(ProtocolError):
        slips.verify({**made, "seats": ["red"]}, person.record.key)
    with pytest.raises(ProtocolError, match="unknown key"):
        slips.verify({**made, "extra": 1}, person.record.key)


# -- chains and draw keys ---------------------------------------------------------------------------------------------------


def test_a_short_chain_must_be_renewed_and_the_renewal_takes_over() -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    for person in party:
        person.length = 66
    found_game(GAME, party, {})
    send(party, Draft())
    second = due(party)
    spare = {p.name: fixed(p.name, "next chain") for p in party}
    for _ in range(2):
        writer = due(party)
        draft = choose(writer, random.Random(1))
        send(party, draft)
        assert writer is not None and second is not None
    while True:
        writer = due(party)
        draft = choose(writer, random.Random(1))
        if party[0].table.ledger.chains[writer.name].left <= 64:
            with pytest.raises(ProtocolError, match="next_chain"):
                writer.write(draft)
            tip = chain.tip(NONCE, spare[writer.name], 512)
            draft.extra = {"next_chain": {"tip": tip, "length": 512}}
            send(party, draft)
            assert party[0].table.ledger.chains[writer.name].next_tip == tip
            return
        send(party, draft)


def test_merkle_paths_have_exactly_ten_steps_and_fit_one_key() -> None:
    master = fixed("x")
    root = draws.root(NONCE, master)
    for j in (0, 1, 511, 1023):
        secret, path = draws.draw_secret(master, j), draws.path(NONCE, master, j)
        assert draws.verify_key(root, NONCE, j, secret, path)
        assert not draws.verify_key(root, NONCE, j, secret, path[:9])
        assert not draws.verify_key(root, NONCE, j, draws.draw_secret(master, j ^ 1), path)
        assert not draws.verify_key(root, "11" * 32, j, secret, path)


def test_ids_leave_out_the_signature_only() -> None:
    document = {"type": "turn", "a": 1, "signature": "x"}
    assert ids.document_id(document) == ids.document_id({**document, "signature": "y"})
    assert ids.document_id(document) != ids.document_id({**document, "a": 2})

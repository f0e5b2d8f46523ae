"""Change of key and of player: `seat` files, who may sign them, from which file they hold, what the old key is worth."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.kernel.wording import english
from pbem.protocol import chain, draws
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.ledger import DrawTree
from tests.toygame.party import NONCE, Person, fixed, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, due, refused, signed
from tests.toygame.test_skirmish import choose, disclosures, people, play


def named(party: list[Person], name: str) -> Person:
    return next(p for p in party if p.name == name)


def seat(person: Person, start: int, life: str = "second", **changes: Any) -> Draft:
    """A seat file that gives this person's place a new key, chain and draw root."""
    new = person.record_of(life)
    record = {"player": person.name, "key": new.key, "chain": new.chain, "chain_length": new.chain_length, "draws": new.draws}
    return Draft(type="seat", extra={"seat": {**record, "from": start, **changes}})


def agree(party: list[Person]) -> None:
    while (offer := party[0].table.ledger.offer) is not None:
        send(party, Draft(type="accept", extra={"accepts": offer.id}))


def test_the_old_key_signs_the_new_one_and_is_dead_afterwards() -> None:
    party = people()
    nowak = advance_to(party, "red", "march")
    send(party, seat(nowak, party[0].table.last + 4, holder="Jones"))
    agree(party)
    ledger = party[0].table.ledger
    assert ledger.keys["nowak"] == nowak.record_of("second").key and ledger.held[-1].holder == "Jones"
    assert due(party) is nowak
    composed = None
    nowak.begin("second")
    composed = nowak.write(Draft(orders=["halt"]))
    nowak.private = nowak.key_of("")
    error = refused(party, nowak.sign(composed.document))
    assert error.outcome is Outcome.WRONG_KEY and "does not hold" in str(error)
    nowak.private = nowak.key_of("second")
    old_link = chain.link(NONCE, nowak.chain_of(""), nowak.length, 3)
    assert refused(party, signed(nowak, Draft(orders=["halt"]), link=old_link)).outcome is Outcome.BAD_CHAIN
    play(party, 3)
    assert party[0].table.result is not None
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_a_stranger_s_signature_is_a_bad_signature_not_an_old_key() -> None:
    party = people()
    nowak = advance_to(party, "red", "march")
    document = signed(nowak, Draft(orders=["halt"]))
    document["signature"] = named(party, "yamada").sign({**document})["signature"]
    assert refused(party, document).outcome is Outcome.BAD_SIGNATURE


def test_draws_before_the_change_stay_due_at_the_audit() -> None:
    party = people()
    nowak = advance_to(party, "red", "march")
    before = [d.j for d in party[0].table.ledger.draws if d.player == "nowak"]
    send(party, seat(nowak, party[0].table.last + 4))
    agree(party)
    nowak.begin("second")
    play(party, 1)
    shown = disclosures(party)
    assert before and audit(party[0].table, shown, party[0].fetch) is None
    for disclosure in shown:
        if disclosure.player == "nowak":
            del disclosure.secrets[before[0]]  # type: ignore[attr-defined]
    finding = audit(party[0].table, shown, party[0].fetch)
    assert finding is not None and finding.player == "nowak" and f"key of draw {before[0]}" in english(finding.what)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"from": 2}, "holds from file"),
        ({"player": "stranger"}, "holds no seat"),
        ({"player": "yamada"}, "only yamada himself"),
    ],
    ids=str,
)
def test_a_seat_file_must_say_what_the_log_says(changes: dict[str, Any], said: str) -> None:
    party = people()
    nowak = advance_to(party, "red", "march")
    waiting = 1 if changes.get("player") == "yamada" else 2
    with pytest.raises(ProtocolError, match=said):
        nowak.write(seat(nowak, party[0].table.last + 2 + waiting, **changes))


def test_copied_keys_tips_and_roots_are_refused_in_seat_files_too() -> None:
    party = people()
    nowak, yamada = advance_to(party, "red", "march"), named(party, "yamada").record
    for name, value in (("key", yamada.key), ("chain", yamada.chain), ("draws", yamada.draws)):
        with pytest.raises(ProtocolError, match="copied"):
            nowak.write(seat(nowak, party[0].table.last + 4, **{name: value}))


def test_a_declined_change_changes_nothing() -> None:
    party = people()
    nowak = advance_to(party, "red", "march")
    send(party, seat(nowak, party[0].table.last + 4))
    send(party, Draft(type="decline"))
    assert party[0].table.ledger.keys["nowak"] == nowak.record.key
    send(party, Draft(orders=["halt"]))


def test_an_ally_replaces_a_lost_key_where_the_charter_lets_the_others_agree() -> None:
    party = people(lost_keys="others")
    nowak, dubois = advance_to(party, "red", "march"), named(party, "dubois")
    document = dubois.sign(dubois.write(seat(nowak, party[0].table.last + 3)).document)
    for person in party:
        person.receive(_text(document))
    assert due(party).name == "yamada", "the opponent has to agree; who lost his key is not asked"
    agree(party)
    nowak.begin("second")
    assert due(party) is nowak
    play(party, 2)
    assert party[0].table.result is not None


def _text(document: dict[str, Any]) -> str:
    from pbem.protocol import strict_yaml

    return strict_yaml.write_document(document)


def test_an_ally_cannot_where_the_charter_does_not_say_so() -> None:
    party = people()
    nowak, dubois = advance_to(party, "red", "march"), named(party, "dubois")
    with pytest.raises(ProtocolError, match="only nowak himself"):
        dubois.write(seat(nowak, party[0].table.last + 3))


def test_an_opponent_never_takes_a_seat_over() -> None:
    party = people(lost_keys="others")
    nowak, yamada = advance_to(party, "red", "march"), named(party, "yamada")
    with pytest.raises(ProtocolError, match="only nowak himself"):
        yamada.write(seat(nowak, party[0].table.last + 3))


def test_an_ally_cannot_step_in_while_dice_are_due() -> None:
    """Two allies must not pick which of them turns the dice."""
    party = people(lost_keys="others")
    dice = random.Random(3)
    while (party[0].table.due.what, party[0].table.due.player) != ("witness", "nowak"):
        send(party, choose(due(party), dice))
    nowak, dubois = named(party, "nowak"), named(party, "dubois")
    offered = seat(nowak, party[0].table.last + 3)
    witness = nowak.write(Draft()).document
    header = {k: witness[k] for k in ("pbem", "game", "seq", "prev", "state")}
    document = dubois.sign({**header, **offered.extra, "type": "seat", "player": "dubois", "link": dubois.secrets().link(1)})
    assert refused(party, document).outcome is Outcome.WRONG_KEY


# -- draw keys beyond 1024 ------------------------------------------------------------------------------------------------


def nearly_used_up(count: int) -> list[Person]:
    """A game in which every player has only a few draw keys left: his tree began `count` draws ago."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(GAME, party, {})
    for person in party:
        person.table.ledger.draw_counts = {p.name: count for p in party}
    return party


def test_new_draw_keys_are_announced_in_time_and_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    party = nearly_used_up(draws.LEAVES - 2)
    first = due(party)
    with pytest.raises(ProtocolError, match="next_draws"):
        first.write(Draft())
    dice = random.Random(4)
    announced: set[str] = set()
    while party[0].table.due.what != "nothing":
        writer = due(party)
        draft = choose(writer, dice)
        if writer.name not in announced:
            announced.add(writer.name)
            writer.lives.insert(0, "later")
            draft.extra = {"next_draws": draws.root(NONCE, writer.master_of("later"))}
        send(party, draft)
    made = [d.j for d in party[0].table.ledger.draws]
    assert min(made) < draws.LEAVES <= max(made)
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def test_new_draw_keys_serve_no_seed_that_was_known_when_they_were_made() -> None:
    party = nearly_used_up(0)
    ledger = party[0].table.ledger
    ledger.trees.append(DrawTree("nowak", "ab" * 32, draws.LEAVES, 7))
    assert ledger.tree_of("nowak", draws.LEAVES, 6) is None
    assert ledger.tree_of("nowak", draws.LEAVES, 7) is ledger.trees[-1]
    assert ledger.tree_of("nowak", draws.LEAVES - 1, 9) is ledger.trees[1]


def test_without_draw_keys_the_player_owes_new_ones_before_any_die() -> None:
    party = nearly_used_up(draws.LEAVES)
    asked: list[str] = []
    dice = random.Random(4)
    for _ in range(12):
        writer = due(party)
        draft = choose(writer, dice) if party[0].table.due.what != "draws" else Draft()
        asked.append(party[0].table.due.what)
        if party[0].table.ledger.draw_keys_left(writer.name) <= 0:
            writer.lives.insert(0, "later")
            draft.extra = {"next_draws": draws.root(NONCE, writer.master_of("later"))}
        send(party, draft)
    assert party[0].table.ledger.draws and party[0].table.ledger.draws[0].j == draws.LEAVES
    assert audit_of_draws(party)


def audit_of_draws(party: list[Person]) -> bool:
    ledger = party[0].table.ledger
    return all((tree := ledger.tree_of(d.player, d.j, d.source)) and tree.since <= d.source for d in ledger.draws)


def test_new_draw_keys_are_announced_once_and_never_copied() -> None:
    party = nearly_used_up(0)
    writer = due(party)
    root = draws.root(NONCE, writer.master_of("later"))
    with pytest.raises(ProtocolError, match="copied"):
        writer.write(Draft(extra={"next_draws": writer.record.draws}))
    send(party, Draft(extra={"next_draws": root}))
    again = draws.root(NONCE, fixed("again"))
    while due(party) is not writer:
        send(party, choose(due(party), random.Random(1)))
    with pytest.raises(ProtocolError, match="announced next draw keys already"):
        writer.write(Draft(choose(writer, random.Random(1)).orders, extra={"next_draws": again}))

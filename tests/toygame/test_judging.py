"""A whole game judged from its documents alone: each verdict, whatever else lies among them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.wording import english
from pbem.protocol import charter, slips
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.runtime.audit import disclose
from pbem.runtime.composing import Draft
from pbem.runtime.evidence import Item
from pbem.runtime.judging import judge
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.verdicts import Judgement
from tests.toygame import skirmish
from tests.toygame.party import Person, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, due, signed
from tests.toygame.test_rules_versions import ONE, TWO, founded_under, offer
from tests.toygame.test_seats import agree, named, seat
from tests.toygame.test_skirmish import choose, people, play
from tests.toygame.test_slips import refusal, refused_twice, slip
from tests.toygame.test_umpire import stalled, stand_in, with_umpire


def rules(read: charter.Charter, module: Any = GAME) -> tuple[Module, Plain]:
    return module, None


def items(documents: Sequence[Any]) -> list[Item]:
    return [(f"document {n}", document) for n, document in enumerate(documents)]


def verdict(*documents: Any, module: Any = GAME) -> Judgement:
    """The same whatever the order and however often a document is there."""
    found = judge(items(documents), lambda read: rules(read, module))
    mixed = [*documents, *documents[:5]]
    random.Random(len(mixed)).shuffle(mixed)
    again = judge(items(mixed), lambda read: rules(read, module))
    assert (found.word, found.fault.seq, found.fault.player) == (again.word, again.fault.seq, again.fault.player)
    return found


def told(found: Judgement) -> tuple[str, int | None, str]:
    """The verdict, its file and its player."""
    return found.word, found.fault.seq, found.fault.player


def log(party: list[Person]) -> list[Any]:
    return [*party[0].log]


def audits(party: list[Person]) -> list[Any]:
    return [slip(p, "audit", disclose(p.table, p.knowledge(), p.draw_keys())) for p in party]


# -- nothing is wrong ---------------------------------------------------------------------------------------------------


def test_a_running_game_names_who_is_due_with_what_on_which_head() -> None:
    party = people()
    advance_to(party, "red", "march")
    found = verdict(*log(party))
    assert found.word == "due" and found.fault.outcome.code == 3
    assert [(d.player, d.what, d.rule) for d in found.due] == [("nowak", "orders", "S5")]
    assert (found.last, found.head) == (party[0].table.last, party[0].table.ledger.entries[-1].id)


def test_a_game_that_is_over_waits_for_its_audits_by_name_and_is_valid_then() -> None:
    party = people()
    play(party, 3)
    waiting = verdict(*log(party), *audits(party)[:1])
    assert waiting.word == "due" and [(d.player, d.what) for d in waiting.due] == [("dubois", "audit"), ("nowak", "audit")]
    found = verdict(*log(party), *audits(party))
    assert (found.word, found.fault.outcome.code, found.due) == ("valid", 0, [])
    assert found.result is not None and found.result.winner in ("axis", "allies")


def test_undo_key_change_and_umpire_are_part_of_a_valid_game() -> None:
    party = with_umpire("escrow")
    player = stalled(party)
    late = player.sign(player.write(Draft()).document)
    document = stand_in(named(party, "smith"))
    for person in party:
        person.receive(_text(document))
    writer = advance_to(party, "red", "march")
    send(party, Draft(orders=["halt"]))
    sent = party[0].table.last
    while party[0].table.due.what != "orders" or party[0].table.due.player != "nowak":
        send(party, choose(due(party), random.Random(1)))
    send(party, Draft(type="undo", extra={"to": sent}))
    agree(party)
    send(party, seat(writer, party[0].table.last + 4, escrow=writer.escrow("second", named(party, "smith").escrow_public)))
    agree(party)
    writer.begin("second")
    play(party, 3)
    assert party[0].table.ledger.voided and len(party[0].table.ledger.held) == 5
    found = verdict(*log(party), late, *audits(party))
    assert found.word == "valid"
    assert [r.outcome for r in found.aside] == [Outcome.ALREADY_KNOWN]  # the player's own late file, with the same link


def _text(document: dict[str, Any]) -> str:
    from pbem.protocol.strict_yaml import write_document

    return write_document(document)


def test_files_left_out_at_the_end_can_only_be_told_as_due() -> None:
    party = people()
    advance_to(party, "red", "march")
    documents = log(party)
    found = verdict(*documents[:-1])
    assert found.word == "due" and found.last == len(documents) - 2
    assert found.due[0].player == documents[-1]["player"]


# -- faults of a file ---------------------------------------------------------------------------------------------------


def composed(match: Callable[[dict[str, Any]], bool], seed: int) -> tuple[list[Person], Person, dict[str, Any]]:
    """A game just before a file for which `match` holds, its writer, and that file, not signed yet."""
    party, dice = people(), random.Random(seed)
    for _ in range(200):
        writer = due(party)
        draft = choose(writer, dice)
        made = writer.write(draft)
        if match(made.document):
            return party, writer, made.document
        send(party, draft)
    raise AssertionError("no such file")


def test_wrong_dice_are_named_by_file_and_roll() -> None:
    party, writer, document = composed(lambda d: len(d.get("dice") or []) > 1, 5)
    second = document["dice"][1]
    wrong = {**second, "dice": [1 + n % 6 for n in second["dice"]]}
    file = writer.sign({**document, "dice": [document["dice"][0], wrong, *document["dice"][2:]]})
    found = verdict(*log(party), file)
    assert told(found) == ("wrong dice", file["seq"], writer.name)
    assert (found.fault.roll, found.fault.outcome.code, found.last) == (1, 16, file["seq"] - 1)


def test_an_order_against_the_rules_is_named_with_file_player_and_section() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    file = signed(writer, Draft(orders=["halt"]), orders=["gallop"])
    found = verdict(*log(party), file)
    assert told(found) == ("rule broken", file["seq"], "nowak")
    assert (found.fault.outcome, found.fault.section) == (Outcome.REFUSED, "S5") and "gallop" in english(found.fault.reason)


def test_a_false_opening_is_a_bad_opening() -> None:
    party, writer, document = composed(lambda d: any("order" in e for e in d.get("open") or []), 7)
    wrong = [{**e, "order": 5 if e["order"] != 5 else 4} if "order" in e else e for e in document["open"]]
    file = writer.sign({**document, "open": wrong})
    found = verdict(*log(party), file)
    assert told(found) == ("bad opening", file["seq"], writer.name) and found.fault.outcome.code == 13


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [({"link": "ab" * 32}, Outcome.BAD_CHAIN), ({"player": "dubois"}, Outcome.WRONG_KEY)],
    ids=str,
)
def test_a_rule_of_the_protocol_is_broken_by_the_word_of_the_fault(changes: dict[str, Any], outcome: Outcome) -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    signer = named(party, changes.get("player", "nowak"))
    file = signer.sign({**writer.write(Draft(orders=["halt"])).document, **changes})
    found = verdict(*log(party), file)
    assert told(found) == ("rule broken", file["seq"], signer.name) and found.fault.outcome is outcome
    assert found.fault.section.startswith("protocol ")


def test_a_lie_is_found_when_the_game_is_over_and_all_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def boast(self: Knowledge, n: int, request: Any) -> Plain:
        return {"claim": n, "value": 6 if request.truth(self.reveal) in (1, 2, 3) else 1}

    party = people()
    with monkeypatch.context() as cheating:
        cheating.setattr(Knowledge, "claim", boast)
        play(party, 3)
    shown = audits(party)
    assert verdict(*log(party), *shown[:2]).word == "due"
    found = verdict(*log(party), *shown)
    assert found.word == "lie" and found.fault.outcome.code == 14 and found.fault.player
    claim = party[0].table.ledger.claims[0]
    assert (found.fault.seq, found.fault.player) == (claim.seq, claim.player)


# -- programs differ ----------------------------------------------------------------------------------------------------


def test_programs_differ_from_the_file_whose_state_is_another() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    file = signed(writer, Draft(orders=["halt"]), state="ab" * 32)
    found = verdict(*log(party), file)
    assert told(found) == ("programs differ", file["seq"], "nowak") and found.fault.outcome.code == 11


def test_a_rules_version_that_is_not_here_is_judged_up_to_the_file_that_brings_it() -> None:
    party = founded_under(ONE, TWO)
    advance_to(party, "red", "march")
    offer(party, 2)
    agree(party)
    accepted = party[0].table.last
    play(party, 1)
    assert verdict(*log(party), *audits(party), module=TWO).word == "valid"
    found = verdict(*log(party), module=ONE)
    assert told(found)[:2] == ("programs differ", accepted) and "this program has 1" in english(found.fault.reason)
    none = verdict(*log(party), module=skirmish_of_version(7))
    assert told(none) == ("programs differ", 1, "") and none.last == 0 and none.table is None


def skirmish_of_version(number: int) -> Any:
    class Later(skirmish.Skirmish):
        rules_version = number

    return Later()


def test_a_program_that_fails_accuses_nobody() -> None:
    class Failing(skirmish.Skirmish):
        def result(self, state: Any) -> Any:
            return [][state.round] if state.at else super().result(state)

    party = people()
    advance_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    found = verdict(*log(party), module=Failing())
    assert told(found) == ("programs differ", party[0].table.last, "nowak") and "IndexError" in english(found.fault.reason)


def test_a_later_protocol_version_is_said_to_be_one() -> None:
    party = people()
    found = verdict({**party[0].log[0], "pbem": 3})
    assert found.word == "programs differ" and "protocol version 3" in english(found.fault.reason)


# -- refusals -----------------------------------------------------------------------------------------------------------


def test_a_file_refused_with_reason_and_replaced_is_void_and_the_game_goes_on() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    wrong = signed(writer, Draft(orders=["halt"]), orders=["gallop"])
    said = refusal(party[0], wrong)
    right = writer.sign(writer.write(Draft(orders=["halt"], extra={"replaces": document_id(wrong)}, slips=[said])).document)
    before = log(party)
    found = verdict(*before, wrong, said, right)
    assert (found.word, found.last, found.forks) == ("due", right["seq"], [])
    assert ["refused with reason and replaced" in english(r.reason) for r in found.aside] == [True]
    alone = verdict(*before, wrong, said)
    assert told(alone) == ("rule broken", wrong["seq"], "nowak")


def test_files_refused_one_after_the_other_are_void_and_no_fork() -> None:
    party = people()
    one, two, right = refused_twice(party)
    before = log(party)
    for documents in itertools.permutations([one, two, right]):
        found = verdict(*before, *documents)
        assert (found.word, found.head, found.forks) == ("due", document_id(right), [])
        told = {(r.where, english(r.reason).partition("(")[0]) for r in found.aside}
        assert {what for _, what in told} == {f"file {one['seq']} of nowak was refused with reason and replaced "}
        assert len(found.aside) == 2


def test_of_files_refused_one_after_the_other_each_must_be_at_fault() -> None:
    """Else an ally's refusal of a good file would be covered by a bad one that takes its place for a moment."""
    party = people()
    writer, dubois = advance_to(party, "red", "march"), named(party, "dubois")
    one, before = signed(writer, Draft(orders=["go"])), log(party)
    first = refusal(dubois, one)
    two = signed(writer, Draft(orders=["halt"]), state="ab" * 32, replaces=document_id(one), slips=[first])
    extra = {"replaces": document_id(two)}
    three = signed(writer, Draft(orders=["halt"], extra=extra, slips=[first, refusal(dubois, two)]))
    found = verdict(*before, one, two, three)
    assert told(found) == ("programs differ", one["seq"], "nowak") and found.head == document_id(before[-1])


def test_a_refused_file_that_is_not_here_hides_no_other_that_was_refused() -> None:
    party = people()
    writer, dubois = advance_to(party, "red", "march"), named(party, "dubois")
    lost, one = (signed(writer, Draft(orders=["go"], note=[note])) for note in ("lost", "here"))
    first, before = [refusal(dubois, lost), refusal(dubois, one)], log(party)
    two = signed(writer, Draft(orders=["halt"], extra={"replaces": document_id(one)}, slips=first))
    assert told(verdict(*before, one, two)) == ("programs differ", one["seq"], "nowak")


def test_an_own_refusal_is_no_reason_and_leaves_two_signed_files() -> None:
    """Nobody judges what the author alone has refused: it proves that he has signed twice."""
    party = people()
    writer, dubois = advance_to(party, "red", "march"), named(party, "dubois")
    own, wrong, before = (
        signed(writer, Draft(orders=["go"])),
        signed(writer, Draft(orders=["go"]), orders=["gallop"]),
        log(party),
    )
    slips = [refusal(writer, own), refusal(dubois, wrong)]
    two = signed(writer, Draft(orders=["halt"], extra={"replaces": document_id(wrong)}, slips=slips))
    found = verdict(*before, own, wrong, two)
    assert told(found) == ("signed twice", two["seq"], "nowak"), found
    assert found.head == document_id(two), "the log goes on with the file that took the place of the wrong one"


def test_versions_are_those_that_prove_it_whatever_else_lies_at_their_place() -> None:
    party = people()
    one, two, right = refused_twice(party)
    other = signed(due(party), Draft(orders=["go"], note=["another"]))
    for documents in itertools.permutations([one, two, right, other]):
        found = verdict(*log(party), *documents)
        assert told(found) == ("signed twice", right["seq"], "nowak")
        assert {name for name, _ in found.forks[0].versions} == {document_id(d) for d in (right, other)}


def test_a_valid_file_that_was_replaced_or_refused_means_that_programs_differ() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    one, before = signed(writer, Draft(orders=["go"])), log(party)
    said = refusal(named(party, "dubois"), one)
    two = signed(writer, Draft(orders=["halt"], extra={"replaces": document_id(one)}, slips=[said]))
    assert told(verdict(*before, one, two)) == ("programs differ", one["seq"], "nowak")
    found = verdict(*before, one, said)
    assert told(found) == ("programs differ", one["seq"], "nowak")
    assert "dubois refuses it" in english(found.fault.reason) and "finds it valid" in english(found.fault.reason)


def test_a_refusal_whose_author_has_gone_on_behind_the_file_is_settled() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    one = signed(writer, Draft(orders=["go"]))
    said = refusal(named(party, "yamada"), one)
    for person in party:
        person.receive(_text(one))
    while party[0].table.ledger.entries[-1].player != "yamada":
        send(party, choose(due(party), random.Random(1)))
    assert verdict(*log(party), said).word == "due"


# -- signed twice -------------------------------------------------------------------------------------------------------


def forked() -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    """The log before a fork, and nowak's two files."""
    party = people()
    writer = advance_to(party, "red", "march")
    return log(party), signed(writer, Draft(orders=["go"])), signed(writer, Draft(orders=["halt"], note=["again"]))


def test_two_files_at_one_place_are_signed_twice_wherever_the_second_lies() -> None:
    before, one, two = forked()
    found = verdict(*before, one, two)
    assert told(found) == ("signed twice", one["seq"], "nowak") and found.fault.outcome.code == 12
    assert {name for name, _ in found.forks[0].versions} == {document_id(one), document_id(two)}
    kept = {"pbem": 2, "type": "equivocation", "files": [one, two]}
    assert told(verdict(*before, one, kept)) == told(found)
    yamada = Person("yamada", ["blue"])
    content: dict[str, Any] = {"files": [one, two]}
    proof = slips.make("equivocation", before[1]["game"], document_id(one), "yamada", content)
    assert told(verdict(*before, one, slips.sign(proof, yamada.private))) == told(found)


def test_the_version_with_more_files_behind_it_is_played_and_both_are_told() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    second = signed(writer, Draft(orders=["halt"], note=["again"]))
    send(party, Draft(orders=["go"]))
    first = party[0].table.last
    play(party, 4)
    found = verdict(*log(party), second)
    assert told(found) == ("signed twice", first, "nowak")
    assert found.last == party[0].table.last and found.result is not None
    assert dict(found.forks[0].versions)[document_id(second)] == 0


def test_a_fork_is_proved_where_the_rules_are_not_here() -> None:
    before, one, two = forked()
    found = verdict(*before, one, two, module=skirmish_of_version(7))
    assert told(found) == ("signed twice", one["seq"], "nowak")


def test_an_earlier_fault_comes_before_a_later_fork_and_the_other_way_round() -> None:
    party = people()
    writer = advance_to(party, "red", "march")
    wrong = signed(writer, Draft(orders=["halt"]), orders=["gallop"])
    later = [named(party, "yamada").sign({**wrong, "player": "yamada", "seq": wrong["seq"] + 1, "note": [n],
                                          "prev": document_id(wrong)}) for n in ("a", "b")]  # fmt: skip
    found = verdict(*log(party), wrong, *later)
    assert told(found) == ("rule broken", wrong["seq"], "nowak") and [f.player for f in found.forks] == ["yamada"]
    before, one, two = forked()
    after = Person("yamada", ["blue"]).sign({**one, "player": "yamada", "seq": one["seq"] + 1, "prev": document_id(one)})
    assert told(verdict(*before, one, two, after)) == ("signed twice", one["seq"], "nowak")


def test_files_behind_different_ones_prove_nothing_against_their_signer() -> None:
    """Yamada has answered both of nowak's files: nowak signed twice, yamada did not."""
    before, one, two = forked()
    yamada = Person("yamada", ["blue"])
    answers = [
        yamada.sign({**f, "player": "yamada", "seq": f["seq"] + 1, "prev": document_id(f), "orders": ["let pass"]})
        for f in (one, two)
    ]
    assert [f.player for f in verdict(*before, one, two, *answers).forks] == ["nowak"]

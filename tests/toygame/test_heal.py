"""Heals (SPEC 9): who chooses among the versions of a log that has parted, and what becomes of links, dice and orders."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime import choosing
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from tests.toygame.healing import (
    Document,
    Healer,
    branch,
    drafted,
    forged,
    healed,
    healers,
    named,
    replayed,
    seat_by,
    signed_by,
    take_heal,
)
from tests.toygame.party import send
from tests.toygame.test_attacks import advance_to
from tests.toygame.test_skirmish import choose, disclosures

GO, HALT, PASS = Draft(orders=["go"]), Draft(orders=["halt"]), Draft(orders=["let pass"])


def marching(role: str = "", **charter: Any) -> list[Healer]:
    """Red (nowak) is asked whether it marches."""
    party = healers(role, **charter)
    advance_to([*party], "red", "march")
    return party


def faults(party: Sequence[Healer], document: Document, *, sign: bool = True) -> ProtocolError:
    """What every program says of a heal that it does not take."""
    made = signed_by(document, party) if sign else document
    before = party[0].table.engine.state_hash()
    with pytest.raises(ProtocolError) as caught:
        log = heal.line(party[0].log, heal.read_heal(made))
        replayed([dict(d) for d in log], party)
    assert party[0].table.engine.state_hash() == before
    return caught.value


def finish(party: Sequence[Healer], seed: int = 3) -> None:
    """To the end of the game, with a clean audit."""
    dice = random.Random(seed)
    while party[0].table.due.what != "nothing":
        send([*party], choose(named(party, party[0].table.due.player), dice))
        again = replayed(party[0].log, party)
        assert again.engine.state_hash() == party[0].table.engine.state_hash() and again.due == party[0].table.due
    assert audit(party[0].table, disclosures([*party]), party[0].fetch) is None


def dice_of(party: Sequence[Healer], files: int = 1) -> list[list[int]]:
    """The dice of the next files, whose authors decide nothing."""
    return [r["dice"] for f in branch(party, *[Draft()] * files) for r in f.get("dice", [])]


# -- an accident --------------------------------------------------------------------------------------------------------------


def test_after_an_accident_the_game_goes_on_from_the_version_that_was_followed_with_the_same_dice() -> None:
    party = marching()
    second = branch(party, HALT)
    first = branch(party, GO, PASS)
    for draft in (GO, PASS):
        send([*party], draft)
    without = dice_of(party)
    document = healed(party, [first, second], 0)
    assert document["seq"] == first[-1]["seq"] + 1
    assert party[0].table.due.player == "nowak" and party[0].table.due.what == "witness"
    assert dice_of(party) == without
    finish(party)


def test_places_between_are_void_and_nothing_is_taken_there_any_more() -> None:
    party = marching()
    first = branch(party, GO, PASS)
    second = branch(party, HALT)
    second += [f := forged(named(party, "dubois"), second[-1]), forged(named(party, "nowak"), f, 2)]
    second.append(forged(named(party, "dubois"), second[-1], 2))
    document = healed(party, [first, second], 0)
    table, to = party[0].table, first[-1]["seq"]
    assert document["seq"] == to + 3
    assert [e.type for e in table.ledger.entries[to + 1 :]] == ["void", "void", "heal"]
    assert {e.player for e in table.ledger.entries[to + 1 :]} == {""}
    for file, outcome in ((second[0], Outcome.ALREADY_KNOWN), (second[-1], Outcome.ALREADY_KNOWN)):
        assert not_taken(party[0], file) is outcome
    late = named(party, "nowak").sign({**second[2], "note": ["another"]})
    assert not_taken(party[0], late) is Outcome.REFUSED, "a place that was given up stays empty"
    finish(party)


def not_taken(person: Healer, document: Document) -> Outcome:
    from pbem.runtime.taking import take

    with pytest.raises(ProtocolError) as caught:
        take(person.table, document, person.fetch)
    return caught.value.outcome


# -- dice that are owed -------------------------------------------------------------------------------------------------------


def test_dice_that_the_side_which_forked_owes_are_turned_by_the_very_link_that_was_due() -> None:
    """A cheat who knows that his link is bad lists deep links of his own; the dice stay, and his next one is unknown."""
    party = marching()
    nowak = named(party, "nowak")
    first = branch(party, GO, PASS)
    second = branch(party, HALT)
    deep = [forged(named(party, "dubois"), second[-1])]
    for steps in (2, 3, 7):  # 1 is shown by both first files, 2 is the link that turns the dice of the version kept
        deep.append(forged(nowak, deep[-1], steps))
    without = branch(party, GO, PASS, Draft())[-1]
    send([*party], GO)
    send([*party], PASS)
    unburnt = nowak.ahead(7)  # one has been shown since
    healed(party, [first, second + deep], 0)
    table = party[0].table
    assert [r.dice for r in table.ledger.rolled[-len(without["dice"]) :]] == [d["dice"] for d in without["dice"]]
    assert table.due.what != "witness", "the heal has turned the dice at once"
    while table.due.player != "nowak":
        send([*party], choose(named(party, table.due.player), random.Random(1)))
        table = party[0].table
    assert send([*party], choose(nowak, random.Random(1)))["link"] == unburnt
    finish(party)


def test_a_link_that_was_shown_is_burnt_for_whoever_did_not_owe_dice_with_it() -> None:
    party = marching()
    dubois = named(party, "dubois")
    first = branch(party, GO, PASS)
    second = branch(party, HALT)
    second += [forged(dubois, second[-1], 3)]
    shown = dubois.ahead(3)
    standing = party[0].table.ledger.chains["dubois"]
    left, last = standing.left, standing.last
    healed(party, [first, second], 0)
    held = party[0].table.ledger.chains["dubois"]
    assert (held.skip, held.left, held.last) == (3, left - 3, last)
    assert dubois.ahead(4) == dubois.link(held.left) != shown
    finish(party)


def test_what_another_owes_with_a_link_that_is_known_is_decided_again_and_turned_by_another_link() -> None:
    """The forker has seen, in a version that is given up, the link that would turn the dice of the version kept."""
    party = marching()
    yamada, nowak = named(party, "yamada"), named(party, "nowak")
    first = branch(party, GO, PASS, Draft(orders=["halt"]))  # the dice of the day are nowak's, then he halts: yamada owes
    second = branch(party, HALT)
    second += [forged(yamada, second[-1], 1)]
    second += [forged(yamada, second[-1], 2)]
    for draft in (GO, PASS, Draft(orders=["halt"])):
        send([*party], draft)
    assert party[0].table.due.player == "yamada" and party[0].table.due.what == "witness"
    known = yamada.ahead(1)
    assert known in {f["link"] for f in second}
    rolled, orders = len(party[0].table.ledger.rolled), first[-1]["seq"]
    healed(party, [first, second], 0)
    table = party[0].table
    assert (table.due.what, table.due.player) == ("orders", "nowak"), "the orders are asked again"
    assert len(table.ledger.rolled) == rolled, "the dice that were turned stay"
    assert orders in table.ledger.voided and not table.ledger.entries[orders].decides
    send([*party], Draft(orders=["halt"]))
    turning = send([*party], Draft())
    assert turning["player"] == "yamada" and turning["link"] not in {f["link"] for f in second}
    assert nowak.table.engine.state_hash() == yamada.table.engine.state_hash()
    finish(party)


def test_dice_once_turned_stay_and_decisions_behind_them_are_void_when_all_go_back_before_them() -> None:
    """A cheat sees bad dice in his own file and signs a second one: the link and the dice are the same in both."""
    party = marching()
    send([*party], GO)
    send([*party], PASS)
    first = branch(party, Draft(orders=["go"]))
    second = branch(party, Draft(orders=["halt"]))
    assert first[0]["dice"] == second[0]["dice"]
    for keep in (0, 1, None):
        people = marching()
        send([*people], GO)
        send([*people], PASS)
        before = len(people[0].table.ledger.rolled)
        healed(people, [first, second], keep)
        table = people[0].table
        assert [r.dice for r in table.ledger.rolled[before:]] == [d["dice"] for d in first[0]["dice"]]
        if keep is None:
            assert (table.due.what, table.due.player) == ("orders", "nowak")
            assert table.ledger.entries[first[0]["seq"]].of == "nowak"
        finish(people)


def test_an_opening_that_the_side_which_forked_owes_comes_with_the_link_that_was_due() -> None:
    """Blue's sealed standing order is due, and the die behind it: he may not fork to turn that die with another link."""
    party = marching()
    yamada, nowak = named(party, "yamada"), named(party, "nowak")
    sealed = Draft(orders=["go"], sealed_standing={})
    send([*party], sealed)
    keep = Draft(orders=["stop"], sealed_standing={"stop": [{"do": "let pass", "when": "step > 1"}, "stop"]})
    send([*party], keep)
    while not (party[0].table.due.what == "open" and party[0].table.due.player == "yamada"):
        send([*party], choose(named(party, party[0].table.due.player), random.Random(4)))
        assert party[0].table.due.what != "nothing", "the order was never due"
    assert nowak.table.seed() is None
    without = branch(party, Draft())
    first, second = branch(party, Draft()), branch(party, Draft(note=["again"]))
    second += [forged(yamada, second[-1], 4)]
    left = party[0].table.ledger.chains["yamada"].left
    healed(party, [first, second], None)
    assert (party[0].table.due.what, party[0].table.due.player) == ("open", "yamada")
    document = send([*party], Draft())
    assert document["link"] == without[0]["link"], "the very same link"
    assert document.get("dice") == without[0].get("dice")
    held = party[0].table.ledger.chains["yamada"]
    assert (held.skip, held.left) == (3, left - 4), "the links that were shown besides are burnt behind it"
    finish(party)


# -- who chooses --------------------------------------------------------------------------------------------------------------


def test_a_cheat_cannot_have_the_version_in_which_the_others_files_are_missing() -> None:
    party = marching()
    answered, other = branch(party, GO, PASS), branch(party, HALT)
    error = faults(party, drafted(party, [answered, other], 1))
    assert error.outcome is Outcome.REFUSED and "every file of those who did not fork" in str(error)
    assert faults(party, drafted(party, [answered, other], 0, chosen_by="allies")).outcome is Outcome.REFUSED
    assert faults(party, drafted(party, [answered, other], 0, chosen_by="all")).outcome is Outcome.REFUSED
    assert faults(party, drafted(party, [answered, other], None, chosen_by="axis")).outcome is Outcome.REFUSED
    take_heal(party, signed_by(drafted(party, [answered, other], None), party))
    finish(party)


def test_of_two_files_that_nobody_followed_the_other_side_chooses() -> None:
    for keep in (0, 1):
        party = marching()
        healed(party, [branch(party, GO), branch(party, HALT)], keep)
        finish(party)


def test_where_the_other_side_has_files_in_several_versions_it_chooses_and_where_both_sides_forked_all_do() -> None:
    party = marching()
    one, two = branch(party, GO, PASS), branch(party, HALT, Draft())
    for keep in (0, 1):
        assert faults(party, drafted(party, [one, two], keep, chosen_by="all")).outcome is Outcome.REFUSED
    three = branch(party, GO, Draft(orders=["stop"]))
    for keep in (0, 1, 2):
        assert faults(party, drafted(party, [one, two, three], keep)).outcome is Outcome.REFUSED, "axis has forked too"
    healed(party, [one, two, three], 0, chosen_by="all")
    finish(party)


def test_where_nobody_has_signed_twice_there_is_nothing_to_heal() -> None:
    party = marching()
    go, halt = branch(party, GO), branch(party, HALT)
    apart = named(party, "nowak").sign({**halt[0], "prev": "ab" * 32})
    error = faults(party, drafted(party, [go, [apart]], 0))
    assert error.outcome is Outcome.BAD_CHAIN


# -- a heal that is not in order ----------------------------------------------------------------------------------------------


def test_the_place_of_a_heal_is_behind_every_file_of_every_version() -> None:
    """With `seq` = `to` + 1 a place would be signed twice, by whoever has signed it in the longer version."""
    party = marching()
    first, second = branch(party, GO), branch(party, HALT)
    second += [forged(named(party, "nowak"), second[-1], 2)]
    for seq in (first[-1]["seq"] + 1, second[-1]["seq"], second[-1]["seq"] + 2):
        assert faults(party, drafted(party, [first, second], 0, seq=seq)).outcome is Outcome.BAD_CHAIN, seq


def test_files_of_versions_follow_one_another_and_are_signed_by_their_authors() -> None:
    party = marching()
    yamada, nowak = named(party, "yamada"), named(party, "nowak")
    first, second = branch(party, GO, PASS), branch(party, HALT)
    old = yamada.sign({**first[1], "prev": "ab" * 32})
    stranger = forged(yamada, second[-1], player="stranger")
    by_another = {**forged(yamada, second[-1]), "signature": nowak.sign(forged(yamada, second[-1]))["signature"]}
    nobodys = forged(nowak, second[-1], link="cd" * 32)
    cases = {
        "a forged old file": ([first, [*second, old]], Outcome.BAD_CHAIN),
        "a gap": (
            [first, [*second, yamada.sign({**forged(yamada, second[-1]), "seq": second[-1]["seq"] + 2})]],
            Outcome.BAD_CHAIN,
        ),
        "the beginning of another": ([first, second, first[:1]], Outcome.BAD_CHAIN),
        "signed by another": ([first, [*second, by_another]], Outcome.BAD_SIGNATURE),
        "by a stranger": ([first, [*second, stranger]], Outcome.WRONG_KEY),
        "a link on no chain": ([first, [*second, nobodys]], Outcome.BAD_CHAIN),
        "of another game": ([first, [nowak.sign({**second[0], "game": "ab" * 32})]], Outcome.FOREIGN_GAME),
        "no file": ([first, [{**second[0], "surprise": 1}]], Outcome.UNREADABLE),
    }
    for name, (versions, outcome) in cases.items():
        assert faults(party, drafted(party, versions, 0)).outcome is outcome, name
    lone = drafted(party, [first, second], 0)
    assert faults(party, {**lone, "to": lone["to"] - 1}).outcome is Outcome.BAD_CHAIN
    assert faults(party, {**lone, "forked": {"player": "yamada", "seq": lone["forked"]["seq"]}}).outcome is Outcome.BAD_CHAIN
    assert faults(party, {**lone, "game": "ab" * 32}).outcome is Outcome.FOREIGN_GAME


def test_everybody_signs_a_heal_and_nobody_else() -> None:
    party = marching()
    first, second = branch(party, GO, PASS), branch(party, HALT)
    document = drafted(party, [first, second], 0)
    alone = signed_by(document, party[:2])
    assert faults(party, alone, sign=False).outcome is Outcome.WAITING
    made = signed_by(document, party)
    swapped = {**made["signatures"], "dubois": made["signatures"]["nowak"]}
    assert faults(party, {**made, "signatures": swapped}, sign=False).outcome is Outcome.BAD_SIGNATURE
    more = {**made["signatures"], "stranger": made["signatures"]["nowak"]}
    assert faults(party, {**made, "signatures": more}, sign=False).outcome is Outcome.BAD_SIGNATURE
    for key, value in (("note", ["changed"]), ("instead", ["ab" * 32])):
        assert faults(party, {**made, key: value}, sign=False).outcome is Outcome.BAD_SIGNATURE
    assert document_id({**made, "signatures": {}}) == document_id(made), "the id leaves the signatures out"


# -- beside links -------------------------------------------------------------------------------------------------------------


def test_tips_roots_and_draw_numbers_of_void_files_are_used_up() -> None:
    party = marching()
    nowak = named(party, "nowak")
    counted = party[0].table.ledger.draw_counts["nowak"]
    first, second = branch(party, GO, PASS), branch(party, HALT)
    chain = {"tip": nowak.record_of("later").chain, "length": 512}
    commits = [{"draw": counted + 4, "items": ["ab" * 32]}]
    second = [nowak.sign({**second[0], "next_chain": chain, "next_draws": nowak.record_of("later").draws, "commit": commits})]
    healed(party, [first, second], 0)
    ledger = party[0].table.ledger
    assert ledger.draw_counts["nowak"] == counted + 5
    while party[0].table.due.player != "nowak":
        send([*party], choose(named(party, party[0].table.due.player), random.Random(1)))
    for extra in ({"next_chain": chain}, {"next_draws": nowak.record_of("later").draws}):
        assert (
            not_taken(party[0], nowak.sign({**nowak.write(choose(nowak, random.Random(1))).document, **extra}))
            is Outcome.REFUSED
        )
    finish(party)


def test_links_of_a_next_chain_that_a_void_file_showed_are_burnt_there() -> None:
    party = marching()
    nowak = named(party, "nowak")
    tip = {"tip": nowak.record_of("later").chain, "length": 512}
    send([*party], Draft(orders=["go"], extra={"next_chain": tip}))
    send([*party], Draft(orders=["let pass"], note=["no storm"]))
    nowak.lives.append("later")
    first = branch(party, Draft(orders=["go"]))
    assert party[0].table.ledger.chains["nowak"].next_tip == tip["tip"], "the new chain takes over with his next file"
    second = branch(party, Draft(orders=["halt"]))
    second += [forged(nowak, second[-1], 5)]
    healed(party, [first, second], 0)
    held = party[0].table.ledger.chains["nowak"]
    assert (held.last, held.skip, held.left) == (first[0]["link"], 4, 512 - 5)
    finish(party)


def test_an_undo_of_earlier_orders_goes_through_a_heal() -> None:
    party = marching()
    to = len(party[0].log)
    first, second = branch(party, GO, PASS), branch(party, HALT)
    healed(party, [first, second], 0)
    while party[0].table.due.what != "orders":
        send([*party], choose(named(party, party[0].table.due.player), random.Random(1)))
    send([*party], Draft(type="undo", extra={"to": to}))
    while (offer := party[0].table.ledger.offer) is not None:
        send([*party], Draft(type="accept", extra={"accepts": offer.id}))
    assert (party[0].table.due.what, party[0].table.due.player) == ("orders", "nowak")
    finish(party)


def test_a_fork_of_the_first_file_is_healed_back_to_the_charter() -> None:
    party = healers()
    first, second = branch(party, Draft()), branch(party, Draft(note=["again"]))
    healed(party, [first, second], None, chosen_by="all")
    assert party[0].table.due.what == "start"
    finish(party)


def test_nothing_of_the_heal_enters_a_seed() -> None:
    rolled = []
    for note in (["a"], ["b"]):
        party = marching()
        first, second = branch(party, GO, PASS), branch(party, HALT)
        healed(party, [first, second], 0, note=note)
        rolled.append(dice_of(party))
    assert rolled[0] == rolled[1] and rolled[0]


# -- an umpire ----------------------------------------------------------------------------------------------------------------


LATE = {"overdue": {"after": "3d", "grace": "48h", "then": "stand-in"}}


def test_the_umpire_signs_for_one_who_is_silent_where_the_charter_says_so_and_says_for_whom() -> None:
    party = marching("escrow", **LATE)
    smith = named(party, "smith")
    first, second = branch(party, GO, PASS), branch(party, HALT)
    document = signed_by(drafted(party, [first, second], 0), [p for p in party if p.name != "nowak"])
    copied = {**document["signatures"], "nowak": document["signatures"]["smith"]}
    assert faults(party, {**document, "signatures": copied}, sign=False).outcome is Outcome.BAD_SIGNATURE
    assert faults(party, document, sign=False).outcome is Outcome.WAITING
    take_heal(party, heal.sign_for(document, "nowak", smith.private))
    finish(party)


def test_the_umpire_signs_for_nobody_where_the_charter_is_silent_or_who_has_to_choose() -> None:
    party = marching("escrow")
    smith = named(party, "smith")
    document = drafted(party, [branch(party, GO, PASS), branch(party, HALT)], 0)
    document = heal.sign_for(signed_by(document, [p for p in party if p.name != "nowak"]), "nowak", smith.private)
    assert faults(party, document, sign=False).outcome is Outcome.REFUSED
    party = marching("escrow", **LATE)
    smith = named(party, "smith")
    versions = [branch(party, GO), branch(party, HALT)]
    document = signed_by(drafted(party, versions, 0), [p for p in party if p.name != "yamada"])
    assert faults(party, heal.sign_for(document, "yamada", smith.private), sign=False).outcome is Outcome.REFUSED
    document = signed_by(drafted(party, versions, None), [p for p in party if p.name != "nowak"])
    assert faults(party, heal.sign_for(document, "nowak", smith.private), sign=False).outcome is Outcome.REFUSED


def crossed(party: Sequence[Healer]) -> tuple[list[Document], list[Document]]:
    """The late player's own file and the umpire's for him: the same link and dice, only he decides."""
    from tests.toygame.test_umpire import deliver, stalled, stand_in

    stalled([*party])
    own = branch(party, choose(named(party, party[0].table.due.player), random.Random(1)))
    theirs = branch(party, lambda people: deliver([*people], stand_in(named(people, "smith"))))
    return own, theirs


def test_a_late_answer_and_the_umpires_file_for_it_are_healed_by_the_umpire_alone() -> None:
    for keep in (0, 1):
        party = healers("escrow")
        versions = crossed(party)
        if keep:
            versions = (versions[0], followed(party, versions[1][0], goes_on))
        document = drafted(party, versions, keep, chosen_by="umpire")
        assert (
            faults(party, signed_by(document, [p for p in party if p.name != "smith"]), sign=False).outcome is Outcome.WAITING
        )
        assert faults(party, drafted(party, versions, None)).outcome is Outcome.REFUSED, "he chooses between these two only"
        take_heal(party, signed_by(document, [named(party, "smith")]))
        finish(party)


def goes_on(party: Sequence[Healer]) -> None:
    """Who is due plays, until somebody has followed whom the last file was due from."""
    late = party[0].log[-1]["player"]
    while party[0].log[-1]["player"] == late:
        send([*party], choose(named(party, party[0].table.due.player), random.Random(1)))


def test_where_a_late_answer_and_the_umpires_file_for_it_are_followed_he_may_keep_either() -> None:
    party = healers("escrow")
    own, theirs = crossed(party)
    one, two = [p for p in party if p.name not in (own[0]["player"], "smith")]
    document = drafted(party, [[*own, forged(one, own[-1])], [*theirs, forged(two, theirs[-1])]], 0)
    assert choosing.choice(party[0].table, document).allowed == tuple(document_id(v[-1]) for v in document["versions"])


def test_the_version_that_the_next_player_has_followed_is_the_only_one_for_the_umpire() -> None:
    party = healers("escrow")
    own, theirs = crossed(party)
    late = own[0]["player"]
    follower = next(p for p in party if p.name not in (late, "smith"))
    theirs += [forged(follower, theirs[-1])]
    assert faults(party, drafted(party, [own, theirs], 0, chosen_by="umpire")).outcome is Outcome.REFUSED


def followed(party: Sequence[Healer], first: Document, *drafts: Draft | Callable[[Sequence[Healer]], Any]) -> list[Document]:
    """This file and what these drafts add behind it."""

    def receive(people: Sequence[Healer]) -> None:
        for person in people:
            person.receive(write_document(first))

    return branch(party, receive, *drafts)


def test_an_own_file_that_the_other_side_has_not_followed_gives_way_to_the_umpires_change_of_key() -> None:
    party = marching("escrow", lost_keys="umpire")
    own, theirs = branch(party, GO), [seat_by(party, "smith", 2)]
    wanted = {"chosen_by": "umpire", "forked": {"player": "nowak", "seq": own[0]["seq"]}}
    document = drafted(party, [own, theirs], 1, **wanted)
    all_back = drafted(party, [own, theirs], None)
    for wrong in (drafted(party, [own, theirs], 0, **wanted), all_back, {**document, "chosen_by": "allies"}):
        assert faults(party, signed_by(wrong, [named(party, "smith")]), sign=False).outcome is Outcome.REFUSED
    stranger = {**wanted, "forked": {**wanted["forked"], "player": "dubois"}}
    assert faults(party, drafted(party, [own, theirs], 1, **stranger)).outcome is Outcome.BAD_CHAIN
    take_heal(party, signed_by(document, [named(party, "smith")]))
    named(party, "nowak").begin("second")
    finish(party)


def test_an_own_file_that_the_other_side_alone_has_followed_stands_against_a_change_of_key() -> None:
    party = marching("escrow", lost_keys="umpire")
    own, theirs = branch(party, GO, PASS), [seat_by(party, "smith", 2)]
    wanted = {"chosen_by": "umpire", "forked": {"player": "nowak", "seq": own[0]["seq"]}}
    wrong = signed_by(drafted(party, [own, theirs], 1, **wanted), [named(party, "smith")])
    assert faults(party, wrong, sign=False).outcome is Outcome.REFUSED
    without = dice_of_branch(party, own)
    take_heal(party, signed_by(drafted(party, [own, theirs], 0, **wanted), [named(party, "smith")]))
    held = party[0].table.ledger.chains["smith"]
    assert held.skip == 1, "the link of the change of key is burnt"
    assert dice_of(party) == without and without, "and no die is turned again"
    finish(party)


def dice_of_branch(party: Sequence[Healer], files: Sequence[Document]) -> list[list[int]]:
    """The dice of the file behind these, in a version by themselves."""

    def receive(people: Sequence[Healer]) -> None:
        for file in files:
            for person in people:
                person.receive(write_document(file))

    return [r["dice"] for r in branch(party, receive, Draft())[-1].get("dice", [])]


def test_an_offered_change_of_key_goes_on_waiting_behind_a_heal_that_all_others_sign() -> None:
    party = marching(lost_keys="others")
    own, theirs = branch(party, GO), [seat_by(party, "dubois", 3)]
    document = drafted(party, [own, theirs], 1, chosen_by="all", forked={"player": "nowak", "seq": own[0]["seq"]})
    people = [p for p in party if p.name != "nowak"]
    assert faults(party, signed_by(document, people[:1]), sign=False).outcome is Outcome.WAITING
    take_heal(party, signed_by(document, people))
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", "accept")
    assert party[0].table.ledger.chains["nowak"].skip == 1, "his link was shown in the file that is void"
    send([*party], Draft(type="decline"))
    finish(party)


def test_where_both_sides_files_were_followed_the_change_of_key_stands() -> None:
    party = marching("escrow", lost_keys="umpire")
    own, theirs = branch(party, GO, PASS), [seat_by(party, "smith", 2)]
    theirs += [forged(named(party, "yamada"), theirs[-1], 2)]
    wanted = {"chosen_by": "umpire", "forked": {"player": "nowak", "seq": own[0]["seq"]}}
    assert faults(party, drafted(party, [own, theirs], 0, **wanted)).outcome is Outcome.REFUSED


def test_a_late_answer_that_nobody_has_followed_is_the_one_that_stands() -> None:
    party = healers("escrow")
    own, theirs = crossed(party)
    assert faults(party, drafted(party, [own, theirs], 1, chosen_by="umpire")).outcome is Outcome.REFUSED

"""Offers between two files: who makes one, who answers it, what an answer brings about, and what leaves everything as it is."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from pbem.kernel.wording import english, number_told
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import offers
from pbem.runtime.composing import Draft
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Entry, KeyHeld, Offer, OtherLink, RulesInForce
from pbem.runtime.table import Table
from tests.runtime.test_seats import record, refused
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, due
from tests.toygame.test_skirmish import choose

ID = "aa" * 32


@cache
def begun(role: str = "", **charter: Any) -> list[Person]:
    """Two or three files; then red (nowak) is asked whether it marches, and has decided nothing yet."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
    party += [Person("smith", [])] if role else []
    found_game(GAME, party, {}, role=role or "witness", **charter)
    advance_to(party, "red", "march")
    return party


def marching(role: str = "", **charter: Any) -> Table:
    return begun(role, **charter)[0].table.fork()


def fetch(seq: int) -> Any:
    return begun()[0].log[seq]


def brings(table: Table, by: str, **document: Any) -> tuple[dict[str, Any], Hand]:
    """A file by this player, its place in the log already taken."""
    table.ledger.entries.append(Entry(ID, by, document.get("type", "turn")))
    return {"player": by, "seq": table.last, **document}, Hand(by, table.last)


def offer(table: Table, by: str = "nowak", **document: Any) -> Offer:
    given, hand = brings(table, by, **document)
    offers.make_offer(table, given, hand, ID)
    made = table.ledger.offer
    assert made is not None
    return made


def decided() -> int:
    """The newest file that holds orders."""
    return max(seq for seq, entry in enumerate(marching().ledger.entries) if entry.decides)


# -- making one -------------------------------------------------------------------------------------------------------


def test_a_draw_waits_for_everybody_else_in_the_order_of_seats() -> None:
    table = marching()
    before, state = table.due, table.engine.state_hash()
    made = offer(table, type="offer", offer={"draw": True})
    assert made == Offer(table.last, ID, "nowak", "offer", 0, ["dubois", "yamada"], {"offer": {"draw": True}})
    assert before.player == "nowak" and (table.due.player, table.due.what, table.due.seat) == ("dubois", "accept", "")
    assert english(table.due.detail) == "offer offered by nowak" and table.engine.state_hash() == state


def test_a_seat_waits_for_everybody_but_whoever_gets_the_new_key() -> None:
    party = begun()
    new = record(party[1], party[0].table.last + 4)
    made = offer(marching(), type="seat", seat=new)
    assert (made.waiting, made.detail, made.to) == (["dubois", "yamada"], {"seat": new}, 0)
    others = begun(lost_keys="others")
    table = marching(lost_keys="others")
    by_ally = offer(table, "dubois", type="seat", seat=record(others[1], table.last + 3))
    assert by_ally.waiting == ["yamada"] and english(table.due.detail) == "seat offered by dubois"
    assert (table.due.player, table.due.what) == ("yamada", "accept")


def test_a_seat_that_says_something_else_is_not_offered() -> None:
    table = marching()
    document, hand = brings(table, "nowak", type="seat", seat=record(begun()[1], 2))
    assert refused(offers.make_offer, table, document, hand, ID)[0] is Outcome.REFUSED and table.ledger.offer is None


def test_an_undo_names_a_file_that_holds_orders_and_was_not_taken_back() -> None:
    table, to = marching(), decided()
    made = offer(table, type="undo", to=to)
    assert (made.type, made.to, made.detail) == ("undo", to, {}) and english(table.due.detail) == "undo offered by nowak"
    quiet = next(s for s, entry in enumerate(table.ledger.entries) if s and not entry.decides)
    for other in (0, quiet, table.last + 1, table.last + 9, -1):
        again = marching()
        again.ledger.mark(0, decides=True)
        document, hand = brings(again, "nowak", type="undo", to=other)
        said = refused(offers.make_offer, again, document, hand, ID)
        assert said == (Outcome.REFUSED, f"file {number_told(other)} holds no orders to take back"), other
    again = marching()
    again.ledger.voided.append(to)
    document, hand = brings(again, "nowak", type="undo", to=to)
    assert refused(offers.make_offer, again, document, hand, ID)[1] == f"file {to} holds no orders to take back"


def test_the_first_file_may_be_taken_back() -> None:
    table = marching()
    table.ledger.mark(1, decides=True)
    assert offer(table, type="undo", to=1).to == 1


def test_whoever_has_orders_to_give_makes_an_offer_and_one_only() -> None:
    words = (Outcome.REFUSED, "an offer is made by the player who has orders to give, with no dice to come")
    table = marching()
    document, hand = brings(table, "yamada", type="offer", offer={"draw": True})
    table.due = Due("yamada", "witness")
    assert refused(offers.make_offer, table, document, hand, ID) == words
    table = marching()
    table.ledger.offer = Offer(1, ID, "yamada", "offer", 0, ["nowak"])
    document, hand = brings(table, "nowak", type="offer", offer={"draw": True})
    assert refused(offers.make_offer, table, document, hand, ID) == (Outcome.REFUSED, "one offer between two turn files")


def test_nobody_makes_an_offer_in_place_of_a_sealed_order() -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])]
    found_game(GAME, party, {})
    dice = random.Random(1)
    while party[0].table.due.what != "seal":
        send(party, choose(due(party), dice))
    with pytest.raises(ProtocolError, match="who has orders to give, with no dice to come"):
        due(party).write(Draft(type="offer", extra={"offer": {"draw": True}}))


def test_the_umpire_gives_a_seat_away_at_once() -> None:
    table = marching("witness", lost_keys="umpire")
    new = record(begun("witness", lost_keys="umpire")[1], table.last + 2)
    document, hand = brings(table, "smith", type="seat", seat=new)
    offers.make_offer(table, document, hand, ID)
    assert table.ledger.offer is None and table.ledger.keys["nowak"] == new["key"]
    assert table.ledger.held[-1] == KeyHeld("nowak", new["key"], table.last + 1)
    assert (table.due.player, table.due.what) == ("nowak", "orders") and table.ledger.other_links == []
    wrong = marching("witness", lost_keys="umpire")
    document, hand = brings(wrong, "smith", type="seat", seat={**new, "from": wrong.last + 3})
    assert refused(offers.make_offer, wrong, document, hand, ID)[0] is Outcome.REFUSED
    assert wrong.ledger.keys["nowak"] != new["key"]


def test_a_seat_given_away_in_place_of_a_link_that_was_owed_is_remembered() -> None:
    table = marching("witness", lost_keys="umpire")
    table.ledger.entries.append(Entry("bb" * 32, "yamada", "turn", "cc" * 32, decides=True))
    table.ledger.source, table.due = table.last, Due("nowak", "open")
    source = table.last
    table.ledger.entries.append(Entry(ID, "smith", "seat", "dd" * 32))
    new = record(begun("witness", lost_keys="umpire")[1], table.last + 1)
    document = {"player": "smith", "seq": table.last, "type": "seat", "seat": new}
    offers.make_offer(table, document, Hand("smith", table.last), ID)
    assert table.ledger.other_links == [OtherLink(table.last, source, "nowak", "smith")]
    own = marching("witness", lost_keys="umpire")
    offer(own, type="seat", seat=record(begun("witness", lost_keys="umpire")[1], own.last + 4))
    assert own.ledger.other_links == []


# -- answering one ----------------------------------------------------------------------------------------------------


def answered(table: Table, by: str, **document: Any) -> None:
    given, hand = brings(table, by, **{"type": "accept", "accepts": ID, **document})
    offers.accept(table, given, hand, fetch)


def test_all_of_them_accept_and_only_then_it_is_carried_out() -> None:
    table = marching()
    offer(table, type="offer", offer={"draw": True})
    answered(table, "dubois")
    assert table.ledger.agreed == "" and table.ledger.offer is not None and table.ledger.offer.waiting == ["yamada"]
    assert table.due == Due("yamada", "accept", "", table.due.detail) and english(table.due.detail) == "offer offered by nowak"
    answered(table, "yamada")
    assert table.ledger.agreed == "draw" and table.ledger.offer is None and table.due.what == "nothing"
    assert table.result is not None and table.result.winner is None


def test_only_those_who_are_asked_accept_and_what_was_offered() -> None:
    none = (Outcome.REFUSED, "there is no such offer to accept")
    table = marching()
    assert refused(answered, table, "yamada") == none
    offer(table, type="offer", offer={"draw": True})
    document, hand = brings(table, "yamada", type="accept", accepts="bb" * 32)
    assert refused(offers.accept, table, document, hand, fetch) == none
    document, hand = brings(table, "yamada", type="accept")
    assert refused(offers.accept, table, document, hand, fetch) == none
    seq = table.ledger.offer.seq if table.ledger.offer else 0
    waits = (Outcome.REFUSED, f"the offer of file {seq} waits for dubois, yamada")
    assert refused(answered, table, "nowak") == waits


def test_a_declined_offer_is_gone_and_the_same_question_stands() -> None:
    table = marching()
    before = table.due
    offer(table, type="offer", offer={"draw": True})
    given, hand = brings(table, "yamada", type="decline")
    offers.decline(table, given, hand)
    assert table.ledger.offer is None and table.due == before
    words = (Outcome.REFUSED, "there is no offer to decline")
    assert refused(offers.decline, table, given, hand) == words


def test_an_undo_that_is_accepted_takes_the_orders_back() -> None:
    table, to = marching(), decided()
    author = table.ledger.entries[to].player
    offer(table, type="undo", to=to)
    for name in [p for p in ("yamada", "dubois") if table.ledger.offer]:
        answered(table, name)
    assert table.ledger.offer is None and to in table.ledger.voided and not table.ledger.entries[to].decides
    assert (table.due.player, table.due.what) in ((author, "orders"), (author, "seal"))


def test_a_seat_that_is_accepted_changes_hands_from_the_next_file_on() -> None:
    table = marching()
    new = record(begun()[1], table.last + 4)
    offer(table, type="seat", seat=new)
    for name in ("dubois", "yamada"):
        answered(table, name)
    assert table.ledger.held[-1] == KeyHeld("nowak", new["key"], table.last + 1) and new["from"] == table.last + 1
    assert table.ledger.keys["nowak"] == new["key"] and (table.due.player, table.due.what) == ("nowak", "orders")


def test_another_rules_version_holds_from_the_next_file_on() -> None:
    table = marching()
    version = table.ledger.rules_version
    offer(table, type="offer", offer={"rules_version": str(version)})
    for name in ("dubois", "yamada"):
        answered(table, name)
    assert table.ledger.rules[-1] == RulesInForce(version, table.last + 1) and table.ledger.agreed == ""
    other = marching()
    offer(other, type="offer", offer={"rules_version": version + 90})
    answered(other, "dubois")
    assert refused(answered, other, "yamada")[0] is Outcome.DIVERGED


def test_an_offer_of_nothing_changes_nothing() -> None:
    table = marching()
    before = table.due
    offer(table, type="offer", offer={"draw": False})
    for name in ("dubois", "yamada"):
        answered(table, name)
    assert table.ledger.agreed == "" and table.due == before and len(table.ledger.rules) == 1


def test_behind_an_answer_the_game_goes_on_with_nobodys_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also behind a seat that the umpire gives away: whatever is fixed is answered, and whoever is due is asked."""
    hands: list[Hand] = []
    monkeypatch.setattr(Table, "advance", lambda _, hand: hands.append(hand))
    table = marching()
    place, table.ledger.offer = table.last + 1, Offer(1, ID, "nowak", "offer", 0, ["yamada"], {"offer": {"draw": True}})
    answered(table, "yamada")
    table.ledger.offer = Offer(1, ID, "nowak", "offer", 0, ["yamada"], {"offer": {"draw": True}})
    given, hand = brings(table, "yamada", type="decline")
    offers.decline(table, given, hand)
    table = marching("witness", lost_keys="umpire")
    new = record(begun("witness", lost_keys="umpire")[1], table.last + 2)
    given, own = brings(table, "smith", type="seat", seat=new)
    offers.make_offer(table, given, own, ID)
    assert [(h.player, h.seq) for h in hands if h is not own] == [("", place), ("", place + 1), ("", own.seq)]


# -- playing on -------------------------------------------------------------------------------------------------------


def plays(table: Table, by: str) -> None:
    given, hand = brings(table, by)
    offers.accept_by_playing(table, given, hand, fetch)


def test_new_orders_for_the_place_that_an_undo_gives_back_accept_it() -> None:
    table, to = marching(), decided()
    author = table.ledger.entries[to].player
    table.ledger.offer = Offer(table.last, ID, "nowak", "undo", to, [author])
    plays(table, author)
    assert table.ledger.offer is None and to in table.ledger.voided


def test_nobody_plays_on_while_an_offer_waits_for_an_answer() -> None:
    to = decided()
    author = marching().ledger.entries[to].player
    other = next(p for p in ("yamada", "nowak", "dubois") if p != author)
    for type_, waiting, by in (
        ("undo", [author, other], author),
        ("undo", [other], author),
        ("undo", [other], other),
        ("offer", [author], author),
        ("seat", [author], author),
    ):
        table = marching()
        table.ledger.offer = Offer(7, ID, "nowak", type_, to, [*waiting], {"offer": {}, "seat": {}})
        words = (Outcome.REFUSED, "answer the offer of file 7 first: accept or decline")
        assert refused(plays, table, by) == words and table.ledger.offer is not None


def test_without_an_offer_everybody_plays_on() -> None:
    table = marching()
    plays(table, "nowak")
    assert table.ledger.voided == []

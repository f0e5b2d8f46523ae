"""Seats that get a new key: who may sign that, at whose place, from which file on it holds, and what comes before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.protocol import deadlines, slips
from pbem.protocol.charter import Seat
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import seats
from pbem.runtime.composing import Draft
from pbem.runtime.dues import Due
from pbem.runtime.ledger import Chain, DrawMade, DrawTree, Entry, KeyHeld, OtherLink, Ruled
from pbem.runtime.table import Table
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import GAME

A, B, C = "aa" * 32, "bb" * 32, "cc" * 32
LATE = {"after": "72h", "grace": "48h", "then": "substitute"}


def people(role: str = "witness", **more: Any) -> dict[str, Person]:
    """Blue against red and rust; the umpire is smith."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("smith", [])]
    found_game(GAME, party if role else party[:3], {}, role=role, **more)
    return {p.name: p for p in party}


def at(lost_keys: str = "", what: str = "orders", due: str = "nowak", role: str = "witness", **more: Any) -> Table:
    """A table at which this player owes something; `lost_keys` as the charter has it."""
    table = people(role, **more)["yamada"].table.fork()
    table.charter = replace(table.charter, lost_keys=lost_keys)
    table.due = Due(due, what)  # type: ignore[arg-type]
    return table


def seat(by: str, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"type": "seat", "seq": 1, "player": by, "seat": {"player": player}, **more}


def refused(check: Callable[..., None], *given: Any) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        check(*given)
    return caught.value.outcome, str(caught.value)


def ruling(by: Person, due: str, place: int = 1) -> dict[str, Any]:
    """A substitute for this player, ruled by the umpire after a question of his own."""
    game = by.table.charter.game_id
    claim = slips.make("overdue", game, game, by.name, {"place": place, "due": due, "since": "2025-01-31T18:00:00Z"})
    signed = slips.sign(claim, by.private)
    made = slips.make("ruling", game, game, by.name, {"place": place, "then": "substitute", "claim": signed})
    return slips.sign(made, by.private)


# -- who may sign -----------------------------------------------------------------------------------------------------


def test_the_umpire_replaces_a_lost_key_alone_where_the_charter_says_so() -> None:
    assert seats.by_umpire(at("umpire"), seat("smith"))
    assert not seats.by_umpire(at("umpire"), seat("dubois"))
    assert not seats.by_umpire(at("others"), seat("smith"))
    assert not seats.by_umpire(at(), seat("smith"))


def test_the_umpire_replaces_a_late_player_by_the_ruling_that_the_file_brings() -> None:
    party = people(overdue=deadlines.chosen("72h", "48h", "substitute"))
    table, smith = party["yamada"].table, party["smith"]
    assert seats.by_umpire(table, seat("smith", slips=[ruling(smith, "nowak")]))
    assert not seats.by_umpire(table, seat("smith", slips=[ruling(smith, "dubois")]))
    assert not seats.by_umpire(table, seat("smith", seq=2, slips=[ruling(smith, "nowak")]))
    assert not seats.by_umpire(table, seat("smith", slips=None))


def test_a_place_is_filled_by_a_seat_file_for_whoever_owes_it() -> None:
    for what in ("orders", "witness", "open", "claim", "seal"):
        assert seats.may_fill(at("umpire", what), seat("smith")), what
    assert not seats.may_fill(at("umpire", "accept"), seat("smith"))
    assert not seats.may_fill(at("umpire", due="dubois"), seat("smith"))
    assert not seats.may_fill(at("umpire"), seat("smith", type="offer"))
    assert not seats.may_fill(at(), seat("smith"))


def test_the_first_ally_alone_fills_a_place_with_orders() -> None:
    assert seats.may_fill(at("others"), seat("dubois"))
    assert not seats.may_fill(at("others"), seat("yamada")), "never an opponent"
    assert not seats.may_fill(at("others"), seat("nowak"))
    assert not seats.may_fill(at("umpire"), seat("dubois")) and not seats.may_fill(at(), seat("dubois"))
    assert not seats.may_fill(at("others", "witness"), seat("dubois")), "no two allies choose whose link turns dice"
    wider = at("others")
    wider.charter = replace(wider.charter, seats=(*wider.charter.seats, Seat("grey", "ivanov", wider.side_of("nowak"))))
    assert wider.side_of("ivanov") == wider.side_of("nowak")
    assert seats.may_fill(wider, seat("dubois")) and not seats.may_fill(wider, seat("ivanov"))
    alone = at("others", due="yamada")
    assert not any(seats.may_fill(alone, seat(by, "yamada")) for by in ("nowak", "dubois", "smith")), "who has no ally"


# -- dice that are owed -----------------------------------------------------------------------------------------------


def owing(*authors: str, source: int = 2, due: str = "nowak", what: str = "witness", role: str = "escrow") -> Table:
    """A log of files by these players, whose links are shown; the dice of `source` are asked for next."""
    table = at("umpire", what, due, role)
    table.ledger.entries += [Entry(A, player, "turn", B if player else "") for player in authors]
    table.ledger.source = source
    return table


def test_the_dice_of_the_newest_decision_are_owed_by_the_next_file_of_the_other_side() -> None:
    assert seats.dice_owed(owing("nowak", "yamada")) == 2
    assert seats.dice_owed(owing("nowak", "nowak")) == 0, "his own side turns nothing"
    assert seats.dice_owed(owing("nowak", "dubois")) == 0
    assert seats.dice_owed(owing("nowak", "yamada", source=0)) == 0
    assert seats.dice_owed(owing("yamada", source=1)) == 1
    assert seats.dice_owed(owing("nowak", "yamada", "dubois")) == 0, "a link has been shown behind it"
    assert seats.dice_owed(owing("nowak", "yamada", "")) == 2, "a void place shows none"


def test_of_a_file_that_is_in_the_log_its_own_link_does_not_count() -> None:
    table = owing("nowak", "yamada", "smith")
    assert (seats.dice_owed(table, 3), seats.dice_owed(table, 4), seats.dice_owed(table)) == (2, 0, 0)
    assert seats.dice_owed(owing("nowak", "yamada"), 5) == 2


@pytest.mark.parametrize("what", ["witness", "open", "claim"])
def test_with_the_escrow_the_link_that_is_owed_comes_first(what: str) -> None:
    table = owing("nowak", "yamada", what=what)
    assert seats.link_comes_first(table)
    words = (
        "nowak owes the link that turns the dice of file 2; a new key now would turn other dice: first show his link, "
        "`pbem umpire stand-in`, and give the seat away when he is due again"
    )
    assert str(seats.why_link_first(table)) == words
    assert refused(seats.check_link_shown, table, seat("smith", seq=3)) == (Outcome.REFUSED, words)
    seats.check_link_shown(table, seat("dubois", seq=3))
    seats.check_link_shown(table, seat("smith", "dubois", seq=3))


def test_without_escrow_owed_dice_or_where_orders_are_due_nothing_comes_first() -> None:
    for table in (
        owing("nowak", "yamada", role="witness"),
        owing("nowak", "yamada", what="orders"),
        owing("nowak", "dubois"),
        owing("yamada", source=0),
    ):
        assert not seats.link_comes_first(table)
        seats.check_link_shown(table, seat("smith", seq=3))
    early = owing("yamada", source=1)
    assert seats.link_comes_first(early) and seats.dice_owed(early) == 1


def test_another_link_than_the_one_owed_is_remembered() -> None:
    table = owing("nowak", "yamada", "smith")
    seats.note_other_link(table, seat("smith", seq=3))
    assert table.ledger.other_links == [OtherLink(3, 2, "nowak", "smith")]
    seats.note_other_link(table, seat("smith", seq=4))
    assert len(table.ledger.other_links) == 1, "no dice were owed there"


# -- what the file says -----------------------------------------------------------------------------------------------


def record(person: Person, since: int, **changes: Any) -> dict[str, Any]:
    """A new key, chain and draw root for a player's seat."""
    new = person.record_of("second")
    fresh = {"key": new.key, "chain": new.chain, "chain_length": new.chain_length, "draws": new.draws}
    return {"player": person.name, **fresh, "from": since, **changes}


def signed_by(table: Table, name: str) -> Table:
    table.ledger.entries += [Entry(C, "yamada", "turn", C), Entry(A, name, "seat", B)]
    return table


def test_a_player_changes_his_own_key_behind_the_last_acceptance() -> None:
    nowak = people()["nowak"]
    seats.check(signed_by(at(), "nowak"), record(nowak, 4), 1)
    for since in (2, 3, 5):
        words = f"the new key holds from file 4, not {since}"
        assert refused(seats.check, signed_by(at(), "nowak"), record(nowak, since), 1) == (Outcome.REFUSED, words)


def test_nobody_else_changes_it_unless_the_charter_says_so() -> None:
    party = people()
    nowak, yamada = party["nowak"], party["yamada"]
    alone = (Outcome.WRONG_KEY, "only nowak himself can change his key: the charter allows nobody else")
    for lost_keys, by in (("", "dubois"), ("", "smith"), ("umpire", "dubois"), ("others", "smith"), ("others", "yamada")):
        since = 2 if by == "smith" else 3
        assert refused(seats.check, signed_by(at(lost_keys), by), record(nowak, since), 1) == alone
    seats.check(signed_by(at("others"), "dubois"), record(nowak, 3), 1)
    seats.check(signed_by(at("umpire"), "smith"), record(nowak, 2), 1)
    wrong = refused(seats.check, signed_by(at("others"), "nowak"), record(yamada, 3), 1)
    assert wrong == (Outcome.WRONG_KEY, "only yamada himself can change his key: the charter allows nobody else")


def test_where_the_umpire_alone_decides_a_player_who_changes_his_own_key_still_asks_the_others() -> None:
    table = at("umpire")
    assert seats.first_file(table, "nowak", "nowak", 7) == 10
    assert seats.first_file(table, "smith", "nowak", 7) == 8
    assert seats.first_file(at("others"), "dubois", "nowak", 7) == 9
    assert seats.first_file(at("others"), "smith", "nowak", 7) == 10, "the umpire does not decide alone there"


def test_a_ruling_in_the_log_lets_a_substitute_in() -> None:
    nowak = people()["nowak"]
    late = deadlines.chosen("72h", "48h", "substitute")

    def ruled(table: Table, *by: str) -> Table:
        table.ledger.rulings += [Ruled(1, table.charter.game_id, "nowak", name, "substitute") for name in by]
        return table

    with_umpire = ruled(signed_by(at(overdue=late), "smith"), "smith")
    seats.check(with_umpire, record(nowak, 2), 1)
    assert (seats.first_file(with_umpire, "smith", "nowak", 1), seats.first_file(with_umpire, "smith", "nowak", 2)) == (2, 5)
    assert refused(seats.check, with_umpire, record(people()["dubois"], 2), 1)[0] is Outcome.WRONG_KEY
    without = ruled(signed_by(at(role="", overdue=late), "dubois"), "dubois")
    seats.check(without, record(nowak, 3), 1)
    later = (Outcome.WRONG_KEY, "only nowak himself can change his key: the charter allows nobody else")
    assert refused(seats.check, without, record(nowak, 4), 2) == later


@pytest.mark.parametrize("name", ["stranger", "smith"])
def test_whoever_holds_no_seat_gets_no_new_key(name: str) -> None:
    stranger = record(people()["nowak"], 4, player=name)
    words = (Outcome.REFUSED, f"{name} holds no seat in this game")
    assert refused(seats.check, signed_by(at(), name), stranger, 1) == words


def test_what_is_no_key_is_none() -> None:
    nowak = people()["nowak"]
    with pytest.raises(ProtocolError):
        seats.check(signed_by(at(), "nowak"), record(nowak, 4, key="no key"), 1)


def test_an_escrow_comes_with_a_new_chain_where_the_umpire_holds_one_and_nowhere_else() -> None:
    words = (Outcome.BAD_CHAIN, "a new chain brings its escrow where the umpire holds one, else none")
    party = people("escrow")
    sealed = party["nowak"].escrow("second", party["smith"].escrow_public)
    seats.check_escrow(at(role="escrow"), {"escrow": sealed})
    seats.check_escrow(at(), {})
    for table, brought in ((at(role="escrow"), {}), (at(role="escrow"), {"escrow": "garbage"}), (at(), {"escrow": sealed})):
        assert refused(seats.check_escrow, table, brought) == words
    got = refused(seats.check, signed_by(at(role="escrow"), "nowak"), record(party["nowak"], 4), 1)
    assert got == words


def test_keys_tips_and_roots_are_nobodys_already() -> None:
    party = people()
    nowak, yamada, smith = party["nowak"], party["yamada"].record, party["smith"].record
    table = signed_by(at(), "nowak")
    table.ledger.tips.append(A)
    table.ledger.roots.append(B)
    table.ledger.trees.append(DrawTree("dubois", C, 0, 0))
    table.ledger.held.append(KeyHeld("dubois", nowak.record_of("third").key, 1))
    used = {
        "key": [yamada.key, smith.key, nowak.record_of("third").key],
        "chain": [yamada.chain, smith.chain, A],
        "draws": [yamada.draws, smith.draws, B, C],
    }
    names = {"key": "key", "chain": "tip", "draws": "root"}
    for name, values in used.items():
        words = f"this {names[name]} is in the log already: one of two has copied the other's"
        for value in values:
            changed = record(nowak, 4, **{name: value})
            assert refused(seats.check, table, changed, 1) == (Outcome.REFUSED, words)
    seats.check(table, record(nowak, 4, chain=B, draws=A), 1)


# -- what holds afterwards --------------------------------------------------------------------------------------------


def test_key_chain_and_draw_keys_serve_from_the_file_that_is_named() -> None:
    nowak = people()["nowak"]
    for name, count in (("nowak", 3), ("dubois", 0)):
        table = at()
        ledger = table.ledger
        ledger.draw_counts = {"nowak": 3, "yamada": 9}
        before = len(ledger.held), len(ledger.trees), len(ledger.tips)
        seats.take_over(table, {**record(nowak, 7), "player": name, "chain_length": "512"}, 7)
        new = nowak.record_of("second")
        assert ledger.keys[name] == new.key and ledger.held[-1] == KeyHeld(name, new.key, 7, "")
        assert ledger.chains[name] == Chain(new.chain, 512) and ledger.tips[-1] == new.chain
        assert ledger.trees[-1] == DrawTree(name, new.draws, count, 7)
        assert (len(ledger.held), len(ledger.trees), len(ledger.tips)) == tuple(n + 1 for n in before)
    seats.take_over(table, record(nowak, 9, holder="Jones"), 9)
    assert table.ledger.held[-1].holder == "Jones"


# -- who signs a file -------------------------------------------------------------------------------------------------


def test_whoever_plays_signs_and_the_umpire_with_the_escrow_for_him() -> None:
    for table, document in (
        (at(), {"player": "nowak"}),
        (at(), {"player": "smith"}),
        (at(role="escrow"), {"player": "nowak", "signed_by": "smith"}),
        (at(), {"player": "nowak", "signed_by": None}),
    ):
        seats.check_signer(table, document)
    strange = (Outcome.WRONG_KEY, "stranger does not play in this game")
    assert refused(seats.check_signer, at(), {"player": "stranger"}) == strange
    alone = (Outcome.WRONG_KEY, "only an umpire who holds the escrow signs for another player")
    for role, by in (("witness", "smith"), ("escrow", "dubois"), ("escrow", "nowak"), ("escrow", "")):
        document = {"player": "nowak", "signed_by": by}
        assert refused(seats.check_signer, at(role=role), document) == alone


def test_a_file_is_signed_with_the_key_of_its_place() -> None:
    party = people()
    nowak, table = party["nowak"], at()
    file = nowak.write(Draft()).document if nowak.table.due.player == "nowak" else {"player": "nowak"}
    document = {**file, "player": "nowak", "seq": 1}
    seats.check_signature(table, nowak.sign(document))
    second = nowak.record_of("second").key
    table.ledger.held.append(KeyHeld("nowak", second, 3))
    seats.check_signature(table, nowak.sign(document))
    old = nowak.private
    nowak.private = nowak.key_of("second")
    early = nowak.sign(document)
    assert refused(seats.check_signature, table, early) == (
        Outcome.WRONG_KEY,
        "signed with a key that does not hold at file 1",
    )
    table.ledger.held[-1] = KeyHeld("nowak", second, 1)
    seats.check_signature(table, early)
    assert refused(seats.check_signature, table, party["yamada"].sign(document))[0] is Outcome.BAD_SIGNATURE
    nowak.private = old
    assert refused(seats.check_signature, table, nowak.sign(document))[0] is Outcome.WRONG_KEY


def test_behind_a_gap_any_key_of_the_signer_will_do_until_it_is_filled() -> None:
    nowak, table = people()["nowak"], at()
    table.ledger.held.append(KeyHeld("nowak", nowak.record_of("second").key, 1))
    for seq, waits in ((1, False), (2, True)):
        document = nowak.sign({"player": "nowak", "seq": seq})
        if waits:
            seats.check_signature(table, document)
        else:
            assert refused(seats.check_signature, table, document)[0] is Outcome.WRONG_KEY


def test_for_another_player_the_umpires_own_key_counts() -> None:
    party = people("escrow")
    table, document = at(role="escrow"), {"player": "nowak", "seq": 1, "signed_by": "smith"}
    seats.check_signature(table, party["smith"].sign(document))
    assert refused(seats.check_signature, table, party["nowak"].sign(document))[0] is Outcome.BAD_SIGNATURE
    table.ledger.draws.append(DrawMade(0, "nowak", "red", A, 1, 1))
    seats.check_signature(table, party["smith"].sign(document))

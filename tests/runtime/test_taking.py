"""Taking a file: why a filled place takes no other, also where a heal or a restore has settled it; when links are renewed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.wording import msg
from pbem.protocol import chain
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError
from pbem.runtime import taking
from pbem.runtime.composing import Draft
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Chain, DrawTree, Entry
from pbem.runtime.taking import SKIPPED, SPARED, Refused, show_link, take
from tests.toygame.healing import Healer, branch, forged, healed, replayed
from tests.toygame.healing import named as healer
from tests.toygame.party import NONCE, Person
from tests.toygame.test_after_a_loss import file, restored
from tests.toygame.test_attacks import signed
from tests.toygame.test_heal import GO, HALT, PASS
from tests.toygame.test_heal import marching as healers_marching
from tests.toygame.test_refusals import at_the_march, deliver
from tests.toygame.test_seats import named
from tests.toygame.test_umpire import stalled, stand_in, with_umpire

Told = tuple[Outcome, str]


def told(person: Person, document: dict[str, Any]) -> Told:
    """Why a file is not taken; it has changed nothing."""
    before = person.table.to_plain()
    with pytest.raises(ProtocolError) as caught:
        take(person.table, document, person.fetch)
    assert person.table.to_plain() == before
    return caught.value.outcome, str(caught.value)


# -- places that are filled -----------------------------------------------------------------------------------------------


def parted() -> tuple[list[Healer], list[dict[str, Any]], int]:
    """A heal has given up a version of four files; its files, and the newest place that stayed."""
    party = healers_marching()
    first, second = branch(party, GO, PASS), branch(party, HALT)
    second += [f := forged(healer(party, "dubois"), second[-1]), forged(healer(party, "nowak"), f, 2)]
    second.append(forged(healer(party, "dubois"), second[-1], 2))
    healed(party, [first, second], 0)
    return party, second, int(first[-1]["seq"])


def test_at_places_that_were_given_up_nothing_is_taken() -> None:
    party, second, to = parted()
    for document in second:
        said = f"this file {document['seq']} was given up when the game was healed: it is void"
        assert told(party[0], document) == (Outcome.ALREADY_KNOWN, said)
    types = [e.type for e in party[0].table.ledger.entries]
    assert types[to + 1 :] == ["void", "void", "heal"]
    for seq in range(to + 1, len(types)):
        late = healer(party, "nowak").sign({**second[2], "seq": seq, "note": ["another"]})
        said = f"place {seq} was given up when the game was healed: nothing stands there"
        assert told(party[0], late) == (Outcome.REFUSED, said)


def test_a_log_with_a_heal_in_it_is_played_again_to_the_same_table() -> None:
    party, _, to = parted()
    again = replayed(party[0].log, party)
    assert again.to_plain() == party[0].table.to_plain()
    before = replayed(party[0].log[: to + 1], party)
    for seq in range(to + 1, len(party[0].log)):
        document, unchanged = party[0].log[seq], before.to_plain()
        copied = take(before, document, party[0].fetch)
        assert before.to_plain() == unchanged and copied.seq == seq == copied.table.last
        taken = taking.take_in_place(before, document, party[0].fetch)
        assert taken.table is before and taken.seq == seq == before.last
        assert taken.id == before.ledger.entries[seq].id
    assert before.to_plain() == again.to_plain()


def test_in_place_a_file_changes_the_table_itself_and_the_copy_of_take_does_not() -> None:
    party, writer = at_the_march()
    document = signed(writer, Draft(orders=["halt"]))
    table = party[0].table
    before = table.to_plain()
    copied = take(table, document, party[0].fetch)
    assert table.to_plain() == before and copied.table is not table
    taken = taking.take_in_place(table, document, party[0].fetch)
    assert taken.table is table and table.to_plain() == copied.table.to_plain() != before
    assert (taken.seq, taken.id, taken.turned, taken.events) == (copied.seq, copied.id, copied.turned, copied.events)
    assert taken.id == table.ledger.entries[-1].id and taken.events
    with pytest.raises(ProtocolError, match=f"file {taken.seq} by .* is already in the log"):
        taking.take_in_place(table, document, lambda seq: document)


def test_a_lost_file_gives_way_to_the_one_that_stands() -> None:
    party, nowak, asked, given = restored()
    seq, lost = party[0].table.last + 1, file(nowak, orders=["go"])
    deliver(party, file(nowak, asked, *given))
    said = f"after a restore everybody has signed that he held no file {seq} of nowak: the log's stands"
    assert told(party[0], lost) == (Outcome.REFUSED, said)


def test_a_file_that_stands_shows_that_the_logs_was_lost() -> None:
    party, nowak, asked, given = restored()
    seq = party[0].table.last + 1
    standing = file(nowak, asked, *given)
    deliver(party, file(nowak, orders=["go"]))
    said = f"this file {seq} stands against the log's: after a restore all others have signed that they hold none"
    assert told(party[0], standing) == (Outcome.DIVERGED, said)


def test_of_two_files_under_one_question_neither_stands() -> None:
    party, nowak, asked, given = restored()
    seq = party[0].table.last + 1
    one, two = file(nowak, asked, *given), file(nowak, asked, *given, orders=["go"])
    deliver(party, one)
    assert told(party[0], two) == (Outcome.EQUIVOCATION, f"another file {seq} by nowak is already in the log")


def test_when_the_game_is_over_nobody_sends_a_file() -> None:
    party, nowak = at_the_march()
    turn = signed(nowak, Draft(orders=["halt"]))
    other = named(party, "yamada").sign({**turn, "player": "yamada"})
    party[0].table.ledger.agreed = "draw"
    party[0].table.advance_nothing()
    for document, name in ((turn, "nowak"), (other, "yamada")):
        said = f"file {document['seq']} is due from nobody: the game is over, not from {name}"
        assert told(party[0], document) == (Outcome.WRONG_KEY, said)


def test_a_file_of_the_player_behind_the_umpires_stand_in_has_the_same_link_or_none_that_counts() -> None:
    party = with_umpire("escrow")
    player = stalled(party)
    own = player.sign(player.write(Draft()).document)
    seq, name = int(own["seq"]), player.name
    deliver(party, stand_in(named(party, "smith")))
    said = f"file {seq} has been turned with the same link: the dice are the same"
    assert told(party[0], own) == (Outcome.ALREADY_KNOWN, said)
    other = player.sign({**own, "link": "ab" * 32})
    assert told(party[0], other) == (Outcome.BAD_CHAIN, f"the link of this file {seq} is not {name}'s next one")
    again = named(party, "smith").sign({**own, "signed_by": "smith", "note": ["another"]})
    assert told(party[0], again) == (Outcome.EQUIVOCATION, f"another file {seq} by {name} is already in the log")


# -- faults of the program ------------------------------------------------------------------------------------------------


def test_where_the_program_fails_a_file_is_refused_for_what_it_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = None
    fault: list[Exception] = [ZeroDivisionError("by nought")]

    def broken(*_: Any) -> None:
        raise fault[0]

    monkeypatch.setattr(taking, "_play", broken)

    def played(hand: Hand) -> Any:
        with pytest.raises(Exception) as caught:
            taking.play(table, {}, hand, "id", dict)
        return caught.value

    for hand, order in ((Hand("nowak", 7, ["a", "b"], next=2), 1), (Hand("nowak", 7, openings=[{}]), None)):
        refused = played(hand)
        assert isinstance(refused, Refused) and [p.order for p in refused.problems] == [order]
        assert "ZeroDivisionError" in refused.problems[0].trace and refused.__cause__ is fault[0]
    alone = played(Hand("nowak", 7, ["a"]))
    assert isinstance(alone, ProgramFault) and str(alone).startswith("file 7 cannot be judged") and alone.__cause__ is fault[0]
    for other in (RecursionError(), MemoryError()):
        fault[0] = other
        assert isinstance(played(Hand("nowak", 7, ["a"], next=1)), ProgramFault), "another machine may judge it"
    for said in (ProtocolError(Outcome.REFUSED, msg("x")), Refused([])):
        fault[0] = said
        assert played(Hand("nowak", 7, ["a"], next=1)) is said


# -- links ----------------------------------------------------------------------------------------------------------------


class Links:
    """What `show_link` uses of a table: one player whose chain has so many links left."""

    def __init__(self, left: int, **more: Any) -> None:
        self.secret = bytes(32)
        self.held = Chain(self.link(0), left, 0, **more)
        trees = [DrawTree("nowak", "00" * 32, 0, 0)]
        self.ledger: Any = type("Ledger", (), {})()
        self.ledger.chains, self.ledger.trees, self.ledger.entries = {"nowak": self.held}, trees, [Entry("0", "", "charter")]
        self.ledger.draw_keys_left = lambda player: 1000
        self.charter: Any = type("Charter", (), {"nonce": NONCE, "version": 2})()

    def link(self, n: int) -> str:
        """The value shown after n files."""
        return chain.link(NONCE, self.secret, 512, n) if n else chain.tip(NONCE, self.secret, 512)

    def show(self, n: int, **document: Any) -> Chain:
        return self.show_other(self.link(n), **document)

    def show_other(self, link: str, **document: Any) -> Chain:
        table: Any = self
        show_link(table, "nowak", link, 7, {"player": "nowak", **document})
        return self.held


def refused(attempt: Any) -> Told:
    with pytest.raises(ProtocolError) as caught:
        attempt()
    return caught.value.outcome, str(caught.value)


def test_a_link_is_the_next_one_and_is_counted() -> None:
    table = Links(100)
    held = table.show(1)
    assert (held.last, held.left, held.shown, held.skip) == (table.link(1), 99, 1, 0)
    said = (Outcome.BAD_CHAIN, "the link of file 7 is not nowak's next one")
    assert refused(lambda: table.show(1)) == said == refused(lambda: table.show(3))
    assert table.show(2).left == 98
    assert refused(lambda: Links(0).show(1)) == said and Links(1, next_tip="aa").show(1).left == 0


def test_links_that_are_left_out_are_counted_too() -> None:
    table = Links(100, skip=5, later=3)
    held = table.show(6)
    assert (held.last, held.left, held.skip, held.later) == (table.link(6), 96, 3, 0)
    assert (table.show(10).left, held.skip) == (95, 0)


QUESTION = {"slip": "restored", "player": "nowak"}


@pytest.mark.parametrize(
    ("left", "skip"),
    [(300, SKIPPED), (1 + SPARED + SKIPPED, SKIPPED), (SPARED + SKIPPED, SKIPPED - 1), (1 + SPARED, 0), (SPARED, 0), (2, 0)],
)
def test_after_a_restore_links_are_left_out_but_some_are_spared(left: int, skip: int) -> None:
    held = Links(left, next_tip="aa").show(1, slips=[QUESTION])
    assert (held.skip, held.left) == (skip, left - 1 - skip)
    assert Links(left, next_tip="aa").show(1, slips=[{**QUESTION, "player": "dubois"}]).skip == 0
    older = Links(left, next_tip="aa")
    older.charter.version = 1
    assert older.show(1, slips=[QUESTION]).skip == 0


@pytest.mark.parametrize(
    ("length", "before", "skip"),
    [(512, 0, SKIPPED), (512, 5, 5 + SKIPPED), (SPARED + SKIPPED, 1, SKIPPED), (64, 0, 64 - SPARED), (64, 40, 40)],
)
def test_after_a_restore_an_announced_chain_begins_later_too(length: int, before: int, skip: int) -> None:
    held = Links(300, next_tip="aa", next_length=length, next_skip=before).show(1, slips=[QUESTION])
    assert (held.next_skip, held.skip) == (skip, SKIPPED)
    assert Links(300, next_tip="aa", next_length=length, next_skip=before).show(1).next_skip == before
    assert Links(300).show(1, slips=[QUESTION]).next_skip == 0, "where none is announced the next one will be new"


@pytest.mark.parametrize(
    ("left", "at_once"), [(1 + SPARED + SKIPPED, False), (SPARED + SKIPPED, True), (1 + SPARED, True), (2, True)]
)
def test_where_too_few_links_are_left_to_leave_out_the_announced_chain_takes_over_at_once(left: int, at_once: bool) -> None:
    """Else the next file would show a link that the file shows that is lost, and who has seen that one knows it."""
    tip = chain.tip(NONCE, bytes([1]) * 32, 512)
    table: Any = Links(left, next_tip=tip, next_length=512)
    table.show(1, slips=[QUESTION])
    standing = taking.chain_in_use(table, "nowak")
    assert (standing.last, standing.skip) == ((tip, SKIPPED) if at_once else (table.link(1), SKIPPED))
    if at_once:
        held = table.show_other(chain.link(NONCE, bytes([1]) * 32, 512, SKIPPED + 1))
        assert (held.left, held.skip, held.next_tip, held.used_up) == (512 - SKIPPED - 1, 0, "", False)
    table = Links(left, next_tip=tip, next_length=512)
    table.show(1)
    assert taking.chain_in_use(table, "nowak").last == table.link(1), "without a loss it waits for another side"


def test_whoever_has_few_links_or_draw_keys_left_must_announce_more() -> None:
    assert Links(taking.RENEW_BELOW + 1).show(1).left == taking.RENEW_BELOW
    said = f"fewer than {taking.RENEW_BELOW} links left: file 7 must announce next_chain"
    assert refused(lambda: Links(taking.RENEW_BELOW).show(1)) == (Outcome.BAD_CHAIN, said)
    assert Links(taking.RENEW_BELOW).show(1, signed_by="smith").left == taking.RENEW_BELOW - 1
    for keys, enough in ((taking.RENEW_BELOW, True), (taking.RENEW_BELOW - 1, False)):
        table = Links(100)
        table.ledger.draw_keys_left = lambda player, keys=keys: keys
        if enough:
            table.show(1)
        else:
            said = f"fewer than {taking.RENEW_BELOW} draw keys left: file 7 must announce next_draws"
            assert refused(lambda table=table: table.show(1)) == (Outcome.BAD_CHAIN, said)


def test_a_chain_that_takes_over_leaves_nothing_of_the_old_one() -> None:
    table: Any = Links(100, next_tip="ab" * 32, next_length=512, next_skip=4, announced=1, skip=7, later=2)
    sides = {"nowak": "allies", "yamada": "axis"}
    table.side_of = sides.__getitem__
    table.ledger.entries += [Entry("1", "nowak", "turn"), Entry("2", "nowak", "turn")]
    before = replace(table.held)
    assert taking.chain_of(table, "nowak") is table.held and table.held == before, "nobody else has seen it"
    table.ledger.entries.append(Entry("3", "yamada", "turn"))
    assert taking.chain_in_use(table, "nowak") == taking.Standing("ab" * 32, 508, 4) and table.held == before
    held = taking.chain_of(table, "nowak")
    assert held is table.held and held == replace(before, last="ab" * 32, left=508, skip=4, next_tip="", next_skip=0, later=0)

"""The parts of a file being written: its head, seals and their numbers, plans that are shut, commitments, an umpire's file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel import plans
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Problem, illegal
from pbem.kernel.wording import msg, verbatim
from pbem.protocol import seals
from pbem.protocol.keys import key_bytes
from pbem.runtime import composing
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.hand import Hand, Unsealed
from pbem.runtime.ledger import Chain, DrawMade, Entry, Rolled, Seal
from pbem.runtime.taking import Refused
from tests.runtime import desks
from tests.runtime.desks import GAME, KEYS, Desk
from tests.toygame.party import Person, send
from tests.toygame.test_dues import people

A, B = "aa" * 32, "bb" * 32


def secrets(**more: Any) -> Secrets:
    return Secrets("nowak", lambda n: f"link {n}", {}, **more)


def salt(seq: int, number: int, order: Plain) -> bytes:
    return bytes([seq, number]) * 16


@pytest.fixture
def desk() -> Any:
    desk = Desk()
    desk.ledger.keys = KEYS
    desk.ledger.chains = {"nowak": Chain(A, 9, shown=4)}
    desk.ledger.entries = [Entry("before", "", "charter")]
    return desk


def sealed_by(desk: Any, draft: Draft) -> tuple[dict[str, Any], dict[str, Any]]:
    """The document and what was sealed."""
    document: dict[str, Any] = {"orders": [], "standing_sealed": {}, "plan": []}
    return document, composing._seal_all(desk, secrets(), draft, document, 7, salt)


def refusals(caught: Any) -> list[str]:
    return [str(problem.reason) for problem in caught.value.problems]


# -- the head ---------------------------------------------------------------------------------------------------------


def test_the_head_of_a_file_in_reading_order(desk: Any) -> None:
    draft = Draft(standing={"x": 1}, note=("hello",), type="offer", extra={"offer": {"draw": True}}, slips=({"slip": "s"},))
    head = composing._header(desk, secrets(), draft, 7)
    assert head == {
        **{"pbem": 2, "type": "offer", "game": GAME, "seq": 7, "prev": "before", "player": "nowak", "link": "link 5"},
        **{"state": None, "dice": [], "orders": [], "standing": {"x": 1}, "standing_sealed": {}, "plan": [], "commit": []},
        **{"open": [], "offer": {"draw": True}, "slips": [{"slip": "s"}], "note": ["hello"]},
    }
    assert [*head][:7] == ["pbem", "type", "game", "seq", "prev", "player", "link"]
    assert [*head][-3:] == ["offer", "slips", "note"]


# -- seals ------------------------------------------------------------------------------------------------------------


def hash_of(number: int, order: Plain) -> str:
    return seals.seal(GAME, key_bytes(KEYS["nowak"]), 7, number, salt(7, number, order), order)


def test_orders_are_sealed_for_their_seat_in_their_place_with_their_numbers(desk: Any) -> None:
    orders: list[Plain] = ["go", {"seal": 2, "seat": "red"}, {"seal": 3}, {"seal": None, "seat": "rust"}]
    document, kept = sealed_by(desk, Draft(orders))
    assert document["orders"] == ["go", {"sealed": hash_of(0, 2)}, {"seal": 3}, {"sealed": hash_of(1, None)}]
    assert kept == {
        "red:seal7:0": {"order": 2, "salt": salt(7, 0, 2).hex()},
        "rust:seal7:1": {"order": None, "salt": salt(7, 1, None).hex()},
    }


def test_sealed_clauses_of_each_kind_are_eight_with_their_scopes(desk: Any) -> None:
    shown = {"do": 2, "scope": "hill", "show": "scope"}
    document, kept = sealed_by(desk, Draft(sealed_standing={"z": [shown], "b": [1, shown]}))
    clause = {"do": 2, "scope": "hill"}
    assert (
        [*document["standing_sealed"]] == ["b", "z"] and len(kept) == 16 and [*kept][:2] == ["nowak:seal7:0", "nowak:seal7:1"]
    )
    assert document["standing_sealed"]["b"] == [
        hash_of(0, {"do": 1}),
        {"seal": hash_of(1, clause), "scope": "hill"},
        *(hash_of(n, None) for n in range(2, 8)),
    ]
    others = [{"seal": hash_of(n, None), "scope": "hill"} for n in range(9, 16)]
    assert document["standing_sealed"]["z"] == [{"seal": hash_of(8, clause), "scope": "hill"}, *others]


@pytest.mark.parametrize(("clauses", "padding"), [([], 8), ([1] * 8, 0), ([1], 7)])
def test_there_are_eight_of_a_kind(clauses: list[Plain], padding: int) -> None:
    assert composing._eight("x", clauses, 2) == [({"do": 1}, "")] * len(clauses) + [(None, "")] * padding


@pytest.mark.parametrize("version", [1, 2])
def test_a_scope_is_shown_from_version_2_on(version: int) -> None:
    clause: Plain = {"do": 2, "scope": "hill", "show": "scope"}
    if version == 2:
        assert composing._eight("x", [clause], version)[0] == ({"do": 2, "scope": "hill"}, "hill")
        return
    with pytest.raises(Refused) as caught:
        composing._eight("x", [clause], version)
    assert refusals(caught) == ["x: show 'scope'"]


def test_a_condition_of_a_clause_is_read_and_a_bare_mapping_is_an_answer() -> None:
    assert composing._sealed_clause("x", {"retreat": "home"}, 2) == ({"do": {"retreat": "home"}}, "")
    clause: Plain = {"do": 1, "when": "a = 1", "life": "once"}
    assert composing._sealed_clause("x", clause, 2) == (clause, "")


def test_steps_of_a_plan_that_say_sealed_show_question_and_seat_alone(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Any] = []
    monkeypatch.setattr(composing.planned, "check", lambda *given, shut: judged.append((*given, shut)))
    shut: dict[str, Plain] = {"at": "bid", "seat": "red", "do": [2], "when": "at = 1"}
    bare: dict[str, Plain] = {"at": "stop", "do": ["stop"]}
    plan: list[Plain] = [{**bare, "sealed": False}, {**shut, "sealed": True}, bare, {**bare, "sealed": True}]
    document, kept = sealed_by(desk, Draft([{"seal": 1, "seat": "red"}], plan=plan))
    assert judged == [(desk, "nowak", [bare, shut, bare, bare], False)]
    hidden = {"do": [2], "when": "at = 1"}
    assert document["plan"] == [
        bare,
        {"at": "bid", "seat": "red", "sealed": hash_of(1, hidden)},
        bare,
        {"at": "stop", "sealed": hash_of(2, {"do": ["stop"]})},
    ]
    assert [*kept] == ["red:seal7:0", "nowak:seal7:1", "nowak:seal7:2"] and kept["nowak:seal7:1"]["order"] == hidden


def test_a_plan_that_cannot_be_carried_out_is_not_written(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(table: Any, player: str, steps: Any, *, shut: bool) -> None:
        raise illegal(verbatim(f"{steps}"), "P")

    monkeypatch.setattr(composing.planned, "check", check)
    odd: list[Plain] = ["nothing", {"at": "bid", "sealed": "yes"}]
    with pytest.raises(Refused) as caught:
        sealed_by(desk, Draft(plan=odd))
    assert refusals(caught) == [str(odd)], "what is no word for sealing stays as it was written"
    assert composing._judged_plan(desk, "nowak", []) == [], "no plan is none that cannot be made"


def test_a_step_of_a_plan_that_ends_a_phase_by_name_ends_one_of_this_game(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(composing.phases, "in_step", lambda *given: asked.append(given) or given[1])
    monkeypatch.setattr(composing.planned, "check", lambda *given, shut: None)
    step: Plain = {"at": "noncombat-move", "do": ["done: noncombat-move"]}
    assert composing._judged_plan(desk, "nowak", [step]) == [step] and asked == [(desk.game, step)]


# -- sealed by itself -------------------------------------------------------------------------------------------------


def test_an_order_that_has_to_be_secret_is_sealed_in_its_place() -> None:
    read: list[Plain] = []
    found = Unsealed(1, "red", read.append)
    assert composing._with_seal(["a", "b", "c"], found) == ["a", {"seal": "b", "seat": "red"}, "c"] and read == ["b"]


def test_one_that_is_not_legal_is_refused_in_its_place() -> None:
    def read(order: Plain) -> None:
        raise illegal(verbatim(f"not {order}"), "R 1")

    with pytest.raises(Refused) as caught:
        composing._with_seal(["a", "b"], Unsealed(1, "red", read))
    assert caught.value.problems == [Problem("not allowed", verbatim("not b"), "R 1", order=1)]


def test_what_was_sealed_for_a_seat_that_is_not_asked_is_named(desk: Any) -> None:
    desk.ledger.seals = {"blue:seal7:1": Seal("nowak", 7, 1, A, "bid"), "red:seal7:0": Seal("nowak", 7, 0, A, "bid")}
    orders: list[Plain] = ["go", {"seal": 1, "seat": "red"}, {"seal": 2, "seat": "rust"}]
    new: dict[str, Any] = {"red:seal7:0": {}, "rust:seal7:1": {}, "nowak:seal7:2": {}}
    with pytest.raises(Refused) as caught:
        composing._check_seats(desk, Draft(orders), new)
    (problem,) = caught.value.problems
    reason = msg("sealed for {seat}, but {asked} is asked", seat="rust", asked="blue")
    assert problem == Problem("cannot be read", reason, "protocol", msg("seat: the one that is asked"), 2)
    composing._check_seats(desk, Draft(orders[:2]), new)
    del desk.ledger.seals["blue:seal7:1"]
    with pytest.raises(Refused) as caught:
        composing._check_seats(desk, Draft(orders), new)
    assert refusals(caught) == ["sealed for rust, but nobody is asked"]


# -- own hidden things ------------------------------------------------------------------------------------------------


def test_own_hidden_things_are_spelled_out_wherever_a_draft_names_them(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Game(desks.Game):
        hidden_hands = False

        def spelled_out(self, state: Any, seat: str, order: Plain, cards: Any) -> Plain:
            assert state == "state"
            return f"{order} {seat} {cards}" if isinstance(order, str) else {"of": seat, "was": order}

    desk.game = Game()
    draft = Draft(["a"], {"x": "b"}, {"y": ["c", "d"]}, note=["n"])
    assert composing.spelled_out(desk, secrets(), draft) is draft
    desk.game.hidden_hands = True
    desk.engine.state = "state"
    desk.charter.seats_of = lambda player: {"nowak": ["red", "rust"]}[player]
    monkeypatch.setattr(composing.Knowledge, "hand", lambda self, seat: f"{self.player}'s {len(self.sealed)} {seat}")
    own = secrets(sealed={"h": {}})
    said = " red nowak's 1 red rust nowak's 1 rust"
    wanted = replace(draft, orders=["a" + said], standing={"x": "b" + said}, sealed_standing={"y": ["c" + said, "d" + said]})
    assert composing.spelled_out(desk, own, draft) == wanted


# -- commitments and openings -----------------------------------------------------------------------------------------


@dataclass
class Known:
    """Commits to its draws and opens what it is asked for."""

    player: str = "nowak"
    asked: list[Any] = field(default_factory=list)

    def commitments(self, made: DrawMade) -> list[str]:
        return [f"item of {made.j}"]

    def opening(self, handle: str) -> Plain:
        self.asked.append(handle)
        return {"handle": handle}

    def claim(self, n: int, request: Any) -> Plain:
        return {"claim": n, "value": request}

    reveal = "what he knows"


def drawn(desk: Any, *numbers: int) -> None:
    desk.ledger.draws = [DrawMade(j, "nowak", "red", "", 1, 1) for j in numbers]


def test_every_draw_without_commitments_gets_them_once(desk: Any) -> None:
    drawn(desk, 3, 4, 5)
    desk.ledger.commits["nowak 3"] = ["x"]
    document: dict[str, Any] = {"commit": [{"draw": 4, "items": ["there"]}]}
    known: Any = Known()
    for _ in range(2):
        composing.commit_all(document, desk, known)
        assert document["commit"] == [{"draw": 4, "items": ["there"]}, {"draw": 5, "items": ["item of 5"]}]
    umpires: dict[str, Any] = {"commit": [], "signed_by": "smith"}
    composing.commit_all(umpires, desk, known)
    assert umpires["commit"] == []


def test_the_owner_commits_before_he_opens_and_an_umpire_opens_nothing(desk: Any) -> None:
    drawn(desk, 3)
    document: dict[str, Any] = {"commit": [], "player": "nowak", "seq": 7}
    known: Any = Known()
    supply = composing._Committing(desk, known, document)
    assert supply.reveal == "what he knows" and supply.claim(2, "r") == {"claim": 2, "value": "r"}
    assert supply.opening("h") == {"handle": "h"} and known.asked == ["h"]
    assert document["commit"] == [{"draw": 3, "items": ["item of 3"]}]
    assert (desk.ledger.commits, desk.ledger.committed_in) == ({"nowak 3": ["item of 3"]}, {"nowak 3": 7})
    umpire = composing._Committing(desk, known, {**document, "signed_by": "smith"})
    assert umpire.opening("i") is None and umpire.claim(2, "r") is None and known.asked == ["h"]


def test_a_document_being_written_makes_its_commitments_when_it_is_asked_for_them(desk: Any) -> None:
    drawn(desk, 3)
    document: dict[str, Any] = {"commit": [], "seq": 7}
    known: Any = Known()
    lenient = composing._Lenient(document, desk, known)
    assert (lenient.get("seq"), lenient.get("none"), lenient.get("none", 5)) == (7, None, 5) and document["commit"] == []
    assert lenient.get("commit") == document["commit"] == [{"draw": 3, "items": ["item of 3"]}]


@pytest.mark.parametrize("state", ["", "before the orders"])
def test_a_file_is_completed_by_what_it_turned_opened_and_found(desk: Any, state: str) -> None:
    drawn(desk, 3)
    document: dict[str, Any] = {"commit": [], "player": "nowak", "seq": 7}
    hand = Hand("nowak", 7, state=state or None, openings=[{"handle": "h"}], turned=[Rolled(1, 0, "x", 6, "S", [3])])
    known: Any = Known()
    composing._complete(document, hand, desk, known)
    assert document["commit"] == [{"draw": 3, "items": ["item of 3"]}] and desk.ledger.committed_in == {"nowak 3": 7}
    assert document["dice"] == [{"roll": 0, "label": "x", "sides": 6, "dice": [3]}] and document["open"] == [{"handle": "h"}]
    assert document["state"] == (state or "state 0")


# -- the whole --------------------------------------------------------------------------------------------------------


def written(person: Person, draft: Draft, **more: Any) -> composing.Composed:
    return composing.compose(person.table, person.secrets(), draft, person.fetch, person.salt, **more)


def test_a_file_for_looking_stops_at_the_question_of_a_default() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    stopped, whole = written(party[2], Draft(), stops=True), written(party[2], Draft())
    assert (stopped.table.due.what, getattr(stopped.table.engine.request, "kind", "")) == ("orders", "pause")
    assert whole.table.due.what == "seal" and stopped.hand.stops and not whole.hand.stops


def test_an_umpires_own_seat_file_is_looked_at_before_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []

    def look(*given: Any) -> None:
        looked.append(given)
        raise LookupError

    monkeypatch.setattr(composing.seats, "check_link_shown", look)
    person = people()[0]
    written(person, Draft(orders=["left"]))
    assert looked == []
    with pytest.raises(LookupError):
        written(person, Draft(type="seat"))
    ((table, document),) = looked
    assert table is person.table and (document["type"], document["seq"]) == ("seat", 1)


def test_a_seal_is_salted_by_its_file_its_number_and_its_order() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft())
    salts: list[Any] = []

    def fresh(*given: Any) -> bytes:
        salts.append(given)
        return bytes(32)

    person = party[2]
    made = composing.compose(person.table, person.secrets(), Draft(orders=[2]), person.fetch, fresh)
    assert salts == [(3, 0, 2)] and [*made.sealed] == ["blue:seal3:0"] and person.table.last == 2
    assert made.document["prev"] == person.table.ledger.entries[-1].id and "open" not in made.document


def test_what_is_empty_is_left_out_but_the_place_before(monkeypatch: pytest.MonkeyPatch) -> None:
    person, header = people()[0], composing._header
    monkeypatch.setattr(composing, "_header", lambda *given: {**header(*given), "prev": None, "extra": 0, "no": None})
    document = written(person, Draft(orders=["left"])).document
    assert document["prev"] is None and document["extra"] == 0 and "no" not in document and "dice" not in document


def test_a_file_that_is_not_signed_has_no_id_and_an_agreed_undo_is_played_before_it_is_sent() -> None:
    party = people()
    for orders in (["left"], [], [2], []):
        send(party, Draft(orders=orders))
    writer = next(p for p in party if p.name == party[0].table.due.player)
    after = written(writer, Draft(type="undo", extra={"to": 3})).table
    assert after.ledger.entries[-1].id == "" and after.ledger.offer is not None and after.ledger.offer.id == ""
    send(party, Draft(type="undo", extra={"to": 3}))
    while (offer := party[0].table.ledger.offer) is not None:
        accept = Draft(type="accept", extra={"accepts": offer.id})
        writer = next(p for p in party if p.name == party[0].table.due.player)
        after = written(writer, accept).table
        send(party, accept)
    assert after.due.what == "seal" == party[0].table.due.what and after.ledger.voided == party[0].table.ledger.voided


def test_a_draft_is_spelled_out_first_and_what_it_announces_counts_from_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    person = people()[0]
    own, draft = person.secrets(), Draft(orders=["?"])
    named = Draft(orders=["left"], extra={"next_chain": {"tip": A, "length": 512}})
    monkeypatch.setattr(composing, "spelled_out", lambda *what: given.append(what) or named)
    made = composing.compose(person.table, own, draft, person.fetch, person.salt)
    assert given == [(person.table, own, draft)] and made.document["orders"] == ["left"]
    held = made.table.ledger.chains["nowak"]
    assert (held.next_tip, held.announced) == (A, 1)


def test_a_step_whose_answer_is_a_seal_holds_its_order_alone_and_any_other_sealed_one_the_whole() -> None:
    sealed: list[Any] = []

    def seal(content: Any) -> str:
        sealed.append(content)
        return "seal"

    shut = {"at": f"{plans.HIDDEN}bid", "seat": "red", "do": [{"bid": 3}, "never"]}
    assert composing._with_shut(shut, seal) == {"at": f"{plans.HIDDEN}bid", "seat": "red", "sealed": "seal"}
    hidden = {"at": "march", "later": 1, "do": ["go"], "when": "round = 1", "sealed": True}
    assert composing._with_shut(hidden, seal) == {"at": "march", "later": 1, "sealed": "seal"}
    assert sealed == [{"bid": 3}, {"do": ["go"], "when": "round = 1"}]
    assert composing._with_shut({**shut, "do": {"bid": 4}}, seal)["sealed"] == "seal" and sealed[2] == {"do": {"bid": 4}}  # type: ignore[index,call-overload]
    bare: Any = composing._with_shut({"at": "march", "do": ["go"]}, seal)
    assert bare["at"] == "march" and len(sealed) == 3

"""Signed files beside the line: which of them prove a fork, which lie at a filled place, which follow what is not here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.kernel.wording import english, verbatim
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.runtime import forks
from pbem.runtime.composing import Draft
from pbem.runtime.evidence import HEALED, Document, Evidence, Piece, Remark
from pbem.runtime.table import Table
from pbem.runtime.verdicts import Fault
from tests.toygame.party import Person
from tests.toygame.test_attacks import signed
from tests.toygame.test_refusals import at_the_march
from tests.toygame.test_seats import named
from tests.toygame.test_slips import refusal, slip
from tests.toygame.test_umpire import stalled, stand_in, with_umpire


@dataclass
class Heap:
    """Documents as a judge has sorted them, each file followed by none, in the order in which a test gives them."""

    table: Table
    found: Evidence = field(init=False)

    def __post_init__(self) -> None:
        self.found = Evidence(self.table.charter)

    def pieces(self, *documents: Document) -> list[Piece]:
        made = [Piece(f"document {n}", d, document_id(dict(d))) for n, d in enumerate(documents)]
        for piece in made:
            self.found.files[piece.id] = piece
            self.found.depth[piece.id] = 1
            self.found.behind.setdefault(str(piece.document["prev"]), []).append(piece)
        return made

    def forks(self, line: Sequence[Piece] = (), *, rules: bool = True) -> list[tuple[str, int, list[str]]]:
        found = forks.forks_of(self.found, line, self.table if rules else None)
        return [(f.player, f.seq, [name for name, _ in f.versions]) for f in found]

    def passed_over(self, line: Sequence[Piece], *, rules: bool = True) -> list[tuple[str, Outcome, str]]:
        table = self.table if rules else None
        told = forks.passed_over(self.found, line, table, forks.forks_of(self.found, line, table))
        return [(r.where, r.outcome, english(r.reason)) for r in told]


def heap() -> tuple[Heap, list[Person], Person]:
    party, nowak = at_the_march()
    return Heap(party[0].table), party, nowak


def several(nowak: Person, *notes: str) -> list[Any]:
    return [signed(nowak, Draft(orders=["go"]), note=[note]) for note in notes]


def after_a_loss(party: list[Person], nowak: Person) -> dict[str, Any]:
    """The file that stands against any other one."""
    asked = slip(nowak, "restored", {"asks": "ab" * 32})
    given = [slip(p, "head", {"answers": document_id(asked)}) for p in party if p is not nowak]
    return signed(nowak, Draft(orders=["halt"]), slips=[asked, *given])


# -- forks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [True, False])
def test_of_several_files_the_one_that_counts_is_the_first_and_all_others_are_told(rules: bool) -> None:
    at, _, nowak = heap()
    made = at.pieces(*several(nowak, "a", "b", "c"))
    for counted in made:
        others = [p.id for p in made if p is not counted]
        assert at.forks([counted], rules=rules) == [("nowak", made[0].seq, [counted.id, *others])]
    assert at.forks(rules=rules) == [("nowak", made[0].seq, [p.id for p in made])]


def test_one_file_and_the_same_one_twice_are_no_fork() -> None:
    at, _, nowak = heap()
    (one,) = at.pieces(*several(nowak, "a"))
    assert at.forks([one]) == [] and at.forks(rules=False) == []


@pytest.mark.parametrize("change", [{"prev": "cd" * 32}, {"seq": 99}, {"player": "dubois"}, {"signed_by": "smith"}], ids=str)
@pytest.mark.parametrize("rules", [True, False])
def test_files_at_different_places_are_no_fork(change: dict[str, Any], rules: bool) -> None:
    at, _, nowak = heap()
    one, two = several(nowak, "a", "b")
    at.pieces(one, nowak.sign({**two, **change}))
    assert at.forks(rules=rules) == []


@pytest.mark.parametrize("rules", [True, False])
def test_what_its_signer_has_not_signed_proves_nothing(rules: bool) -> None:
    at, party, nowak = heap()
    one, two = several(nowak, "a", "b")
    at.pieces(one, named(party, "dubois").sign(two))
    assert at.forks(rules=rules) == []
    at, party, nowak = heap()
    at.pieces(*(nowak.sign({**f, "player": "nobody"}) for f in (one, two)))
    assert at.forks(rules=rules) == [], "a stranger"


@pytest.mark.parametrize("rules", [True, False])
def test_an_umpire_who_signs_two_files_for_a_player_has_forked(rules: bool) -> None:
    party = with_umpire("escrow")
    stalled(party)
    made, smith = stand_in(named(party, "smith")), named(party, "smith")
    at = Heap(party[0].table)
    one, two = at.pieces(made, smith.sign({**made, "note": ["another"]}))
    assert at.forks([one], rules=rules) == [("smith", made["seq"], [one.id, two.id])]


def test_forks_are_told_by_their_place() -> None:
    at, party, nowak = heap()
    first, second = several(nowak, "a", "b")
    yamada = named(party, "yamada")
    behind = [yamada.sign({**first, "player": "yamada", "seq": first["seq"] + 1, "prev": document_id(first), "note": [n]})
              for n in ("c", "d")]  # fmt: skip
    at.pieces(*behind, first, second)
    assert [(player, seq) for player, seq, _ in at.forks()] == [("nowak", first["seq"]), ("yamada", first["seq"] + 1)]


def test_versions_are_those_that_one_file_proves_and_only_a_few_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    at, party, nowak = heap()
    stands, lost, third = at.pieces(after_a_loss(party, nowak), *several(nowak, "lost", "third"))
    assert at.forks([stands]) == [("nowak", lost.seq, [lost.id, third.id])], "none is a fork with the one that stands"
    monkeypatch.setattr(forks, "TRIED", 1)
    assert at.forks([stands]) == [] and at.forks([lost]) == [("nowak", lost.seq, [lost.id, third.id])]


def test_without_the_rules_what_was_refused_or_lost_proves_nothing() -> None:
    at, party, nowak = heap()
    one, other = several(nowak, "a", "b")
    head = {"file": document_id(one), "outcome": "diverged", "reason": "x"}
    for documents in (
        (one, signed(nowak, Draft(orders=["halt"]), replaces=document_id(one), slips=[slip(party[0], "refusal", head)])),
        (one, after_a_loss(party, nowak)),
    ):
        for pair in (documents, documents[::-1]):
            at = Heap(at.table)
            at.pieces(*pair)
            assert at.forks(rules=False) == [] and at.forks() == []
    at = Heap(at.table)
    at.pieces(one, other, after_a_loss(party, nowak))
    assert [len(versions) for *_, versions in at.forks(rules=False)] == [2]


def test_what_replaces_a_file_that_nobody_has_refused_proves_it_where_the_rules_are_here() -> None:
    at, party, nowak = heap()
    (one,) = several(nowak, "a")
    said = {**refusal(party[0], one), "reason": "forged"}
    for brought in ([], [said]):
        at = Heap(at.table)
        first, second = at.pieces(one, signed(nowak, Draft(orders=["halt"]), replaces=document_id(one), slips=brought))
        assert at.forks() == [("nowak", one["seq"], [first.id, second.id])] and at.forks(rules=False) == []


def test_how_many_files_follow_each_version_is_told_and_a_heal_counts_none() -> None:
    at, _, nowak = heap()
    one, two = at.pieces(*several(nowak, "a", "b"))
    at.found.depth |= {one.id: 4, two.id: HEALED + 3}
    (fork,) = forks.forks_of(at.found, [two], at.table)
    assert fork.versions == ((two.id, 2), (one.id, 3))
    assert (fork.player, fork.seq, fork.after_restore, fork.healed) == ("nowak", one.seq, False, 0)


@pytest.mark.parametrize("first", [True, False])
def test_a_loss_on_ones_own_word_is_told_of_either_version(first: bool) -> None:
    at, _, nowak = heap()
    said = slip(nowak, "restored", {"asks": "ab" * 32, "word": "the disk is broken"})
    plain, worded = at.pieces(*several(nowak, "a"), signed(nowak, Draft(orders=["halt"]), slips=[said]))
    (fork,) = forks.forks_of(at.found, [plain if first else worded], at.table)
    assert fork.after_restore and len(fork.versions) == 2


def test_a_fork_is_healed_by_a_heal_of_the_line_that_parts_at_it_or_before() -> None:
    at, _, nowak = heap()
    one, _ = at.pieces(*several(nowak, "a", "b"))
    seq = one.seq

    def healed(parts: int, place: int, *, binds: bool = True, counts: bool = True) -> int:
        heal = Piece("heal", {"seq": place, "forked": {"seq": parts}}, "heal")
        at.found.heals = {heal.id: heal} if binds else {}
        (fork,) = forks.forks_of(at.found, [one, heal] if counts else [one], at.table)
        return fork.healed

    assert healed(seq, seq + 1) == seq + 1 and healed(seq - 1, seq + 4) == seq + 4
    assert [healed(seq + 1, seq + 2), healed(seq - 2, seq), healed(seq - 3, seq - 1)] == [0, 0, 0]
    assert [healed(seq, seq + 1, binds=False), healed(seq, seq + 1, counts=False)] == [0, 0]


# -- places that others fill ------------------------------------------------------------------------------------------


def test_a_file_for_a_filled_place_is_told_with_who_fills_it() -> None:
    at, party, nowak = heap()
    counted, lost = at.pieces(after_a_loss(party, nowak), *several(nowak, "lost"))
    ally = named(party, "dubois").sign({**lost.document, "player": "dubois"})
    far = nowak.sign({**lost.document, "seq": 99})
    at.pieces(counted.document, lost.document, ally, far)
    at.found.behind = {str(counted.document["prev"]): [*at.found.files.values()]}
    place = f"file {lost.seq} of"
    assert at.passed_over([counted]) == [
        ("document 1", Outcome.ALREADY_KNOWN, f"{place} nowak: the place is filled by nowak"),
        ("document 2", Outcome.WRONG_KEY, f"{place} dubois: the place is filled by nowak"),
    ]
    assert at.passed_over([counted], rules=False) == at.passed_over([counted])
    at.found.files.pop(counted.id)
    assert at.passed_over([counted]) == [], "a void place, a heal"


def test_what_is_told_elsewhere_is_not_passed_over() -> None:
    at, party, nowak = heap()
    counted, other = at.pieces(*several(nowak, "a", "b"))
    assert at.forks([counted]) and at.passed_over([counted]) == [], "versions of a fork"
    assert at.passed_over([counted, other]) == []
    wrong = signed(nowak, Draft(orders=["go"]), state="ab" * 32)
    right = signed(nowak, Draft(orders=["halt"]), replaces=document_id(wrong), slips=[refusal(party[0], wrong)])
    at = Heap(at.table)
    right_piece, _ = at.pieces(right, wrong)
    assert at.forks([right_piece]) == [] and at.passed_over([right_piece]) == [], "refused and replaced"
    at = Heap(at.table)
    stands, lost = at.pieces(after_a_loss(party, nowak), *several(nowak, "lost"))
    at.table.ledger.gone = [lost.id]
    assert at.passed_over([stands]) == [], "given up when the game was healed"
    assert len(at.passed_over([stands], rules=False)) == 1


def test_refusals_that_a_file_brings_name_what_it_replaces() -> None:
    said = [{"slip": "refusal", "file": name} for name in ("b", "a", "b")]
    other = {"slip": "request", "file": "c"}
    assert forks.replaced_by({"replaces": "b", "slips": [*said, other]}) == ["b", "a"]
    assert forks.replaced_by({"slips": said}) == [] and forks.replaced_by({"replaces": "b"}) == []
    assert (
        forks.replaced_by({"replaces": "b", "slips": None}) == [] and forks.replaced_by({"replaces": "b", "slips": [{}]}) == []
    )


# -- what is not here -------------------------------------------------------------------------------------------------


def test_the_first_file_that_follows_one_that_is_not_here_is_told() -> None:
    at, *_ = heap()
    assert forks.orphan(at.found) is None
    far, near = (dict[str, Any](seq=n, prev=c * 64, player="nowak") for n, c in ((9, "c"), (7, "d")))
    first = {"seq": 5, "prev": at.table.charter.game_id, "player": "nowak"}
    at.pieces(far, near, first, {"seq": 10, "prev": document_id(near), "player": "yamada", "signed_by": "smith"})
    told = f"file 7 of nowak follows a file 6 that is not here: {'d' * 16}"
    found = forks.orphan(at.found)
    assert found is not None and english(found.reason) == told
    assert (found.outcome, found.seq, found.section, found.word) == (Outcome.BAD_CHAIN, 6, "protocol 5", "cut")
    at.found.strange["d" * 64] = Remark("", Outcome.UNREADABLE, verbatim("x"))
    found = forks.orphan(at.found)
    assert found is not None and found.seq == 8, "a strange document is one that is here"
    at.found.strange["c" * 64] = at.found.strange["d" * 64]
    assert forks.orphan(at.found) is None


def test_a_cut_has_its_word_and_section() -> None:
    reason = verbatim("x")
    assert forks.cut(reason) == Fault(Outcome.BAD_CHAIN, reason, None, section="protocol 5", word="cut")
    assert forks.cut(reason, 3).seq == 3

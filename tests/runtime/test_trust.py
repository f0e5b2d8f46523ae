"""What everybody is told of a log: proved forks until they are healed, heals, files on one's own word, dice of another link."""

from __future__ import annotations

from typing import Any

from pbem.kernel.wording import english
from pbem.protocol.ids import document_id
from pbem.runtime import trust
from pbem.runtime.ledger import DrawMade, Ledger, OtherLink, Rolled

Document = dict[str, Any]


def file(seq: int, player: str = "nowak", **more: Any) -> Document:
    return {"type": "turn", "seq": seq, "player": player, **more}


def log(*files: Document) -> list[Document]:
    return [{"type": "charter"}, *files]


def proof(one: Document, two: Document, by: str = "yamada") -> Document:
    return {"type": "slip", "slip": "equivocation", "player": by, "files": [one, two]}


def healing(seq: int, forked: int, *versions: list[Document], to: int = 1, prev: str = "ab" * 32) -> Document:
    signatures = {"yamada": "x", "nowak": "x"}
    named = {"player": "nowak", "seq": forked}
    return {
        "type": "heal",
        "seq": seq,
        "to": to,
        "prev": prev,
        "forked": named,
        "versions": [*versions],
        "signatures": signatures,
    }


ONE, TWO, THREE = (file(1, note=[note]) for note in "abc")
IDS = tuple(sorted((document_id(ONE), document_id(TWO))))


# -- proved forks -----------------------------------------------------------------------------------------------------


def test_a_proof_beside_the_log_or_in_a_file_names_player_place_and_both_files() -> None:
    for files, slips in (
        (log(), [proof(ONE, TWO)]),
        (log(), [{"type": "slip", "slip": "request"}, {"type": "slip"}, proof(TWO, ONE)]),
        (log(THREE, file(2, "yamada", slips=[{"slip": "head"}, proof(ONE, TWO)])), []),
        (log(THREE, file(2, "yamada", slips=None), file(3, slips=[proof(ONE, TWO)])), []),
    ):
        (fork,) = trust.proved(files, slips)
        assert (fork.player, fork.seq, fork.ids, fork.followed) == ("nowak", 1, IDS, "")
        one, two = (name[:12] for name in IDS)
        assert english(fork.told) == f"nowak has signed two different files 1 ({one} and {two})"


def test_the_version_that_the_log_goes_on_with_is_named() -> None:
    for mine in (ONE, TWO):
        (fork,) = trust.proved(log(mine), [proof(ONE, TWO)])
        assert fork.followed == document_id(mine)
        one, two, here = (name[:12] for name in (*IDS, document_id(mine)))
        twice = f"nowak has signed two different files 1 ({one} and {two})"
        assert english(fork.told) == f"{twice}; the log goes on with {here}"
    (beyond,) = trust.proved(log(file(1, "yamada")), [proof(file(2), file(2, note=["b"]))])
    assert beyond.followed == "" and beyond.seq == 2


def test_whoever_signed_for_another_player_is_the_one_who_forked() -> None:
    one, two = (file(1, note=[note], signed_by="smith") for note in "ab")
    assert trust.proved(log(), [proof(one, two)])[0].player == "smith"
    blank = proof(file(1, signed_by=""), file(1, signed_by="", note=["b"]))
    assert trust.proved(log(), [blank])[0].player == "nowak"


def test_each_fork_is_told_once_in_order_of_places() -> None:
    later, other = proof(file(7), file(7, note=["b"])), proof(file(2, "yamada"), file(2, "yamada", note=["b"]))
    found = trust.proved(log(), [later, proof(ONE, TWO), other, proof(TWO, ONE, by="dubois")])
    assert [(f.seq, f.player) for f in found] == [(1, "nowak"), (2, "yamada"), (7, "nowak")]
    both = proof(file(1, "yamada"), file(1, "yamada", note=["b"]))
    assert [f.player for f in trust.proved(log(), [both, proof(ONE, TWO)])] == ["nowak", "yamada"]


def test_a_heal_ends_what_stands_against_a_player_at_its_places_and_nowhere_else() -> None:
    def at(seq: int) -> Document:
        return proof(file(seq), file(seq, note=["b"]))

    files = log(file(1), {"type": "heal", "seq": 5, "forked": {"player": "nowak", "seq": 3}})
    assert [f.seq for f in trust.proved(files, [at(n) for n in range(2, 7)])] == [2, 5, 6]
    assert trust.proved(log(file(1)), [at(3)]), "a file that is no heal heals nothing"


# -- heals ------------------------------------------------------------------------------------------------------------


def test_a_heal_is_told_with_both_places_the_file_kept_and_what_is_void() -> None:
    kept, other = [ONE], [TWO, file(2, "yamada"), file(3)]
    document = healing(4, 1, kept, other, to=1, prev=document_id(ONE))
    (one,) = trust.healed(log(ONE, {"type": "void", "seq": 2}, {"type": "void", "seq": 3}, document))
    assert one == trust.Healed("nowak", 1, 4, 1, document_id(ONE), 3, ("nowak", "yamada"))
    assert english(one.told) == (
        f"Healed at place 4: file 1 of nowak existed twice; all go on from file 1 ({document_id(ONE)[:12]}), 3 files are void"
    )
    assert trust.healed(log(ONE)) == []


# -- on one's own word ------------------------------------------------------------------------------------------------


def restored(player: str = "nowak", **more: Any) -> Document:
    return {"slip": "restored", "player": player, **more}


def test_a_file_on_its_authors_own_word_is_told_with_the_word() -> None:
    files = log(file(1, slips=[restored(word="my laptop is gone")]), file(2, "yamada", slips=None), file(3))
    (own,) = trust.own_words(files)
    assert (own.player, own.seq, own.word) == ("nowak", 1, "my laptop is gone")
    assert english(own.told) == "nowak signed file 1 after a loss on his own word: my laptop is gone"


def test_answered_questions_and_words_of_others_are_none_of_an_author() -> None:
    strange = [restored(), restored("yamada", word="x"), {"slip": "head", "player": "nowak", "word": "x"}, {"word": "x"}]
    assert trust.own_words(log(file(1, slips=strange))) == []


# -- another link -----------------------------------------------------------------------------------------------------


def test_dice_that_another_link_has_turned_are_told_and_those_that_were_never_cast_are_not() -> None:
    others = [OtherLink(seq, source, "nowak", "smith") for seq, source in ((5, 4), (8, 7), (11, 10))]
    ledger = Ledger(other_links=others, rolled=[Rolled(4, 0, "x", 6, "S1", [3])])
    ledger.draws = [DrawMade(0, "yamada", "blue", "ab" * 32, 11, 1, source=10)]
    first, second = map(english, trust.other_links(ledger))
    assert first == (
        "Mind: the dice of file 4 were turned by another link than the one owed. nowak owed it; in its place stands file 5, "
        "by which smith gives his seat to a new key."
    )
    assert "the dice of file 10" in second and "stands file 11" in second

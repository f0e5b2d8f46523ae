"""Heals by themselves, without a game: their shape, their versions, what they leave of a log, who has signed."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import canonical
from pbem.protocol import heal, sshsig, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from tests.protocol.test_papers import HEX, NOWAK, OTHER, SIGNATURE, YAMADA, file, refusal
from tests.toygame.party import Person

SMITH = Person("smith", [])
PARTING = file(seq=2, player="yamada", prev=OTHER)


def follow(before: dict[str, Any], **more: Any) -> dict[str, Any]:
    return file(seq=before["seq"] + 1, prev=document_id(before), **more)


FIRST, SECOND = follow(PARTING, note=["one"]), follow(PARTING, note=["two"])
BEHIND = follow(FIRST, player="yamada")


def healed(**more: Any) -> dict[str, Any]:
    """Nowak has signed two files 3; behind one of them stands file 4 of yamada, with which the game goes on."""
    document = {
        "pbem": 2,
        "type": "heal",
        "game": HEX,
        "seq": 5,
        "prev": document_id(BEHIND),
        "to": 4,
        "versions": [[FIRST, BEHIND], [SECOND]],
        "forked": {"player": "nowak", "seq": 3},
        "chosen_by": "allies",
    }
    return {**document, **more}


def wrong(document: dict[str, Any]) -> tuple[Outcome, str]:
    return refusal(lambda: heal.read_heal(document))


# -- shape ---------------------------------------------------------------------------------------------------------


def test_a_heal_is_read_as_it_stands() -> None:
    assert heal.read_heal(healed()) == healed()
    full = healed(instead=[HEX], note=["x" * 500] * 50, signatures={"Łukasz": SIGNATURE})
    assert heal.read_heal(full) == full
    required, optional = heal.shape()
    assert [*required, *optional] == [*heal.KEY_ORDER] and {*required} == {*healed()}
    assert heal.read_heal(healed(instead=[HEX] * 100))


@pytest.mark.parametrize("key", [*healed()])
def test_every_key_of_a_heal_is_needed(key: str) -> None:
    outcome, told = wrong({k: v for k, v in healed().items() if k != key})
    assert outcome is Outcome.UNREADABLE and told.startswith("heal: ") and f"{key} is missing" in told


BAD: list[tuple[dict[str, Any], str]] = [
    ({"odd": 1}, "heal: unknown key 'odd'"),
    ({"pbem": 1}, "heal: pbem: one of (2,) is needed"),
    ({"type": "turn"}, "heal: type: one of ('heal',) is needed"),
    ({"game": "x"}, "heal: game: 32 bytes"),
    ({"prev": "x"}, "heal: prev: 32 bytes"),
    ({"seq": 1}, "heal: seq: a whole number from 2 to 1000000 is needed"),
    ({"seq": 10**6 + 1}, "heal: seq: a whole number from 2 to 1000000 is needed"),
    ({"to": -1}, "heal: to: a whole number from 0 to 1000000 is needed"),
    ({"to": 10**6 + 1}, "heal: to: a whole number from 0 to 1000000 is needed"),
    ({"versions": []}, "heal: versions: a list of 1 to 100 is needed"),
    ({"versions": [[FIRST]] * 101}, "heal: versions: a list of 1 to 100 is needed"),
    ({"versions": [[FIRST], []]}, "heal: versions: item 2: a list of 1 to 1000 is needed"),
    ({"versions": [[{}] * 1001]}, "heal: versions: item 1: a list of 1 to 1000 is needed"),
    ({"versions": [[5]]}, "heal: versions: item 1: item 1: a mapping is needed"),
    ({"forked": {"player": "x y", "seq": 3}}, "heal: forked: player: a name"),
    ({"forked": {"player": "nowak", "seq": 0}}, "heal: forked: seq: a whole number from 1 to 1000000 is needed"),
    ({"forked": {"player": "nowak", "seq": 10**6 + 1}}, "heal: forked: seq: a whole number from 1 to 1000000 is needed"),
    ({"chosen_by": "X Y"}, "heal: chosen_by: a name"),
    ({"instead": []}, "heal: instead: a list of 1 to 100 is needed"),
    ({"instead": [HEX] * 101}, "heal: instead: a list of 1 to 100 is needed"),
    ({"instead": ["x"]}, "heal: instead: item 1: 32 bytes"),
    ({"note": ["x"] * 51}, "heal: note: a list of at most 50 is needed"),
    ({"note": ["x" * 501]}, "heal: note: item 1: text of at most 500"),
    ({"signatures": {"nowak": "x"}}, "heal: signatures: nowak: 64 bytes"),
    ({"signatures": {"x y": SIGNATURE}}, "heal: signatures: "),
]


@pytest.mark.parametrize(("more", "why"), BAD)
def test_what_is_larger_or_of_another_shape_is_refused(more: dict[str, Any], why: str) -> None:
    outcome, told = wrong(healed(**more))
    assert outcome is Outcome.UNREADABLE and told.startswith(why), told


def test_a_heal_has_the_size_of_a_document_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(canonical(healed()))
    monkeypatch.setattr(heal, "MAX_BYTES", size)
    assert heal.read_heal(healed())
    monkeypatch.setattr(heal, "MAX_BYTES", size - 1)
    told = f"a heal of more than {size - 1} bytes: this fork has grown beyond healing"
    assert wrong(healed()) == (Outcome.TOO_LARGE, told)


def test_every_file_of_a_version_is_well_formed_and_of_this_game() -> None:
    assert wrong(healed(versions=[[FIRST, BEHIND], [{**SECOND, "odd": 1}]])) == (
        Outcome.UNREADABLE,
        "turn file: unknown key 'odd'",
    )
    for strange in ({"game": OTHER}, {"pbem": 1}):
        told = (Outcome.FOREIGN_GAME, "file 3 of a version belongs to another game")
        assert wrong(healed(versions=[[FIRST, BEHIND], [{**SECOND, **strange}]])) == told


# -- the versions --------------------------------------------------------------------------------------------------

APART = "the files of a version do not follow one another from the parting on"
BEGIN = "the versions do not begin behind one file, or one of them is the beginning of another"
PART = "the versions do not part at the place that is named, or it is another player's"
NAMED = "`to` and `prev` name neither the newest file of a version nor the last file before the parting"
LATER = follow(BEHIND)
STRANGE = {**SECOND, "prev": OTHER}
THIRD = follow(FIRST, player="yamada", note=["three"])
CHAINS: list[tuple[dict[str, Any], str]] = [
    ({"versions": [[FIRST, {**BEHIND, "prev": HEX}], [SECOND]]}, APART),
    ({"versions": [[FIRST, {**BEHIND, "seq": 5}], [SECOND]]}, APART),
    ({"versions": [[{**FIRST, "seq": 4}, BEHIND], [SECOND]]}, APART),
    ({"versions": [[FIRST, BEHIND], [STRANGE]]}, BEGIN),
    ({"versions": [[FIRST, BEHIND], [FIRST, BEHIND]]}, BEGIN),
    ({"versions": [[FIRST, BEHIND], [FIRST], [SECOND]]}, BEGIN),
    ({"versions": [[FIRST, BEHIND], [FIRST, THIRD]]}, PART),
    ({"versions": [[FIRST, BEHIND]]}, PART),
    ({"forked": {"player": "yamada", "seq": 3}}, PART),
    ({"versions": [[FIRST, BEHIND], [{**SECOND, "player": "yamada"}]]}, PART),
    ({"seq": 4}, "its place is 5, behind every file of the versions, not 4"),
    ({"seq": 6}, "its place is 5, behind every file of the versions, not 6"),
    ({"versions": [[SECOND], [FIRST, BEHIND, LATER]]}, "its place is 6, behind every file of the versions, not 5"),
    ({"prev": HEX}, NAMED),
    ({"to": 3}, NAMED),
    ({"to": 3, "prev": document_id(FIRST)}, NAMED),
    ({"to": 2, "prev": document_id(BEHIND)}, NAMED),
    ({"to": 3, "prev": document_id(PARTING)}, NAMED),
]


@pytest.mark.parametrize(("more", "why"), CHAINS)
def test_versions_that_do_not_part_where_the_heal_says_are_refused(more: dict[str, Any], why: str) -> None:
    assert wrong(healed(**more)) == (Outcome.BAD_CHAIN, why)


TWO_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"versions": [[FIRST, {**BEHIND, "prev": HEX}], [STRANGE]]}, APART),
    ({"versions": [[FIRST, BEHIND], [STRANGE]], "forked": {"player": "yamada", "seq": 3}}, BEGIN),
    ({"forked": {"player": "yamada", "seq": 3}, "seq": 6}, PART),
    ({"seq": 6, "to": 3}, "its place is 5, behind every file of the versions, not 6"),
]


@pytest.mark.parametrize(("more", "why"), TWO_FAULTS)
def test_of_several_faults_the_first_is_told(more: dict[str, Any], why: str) -> None:
    assert wrong(healed(**more)) == (Outcome.BAD_CHAIN, why)


def test_the_game_goes_on_from_a_version_or_from_before_the_parting() -> None:
    back = healed(to=2, prev=document_id(PARTING))
    other = healed(to=3, prev=document_id(SECOND))
    parted_later = healed(versions=[[FIRST, BEHIND], [SECOND], [FIRST, THIRD]])
    for document in (back, other, parted_later):
        assert heal.read_heal(document) == document


# -- what it leaves ------------------------------------------------------------------------------------------------


def test_what_stands_and_what_is_given_up() -> None:
    back, other = healed(to=2, prev=document_id(PARTING)), healed(to=3, prev=document_id(SECOND))
    assert heal.parting(healed()) == heal.parting(back) == (2, document_id(PARTING))
    assert heal.kept(healed()) == [FIRST, BEHIND] and heal.given_up(healed()) == [SECOND]
    assert heal.kept(other) == [SECOND] and heal.given_up(other) == [FIRST, BEHIND]
    assert heal.kept(back) == [] and heal.given_up(back) == [FIRST, SECOND, BEHIND]
    assert heal.kept(healed(to=4, prev=document_id(SECOND))) == heal.kept(healed(to=3)) == []
    shared = healed(versions=[[FIRST, THIRD], [FIRST, BEHIND], [SECOND]])
    assert heal.files_of(shared) == [FIRST, SECOND, THIRD, BEHIND]
    assert heal.given_up(shared) == [SECOND, THIRD]


def test_files_without_a_number_come_first_among_the_files_of_the_versions() -> None:
    odd = {**SECOND, "seq": "x"}
    assert heal.files_of(healed(versions=[[FIRST], [odd]])) == [odd, FIRST]
    assert heal.files_of(healed(versions=[[{"seq": 1}, odd], [{"player": "x"}, {"seq": 0}]]))[-1] == {"seq": 1}


def test_places_between_what_stands_and_the_heal_are_void() -> None:
    back, other = healed(to=2, prev=document_id(PARTING)), healed(to=3, prev=document_id(SECOND))
    assert heal.voids(healed()) == []
    assert heal.voids(other) == [{"type": "void", "seq": 4}]
    assert heal.voids(back) == [{"type": "void", "seq": 3}, {"type": "void", "seq": 4}]
    log = [{"type": "charter"}, file(seq=1), PARTING]
    assert heal.line([*log, FIRST], healed()) == [*log, FIRST, BEHIND, healed()]
    assert heal.line(log, other) == [*log, SECOND, {"type": "void", "seq": 4}, other]
    assert heal.line([*log, SECOND, LATER], back) == [*log, *heal.voids(back), back]
    told = (Outcome.WAITING, "the versions part behind a file 2 that this log does not hold")
    assert refusal(lambda: heal.line(log[:2], healed())) == told
    assert refusal(lambda: heal.line([*log[:2], FIRST], healed())) == told
    assert [heal.is_place(d) for d in (back, heal.voids(back)[0], FIRST, {})] == [True, True, False, False]


def test_of_several_heals_those_stand_that_no_other_names() -> None:
    one, two = healed(), healed(to=3, prev=document_id(SECOND))
    instead = healed(note=["x"], instead=[document_id(one), HEX])
    assert heal.newest_only([one, two, instead]) == [two, instead]
    assert heal.newest_only(d for d in (one, two)) == [one, two]


# -- signatures ----------------------------------------------------------------------------------------------------


def test_signatures_gather_and_the_heal_stands_in_reading_order() -> None:
    backwards = dict(reversed([*healed(note=["x"], instead=[HEX]).items()]))
    one = heal.sign({**backwards, "odd": 1}, "nowak", NOWAK.private)
    assert list(one) == [*healed(), "instead", "note", "signatures"]
    both = heal.sign(healed() | {"signatures": {"smith": SIGNATURE}}, "nowak", NOWAK.private)
    assert list(both["signatures"]) == ["smith", "nowak"] and list(both)[-1] == "signatures"
    assert heal.signer_of(both, "nowak", NOWAK.record.key) == "nowak"
    assert document_id(both) == document_id(healed())
    for document in (both, {**both, "seq": 6}):
        key = YAMADA.record.key if document is both else NOWAK.record.key
        assert refusal(lambda d=document, k=key: heal.signer_of(d, "nowak", k))[0] is Outcome.BAD_SIGNATURE  # type: ignore


def test_the_umpire_signs_for_one_who_is_silent_and_says_for_whom() -> None:
    one = heal.sign_for(healed(), "nowak", SMITH.private)
    assert heal.signer_of(one, "nowak", NOWAK.record.key, SMITH.record.key) == heal.UMPIRE == "umpire"
    covered = canonical({**healed(), "silent": "nowak"})
    sshsig.verify(SMITH.record.key, covered, one["signatures"]["nowak"])
    moved = {**one, "signatures": {"yamada": one["signatures"]["nowak"]}}
    own = heal.sign(healed(), "nowak", NOWAK.private)
    assert heal.signer_of(own, "nowak", NOWAK.record.key, SMITH.record.key) == "nowak"
    plain = heal.sign(healed(), "nowak", SMITH.private)
    smith = SMITH.record.key
    for document, player, umpire in ((one, "nowak", ""), (moved, "yamada", smith), (plain, "nowak", smith)):
        with pytest.raises(ProtocolError) as refused:
            heal.signer_of(document, player, NOWAK.record.key, umpire)
        assert refused.value.outcome is Outcome.BAD_SIGNATURE


def test_a_place_is_filled_by_its_player_or_by_a_new_key_for_his_seat() -> None:
    seat = {"type": "seat", "player": "yamada", "seat": {"player": "nowak"}}
    assert heal.fills({"type": "turn", "player": "nowak"}, "nowak") and heal.fills(seat, "nowak")
    assert heal.fills(seat, "yamada"), "his own file"
    for other in ({"type": "turn", "player": "yamada"}, {"type": "turn", "player": "yamada", "seat": {"player": "nowak"}}):
        assert not heal.fills(other, "nowak")
    assert not heal.fills({**seat, "seat": {"player": "dubois"}}, "nowak")


def test_two_files_for_one_place_of_which_another_has_signed_one_for_him_are_crossed() -> None:
    own = {"type": "turn", "player": "nowak", "link": "aa"}
    by_umpire = {**own, "signed_by": "smith"}
    seat = {"type": "seat", "player": "yamada", "seat": {"player": "nowak"}, "link": "bb"}
    for one, two in ((own, by_umpire), (by_umpire, own), (own, seat), (seat, own)):
        assert heal.crossed(one, two) == "nowak"
    apart = [
        (own, {**own, "note": ["x"]}),  # both are his
        (own, {**by_umpire, "link": "bb"}),  # with another link
        (by_umpire, {**by_umpire, "note": ["x"]}),  # neither is his
        (by_umpire, {**by_umpire, "link": "bb"}),
        (by_umpire, seat),
        (own, {"type": "turn", "player": "yamada", "link": "bb"}),  # another's place
        (own, {"type": "turn", "player": "yamada", "signed_by": "smith", "link": "aa"}),
    ]
    for one, two in apart:
        assert heal.crossed(one, two) == heal.crossed(two, one) == ""


def test_two_copies_of_a_heal_give_one_with_all_signatures() -> None:
    one = healed(signatures={"nowak": "a", "smith": "b"})
    other = healed(signatures={"yamada": "c", "smith": "d"})
    assert heal.merged(one, other)["signatures"] == {"yamada": "c", "smith": "b", "nowak": "a"}
    assert heal.merged(healed(), other) == {**other} and heal.merged(one, healed()) == one
    told = (Outcome.UNREADABLE, "these are two different heals")
    assert refusal(lambda: heal.merged(one, healed(note=["x"]))) == told


def test_a_version_of_signed_files_stands_as_it_was_signed() -> None:
    signed = [turnfile.sign(f, NOWAK.private) for f in (FIRST, SECOND)]
    document = heal.sign(healed(versions=[[signed[0], BEHIND], [signed[1]]]), "nowak", NOWAK.private)
    assert heal.read_heal(document) == document

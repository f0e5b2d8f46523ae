"""Documents of a dispute, sorted: which count, which are put aside with what words, which belong to another game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.kernel.wording import english, verbatim
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime.composing import Draft
from pbem.runtime.evidence import HEALED, Document, Evidence, Item, NoGame, Piece, Remark, is_signed, scenarios, sort
from tests.toygame.healing import Healer, branch, drafted, forged, healers, named, signed_by
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, signed
from tests.toygame.test_seats import seat
from tests.toygame.test_skirmish import people
from tests.toygame.test_slips import slip


def items(*documents: Any) -> list[Item]:
    return [(f"document {n}", d) for n, d in enumerate(documents)]


def ids(*documents: Any) -> list[str]:
    return [document_id(dict(d)) for d in documents]


def said(remarks: Sequence[Remark]) -> list[tuple[str, Outcome, str]]:
    return [(r.where, r.outcome, english(r.reason)) for r in remarks]


def none(*documents: Any) -> tuple[Outcome, str]:
    """Why these are no game."""
    with pytest.raises(NoGame) as caught:
        sort(items(*documents))
    assert str(caught.value) == english(caught.value.reason)
    return caught.value.outcome, english(caught.value.reason)


@pytest.fixture(scope="module")
def party() -> list[Healer]:
    """At the march, nowak is due."""
    party = healers()
    advance_to([*party], "red", "march")
    return party


@pytest.fixture(scope="module")
def log(party: list[Healer]) -> list[Any]:
    return [*party[0].log]


def put_aside(log: list[Any], *documents: Any) -> list[tuple[str, Outcome, str]]:
    """What is said of documents beside a charter and its log, which is sound."""
    found = sort([*(("log", d) for d in log), *items(*documents)])
    assert found.unreadable == []
    return said(found.aside)


def unread(log: list[Any], *documents: Any) -> list[tuple[str, Outcome, str]]:
    found = sort([*(("log", d) for d in log), *items(*documents)])
    assert found.aside == []
    return said(found.unreadable)


# -- one game ---------------------------------------------------------------------------------------------------------


def test_a_log_in_any_order_is_sorted_by_what_follows_what(party: list[Healer], log: list[Any]) -> None:
    for documents in (log, log[::-1], [*log, *log]):
        found = sort(items(*documents))
        names = ids(*log)
        assert found.charter.game_id == names[0] and [*found.files] == names[1:]
        assert {name: [p.id for p in behind] for name, behind in found.behind.items()} == dict(
            zip(names, [[name] for name in names[1:]], strict=False)
        )
        assert [found.depth[name] for name in names[1:]] == [*range(len(log) - 1, 0, -1)]
        assert found.keys == {p.name: [p.record.key] for p in party} and found.known == {*names}
        assert not (found.aside or found.unreadable or found.slips or found.strange or found.heals or found.foreign)
        assert found.unsigned == {}


def test_a_document_stands_where_it_was_found_first(log: list[Any]) -> None:
    found = sort(items(*log, *log))
    assert [p.where for p in found.files.values()] == [f"document {n}" for n in range(1, len(log))]


def test_of_two_lines_the_longer_one_is_the_depth(party: list[Healer], log: list[Any]) -> None:
    nowak = named(party, "nowak")
    first = [*branch(party, Draft(orders=["go"]), Draft(orders=["let pass"]))]
    second = forged(nowak, log[-1])
    for documents in ([*first, second], [second, *first]):
        found = sort(items(*log, *documents))
        assert found.depth[document_id(log[-1])] == 3 and found.depth[document_id(second)] == 1
        assert {p.id for p in found.behind[document_id(log[-1])]} == {*ids(first[0], second)}


def test_place_and_signer_of_a_file() -> None:
    plain, by_smith = {"seq": "7", "prev": "ab", "player": "nowak"}, {"signed_by": "smith"}
    piece = Piece("here", plain, "id")
    assert (piece.seq, piece.signer, piece.place) == (7, "nowak", ("ab", 7, "nowak", ""))
    piece = Piece("here", {**plain, **by_smith}, "id")
    assert (piece.signer, piece.place) == ("smith", ("ab", 7, "nowak", "smith"))
    assert Piece("here", {"type": "heal"}, "id").signer == ""


def test_scenarios_that_players_wrote() -> None:
    bad: list[Item] = [("x", unreadable(verbatim("x")))]
    given = items({"type": "scenario", "scenario": {"a": 1}}, {"type": "turn", "scenario": 2}, {"type": "scenario"})
    assert scenarios([*bad, *given]) == [{"a": 1}, None]


# -- which game -------------------------------------------------------------------------------------------------------


def test_without_a_charter_there_is_no_game(log: list[Any]) -> None:
    assert none() == (Outcome.FOREIGN_GAME, "nothing of pbem is in it")
    assert none(*log[1:]) == (Outcome.FOREIGN_GAME, "there is no charter in it")
    noise = ProtocolError(Outcome.TOO_LARGE, verbatim("far too much"))
    assert none(noise, unreadable(verbatim("y")), *log[1:]) == (Outcome.TOO_LARGE, "document 0: far too much")


def test_a_charter_that_is_none_is_told_with_what_is_wrong(log: list[Any]) -> None:
    whole = log[0]
    assert none(whole | {"pbem": 3}) == (
        Outcome.DIVERGED,
        "the game is of protocol version 3; this program knows 2: update pbem",
    )
    outcome, told = none(log[1], {**whole, "signatures": {}})
    why = "yamada has not signed the charter"
    assert (outcome, told) == (Outcome.FOREIGN_GAME, f"the charter (document 1) is a draft: {why}")
    swapped = {**whole["signatures"], "nowak": whole["signatures"]["yamada"]}
    outcome, told = none({**whole, "signatures": swapped}, {**whole, "pbem": 3})
    why = "the signature does not fit the content and the key"
    assert (outcome, told) == (Outcome.BAD_SIGNATURE, f"the charter (document 0): {why}"), "the first one"
    for version in ("3", None, 2):
        outcome, told = none({**whole, "pbem": version, "seats": None})
        assert outcome is Outcome.UNREADABLE and told.startswith("the charter (document 0): "), version
    assert sort(items({**whole, "signatures": swapped}, *log)).charter.game_id == document_id(whole), "beside a good one"


def test_two_games_are_judged_each_alone(log: list[Any]) -> None:
    yamada, nowak, dubois = Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"])
    found_game(GAME, [yamada, nowak, dubois], {}, note=["another"])
    names = f"{document_id(log[0])[:16]}, {document_id(yamada.log[0])[:16]}"
    told = f"documents of 2 games: {names}; each is judged alone"
    twice = "signed two charters with one chain, so that links of one game are known in the other"
    assert none(log[0], yamada.log[0]) == (Outcome.FOREIGN_GAME, f"{told}; dubois, nowak, yamada {twice}")
    others = [Person("smith", ["blue"]), Person("jones", ["red"]), Person("dubois", ["rust"])]
    found_game(GAME, others, {})
    names = f"{document_id(log[0])[:16]}, {document_id(others[0].log[0])[:16]}"
    told = f"documents of 2 games: {names}; each is judged alone"
    assert none(log[0], others[0].log[0]) == (Outcome.FOREIGN_GAME, f"{told}; dubois {twice}")
    others = [Person("smith", ["blue"]), Person("jones", ["red"]), Person("brown", ["rust"])]
    found_game(GAME, others, {})
    assert none(log[0], others[0].log[0])[1].endswith("each is judged alone")


def test_documents_of_other_games_are_counted_and_no_more(log: list[Any]) -> None:
    other, third = {**log[1], "game": "ab" * 32}, {**log[1], "game": "cd" * 32}
    found = sort(items(*log, other, {**other, "note": ["x"]}, third))
    assert found.foreign == {"ab" * 32: 2, "cd" * 32: 1} and len(found.files) == len(log) - 1 and found.aside == []


def test_another_charter_that_not_everybody_has_signed_is_put_aside(log: list[Any]) -> None:
    draft = {**log[0], "note": ["another"], "signatures": {}}
    told = "another charter, which not everybody has signed"
    assert put_aside(log, draft, {"type": "scenario", "scenario": 1}) == [("document 0", Outcome.FOREIGN_GAME, told)]
    assert put_aside(log, {**log[0], "signatures": {}}) == [], "a draft of this one"
    first = {**log[1], "signature": log[2]["signature"]}
    assert [where for where, *_ in put_aside(log, first, draft)] == ["document 1", "document 0"], "before all files"


# -- one document -----------------------------------------------------------------------------------------------------


def test_what_cannot_be_read_is_named_with_its_place(log: list[Any]) -> None:
    noise = ProtocolError(Outcome.TOO_LARGE, verbatim("far too much"))
    assert unread(log, noise) == [("document 0", Outcome.TOO_LARGE, "far too much")]
    assert len(sort(items(noise, *log)).files) == len(log) - 1, "what lies behind it is read"
    nothing = "it does not say what it is and of which game"
    for odd in ({"type": "turn"}, {"type": 5, "game": "ab" * 32}, {"game": "ab" * 32}, {"type": "turn", "game": 7}, {}):
        assert unread(log, odd) == [("document 0", Outcome.UNREADABLE, nothing)], odd
    ((where, outcome, told),) = unread(log, {**log[1], "surprise": 1})
    assert (where, outcome) == ("document 0", Outcome.UNREADABLE) and "surprise" in told


def test_a_kind_that_is_not_known_is_strange_and_can_be_followed(log: list[Any]) -> None:
    game = document_id(log[0])
    odd = {"type": "t" * 50, "game": game}
    found = sort(items(*log, odd))
    told = f"a document of kind '{'t' * 40}', which this program does not know"
    assert said([*found.strange.values()]) == [(f"document {len(log)}", Outcome.UNREADABLE, told)]
    assert [*found.strange] == ids(odd) and document_id(odd) in found.known


def test_slips_are_kept_as_they_are(party: list[Healer], log: list[Any]) -> None:
    asked = slip(named(party, "nowak"), "request", {"text": "x"})
    found = sort(items(*log, asked, asked))
    assert [(p.where, p.document, p.id) for p in found.slips] == [(f"document {len(log)}", asked, document_id(asked))]


def test_a_file_that_nobody_here_has_signed_is_put_aside_with_why(party: list[Healer], log: list[Any]) -> None:
    nowak = named(party, "nowak")
    file = signed(nowak, Draft(orders=["halt"]))
    seq, prev = file["seq"], file["prev"]
    unsigned = {**file, "signature": log[-1]["signature"]}
    nobody = f"file {seq} of nowak is not signed by nowak: anybody can have written it"
    assert put_aside(log, unsigned) == [("document 0", Outcome.BAD_SIGNATURE, nobody)]
    by_smith = nowak.sign({**file, "signed_by": "smith"})
    stranger = f"file {seq} of nowak: smith does not play in this game"
    assert put_aside(log, by_smith) == [("document 0", Outcome.WRONG_KEY, stranger)]
    of_smith = nowak.sign({**file, "player": "smith", "signed_by": "nowak"})
    assert put_aside(log, of_smith) == [
        ("document 0", Outcome.WRONG_KEY, f"file {seq} of smith: smith does not play in this game")
    ]
    for_dubois = nowak.sign({**file, "player": "dubois", "signed_by": "nowak"})
    assert put_aside(log, for_dubois) == []
    found = sort(items(*log, unsigned, by_smith))
    first = found.unsigned[prev, seq]
    assert [*found.unsigned] == [(prev, seq)] and first[0].document == unsigned and said([first[1]])[0][2] == nobody
    assert document_id(file) not in found.files


def test_a_forged_copy_hides_no_file_and_the_first_good_one_counts(party: list[Healer], log: list[Any]) -> None:
    file = signed(named(party, "nowak"), Draft(orders=["halt"]))
    forged_copy = {**file, "signature": log[-1]["signature"]}
    for documents in ((file, forged_copy), (forged_copy, file)):
        found = sort(items(*log, *documents))
        assert found.files[document_id(file)].document == file and len(found.aside) == 1


def test_a_file_out_of_its_place_is_told_with_the_file_that_it_follows(party: list[Healer], log: list[Any]) -> None:
    nowak, last = named(party, "nowak"), len(log) - 1
    far = signed(nowak, Draft(orders=["halt"]), seq=99)
    told = f"file 99 of nowak follows file {last}"
    assert put_aside(log, far) == [("document 0", Outcome.BAD_CHAIN, told)]
    assert put_aside(log, signed(nowak, Draft(orders=["halt"]), seq=last)) == [
        ("document 0", Outcome.BAD_CHAIN, f"file {last} of nowak follows file {last}")
    ]
    first = signed(nowak, Draft(orders=["halt"]), seq=3, prev=document_id(log[0]))
    assert put_aside(log, first) == [("document 0", Outcome.BAD_CHAIN, "file 3 of nowak follows file 0")]
    lone = signed(nowak, Draft(orders=["halt"]), seq=99, prev="cd" * 32)
    assert put_aside(log, lone) == [], "what it follows is not here"


def test_a_seat_file_adds_the_key_that_signs_from_then_on() -> None:
    party = people()
    nowak = advance_to(party, "red", "march")
    log = [*party[0].log]
    taken = nowak.sign(nowak.write(seat(nowak, party[0].table.last + 4)).document)
    later = {"seq": taken["seq"] + 1, "prev": document_id(taken)}
    with_new = Person("nowak", ["red"])
    with_new.begin("second")
    old, new = (p.sign({**log[-1], "player": "nowak", "note": [n], **later}) for p, n in ((nowak, "a"), (with_new, "b")))
    for documents in ((*log, taken, old, new), (new, old, taken, *log)):
        found = sort(items(*documents))
        assert {*ids(taken, old, new)} <= {*found.files} and found.aside == []
        assert found.keys["nowak"] == [nowak.record.key, with_new.record_of("second").key]
    assert [r.outcome for r in sort(items(*log, new)).aside] == [Outcome.BAD_SIGNATURE]
    again = with_new.sign(old)
    for documents in ((old, again), (again, old)):
        found = sort(items(*log, taken, *documents))
        assert found.files[document_id(old)].document == documents[0], "signed with both keys it is one file, the first"
    stranger = nowak.sign({**taken, "seat": {**taken["seat"], "player": "smith"}})
    assert sort(items(*log, stranger)).keys == {p.name: [p.record.key] for p in party}


def test_what_is_signed_by_a_key() -> None:
    nowak, key = Person("nowak", ["red"]), Person("nowak", ["red"]).record.key
    made = slip_of(nowak)
    assert is_signed(made, key) and not is_signed({**made, "text": "y"}, key)
    assert not is_signed(made, Person("yamada", ["blue"]).record.key) and not is_signed(made, "no key")
    assert not is_signed({k: v for k, v in made.items() if k != "signature"}, key) and not is_signed(
        {**made, "signature": 5}, key
    )


def slip_of(person: Person) -> dict[str, Any]:
    from pbem.protocol import slips

    return slips.sign(slips.make("request", "ab" * 32, "cd" * 32, person.name, {"text": "x"}), person.private)


# -- documents within others ------------------------------------------------------------------------------------------


def test_files_that_a_proof_holds_are_taken_whole(party: list[Healer], log: list[Any]) -> None:
    nowak = named(party, "nowak")
    one, two = (signed(nowak, Draft(orders=["halt"]), note=[n]) for n in "ab")
    bare = {"pbem": 2, "type": "equivocation", "files": [one, two]}
    proof = slip(named(party, "yamada"), "equivocation", {"files": [one, two]})
    carrier = signed(nowak, Draft(orders=["go"]), slips=[proof])
    for holding, slips in ((bare, 0), (proof, 1), (carrier, 0)):
        found = sort(items(*log, holding))
        assert {*ids(one, two)} <= {*found.files} and len(found.slips) == slips and found.unreadable == []
        assert found.files[document_id(one)].where == f"document {len(log)}"
    third = signed(nowak, Draft(orders=["halt"]), note=["c"])
    odd_heal = {"type": "heal", "game": document_id(log[0]), "slips": [proof], "versions": [[third]]}
    assert {*ids(one, two, third)} <= {*sort(items(*log, odd_heal)).files}, "of whatever holds them"
    for odd in (None, {"a": 1}, ["text", 5]):
        found = sort(items(*log, {**bare, "files": odd}, {**carrier, "slips": odd}))
        assert found.files.keys() == {*ids(*log[1:])}


def test_of_other_documents_nothing_within_is_taken(party: list[Healer], log: list[Any]) -> None:
    one = signed(named(party, "nowak"), Draft(orders=["halt"]))
    game = document_id(log[0])
    for kind in ("slip", "truce"):
        found = sort(items(*log, {"type": kind, "game": game, "files": [one], "versions": [[one]]}))
        assert document_id(one) not in found.files


# -- heals ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def versions(party: list[Healer], log: list[Any]) -> list[list[Any]]:
    second = branch(party, Draft(orders=["halt"]))
    return [branch(party, Draft(orders=["go"]), Draft(orders=["let pass"])), second]


def test_a_heal_that_all_have_signed_goes_before_any_number_of_files(
    party: list[Healer], log: list[Any], versions: list[list[Any]]
) -> None:
    document = signed_by(drafted(party, versions, 1), party)
    behind = forged(named(party, "yamada"), document)
    found = sort(items(*log, document, behind))
    name, kept = document_id(document), document_id(versions[1][-1])
    assert [*found.heals] == [name] and found.aside == [] and name in found.known
    assert (found.depth[name], found.depth[kept]) == (HEALED + 1, HEALED + 2)
    assert [p.id for p in found.behind[kept]] == [name] and found.heals[name].where == f"document {len(log)}"
    assert {*ids(*versions[0], *versions[1], behind)} <= {*found.files}, "it brings the versions"
    found = sort(items(*log, {**document, "versions": None}))
    assert found.heals == {} and len(found.files) == len(log) - 1
    why = "heal: versions: a list of 1 to 100 is needed"
    assert said(found.unreadable) == [(f"document {len(log)}", Outcome.UNREADABLE, f"a heal: {why}")]


def test_a_heal_says_who_has_not_signed_it(party: list[Healer], log: list[Any], versions: list[list[Any]]) -> None:
    document = signed_by(drafted(party, versions, 1), party)
    signatures, seq = document["signatures"], document["seq"]
    for given, missing in (
        ({}, "yamada, nowak, dubois"),
        ({"yamada": signatures["yamada"]}, "nowak, dubois"),
        ({**signatures, "dubois": signatures["nowak"]}, "dubois"),
        (None, "yamada, nowak, dubois"),
    ):
        made = (
            {**document, "signatures": given} if given is not None else {k: v for k, v in document.items() if k != "signatures"}
        )
        found = sort(items(*log, made))
        told = f"the heal at place {seq} is not signed by {missing}"
        assert found.heals == {} and said(found.aside) == [(f"document {len(log)}", Outcome.WAITING, told)]


def test_who_has_resigned_need_not_sign(party: list[Healer], log: list[Any], versions: list[list[Any]]) -> None:
    document = signed_by(drafted(party, versions, 1), party[:2])
    dubois, nowak = named(party, "dubois"), named(party, "nowak")
    gone = slip(dubois, "resignation", {"seats": ["rust"]})
    carrier = signed(nowak, Draft(orders=["go"]), slips=[gone])
    for brought in (gone, carrier):
        assert len(sort(items(*log, brought, document)).heals) == 1
    other = slip(dubois, "request", {"text": "x"})
    for brought in ({**gone, "seats": ["red"]}, {**gone, "player": "nowak"}, other, {**gone, "player": "smith"}):
        assert sort(items(*log, brought, document)).heals == {}
    lone = signed_by(drafted(party, versions, 1), party[1:])
    assert sort(items(*log, gone, lone)).heals == {}, "another one is missing"


def test_the_newest_of_heals_of_one_fork_counts(party: list[Healer], log: list[Any], versions: list[list[Any]]) -> None:
    first = signed_by(drafted(party, versions, 1), party)
    second = signed_by(drafted(party, versions, 0, instead=[document_id(first)]), party)
    for documents in ((first, second), (second, first)):
        assert [*sort(items(*log, *documents)).heals] == ids(second)


def test_an_umpire_who_chooses_signs_alone_and_another_signs_for_the_silent() -> None:
    party = healers("witness")
    advance_to([*party], "red", "march")
    log, smith = [*party[0].log], named(party, "smith")
    versions = [branch(party, Draft(orders=[order])) for order in ("go", "halt")]
    chosen = drafted(party, versions, 1, chosen_by="umpire")
    assert len(sort(items(*log, signed_by(chosen, [smith]))).heals) == 1
    found = sort(items(*log, signed_by(chosen, party[:3])))
    assert found.heals == {} and english(found.aside[0].reason).endswith("is not signed by smith")
    made = signed_by(drafted(party, versions, 1), [p for p in party if p.name != "dubois"])
    for signer, count in ((smith, 1), (named(party, "nowak"), 0)):
        assert len(sort(items(*log, heal.sign_for(made, "dubois", signer.private))).heals) == count
    assert sort(items(*log, signed_by(drafted(party, versions, 1), party[:3]))).heals == {}, "the umpire is missing"
    nowak = named(party, "nowak")
    change = nowak.write(seat(nowak, party[0].table.last + 4)).document
    change = nowak.sign({**change, "seat": {**change["seat"], "player": "smith", "key": smith.record_of("second").key}})
    for key in (smith.key_of(""), smith.key_of("second")):
        later = heal.sign_for(made, "dubois", key)
        assert len(sort(items(*log, change, later)).heals) == 1, "with either key that he has had"
    assert sort(items(*log, heal.sign_for(made, "dubois", smith.key_of("second")))).heals == {}


def test_evidence_that_holds_nothing_knows_its_game_alone(party: list[Healer]) -> None:
    found = Evidence(party[0].table.charter)
    assert found.known == {party[0].table.charter.game_id} and found.files == {}
    document: Document = {"seq": 1}
    found.files["a"] = found.heals["b"] = Piece("", document, "")
    assert found.known == {party[0].table.charter.game_id, "a", "b"}

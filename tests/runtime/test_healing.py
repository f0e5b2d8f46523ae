"""The parts of a heal: who signs it, who chooses, which links are burnt, what becomes of dice that are owed."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.protocol import chain, heal
from pbem.protocol.deadlines import Overdue
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.runtime import choosing, healing
from pbem.runtime.choosing import Choice, NothingToHeal
from pbem.runtime.composing import Draft
from pbem.runtime.dues import Due
from pbem.runtime.ledger import Chain, Entry, KeyHeld, Offer
from pbem.runtime.table import Table
from tests.runtime.test_seats import refused
from tests.toygame.healing import Document, Healer, branch, drafted, forged, healers, named, signed_by
from tests.toygame.party import NONCE
from tests.toygame.test_after_a_loss import answer, question
from tests.toygame.test_attacks import advance_to

A, B, C = "aa" * 32, "bb" * 32, "cc" * 32
GO, HALT, PASS = Draft(orders=["go"]), Draft(orders=["halt"]), Draft(orders=["let pass"])


@cache
def marching(role: str = "") -> tuple[list[Healer], list[Document], list[Document]]:
    """Red (nowak) is asked whether it marches: with what followed when it went, and its other file."""
    party = healers(role)
    advance_to([*party], "red", "march")
    return party, branch(party, GO, PASS), branch(party, HALT)


def table_of(role: str = "") -> Table:
    return marching(role)[0][0].table.fork()


def healed_to(role: str = "", keep: int | None = 0, versions: Any = (), **changes: Any) -> Document:
    party, first, second = marching(role)
    return drafted(party, versions or [first, second], keep, **changes)


# -- signatures -------------------------------------------------------------------------------------------------------


def test_everybody_signs_who_plays_on_and_of_two_honest_files_the_umpire_alone() -> None:
    document = healed_to("witness")
    table = table_of("witness")
    assert healing.signers(table, document) == [p.name for p in table.charter.all_players]
    table.ledger.resigned.append("dubois")
    assert sorted(healing.signers(table, document)) == ["nowak", "smith", "yamada"]
    assert healing.signers(table, {**document, "chosen_by": "umpire"}) == ["smith"]


def test_whose_seat_another_has_given_away_does_not_sign() -> None:
    party, first, _ = marching()
    given = {**forged(named(party, "dubois"), party[0].log[-1]), "type": "seat", "seat": {"player": "nowak"}}
    crossed = healed_to(versions=[first, [given]])
    assert sorted(healing.signers(table_of(), crossed)) == ["dubois", "yamada"]
    assert sorted(healing.signers(table_of(), healed_to())) == ["dubois", "nowak", "yamada"]


def test_who_has_not_signed_is_named() -> None:
    party, *_ = marching()
    document = healed_to()
    names = ", ".join(p.name for p in table_of().charter.all_players)
    assert refused(healing.check_complete, table_of(), document) == (Outcome.WAITING, f"the heal is not signed yet by {names}")
    made = signed_by(document, [p for p in party if p.name != "nowak"])
    assert refused(healing.check_complete, table_of(), made) == (Outcome.WAITING, "the heal is not signed yet by nowak")
    healing.check_complete(table_of(), signed_by(made, [named(party, "nowak")]))


def test_signatures_are_their_players_or_the_umpires_for_them() -> None:
    party, *_ = marching("witness")
    table, smith, document = table_of("witness"), named(party, "smith"), healed_to("witness")
    assert healing.check_signatures(table, document) == []
    assert healing.check_signatures(table, {**document, "signatures": None}) == []
    own = signed_by(document, party)
    assert healing.check_signatures(table, own) == []
    silent = heal.sign_for(heal.sign_for(own, "nowak", smith.private), "dubois", smith.private)
    assert sorted(healing.check_signatures(table, silent)) == ["dubois", "nowak"]
    strange = {**document, "signatures": {"stranger": "x"}}
    words = (Outcome.BAD_SIGNATURE, "stranger has signed the heal and does not play")
    assert refused(healing.check_signatures, table, strange) == words
    himself = heal.sign_for(document, "smith", smith.private)
    assert refused(healing.check_signatures, table, himself)[0] is Outcome.BAD_SIGNATURE, "the umpire is not silent"


def test_without_an_umpire_nobody_signs_for_another() -> None:
    party, *_ = marching()
    made = heal.sign_for(healed_to(), "nowak", named(party, "dubois").private)
    assert refused(healing.check_signatures, table_of(), made)[0] is Outcome.BAD_SIGNATURE


def test_the_umpire_signs_for_the_silent_only_by_the_charter_and_never_for_who_chooses() -> None:
    table = table_of("witness")
    forked, axis = table.side_of("nowak"), table.side_of("yamada")
    nobody = (Outcome.REFUSED, "the umpire signs for nobody: the charter does not say `stand-in` for who is late")
    both, one = Choice((forked,), axis, (A, B)), Choice((forked,), axis, (A,))
    for then in ("", "loss", "substitute", "nothing"):
        table.charter = replace(table.charter, overdue=Overdue(72, 48, then) if then else None)
        assert refused(healing.check_silent, table, healed_to("witness"), one, "nowak") == nobody
    table.charter = replace(table.charter, overdue=Overdue(72, 48, "stand-in"))
    for player in ("nowak", "dubois", "yamada"):
        himself = (Outcome.REFUSED, f"{player} has to choose himself: nobody signs for him")
        back = healed_to("witness", chosen_by="all")
        assert refused(healing.check_silent, table, back, one, player) == himself
        healing.check_silent(table, healed_to("witness"), one, player)
    assert refused(healing.check_silent, table, healed_to("witness"), both, "yamada") == himself
    healing.check_silent(table, healed_to("witness"), both, "nowak")


def test_a_heal_of_who_does_not_play_is_none() -> None:
    party, first, _ = marching()
    one, two = ({**forged(named(party, "nowak"), first[-1]), "player": "stranger", "note": [n]} for n in "ab")
    document = drafted(party, [[one], [two]], 0)
    words = (Outcome.WRONG_KEY, "stranger does not play in this game")
    assert refused(healing.check, table_of(), document) == words


def test_a_heal_behind_other_files_than_the_logs_does_not_fit() -> None:
    document = healed_to()
    table = table_of()
    for file in heal.line(marching()[0][0].log, document)[len(table.ledger.entries) : document["to"] + 1]:
        table.ledger.entries.append(Entry(document_id(dict(file)), file["player"], "turn", file["link"]))
    assert healing.check(table.fork(), document).allowed == (document["prev"],)
    for place in (document["to"], document["forked"]["seq"] - 1):
        other = table.fork()
        other.ledger.mark(place, id=A)
        words = (Outcome.BAD_CHAIN, f"the heal keeps another file {document['to']} than this log holds")
        assert refused(healing.check, other, document) == words


def test_every_key_that_a_player_has_had_or_got_in_a_version_signs_there() -> None:
    party, first, second = marching()
    table, nowak = table_of(), named(party, "nowak")
    table.ledger.held.append(KeyHeld("nowak", B, 9))
    new = {"type": "seat", "seq": 9, "player": "nowak", "seat": {"player": "nowak", "key": A}}
    strange = {"type": "seat", "seq": 9, "player": "nowak", "seat": {"player": "stranger", "key": A}}
    keys = healing._keys(table, {"versions": [[*first, new], [*second, strange]]})
    assert keys["nowak"] == [nowak.record.key, B, A] and set(keys) == {"yamada", "nowak", "dubois"}
    file = {"seq": 7, "player": "nowak"}
    for person, message in ((nowak, ""), (named(party, "dubois"), "is not signed by nowak: anybody can have written it")):
        made = person.sign(file)
        if not message:
            healing._check_signed(table.charter, {"nowak": [named(party, "yamada").record.key, nowak.record.key]}, made)
            continue
        said = refused(healing._check_signed, table.charter, {"nowak": [nowak.record.key]}, made)
        assert said == (Outcome.BAD_SIGNATURE, f"file 7 of nowak in a version {message}")


def test_only_the_umpire_signs_for_another_in_a_version() -> None:
    party, *_ = marching("witness")
    smith, dubois, charter = named(party, "smith"), named(party, "dubois"), table_of("witness").charter
    keys = {p.name: [p.record.key] for p in party}
    healing._check_signed(charter, keys, smith.sign({"seq": 7, "player": "nowak", "signed_by": "smith"}))
    words = (Outcome.WRONG_KEY, "file 7 of nowak in a version: whoever signed it does not play in this game")
    other = dubois.sign({"seq": 7, "player": "nowak", "signed_by": "dubois"})
    assert refused(healing._check_signed, charter, keys, other) == words
    stranger = dubois.sign({"seq": 7, "player": "stranger"})
    assert refused(healing._check_signed, charter, keys, stranger)[0] is Outcome.WRONG_KEY


# -- links ------------------------------------------------------------------------------------------------------------


def test_a_link_leads_back_to_the_value_that_was_known_before_it() -> None:
    secret = bytes(32)
    tip, links = chain.tip(NONCE, secret, 16), [chain.link(NONCE, secret, 16, n) for n in range(1, 17)]
    chains = healing._Chains(bytes.fromhex(NONCE), {tip: None, links[9]: None})
    assert chains.place(links[4]) == (tip, 5) and chains.place(links[2]) == (tip, 3)
    assert chains.place(links[7]) == (tip, 8) and chains.place(links[6]) == (tip, 7)
    assert (
        chains.place(links[12]) == (links[9], 3) and chains.place(links[9]) == (links[9], 0) and chains.place(tip) == (tip, 0)
    )


def test_each_value_is_hashed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = bytes(32)
    tip, links = chain.tip(NONCE, secret, 16), [chain.link(NONCE, secret, 16, n) for n in range(1, 17)]
    hashed: list[bytes] = []
    real = chain.previous
    monkeypatch.setattr(chain, "previous", lambda nonce, link: hashed.append(link) or real(nonce, link))
    chains = healing._Chains(bytes.fromhex(NONCE), {tip: None})
    for n in (4, 2, 4, 6):
        assert chains.place(links[n]) == (tip, n + 1)
    assert len(hashed) == len({*hashed}) == 7


def test_a_link_of_nobodys_chain_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert healing.FARTHEST == 131072
    monkeypatch.setattr(healing, "FARTHEST", 5)
    secret = bytes(32)
    tip = chain.tip(NONCE, secret, 16)
    chains = healing._Chains(bytes.fromhex(NONCE), {tip: None})
    assert chains.place(chain.link(NONCE, secret, 16, 6)) == (tip, 6)
    far = chain.link(NONCE, secret, 16, 13)
    words = (Outcome.BAD_CHAIN, f"the link {far[:12]} of a version is on nobody's chain")
    assert refused(chains.place, far) == words  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("skip", "links", "after"), [(0, 3, (3, 97)), (2, 3, (3, 99)), (3, 3, (3, 100)), (4, 3, (4, 100)), (0, 0, (0, 100))]
)
def test_links_are_burnt_once(skip: int, links: int, after: tuple[int, int]) -> None:
    held = Chain(A, 100, skip=skip)
    healing._burn(held, links)
    assert (held.skip, held.left) == after


@pytest.mark.parametrize(
    ("skip", "links", "after"),  # of three links that an earlier heal has burnt behind the one due
    [(0, 0, (0, 3, 64)), (0, 1, (4, 0, 60)), (0, 4, (4, 0, 60)), (0, 6, (6, 0, 58)), (2, 2, (2, 3, 64)), (2, 3, (6, 0, 60))],
)
def test_with_a_link_that_is_due_those_are_burnt_that_an_earlier_heal_had_burnt_behind_it(
    skip: int, links: int, after: tuple[int, int, int]
) -> None:
    held = Chain("", 64, skip=skip, later=3)
    healing._burn(held, links)
    assert (held.skip, held.later, held.left) == after


def shown(table: Table, *files: Document) -> dict[str, Any]:
    return healing._shown(table, {"versions": [[*files]]})


def test_the_deepest_link_of_each_player_counts() -> None:
    party, *_ = marching()
    table, nowak, yamada = table_of(), named(party, "nowak"), named(party, "yamada")
    last = party[0].log[-1]
    files = [forged(nowak, last, 2), forged(nowak, last, 5), forged(nowak, last, 3), forged(yamada, last, 1)]
    found = shown(table, *files)
    assert (found["nowak"].behind, found["nowak"].link) == (5, nowak.ahead(5)) and found["yamada"].behind == 1
    assert (found["dubois"].behind, found["dubois"].link, found["dubois"].behind_next) == (0, "", 0)
    assert not any(one.offered or one.behind_next for one in found.values())


def test_links_of_a_chain_that_was_announced_or_is_offered_count_apart() -> None:
    party, *_ = marching()
    last, nowak = party[0].log[-1], named(party, "nowak")
    secret, tip = nowak.chain_of("second"), nowak.record_of("second").chain
    later = [{**forged(nowak, last), "link": chain.link(NONCE, secret, nowak.length, n)} for n in (1, 4, 3)]
    table = table_of()
    table.ledger.chains["nowak"].next_tip = tip
    table.ledger.tips.append(tip)
    found = shown(table, *later)["nowak"]
    assert (found.behind, found.behind_next, found.offered) == (0, 4, False)
    table = table_of()
    table.ledger.offer = Offer(1, A, "nowak", "seat", 0, ["yamada"], {"seat": {"chain": tip}})
    found = shown(table, *later)["nowak"]
    assert (found.behind, found.behind_next, found.offered) == (0, 0, True)
    assert shown(table, later[0])["nowak"].offered
    assert not shown(table, {**forged(nowak, last), "link": tip})["nowak"].offered, "the tip itself is known to all"
    table.ledger.offer = Offer(1, A, "nowak", "offer", 0, ["yamada"], {"offer": {"draw": True}})
    assert healing._offered(table) == []


def test_links_of_chains_that_versions_announce_are_known() -> None:
    party, *_ = marching()
    last, nowak = party[0].log[-1], named(party, "nowak")
    new = nowak.record_of("second")
    link = chain.link(NONCE, nowak.chain_of("second"), nowak.length, 2)
    announcing = {**forged(nowak, last), "next_chain": {"tip": new.chain, "length": nowak.length}}
    given = {**forged(nowak, last), "type": "seat", "seat": {"chain": new.chain}}
    for first in (announcing, given):
        assert shown(table_of(), first, {**forged(nowak, last), "link": link})["nowak"].behind == 1
    assert refused(shown, table_of(), {**forged(nowak, last), "link": A})[0] is Outcome.BAD_CHAIN


# -- what is used up, what is owed ------------------------------------------------------------------------------------


def test_draw_numbers_of_void_files_are_used_up() -> None:
    table = table_of()
    table.ledger.draw_counts = {"nowak": 3}
    commits: list[Document] = [
        {"player": "nowak", "commit": [{"draw": 1}, {"draw": 6}, {"draw": 5}]},
        {"player": "yamada", "commit": [{"draw": 0}]},
        {"player": "dubois", "commit": None},
    ]
    healing._use_up_draws(table, commits)
    assert table.ledger.draw_counts == {"nowak": 7, "yamada": 1}


def owing(what: str, player: str = "yamada", *, by: str = "nowak", newest: bool = True, turned: bool = False) -> Table:
    table = table_of()
    table.ledger.entries.append(Entry(A, by, "turn", B, decides=True))
    table.ledger.source = table.last if newest else table.last - 1
    if turned:
        table.ledger.entries.append(Entry(C, player, "turn", C))
        table.ledger.entries.append(Entry("", "", "void"))
    table.due = Due(player, what)
    return table


def test_a_link_is_owed_by_a_witness_or_by_whoever_opens_for_the_dice_of_the_other_sides_newest_file() -> None:
    assert healing._owed(owing("witness")) == Due("yamada", "witness")
    for what in ("open", "claim"):
        assert healing._owed(owing(what)) == Due("yamada", what)
        assert healing._owed(owing(what, "dubois")) is None, "his own side"
        assert healing._owed(owing(what, turned=True)) is None, "it was shown"
        assert healing._owed(owing(what, newest=False)) is None, "not of the newest file"
    assert healing._owed(owing("orders")) is None and healing._owed(owing("seal")) is None


def settled(table: Table, owed: Due, behind: int, *, forked: str = "axis", skip: int = 0) -> tuple[int, Any]:
    nowak = named(marching()[0], "nowak")
    held = table.ledger.chains[owed.player]
    held.skip = skip
    secret = nowak.chain_of("third")
    held.last, held.left = chain.tip(NONCE, secret, 64), 64
    deepest = healing._Shown(behind, chain.link(NONCE, secret, 64, behind) if behind else "")
    table.ledger.entries.append(Entry("", "", "void"))
    back = healing._settle(table, owed, Choice((forked,), "allies", (A,)), deepest, table.last - 1)
    return back, deepest


def link_of(n: int) -> str:
    return chain.link(NONCE, named(marching()[0], "nowak").chain_of("third"), 64, n)


def test_dice_that_the_side_which_forked_owes_are_turned_with_the_link_that_was_due() -> None:
    table = owing("witness")
    axis = table.side_of("yamada")
    for behind, skip, n in ((1, 0, 1), (4, 0, 1), (4, 2, 3), (3, 2, 3)):
        again = table.fork()
        back, deepest = settled(again, again.due, behind, forked=axis, skip=skip)
        held = again.ledger.chains["yamada"]
        assert (back, held.last, held.left, held.skip) == (0, link_of(n), 63, 0), (behind, skip)
        assert held.shown == table.ledger.chains["yamada"].shown + 1 and deepest.behind == behind - skip - 1
        entry = again.ledger.entries[-1]
        assert (entry.type, entry.link, entry.of) == ("void", link_of(n), "yamada")


def test_a_link_that_no_version_has_shown_stays_due() -> None:
    for behind, skip in ((0, 0), (2, 2), (1, 3)):
        table = owing("witness")
        back, deepest = settled(table, table.due, behind, forked=table.side_of("yamada"), skip=skip)
        held = table.ledger.chains["yamada"]
        assert (back, held.left, held.skip, deepest.behind) == (0, 64, skip, behind)


def test_an_opening_that_is_owed_comes_with_the_very_link_later() -> None:
    table = owing("open")
    back, deepest = settled(table, table.due, 4, forked=table.side_of("yamada"))
    held = table.ledger.chains["yamada"]
    assert (back, deepest.behind, held.later, held.left, held.skip) == (0, 0, 3, 64, 0)
    settled(table, table.due, 2, forked=table.side_of("yamada"))
    assert held.later == 3, "an earlier heal has burnt more"


def test_what_another_owes_with_a_known_link_is_decided_again() -> None:
    table = owing("witness")
    newest = table.last
    other = table.side_of("nowak")
    assert settled(table.fork(), table.due, 2, forked=other)[0] == newest
    void = table.fork()
    void.ledger.voided.append(newest)
    earlier = max(s for s in range(1, newest) if table.ledger.entries[s].decides)
    assert settled(void, table.due, 2, forked=other)[0] == earlier
    nothing = table.fork()
    for place in range(1, newest + 1):
        nothing.ledger.mark(place, decides=False)
    nothing.ledger.mark(0, decides=True)
    assert settled(nothing.fork(), table.due, 2, forked=other)[0] == 0
    nothing.ledger.mark(1, decides=True)
    nothing.ledger.entries.append(Entry("", "", "void", decides=True))  # what stands behind what is kept does not count
    owed, deepest = table.due, healing._Shown(2, link_of(2))
    assert healing._settle(nothing, owed, Choice((other,), "allies", (A,)), deepest, newest) == 1


# -- taking -----------------------------------------------------------------------------------------------------------


def test_a_heal_waits_for_its_place_and_a_void_place_is_nobodys() -> None:
    table = table_of()
    place = len(table.ledger.entries)
    words = (Outcome.WAITING, f"place {place + 1} comes behind place {place}")
    assert refused(healing.take, table, {"type": "void", "seq": place + 1}, dict.get) == words  # type: ignore[arg-type]
    assert healing.take(table, {"type": "void", "seq": place}, lambda _: {}) == ("", (), ())
    assert table.ledger.entries[-1] == Entry("", "", "void")


# -- who chooses ------------------------------------------------------------------------------------------------------


def test_of_two_files_that_prove_nothing_there_is_nothing_to_heal() -> None:
    party, first, _ = marching()
    document = healed_to(versions=[first, [forged(named(party, "yamada"), party[0].log[-1])]])
    with pytest.raises(NothingToHeal) as caught:
        choosing.choice(table_of(), document)
    assert caught.value.outcome is Outcome.REFUSED
    place = document["forked"]["seq"]
    assert str(caught.value) == f"nobody has signed two files for place {place}: there is nothing to heal"


def test_a_file_signed_anew_after_a_loss_is_no_fork_of_its_authors_side() -> None:
    """All others have signed that they hold no other file of his: nobody may choose between the two, and nobody has cheated."""
    party, *_ = marching()
    nowak, last = named(party, "nowak"), party[0].log[-1]
    asked = question(nowak, [*party])
    given = [answer(named(party, name), asked, document_id(last)) for name in ("dubois", "yamada")]
    lost, anew = forged(nowak, last), forged(nowak, last, slips=[asked, *given])
    for versions in ([[lost], [anew]], [[anew], [lost]]):
        with pytest.raises(NothingToHeal):
            choosing.choice(table_of(), healed_to(versions=versions))
    unanswered = forged(nowak, last, slips=[asked, given[0]])
    assert choosing.choice(table_of(), healed_to(versions=[[lost], [unanswered]])).forked == (table_of().side_of("nowak"),)


def test_the_other_side_chooses_among_versions_that_hold_all_of_its_files() -> None:
    party, first, second = marching()
    table = table_of()
    allies, axis = table.side_of("nowak"), table.side_of("yamada")
    ends = [document_id(version[-1]) for version in (first, second)]
    assert choosing.choice(table, healed_to()) == Choice((allies,), axis, (ends[0],))
    unfollowed = healed_to(versions=[first[:1], second])
    assert choosing.choice(table, unfollowed) == Choice((allies,), axis, (document_id(first[0]), ends[1]))
    answered = [*second, forged(named(party, "yamada"), second[-1])]
    both = choosing.choice(table, healed_to(versions=[first, answered]))
    assert both == Choice((allies,), axis, (ends[0], document_id(answered[-1]))), "no version holds all: any"
    other = [first[0], {**forged(named(party, "yamada"), first[0]), "note": ["x"]}]
    other[1] = named(party, "yamada").sign(other[1])
    everybody = choosing.choice(table, healed_to(versions=[first, second, other]))
    assert (everybody.forked, everybody.chooser) == (tuple(sorted((allies, axis))), "all")


def test_what_is_chosen_by_whom_is_said() -> None:
    table = table_of()
    axis, ends = table.side_of("yamada"), [document_id(v[-1]) for v in marching()[1:]]
    all_must = "back to the last file that all versions have: that takes files back for those who have seen more"
    for document, words in (
        (healed_to(keep=None, chosen_by=axis), f"{all_must}, so all must choose it, not {axis}"),
        (healed_to(chosen_by="all"), f"{axis} chooses between these versions, not all"),
        (
            healed_to(keep=1, chosen_by=axis),
            "the version that holds every file of those who did not fork is the only one that may be kept: "
            f"{ends[0][:12]}, not {ends[1][:12]}",
        ),
    ):
        assert refused(choosing.check_choice, table, document) == (Outcome.REFUSED, words)  # type: ignore[arg-type]
    assert choosing.check_choice(table, healed_to(chosen_by=axis)).allowed == (ends[0],)
    assert choosing.check_choice(table, healed_to(keep=None)).chooser == axis


# -- two honest files -------------------------------------------------------------------------------------------------


def own(**more: Any) -> Document:
    return {"type": "turn", "seq": 5, "prev": A, "player": "nowak", "link": B, **more}


def stood_in(**more: Any) -> Document:
    return own(signed_by="smith", **more)


def given(by: str = "smith") -> Document:
    return own(type="seat", player=by, seat={"player": "nowak"})


def by(player: str, signer: str = "") -> Document:
    return {"type": "turn", "seq": 6, "player": player, **({"signed_by": signer} if signer else {})}


YES, NO = True, False


@pytest.mark.parametrize(
    ("followers", "others", "own_stands", "other_stands"),
    [
        ([], [], YES, NO),
        ([by("yamada")], [], YES, NO),
        ([], [by("yamada")], NO, YES),
        ([by("dubois")], [], YES, NO),
        ([], [by("dubois")], NO, YES),
        ([by("yamada")], [by("dubois")], YES, YES),
        ([], [by("nowak")], YES, NO),
        ([], [by("yamada", "smith")], YES, NO),
        ([], [by("nowak"), by("yamada")], NO, YES),
    ],
    ids=str,
)
def test_of_a_late_answer_and_the_umpires_file_for_it_the_one_that_was_followed_stands(
    followers: list[Document], others: list[Document], own_stands: bool, other_stands: bool
) -> None:
    table = table_of("witness")
    mine, theirs = [own(), *followers], [stood_in(), *others]
    assert choosing.stands_crossed(table, mine, [theirs]) is own_stands
    assert choosing.stands_crossed(table, theirs, [mine]) is other_stands


@pytest.mark.parametrize(
    ("followers", "others", "own_stands"),
    [
        ([], [], NO),
        ([by("yamada")], [], YES),
        ([by("dubois")], [], NO),
        ([by("nowak")], [], NO),
        ([by("smith")], [], NO),
        ([], [by("yamada")], NO),
        ([by("yamada")], [by("yamada")], NO),
        ([by("yamada")], [by("dubois")], YES),
    ],
    ids=str,
)
def test_of_an_own_file_and_a_change_of_key_one_stands_and_nobody_chooses(
    followers: list[Document], others: list[Document], own_stands: bool
) -> None:
    table = table_of("witness")
    mine, theirs = [own(), *followers], [given(), *others]
    assert choosing.stands_crossed(table, mine, [theirs]) is own_stands
    assert choosing.stands_crossed(table, theirs, [mine]) is not own_stands


def test_two_honest_files_are_told_from_a_fork() -> None:
    forked = {"player": "nowak", "seq": 5}
    assert choosing.is_crossed({"versions": [[own()], [stood_in()]], "forked": forked})
    assert choosing.is_crossed({"versions": [[given("dubois")], [own()], [own(), by("yamada")]], "forked": forked})
    assert not choosing.is_crossed({"versions": [[own()], [own(note=["x"])]], "forked": forked})
    assert not choosing.is_crossed({"versions": [[own()], [stood_in(link=C)]], "forked": forked})
    assert not choosing.is_crossed({"versions": [[own()], [stood_in()], [stood_in(note=["x"])]], "forked": forked})
    assert not choosing.is_crossed({"versions": [[own()], [stood_in()]], "forked": {"player": "dubois", "seq": 5}})


def test_among_honest_files_the_umpire_chooses_or_all_and_nobody_goes_back() -> None:
    for role, chooser in (("witness", "umpire"), ("", "all")):
        versions = [[own()], [given("smith" if role else "dubois")]]
        table = table_of(role)
        document = {"versions": versions, "forked": {"player": "nowak", "seq": 5}}
        found = choosing.choice(table, document)
        assert found == Choice((table.side_of("nowak"),), chooser, (document_id(versions[1][0]),), may_go_back=False)
        back = {**document, "chosen_by": "all", "to": 4, "prev": A}
        told = refused(choosing.check_choice, table, back)  # type: ignore[arg-type]
        assert told[0] is Outcome.REFUSED and told[1].startswith("back to the last file")
        mine = {**document, "chosen_by": chooser, "to": 5, "prev": document_id(versions[0][0])}
        words = "of a player's own file and one that was signed for him the protocol says which one stands"
        ends = [document_id(version[0])[:12] for version in versions]
        assert refused(choosing.check_choice, table, mine) == (  # type: ignore[arg-type]
            Outcome.REFUSED,
            f"{words}: {ends[1]}, not {ends[0]}",
        )


def test_a_version_is_weighed_against_those_that_begin_otherwise_whichever_comes_first() -> None:
    """The other side has followed the own file alone: it stands, and the change of key does not."""
    behind = {"prev": B, "link": C}
    table, mine, theirs = table_of("witness"), [own(), {**by("yamada"), **behind}], [given()]
    for versions in ([mine, theirs], [theirs, mine], [theirs, mine, [own(), {**by("nowak"), **behind}]]):
        found = choosing.choice(table, {"versions": versions, "forked": {"player": "nowak", "seq": 5}})
        assert found.allowed[0] == document_id(mine[-1]) and document_id(theirs[0]) not in found.allowed

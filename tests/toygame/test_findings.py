"""What the audit finds, whose it is and in which file, in exact words; disclosures collected from several slips."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Claim
from pbem.kernel.wording import english
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import replaying
from pbem.runtime.audit import Disclosure, audit, collect, disclose, read_disclosure, undisclosed
from pbem.runtime.composing import Draft
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.ledger import DrawMade
from tests.toygame.party import Person, send
from tests.toygame.test_dues import people, played


def slip_of(person: Person) -> dict[str, Any]:
    return {"player": person.name, **disclose(person.table, person.knowledge(), person.draw_keys())}


def shown(party: list[Person]) -> list[Disclosure]:
    return [read_disclosure(p.name, slip_of(p)) for p in party]


def finished() -> list[Person]:
    party = people()
    played(party)
    return party


def found(party: list[Person], disclosures: list[Disclosure]) -> tuple[str, int, str] | None:
    """Whose fault, in which file, in what words."""
    finding = audit(party[1].table, disclosures, party[1].fetch)
    return finding and (finding.player, finding.seq, english(finding.what))


def test_an_honest_game_is_clean_and_everybody_shows_what_he_owes() -> None:
    party = finished()
    assert found(party, shown(party)) is None
    nowak, dubois, yamada = (slip_of(p) for p in party)
    assert [k["draw"] for k in nowak["keys"]] == [0] and [*nowak["keys"][0]] == ["draw", "key", "path"]
    assert [o["handle"] for o in nowak["open"]] == ["red:seal6:0"] and [o["handle"] for o in yamada["open"]] == ["blue:seal3:0"]
    assert (dubois["keys"], dubois["open"]) == ([], [])
    assert undisclosed(party[0].table.ledger, shown(party)) == []


def test_who_shows_nothing_is_named() -> None:
    party = finished()
    assert undisclosed(party[0].table.ledger, []) == ["nowak", "yamada"]
    assert found(party, []) == ("nowak", 2, "does not show the key of draw 0")
    assert found(party, shown(party)[:2]) == ("yamada", 2, "does not show the key of draw 0")
    without = [Disclosure("nowak", {}, {}, {}), *shown(party)[1:]]
    assert found(party, without) == ("nowak", 2, "does not show the key of draw 0")
    assert undisclosed(party[0].table.ledger, without) == ["nowak"]
    seals = [Disclosure(d.player, d.secrets, d.paths, {}) for d in shown(party)]
    assert found(party, seals) == ("yamada", 3, "the seal blue:seal3:0 is not opened as it was made")
    assert undisclosed(party[0].table.ledger, seals) == ["nowak", "yamada"]


def test_a_key_outside_its_tree_and_a_seal_opened_otherwise() -> None:
    party = finished()
    nowak, dubois, yamada = shown(party)
    other = Disclosure("nowak", {0: bytes(32)}, nowak.paths, nowak.openings)
    assert found(party, [other, dubois, yamada]) == ("nowak", 2, "the key of draw 0 is not in the tree that was announced")
    wrong = {"red:seal6:0": {**nowak.openings["red:seal6:0"], "order": 0}}
    lying = Disclosure("nowak", nowak.secrets, nowak.paths, wrong)
    assert found(party, [lying, dubois, yamada]) == ("nowak", 6, "the seal red:seal6:0 is not opened as it was made")


def test_two_slips_of_one_player_add_up_and_the_one_that_fits_counts() -> None:
    party = finished()
    nowak = slip_of(party[0])
    keys, opened = {**nowak, "open": []}, {**nowak, "keys": []}
    false = {**nowak, "keys": [{**nowak["keys"][0], "key": "00" * 32}], "open": [{**nowak["open"][0], "order": 0}]}
    others = [slip_of(p) for p in party[1:]]
    for slips in ([keys, opened], [opened, keys], [false, nowak], [nowak, false]):
        (one, *_) = collected = collect(party[0].table, [*slips, *others])
        assert one == read_disclosure("nowak", nowak) and [d.player for d in collected] == ["nowak", "dubois", "yamada"]
        assert found(party, collected) is None
    stranger = {**nowak, "open": [*nowak["open"], {"handle": "zz:seal9:0", "order": 1, "salt": "00" * 32}]}
    assert collect(party[0].table, [stranger])[0].openings.keys() == {"red:seal6:0"}
    assert read_disclosure("nowak", {**nowak, "open": [None, *nowak["open"]]}).openings.keys() == {"red:seal6:0"}


def test_other_items_than_drawn_are_found_in_the_file_that_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Knowledge.items

    def lying(self: Knowledge, made: DrawMade) -> list[Plain]:
        return ["ace"] * made.count if self.player == "nowak" else honest(self, made)

    party = people()
    with monkeypatch.context() as patch:
        patch.setattr(Knowledge, "items", lying)
        played(party)
        slips = shown(party)
    assert found(party, slips) == ("nowak", 4, "draw 0 gives other items than committed to")


def test_a_false_claim_is_found_in_its_file_and_no_claim_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Knowledge.claim

    def lying(self: Knowledge, n: int, request: Claim) -> Any:
        entry: Any = honest(self, n, request)
        return {**entry, "value": not entry["value"]}

    party = people()
    with monkeypatch.context() as patch:
        patch.setattr(Knowledge, "claim", lying)
        played(party)
        slips = shown(party)
    said = party[0].table.ledger.claims[0].value
    assert found(party, slips) == ("yamada", 9, f"claim 0 (high scouting) says {said!r}, not {not said!r}")


def test_a_log_that_this_program_plays_otherwise_proves_nothing() -> None:
    party = finished()
    slips = shown(party)
    claims = party[1].table.ledger.claims
    claims[0] = replace(claims[0], about="something else")
    with pytest.raises(ProtocolError) as differs:
        found(party, slips)
    assert (differs.value.outcome, str(differs.value)) == (
        Outcome.DIVERGED,
        "where this program asks blue for high scouting, file 9 states high something else: programs differ",
    )


def test_a_state_that_does_not_come_out_again_proves_nothing() -> None:
    party = finished()
    slips = shown(party)
    party[1].log[5] = {**party[1].log[5], "state": "ab" * 32}
    with pytest.raises(ProtocolError) as differs:
        found(party, slips)
    assert (differs.value.outcome, str(differs.value)) == (
        Outcome.DIVERGED,
        "file 5 played again begins in another state than its author's program found: programs differ",
    )


def test_a_replay_comes_to_the_same_table() -> None:
    party = finished()
    send(party, Draft(orders=["rest"]))
    table = party[0].table
    again = replaying.replay(table, party[0].fetch, type(table.engine), records=True)
    assert again.engine.state_hash() == table.engine.state_hash()
    for name in ("rolled", "draws", "opened", "claims", "seals", "fired", "standing", "source", "rolls"):
        assert getattr(again.ledger, name) == getattr(table.ledger, name), name


def test_an_undo_takes_back_what_was_decided_and_drawn_and_keeps_links_and_commitments() -> None:
    party = people()
    for draft in (["left"], None, [2], None):
        send(party, Draft(orders=draft) if draft else Draft())
    before = party[0].table.ledger
    kept = {**before.commits}, before.chains["nowak"].shown
    send(party, Draft(type="undo", extra={"to": 3}))
    while (offer := party[0].table.ledger.offer) is not None:
        send(party, Draft(type="accept", extra={"accepts": offer.id}))
    ledger = party[0].table.ledger
    assert ledger.voided == [3, 4, 5, 6, 7] and party[0].table.due.what == "seal"
    assert [e.decides for e in ledger.entries[1:]] == [True, *[False] * 6]
    assert ledger.rolled == [] and ledger.seals == {} and len(ledger.draws) == 2 and ledger.commits == kept[0]
    assert ledger.chains["nowak"].shown == kept[1] + 1
    for draft in ([1], None, ["horse"], [1], [2], None, None, None, None):
        send(party, Draft(orders=draft) if draft else Draft())
    assert found(party, shown(party)) is None and party[0].table.engine.state.losses == ["1"]

"""A heal taken into the log: what becomes of void files' links, draws, tips and trees, and of dice that are owed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.protocol import chain, heal
from pbem.protocol.deadlines import Overdue
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.runtime import healing
from pbem.runtime.choosing import Choice
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Entry, Offer, Rolled
from pbem.runtime.table import Table
from tests.runtime.test_healing import A, B, C, healed_to, marching, owing, table_of
from tests.runtime.test_seats import refused
from tests.toygame.healing import Document, forged, named, signed_by
from tests.toygame.party import NONCE


@dataclass
class Noted:
    """What was taken back and played on, in this order."""

    acts: list[Any] = field(default_factory=list)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    found = Noted()
    marching(), table_of()  # the game itself is played with the real one
    monkeypatch.setattr(healing, "take_back", lambda table, to, fetch: found.acts.append((table.last, to, fetch)))

    def advance(table: Table, hand: Hand) -> None:
        found.acts.append((hand.player, hand.seq, hand.orders))

    monkeypatch.setattr(Table, "advance", advance)
    return found


def fetch(seq: int) -> Document:
    raise AssertionError(seq)


def applied(table: Table, document: Document, forked: str = "allies") -> Hand:
    """The heal at a table that stands behind the parting and the void places."""
    while len(table.ledger.entries) < document["seq"]:
        table.ledger.entries.append(Entry("", "", "void"))
    return healing._apply(table, document, Choice((forked,), "axis", (A,)), fetch)


def two_of(*files: Document) -> Document:
    """A heal that goes back before two files of nowak's, of which these are the first version."""
    last = marching()[0][0].log[-1]
    nowak = named(marching()[0], "nowak")
    return healed_to(versions=[[*files], [forged(nowak, last, note=["other"])]], keep=None)


def test_a_heal_stands_in_the_log_and_the_game_goes_on_behind_it(noted: Noted) -> None:
    table, document = table_of(), healed_to(keep=None)
    hand = applied(table, document)
    assert table.ledger.entries[-1] == Entry(document_id(document), "", "heal") and table.last == document["seq"]
    assert noted.acts == [("", document["seq"], [])] and (hand.player, hand.seq, hand.orders) == ("", document["seq"], [])


def test_ids_of_void_files_are_known_as_gone(noted: Noted) -> None:
    _, first, second = marching()
    table = table_of()
    table.ledger.gone = ["old"]
    applied(table, healed_to(keep=None))
    assert table.ledger.gone == ["old", *(document_id(f) for f in sorted([*first, *second], key=lambda f: int(f["seq"])))]
    kept = table_of()
    applied(kept, healed_to())
    assert kept.ledger.gone == [document_id(file) for file in second], "those of the version that is kept stand"


def test_tips_and_draw_trees_of_void_files_are_used_up(noted: Noted) -> None:
    last, nowak = marching()[0][0].log[-1], named(marching()[0], "nowak")
    announcing = forged(nowak, last, next_chain={"tip": A, "length": 64}, next_draws=B)
    table = table_of()
    table.ledger.tips, table.ledger.roots = ["t"], ["r"]
    applied(table, two_of(announcing))
    assert (table.ledger.tips, table.ledger.roots) == (["t", A], ["r", B])
    again = table_of()
    again.ledger.tips = [A, C]
    applied(again, two_of(announcing))
    assert again.ledger.tips == [A, C], "each once"
    given = {"type": "seat", "seat": {"player": "nowak", "chain": C, "draws": B, "key": "k"}}
    seated = table_of()
    applied(seated, two_of({**forged(nowak, last), **given}))
    assert (seated.ledger.tips, seated.ledger.roots) == ([C], [B])


def test_draw_numbers_of_void_files_are_used_up_and_those_of_kept_ones_are_not_counted_here(noted: Noted) -> None:
    last, nowak = marching()[0][0].log[-1], named(marching()[0], "nowak")
    committed = forged(nowak, last, commit=[{"draw": 6, "items": [A]}])
    table = table_of()
    applied(table, two_of(committed))
    assert table.ledger.draw_counts["nowak"] == 7
    before = table_of().ledger.draw_counts.get("nowak", 0)
    kept = table_of()
    applied(kept, healed_to(versions=[[committed], [forged(nowak, last, note=["other"])]]))
    assert kept.ledger.draw_counts.get("nowak", 0) == before


def test_links_of_every_player_are_burnt_as_deep_as_a_version_has_shown_them(noted: Noted) -> None:
    party = marching()[0]
    last, nowak, yamada = party[0].log[-1], named(party, "nowak"), named(party, "yamada")
    first = forged(nowak, last, 3)
    table = table_of()
    left = {name: held.left for name, held in table.ledger.chains.items()}
    applied(table, two_of(first, forged(yamada, first, 2)))
    skips = {name: (held.skip, left[name] - held.left) for name, held in table.ledger.chains.items()}
    assert skips == {"nowak": (3, 3), "yamada": (2, 2), "dubois": (0, 0)}


def with_next_chain() -> tuple[str, Any, Table]:
    """The tip of nowak's second chain, which the table knows, and a heal in which a version has shown the second link of it."""
    last, nowak = marching()[0][0].log[-1], named(marching()[0], "nowak")
    tip, table = nowak.record_of("second").chain, table_of()
    table.ledger.tips.append(tip)
    link = chain.link(NONCE, nowak.chain_of("second"), nowak.length, 2)
    return tip, two_of({**forged(nowak, last), "link": link}), table


def test_links_of_a_next_chain_are_burnt_on_it(noted: Noted) -> None:
    tip, shown, table = with_next_chain()
    held = table.ledger.chains["nowak"]
    held.next_tip, held.next_skip, held.announced = tip, 1, table.last  # nobody has signed since: it is not in use yet
    applied(table, shown)
    assert (held.next_skip, held.skip, table.ledger.chains["yamada"].next_skip) == (2, 1, 0)
    held.next_skip = 9
    applied(table, shown)
    assert held.next_skip == 9, "what an earlier heal has burnt there"


def test_an_announced_chain_that_is_due_is_in_use_before_anything_is_burnt(noted: Noted) -> None:
    tip, shown, table = with_next_chain()
    held = table.ledger.chains["nowak"]
    held.next_tip, held.next_length, held.announced, held.later = tip, 64, 0, 5
    applied(table, shown)
    assert (held.last, held.next_tip, held.skip, held.left, held.later) == (tip, "", 2, 62, 0)


def test_an_offer_goes_on_waiting_unless_its_chain_is_known_already(noted: Noted) -> None:
    last, nowak = marching()[0][0].log[-1], named(marching()[0], "nowak")
    tip = nowak.record_of("second").chain
    table = table_of()
    offer = Offer(1, A, "nowak", "seat", 0, ["yamada"], {"seat": {"chain": tip}})
    table.ledger.offer = offer
    applied(table, two_of(forged(nowak, last)))
    assert table.ledger.offer is offer and noted.acts == [], "nothing is played on before it is answered"
    link = chain.link(NONCE, nowak.chain_of("second"), nowak.length, 2)
    applied(table, two_of({**forged(nowak, last), "link": link}))
    assert table.ledger.offer is None and len(noted.acts) == 1


def test_of_dice_that_are_owed_with_a_known_link_the_orders_are_taken_back(noted: Noted) -> None:
    """Yamada owes the dice and has not forked; a void file of his shows the link that would turn them."""
    party = marching()[0]
    nowak, yamada = named(party, "nowak"), named(party, "yamada")
    owed = owing("witness")
    newest, last = owed.last, party[0].log[-1]
    first = {**forged(nowak, last), "seq": newest + 1}
    document = {**two_of(first, forged(yamada, first, 1)), "to": newest, "seq": newest + 3}
    table = owed.fork()
    applied(table, document)
    assert noted.acts == [(newest + 3, newest, fetch), ("", newest + 3, [])]
    noted.acts.clear()
    table = owed.fork()
    applied(table, document, forked="axis")
    held = table.ledger.chains["yamada"]
    assert [act[0] for act in noted.acts] == [""] and held.last == yamada.ahead(1) and held.skip == 0
    assert (table.ledger.entries[newest + 1].link, table.ledger.entries[newest + 1].of) == (yamada.ahead(1), "yamada")
    noted.acts.clear()
    table = owed.fork()
    table.due = Due("yamada", "orders")
    applied(table, document)
    assert [act[0] for act in noted.acts] == [""] and table.ledger.chains["yamada"].skip == 1, "nobody owes a die"


def test_what_a_heal_turned_and_did_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    party = marching()[0]
    document = healed_to(keep=None)
    roll = Rolled(1, 0, "x", 6, "S", [3])

    def advance(table: Table, hand: Hand) -> None:
        hand.turned.append(roll)
        table.engine.state.events.append("new")

    monkeypatch.setattr(Table, "advance", advance)
    table = table_of()
    while len(table.ledger.entries) < document["seq"]:
        healing.take(table, {"type": "void", "seq": len(table.ledger.entries)}, fetch)
    events = len(table.engine.state.events)
    untouched = table.fork()
    assert refused(healing.take, untouched, document, fetch)[0] is Outcome.WAITING  # type: ignore[arg-type]
    assert len(untouched.ledger.entries) == document["seq"], "without its signatures it changes nothing"
    assert healing.take(table.fork(), document, fetch, complete=False)[0] == document_id(document)
    made = signed_by(document, party)
    assert healing.take(table, made, fetch) == (document_id(made), (roll,), ("new",))
    assert len(table.engine.state.events) == events + 1


def behind_what_is_kept(role: str, document: Document) -> Table:
    """A table that holds the files of the version kept."""
    table = table_of(role)
    files = heal.line(marching(role)[0][0].log, document)[len(table.ledger.entries) : document["to"] + 1]
    table.ledger.entries += [Entry(document_id(dict(file)), file["player"], "turn", file["link"]) for file in files]
    return table


def test_the_umpire_who_signs_for_the_silent_is_held_to_the_charter() -> None:
    party, first, second = marching("witness")
    smith = named(party, "smith").private
    for versions, chooses in (([first, second], False), ([first[:1], second], True)):
        document = healed_to("witness", versions=versions)
        table = behind_what_is_kept("witness", document)
        for player in ("nowak", "yamada"):
            silent = heal.sign_for(document, player, smith)
            nobody = "the umpire signs for nobody: the charter does not say `stand-in` for who is late"
            assert refused(healing.check, table, silent) == (Outcome.REFUSED, nobody)  # type: ignore[arg-type]
            agreed = table.fork()
            agreed.charter = replace(table.charter, overdue=Overdue(72, 48, "stand-in"))
            if player == "yamada" and chooses:
                himself = (Outcome.REFUSED, "yamada has to choose himself: nobody signs for him")
                assert refused(healing.check, agreed, silent) == himself  # type: ignore[arg-type]
            else:
                assert len(healing.check(agreed, silent).allowed) == 1 + chooses


def test_what_was_chosen_is_what_is_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr(healing, "_apply", lambda *what: given.append(what) or Hand("", 0))
    document = healed_to()
    table = behind_what_is_kept("", document)
    while len(table.ledger.entries) < document["seq"]:
        table.ledger.entries.append(Entry("", "", "void"))
    healing.take(table, document, fetch, complete=False)
    found = Choice((table.side_of("nowak"),), table.side_of("yamada"), (document["prev"],))
    assert given == [(table, document, found, fetch)]

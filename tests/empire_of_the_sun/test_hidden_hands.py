"""Hidden hands over signed files: two programs in lockstep, then the audit; and programs that cheat."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from pbem.games.empire_of_the_sun.cards import hidden
from pbem.kernel.canon import Plain
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import composing
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.ledger import DrawMade
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from tests.empire_of_the_sun import table
from tests.empire_of_the_sun.hidden_play import decide, disclosures, play_out, two_people
from tests.toygame.party import Person, send


@pytest.mark.parametrize(("scenario", "seed"), [("burma", 1), ("south-pacific", 2)])
def test_a_whole_game_and_a_clean_audit(scenario: str, seed: int) -> None:
    party = two_people(scenario)
    play_out(party, seed)
    assert party[0].table.result is not None
    assert len(party[0].table.ledger.draws) > 6
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None


def up_to(party: list[Person], kind: str, seat: str, seed: int = 3) -> Person:
    """Random play until this question is asked of this side; the person who has to answer."""
    dice = random.Random(seed)
    for _ in range(200):
        table = party[0].table
        writer = next(p for p in party if p.name == table.due.player)
        request = table.engine.request
        if table.due.what == "orders" and getattr(request, "kind", "") == kind and getattr(request, "seat", "") == seat:
            return writer
        send(party, decide(writer, dice))
    raise AssertionError(f"{kind} is never asked of {seat}")


def refused(party: list[Person], document: Any) -> ProtocolError:
    """The other program does not take the file."""
    other = next(p for p in party if p.name != document["player"])
    parsed, _ = strict_yaml.read_document(strict_yaml.write_document(document))
    with pytest.raises(ProtocolError) as caught:
        take(other.table, parsed, other.fetch)
    return caught.value


def a_play(person: Person, seat: str) -> tuple[str, str]:
    """A hidden card of the own hand that is no trouble to discard: card and handle."""
    held = person.table.engine.state.hands[seat]
    cards = person.knowledge().hand(seat)
    return next((c, h) for c, h in sorted(cards.items()) if h in held and hidden(h) and c not in ("J43", "A79"))


def test_the_opponents_program_sees_handles_only() -> None:
    party = two_people("burma")
    up_to(party, "card", "japan")
    for person in party:
        state = person.table.engine.state
        assert all(hidden(entry) for side in ("japan", "allies") for entry in state.hands[side])


@pytest.mark.parametrize("spelled", ["future: {}", {"future": "{}"}])
def test_a_prepared_card_is_not_named(spelled: Any) -> None:
    party = two_people("year-1942")
    writer = up_to(party, "card", "japan")
    card, handle = a_play(writer, "japan")
    order = spelled.format(card) if isinstance(spelled, str) else {"future": card}
    text = strict_yaml.write_document(writer.sign(writer.write(Draft(orders=[order])).document))
    assert handle in text and not re.search(rf"\b{card}\b", text)


def test_each_card_of_a_list_is_spelled_out() -> None:
    """A player names the cards; each that only he knows gets its place in his hand, wherever it stands in the order."""
    party = two_people("burma")
    writer = up_to(party, "card", "japan")
    (first, a), (second, b), *_ = writer.knowledge().hand("japan").items()
    spelled = table.GAME.spelled_out(writer.table.engine.state, "japan", {"cards": [first, second]}, {first: a, second: b})
    assert spelled == {"cards": [f"{first} {a}", f"{second} {b}"]}


def test_a_card_never_drawn_cannot_be_played() -> None:
    party = two_people("burma")
    writer = up_to(party, "card", "japan")
    card, handle = a_play(writer, "japan")
    composed = writer.write(Draft(orders=[{"discard": card}]))
    assert composed.document["orders"] == [{"discard": f"{card} {handle}"}]
    wanted = next(c for c in writer.table.engine.state.decks["japan"] if c not in writer.knowledge().hand("japan"))
    entry = {**composed.document["open"][0], "item": wanted}
    changed = {**composed.document, "orders": [{"discard": f"{wanted} {handle}"}], "open": [entry]}
    assert refused(party, writer.sign(changed)).outcome is Outcome.BAD_OPENING


def test_the_opening_is_the_card_that_the_order_names() -> None:
    party = two_people("burma")
    writer = up_to(party, "card", "japan")
    card, handle = a_play(writer, "japan")
    composed = writer.write(Draft(orders=[{"discard": card}]))
    other = next(c for c in writer.knowledge().hand("japan") if c != card)
    changed = {**composed.document, "orders": [{"discard": f"{other} {handle}"}]}
    assert refused(party, writer.sign(changed)).outcome is Outcome.BAD_OPENING


def lying(about: Callable[[Knowledge, DrawMade, list[Plain]], list[Plain]]) -> Callable[[Table, Secrets, Any], Knowledge]:
    """A program whose owner commits to other cards than he drew."""

    class Lying(Knowledge):
        def items(self, made: DrawMade) -> list[Plain]:
            return about(self, made, super().items(made))

    return lambda table, secrets, sealed: Lying(
        secrets.player, secrets.draw_secrets, sealed, table.ledger, table.charter.game_id
    )


def test_a_swapped_card_is_proved_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Japan commits to a better hand than it drew: every opening fits, the audit names the file."""
    party = two_people("burma")

    def better(knowledge: Knowledge, made: DrawMade, drawn: list[Plain]) -> list[Plain]:
        first = next(d for d in knowledge.ledger.draws if d.player == "yamada")
        return [next(c for c in made.base if c not in drawn), *drawn[1:]] if made is first else drawn

    liar = lying(better)
    monkeypatch.setattr(composing, "_knowledge", liar)
    monkeypatch.setattr(Person, "knowledge", lambda self: liar(self.table, self.secrets(), self.sealed))
    play_out(party, 1, most=30)
    finding = audit(party[0].table, disclosures(party), party[0].fetch)
    assert finding is not None
    assert finding.player == "yamada" and "other items" in english(finding.what) and finding.seq > 0


def test_a_false_statement_about_a_prepared_card_is_proved_by_the_audit() -> None:
    """Tojo Resigns goes face down as a future offensive, stated to be an ordinary card."""
    deck = table.scenario("burma")["sub_deck"]
    party = two_people("burma", {"sub_deck": {**deck, "japan": ["J43", "J3"]}})
    writer = up_to(party, "card", "japan")
    cards = writer.knowledge().hand("japan")
    honest = writer.write(Draft(orders=[{"future": cards["J3"]}])).document
    send_signed(party, writer, {**honest, "orders": [{"future": cards["J43"]}]})
    finding = audit(party[0].table, disclosures(party), party[0].fetch)
    assert finding is not None
    assert (
        finding.player == "yamada" and finding.seq == party[0].table.last and "future offensives card" in english(finding.what)
    )


def send_signed(party: list[Person], writer: Person, document: dict[str, Any]) -> None:
    """Both programs take the signed file: the lie does not show yet."""
    text = strict_yaml.write_document(writer.sign(document))
    for person in party:
        person.receive(text)


def test_a_statement_that_forbids_the_own_order_refuses_the_file_by_name() -> None:
    """[5.37] Who prepares a card and states that it is one of the two special ones: no fault, and no way round it."""
    party = two_people("burma")
    writer = up_to(party, "card", "japan")
    handle = next(h for h in writer.knowledge().hand("japan").values() if hidden(h))
    document = writer.write(Draft([{"future": handle}])).document
    opened = [{**e, "value": False} if "claim" in e else e for e in document["open"]]
    assert opened != document["open"]
    for said in (False, 1, None, "true", []):
        opened = [{**e, "value": said} if "claim" in e else e for e in document["open"]]
        other = next(p for p in party if p is not writer)
        with pytest.raises(Refused, match="cannot be prepared") as caught:
            take(other.table, writer.sign({**document, "open": opened}), other.fetch)
        assert not caught.value.problems[0].trace and other.table.due.player == writer.name

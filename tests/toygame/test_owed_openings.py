"""Dice that wait for an opening or a claim: an umpire with the escrow shows the link that is owed, and the rest stays due.

The player owes the link and can compute the dice; "my key is lost" must not turn others (SPEC 9).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Roll
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import seats
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.taking import Refused
from pbem.runtime.trust import other_links
from tests.commands import must, run
from tests.toygame.folders import SEATS, answer, as_json, at, due, finish, hashes, session, spread
from tests.toygame.party import Person, found_game, send
from tests.toygame.remembered import found
from tests.toygame.skirmish import GAME, Changed, Skirmish, SkirmishState
from tests.toygame.test_attacks import due as next_writer
from tests.toygame.test_attacks import refused
from tests.toygame.test_crossed_files import is_place
from tests.toygame.test_heal_folders import document_in
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import choose, disclosures, play
from tests.toygame.test_umpire import deliver, replacement, stand_in


def begun(game: Any, role: str, **more: Any) -> list[Person]:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("smith", [])]
    found_game(game, party, {}, role=role, lost_keys="umpire", **more)
    return party


def owing(game: Any, role: str, **more: Any) -> list[Person]:
    """Red has marched; blue's sealed order is due to be opened with the link that turns the weather of that march."""
    party, dice, sealed = begun(game, role, **more), random.Random(1), False
    for _ in range(200):
        request, writer = party[0].table.engine.request, next_writer(party)
        if getattr(request, "kind", "") == "march" and sealed:
            send(party, Draft(orders=["go"]))
            assert party[0].table.due.what == "open"
            return party
        draft = choose(writer, dice)
        if writer.name == "yamada" and draft.orders and not sealed:
            draft.sealed_standing, sealed = {"stop": [{"do": "let pass"}]}, True
        send(party, draft)
    raise AssertionError("no march")


class Stating(Skirmish):
    """Skirmish in which blue states how many men he hides before a die that his own link turns."""

    @staticmethod
    def scouting(g: SkirmishState) -> Flow[None]:
        few = yield Claim("blue", "few men", f"month {g.round}", "S8", lambda r: r(g.garrison) < 2)
        found = yield Roll(f"search in month {g.round}", 5, 6, "S8", "blue")
        emit(g, Changed("score", {**g.score, "axis": g.score["axis"] + (few and sum(found) > 17)}, "S8"))

    segments = {**GAME.segments, "scouting": scouting}


def stating(game: Any, role: str) -> list[Person]:
    """Blue has to state something, and the link of that file turns dice."""
    party, dice = begun(game, role), random.Random(1)
    while party[0].table.due.what != "claim":
        send(party, choose(next_writer(party), dice))
    return party


Waiting = Callable[[Any, str], list[Person]]
BEFORE_DICE = pytest.mark.parametrize(("waiting", "game"), [(owing, GAME), (stating, Stating())], ids=["opening", "claim"])


@BEFORE_DICE
def test_before_an_opening_or_a_claim_the_owed_link_comes_first_and_no_new_key_turns_other_dice(
    waiting: Waiting, game: Any
) -> None:
    party = waiting(game, "escrow")
    blue, smith, what = named(party, "yamada"), named(party, "smith"), party[0].table.due.what
    own = blue.write(Draft()).document
    assert own["dice"] and own["open"]
    with pytest.raises(ProtocolError, match="pbem umpire stand-in"):
        replacement(party, blue)
    shown = stand_in(smith)
    assert shown["link"] == own["link"] and not shown.get("dice") and not shown.get("open")
    deliver(party, shown)
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", what), "it stays due from its player"
    assert refused(party, stand_in(smith)).outcome is Outcome.REFUSED, "once"
    deliver(party, replacement(party, blue))
    blue.begin("second")
    late = send(party, Draft())
    assert (late["open"], late["dice"]) == (own["open"], own["dice"])
    play(party, 2)
    assert (
        not any(other_links(person.table.ledger) for person in party)
        and audit(party[0].table, disclosures(party), party[0].fetch) is None
    )


@BEFORE_DICE
def test_whose_link_was_shown_for_him_opens_the_same_and_turns_the_same_dice_in_his_next_file(
    waiting: Waiting, game: Any
) -> None:
    party = waiting(game, "escrow")
    own = named(party, "yamada").write(Draft()).document
    deliver(party, stand_in(named(party, "smith")))
    late = send(party, Draft())
    assert (late["open"], late["dice"]) == (own["open"], own["dice"]) and late["link"] != own["link"]


@BEFORE_DICE
def test_once_the_dice_are_known_no_order_stands_for_what_is_due(waiting: Waiting, game: Any) -> None:
    party = waiting(game, "escrow")
    blue = named(party, "yamada")
    deliver(party, stand_in(named(party, "smith")))
    for orders in (["stop"], ["let pass"], ["go"]):
        with pytest.raises(Refused):
            blue.write(Draft(orders=orders))
    document = blue.write(Draft()).document
    bare = {key: value for key, value in document.items() if key not in ("open", "dice")}
    assert refused(party, blue.sign({**bare, "state": party[0].table.engine.state_hash()})).outcome is Outcome.REFUSED


def test_an_opening_that_turns_no_dice_is_not_the_umpires_to_prepare() -> None:
    """The link of an opening by the side that gave the orders turns nothing: there the seat is given at once."""
    party, dice = begun(GAME, "escrow"), random.Random(3)
    while (due := party[0].table.due).what not in ("open", "claim") or seats.dice_owed(party[0].table):
        deliver(party, stand_in(named(party, "smith"))) if due.what == "witness" else send(
            party, choose(next_writer(party), dice)
        )
    assert refused(party, stand_in(named(party, "smith"))).outcome is Outcome.REFUSED
    deliver(party, replacement(party, next_writer(party)))


# -- folders ----------------------------------------------------------------------------------------------------------------


def until_an_opening_is_owed(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], str]:
    """A game with the escrow, whose programs answer nothing by themselves; the player who owes an opening and dice."""
    folders, dice = found(SEATS, "escrow", lost_keys="umpire"), random.Random(1)
    monkeypatch.setattr("pbem.store.session.Session.answer_by_itself", lambda *_, **__: [])
    for _ in range(60):
        table, late = session("yamada").table, due(folders)
        if table.due.what == "open" and seats.dice_owed(table):
            return folders, late
        automatic = table.due.what in AUTOMATIC
        session(late).write(Draft() if automatic else Draft([answer(late, dice)]))
        spread(folders)
    raise AssertionError("no opening was owed")


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@pytest.mark.usefixtures("workplace")
def test_status_names_the_way_and_the_player_goes_on_by_himself_behind_his_link() -> None:
    with pytest.MonkeyPatch.context() as patch:
        folders, late = until_an_opening_is_owed(patch)
        assert "pbem umpire stand-in -g smith" in must("status", "-g", "smith")
        shown = as_json("umpire", "stand-in", "-g", "smith")
        assert "stand-in" not in must("status", "-g", "smith")
        again = run("umpire", "stand-in", "-g", "smith")
        assert again.code == Outcome.WAITING.code and late in again.err
    must("receive", shown["file"], "-g", late)  # and his program answers
    spread(folders)
    assert session("smith").table.due.what not in ("open", "claim")
    finish(folders)
    assert len(hashes(folders)) == 1


@pytest.mark.usefixtures("workplace")
@pytest.mark.parametrize("own_first", [True, False])
def test_an_opening_that_crosses_the_umpires_file_stands_and_all_come_together(own_first: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        folders, late = until_an_opening_is_owed(patch)
        session(late).write(Draft())
        (own,) = [p for p in map(str, Path(late, "outbox").glob("*.yaml")) if is_place(p, session(late).table.last)]
        theirs = as_json("umpire", "stand-in", "-g", "smith")["file"]
        for name in folders:
            for file in (own, theirs) if own_first else (theirs, own):
                run("receive", file, "-g", name)
        heads = {session(name).head for name in folders}
    assert heads == {document_id(document_in(own))}
    spread(folders)
    finish(folders)
    assert len(hashes(folders)) == 1

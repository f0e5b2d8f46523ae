"""A lost key is no new roll: the link that is owed to dice comes before the seat goes to a new key (SPEC 9).

Who owes that link can compute the dice. The umpire's `seat` file in its place would turn others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.wording import english
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import seats
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from pbem.runtime.taking import take_in_place
from pbem.runtime.trust import other_links
from tests.commands import must, run
from tests.replay.games import content
from tests.toygame.folders import SEATS, answer, as_json, at, due, hashes, session, spread, step
from tests.toygame.party import Person, send
from tests.toygame.remembered import advance_to, found
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import due as next_writer
from tests.toygame.test_commands import watching
from tests.toygame.test_deadlines import AFTER, GRACE, Hours
from tests.toygame.test_deadlines import wait as wait
from tests.toygame.test_owed_openings import owing
from tests.toygame.test_seats import named, seat
from tests.toygame.test_skirmish import choose, play
from tests.toygame.test_umpire import deliver, replacement, stalled, stand_in, with_umpire


@pytest.fixture
def other_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The umpire has a program that gives the seat away at once."""
    monkeypatch.setattr(seats, "check_link_shown", lambda *_: None)


def told(person: Person) -> list[str]:
    return [english(one) for one in other_links(person.table.ledger)]


@pytest.mark.parametrize("role", ["witness", "escrow"])
@pytest.mark.parametrize("seed", range(3))
def test_the_link_that_is_owed_is_the_one_that_turns_the_dice(role: str, seed: int) -> None:
    party, dice, turned = with_umpire(role), random.Random(seed), set()
    while (table := party[0].table).due.what != "nothing":
        owed, what, place = seats.dice_owed(table), table.due.what, table.last + 1
        assert owed or what != "witness"
        assert seats.link_comes_first(table) is (role == "escrow" and owed > 0 and what in ("witness", "open", "claim"))
        send(party, choose(next_writer(party), dice))
        after = party[0].table
        made = {r.source for r in (*after.ledger.rolled, *after.ledger.draws) if after.ledger.behind(r.source) == place}
        assert made <= {owed} and (what != "witness" or made)
        if owed and after.ledger.source == owed and after.due.what != "nothing":
            assert after.seed() is not None, "his link has turned it, whatever is asked next"
        turned |= {what} if made else set()
    assert "witness" in turned


# -- the umpire with the escrow ---------------------------------------------------------------------------------------------


def test_the_link_that_is_owed_to_dice_comes_before_a_new_key() -> None:
    party = with_umpire("escrow", lost_keys="umpire")
    player = stalled(party)
    own = player.write(Draft()).document["dice"]
    with pytest.raises(ProtocolError, match="pbem umpire stand-in") as refused:
        replacement(party, player)
    assert refused.value.outcome is Outcome.REFUSED and player.name in str(refused.value)
    shown = stand_in(named(party, "smith"))
    assert shown["dice"] == own
    deliver(party, shown)
    dice = random.Random(5)
    while next_writer(party) is not player or seats.link_comes_first(player.table):
        send(party, choose(next_writer(party), dice))
    deliver(party, replacement(party, player))
    player.begin("second")
    play(party, 2)
    assert party[0].table.result is not None and not any(told(person) for person in party)


@pytest.mark.usefixtures("other_program")
def test_whoever_gives_the_seat_away_at_once_turns_other_dice_and_everybody_is_told_for_good() -> None:
    party = with_umpire("escrow", lost_keys="umpire")
    player = stalled(party)
    own, source = player.write(Draft()).document["dice"], player.table.ledger.source
    given = replacement(party, player)
    assert given["dice"] and given["dice"] != own
    deliver(party, given)
    mind = (
        f"Mind: the dice of file {source} were turned by another link than the one owed. {player.name} owed it; in its place "
        f"stands file {given['seq']}, by which smith gives his seat to a new key."
    )
    assert all(told(person) == [mind] for person in party)
    player.begin("second")
    play(party, 2)
    assert all(told(person) == [mind] for person in party), "until the end"
    again = Table.from_plain(player.table.charter, GAME, None, player.table.to_plain())
    assert again.ledger.other_links == player.table.ledger.other_links


def test_where_no_dice_wait_for_the_link_the_seat_is_given_at_once() -> None:
    party = with_umpire("escrow", lost_keys="umpire")
    assert party[0].table.due.what == "start"
    player = next_writer(party)
    deliver(party, replacement(party, player))
    player.begin("second")
    play(party, 2)
    assert not told(player)


# -- the umpire as witness --------------------------------------------------------------------------------------------------


def test_without_the_escrow_an_opening_is_not_waited_for_and_everybody_is_told_when_dice_follow() -> None:
    party = owing(GAME, "witness")
    blue, smith = named(party, "yamada"), named(party, "smith")
    own, source = blue.write(Draft()), party[0].table.ledger.source
    assert own.document["dice"] and own.table.ledger.behind(source) == own.document["seq"]
    deliver(party, smith.sign(smith.write(seat(blue, party[0].table.last + 2)).document))
    assert not told(blue), "no die has been turned yet"
    blue.begin("second")
    opened = send(party, Draft())
    assert opened["dice"] and blue.table.seed() != own.table.seed()
    assert blue.table.ledger.entries[blue.table.ledger.behind(source)].player == "smith"
    assert all(f"the dice of file {source} were turned by another link" in told(p)[0] for p in party)
    replayed = Table.start(blue.table.charter, GAME, None)
    for file in blue.log[1:]:
        replayed = take_in_place(replayed, file, blue.fetch).table
    assert replayed.ledger.other_links == blue.table.ledger.other_links


# -- folders ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def waiting_for_a_link(monkeypatch: pytest.MonkeyPatch, *late_options: str) -> tuple[list[str], str]:
    """A game with the escrow, at a place where a player owes the link that turns dice; his program does not run."""
    folders = found(SEATS, "escrow", lost_keys="" if late_options else "umpire", late=late_options)
    dice = random.Random(1)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.store.session.Session.answer_by_itself", lambda *_, **__: [])
        for _ in range(60):
            table, late = session("yamada").table, due(folders)
            if seats.link_comes_first(table) and table.due.what == "witness":
                watching("yamada", "jones")
                must("seat", "take", late, "--to", "seat.yaml", "-g", "jones")
                return folders, late
            automatic = table.due.what in ("witness", "start", "open", "claim")
            session(late).write(Draft() if automatic else Draft([answer(late, dice)]))
            spread(folders)
    raise AssertionError("no link was due")


@pytest.mark.usefixtures("workplace")
def test_status_and_refusal_name_the_command_that_shows_the_link_and_that_way_works(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, late = waiting_for_a_link(monkeypatch)
    others = [name for name in folders if name != late]
    command = "pbem umpire stand-in -g smith"
    assert command in must("status", "-g", "smith")
    assert not any("stand-in" in must("status", "-g", name) for name in others if name != "smith")
    done = run("seat", "give", "seat.yaml", "-g", "smith")
    assert done.code == Outcome.REFUSED.code and "pbem umpire stand-in" in done.err
    must(*command.split()[1:])
    assert "stand-in" not in must("status", "-g", "smith")
    everybody, dice = [*folders, "jones"], random.Random(1)
    spread(everybody)
    while due(folders) != late or session("smith").table.due.what != "orders":
        step(everybody, dice)
    must("seat", "give", "seat.yaml", "-g", "smith")
    spread(everybody)
    assert session("jones").is_seated and len(hashes(everybody)) == 1
    assert not any("another link" in must("status", "-g", name) for name in everybody)


def test_no_substitute_is_ruled_on_a_link_that_is_owed_to_dice(wait: Hours, monkeypatch: pytest.MonkeyPatch) -> None:
    terms = ("--deadline", f"{AFTER}h", "--grace", f"{GRACE}h", "--then", "substitute")
    folders, late = waiting_for_a_link(monkeypatch, *terms)
    other = next(name for name in SEATS if session(name).table.side_of(name) != session(name).table.side_of(late))
    wait(AFTER)
    must("claim", "-g", other)
    must("receive", next(str(p) for p in Path(other, "outbox").glob("slip-overdue-*.yaml")), "-g", "smith")
    assert "pbem umpire stand-in -g smith" in must("status", "-g", "smith")
    done = run("rule", "substitute", "-g", "smith")
    assert done.code == Outcome.REFUSED.code and "pbem umpire stand-in" in done.err
    assert not any(slip["player"] == "smith" for slip in session("smith").folder.log.slips()), "nothing was asked or ruled"
    must("umpire", "stand-in", "-g", "smith")
    spread([name for name in folders if name != late])
    assert session(other).table.last == session("smith").table.last and "claims" not in must("status", "-g", other)


@pytest.mark.usefixtures("workplace", "other_program")
def test_status_report_verify_and_judge_tell_dice_of_another_link_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, late = waiting_for_a_link(monkeypatch)
    monkeypatch.setattr("pbem.store.session.Session.answer_by_itself", lambda *_, **__: [])
    file = as_json("seat", "give", "seat.yaml", "-g", "smith")["file"]
    others = [name for name in folders if name != late]
    for name in others[:-1]:
        assert "were turned by another link than the one owed" in must("receive", file, "-g", name), "when it comes"
    for name in others:
        for words in (("status",), ("verify",), ("report",), ("report", "--to", "3")):
            said = " ".join(must(*words, "-g", name).split())
            assert f"another link than the one owed. {late} owed it" in said, (name, words)
    must("dispute", "-g", others[0], "--to", "dispute.txt")
    verdict: Any = as_json("judge", "dispute.txt", code=Outcome.WAITING.code)
    assert verdict["valid"] and len(verdict["other_links"]) == 1
    assert verdict["other_links"][0] in " ".join(run("judge", "dispute.txt").out.split())
    must("replay", "-g", others[0], "--to", "replay.html")
    assert "another link than the one owed" in content(Path("replay.html").read_text())["scenes"][-1][1]


@pytest.mark.usefixtures("workplace")
def test_a_new_holder_without_the_hidden_things_of_his_seat_is_told_which_command_takes_them() -> None:
    folders = found(SEATS, "escrow", lost_keys="umpire")
    assert advance_to(folders, "card") == "nowak"
    watching("yamada", "jones")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "jones")
    must("seat", "give", "seat.yaml", "-g", "smith")
    everybody = [*folders, "jones"]
    spread(everybody)
    assert session("jones").is_seated
    handle = session("jones").table.engine.state.hand[0]  # type: ignore[attr-defined]
    Path("card.yaml").write_text(f"orders:\n- play: '{handle}'\n")
    done = run("send", "card.yaml", "--yes", "-g", "jones")
    assert done.code == Outcome.WAITING.code, done
    assert "pbem seat secrets FILE" in done.err and "fault of the program" not in done.err
    for words in (("hand",), ("report",), ("status",)):
        must(*words, "-g", "jones")
    from pbem.cli import seats as giving

    giving._hand_over(session("nowak"), Path("hidden.json"))
    must("seat", "secrets", "hidden.json", "-g", "jones")
    must("send", "card.yaml", "--yes", "-g", "jones")
    spread(everybody)
    assert session("yamada").table.ledger.opened[handle]

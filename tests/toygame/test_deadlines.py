"""Deadlines: a claim ends nothing, a file ends the claim, an umpire's ruling or the late side's own word has consequences."""

from __future__ import annotations

import datetime
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.cli import mailing
from pbem.protocol import charter, deadlines, slips
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document
from pbem.report.render import FORMATS
from pbem.runtime import overdue
from pbem.runtime.composing import Draft
from pbem.runtime.slips import check
from pbem.runtime.taking import take
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, advance_to, as_json, at, due, finish, found, hashes, orders, session, spread
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to as go_to
from tests.toygame.test_attacks import due as next_writer
from tests.toygame.test_commands import watching
from tests.toygame.test_seats import seat
from tests.toygame.test_skirmish import choose, people
from tests.toygame.wording import speak

AFTER, GRACE = 72, 48
Hours = Callable[[float], None]


@pytest.fixture
def wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hours]:
    """A workplace with a clock that goes on by hours."""
    clock = SimpleNamespace(now=datetime.datetime(2025, 1, 31, 18))

    def now() -> str:
        return str(clock.now.strftime("%Y-%m-%dT%H:%M:%SZ"))

    monkeypatch.setattr("pbem.store.clock.now", now)

    def on(hours: float) -> None:
        clock.now += datetime.timedelta(hours=hours)

    with at(tmp_path, monkeypatch):
        yield on


def begun(then: str = "loss", seats: dict[str, str] = TWO, role: str = "", **more: str) -> list[str]:
    """A game with a deadline, at the moment when red is asked to march."""
    keys = ["--lost-keys", more.pop("lost_keys")] if "lost_keys" in more else []
    folders = found(seats, role, late=["--deadline", f"{AFTER}h", "--grace", f"{GRACE}h", "--then", then, *keys], **more)
    advance_to(folders, "march")
    return folders


def place() -> int:
    return session("yamada").table.last + 1


def marched(name: str = "nowak") -> Path:
    """The late player sends; nobody has received it yet."""
    return Path(as_json("send", orders(name, "halt"), "-g", name)["file"])


def document_in(file: str | Path) -> dict[str, Any]:
    return read_document(Path(file).read_bytes())[0]


def deliver(file: Path, *names: str) -> list[dict[str, Any]]:
    return [as_json("receive", str(file), "-g", name) for name in names]


# -- the charter --------------------------------------------------------------------------------------------------------


def test_a_charter_names_deadline_grace_and_consequence() -> None:
    plain = deadlines.chosen("3d", "48h", "loss")
    assert plain == {"after": "3d", "grace": "48h", "then": "loss"} and deadlines.Overdue.read(plain) == deadlines.Overdue(
        72, 48, "loss"
    )
    assert deadlines.chosen("none", "48h", "loss") is None and deadlines.Overdue.read(None) is None


@pytest.mark.parametrize(
    ("after", "grace", "then", "said"),
    [("72", "48h", "loss", "hours or days"), ("72h", "1w", "loss", "hours or days"), ("72h", "48h", "death", "one of")],
)
def test_what_is_no_deadline_is_refused_when_the_game_is_drafted(
    wait: Hours, after: str, grace: str, then: str, said: str
) -> None:
    done = run(
        "new", "draft", "--system", "skirmish", "--scenario", "hill", "--deadline", after, "--grace", grace, "--then", then
    )
    assert done.code == Outcome.UNREADABLE.code and said in done.err and not Path("draft").exists()


def test_stand_in_needs_the_escrow() -> None:
    late = deadlines.chosen("72h", "48h", "stand-in")
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    with pytest.raises(ProtocolError, match="needs an umpire who holds the escrow"):
        found_game(GAME, party, {}, overdue=late)
    with pytest.raises(ProtocolError, match="needs an umpire who holds the escrow"):
        found_game(GAME, [*party, Person("smith", [])], {}, overdue=late)
    found_game(GAME, [*party, Person("smith", [])], {}, role="escrow", overdue=late)


def test_version_1_keeps_its_deadline_and_knows_no_other() -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    late = deadlines.chosen("72h", "48h", "loss")
    with pytest.raises(ProtocolError, match="unknown key 'overdue'"):
        found_game(GAME, party, {}, pbem=1, overdue=late)
    with pytest.raises(ProtocolError, match="unknown key 'deadline'"):
        found_game(GAME, party, {}, deadline="72h")
    found_game(GAME, party, {}, pbem=1, deadline="72h")
    assert charter.read_charter(party[0].log[0]).overdue is None


# -- the clock of a folder ------------------------------------------------------------------------------------------------


def test_status_counts_from_the_folder_s_own_time_of_receipt(wait: Hours) -> None:
    folders = begun()
    told = as_json("status", "-g", "yamada")["deadline"]
    assert told == {
        "since": "2025-01-31T18:00:00Z",
        "until": "2025-02-03T18:00:00Z",
        "left": AFTER * 60,
        "clock": "this folder",
    }
    wait(AFTER - 4.5)
    assert "time left: 4 h 30 min, until 2025-02-03T18:00:00Z, by this folder's clock" in must("status", "-g", "nowak")
    file = marched()
    wait(1)
    deliver(file, "yamada")
    here, there = (as_json("status", "-g", name)["deadline"] for name in ("yamada", "nowak"))
    assert here["left"] == AFTER * 60 and there["left"] == (AFTER - 1) * 60, "each folder has its own"
    assert folders


@pytest.mark.parametrize("left", [b"", bytes(3000)], ids=["empty", "zeros"])
def test_a_log_that_was_made_again_gives_the_late_player_more_time_never_less(left: bytes, wait: Hours) -> None:
    """When a file first came is lost with the log: the time begins anew, and whoever is due himself is told so."""
    begun()
    wait(AFTER + 1)
    for name in ("yamada", "nowak"):
        Path(name, "log.jsonl").write_bytes(left)
        told = must("status", "-g", name)
        assert "time left: 3 d" in told and "by the clocks of the others less time may be left" in told
        assert "less time may be left" not in must("status", "-g", name)
    refused = run("claim", "-g", "yamada")
    assert refused.code == Outcome.WAITING.code and "nowak has 3 d left" in refused.err
    wait(AFTER)
    slip = document_in(as_json("claim", "-g", "yamada")["file"])
    assert slip["since"] == "2025-02-03T19:00:00Z"


def test_where_no_time_is_agreed_nothing_is_said_of_clocks(wait: Hours) -> None:
    advance_to(found(TWO, late=["--deadline", "none"]), "march")
    Path("yamada/log.jsonl").write_bytes(b"")
    told = must("status", "-g", "yamada")
    assert "the log had lost file" in told and "clocks" not in told


def test_a_slip_is_no_file_and_gives_no_time(wait: Hours) -> None:
    begun()
    wait(AFTER + 1)
    must("claim", "-g", "yamada")
    wait(1)
    assert as_json("status", "-g", "yamada")["deadline"]["left"] == -2 * 60


def test_without_a_deadline_nothing_is_counted_or_claimed(wait: Hours) -> None:
    folders = found(TWO, late=["--deadline", "none"])
    advance_to(folders, "march")
    wait(999)
    assert as_json("status", "-g", "yamada")["deadline"] is None and "clock" not in must("status", "-g", "yamada")
    done = run("claim", "-g", "yamada")
    assert done.code == Outcome.REFUSED.code and "names no deadline" in done.err


# -- a claim ----------------------------------------------------------------------------------------------------------------


def test_a_claim_waits_until_the_deadline_is_over(wait: Hours) -> None:
    begun()
    wait(AFTER - 1)
    done = run("claim", "-g", "yamada")
    assert done.code == Outcome.WAITING.code and "nowak has 1 h left" in done.err and "by this folder's clock" in done.err
    assert not session("yamada").folder.log.slips()
    wait(1)
    assert "pbem claim -g yamada" in must("status", "-g", "yamada") and "pbem claim" not in must("status", "-g", "nowak")
    said = must("claim", "-g", "yamada")
    assert "Nothing ends by it" in said and "loss, after 48 h of grace" in said
    slip = read_document(Path(f"yamada/outbox/slip-overdue-{place():04d}-yamada.yaml").read_bytes())[0]
    assert (slip["place"], slip["due"], slip["since"]) == (place(), "nowak", "2025-01-31T18:00:00Z")
    assert "pbem claim" not in must("status", "-g", "yamada")


def test_a_claim_is_signed_once_and_given_out_again(wait: Hours) -> None:
    begun()
    wait(AFTER)
    first = document_in(as_json("claim", "-g", "yamada")["file"])
    wait(5)
    assert document_in(as_json("claim", "-g", "yamada")["file"]) == first
    assert len(session("yamada").folder.log.slips()) == 1


def test_the_late_player_s_own_side_cannot_claim(wait: Hours) -> None:
    begun(seats=SEATS)
    wait(AFTER)
    done = run("claim", "-g", "dubois")
    assert done.code == Outcome.REFUSED.code and "you are of his side" in done.err


def test_the_claim_is_shown_to_the_late_player_and_ends_nothing(wait: Hours) -> None:
    folders = begun()
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    told = must("status", "-g", "nowak")
    assert f"yamada claims file {place()} of nowak" in told and "Send it: that ends the claim" in told
    assert "by his own clock" in told
    wait(10_000)
    for name in folders:
        assert session(name).table.result is None and as_json("status", "-g", name)["due"]["player"] == "nowak"
    assert "loss: claimed, not confirmed by nowak" in must("status", "-g", "yamada")


def test_a_file_that_arrives_ends_the_claim_at_any_time(wait: Hours) -> None:
    folders = begun()
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    wait(1000)
    file = marched()
    assert as_json("status", "-g", "nowak")["claims"] == []
    assert len(as_json("status", "-g", "yamada")["claims"]) == 1
    deliver(file, "yamada")
    assert as_json("status", "-g", "yamada")["claims"] == [] and "claims" not in must("status", "-g", "yamada")
    spread(folders)
    assert len(hashes(folders)) == 1


def test_a_claim_while_the_file_is_on_its_way_is_answered_with_the_same_bytes(wait: Hours) -> None:
    """The victim has sent it: he sends it again, byte by byte."""
    begun()
    file = marched()
    sent, document = file.read_bytes(), document_in(file)
    wait(AFTER)
    slip = Path(as_json("claim", "-g", "yamada")["file"])
    done = run("receive", str(slip), "-g", "nowak")
    assert done.code == 0 and f"You have sent it, and maybe it was lost: it lies in {file}" in done.out
    assert file.read_bytes() == sent
    file.unlink()
    Path("nowak/log.jsonl").write_bytes(b"".join(Path("nowak/log.jsonl").read_bytes().splitlines(True)[:-1]))
    must("receive", str(slip), "-g", "nowak")
    assert document_in(file) == document, "the same signed file, also where it was thrown away"
    assert deliver(file, "yamada")[0]["outcome"] == "done"
    assert as_json("status", "-g", "yamada")["claims"] == []


def test_who_holds_the_file_already_is_told_that_the_claimant_may_lack_it(wait: Hours) -> None:
    begun(seats={"yamada": "red", "nowak": "blue"} | {"dubois": "rust"})
    folders = ["yamada", "nowak", "dubois"]
    late = due(folders)
    file = Path(as_json("send", orders(late, "halt"), "-g", late)["file"])
    deliver(file, "dubois")
    wait(AFTER)
    slip = Path(as_json("claim", "-g", "nowak")["file"])
    assert "here already, which ends the claim: nowak may lack it" in must("receive", str(slip), "-g", "dubois")


# -- what a claim has to say ------------------------------------------------------------------------------------------------


def claim_of(party: list[Person], by: str, **changes: Any) -> dict[str, Any]:
    person = next(p for p in party if p.name == by)
    table = person.table
    content = {"place": table.last + 1, "due": table.due.player, "since": "1999-01-01T00:00:00Z", **changes}
    head = content.pop("head", table.ledger.entries[-1].id)
    made = slips.make("overdue", table.charter.game_id, head, by, content)
    return slips.sign(made, person.private)


def ruling_of(party: list[Person], by: str, claim: dict[str, Any], then: str = "loss", **changes: Any) -> dict[str, Any]:
    person = next(p for p in party if p.name == by)
    table = person.table
    content = {"place": claim["place"], "then": then, "claim": claim, **changes}
    return slips.sign(slips.make("ruling", table.charter.game_id, table.ledger.entries[-1].id, by, content), person.private)


def marching(*umpire: str, then: str = "loss") -> list[Person]:
    """A party whose nowak, of red, has to march."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), *(Person(u, []) for u in umpire)]
    found_game(GAME, party, {}, overdue=deadlines.chosen("72h", "48h", then))
    go_to(party, "red", "march")
    return party


def refusal(party: list[Person], slip: dict[str, Any]) -> ProtocolError:
    with pytest.raises(ProtocolError) as refused:
        check(party[0].table, slip)
    return refused.value


def test_a_back_dated_time_of_receipt_is_believed_by_nobody() -> None:
    """The claim is lawful whatever time it names, and nothing follows from the time."""
    party = marching()
    for since in ("1999-01-01T00:00:00Z", "2999-12-31T23:59:59Z"):
        slip = claim_of(party, "yamada", since=since)
        check(party[0].table, slip)
        overdue.note(party[0].table, slip)
    assert party[0].table.result is None and len(overdue.standing(party[0].table)) == 1, "one of each player"
    assert overdue.holding(party[0].table, party[0].table.ledger.rulings) == []


@pytest.mark.parametrize(
    ("by", "change", "outcome"),
    [
        ("dubois", {}, Outcome.REFUSED),
        ("nowak", {}, Outcome.REFUSED),
        ("yamada", {"due": "dubois"}, Outcome.REFUSED),
        ("yamada", {"due": "stranger"}, Outcome.REFUSED),
        ("yamada", {"head": "ab" * 32}, Outcome.BAD_CHAIN),
        ("yamada", {"place": 2}, Outcome.BAD_CHAIN),
        ("yamada", {"place": 99}, Outcome.WAITING),
    ],
    ids=str,
)
def test_a_claim_names_the_file_that_is_due_from_another_side(by: str, change: dict[str, Any], outcome: Outcome) -> None:
    party = marching()
    assert refusal(party, claim_of(party, by, **change)).outcome is outcome


def test_a_claim_needs_a_deadline_in_the_charter() -> None:
    party = people()
    go_to(party, "red", "march")
    assert "names no deadline" in str(refusal(party, claim_of(party, "yamada")))


@pytest.mark.parametrize(
    ("by", "of", "then", "said"),
    [
        ("yamada", "smith", "loss", "the umpire smith rules"),
        ("nowak", "smith", "loss", "the umpire smith rules"),
        ("smith", "yamada", "loss", "after a question of his own"),
        ("smith", "smith", "substitute", "follows loss, by the charter, not substitute"),
        ("yamada", "smith", "nothing", "the umpire smith rules"),
    ],
)
def test_a_ruling_is_the_umpire_s_after_his_own_question_and_what_the_charter_says(
    by: str, of: str, then: str, said: str
) -> None:
    party = marching("smith")
    assert said in str(refusal(party, ruling_of(party, by, claim_of(party, of), then)))
    check(party[0].table, ruling_of(party, "smith", claim_of(party, "smith")))


def test_a_ruling_holds_the_signed_question() -> None:
    party = marching("smith")
    question = claim_of(party, "smith")
    forged = ruling_of(party, "smith", {**question, "since": "2000-01-01T00:00:00Z"})
    assert refusal(party, forged).outcome is Outcome.BAD_SIGNATURE
    assert refusal(party, ruling_of(party, "smith", question, place=question["place"] + 1)).outcome is Outcome.REFUSED
    request = slips.sign(slips.make("request", question["game"], question["head"], "smith", {"text": "?"}), party[3].private)
    assert refusal(party, ruling_of(party, "smith", {**request, "place": 1})).outcome is Outcome.UNREADABLE


def test_the_umpire_does_not_rule_on_himself() -> None:
    party = marching("smith")
    table = party[0].table
    while table.due.player != "smith":
        send(party, choose(next_writer(party), random.Random(1)))
        table = party[0].table
    question = claim_of(party, "yamada")
    check(table, question)
    for then in ("loss", "nothing"):
        assert "the umpire smith rules" in str(refusal(party, ruling_of(party, "smith", question, then)))


# -- an umpire --------------------------------------------------------------------------------------------------------------


def asked(folders: list[str], wait: Hours, then: str = "loss") -> dict[str, Any]:
    """yamada claims, the umpire asks; everybody has both slips."""
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    question = as_json("rule", then, "-g", "smith")
    spread(folders)
    return dict(question)


def test_the_umpire_asks_waits_by_his_own_clock_and_then_rules(wait: Hours) -> None:
    folders = begun(role="witness")
    wait(AFTER)
    done = run("rule", "loss", "-g", "smith")
    assert done.code == Outcome.WAITING.code and "no player claims" in done.err
    must("claim", "-g", "yamada")
    spread(folders)
    assert as_json("rule", "loss", "-g", "smith")["slip"] == "overdue"
    spread(folders)
    told = must("status", "-g", "nowak")
    assert f"the umpire smith asks for file {place()} of nowak" in told and "Send it: that ends the claim" in told
    wait(GRACE - 1)
    done = run("rule", "loss", "-g", "smith")
    assert done.code == Outcome.WAITING.code and "nowak has 1 h of grace left, by this folder's clock" in done.err
    assert session("smith").table.result is None
    wait(1)
    assert as_json("rule", "loss", "-g", "smith")["slip"] == "ruling"
    spread(folders)
    for name in folders:
        result = session(name).table.result
        assert result is not None and result.winner == "axis"
        assert "never came" in must("status", "-g", name)
        assert "the umpire smith has signed what follows" in must("status", "-g", name)
    done = run("send", orders("nowak", "halt"), "-g", "nowak")
    assert done.code == Outcome.WAITING.code and "the umpire smith has ruled" in done.err


def test_a_file_that_comes_before_the_ruling_ends_the_umpire_s_question_too(wait: Hours) -> None:
    folders = begun(role="witness")
    asked(folders, wait)
    wait(GRACE)
    deliver(marched(), "smith", "yamada")
    done = run("rule", "loss", "-g", "smith")
    assert done.code == Outcome.WAITING.code and "no player claims" in done.err
    assert session("smith").table.result is None


def test_who_holds_the_file_when_the_ruling_comes_sends_it_to_the_umpire_who_may_lift_it(wait: Hours) -> None:
    """What holds does not depend on the order in which file, ruling and lifting came."""
    folders = begun(role="witness")
    asked(folders, wait)
    wait(GRACE)
    file = marched()
    deliver(file, "yamada")
    ruling = Path(as_json("rule", "loss", "-g", "smith")["file"])
    assert "send it to smith, who may lift the ruling" in must("receive", str(ruling), "-g", "yamada")
    assert session("yamada").table.result == session("smith").table.result is not None
    assert "send it to smith, who may lift" in must("status", "-g", "yamada")
    deliver(file, "smith")
    assert session("smith").table.last == session("yamada").table.last and session("smith").table.result is not None
    assert "`pbem rule nothing` lifts the ruling" in must("status", "-g", "smith")
    lifted = Path(as_json("rule", "nothing", "-g", "smith")["file"])
    assert lifted != ruling and "nothing follows" in must("receive", str(lifted), "-g", "yamada")
    deliver(lifted, "nowak")
    deliver(ruling, "nowak")
    for name in folders:
        assert session(name).table.result is None, name
        assert session(name).replayed().result is None
    spread(folders)
    finish(folders)
    assert len(hashes(folders)) == 1
    taken = [s["slip"] for d in session("yamada").folder.log.files() for s in d.get("slips") or []]
    assert set(taken) <= {"ruling"} and "rules agree" in must("verify", "-g", "yamada")


def test_after_a_lifted_claim_nobody_claims_this_file_again(wait: Hours) -> None:
    folders = begun(role="witness")
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    must("rule", "nothing", "-g", "smith")
    spread(folders)
    assert as_json("status", "-g", "yamada")["claims"] == []
    done = run("claim", "-g", "yamada")
    assert done.code == Outcome.REFUSED.code and "has lifted" in done.err
    done = run("rule", "nothing", "-g", "smith")
    assert done.code == Outcome.WAITING.code and "no claim and no ruling to lift" in done.err


def test_umpire_and_claimant_together_leave_their_signed_question_and_ruling(wait: Hours) -> None:
    """An umpire is trusted; what he signs is shown with his name by everybody."""
    folders = begun(role="witness")
    asked(folders, wait)
    wait(GRACE)
    must("rule", "loss", "-g", "smith")
    spread(folders)
    (ruling,) = [s for s in session("nowak").folder.log.slips() if s["slip"] == "ruling"]
    assert ruling["player"] == ruling["claim"]["player"] == "smith" and ruling["claim"]["since"]
    told = as_json("status", "-g", "nowak")
    assert told["rulings"] == [{"file": place(), "due": "nowak", "by": "smith", "then": "loss"}]


@pytest.mark.parametrize("then", ["stand-in", "substitute", "nothing", "death"])
def test_the_umpire_rules_only_what_the_charter_says(wait: Hours, then: str) -> None:
    folders = begun(role="witness")
    asked(folders, wait)
    wait(GRACE)
    done = run("rule", then, "-g", "smith")
    assert (done.code == 0) == (then == "nothing"), done
    assert session("smith").table.result is None


def test_nobody_but_the_umpire_rules_where_there_is_one(wait: Hours) -> None:
    folders = begun(role="witness")
    asked(folders, wait)
    wait(GRACE)
    for name in ("yamada", "nowak"):
        done = run("rule", "loss", "-g", name)
        assert done.code == Outcome.REFUSED.code and "the umpire smith rules" in done.err


def test_a_stand_in_shows_the_link_due_and_decisions_stay_with_their_owner(wait: Hours) -> None:
    folders = begun("stand-in", role="escrow")
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    done = run("rule", "stand-in", "-g", "smith")
    assert done.code == Outcome.REFUSED.code and "decisions stay with their owner" in done.err
    answered = _to_a_silent_witness()
    wait(AFTER)
    claimant = "nowak" if answered == "yamada" else "yamada"
    slip = Path(as_json("claim", "-g", claimant)["file"])
    deliver(slip, "smith")
    must("rule", "stand-in", "-g", "smith")
    assert session("smith").table.due.player == answered, "the question first"
    wait(GRACE)
    said = must("rule", "stand-in", "-g", "smith")
    assert "ruling slip written" in said and session("smith").table.ledger.entries[-1].signed_by == "smith"
    spread(folders)
    assert len(hashes(folders)) == 1 and session(answered).table.ledger.rolled


def _to_a_silent_witness() -> str:
    """nowak goes, is let pass, and nobody's program turns the dice: whose it is to do."""
    deliver(Path(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"]), "smith", "yamada")
    if session("smith").table.due.what != "witness":
        deliver(Path(as_json("send", orders("yamada", "let pass"), "-g", "yamada")["file"]), "smith")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pbem.store.session.Session.answer_by_itself", lambda _, **__: [])
            deliver(Path("yamada/outbox"), "nowak")
    assert session("smith").table.due.what == "witness"
    return session("smith").table.due.player


def test_a_substitute_takes_the_seat_under_the_umpire_s_ruling(wait: Hours) -> None:
    folders = begun("substitute", role="witness")
    asked(folders, wait, "substitute")
    shutil.rmtree("nowak")
    watching("yamada", "nowak")
    must("seat", "take", "nowak", "--holder", "Jones", "--to", "seat.yaml", "-g", "nowak")
    assert run("seat", "give", "seat.yaml", "-g", "smith").code != 0, "not before the ruling"
    wait(GRACE)
    must("rule", "substitute", "-g", "smith")
    spread(folders)
    assert session("yamada").table.result is None, "the game goes on"
    given = Path(as_json("seat", "give", "seat.yaml", "-g", "smith")["file"])
    assert [s["slip"] for s in read_document(given.read_bytes())[0]["slips"]] == ["ruling"]
    spread(folders)
    must("send", orders("nowak", "halt"), "-g", "nowak")
    spread(folders)
    assert len(hashes(folders)) == 1 and "rules agree" in must("verify", "-g", "yamada")


def test_a_seat_file_without_its_ruling_is_refused_by_everybody(wait: Hours) -> None:
    """A log proves itself: what only slips beside it allow is not in it."""
    folders = begun("substitute", role="witness")
    asked(folders, wait, "substitute")
    wait(GRACE)
    must("rule", "substitute", "-g", "smith")
    spread(folders)
    watching("yamada", "jones")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "jones")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.store.enclosing.untaken_slips", lambda *_: [])
        assert run("seat", "give", "seat.yaml", "-g", "smith").code == Outcome.WRONG_KEY.code


# -- without an umpire --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("then", ["loss", "substitute"])
def test_without_an_umpire_a_claim_stays_claimed_not_confirmed(wait: Hours, then: str) -> None:
    folders = begun(then)
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    wait(1000)
    done = run("rule", then, "-g", "yamada")
    assert done.code == Outcome.REFUSED.code and "a claim confirms nothing by itself" in done.err
    for name in folders:
        assert session(name).table.result is None
        assert then in must("status", "-g", name)
    assert "claimed, not confirmed by nowak, or all others of allies" in must("status", "-g", "yamada")


def test_the_late_player_confirms_himself(wait: Hours) -> None:
    folders = begun()
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    must("rule", "loss", "-g", "nowak")
    spread(folders)
    for name in folders:
        result = session(name).table.result
        assert result is not None and result.winner == "axis" and session(name).replayed().result == result


def test_all_others_of_his_side_confirm_when_the_grace_is_over(wait: Hours) -> None:
    folders = begun(seats=SEATS)
    late = due(folders)
    ally = next(n for n in SEATS if n != late and n != "yamada")
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    wait(GRACE - 2)
    done = run("rule", "loss", "-g", ally)
    assert done.code == Outcome.WAITING.code and f"{late} has 2 h of grace left" in done.err
    wait(2)
    must("rule", "loss", "-g", ally)
    spread(folders)
    assert all(session(name).table.result for name in folders)


def test_one_of_two_allies_confirms_nothing_for_the_third() -> None:
    class Three(type(GAME)):  # type: ignore[misc]
        seats = {**GAME.seats, "gold": "allies"}

    party = [Person("yamada", ["blue"]), Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("novak", ["gold"])]
    found_game(Three(), party, {}, overdue=deadlines.chosen("72h", "48h", "loss"))
    go_to(party, "red", "march")
    table, claim = party[0].table, claim_of(party, "yamada")
    for ally, ended in (("dubois", False), ("novak", True)):
        ruling = ruling_of(party, ally, claim)
        check(table, ruling)
        overdue.note(table, ruling)
        assert (table.result is not None) is ended


def test_nobody_of_the_other_side_confirms() -> None:
    party = marching()
    assert "or his side, confirms" in str(refusal(party, ruling_of(party, "yamada", claim_of(party, "yamada"))))
    assert refusal(party, ruling_of(party, "nowak", claim_of(party, "yamada"), "nothing")).outcome is Outcome.REFUSED


def test_an_ally_signs_for_a_substitute_who_was_confirmed(wait: Hours) -> None:
    folders = begun("substitute", seats=SEATS, lost_keys="nobody")
    assert due(folders) == "nowak"
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    wait(GRACE)
    shutil.rmtree("nowak")
    watching("yamada", "nowak")
    must("seat", "take", "nowak", "--to", "seat.yaml", "-g", "nowak")
    assert run("seat", "give", "seat.yaml", "-g", "dubois").code != 0, "not before it is confirmed"
    must("rule", "substitute", "-g", "dubois")
    spread(folders)
    must("seat", "give", "seat.yaml", "-g", "dubois")
    spread(folders)
    while session("yamada").table.ledger.offer:
        must("agree", "-g", due(folders))
        spread(folders)
    must("send", orders("nowak", "halt"), "-g", "nowak")
    spread(folders)
    assert len(hashes(folders)) == 1


# -- what reports and mails say -----------------------------------------------------------------------------------------------


SAID = {
    "en": ("yamada claims that file", "Claimed, not confirmed: the side has lost (nowak, allies)."),
    "pl": ("yamada twierdzi, że plik", "Zgłoszone, niepotwierdzone: ta strona przegrała (nowak, allies)."),
    "ru": ("yamada заявляет, что файл", "Заявлено, не подтверждено: эта сторона проиграла (nowak, allies)."),
    "fr": ("yamada déclare que le fichier", "Déclaré, non confirmé : ce camp a perdu (nowak, allies)."),
    "cs": ("yamada tvrdí, že soubor", "Ohlášeno, nepotvrzeno: tato strana prohrála (nowak, allies)."),
}


def lines(text: str) -> str:
    """A report without its line ends."""
    return " ".join(text.split())


@pytest.mark.parametrize("form", FORMATS)
def test_every_report_tells_the_claim_until_it_is_over(wait: Hours, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    speak(monkeypatch)
    folders = begun()
    wait(AFTER)
    must("claim", "-g", "yamada")
    spread(folders)
    for name in folders:
        for code, sentences in SAID.items():
            told = lines(must("report", "-g", name, "--format", form, "--language", code))
            assert all(sentence in told for sentence in sentences), (name, code)
        assert "claims" not in lines(must("report", "-g", name, "--format", form, "--to", "3"))
    must("rule", "loss", "-g", "nowak")
    spread(folders)
    told = lines(must("report", "-g", "yamada", "--format", form))
    assert "claims" not in told and "not confirmed" not in told
    assert f"nowak confirms that file {place()} of nowak is overdue: the side has lost." in told
    assert f"Winner: axis (file {place()} of nowak never came)." in told


def test_every_report_tells_question_ruling_and_a_file_that_came_too_late(wait: Hours, monkeypatch: pytest.MonkeyPatch) -> None:
    speak(monkeypatch)
    folders = begun(role="witness")
    asked(folders, wait)
    told = lines(must("report", "-g", "nowak"))
    assert f"The umpire smith asks nowak for file {place()}, due since 2025-01-31T18:00:00Z by his clock." in told
    assert "not confirmed" not in told, "the umpire decides"
    wait(GRACE)
    file = marched()
    must("rule", "loss", "-g", "smith")
    ruled = f"The umpire smith rules that file {place()} of nowak is overdue: the side has lost."
    assert ruled in lines(must("report", "-g", "smith")) and "has come" not in lines(must("report", "-g", "smith"))
    deliver(file, "smith")
    assert "has come; the umpire may lift his ruling." in lines(must("report", "-g", "smith"))
    must("rule", "nothing", "-g", "smith")
    assert "umpire smith" not in lines(must("report", "-g", "smith"))


def keys_of_mails(name: str) -> dict[str, str]:
    folder = session(name).folder
    settings: Any = SimpleNamespace(addresses={})
    return {letter.what: letter.key for letter in mailing._letters(folder, settings)}


def test_mail_carries_a_claimed_file_once_more(wait: Hours) -> None:
    begun()
    name = marched().stem
    wait(AFTER)
    before = keys_of_mails("nowak")
    slip = Path(as_json("claim", "-g", "yamada")["file"])
    must("receive", str(slip), "-g", "nowak")
    after = keys_of_mails("nowak")
    assert {what for what in before if before[what] != after[what]} == {name}, "the other mails have gone already"
    assert keys_of_mails("nowak") == after, "once for each claim"
    assert slip.stem in keys_of_mails("yamada")


def test_a_reminder_shows_the_time_left_and_the_claims(wait: Hours) -> None:
    folders = begun()
    wait(AFTER - 2)
    assert "time left: 2 h, until 2025-02-03T18:00:00Z, by this folder's clock" in mailing._reminder(session("yamada"))
    wait(3)
    must("claim", "-g", "yamada")
    spread(folders)
    told = mailing._reminder(session("nowak"))
    assert "overdue for 1 h" in told and f"yamada claims file {place()} of nowak" in told


def test_whoever_judges_the_game_later_reads_claims_and_rulings(wait: Hours) -> None:
    folders = begun(role="witness")
    asked(folders, wait)
    wait(GRACE)
    must("rule", "loss", "-g", "smith")
    spread(folders)
    must("dispute", "-g", "nowak", "--to", "dispute.txt")
    verdict = as_json("judge", "dispute.txt", code=Outcome.WAITING.code)
    assert verdict["valid"] and {due["what"] for due in verdict["due"]} == {"audit"}
    assert verdict["result"] == {"winner": "axis", "reason": f"file {place()} of nowak never came", "rule": "protocol"}


def test_a_substitute_takes_the_seat_at_the_place_that_was_ruled_on_and_at_no_later_one() -> None:
    """A file that came ends the claim: the ruling is good for nothing at the player's next place."""
    party = marching("smith", then="substitute")
    nowak, smith = (next(p for p in party if p.name == name) for name in ("nowak", "smith"))
    ruling = ruling_of(party, "smith", claim_of(party, "smith"), "substitute")
    table = nowak.table

    def seat_file() -> dict[str, Any]:
        draft = seat(nowak, table.last + 2)
        return smith.sign(smith.write(replace(draft, slips=[ruling])).document)

    take(table, seat_file(), nowak.fetch)
    send(party, Draft(orders=["halt"]))
    while party[0].table.due.player != "nowak" or party[0].table.due.what != "orders":
        send(party, choose(next_writer(party), random.Random(1)))
    table = nowak.table
    with pytest.raises(ProtocolError) as refused:
        seat_file()
    assert refused.value.outcome is Outcome.WRONG_KEY

"""Every document stands alone: whatever one does, the others are taken, the bad one is named, and the folder is whole."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit, Simultaneous
from pbem.protocol import slips, strict_yaml, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.runtime.composing import Draft
from pbem.runtime.slips import check as check_slip
from pbem.runtime.taking import Refused, take
from pbem.store.session import Session
from pbem.transport.armor import write_block
from pbem.transport.mail import write_eml
from tests.commands import must, run
from tests.toygame import skirmish
from tests.toygame.folders import TWO, as_json, at, due, orders, session
from tests.toygame.party import Person, send
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_attacks import advance_to as play_to
from tests.toygame.test_attacks import due as next_writer
from tests.toygame.test_attacks import refused, signed
from tests.toygame.test_skirmish import choose, people

Document = dict[str, Any]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Red marches next; `post` is empty."""
    with at(tmp_path, monkeypatch):
        folders = found(TWO)
        assert advance_to(folders, "march") == "nowak"
        Path("post").mkdir()
        yield folders


def march() -> Document:
    """Nowak's file, signed and in his outbox; a copy lies in `post` under a late name."""
    must("send", orders("nowak", "go"), "-g", "nowak")
    name = max(Path("nowak/outbox").glob("[0-9]*.yaml"))
    document = read_document(name.read_bytes())[0]
    Path("post/9-honest.yaml").write_text(write_document(document))
    return document


def contents(folder: str) -> dict[str, bytes]:
    """Every file of a game folder but those that are kept aside."""
    root = Path(folder)
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and "aside" not in p.parts and p.name not in ("lock", "checkpoint.json")
    }


def forge(document: Document, **changes: Any) -> Document:
    """The document changed, signed by nowak's key."""
    private = session("nowak").private
    return turnfile.sign({**document, **changes}, private)


def put(name: str, text: str | bytes) -> None:
    Path("post", name).write_bytes(text if isinstance(text, bytes) else text.encode())


# -- one bad document and an honest one ----------------------------------------------------------------------------------------


def nested(levels: int) -> bytes:
    """A mail in a mail in a mail, about pbem."""
    head = "Subject: [pbem] #1\nFrom: smith@example.org\nMIME-Version: 1.0\n"
    parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(levels))
    return (head + parts + "\n\n-----BEGIN PBEM TURN-----\n").encode()


BAD: dict[str, tuple[Callable[[Document], str | bytes], str, int]] = {
    "a stranger's signature": (lambda d: write_document({**d, "signed_by": "smith"}), "wrong key", 7),
    "a stranger": (lambda d: write_document(forge(d, player="smith")), "wrong key", 7),
    "a mail nested 3,000 deep": (lambda d: nested(3000), "unreadable", 5),
    "a mail nested 90 deep": (lambda d: nested(90), "unreadable", 5),
    "headers in brackets": (
        lambda d: b"Subject: pbem\nFrom: x\nContent-Type: " + b"(" * 5000 + b"\n\nBEGIN PBEM TURN\n",
        "",
        5,
    ),
    "an unsigned file for a filled place": (lambda d: write_document({**d, "seq": 1, "note": ["x"]}), "bad signature", 6),
    "an opening without item": (
        lambda d: write_document(forge(d, open=[{"handle": "red:draw0:0", "salt": "ab" * 32}])),
        "unreadable",
        5,
    ),
    "a slip with one file": (
        lambda d: write_document(
            slips.sign(
                slips.make("equivocation", d["game"], d["prev"], "nowak", {"files": [d]}, d["pbem"]), session("nowak").private
            )
        ),
        "unreadable",
        5,
    ),
    "orders in a list": (lambda d: write_document(forge(d, orders=[[["go"]]])), "refused: file 8", 1),
    "a slip that is none": (lambda d: f"pbem: 2\ntype: slip\ngame: {'ab' * 32}\n", "unreadable", 5),
    "a type that is a list": (lambda d: "pbem: 2\ntype: [turn]\n", "unreadable", 5),
    "half a block": (lambda d: "-----BEGIN PBEM TURN-----\npbem: 2\ntype: turn\n", "unreadable", 5),
    "a broken file": (lambda d: "pbem: 2\ntype: turn\nseq: [\n", "unreadable", 5),
}


@pytest.mark.parametrize("name", BAD)
def test_the_honest_file_behind_a_bad_one_is_taken(name: str, game: list[str]) -> None:
    make, word, code = BAD[name]
    honest = march()
    bad = make(honest)
    put("0-bad.eml" if isinstance(bad, bytes) else "0-bad.yaml", bad)
    done = run("receive", "post", "-g", "yamada")
    assert done.code == code and f"9-honest.yaml: done: file {honest['seq']} of nowak" in done.out, done
    (line,) = [line for line in done.out.splitlines() if line.startswith("0-bad.")]
    assert word in line and "fault of the program" not in line and "Traceback" not in done.out + done.err
    assert session("yamada").folder.log.files()[-2:][0] == honest or session("yamada").folder.log.files()[-1] == honest


@pytest.mark.parametrize("name", BAD)
def test_a_bad_document_leaves_no_trace_but_a_copy_aside(name: str, game: list[str]) -> None:
    make = BAD[name][0]
    honest = march()
    bad = make(honest)
    Path("post/9-honest.yaml").unlink()
    put("0-bad.eml" if isinstance(bad, bytes) else "0-bad.yaml", bad)
    before = contents("yamada")
    run("receive", "post", "-g", "yamada")
    run("receive", "post", "-g", "yamada")
    assert contents("yamada") == before
    kept = [p for p in Path("yamada/aside").glob("*") if p.is_file()]
    assert len(kept) == 1 and kept[0].name.partition("-")[0] in ("not", "0001"), kept
    assert must("verify", "-g", "yamada")


def test_the_sender_of_a_bad_mail_is_named_and_what_he_sent_is_kept(game: list[str]) -> None:
    honest = march()
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Smith <smith@example.org>", "\u202ehello"
    mail.set_content("-----BEGIN PBEM TURN-----\npbem: 2\n../../etc/passwd: x\n-----END PBEM TURN-----\n" + "x" * 300)
    put("0-bad.eml", mail.as_bytes())
    said = as_json("receive", "post", "-g", "yamada", code=5)
    (line,) = [line for line in said["lines"] if "0-bad.eml" in line]
    assert "smith@example.org" in line and "kept as aside/not-taken-" in line
    (kept,) = Path("yamada/aside").glob("not-taken-*")
    assert b"etc/passwd" in kept.read_bytes()
    assert any(f"done: file {honest['seq']}" in line for line in said["lines"])


def test_a_mail_whose_text_and_attachment_differ_says_so_and_neither_is_taken(game: list[str]) -> None:
    honest = march()
    other = forge(honest, orders=["halt"])
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "[pbem abc]", "nowak@example.org"
    mail.set_content(f"My orders:\n\n{write_block(other)}")
    mail.add_attachment(write_document(honest).encode(), maintype="application", subtype="yaml", filename="pbem.yaml")
    put("0-bad.eml", mail.as_bytes())
    Path("post/9-honest.yaml").unlink()
    done = run("receive", "post", "-g", "yamada")
    assert done.code == 5 and "its text and its attached file say different things" in done.out
    assert '"halt"' in done.out and '"go"' in done.out and "neither is taken" in done.out
    assert session("yamada").folder.log.files()[-1]["seq"] == honest["seq"] - 1


@pytest.mark.parametrize("error", [KeyError("x"), IndexError(3), RecursionError("deep"), AssertionError(), MemoryError()])
def test_a_fault_of_the_program_is_told_with_a_file_to_report(
    error: Exception, game: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = march()
    put("0-bad.yaml", write_document({**honest, "note": ["the bad one"]}))
    original = Session.take

    def failing(self: Session, document: Document) -> Any:
        if document.get("note") == ["the bad one"]:
            self._table = None
            raise error
        return original(self, document)

    monkeypatch.setattr(Session, "take", failing)
    done = run("receive", "post", "-g", "yamada")
    assert done.code == Outcome.FAULT.code and "a fault of the program, not yours" in done.out, done
    assert f"done: file {honest['seq']} of nowak" in done.out
    (report,) = Path("yamada/aside").glob("fault-*.txt")
    text = report.read_text()
    assert f"please report {report}" in done.out
    assert type(error).__name__ in text and "in failing" in text and "the bad one" in text


def test_what_follows_a_document_may_fail_too_and_what_was_taken_is_told(
    game: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = march()
    monkeypatch.setattr(Session, "answer_by_itself", lambda self, **_: [][0])
    done = run("receive", "post", "-g", "yamada")
    assert f"done: file {honest['seq']} of nowak" in done.out and "what holds no decision is not answered" in done.out
    assert done.code == Outcome.FAULT.code


def test_the_same_file_many_times_is_judged_once(game: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    honest = march()
    for n in range(50):
        put(f"{n}.eml", f"From: x{n}@example.org\n".encode() + write_eml({**honest, "note": ["other"]}, "abc", "due"))
    judged: list[str] = []
    original = Session.take
    monkeypatch.setattr(Session, "take", lambda self, d: judged.append(document_id(d)) or original(self, d))  # type: ignore[func-returns-value]
    run("receive", "post", "-g", "yamada")
    assert judged.count(document_id(honest)) == 1 and len(judged) == 2


def test_a_flood_of_bad_documents_is_counted_and_not_all_kept(game: list[str]) -> None:
    honest = march()
    for n in range(300):
        put(f"{n:03}.yaml", write_document({**honest, "note": [str(n)]}))
    done = run("receive", "post", "-g", "yamada")
    lines = done.out.splitlines()
    assert len(lines) < 60 + 15 and any(line.startswith("and ") and line.endswith(" more") for line in lines)
    assert len(list(Path("yamada/aside").glob("not-taken-*"))) == 200
    assert honest in session("yamada").folder.log.files()


def test_a_slip_for_a_draft_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(tmp_path, monkeypatch):
        must("new", "draft", "--system", "skirmish", "--scenario", "hill")
        Path("slip.yaml").write_text(f"pbem: 2\ntype: slip\nslip: request\ngame: {'ab' * 32}\n")
        done = run("receive", "slip.yaml", "-g", "draft")
        assert done.code == 3 and "not signed by everybody" in done.out


def test_a_forged_refusal_costs_no_replay(game: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    honest = march()
    content = {"file": document_id(honest), "outcome": "bad dice", "reason": "x"}
    slip = slips.make("refusal", honest["game"], honest["prev"], "yamada", content, honest["pbem"])
    put("0-bad.yaml", write_document(slips.sign(slip, session("nowak").private)))
    replays: list[int] = []
    original = Session.replayed
    monkeypatch.setattr(Session, "replayed", lambda self, until=None: replays.append(1) or original(self, until))  # type: ignore[func-returns-value]
    done = run("receive", "post/0-bad.yaml", "-g", "nowak")
    assert done.code == 6 and not replays


# -- rules that fail -----------------------------------------------------------------------------------------------------------


def broken(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception) -> None:
    """The segment of this name fails when it runs."""

    def fails(*_: Any) -> Any:
        raise error
        yield

    monkeypatch.setitem(skirmish.Skirmish.segments, name, fails)


def test_an_order_on_which_the_rules_fail_is_refused_by_every_program(monkeypatch: pytest.MonkeyPatch) -> None:
    party = people()
    writer = play_to(party, "red", "march")
    good = signed(writer, Draft(orders=["go"]))
    monkeypatch.setattr(skirmish, "word_of", lambda *_: lambda order: [][0])
    for person in party:
        person.table = person.table.fork()
    for person in party:
        with pytest.raises(Refused) as caught:
            take(person.table, good, person.fetch)
        (problem,) = caught.value.problems
        assert problem.order == 0 and "IndexError" in str(problem) and "a fault of the program" in str(problem)
        assert "IndexError" in problem.trace
    with pytest.raises(Refused, match="a fault of the program"):
        writer.write(Draft(orders=["go"]))


def test_an_order_that_is_accepted_and_fails_later_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    party = people()
    writer = play_to(party, "red", "march")
    good = signed(writer, Draft(orders=["halt"]))
    broken(monkeypatch, "scouting", KeyError("later"))
    for person in party:
        with pytest.raises(Refused, match="KeyError") as caught:
            take(person.table, good, person.fetch)
        assert caught.value.problems[0].order == 0 and "later" in caught.value.problems[0].trace
    assert party[0].table.due.player == writer.name


def test_rules_that_refuse_what_they_had_accepted_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rejected in mid-flow must not look like a wrong order: the state has changed already."""
    party = people()
    writer = play_to(party, "red", "march")
    good = signed(writer, Draft(orders=["halt"]))
    broken(monkeypatch, "scouting", skirmish.illegal("too late", "S8"))
    with pytest.raises(Refused, match="Broken"):
        take(party[0].table, good, party[0].fetch)


def test_where_a_file_brings_nothing_of_its_own_nothing_is_said_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    party = people()
    play_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    send(party, Draft(orders=["let pass"]))
    witness = next_writer(party)
    assert witness.table.due.what == "witness"
    good = signed(witness, Draft())
    monkeypatch.setattr(skirmish, "Rewound", None)
    monkeypatch.setattr(skirmish, "Scheduled", None)
    for person in party:
        with pytest.raises(ProgramFault) as caught:
            take(person.table, good, person.fetch)
        assert caught.value.outcome is Outcome.FAULT and "TypeError" in caught.value.trace


@pytest.mark.parametrize("error", [RecursionError(), MemoryError()])
def test_a_machine_that_gives_out_refuses_nobody_s_orders(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    party = people()
    good = signed(play_to(party, "red", "march"), Draft(orders=["halt"]))
    broken(monkeypatch, "scouting", error)
    with pytest.raises(ProgramFault):
        take(party[0].table, good, party[0].fetch)


def test_a_standing_answer_on_which_the_rules_fail_does_not_apply() -> None:
    """The module's own policy fails on an empty list; whoever wrote it must not stop the game with it."""
    party = people()
    play_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    send(party, Draft(orders=["stop"], standing={"loss": [{"do": []}]}))
    dice = random.Random(1)
    while not party[0].table.engine.state.losses:
        send(party, choose(next_writer(party), dice))
    assert party[0].table.engine.state.losses


# -- every field against who signs ---------------------------------------------------------------------------------------------


def asked_to_seal(party: list[Person]) -> Person:
    """Rust is asked for a sealed bid."""
    dice = random.Random(1)
    while not (isinstance(party[0].table.engine.request, Simultaneous) and party[0].table.due.what == "seal"):
        send(party, choose(next_writer(party), dice))
    return next_writer(party)


def test_nothing_is_sealed_for_a_seat_that_is_not_asked() -> None:
    party = people()
    writer = asked_to_seal(party)
    assert writer.name == "dubois"
    for seat in ("blue", "red", "nobody"):
        with pytest.raises(Refused, match=f"sealed for {seat}, but rust is asked") as caught:
            writer.write(Draft(orders=[{"seal": 2, "seat": seat}]))
        assert caught.value.problems[0].order == 0
    composed = writer.write(Draft(orders=[{"seal": 2, "seat": "rust"}]))
    assert set(composed.sealed) <= set(composed.table.ledger.seals)


def test_nothing_is_committed_for_a_seat_that_is_not_asked() -> None:
    party = people()
    dice = random.Random(1)
    while not isinstance(party[0].table.engine.request, Commit):
        send(party, choose(next_writer(party), dice))
    with pytest.raises(Refused, match="another seat"):
        next_writer(party).write(Draft(orders=[{"seal": 2, "seat": "red"}]))


@pytest.mark.parametrize(
    "order", [{"sealed": "x"}, {"sealed": "AB" * 32}, {"sealed": "ab" * 32, "seat": "blue"}, {"sealed": 1}]
)
def test_a_seal_is_a_hash_and_nothing_else(order: Plain) -> None:
    party = people()
    writer = asked_to_seal(party)
    good = writer.write(Draft(orders=[{"seal": 2, "seat": "rust"}])).document
    assert refused(party, writer.sign({**good, "orders": [order]})).outcome is Outcome.REFUSED


def made_slip(person: Person, kind: str, **content: Any) -> Document:
    table = person.table
    slip = slips.make(kind, table.charter.game_id, table.ledger.entries[-1].id, person.name, content, table.charter.version)
    return slips.sign(slip, person.private)


@pytest.mark.parametrize("seats", [["red"], [], ["blue", "red"], ["nobody"]])
def test_nobody_resigns_the_seats_of_others(seats: list[str]) -> None:
    party = people()
    blue = next(p for p in party if p.name == "yamada")
    with pytest.raises(ProtocolError) as caught:
        check_slip(party[0].table, made_slip(blue, "resignation", seats=seats))
    assert caught.value.outcome is Outcome.WRONG_KEY and "blue" in str(caught.value)
    check_slip(party[0].table, made_slip(blue, "resignation", seats=["blue"]))


@pytest.mark.parametrize("offer", [{}, {"draw": True, "rules_version": 2}, {"draw": False}])
def test_an_offer_is_of_one_thing(offer: Document) -> None:
    party = people()
    writer = play_to(party, "red", "march")
    good = writer.write(Draft(type="offer", extra={"offer": {"draw": True}})).document
    assert refused(party, writer.sign({**good, "offer": offer})).outcome is Outcome.UNREADABLE


def test_what_was_taken_back_is_not_taken_back_again() -> None:
    """An undo names orders that stand; those behind an earlier undo are void with it."""
    party = people()
    play_to(party, "red", "march")
    first = party[0].table.last + 1
    send(party, Draft(orders=["go"]))
    send(party, Draft(orders=["stop"]))
    while party[0].table.due.what != "orders":
        send(party, choose(next_writer(party), random.Random(1)))
    send(party, Draft(type="undo", extra={"to": first}))
    while (offer := party[0].table.ledger.offer) is not None:
        send(party, Draft(type="accept", extra={"accepts": offer.id}))
    assert {first, first + 1} <= set(party[0].table.ledger.voided)
    for void in (first, first + 1):
        with pytest.raises(ProtocolError, match="no orders to take back"):
            next_writer(party).write(Draft(type="undo", extra={"to": void}))


def test_an_item_that_the_draw_cannot_hold_is_a_bad_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red commits to a card that does not exist, and plays it: no rule ever meets it."""
    from pbem.runtime.knowledge import Knowledge

    party = people()
    original = Knowledge.items
    lying = lambda self, made: ["joker"] * made.count if self.player == "nowak" else original(self, made)  # noqa: E731
    monkeypatch.setattr(Knowledge, "items", lying)
    writer = play_to(party, "red", "card")
    assert writer.name == "nowak"
    with pytest.raises(ProtocolError, match="the draw does not hold it") as caught:
        writer.write(Draft(orders=[{"play": party[0].table.engine.state.hand[0]}]))
    assert caught.value.outcome is Outcome.BAD_OPENING


def test_a_statement_that_the_rules_cannot_read_is_refused() -> None:
    party = people()
    dice = random.Random(4)
    while True:
        writer = next_writer(party)
        composed = writer.write(choose(writer, dice))
        stated = [e for e in composed.document.get("open") or [] if type(e.get("value")) is int]
        if stated:
            break
        writer.sealed.update(composed.sealed)
        for person in party:
            person.receive(write_document(writer.sign(composed.document)))
    for value in ("x", None, [], {}, True, 9):
        openings = [{**e, "value": value} if "claim" in e else e for e in composed.document["open"]]
        error = refused(party, writer.sign({**composed.document, "open": openings}))
        assert error.outcome is Outcome.REFUSED and isinstance(error, Refused) and not error.problems[0].trace


def test_yaml_and_json_of_a_document_are_one(game: list[str]) -> None:
    honest = march()
    assert strict_yaml.read_document(json.dumps(honest))[0] == honest
    assert due(game) == "nowak"

"""What leaves a folder and what a crash left undone there: outbox, mails, their words, a log that begins again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.engine import Result
from pbem.kernel.wording import english, msg, verbatim
from pbem.protocol import charter
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document
from pbem.runtime import audit, trust
from pbem.runtime.dues import Due, sends
from pbem.store import backups, catching_up, clock, dues, mending, outgoing, pen, telling, unsending
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.transport import mail as mails

GAME, TIME = "ab" * 32, "2026-01-02T03:04:05Z"
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "players": {"nowak": {}, "yamada": {}}, "nonce": "ab" * 32}


def turn(seq: int, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"pbem": 2, "type": "turn", "seq": seq, "player": player, "prev": GAME, "orders": [seq], **more}


SLIP = {"pbem": 2, "type": "slip", "slip": "request", "player": "nowak", "text": "?", "head": GAME}


class Session:
    """Nowak's session around a real folder."""

    def __init__(self, path: Path) -> None:
        self.folder = GameFolder.create(path, {})
        self.charter = SimpleNamespace(game_id=GAME)
        words = SimpleNamespace(heading=lambda state: msg("Turn {n}: spring: rain", n=state), SIDES={"west": msg("the West")})
        self.game = SimpleNamespace(title="Skirmish", words=lambda: words)
        self.table = SimpleNamespace(
            last=7, due=Due("nowak", "orders"), result=None, engine=SimpleNamespace(state=3), ledger="the ledger"
        )
        self.caught_up: list[Any] = []


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    made = Session(tmp_path / "korea")
    made.folder.add("charter", CHARTER, TIME)
    made.folder.save_secrets(PlayerSecrets.fresh("nowak"))
    return made


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The mails that were made: document, game, text, subject."""
    seen: list[Any] = []

    def write_eml(document: Any, game: str, text: str, subject: str) -> bytes:
        seen.append((document, game, text, subject))
        return b"a mail"

    monkeypatch.setattr(mails, "write_eml", write_eml)
    return seen


# -- who has to send what ----------------------------------------------------------------------------------------------


def told(session: Any) -> str:
    return english(dues.told(session))


def test_an_opening_is_of_what_was_sealed_in_a_file() -> None:
    due = Due("nowak", "open", detail=verbatim("nowak:seal12:3"), rule="9")
    assert english(dues.clause(due)) == "nowak has to send an opening: what was sealed in file 12 [9]"
    drawn = Due("nowak", "open", detail=verbatim("red:draw12:3"))
    assert english(dues.clause(drawn)) == "nowak has to send an opening: what was drawn or rolled in secret"
    order = Due("nowak", "orders", detail=verbatim("nowak:seal12:3"))
    assert english(dues.clause(order)).endswith(": nowak:seal12:3"), "only of an opening it is a handle"


def test_who_has_to_send_what(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    due = Due("nowak", "orders")
    plain = english(sends(due))
    assert told(session) == plain == english(dues.clause(due))
    session.table.due = Due("nowak", "orders", rule="7.5")
    assert told(session) == f"{plain} [7.5]"
    session.table.due = Due("nowak", "orders", detail=msg("the air move"), rule="7.5")
    assert told(session) == f"{plain}: the air move [7.5]"
    session.table.due = Due("nowak", "orders", detail=msg("the air move"))
    assert told(session) == f"{plain}: the air move"
    collected: list[Any] = []
    session.folder.add("slip", SLIP, TIME)
    session.folder.add("slip", {**SLIP, "slip": "audit"}, TIME)
    monkeypatch.setattr(audit, "collect", lambda table, slips: collected.append((table, slips)) or "shown")
    pending: list[str] = []
    monkeypatch.setattr(
        audit, "undisclosed", lambda ledger, shown: pending if (ledger, shown) == ("the ledger", "shown") else 0
    )
    session.table.result = Result("west", "Seoul fell", "16.1")
    assert told(session) == "The game is over: the West won (Seoul fell) [16.1]."
    assert collected == [(session.table, [{**SLIP, "slip": "audit"}])]
    pending += ["nowak", "yamada"]
    assert told(session) == "The game is over: the West won (Seoul fell) [16.1]. Audit pending: nowak, yamada."
    session.table.result = Result("", "time is up", "16.2")
    assert told(session) == "The game is over: a draw (time is up) [16.2]. Audit pending: nowak, yamada."


# -- the outbox --------------------------------------------------------------------------------------------------------


def test_a_file_goes_out_with_its_mail_and_a_slip_without(
    session: Any, written: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "mail", lambda *of: f"mail of {of[1]['seq']} behind {of[2]}".encode() * (of[0] is session))
    path = outgoing.put_out(session, turn(1), "a table")  # type: ignore[arg-type]
    assert path == session.folder.outgoing(turn(1)) and read_document(path.read_bytes())[0] == turn(1)
    assert path.with_suffix(".eml").read_bytes() == b"mail of 1 behind a table"
    path = outgoing.put_out(session, turn(2))
    assert path.with_suffix(".eml").read_bytes() == b"mail of 2 behind None"
    path = outgoing.put_out(session, SLIP)
    assert read_document(path.read_bytes())[0] == SLIP and not path.with_suffix(".eml").exists() and written == []


def test_the_mail_goes_out_first(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in the outbox as a file is complete: a crash between the two leaves no file without a mail."""
    order: list[str] = []
    monkeypatch.setattr(outgoing, "mail", lambda *_: b"")
    monkeypatch.setattr(outgoing, "note_mail", lambda *_: b"")
    monkeypatch.setattr(session.folder.disk, "replace", lambda path, data: order.append(path.suffix))
    outgoing.put_out(session, turn(1))
    outgoing.put_out_note(session, {"type": "note", "n": 1, "player": "nowak"})
    assert order == [".eml", ".yaml"] * 2


def test_the_mail_of_a_file(session: Any, written: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    proved: list[str] = []
    asked: list[Any] = []
    monkeypatch.setattr(
        trust, "proved", lambda files, slips: proved if files == session.folder.log.files() and slips == [] else 0
    )
    monkeypatch.setattr(telling, "in_short", lambda *of: asked.append(of) or "It burns.")
    due = told(session)
    assert outgoing.mail(session, turn(7), "a table") == b"a mail"  # type: ignore[arg-type]
    assert written.pop() == (turn(7), "abababab", f"{due}\n\nIt burns.", "Skirmish: Turn 3, nowak is due (korea #7)")
    assert asked == [(session, turn(7), "a table")]
    proved += ["one fork", "another"]
    outgoing.mail(session, {"type": "heal", "seq": 9})
    assert written.pop()[2] == f"{due}\nPROVED: one fork\nPROVED: another" and len(asked) == 1
    monkeypatch.setattr(telling, "in_short", lambda *of: "")
    outgoing.mail(session, turn(7))
    assert written.pop()[2] == f"{due}\nPROVED: one fork\nPROVED: another"


def test_the_subject_of_a_mail(session: Any) -> None:
    assert outgoing.subject(session, 12) == "Skirmish: Turn 3, nowak is due (korea #12)"
    session.table.due = Due("", "nothing")
    assert outgoing.subject(session, 12) == "Skirmish: Turn 3, the game is over (korea #12)"
    session.table.due, session.table.result = Due("nowak", "orders"), Result("west", "x", "y")
    assert outgoing.subject(session, 12) == "Skirmish: Turn 3, the game is over (korea #12)"


def test_the_mail_of_a_note(session: Any, written: list[Any]) -> None:
    open_, sealed = ({"type": "note", "player": "nowak", "n": n, "head": GAME} for n in (1, 2))
    open_["text"], sealed["to"] = "well played", "yamada"
    heading = "Skirmish: nowak has something to say (korea)"
    path = outgoing.put_out_note(session, open_)
    assert path == session.folder.outgoing(open_) and read_document(path.read_bytes())[0] == open_
    assert path.with_suffix(".eml").read_bytes() == b"a mail"
    assert outgoing.note_mail(session, sealed) == b"a mail"
    assert written == [
        (open_, "abababab", "well played", heading),
        (sealed, "abababab", "For yamada: `pbem receive` takes it, `pbem notes` opens it.", heading),
    ]


def test_the_mail_of_whatever_lies_there(session: Any, written: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert outgoing.mail_of(session, SLIP) == b"a mail"
    assert written == [(SLIP, "abababab", told(session), "Skirmish: Turn 3, nowak is due (korea #7), request")]
    monkeypatch.setattr(outgoing, "note_mail", lambda *of: ("note", *of))
    monkeypatch.setattr(outgoing, "mail", lambda *of: ("mail", *of))
    note: Any = {"type": "note"}
    assert outgoing.mail_of(session, note) == ("note", session, note)  # type: ignore[comparison-overlap]
    assert outgoing.mail_of(session, turn(7)) == ("mail", session, turn(7))  # type: ignore[comparison-overlap]


def test_a_backup_goes_behind_the_newest_file(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(backups, "keep", lambda *of: asked.append(of))
    outgoing.back_up(session)
    assert asked == [(session.folder.path, session.folder.disk, 7)]


# -- what a crash left undone ------------------------------------------------------------------------------------------


@pytest.fixture
def mended(session: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was done to mend the folder, in order; there is a backup."""
    done: list[Any] = []

    def step(name: str, answer: Any = None) -> Callable[..., Any]:
        def recorded(where: Any, *of: Any) -> Any:
            assert where is session, name
            done.append((name, *of))
            return answer

        return recorded

    for where, name in ((pen, "adopt"), (unsending, "finish"), (unsending, "note_handed_out"), (outgoing, "back_up")):
        monkeypatch.setattr(where, name, step(name))
    monkeypatch.setattr(catching_up, "catch_up", step("catch_up", []))
    monkeypatch.setattr(outgoing, "put_out", step("put_out", "its path"))
    monkeypatch.setattr(
        backups, "covers", lambda game, seq: (game, seq) == (session.folder.path, len(session.folder.log.files()) - 1)
    )
    return done


FIRST_STEPS = [("adopt",), ("finish",), ("catch_up",)]


def test_of_another_players_newest_file_its_copy_alone_is_made(session: Any, mended: list[Any]) -> None:
    session.folder.add("file", turn(1, "yamada"), TIME)
    copy = session.folder.copy_of(turn(1, "yamada"))
    copy.unlink()
    first = session.folder.path / "files/0000-charter.yaml"
    first.unlink()
    assert mending.mend(session) == [] and mended == FIRST_STEPS
    assert copy.exists() and not first.exists(), "the newest one alone"


def test_an_own_newest_file_goes_out(session: Any, mended: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    session.folder.add("file", turn(1), TIME)
    out = [("note_handed_out", ""), ("put_out", turn(1))]
    assert mending.mend(session) == ["its path"] and mended == [*FIRST_STEPS, *out]  # type: ignore[comparison-overlap]
    path = session.folder.outgoing(turn(1))
    path.write_text("")
    mended.clear()
    assert mending.mend(session) == ["its path"] and mended == [*FIRST_STEPS, out[1]]  # type: ignore[comparison-overlap]
    path.with_suffix(".eml").write_text("")
    mended.clear()
    assert mending.mend(session) == [] and mended == FIRST_STEPS
    monkeypatch.setattr(backups, "covers", lambda game, seq: False)
    mended.clear()
    assert mending.mend(session) == [] and mended == [*FIRST_STEPS, ("back_up",)]


def test_an_own_newest_slip_has_no_mail(session: Any, mended: list[Any]) -> None:
    session.folder.add("slip", SLIP, TIME)
    assert mending.mend(session) == ["its path"]  # type: ignore[comparison-overlap]
    session.folder.outgoing(SLIP).write_text("")
    mended.clear()
    assert mending.mend(session) == [] and mended == FIRST_STEPS


def test_own_files_that_came_back_go_out_again(session: Any, mended: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    found = [turn(1, "yamada"), turn(2), turn(3, "yamada")]
    monkeypatch.setattr(catching_up, "catch_up", lambda of: found if of is session else [])
    assert mending.mend(session) == [] and session.caught_up == found
    assert mended == [("adopt",), ("finish",), ("put_out", turn(2))]


def test_a_log_that_is_gone_begins_with_the_copy_of_its_charter(
    session: Any, mended: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: TIME)
    log = session.folder.path / "log.jsonl"
    before = log.read_bytes()
    verified: list[Any] = []
    for answer in (False, ProtocolError(Outcome.BAD_SIGNATURE, msg("x")), True):

        def verify(document: Any, answer: Any = answer) -> Any:
            verified.append(document)
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(charter, "verify", verify)
        log.unlink(missing_ok=True)
        session.folder.forget_log()
        mended.clear()
        assert mending.mend(session) == []
        assert mended == (FIRST_STEPS if answer is True else []), answer
    assert log.read_bytes() == before and verified == [CHARTER] * 3
    log.unlink()
    (session.folder.path / "files/0000-charter.yaml").unlink()
    session.folder.forget_log()
    mended.clear()
    assert mending.mend(session) == [] == mended and len(verified) == 3

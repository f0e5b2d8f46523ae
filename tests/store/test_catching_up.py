"""What comes back into a folder that lost it: from the record, the outbox, copies and backups, each by the same door."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.wording import msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime import slips
from pbem.store import backups, catching_up, heals, pen, record
from pbem.store.folder import GameFolder, PlayerSecrets

GAME, TIME = "ab" * 32, "2026-01-02T03:04:05Z"
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "players": {"nowak": {}, "yamada": {}}, "nonce": "ab" * 32}


def turn(before: dict[str, Any], player: str = "nowak", **more: Any) -> dict[str, Any]:
    """A file that answers this one."""
    seq = int(before.get("seq", 0)) + 1
    made = {"pbem": 2, "type": "turn", "seq": seq, "player": player, "prev": document_id(before), "link": "cc" * 32}
    return {**made, "orders": [seq], **more}


FIRST = turn(CHARTER, "yamada")
SECOND = turn(FIRST)
THIRD = turn(SECOND, "yamada")


class Session:
    """Nowak's session around a real folder and a real record, of which the folder has lost everything but the charter."""

    def __init__(self, path: Path) -> None:
        self.folder = GameFolder.create(path, {})
        self.folder.add("charter", CHARTER, TIME)
        self.folder.save_secrets(PlayerSecrets.fresh("nowak"))
        self.charter = SimpleNamespace(game_id=GAME)
        self.table: Any = SimpleNamespace(ledger=SimpleNamespace(seals={}, entries=[]))
        self.out: list[dict[str, Any]] = []
        self.done: list[Any] = []

    @cached_property
    def me(self) -> Any:
        return self.folder.secrets()

    def now(self) -> str:
        return TIME

    def forget(self) -> None:
        self.done.append("forget")

    def withdrawn(self) -> list[dict[str, Any]]:
        return self.out

    def keep_taken(self, document: dict[str, Any]) -> None:
        self.done.append(document)
        if document["orders"] == ["bad"]:
            raise LookupError
        self.folder.add("file", document, TIME)

    def add_slip(self, slip: dict[str, Any]) -> None:
        self.done.append(slip)
        if slip.get("text") == "bad":
            raise ProtocolError(Outcome.REFUSED, msg("no"))
        self.folder.add("slip", slip, TIME)

    def append(self, kind: str, row: dict[str, Any]) -> None:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            rows.append(kind, row, TIME)

    def signed(self, made: dict[str, Any], answered: Any = None, kept: Any = None) -> None:
        self.append("signed", record.row_of(made, "key", answered, kept))

    def lies(self, place: str, name: str, made: dict[str, Any] | bytes) -> None:
        folder = self.folder.path / place
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(made if isinstance(made, bytes) else write_document(made).encode())


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(heals, "recover", lambda *_: False)
    return Session(tmp_path / "nowak")


def caught_up(session: Any) -> list[dict[str, Any]]:
    return catching_up.catch_up(session)


def test_what_was_signed_and_what_it_answered_comes_from_the_record(session: Any) -> None:
    session.signed(turn(THIRD), THIRD)
    session.signed(SECOND, FIRST)
    assert caught_up(session) == [FIRST, SECOND, THIRD, turn(THIRD)] == session.folder.log.files()[1:]
    assert caught_up(session) == []


def test_what_another_player_has_signed_at_this_machine_is_not_looked_at(session: Any) -> None:
    session.signed(FIRST)
    assert caught_up(session) == [] == session.done


def test_whoever_watches_catches_up_with_nothing(session: Any) -> None:
    session.signed(SECOND, FIRST)
    (session.folder.path / "private/secrets.json").unlink()
    assert caught_up(session) == [] == session.done


@pytest.mark.parametrize("place", ["outbox", "files", "aside"])
def test_what_lies_in_the_folder_comes_back(session: Any, place: str) -> None:
    session.lies(place, "0001-a.yaml", b"\0")
    (session.folder.path / place / "0001-aa.yaml").mkdir()
    session.lies(place, "0001-b.yaml", FIRST)
    session.lies(place, "0002-b.yaml", turn(FIRST, prev="ab" * 32))
    session.lies(place, "0003-b.yaml", THIRD)
    session.lies(place, "2-nowak.yaml", SECOND)
    session.lies(place, "0002-nowak.txt", SECOND)
    assert caught_up(session) == [FIRST] == session.done, "what stands at another place or after another file is not tried"


def test_what_a_backup_holds_comes_back(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(backups, "covers", lambda game, seq: asked.append((game, seq)) or seq < 3)
    monkeypatch.setattr(backups, "files_of_newest", lambda game: [FIRST, THIRD, SECOND] if game == session.folder.path else 0)
    assert caught_up(session) == [FIRST, SECOND]
    assert asked == [(session.folder.path, seq) for seq in (1, 2, 3)]


def test_what_does_not_fit_is_tried_once_and_hinders_nothing_else(session: Any) -> None:
    bad = turn(CHARTER, "yamada", orders=["bad"])
    session.signed(SECOND, bad)
    session.signed(SECOND, FIRST)
    assert caught_up(session) == [FIRST, SECOND]
    assert session.done == [bad, FIRST, SECOND]


def test_what_was_withdrawn_or_taken_back_does_not_come_again(session: Any) -> None:
    own, other = turn(CHARTER, orders=["own"]), turn(CHARTER, orders=["other"])
    session.signed(own)
    session.append("unsent", {"id": document_id(own), "seq": 1})
    session.out = [{"id": document_id(other)}]
    for name, made in (("a", own), ("b", other)):
        session.lies("outbox", f"0001-{name}.yaml", made)
    assert caught_up(session) == [] == session.done
    session.out = []
    assert caught_up(session) == [other]


def test_a_withdrawal_that_the_log_has_lost_is_done_again_first(session: Any) -> None:
    session.folder.add("file", FIRST, TIME)
    lost = {"seq": 1, "id": document_id(FIRST), "refusal": None}
    session.lies("files", "withdrawn-0001.yaml", lost)
    session.out = [lost]
    assert caught_up(session) == [] and session.done == ["forget"]
    assert [(e["kind"], e["received"]) for e in session.folder.log.entries][2:] == [("withdrawn", TIME)]
    assert session.folder.log.entries[-1]["document"] == lost


def test_a_heal_that_comes_back_gives_way_to_what_follows_it(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session.signed(SECOND)
    asked: list[Any] = []

    def recover(of: Any, rows: Any) -> bool:
        asked.append((of, [row["id"] for row in rows]))
        if len(asked) == 1:
            session.folder.add("file", FIRST, TIME)
        return len(asked) < 3

    monkeypatch.setattr(heals, "recover", recover)
    assert caught_up(session) == [SECOND]
    assert asked == [(session, [document_id(SECOND)])] * 3


def test_heals_of_the_log_are_marked_before_the_record_is_read(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    marked: list[Any] = []
    monkeypatch.setattr(catching_up.heal_record, "mark", lambda files, rows, when: marked.append((files, rows.game, when)))
    caught_up(session)
    assert marked == []
    session.folder.add("file", FIRST, TIME)
    kept = {"to": 1, "prev": document_id(FIRST), "versions": [[FIRST], [turn(CHARTER, orders=["x"])]]}
    session.folder.add("heal", {"type": "heal", "seq": 2, "forked": {"seq": 1, "player": "yamada"}, **kept}, TIME)
    caught_up(session)
    assert marked == [(session.folder.log.files(), GAME, TIME)]


# -- slips and seals -------------------------------------------------------------------------------------------------------


def slip(text: str) -> dict[str, Any]:
    return {"pbem": 2, "type": "slip", "slip": "request", "player": "nowak", "text": text}


def test_own_slips_come_back(session: Any) -> None:
    for text in ("there", "bad", "lost"):
        session.append("signed", record.slip_row(slip(text), "key", text))
    place = {"type": "heal", "seq": 1, "prev": document_id(CHARTER), "orders": ["x"]}
    session.append("signed", record.heal_row(place, "nowak", "key"))
    session.folder.add("slip", slip("there"), TIME)
    assert caught_up(session) == []
    assert session.done == [slip("bad"), slip("lost")] and session.folder.log.slips() == [slip("there"), slip("lost")]


def sealed(session: Any) -> dict[str, Any]:
    return session.folder.secrets().sealed  # type: ignore[no-any-return]


def test_own_seals_come_back_before_the_files_that_hold_them(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    unwrapped: list[Any] = []
    unwrap = session.folder.private.unwrap
    monkeypatch.setattr(session.folder.private, "unwrap", lambda *of: unwrapped.append(of) or unwrap(*of))
    session.folder.add("file", FIRST, TIME)
    session.signed(FIRST | {"player": "nowak"}, kept={"old": ["x"]})
    session.signed(SECOND, kept={"next": ["y"]})
    session.signed(turn(SECOND, orders=["none"]))
    session.signed(turn(THIRD), kept={"new": ["z"]})
    assert caught_up(session) == [SECOND, turn(SECOND, orders=["none"])]
    assert sealed(session) == {"next": ["y"], "new": ["z"]}
    assert unwrapped == [("sealed", {"next": ["y"]}), ("sealed", {"new": ["z"]})]


def test_seals_that_the_folder_has_are_not_written_again(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known = session.folder.secrets()
    known.sealed.update({"one": ["1"], "two": ["2"]})
    session.folder.save_secrets(known)
    session.signed(SECOND, kept={"one": ["1"]})
    saved: list[Any] = []
    save = session.folder.save_secrets
    monkeypatch.setattr(session.folder, "save_secrets", lambda secrets: saved.append(secrets) or save(secrets))
    caught_up(session)
    assert saved == []
    session.signed(turn(SECOND, orders=["none"]), kept={"two": ["2"]})
    caught_up(session)
    assert saved == [], "all that the folder has"
    session.signed(turn(THIRD), kept={"three": ["3"]})
    caught_up(session)
    assert len(saved) == 1 and sealed(session) == {"one": ["1"], "two": ["2"], "three": ["3"]}


def seals_stand(session: Any, *documents: dict[str, Any], player: str = "nowak") -> None:
    """The log holds these files, and each of them has sealed one thing: `plan` and its number."""
    session.table.ledger.entries = [SimpleNamespace(id=document_id(d)) for d in (CHARTER, FIRST, *documents)]
    session.table.ledger.seals |= {f"plan{d['seq']}": SimpleNamespace(player=player, seq=d["seq"]) for d in documents}
    for document in (FIRST, *documents):
        session.folder.add("file", document, TIME)


def test_a_seal_of_a_file_that_the_log_has_comes_from_the_record(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session.signed(turn(FIRST, orders=["taken back"]), kept={"plan2": ["wrong"]})
    session.signed(SECOND, kept={"plan2": ["x"]})
    session.signed(turn(THIRD))
    seals_stand(session, SECOND, THIRD, turn(THIRD))
    asked: list[bool] = []
    monkeypatch.setattr(session.folder.private, "opens_unasked", lambda: bool(asked.append(True)))
    caught_up(session)
    assert asked and not sealed(session), "nobody is asked for a passphrase by the way"
    catching_up.recover_seals(session)
    assert sealed(session) == {"plan2": ["x"]}, "not that of a file which the log does not hold"


def test_a_seal_comes_back_by_the_way_where_nothing_hides_it(session: Any) -> None:
    session.signed(SECOND, kept={"plan2": ["x"]})
    seals_stand(session, SECOND)
    caught_up(session)
    assert sealed(session) == {"plan2": ["x"]}


def test_nothing_is_looked_for_where_no_own_seal_is_lost(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session.signed(SECOND, kept={"plan2": ["x"]})
    seals_stand(session, SECOND, player="yamada")
    monkeypatch.setattr(session.folder.private, "opens_unasked", None)
    caught_up(session)
    assert not sealed(session)
    session.table.ledger.seals["plan2"].player = "nowak"
    me = session.me
    me.sealed["plan2"] = ["here"]
    session.folder.save_secrets(me)
    monkeypatch.setattr(catching_up, "Record", None)
    catching_up.recover_seals(session)
    assert sealed(session) == {"plan2": ["here"]}


def test_what_the_record_cannot_open_stays_lost(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwrap(*_: Any) -> Any:
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("no"))

    session.signed(SECOND, kept={"plan2": ["x"]})
    seals_stand(session, SECOND)
    monkeypatch.setattr(session.folder.private, "unwrap", unwrap)
    caught_up(session)
    assert not sealed(session)


def test_own_questions_and_answers_come_from_the_outbox(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(table: str, slip: dict[str, Any]) -> None:
        assert table is session.table
        if slip["slip"] == "head" and slip["head"] == "unfit":
            raise ProtocolError(Outcome.WRONG_KEY, msg("no"))

    def lies(kind: str, **more: Any) -> dict[str, Any]:
        slip = {"pbem": 2, "type": "slip", "slip": kind, "player": "nowak", "head": "ab" * 32, **more}
        session.lies("outbox", f"slip-{kind}-{document_id(slip)[:12]}-{slip['player']}.yaml", slip)
        return slip

    monkeypatch.setattr(slips, "check", check)
    answers = sorted((lies("head", answers="cd" * 32), lies("head", answers="ce" * 32)), key=lambda s: document_id(s))
    question, taken_back = lies("restored", asks="aa" * 32), lies("restored", asks="ab" * 32)
    lies("restored", player="yamada")
    unfit = session.folder.path / "outbox" / f"slip-head-{document_id(lies('head', head='unfit'))[:12]}-nowak.yaml"
    lies("request", text="hurry")
    session.lies("outbox", "slip-head-000000000000-nowak.yaml", b"\0")
    (session.folder.path / "outbox" / "slip-restored-000000000001-nowak.yaml").mkdir()
    session.append("unsent", {"id": document_id(taken_back), "seq": 1})
    assert caught_up(session) == []
    assert session.done == [question, *answers] == session.folder.log.slips(), "questions first"
    unfit.unlink()
    monkeypatch.setattr(slips, "check", None)
    caught_up(session)
    assert len(session.done) == 3, "what the log holds is not looked at again"

"""When a folder may sign: which record vouches for it, what shows that another machine has signed, what is written first."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.wording import msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import heal_record, pen, record
from pbem.store.folder import FORMAT, GameFolder, PlayerSecrets
from pbem.store.log import START
from pbem.store.paths import IDENTITY, PLACE

GAME, TIME, KEY = "ab" * 32, "2026-01-02T03:04:05Z", "my key"
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "players": {"nowak": {}, "yamada": {}}, "nonce": "ab" * 32}


def turn(seq: int, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"pbem": 2, "type": "turn", "seq": seq, "player": player, "prev": GAME, "link": "cc" * 32, "orders": [seq], **more}


class Session:
    """Nowak's session around a real folder and a real record."""

    def __init__(self, path: Path) -> None:
        self.folder = GameFolder.create(path, {})
        self.folder.add("charter", CHARTER, TIME)
        self.me = PlayerSecrets.fresh("nowak")
        self.folder.save_secrets(self.me)
        self.charter = SimpleNamespace(game_id=GAME, version=2, escrow_key="ab" * 32)
        ledger = SimpleNamespace(key_at=lambda player, seq: f"{player}'s key at {seq}", gone=[])
        self.table, self.head, self.is_seated = SimpleNamespace(ledger=ledger, last=1), GAME, True

    def now(self) -> str:
        return TIME

    def withdrawn(self) -> list[Any]:
        return []

    def has(self, *files: dict[str, Any]) -> None:
        for file in files:
            self.folder.add("slip" if file["type"] == "slip" else "file", file, TIME)

    def row(self, kind: str, row: dict[str, Any]) -> None:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            rows.append(kind, row, TIME)

    def rows(self) -> list[dict[str, Any]]:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            return rows.rows

    def vouch(self) -> None:
        pen.vouch(self.folder, GAME)

    def why(self, game: str = GAME) -> str:
        return str(pen.why_unsure(self.folder, game))


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Session(tmp_path / "nowak")


def refused(call: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


# -- the place ---------------------------------------------------------------------------------------------------------


def test_the_record_vouches_for_a_folder_by_what_both_hold(session: Any, tmp_path: Path) -> None:
    session.row("signed", record.row_of(turn(1), KEY, None))
    session.has(turn(1))
    session.vouch()
    path = session.folder.path / PLACE
    name = json.loads((tmp_path / "home" / IDENTITY).read_bytes())["record"]
    with pen.held(session) as rows:
        expected = {"record": name, "rows": 1, "last": rows.log.head, "entries": 2, "left": None}
    assert json.loads(path.read_bytes()) == expected == pen.read_place(session.folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.stat().st_ino
    session.vouch()
    assert path.stat().st_ino == before, "what is there is not written again"
    pen.vouch(session.folder, GAME, {"to": "x"})
    assert pen.read_place(session.folder) == {**expected, "left": {"to": "x"}}
    pen.vouch(session.folder, "")
    assert pen.read_place(session.folder) == {"record": name, "rows": 0, "last": START, "entries": 0, "left": None}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '"record rows last"', "[" * 100_000),
        *('{"record": "r", "rows": "1", "last": "x"}', '{"record": "r", "rows": -1, "last": "x"}'),
        *('{"record": "r", "rows": 1}', '{"rows": 1, "last": "x"}', '{"record": "r", "last": "x"}'),
    ],
)
def test_a_place_that_cannot_be_read_is_none(session: Any, text: str) -> None:
    (session.folder.path / PLACE).write_text(text)
    assert pen.read_place(session.folder) is None
    good = {"record": "r", "rows": 0, "last": "x"}
    (session.folder.path / PLACE).write_text(json.dumps(good))
    assert pen.read_place(session.folder) == good


def test_why_a_folder_is_not_sure(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    restored = "nothing in it says which record of signatures vouches for it: it was restored, or copied in part"
    elsewhere = "it comes from another machine, or the folder of keys and signatures (PBEM_HOME) is another one"
    assert session.why() == restored == session.why("")
    session.row("signed", record.row_of(turn(1), KEY, None))
    session.vouch()
    assert session.why() == "" == session.why("")
    identity = (home / IDENTITY).read_bytes()
    (home / IDENTITY).unlink()
    assert session.why() == elsewhere == session.why("") and not (home / IDENTITY).exists()
    (home / IDENTITY).write_bytes(identity.replace(b'"record": "', b'"record": "0'))
    assert session.why() == elsewhere
    (home / IDENTITY).write_bytes(identity)
    with monkeypatch.context() as patch:
        patch.setattr(record, "machine_id", lambda: "another")
        assert session.why() == f"{home} was copied from another machine, or this machine has a new id" == session.why("")
    log = home / "signed" / f"{GAME}.jsonl"
    rows = log.read_bytes()
    log.unlink()
    assert session.why() == f"the record of signatures in {home} is older than the folder, or it was changed"
    assert session.why("") == "", "a draft has no rows"
    log.write_bytes(rows)
    session.row("signed", record.row_of(turn(2), KEY, None))
    assert session.why() == "", "the record may have gone on"


def test_the_pen_is_where_it_was_left(session: Any, tmp_path: Path) -> None:
    left = "the pen was left to another machine (`pbem sync`): go on there, or sync again"
    session.vouch()
    mine = json.loads((tmp_path / "home" / IDENTITY).read_bytes())["record"]
    for kind, to, sure in (
        *(("left", mine, True), ("left", "other", False), ("yielded", mine, False), ("took-over", mine, True)),
        *(("left", "other", False), ("left", mine, True), ("took-over", "other", True)),
    ):
        session.row(kind, {"to": to, "id": "x", "seq": None, "player": "nowak"})
        assert session.why() == ("" if sure else left), (kind, to)


def test_a_pen_is_called_back_from_wherever_it_was(session: Any, tmp_path: Path) -> None:
    """Each time in the record: a question that was asked before has made sure once."""
    session.vouch()
    mine = json.loads((tmp_path / "home" / IDENTITY).read_bytes())["record"]
    here = {"kind": "took-over", "from": mine, "to": mine, "head": GAME}
    pen.call_back(session)
    assert session.rows() == [here], "it is here"
    session.row("left", {"to": "other"})
    pen.call_back(session)
    assert session.why() == "" and session.rows()[2:] == [here]
    with pen.held(session) as rows:
        assert rows.log.entries[-1]["received"] == TIME


def test_who_calls_his_pen_back_notes_what_he_has_signed_himself(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[tuple[Any, str]] = []
    monkeypatch.setattr(pen, "enter", lambda where, rows, player: noted.append((where, player)))
    session.vouch()
    pen.call_back(session)
    assert noted == [(session, session.me.player)]


def signed_there(seq: int) -> str:
    return f"file {seq} of yours was signed at another machine, or the record has lost it"


def test_a_file_that_this_machine_has_not_signed_shows_where_the_pen_is(session: Any) -> None:
    session.has(turn(1))
    session.vouch()
    session.has(turn(2, "yamada"), turn(3, "nowak", signed_by="smith"), turn(4, "yamada", signed_by="smith"))
    assert session.why() == "", "what stood here when the record vouched, and what others have signed"
    session.has(turn(5))
    assert session.why() == signed_there(5)
    session.row("signed", record.row_of(turn(5), KEY, None))
    assert session.why() == ""
    session.has(turn(6, "dubois", signed_by="nowak"))
    assert session.why() == signed_there(6)
    session.vouch()
    assert session.why() == ""
    place = json.loads((session.folder.path / PLACE).read_bytes())
    del place["entries"]
    (session.folder.path / PLACE).write_text(json.dumps(place))
    assert session.why() == signed_there(1), "a place of an earlier program says nothing of entries"
    (session.folder.path / "private/secrets.json").unlink()
    assert session.why() == "", "whoever watches has signed nothing"


def test_what_was_withdrawn_since_is_no_file_of_anywhere(session: Any) -> None:
    session.vouch()
    session.has(turn(1))
    session.folder.add("withdrawn", {"seq": 1, "id": document_id(turn(1)), "refusal": None}, TIME)
    assert session.why() == ""
    session.has(turn(1, orders=["x"]))
    assert session.why() == signed_there(1)


def test_files_of_an_earlier_holder_of_the_seat_are_another_mans(session: Any) -> None:
    session.vouch()
    seat = {"pbem": 2, "type": "seat", "seq": 2, "player": "yamada", "prev": GAME, "seat": {"player": "nowak", "from": 2}}
    session.has(turn(1), seat, turn(3, "yamada"))
    assert session.why() == ""
    session.has(turn(4))
    assert session.why() == signed_there(4)
    session.has({**seat, "seq": 5, "seat": {"player": "dubois", "from": 5}})
    assert session.why() == signed_there(4), "another's seat changes nothing"
    session.has({**seat, "seq": 6, "seat": {"player": "nowak", "from": 5}})
    assert session.why() == ""


def test_a_question_after_a_restore_that_another_machine_asked(session: Any) -> None:
    asked = {"pbem": 2, "type": "slip", "slip": "restored", "player": "nowak", "head": GAME}
    session.vouch()
    session.has({**asked, "slip": "request"}, {**asked, "player": "yamada"})
    assert session.why() == ""
    session.has(asked)
    assert session.why() == "another machine of yours has asked the others what they hold: go on there, or ask here too"
    session.row("signed", record.slip_row(asked, KEY, "x"))
    assert session.why() == ""


# -- from before the record --------------------------------------------------------------------------------------------


def old(session: Any) -> None:
    (session.folder.path / "pbem.json").write_text(json.dumps({"format": FORMAT - 1}))


def test_a_folder_from_before_the_record_is_adopted_once(session: Any) -> None:
    others, own = turn(3, "nowak", signed_by="smith"), [turn(4, "dubois", signed_by="nowak"), turn(5)]
    session.has(turn(1, "yamada"), turn(2), others, *own)
    pen.adopt(session)
    assert session.rows() == [] and pen.read_place(session.folder) is None, "this folder is a new one"
    session.row("signed", record.row_of(turn(2), KEY, None))
    for _ in range(2):
        old(session)
        pen.adopt(session)
        assert session.folder.format == FORMAT and session.why() == ""
        answered = [others, own[0]]
        expected = [record.row_of(one, f"nowak's key at {one['seq']}", to) for one, to in zip(own, answered, strict=True)]
        assert session.rows()[1:] == [{**row, "kind": "adopted"} for row in expected]
    place = pen.read_place(session.folder)
    assert place is not None and (place["rows"], place["entries"]) == (3, 6)
    with pen.held(session) as rows:
        assert rows.log.entries[-1]["received"] == TIME


def test_slips_of_the_log_that_the_record_lacks_are_entered_with_the_newest_key_that_signs_them(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"type": "slip", "slip": "request", "player": "nowak", "text": "?"}
    known, lost, strange = ({**asked, "text": text} for text in ("known", "lost", "strange"))
    session.has(known, lost, {**asked, "player": "yamada"}, strange)
    session.row("signed", record.slip_row(known, KEY, pen.about(known)))
    keys = {"known": ["old", "new"], "lost": ["oldest", "old", "new"], "strange": []}
    monkeypatch.setattr(pen.slips, "signing_keys", lambda table, slip: keys[slip["text"]] if table is session.table else None)
    for _ in range(2):
        with pen.held(session) as rows:
            pen.enter(session, rows, "nowak")
        assert session.rows()[1:] == [{**record.slip_row(lost, "new", pen.about(lost)), "kind": "adopted"}]
    with pen.held(session) as rows:
        assert rows.log.entries[-1]["received"] == TIME
    assert pen.write_slip_row(session, {**lost, "head": "x"}, KEY, pen.about(lost)) == lost, "it is given out again"


@pytest.mark.parametrize("restored", [True, False])
def test_a_restored_or_watching_folder_from_before_is_not_vouched_for(session: Any, restored: bool) -> None:
    session.has(turn(1))
    if restored:
        session.me.restored = True
        session.folder.save_secrets(session.me)
    else:
        (session.folder.path / "private/secrets.json").unlink()
    old(session)
    pen.adopt(session)
    assert session.folder.format == FORMAT and session.rows() == [] and pen.read_place(session.folder) is None


# -- the moment of signing ---------------------------------------------------------------------------------------------


def test_a_signature_is_a_row_of_the_record(session: Any) -> None:
    session.has(turn(1, "yamada"))
    session.vouch()
    pen.write_row(session, turn(2), KEY, {"h": ["content"]})
    (row,) = session.rows()
    assert row == {**record.row_of(turn(2), KEY, turn(1, "yamada"), {"h": ["content"]}), "kind": "signed"}
    with pen.held(session) as rows:
        assert rows.log.entries[0]["received"] == TIME
    pen.write_row(session, turn(2), KEY, {})
    assert session.rows()[1]["kept"] is None
    assert refused(lambda: pen.write_row(session, turn(2, orders=["x"]), KEY, {}))[0] is Outcome.REFUSED


def test_a_link_that_the_umpire_has_shown_for_another_file_is_shown_for_none(session: Any) -> None:
    session.has(turn(1, "yamada"))
    session.vouch()
    other = turn(2, signed_by="smith", prev="ef" * 32)
    for document in (other, other, turn(2, "yamada", signed_by="smith", prev="ef" * 32), turn(2, prev="ef" * 32)):
        pen.note_shown(session, document)
    (row,) = session.rows()
    assert (row["kind"], row["id"], row["by"], row["for"]) == ("shown", document_id(other), "smith", "nowak")
    assert pen.has_another_stand_in(session)
    outcome, told = refused(lambda: pen.write_row(session, turn(2), KEY, {}))
    assert outcome is Outcome.WAITING
    assert told.startswith(
        "this folder may lack something that you have signed: file 2, which smith has signed for you, follows another file. "
    )
    asked = {"slip": "restored", "player": "nowak"}
    pen.write_row(session, turn(2, slips=[asked]), KEY, {})
    assert [row["kind"] for row in session.rows()] == ["shown", "signed"], "all have answered him, or he stands by his word"


def test_what_the_umpire_has_shown_for_the_same_file_or_in_vain_forbids_nothing(session: Any) -> None:
    session.has(turn(1, "yamada"))
    session.vouch()
    pen.note_shown(session, turn(2, signed_by="smith"))
    assert not pen.has_another_stand_in(session)
    pen.write_row(session, turn(2), KEY, {})
    other = turn(3, signed_by="smith", prev="ef" * 32, link="dd" * 32)
    pen.note_shown(session, other)
    session.table.last = 2
    assert pen.has_another_stand_in(session)
    session.table.last = 1
    assert not pen.has_another_stand_in(session), "it is for a later place"
    session.table.last, session.is_seated = 2, False
    assert not pen.has_another_stand_in(session), "who only watches signs nothing"
    session.is_seated, session.charter.escrow_key = True, ""
    assert not pen.has_another_stand_in(session), "nobody holds his links"
    session.charter.escrow_key = "ab" * 32
    session.is_seated = True
    session.table.ledger.gone.append(document_id(other))
    assert not pen.has_another_stand_in(session), "a heal gave it up"


def test_who_is_not_sure_or_waits_for_a_heal_signs_nothing(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session.has(turn(1, "yamada"))
    outcome, told = refused(lambda: pen.write_row(session, turn(2), KEY, {}))
    why = "nothing in it says which record of signatures vouches for it: it was restored, or copied in part"
    assert (outcome, told) == (
        Outcome.WAITING,
        f"this folder may lack something that you have signed: {why}. Nothing was signed. `pbem restored` asks the other "
        "players what they hold of you",
    )
    session.vouch()
    asked: list[Any] = []

    def unsettled(files: Any, rows: Any, player: str) -> None:
        asked.append((files, rows.game, player))
        raise ProtocolError(Outcome.WAITING, msg("a heal"))

    monkeypatch.setattr(heal_record, "check_settled", unsettled)
    assert refused(lambda: pen.write_row(session, turn(2), KEY, {})) == (Outcome.WAITING, "a heal")
    assert asked == [(session.folder.log.files(), GAME, "nowak")] and session.rows() == []


def test_the_key_and_the_game_count_where_a_file_is_signed(session: Any) -> None:
    session.has(turn(1, "yamada"))
    session.row("signed", record.row_of(turn(2, "dubois"), KEY, None))
    session.vouch()
    assert refused(lambda: pen.write_row(session, turn(2), KEY, {}))[0] is Outcome.REFUSED, "one key signs one place once"
    session.row("left", {"to": "another"})
    assert "the pen was left" in refused(lambda: pen.write_row(session, turn(2), "another key", {}))[1]


def test_whose_a_document_is(session: Any) -> None:
    assert pen.is_mine(session, turn(1)) and pen.is_mine(session, turn(1, "dubois", signed_by="nowak"))
    assert not pen.is_mine(session, turn(1, signed_by="smith")) and not pen.is_mine(session, turn(1, "dubois"))
    (session.folder.path / "private/secrets.json").unlink()
    assert not pen.is_mine(session, turn(1)) and not pen.is_mine(session, {})


def test_seals_are_kept_as_the_folder_keeps_its_secrets(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pen.keep(session, {}) is None and pen.keep(session, {"h": ["c"]}) == {"h": ["c"]}
    monkeypatch.setattr(session.folder.private, "wrap", lambda *of: of)
    assert pen.keep(session, {"h": ["c"]}) == ("sealed", {"h": ["c"]})


# -- charters ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def draft(session: Any, tmp_path: Path) -> GameFolder:
    made = GameFolder.create(tmp_path / "draft", {})
    made.save_secrets(session.me)
    return made


def charters(session: Any, folder: GameFolder) -> list[dict[str, Any]]:
    with record.Record(Path(session.folder.path.parent / "home"), record.CHARTERS, folder.disk).held() as rows:
        return rows.rows


def test_a_tip_is_signed_under_one_charter(session: Any, draft: GameFolder) -> None:
    old_one, home = draft.path / "pbem.json", session.folder.path.parent / "home"
    old_one.write_text(json.dumps({"format": FORMAT - 1}))
    for _ in range(2):
        pen.draft_row(draft, "tip", "charter")
        assert draft.format == FORMAT
        assert charters(session, draft) == [{"id": "charter", "link": "tip", "about": "charter", "kind": "signed"}]
    said = "a tip is signed under one charter only; a changed text needs a new game folder"
    assert refused(lambda: pen.draft_row(draft, "tip", "another")) == (Outcome.REFUSED, said)
    with record.Record(home, record.CHARTERS, draft.disk).held() as rows:
        assert [entry["received"] for entry in rows.log.entries] == [""]
    pen.draft_row(draft, "tip 2", "charter")
    pen.draft_row(draft, "tip 3", "another")
    assert [(row["link"], row["id"]) for row in charters(session, draft)] == [
        *(("tip", "charter"), ("tip 2", "charter"), ("tip 3", "another")),
    ]


def test_a_draft_that_was_copied_or_restored_signs_nothing(session: Any, draft: GameFolder) -> None:
    outcome, told = refused(lambda: pen.draft_row(draft, "tip", "charter"))
    why = "nothing in it says which record of signatures vouches for it: it was restored, or copied in part"
    assert (outcome, told) == (
        Outcome.WAITING,
        f"this draft may have been signed elsewhere: {why}. Nothing was signed. Go on where you joined, or join anew in a new "
        "folder",
    )
    old(session)
    assert refused(lambda: pen.draft_row(session.folder, "tip", "charter"))[0] is Outcome.WAITING, "a running game is no draft"
    assert session.folder.format != FORMAT and charters(session, draft) == []
    pen.vouch(draft, "")
    pen.draft_row(draft, "tip", "charter")

"""What may be taken back: which files, what shows that one has left, and what goes out of record and folder, by itself too."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.store import known, pen, record, unsending
from pbem.store.folder import GameFolder, PlayerSecrets

GAME, TIME = "ab" * 32, "2026-01-02T03:04:05Z"
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "players": {"nowak": {}, "yamada": {}}, "nonce": "ab" * 32}


def turn(seq: int, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"pbem": 2, "type": "turn", "seq": seq, "player": player, "prev": GAME, "orders": [seq], **more}


class Bench:
    """A session of nowak around a real folder and a real record: files are signed here, and lie in the outbox."""

    def __init__(self, path: Path, player: str = "nowak") -> None:
        self.folder = GameFolder.create(path, {})
        self.folder.add("charter", CHARTER, TIME)
        self.charter = SimpleNamespace(game_id=GAME, pace=None)
        self.decides: list[bool] = [False]
        self.me = PlayerSecrets.fresh(player)
        self.folder.save_secrets(self.me)
        self.withdrawn: list[tuple[int, list[str]]] = []

    @property
    def table(self) -> Any:
        entries = [SimpleNamespace(decides=one) for one in self.decides]
        ledger = SimpleNamespace(entries=entries, key_at=lambda player, seq: f"{player}'s key at {seq}")
        return SimpleNamespace(ledger=ledger, last=len(entries) - 1)

    def now(self) -> str:
        return TIME

    def withdraw_from(self, seq: int, unsent: list[str]) -> None:
        self.withdrawn.append((seq, unsent))

    def has(self, *files: dict[str, Any], decides: Sequence[bool] = ()) -> Any:
        """These files stand in the log; own ones are signed and put out."""
        for file in files:
            self.folder.add("file", file, TIME)
            if file.get("player") == self.me.player:
                with pen.held(self) as rows:  # type: ignore[arg-type]
                    rows.append("signed", record.row_of(file, "key", None), TIME)
                out = self.folder.outgoing(file)
                out.write_text(write_document(file))
                out.with_suffix(".eml").write_text("mail")
        self.decides = [False, *(decides or [True] * len(files))]
        return self


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Bench(tmp_path / "game")


def refused(session: Any) -> str:
    with pytest.raises(ProtocolError) as caught:
        unsending.check(session, unsending.newest(session))
    assert caught.value.outcome is Outcome.REFUSED
    return str(caught.value)


def stays(why: str, seq: int = 1) -> str:
    return f"file {seq} stays as it is: {why}. `pbem undo {seq}` asks the others to take it back"


# -- which files -----------------------------------------------------------------------------------------------------


def test_the_newest_own_file_with_a_decision_and_what_follows_it(bench: Any) -> None:
    files = [turn(1), turn(2, "yamada"), turn(3), turn(4), turn(5)]
    bench.has(*files, decides=[True, True, True, True, False])
    assert unsending.newest(bench) == files[3:]
    bench.decides[4] = False
    assert unsending.newest(bench) == files[2:]
    bench.decides[3] = False
    assert unsending.newest(bench) == []


def test_nothing_of_others_and_nothing_that_others_signed_too(bench: Any) -> None:
    assert unsending.newest(bench) == []
    assert refused(bench) == (
        "there is nothing that can be taken back: the newest file is another player's, or holds no decision of yours"
    )
    assert unsending.newest(bench.has(turn(1), turn(2, "yamada"))) == []
    for n, kept in enumerate(("seat", "heal", "void")):
        other = Bench(bench.folder.path.parent / f"game{n}")
        assert unsending.newest(other.has(turn(1), turn(2, type=kept))) == []
    umpires = Bench(bench.folder.path.parent / "umpires")
    assert unsending.newest(umpires.has(turn(1), turn(2, signed_by="smith"))) == []
    offer = Bench(bench.folder.path.parent / "offer")
    assert unsending.newest(offer.has(turn(1), turn(2, type="undo"), decides=[True, False])) == [turn(2, type="undo")]


# -- what has left ---------------------------------------------------------------------------------------------------


def test_a_file_that_nobody_has_seen_may_go(bench: Any) -> None:
    unsending.check(bench.has(turn(1), turn(2), decides=[True, False]), [turn(1), turn(2)])
    assert unsending._left(bench, turn(1)) is unsending.NO_WORDS


def test_a_file_of_another_machine_stays(bench: Any) -> None:
    bench.folder.add("file", turn(1), TIME)
    bench.decides = [False, True]
    assert refused(bench) == stays("it was signed at another machine, or the record has lost it")


def test_a_file_that_is_not_in_the_outbox_stays(bench: Any) -> None:
    out = bench.has(turn(1)).folder.outgoing(turn(1))
    for damage in (b"", b"\0" * 30, write_document(turn(1, note=["x"])).encode()):
        out.write_bytes(damage)
        assert refused(bench) == stays("it does not lie in the outbox any more")
    out.unlink()
    assert refused(bench) == stays("it does not lie in the outbox any more")


def test_each_file_is_looked_at(bench: Any) -> None:
    bench.has(turn(1), turn(2), decides=[True, False])
    bench.folder.outgoing(turn(2)).unlink()
    assert refused(bench) == stays("it does not lie in the outbox any more", 2)


def notes(bench: Any) -> list[Path]:
    return [bench.folder.path / "handed-out.json", Path(bench.folder.path.parent, f"home/signed/{GAME}.handed-out.json")]


def test_what_was_handed_out_is_noted_in_the_folder_and_beside_the_record(bench: Any) -> None:
    bench.has(turn(1))
    unsending.note_handed_out(bench, "post")
    assert [note.read_bytes() for note in notes(bench)] == [b'{"seq": 1, "how": "post"}'] * 2
    assert [oct(note.stat().st_mode)[-3:] for note in notes(bench)] == ["600"] * 2
    assert refused(bench) == stays("`pbem post` has put it into something to hand out")
    bench.has(turn(2), decides=[True, True])
    unsending.check(bench, unsending.newest(bench))
    unsending.note_handed_out(bench, "")
    assert refused(bench) == stays("it does not lie in the outbox any more", 2)
    unsending.note_handed_out(bench, "replay")
    assert json.loads(notes(bench)[0].read_bytes()) == {"seq": 2, "how": ""}, "the first to hand it out is told"


def test_either_note_is_enough_and_a_damaged_one_frees_nothing(bench: Any) -> None:
    bench.has(turn(1))
    unsending.note_handed_out(bench, "post")
    for gone, left in (notes(bench), [*reversed(notes(bench))]):
        content = gone.read_bytes()
        gone.unlink()
        assert refused(bench) == stays("`pbem post` has put it into something to hand out")
        for damage in (b"", b"\0" * 9, b"[]", b'{"seq": 1}', b'{"seq": "x", "how": ""}', b"[" * 100_000):
            left.write_bytes(damage)
            assert refused(bench) == stays(f"{left} cannot be read, and it tells what has left")
        for note in (gone, left):
            note.write_bytes(content)


def test_an_older_log_does_not_take_back_what_a_newer_one_has_noted(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    unsending.note_handed_out(bench, "post")
    older = Bench(bench.folder.path.parent / "copy").has(turn(1))
    unsending.note_handed_out(older, "replay")
    assert json.loads(notes(bench)[1].read_bytes()) == {"seq": 2, "how": "post"}
    assert json.loads((older.folder.path / "handed-out.json").read_bytes()) == {"seq": 1, "how": "replay"}


def test_whoever_watches_notes_nothing_and_a_full_disk_stops_nothing(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.has(turn(1))

    def full(*_: Any) -> None:
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(bench.folder.disk, "replace", full)
        unsending.note_handed_out(bench, "post")
    (bench.folder.path / "private/secrets.json").unlink()
    unsending.note_handed_out(bench, "post")
    assert not any(note.exists() for note in notes(bench))
    unsending.finish(bench)


def test_a_note_is_not_written_over_by_one_of_an_older_log(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs of one machine at once, each with its own copy of the folder."""
    bench.has(turn(1))
    newer = Bench(bench.folder.path.parent / "copy").has(turn(1), turn(2))
    other = threading.Thread(target=unsending.note_handed_out, args=(newer, "post"))
    read = unsending._read

    def meanwhile(path: Path) -> Any:
        found = read(path)
        if path == notes(bench)[1] and not other.ident:
            other.start()
            other.join(0.2)
        return found

    monkeypatch.setattr(unsending, "_read", meanwhile)
    unsending.note_handed_out(bench, "replay")
    other.join(5)
    assert json.loads(notes(bench)[1].read_bytes()) == {"seq": 2, "how": "post"}


def test_where_the_record_is_busy_or_cannot_be_locked_it_is_noted_all_the_same(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.has(turn(1))
    monkeypatch.setattr(record, "MOMENT", 0.05)
    with pen.held(bench):
        unsending.note_handed_out(bench, "post")
        unsending.hand_out(bench, "post")
    assert json.loads(notes(bench)[0].read_bytes()) == {"seq": 1, "how": "post"} == json.loads(notes(bench)[1].read_bytes())


def test_what_waits_is_not_handed_out_with_what_does_not(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    unsending.hand_out(bench, "mail", 2)
    assert json.loads(notes(bench)[0].read_bytes()) == {"seq": 1, "how": "mail"}


def test_nothing_is_handed_out_that_was_taken_back(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    unsending.hand_out(bench, "post")
    assert json.loads(notes(bench)[0].read_bytes()) == {"seq": 2, "how": "post"}
    with pen.held(bench) as rows:
        rows.append("unsent", {"id": document_id(turn(2)), "seq": 2}, TIME)
    with pytest.raises(ProtocolError) as caught:
        unsending.hand_out(bench, "post")
    said = "file 2 was taken back meanwhile: nothing was handed out; give the command again"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.WAITING, said)
    path = bench.folder.path.parent / "home/signed" / f"{GAME}.jsonl"
    path.write_bytes(b"\0" * 9 + path.read_bytes())
    unsending.hand_out(bench, "post")


def test_whoever_only_watches_hands_out_what_his_log_holds(bench: Any) -> None:
    """On a machine where a player has taken it back: it came from him."""
    bench.has(turn(1))
    with pen.held(bench) as rows:
        rows.append("unsent", {"id": document_id(turn(1)), "seq": 1}, TIME)
    (bench.folder.path / "private/secrets.json").unlink()
    unsending.hand_out(bench, "post")


def test_what_was_handed_out_since_it_was_checked_is_not_taken_back(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    unsending.check(bench, [turn(2)])
    unsending.note_handed_out(bench, "post")
    with pytest.raises(ProtocolError) as caught:
        unsending.take_back(bench, [turn(1), turn(2)])
    said = stays("`pbem post` has put it into something to hand out")
    assert (caught.value.outcome, str(caught.value)) == (Outcome.REFUSED, said) and bench.withdrawn == []
    assert [kind for kind, _ in kinds(bench)] == ["signed", "signed"]


def test_other_folders_of_this_machine_show_what_has_left(bench: Any) -> None:
    bench.has(turn(1))
    root = bench.folder.path.parent

    def other(name: str, player: str, *files: dict[str, Any]) -> Any:
        made = Bench(root / name, player)
        for file in files:
            made.folder.add("file", file, TIME)
        known.note(made.folder.path)
        return made

    other("elsewhere", "yamada", turn(1, orders=["x"]))
    (root / "broken").mkdir()
    (root / "broken/pbem.json").write_text("{}")
    (root / "broken/log.jsonl").write_bytes(b"\0" * 30 + b"\n")
    known.note(root / "broken")
    (root / "odd/log.jsonl").mkdir(parents=True)
    (root / "odd/pbem.json").write_text("{}")
    known.note(root / "odd")
    copy = other("copy", "nowak", turn(1))
    copy.folder.outgoing(turn(1)).write_text(write_document(turn(1)))
    unsending.check(bench, [turn(1)])
    copy.folder.outgoing(turn(1)).unlink()
    assert refused(bench) == stays(f"another copy of this folder, {root / 'copy'}, shows that it has left")
    (root / "copy/pbem.json").unlink()
    watching = other("watching", "yamada", turn(1))
    assert refused(bench) == stays(f"{root / 'watching'} holds it")
    (watching.folder.path / "private/secrets.json").unlink()
    assert refused(bench) == stays(f"{root / 'watching'} holds it")


def signed(bench: Any, row: dict[str, Any]) -> None:
    with pen.held(bench) as rows:
        rows.append("signed", row, TIME)


def slip(player: str, kind: str = "request", head: str = GAME, **more: Any) -> dict[str, Any]:
    return {"pbem": 2, "type": "slip", "slip": kind, "player": player, "head": head, **more}


def test_a_slip_that_names_a_file_shows_that_it_has_left_whoever_signed_it(bench: Any) -> None:
    bench.has(turn(1), turn(2), decides=[True, True])
    name, older = document_id(turn(2)), document_id(turn(1))
    for one in (slip("nowak"), slip("nowak", head=older), slip("yamada", file=older), slip("nowak", "refusal", file=name)):
        bench.folder.add("slip", one, TIME)
    unsending.check(bench, [turn(2)])
    for n, (one, why) in enumerate(
        [
            (slip("nowak", "audit", head=name), "a slip that you have signed (audit) names it"),
            (slip("yamada", "request", head=name), "a slip of yamada (request) names it"),
            (slip("yamada", "refusal", file=name), "a slip of yamada (refusal) names it"),
            (slip("yamada", "head", answers=name), "a slip of yamada (head) names it"),
            (
                slip("yamada", "equivocation", files=[turn(2, orders=["x"]), turn(2)]),
                "a slip of yamada (equivocation) names it",
            ),
        ]
    ):
        other = Bench(bench.folder.path.parent / f"game{n}").has(turn(1), turn(2))
        other.folder.add("slip", one, TIME)
        assert refused(other) == stays(why, 2)


def test_a_file_that_answers_it_has_left_though_that_is_not_taken(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    bench.folder.set_aside(turn(2, "yamada", prev=document_id(turn(1))))
    unsending.check(bench, [turn(2)])
    bench.folder.set_aside(turn(3, "yamada", prev=document_id(turn(2))))
    assert refused(bench) == stays("file 3 of yamada, which lies here untaken, answers it", 2)


def healing(*files: dict[str, Any], **more: Any) -> dict[str, Any]:
    forked = {"player": "nowak", "seq": 1}
    return {"type": "heal", "game": GAME, "seq": 3, "forked": forked, "versions": [[*files], [turn(1, orders=["x"])]], **more}


def test_a_file_that_a_heal_holds_has_left(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    signed(bench, record.heal_row(healing(turn(1)), "nowak", "key"))
    unsending.check(bench, [turn(2)])
    signed(bench, record.heal_row(healing(turn(1), turn(2)), "nowak", "key"))
    assert refused(bench) == stays("a heal that you have signed holds it", 2)


def test_a_file_that_a_heal_of_others_holds_has_left(bench: Any) -> None:
    bench.has(turn(1), turn(2))
    bench.folder.keep_draft(healing(turn(1), turn(2), game="cd" * 32, signatures={"yamada": "x"}))
    bench.folder.keep_draft(healing(turn(1), signatures={"yamada": "x"}))
    unsending.check(bench, [turn(2)])
    bench.folder.keep_draft(healing(turn(1), turn(2), seq=5))
    bench.folder.keep_draft(healing(turn(1), turn(2), signatures={"nowak": "x"}))
    unsending.check(bench, [turn(2)])
    bench.folder.keep_draft(healing(turn(1), turn(2), seq=4, signatures={"nowak": "x", "yamada": "y"}))
    assert refused(bench) == stays("a heal that yamada has signed holds it", 2)


# -- taking back -----------------------------------------------------------------------------------------------------


def kinds(session: Any) -> list[tuple[str, int]]:
    with pen.held(session) as rows:
        return [(row["kind"], row["seq"]) for row in rows.rows]


def test_the_record_first_then_the_folder(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [turn(1), turn(2), turn(3)]
    bench.has(*files, decides=[True, True, False])
    backups = bench.folder.path / "backups"
    backups.mkdir()
    for seq in (1, 2, 3):
        (backups / f"{seq:04d}.zip").write_bytes(b"")
    done: list[Any] = []
    monkeypatch.setattr(unsending.outgoing, "back_up", lambda session: done.append(session))
    monkeypatch.setattr(unsending.pen, "vouch", lambda folder, game: done.append((folder, game)))
    unsending.take_back(bench, files[1:])
    assert kinds(bench)[3:] == [("unsent", 3), ("unsent", 2)]
    assert bench.withdrawn == [(2, [document_id(files[1]), document_id(files[2])])]
    left = sorted(path.name for name in ("outbox", "files", "backups") for path in (bench.folder.path / name).iterdir())
    assert left == ["0000-charter.yaml", "0001-nowak.eml", "0001-nowak.yaml", "0001-nowak.yaml", "0001.zip"]
    assert done == [bench, (bench.folder, GAME)]


def test_a_crash_behind_the_record_is_finished_and_the_charter_stays(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsending.outgoing, "back_up", lambda session: None)
    bench.has(turn(1), turn(2))
    unsending.finish(bench)
    assert bench.withdrawn == []
    with pen.held(bench) as rows:
        for file in (CHARTER, turn(1)):
            rows.append("unsent", {"id": document_id(file), "seq": 1}, TIME)
    unsending.finish(bench)
    assert bench.withdrawn == [], "a file that stands before another's or a kept one is not cut out"
    with pen.held(bench) as rows:
        rows.append("unsent", {"id": document_id(turn(2)), "seq": 2}, TIME)
    unsending.finish(bench)
    assert bench.withdrawn == [(1, [document_id(turn(1)), document_id(turn(2))])]


def test_what_has_left_all_the_same_binds_again(bench: Any) -> None:
    """It came back with an answer to it: a backup from before it would sign another one at its place."""
    files = [turn(1), turn(2, signed_by="smith"), turn(3, "dubois", signed_by="nowak"), turn(4, "yamada"), turn(5)]
    bench.has(*files)
    kept = record.row_of(turn(1), "a key", None, {"sealed": 1})
    for row in (record.row_of(turn(1), "an older key", None), kept):
        signed(bench, row)
    with pen.held(bench) as rows:
        for file in (CHARTER, files[4], files[2], files[0]):
            rows.append("unsent", {"id": document_id(file), "seq": 1}, TIME)
    with pytest.raises(ProtocolError, match="file 5 was taken back meanwhile"):
        unsending.hand_out(bench, "post")
    for _ in range(2):
        unsending.finish(bench)
        with pen.held(bench) as rows:
            assert rows.unsent() == {document_id(CHARTER), document_id(files[4])}
            adopted = [entry["document"] for entry in rows.log.entries if entry["kind"] == "adopted"]
        assert adopted == [kept, record.row_of(files[2], "nowak's key at 3", files[1])]
    assert bench.withdrawn == [(5, [document_id(files[4])])] * 2


@pytest.mark.parametrize(
    ("behind", "binds"), [(turn(2, signed_by="smith"), True), (turn(2, "dubois", signed_by="nowak"), False)]
)
def test_whoever_has_signed_the_file_behind_it_has_seen_it(bench: Any, behind: dict[str, Any], binds: bool) -> None:
    bench.has(turn(1), behind)
    with pen.held(bench) as rows:
        rows.append("unsent", {"id": document_id(turn(1)), "seq": 1}, TIME)
    unsending.finish(bench)
    with pen.held(bench) as rows:
        assert rows.unsent() == (set() if binds else {document_id(turn(1))})


def test_where_no_record_vouches_files_are_given_up_the_record_first(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsending.outgoing, "back_up", lambda session: None)
    files = [turn(1), turn(2), turn(3)]
    bench.has(*files)
    unsending.note_handed_out(bench, "post")
    unsending.give_up(bench, files[1:])
    assert kinds(bench)[3:] == [("unsent", 3), ("unsent", 2)], "also what was handed out"
    assert bench.withdrawn == [(2, [document_id(files[1]), document_id(files[2])])]
    assert pen.read_place(bench.folder) is None, "nothing vouches for the folder that did not before"

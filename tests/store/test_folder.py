"""A game folder by itself: what lies where, under which name, what damage is called, and what is kept of what was not taken."""

from __future__ import annotations

import errno
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.store import folder as folders
from pbem.store import private
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.opened import cut_of

TIME = "2026-01-02T03:04:05Z"
CHARTER: dict[str, Any] = {"pbem": 2, "type": "charter", "players": {"nowak": {}, "Łukasz": {}}, "nonce": "ab" * 32}


def turn(seq: int, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"pbem": 2, "type": "turn", "seq": seq, "player": player, **more}


@pytest.fixture
def folder(tmp_path: Path) -> GameFolder:
    return GameFolder.create(tmp_path / "game", {"a": 1})


@pytest.fixture
def begun(folder: GameFolder) -> GameFolder:
    folder.add("charter", CHARTER, TIME)
    folder.add("file", turn(1), TIME)
    folder.add("file", turn(2, "Łukasz"), TIME)
    return folder


def again(folder: GameFolder) -> GameFolder:
    return GameFolder(folder.path)


def refused(call: Any) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


def content(folder: GameFolder, name: str) -> Any:
    return read_document((folder.path / name).read_bytes())[0]


# -- making ----------------------------------------------------------------------------------------------------------


def test_a_new_folder_has_its_parts(folder: GameFolder) -> None:
    found = sorted(path.name for path in folder.path.iterdir())
    assert found == ["charter.yaml", "files", "lock", "outbox", "pbem.json", "private", "reports"]
    assert (folder.path / "pbem.json").read_bytes() == b'{"format": 2}' and folder.format == 2 and folder.exists
    assert stat.S_IMODE((folder.path / "private").stat().st_mode) == 0o700
    assert stat.S_IMODE((folder.path / "files").stat().st_mode) & 0o500 == 0o500
    assert folder.draft() == {"a": 1} and folder.own_scenario() is None and not folder.is_running
    folder.save_draft({"b": [2]})
    assert folder.draft() == {"b": [2]}
    folder.check()


def test_a_folder_has_its_disk(tmp_path: Path) -> None:
    disk = Disk()
    assert GameFolder.create(tmp_path / "one", {}, disk).disk is disk and GameFolder(tmp_path, disk).private.disk is disk


def test_a_folder_is_made_once(folder: GameFolder) -> None:
    assert refused(lambda: GameFolder.create(folder.path, {})) == (Outcome.UNREADABLE, "game is a game folder already")
    assert folder.draft() == {"a": 1}


def test_what_is_no_folder_of_this_program(folder: GameFolder) -> None:
    other = GameFolder(folder.path.parent / "other")
    assert refused(other.check) == (
        Outcome.UNREADABLE,
        f"{other.path} is no game folder; `pbem new` makes one, --game names another",
    )
    place = folder.path / "pbem.json"
    place.write_text('{"format": 3}')
    assert refused(folder.check) == (
        Outcome.UNREADABLE,
        "this folder has format 3; this program knows 2: update pbem",
    )
    place.write_text('{"format": "2"}')
    assert refused(folder.check) == (Outcome.LOG_DAMAGED, f'{place} names no format; it should be {{"format": 2}}')
    for damage in (b"", b"\0" * 20, b"[2]", b'{"format": 2', b"\xff"):
        place.write_bytes(damage)
        assert refused(folder.check) == (Outcome.LOG_DAMAGED, f"{place} cannot be read: restore the folder from a backup")
    place.write_text('{"format": 1}')
    folder.check()
    assert folder.format == 1
    folder.set_format()
    assert folder.format == 2


def test_a_scenario_of_the_players_own(folder: GameFolder) -> None:
    (folder.path / "scenario.json").write_text('{"x": 1}')
    assert folder.own_scenario() == {"x": 1}
    (folder.path / "scenario.json").write_text("[]")
    assert refused(folder.own_scenario)[0] is Outcome.LOG_DAMAGED


def test_one_program_at_a_time(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (folders.LIVE_LOCK, folders.MOMENT) == ("live.lock", 3.0)
    monkeypatch.setattr(folders, "MOMENT", 0.05)
    asked: list[Any] = []
    lock = Disk.lock

    def noted(self: Disk, path: Path, patience: float = 0) -> Any:
        asked.append((path.name, patience))
        return lock(self, path, patience)

    monkeypatch.setattr(Disk, "lock", noted)
    with folder.lock(), pytest.raises(BlockingIOError), again(folder).lock():
        pass
    with folder.live_lock():
        with pytest.raises(BlockingIOError), again(folder).live_lock():
            pass
        with folder.lock():
            pass
    assert asked == [("lock", 0), ("lock", 0), ("live.lock", 0), ("live.lock", 0), ("lock", 0.05)]


# -- log and copies --------------------------------------------------------------------------------------------------


def test_each_entry_has_its_readable_copy(begun: GameFolder) -> None:
    slip = {"pbem": 2, "type": "slip", "slip": "request"}
    heal = {"pbem": 2, "type": "heal", "seq": 3}
    begun.add("slip", slip, TIME)
    begun.write_copy("heal", heal)
    begun.write_copy("withdrawn", {"seq": 2})
    name = f"slip-{sha256_hex(canonical(slip))[:12]}.yaml"
    found = {path.name: read_document(path.read_bytes())[0] for path in (begun.path / "files").iterdir()}
    assert found == {
        "0000-charter.yaml": CHARTER,
        "0001-nowak.yaml": turn(1),
        "0002-p2.yaml": turn(2, "Łukasz"),
        name: slip,
        "heal-0003.yaml": heal,
        "withdrawn-0002.yaml": {"seq": 2},
    }
    assert [e["received"] for e in begun.log.entries] == [TIME] * 4 and begun.is_running
    assert begun.copy_of(turn(2, "Łukasz")) == begun.path / "files/0002-p2.yaml"
    assert begun.fetch(2) == turn(2, "Łukasz") and begun.copy_of_charter() == CHARTER
    assert begun.outgoing(turn(3, "Łukasz")) == begun.path / "outbox/0003-p2.yaml"
    assert begun.outgoing({**heal, "forked": {}}).name.startswith("heal-0003-")


def test_before_the_game_begins_names_are_those_of_one_player(folder: GameFolder) -> None:
    assert folder.outgoing(turn(1, "Łukasz")).name == "0001-p1.yaml" and folder.copy_of_charter() is None
    (folder.path / "files/0000-charter.yaml").write_bytes(b"\0" * 10)
    assert folder.copy_of_charter() is None


def test_copies_that_a_crash_left_out_come_back(begun: GameFolder) -> None:
    def there() -> list[str]:
        return sorted(path.name for path in (begun.path / "files").iterdir())

    whole = there()
    for path in (begun.path / "files").iterdir():
        path.unlink()
    begun.restore_copies(newest=1)
    assert there() == whole[2:] and content(begun, "files/0002-p2.yaml") == turn(2, "Łukasz")
    (begun.path / "files/0002-p2.yaml").write_text("kept: as it is\n")
    begun.restore_copies()
    assert there() == whole and content(begun, "files/0002-p2.yaml") == {"kept": "as it is"}


def test_the_log_is_read_once_and_again_when_it_is_forgotten(begun: GameFolder) -> None:
    reader = again(begun)
    assert reader.log is reader.log and len(reader.log.entries) == 3
    begun.add("file", turn(3), TIME)
    assert len(reader.log.entries) == 3
    reader.forget_log()
    assert len(reader.log.entries) == 4


@pytest.mark.parametrize("damage", ["letter", "nul", "zeros at the end", "cut in the middle"])
def test_a_damaged_log_says_what_is_lost_and_what_to_do(damage: str, begun: GameFolder) -> None:
    path = begun.path / "log.jsonl"
    data = path.read_bytes()
    first, second, third, _ = data.split(b"\n")
    broken, entry = {
        "letter": (data.replace(b'"seq":1', b'"seq":9'), "log entry 2 does not follow entry 1"),
        "nul": (b"\n".join([first, b"\0" * len(second), third, b""]), "log entry 1 is not readable"),
        "zeros at the end": (data + b"\0" * 20 + b"\n", "log entry 3 is not readable"),
        "cut in the middle": (b"\n".join([first, third, b""]), "log entry 1 does not follow entry 0"),
    }[damage]
    path.write_bytes(broken)
    lost = "what stands from there on is lost in this folder only, not in the game"
    back = "then `pbem receive` of the others' files brings it back"
    told = f"{path}: {entry}; {lost}. `pbem restore` of a backup, {back}"
    reader = again(begun)
    for _ in range(2):
        assert refused(lambda: reader.log) == (Outcome.LOG_DAMAGED, told)
    (begun.path / "backups").mkdir()
    (begun.path / "backups/0002.zip").write_bytes(b"")
    newest = begun.path / "backups/0002.zip"
    assert refused(lambda: again(begun).log)[1].endswith(f"{lost}. `pbem restore {newest} NEW-FOLDER`, {back}")


def test_a_log_that_was_damaged_since_it_was_read(begun: GameFolder) -> None:
    begun.check_log()
    path = begun.path / "log.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"seq":1', b'"seq":9'))
    outcome, told = refused(begun.check_log)
    assert outcome is Outcome.LOG_DAMAGED and told.startswith(f"{path}: log entry 2 does not follow entry 1; what stands")


@pytest.mark.parametrize("time", ["", "yesterday", "2026-01-02", "2026-01-02T03:04:05", "2026-21-02T03:04:05Z", TIME + "x"])
def test_every_entry_says_when_it_came(time: str, begun: GameFolder) -> None:
    begun.log.append("file", turn(3), time)
    told = refused(lambda: again(begun).log)[1]
    assert told.startswith(f"{begun.path / 'log.jsonl'}: log entry 3 does not say when it was received; what stands")


def test_a_log_that_was_longer_once_is_noticed(begun: GameFolder) -> None:
    assert begun.cut() == ""
    begun.add("file", turn(3), TIME)
    path = begun.path / "log.jsonl"
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    told = "it ends with entry 2, and was longer: files/0003-nowak.yaml is a copy of what stood behind it"
    assert again(begun).cut() == told
    path.write_bytes(b"")
    assert again(begun).cut() == (
        "it is empty or missing, and was longer: files/0000-charter.yaml is a copy of what stood behind it"
    )
    path.unlink()
    assert again(begun).cut().startswith("it is empty or missing, and was longer: files/0000")
    path.write_bytes(whole)
    assert again(begun).cut() == ""
    (begun.path / "outbox/0004-nowak.yaml").write_text(write_document(turn(4)))
    assert (
        again(begun).cut() == "it ends with entry 3, and was longer: outbox/0004-nowak.yaml is a copy of what stood behind it"
    )
    (begun.path / "outbox/0004-nowak.yaml").write_bytes(b"\0" * 40)
    (begun.path / "outbox/0005-nowak.yaml").mkdir()
    assert again(begun).cut() == "", "a copy that cannot be read shows nothing"


def test_what_another_program_writes_after_the_log_was_read_is_no_sign_of_a_cut(begun: GameFolder) -> None:
    """A look at a folder while `pbem live` takes files in it."""
    looking = again(begun)
    assert len(looking.log.files()) == 3
    again(begun).add("file", turn(3), TIME)
    assert looking.cut().startswith("it ends with entry 2, and was longer"), "as the log was when it was read"
    assert cut_of(looking) == "" == cut_of(begun)
    (begun.path / "outbox/0004-nowak.yaml").write_text(write_document(turn(4)))
    assert cut_of(looking).startswith("it ends with entry 3, and was longer: outbox/0004")


def test_what_was_withdrawn_is_no_sign_of_a_cut(begun: GameFolder) -> None:
    begun.add("withdrawn", {"seq": 2, "id": document_id(turn(2, "Łukasz")), "refusal": None}, TIME)
    assert len(begun.log.files()) == 2 and begun.cut() == ""
    (begun.path / "files/0002-other.yaml").write_text(write_document(turn(2, "nowak")))
    assert again(begun).cut().endswith("files/0002-other.yaml is a copy of what stood behind it")


def test_a_withdrawal_that_the_log_has_lost_is_noticed_while_its_file_stands(begun: GameFolder) -> None:
    """The umpire's stand-in was withdrawn for the player's own answer; without the last lines the stand-in stands again."""
    last = {"seq": 2, "id": document_id(turn(2, "Łukasz")), "refusal": None}
    path = begun.path / "log.jsonl"
    whole = path.read_bytes()
    begun.add("withdrawn", last, TIME)
    begun.add("file", turn(2, "Łukasz", note=["own"]), TIME)
    assert begun.lost_withdrawals() == [] and begun.cut() == ""
    begun.add("withdrawn", {**last, "id": document_id(turn(2, "Łukasz", note=["own"]))}, TIME)
    begun.add("file", turn(2, "Łukasz"), TIME)
    begun.write_copy("withdrawn", last)
    assert begun.lost_withdrawals() == [] and begun.cut() == "", "it was taken again since"
    path.write_bytes(whole)
    cut = again(begun)
    assert cut.lost_withdrawals() == [last]
    assert cut.cut() == "it ends with entry 2, and was longer: files/withdrawn-0002.yaml is a copy of what stood behind it"
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    (begun.path / "files/0002-p2.yaml").unlink()
    assert again(begun).lost_withdrawals() == [] and again(begun).cut() == "", "what it withdrew does not stand here"
    path.write_bytes(whole)
    for damage in (b"\0" * 20, b"a: 1\n", b"seq: x\nid: y\n", b"seq: 99\nid: y\n", b"seq: -1\nid: y\n"):
        (begun.path / "files/withdrawn-0002.yaml").write_bytes(damage)
        assert again(begun).lost_withdrawals() == [] and again(begun).cut() == ""


# -- what was not taken ----------------------------------------------------------------------------------------------


def test_a_refused_file_is_kept_for_a_judge(begun: GameFolder) -> None:
    begun.keep_refused(turn(3), "cd" * 32)
    assert content(begun, f"files/refused-{'cd' * 6}.yaml") == turn(3)


def test_a_signed_file_that_the_log_cannot_take_lies_aside_under_its_place(begun: GameFolder) -> None:
    assert begun.aside() == []
    for seq in (12, 3):
        begun.set_aside(turn(seq))
    first = begun.aside_path(turn(3))
    assert first == begun.path / "aside" / f"0003-{document_id(turn(3))[:16]}.yaml" and begun.aside() == [turn(3), turn(12)]
    first.write_text("kept: as it is\n")
    begun.set_aside(turn(3))
    assert content(begun, f"aside/{first.name}") == {"kept": "as it is"}
    first.write_bytes(b"\0" * 30)
    (begun.path / "aside/not-taken-x.yaml").write_text("a: 1\n")
    (begun.path / "aside/0004-x.yaml").mkdir()
    assert begun.aside() == [turn(12)], "one that cannot be read hides no other"


def test_a_document_that_was_not_taken_is_kept_once(begun: GameFolder) -> None:
    data = write_document(turn(3)).encode()
    copy = begun.keep_not_taken(turn(3))
    assert copy == begun.path / "aside" / f"not-taken-{sha256_hex(data)[:16]}.yaml" and copy.read_bytes() == data
    copy.write_bytes(b"as it is")
    assert begun.keep_not_taken(turn(3)) == copy and copy.read_bytes() == b"as it is"
    begun.set_aside(turn(3))
    assert begun.keep_not_taken(turn(3)) == begun.aside_path(turn(3)), "it lies there already"
    odd = begun.keep_not_taken({"seq": "x", "note": "half \ud83d"})
    assert odd is not None and b"ud83d" in odd.read_bytes()


def not_read(data: bytes) -> ProtocolError:
    error = unreadable(folders.msg("x"))
    error.source = data
    return error


def test_bytes_that_could_not_be_read_are_kept_within_bounds(begun: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (folders.MOST_NOT_TAKEN, folders.MOST_BYTES) == (200, 4194304)
    monkeypatch.setattr(folders, "MOST_NOT_TAKEN", 2)
    monkeypatch.setattr(folders, "MOST_BYTES", 9)
    copy = begun.keep_not_taken(not_read(b"\0" * 9))
    assert copy == begun.path / "aside" / f"not-taken-{sha256_hex(bytes(9))[:16]}.txt" and copy.read_bytes() == bytes(9)
    assert begun.keep_not_taken(not_read(b"")) is None and begun.keep_not_taken(not_read(b"x" * 10)) is None
    assert begun.keep_not_taken(not_read(b"second")) is not None
    assert begun.keep_not_taken(not_read(b"third")) is None and begun.keep_not_taken(not_read(bytes(9))) == copy
    copy.unlink()
    assert begun.keep_not_taken(not_read(b"third")) is not None


def test_a_full_disk_keeps_nothing_and_stops_nothing(begun: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "replace", full)
        assert begun.keep_not_taken(not_read(b"x")) is None
        begun.save_checkpoint({"t": 1})
    assert begun.checkpoint() is None


def test_heals_that_wait_for_signatures(begun: GameFolder) -> None:
    assert begun.drafts() == []
    heal = {"type": "heal", "seq": 4, "forked": {"seq": 3}}
    copy = begun.keep_draft(heal)
    assert copy == begun.path / "heals" / f"heal-0004-{document_id(heal)[:12]}.yaml" and begun.drafts() == [heal]
    (begun.path / "heals/heal-0001-x.yaml").write_bytes(b"\0")
    (begun.path / "heals/other.yaml").write_text("a: 1\n")
    assert begun.drafts() == [heal]


# -- secrets and checkpoint ------------------------------------------------------------------------------------------


def test_fresh_secrets_are_random_and_long(folder: GameFolder) -> None:
    one, two = PlayerSecrets.fresh("nowak"), PlayerSecrets.fresh("nowak")
    assert one.player == "nowak" and one.chain_length == two.chain_length > 1000
    texts = {one.chain_secret, two.chain_secret, one.draw_master, two.draw_master}
    assert len(texts) == 4 and all(len(text) == 64 for text in texts)
    assert folder.secrets() is None
    folder.save_secrets(one)
    assert again(folder).secrets() == one
    assert stat.S_IMODE((folder.path / "private/secrets.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b'{"player": "nowak"}', b'{"player": "nowak", "more": 1}'])
def test_what_holds_no_players_secrets(damage: bytes, folder: GameFolder) -> None:
    (folder.path / "private/secrets.json").write_bytes(damage)
    outcome, told = refused(folder.secrets)
    assert outcome is Outcome.LOG_DAMAGED
    assert told.startswith(f"{folder.path / 'private/secrets.json'}: it does not hold a player's secrets. What can be done: ")


def test_encrypted_secrets_show_a_little_and_open_when_more_is_asked(
    folder: GameFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.store import vault

    monkeypatch.setattr(vault, "N", 2**14)
    monkeypatch.setenv("PBEM_PASSPHRASE", "correct horse")
    private.forget()
    folder.private.lock("correct horse")
    kept = PlayerSecrets.fresh("nowak")
    kept.restored, kept.sealed = True, {"ab": {"salt": "cd"}}
    folder.save_secrets(kept)
    opened: list[int] = []
    secrets = folder.private.secrets
    monkeypatch.setattr(folder.private, "secrets", lambda: (opened.append(1), secrets())[1])
    found = folder.secrets()
    assert found is not None and (found.player, found.restored) == ("nowak", True)
    assert not hasattr(found, "nothing_like_it") and not opened
    found.player = "changed"
    assert found.chain_secret == kept.chain_secret and opened == [1]
    assert found.sealed == kept.sealed and found.player == "changed" and opened == [1], "opened once; what is known stays"
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = found.nothing_like_it  # type: ignore[attr-defined]
    found.player = "nowak"
    folder.save_secrets(found)
    again_ = again(folder).secrets()
    assert again_ is not None and again_.draw_master == kept.draw_master
    private.forget()


def test_the_key_of_a_folder_without_one(folder: GameFolder) -> None:
    assert folder.private_key("key") is None


def test_a_checkpoint_is_of_one_head(begun: GameFolder) -> None:
    path = begun.path / "checkpoint.json"
    assert begun.checkpoint() is None
    begun.save_checkpoint({"t": [1]})
    assert path.read_bytes() == json.dumps({"head": begun.log.head, "table": {"t": [1]}}, separators=(",", ":")).encode()
    assert again(begun).checkpoint() == {"t": [1]}
    begun.add("file", turn(3), TIME)
    assert begun.checkpoint() is None, "it is of an older file"
    begun.save_checkpoint({"t": [2]})
    for damage in (b"", b"\0" * 30, b"[1]", path.read_bytes()[:-5], b"\xff"):
        path.write_bytes(damage)
        assert again(begun).checkpoint() is None

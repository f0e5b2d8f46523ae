"""Small parts below the game folder: links of chains, ways out of a loss, the machine, the home, what is known of games."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest

from pbem.games import TITLES, load
from pbem.protocol import chain
from pbem.protocol.ids import scenario_hash
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.taking import Standing
from pbem.store import clock, known, library, links, lost, machine, paths, shelf, telling, waits
from pbem.store.folder import GameFolder

NONCE, SECRET, OTHER = "ab" * 32, "cd" * 32, "ef" * 32


# -- links -----------------------------------------------------------------------------------------------------------


def value(n: int, secret: str = SECRET, length: int = 20) -> str:
    held = bytes.fromhex(secret)
    return chain.link(NONCE, held, length, n) if n else chain.tip(NONCE, held, length)


@pytest.fixture
def standing() -> Any:
    def made(shown: int, left: int, skip: int = 0) -> Any:
        return types.SimpleNamespace(last=value(shown), left=left, skip=skip)

    return made


def test_the_next_link_of_a_chain(standing: Any) -> None:
    held = {"secret": SECRET, "length": 20}
    for shown in (0, 1, 7, 19):
        now = standing(shown, 20 - shown)
        assert links.stands_on(NONCE, held, now) and links.next_link(NONCE, [held], now) == value(shown + 1)
    assert not links.stands_on(NONCE, held, standing(20, 0)) and links.next_link(NONCE, [held], standing(20, 0)) == ""


def test_links_that_were_left_out(standing: Any) -> None:
    held = {"secret": SECRET, "length": 20}
    now = standing(5, 12, skip=3)
    assert links.stands_on(NONCE, held, now) and links.next_link(NONCE, [held], now) == value(9)
    assert not links.stands_on(NONCE, held, standing(5, 12, skip=2))
    assert not links.stands_on(NONCE, held, standing(0, 19, skip=2)), "more than there are"


def test_the_chain_that_the_log_shows_among_others(standing: Any) -> None:
    chains = [{"secret": OTHER, "length": 20}, {"secret": SECRET, "length": "20"}]
    assert links.next_link(NONCE, chains, standing(3, 17)) == value(4)
    assert links.next_link(NONCE, chains[:1], standing(3, 17)) == "" == links.next_link(NONCE, [], standing(3, 17))
    assert not links.stands_on("cd" * 32, chains[1], standing(3, 17))
    assert set(Standing.__struct_fields__) >= {"last", "left", "skip"}


# -- ways out --------------------------------------------------------------------------------------------------------


def seats(**owners: tuple[str, str | None]) -> dict[str, Any]:
    return {name: {"side": side, "player": player} for name, (side, player) in owners.items()}


FOUR = seats(a=("west", "nowak"), b=("west", "dubois"), c=("west", None), d=("east", "yamada"), e=("west", "adams"))


def ways(tmp_path: Path, charter: dict[str, Any] | bytes, player: str = "nowak") -> str:
    data = charter if isinstance(charter, bytes) else write_document(charter).encode()
    (tmp_path / "charter.yaml").write_bytes(data)
    found = str(lost.ways_out(tmp_path, player))
    start = "What can be done: restore a backup (pbem restore); "
    end = "; or resign (`pbem resign`, or, where the key is gone, by telling the others)."
    assert found.startswith(start) and found.endswith(end)
    return found.removeprefix(start).removesuffix(end)


def test_the_ways_out_of_a_loss_by_the_charter(tmp_path: Path) -> None:
    nobody = "nobody may give the seat a new key: the charter says so"
    unknown = "see who may give the seat a new key: `lost_keys` in charter.yaml"
    take = "`pbem seat take {}` in a new folder that watches the game, then `pbem seat give` by him"
    allies = "have an ally (adams, dubois) give the seat a new key when all others agree (" + take.format("nowak") + ")"
    assert ways(tmp_path, {"seats": FOUR, "lost_keys": "others"}) == allies
    assert ways(tmp_path, {"seats": FOUR, "lost_keys": "others"}, "yamada") == nobody
    assert ways(tmp_path, {"seats": FOUR, "lost_keys": "others"}, "") == nobody
    assert ways(tmp_path, {"seats": FOUR}) == nobody
    umpire = {"seats": FOUR, "lost_keys": "umpire", "umpire": {"player": "smith"}}
    by_him = "have the umpire smith give the seat a new key ("
    assert ways(tmp_path, umpire) == by_him + take.format("nowak") + ")"
    assert ways(tmp_path, umpire, "") == by_him + take.format("NAME") + ")"
    assert lost.ways_out(tmp_path) == lost.ways_out(tmp_path, ""), "where it is not known whose folder this is"
    assert ways(tmp_path, {**umpire, "umpire": None}) == nobody and ways(tmp_path, {**umpire, "lost_keys": "x"}) == nobody
    for damage in (b"\0" * 20, b"", b"seats: 3\n", b"seats: {a: 3}\n", b"seats: {a: {side: x}}\n"):
        assert ways(tmp_path, damage) == unknown
    assert ways(tmp_path, {"seats": FOUR, "lost_keys": "umpire", "umpire": {"role": "x"}}) == unknown


def test_the_newest_backup_is_named(tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    for name in ("0002", "0010"):
        (tmp_path / "backups" / f"{name}.zip").write_bytes(b"")
    told = str(lost.ways_out(tmp_path))
    newest = tmp_path / "backups/0010.zip"
    assert f"What can be done: restore the newest backup (pbem restore {newest} NEW-FOLDER); see who may" in told


# -- the machine and the home ----------------------------------------------------------------------------------------


def hashed(name: str) -> str:
    return hashlib.sha256(f"pbem machine {name}".encode()).hexdigest()[:32]


def test_a_machine_has_its_systems_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / "none", tmp_path / "empty", tmp_path / "id", tmp_path / "later"]
    files[1].write_text(" \n")
    files[2].write_bytes(b" 4711\xc5\x82 \n")  # the same on a machine of whatever encoding
    files[3].write_text("other")
    monkeypatch.setattr(machine, "_FILES", [str(f) for f in files])
    monkeypatch.delenv("PBEM_MACHINE", raising=False)
    assert machine.machine_id() == hashed("4711\ufffd\ufffd")
    monkeypatch.setenv("PBEM_MACHINE", "box")
    assert machine.machine_id() == hashed("box")
    monkeypatch.setenv("PBEM_MACHINE", "")
    assert machine.machine_id() == hashed("4711\ufffd\ufffd")


def test_a_machine_without_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_FILES", ())
    monkeypatch.delenv("PBEM_MACHINE", raising=False)
    monkeypatch.setattr(machine, "_of_the_registry", lambda: "guid")
    monkeypatch.setattr(machine, "_of_the_platform", lambda: "uuid")
    for system, found in (("linux", ""), ("win32", "guid"), ("darwin", "uuid")):
        monkeypatch.setattr(sys, "platform", system)
        assert machine.machine_id() == hashed(found)


def test_the_id_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "winreg", None)
    assert machine._of_the_registry() == ""
    asked: list[Any] = []
    registry: Any = types.ModuleType("winreg")
    registry.HKEY_LOCAL_MACHINE = "machine"

    def open_key(*where: Any) -> Any:
        asked.append(where)
        return nullcontext("key")

    def query(key: Any, name: str) -> tuple[str, int]:
        if name != "MachineGuid":
            raise OSError
        return f"{key} guid", 1

    registry.OpenKey, registry.QueryValueEx = open_key, query
    monkeypatch.setitem(sys.modules, "winreg", registry)
    assert machine._of_the_registry() == "key guid" and asked == [("machine", "SOFTWARE\\Microsoft\\Cryptography")]
    registry.QueryValueEx = lambda *_: query("x", "other")
    assert machine._of_the_registry() == ""


def test_the_id_of_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Any] = ['  "Other" = "x"\n  "IOPlatformUUID" = "1234-AB"\n  "IOPlatformUUID" = "second"\n']

    def run(command: list[str], **how: Any) -> Any:
        assert command == ["ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
        assert how == {"capture_output": True, "text": True, "timeout": 5, "check": False}
        if isinstance(answers[0], Exception):
            raise answers[0]
        return types.SimpleNamespace(stdout=answers[0])

    monkeypatch.setattr(subprocess, "run", run)
    assert machine._of_the_platform() == "1234-AB"
    for answers[0] in ("", OSError(), subprocess.TimeoutExpired("ioreg", 5)):
        assert machine._of_the_platform() == ""


def test_where_keys_and_record_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PBEM_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/me"))
    assert paths.home() == Path("/me/.config/pbem")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/config")
    assert paths.home() == Path("/config/pbem")
    monkeypatch.setenv("PBEM_HOME", "own")
    assert paths.home() == Path("own")
    with paths.own_keys(Path("/party")):
        assert paths.home() == Path("/party/keys")
    assert paths.home() == Path("own")
    monkeypatch.delenv("PBEM_HOME")
    with pytest.raises(ZeroDivisionError), paths.own_keys(Path("/party")):
        raise ZeroDivisionError
    assert paths.home() == Path("/config/pbem")


def test_the_keys_beside_a_local_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", "own")
    monkeypatch.chdir(tmp_path)
    game, identity = Path("party/nowak"), tmp_path / "party/keys/record.json"
    place = tmp_path / "party/nowak/private/place.json"

    def where() -> Path:
        with paths.keys_of(game):
            return paths.home()

    assert where() == Path("own")
    for file in (identity, place):
        file.parent.mkdir(parents=True)
        file.write_text('{"record": "r1"}')
    assert where() == tmp_path / "party/keys"
    for damage in (b'{"record": "r2"}', b"\0\0", b"[]", b"{}", b"[" * 100_000):
        place.write_bytes(damage)
        assert where() == Path("own")


# -- what is known ---------------------------------------------------------------------------------------------------


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pbem.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_games_are_known_in_the_order_in_which_they_came(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert known.folders() == []
    for name in ("two", "one", "two", "./one", "three"):
        known.note(Path(name))
    assert known.folders() == [games / "two", games / "one"]
    assert json.loads((games / "home/games.json").read_bytes()) == [str(games / "two"), str(games / "one")]
    assert oct((games / "home").stat().st_mode)[-3:] == "700" and oct((games / "home/games.json").stat().st_mode)[-3:] == "600"
    (games / "two/pbem.json").unlink()
    assert known.folders() == [games / "one"]
    for damage in (b"", b"\0" * 9, b"{}", b"[" * 100_000):
        (games / "home/games.json").write_bytes(damage)
        assert known.folders() == []
    (games / "home/games.json").write_text(json.dumps([7, str(games / "one"), None]))
    assert known.folders() == [games / "one"]


def test_programs_that_note_games_at_once_lose_none(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_folder = known.Disk.make_folder

    def meanwhile(disk: known.Disk, path: Path, mode: int) -> None:
        monkeypatch.setattr(known.Disk, "make_folder", make_folder)
        known.note(games / "two")

    monkeypatch.setattr(known.Disk, "make_folder", meanwhile)
    known.note(games / "one")
    assert known.folders() == [games / "two", games / "one"]
    before = (games / "home/games.json").stat().st_ino
    known.note(games / "one")
    assert (games / "home/games.json").stat().st_ino == before, "what is known is not written again"
    (games / "home/games.json").unlink()
    with ExitStack() as held:
        held.enter_context(known.Disk().lock(games / "home" / paths.LOCK))
        threading.Timer(0.1, held.close).start()
        known.note(games / "two")
    assert known.folders() == [games / "two"], "it waits for a moment"
    (games / "home/games.json").unlink()
    monkeypatch.setattr("pbem.store.disk.MOMENT", 0.05)
    with known.Disk().lock(games / "home" / paths.LOCK):
        known.note(games / "one")
    assert known.folders() == [], "another program is at work there, and does not end"


def test_games_of_play_are_not_noted(games: Path) -> None:
    (games / "keys").mkdir()
    (games / "one/private").mkdir()
    for name in ("keys/record.json", "one/private/place.json"):
        (games / name).write_text('{"record": "r"}')
    known.note(games / "one")
    known.note(games / "two")
    assert known.folders() == [games / "two"]


def test_a_note_that_cannot_be_written_stops_nothing(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(known.Disk, "replace", full)
    known.note(games / "one")
    assert known.folders() == []
    with pytest.raises(OSError):
        known.write_seen({"a": (1, 2)})
    known.write_seen({})


def test_files_that_need_no_second_look(games: Path) -> None:
    assert known.seen() == {}
    found = {"b": known.stamp(games / "one/pbem.json"), "a": (3, 4)}
    assert found["b"] == (2, (games / "one/pbem.json").stat().st_mtime_ns)
    known.write_seen(found)
    path = games / "home/seen.json"
    assert known.seen() == found and path.read_text().startswith('{"a": [3, 4], "b": [2, ')
    assert oct(path.stat().st_mode)[-3:] == "600" and oct(path.parent.stat().st_mode)[-3:] == "700"
    before = path.stat().st_ino
    known.write_seen(found)
    assert path.stat().st_ino == before, "what is there is not written again"
    path.write_text('{"a": [1, 2], "b": [1], "c": [1, "x"], "d": "xy", "e": [1, 2, 3]}')
    assert known.seen() == {"a": (1, 2)}
    for damage in (b"[]", b"\0", b""):
        path.write_bytes(damage)
        assert known.seen() == {}


# -- the rest --------------------------------------------------------------------------------------------------------


def test_times_of_receipt_are_utc() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", clock.now())
    there = datetime.datetime.strptime(clock.now(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.UTC)
    assert abs((datetime.datetime.now(datetime.UTC) - there).total_seconds()) < 5
    before = clock.ticks()
    clock.wait(0.01)
    assert 0.009 < clock.ticks() - before < 5


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's clock shows seven hours more than UTC."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system's zone is not set by a variable")
    with monkeypatch.context() as away:
        away.setenv("TZ", "XYZ-7")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_times_of_receipt_are_utc_whatever_the_zone_of_the_machine() -> None:
    there = datetime.datetime.strptime(clock.now(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.UTC)
    assert abs(there.timestamp() - time.time()) < 60


def test_a_mail_is_told_by_whoever_said_so_last() -> None:
    assert telling.in_short(1, 2, 3) == ""
    with telling.told_by(lambda *words: f" outer {words} \n"):
        with telling.told_by(lambda *_: str(1 // 0)):
            assert telling.in_short(1, 2, 3) == "", "the mail is written all the same"
        assert telling.in_short(1, 2, 3) == "outer (1, 2, 3)"
        with pytest.raises(ZeroDivisionError), telling.told_by(lambda *_: "inner"):
            raise ZeroDivisionError
        assert telling.in_short(1, 2, 3) == "outer (1, 2, 3)"
    assert telling.in_short(1, 2, 3) == ""


def test_tables_are_kept_close_together_near_the_newest_file_and_sparse_behind() -> None:
    kept = [seq for seq in range(5001) if shelf.is_kept(seq, 5000)]
    near, middle, far = range(4752, 5001, 16), range(2944 + 128, 4744, 128), [1024, 2048]
    assert kept == [*far, *[s for s in middle if s < 4744], *near]
    assert shelf.is_kept(16, 16) and not shelf.is_kept(0, 16) and not shelf.is_kept(17, 20)
    assert shelf.is_kept(16, 272) and not shelf.is_kept(16, 273)
    assert shelf.is_kept(128, 2176) and not shelf.is_kept(128, 2177)


# -- whether dice wait for orders ------------------------------------------------------------------------------------


def test_the_note_that_dice_wait_is_put_and_taken_away(tmp_path: Path) -> None:
    folder = GameFolder(tmp_path)
    assert not waits.waits(folder)
    waits.put(folder, True)
    assert waits.waits(folder) and b"pbem wait off" in (tmp_path / "wait").read_bytes()
    waits.put(folder, True)
    assert waits.waits(GameFolder(tmp_path))
    waits.put(folder, False)
    assert not waits.waits(folder) and not list(tmp_path.iterdir())
    waits.put(folder, False)


# -- shipped scenarios -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", sorted(TITLES))
def test_the_hash_of_a_shipped_scenario_is_that_of_its_content(system: str) -> None:
    game = load(system)
    for name in library.scenario_names(game):
        found = library.shipped(game, name)
        assert found.hash == scenario_hash(found.plain) == scenario_hash(library.load_scenario(game, name))
        assert found.plain == library.load_scenario(game, name)


def test_a_shipped_scenario_is_read_again_when_its_file_is_another_one(tmp_path: Path) -> None:
    home = tmp_path / "compiled"
    home.mkdir()
    game: Any = types.SimpleNamespace(home=lambda kind: tmp_path)
    (home / "hill.json").write_text('{"name":"hill"}')
    first = library.shipped(game, "hill")
    assert library.shipped(game, "hill").plain is first.plain
    (home / "hill.json").write_text('{"name":"hill","turns":7}')
    assert library.shipped(game, "hill").plain == {"name": "hill", "turns": 7}
    assert library.shipped(game, "hill").hash == scenario_hash({"name": "hill", "turns": 7}) != first.hash
    (home / "hill.json").write_text('{"name":"hill","turns":8}')
    os.utime(home / "hill.json", (1, 1))
    assert library.shipped(game, "hill").plain == {"name": "hill", "turns": 8}, "as long as before, at another time"
    (home / "hill.json").write_text('{"name":"hill","turns":12}')
    os.utime(home / "hill.json", (1, 1))
    assert library.shipped(game, "hill").plain == {"name": "hill", "turns": 12}, "of another length, at the same time"


def test_a_scenario_that_is_not_written_canonically_has_the_hash_of_its_content(tmp_path: Path) -> None:
    (tmp_path / "compiled").mkdir()
    (tmp_path / "compiled" / "ford.json").write_text('{"turns": 7, "name": "ford"}')
    found = library.shipped(types.SimpleNamespace(home=lambda kind: tmp_path), "ford")  # type: ignore[arg-type]
    assert found.has(scenario_hash({"name": "ford", "turns": 7})) and found.has(found.hash)
    assert not found.has(scenario_hash({"name": "ford", "turns": 8}))

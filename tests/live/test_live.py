"""`pbem live`: two processes exchange a game at once, and end with the same files as by mail."""

from __future__ import annotations

import errno
import json
import select
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import live_door, live_folder, watching
from pbem.cli.live import AGAIN, Home
from pbem.cli.live_telling import Teller
from pbem.cli.scenario import OwnFiles
from pbem.protocol.strict_yaml import read_document
from pbem.runtime.dues import AUTOMATIC
from pbem.store import clock
from pbem.store.disk import Disk
from pbem.store.folder import LIVE_LOCK, GameFolder
from pbem.store.paths import home
from pbem.store.record import Record
from pbem.store.session import Session
from pbem.store.shown import Shown
from tests.commands import ORDERS, inside, must, prepare, run
from tests.live import ids, kept, live, play, port_of, until, write_what_is_due
from tests.manual import page, told
from tests.two_players.folders import Pair, Side

pytestmark = pytest.mark.in_turn(2)

PAIR = ("east", "west")


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Pacific War about Savo Island, begun by both."""
    root = tmp_path_factory.mktemp("begun")
    with inside(root):
        Pair.begun("pacific-war", "savo-island", Side("east", "yamada", ["japan"]), Side("west", "nowak", ["allies"]))
        watching.begin(Path("mailed"), Path("east/charter.yaml"), OwnFiles())
    return root


@pytest.fixture
def here(begun: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(begun, tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("home/games.json").unlink()
        yield tmp_path / "now"


def same_as_by_mail() -> None:
    """Both hold the same bytes; so does a third program that took them from the outboxes, by hand."""
    assert ids("east") == ids("west")
    east, west = kept("east"), kept("west")
    assert east == west and len(east) == len(ids("east")) - 1
    for folder in PAIR:
        for path in Path(folder, "outbox").glob("[0-9]*.yaml"):
            assert path.read_bytes() == east[path.name], path
    for one in PAIR * 2:
        run("receive", f"{one}/outbox", "-g", "mailed")
    assert ids("mailed") == ids("east") and kept("mailed") == east
    for folder in PAIR:
        must("verify", "-g", folder)


def test_a_whole_bot_game_over_the_loopback(here: Path) -> None:
    with live("east", "0", "--listen") as one, live("west", f"127.0.0.1:{port_of(one)}") as two:
        play(PAIR, 99, one, two)
        assert Session.open(Path("east")).table.result is not None
        until(lambda: "sent to 127.0.0.1" in one.read_text() and "sent to" in two.read_text(), one, two)
    same_as_by_mail()


def test_a_whole_bot_game_through_a_folder(here: Path) -> None:
    Path("common").mkdir()
    with live("east", "common") as one, live("west", "common") as two:
        play(PAIR, 99, one, two)
    same_as_by_mail()
    assert {p.read_bytes() for p in Path("common").glob("*/[0-9]*.yaml")} == {*kept("east").values()}


class Cutting:
    """A line that is cut in the middle of whatever goes over it, each time a little later."""

    def __init__(self, port: int) -> None:
        self._port, self.cuts, self._allowed = port, 0, 150
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._carry(near, far)
                self.cuts += 1
                self._allowed += 777

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        """Bytes in both directions, so many and no more."""
        left = self._allowed
        with near, far:
            while left > 0:
                for one in select.select([near, far], [], [])[0]:
                    data = one.recv(min(left, 4096))
                    if not data:
                        return
                    (far if one is near else near).sendall(data)
                    left -= len(data)

    def close(self) -> None:
        self._server.close()


def test_a_line_cut_in_the_middle_of_files_loses_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.live.PATIENCE", 100.0)
    with live("east", "0", "--listen") as one:
        cutting = Cutting(port_of(one))
        with live("west", f"127.0.0.1:{cutting.port}") as two:
            play(PAIR, 5, one, two)
        cutting.close()
    assert cutting.cuts >= 3
    assert ids("east") == ids("west") and kept("east") == kept("west")


def test_a_file_that_was_removed_is_put_back_and_half_files_are_waited_for(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("common").mkdir()
        with live("axis", "common") as one:
            until(lambda: [*Path("common").glob("*/0001-yamada-*.yaml")], one)
            (path,) = Path("common").glob("*/0001-yamada-*.yaml")
            whole = path.read_bytes()
            path.unlink()
            until(path.exists, one)
            assert path.read_bytes() == whole
            path.write_bytes(whole[:300])
            until(lambda: path.read_bytes() == whole, one)
        half = path.with_name("whatever.yaml")
        path.rename(half)
        half.write_bytes(whole[:500])
        with live("allies", "common") as two:
            until(lambda: "at file 0" in two.read_text(), two)
            with half.open("ab") as file:
                file.write(whole[500:900])
                file.flush()
                file.write(whole[900:])
            until(lambda: len(ids("allies")) >= 3, two)
        assert path.parent.name == read_document(whole)[0]["game"][:16]


def test_a_file_that_is_changed_as_soon_as_it_lies_there_is_put_back(
    moments: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_folder, "LOOK", 0.0)
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("common").mkdir()
        shown = Shown(Path("axis"))
        shown.refresh()
        exchange = live_folder.OverFolder(shown, Teller(False, clock.ticks), Path("common"), clock.ticks)
        put = Disk.replace

        def half_at_once(disk: Disk, path: Path, data: bytes, mode: int = 0o644) -> None:
            put(disk, path, data, mode)
            path.write_bytes(data[:300])

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Disk, "replace", half_at_once)
            exchange.step()
        (path,) = Path("common").glob("*/0001-yamada-*.yaml")
        assert path.stat().st_size == 300
        exchange.step()
        assert path.read_bytes() in kept("axis").values()


def test_two_files_at_one_place_are_shown_to_both_and_both_stop(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("home/games.json").unlink()
        Path("o2.yaml").write_text(Path("o.yaml").read_text().replace("3 infantry", "2 infantry"))
        shutil.copytree("axis/outbox", "copied")
        must("unsend", "--yes", "-g", "axis")
        must("send", "o2.yaml", "--yes", "-g", "axis")
        must("receive", "copied", "-g", "allies")
        with live("axis", "0", "--listen", code=11) as one, live("allies", f"127.0.0.1:{port_of(one)}", code=11) as two:
            until(lambda: all("two files 1 exist" in each.read_text() for each in (one, two)), one, two)
        assert Path("allies/equivocation-0001.yaml").exists()


def test_what_was_shown_live_is_not_unsent(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("home/games.json").unlink()
        Path("common").mkdir()
        with live("axis", "common") as one:
            until(lambda: [*Path("common").glob("*/0001-yamada-*.yaml")], one)
            assert not write_what_is_due("axis")
        done = run("unsend", "--yes", "-g", "axis")
        assert done.code == 1 and "pbem live" in done.err + done.out


def test_what_is_no_folder_and_no_address_is_said(moments: dict[str, Path]) -> None:
    with inside(moments["running"]):
        for target in ("nowhere", "host:99999", "127.0.0.1:0", "a b:1"):
            done = run("live", target, "-g", "axis")
            assert done.code == 5 and "HOST:PORT" in done.err + done.out, done
    with inside(moments["joined"]):
        assert run("live", "47000", "-g", "axis").code == 3


def test_the_lines_of_the_manual_run_as_they_stand(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("axis").rename("pacific")
        Path("shared").mkdir()
        lines = told(page("live"))
        assert [words[1] for words in lines] == ["shared", "47000", "0.0.0.0:47000", "localhost:47000"]
        for words in lines:
            assert words[0] == "live" and words[-2:] == ["-g", "pacific"]
            with live("pacific", *words[1:-2]) as printed:
                until(lambda printed=printed: "at file 1" in printed.read_text(), printed)


def test_what_is_said_beside_the_game_goes_too(moments: dict[str, Path], tmp_path: Path) -> None:
    """A note to all, a private one, a resignation; also what was said before anybody was there."""
    shutil.copytree(moments["answered"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("home/games.json").unlink()
        must("say", "all", "Good evening.", "-g", "axis")
        with live("axis", "0", "--listen") as one, live("allies", f"127.0.0.1:{port_of(one)}") as two:
            until(lambda: "Good evening." in must("notes", "-g", "allies"), one, two)
            must("say", "nowak", "For you alone.", "-g", "axis")
            until(lambda: "For you alone." in must("notes", "-g", "allies"), one, two)
            must("resign", "--yes", "-g", "allies")
            until(lambda: Session.open(Path("axis")).table.result is not None, one, two)


def test_programs_are_told_each_event(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("common").mkdir()
        with live("axis", "common", "--json") as one, live("allies", "common") as two:
            until(lambda: '"event": "came"' in one.read_text(), one, two)
        events = [json.loads(line) for line in one.read_text().splitlines()]
        assert [e["event"] for e in events[:3]] == ["folder", "turn", "went"] and events[-1]["event"] == "stopped"
        came = next(e for e in events if e["event"] == "came")
        assert came["received"]["outcome"] == "done" and (events[2]["first"], events[2]["last"]) == (1, 1)


def test_two_programs_of_one_machine_that_begin_at_once_wait_for_each_other(moments: dict[str, Path], tmp_path: Path) -> None:
    """The machine's record is held for a moment while a program begins."""
    shutil.copytree(moments["answered"], tmp_path / "now")
    with inside(tmp_path / "now"):
        Path("common").mkdir()
        with ExitStack() as stack:
            stack.enter_context(Record(home(), Session.open(Path("axis")).charter.game_id, Disk()).held())
            with live("axis", "common") as printed:
                threading.Timer(1.5, stack.close).start()
                until(lambda: "at file" in printed.read_text(), printed)


def test_an_answer_for_which_the_disk_was_full_is_written_later(
    moments: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(moments["sent"], tmp_path / "now")
    now = [100.0]
    monkeypatch.setattr(clock, "ticks", lambda: now[0])
    with inside(tmp_path / "now"):
        shown = Shown(Path("allies"))
        at_home = Home(shown, Teller(False, clock.ticks))
        at_home.look()
        with monkeypatch.context() as full:
            full.setattr(Session, "answer_by_itself", _no_room)
            live_door.take(shown, "axis", [next(Path("axis/files").glob("0001*")).read_bytes()])
            for _ in range(3):
                now[0] += AGAIN + 1
                at_home.look()
        assert shown.last == 1 and capsys.readouterr().out.count("the disk is full") == 1, "told once a minute"
        at_home.look()
        assert shown.last == 1, "not at each look"
        now[0] += AGAIN + 1
        at_home.look()
        assert shown.last == 2 and "written by itself: file 2" in capsys.readouterr().out


def _no_room(_: Session, **how: bool) -> list[Any]:
    raise OSError(errno.ENOSPC, "no room", "outbox")


def test_a_command_waits_for_the_moment_in_which_a_file_is_taken(moments: dict[str, Path], tmp_path: Path) -> None:
    """Without a live exchange a folder at which another program works is refused at once."""
    shutil.copytree(moments["answered"], tmp_path / "now")
    with inside(tmp_path / "now"):
        folder = GameFolder(Path("axis"))
        for name, code in (("nothing", 3), (LIVE_LOCK, 0)):
            Path("axis", name).touch()
            with ExitStack() as stack:
                stack.enter_context(folder.lock())
                threading.Timer(0.6, stack.close).start()
                assert run("say", "all", "Good evening.", "-g", "axis").code == code


def test_three_call_one_whose_program_passes_the_files_on(tmp_path: Path) -> None:
    with inside(tmp_path):
        Path("o.yaml").write_text(ORDERS)
        must("new", "axis")
        must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
        must("join", "axis/charter.yaml", "--as", "nowak", "--seats", "united-states,china", "-g", "us")
        must("join", "us/charter.yaml", "--as", "smith", "--seats", "united-kingdom,anzac", "-g", "uk")
        for signs, of in (("uk", ""), ("us", "uk"), ("axis", "us"), ("us", "axis"), ("uk", "axis")):
            must("accept", *([f"{of}/charter.yaml"] if of else []), "-g", signs)
        with live("us", "0", "--listen") as hub:
            address = f"127.0.0.1:{port_of(hub)}"
            with live("axis", address) as one, live("uk", address) as two:
                must("send", "o.yaml", "--yes", "-g", "axis")
                until(lambda: len(ids("uk")) >= 3 and Session.open(Path("uk")).table.due.what not in AUTOMATIC, hub, one, two)
        assert ids("axis") == ids("us") == ids("uk") and kept("axis") == kept("us") == kept("uk")

"""`pbem board` as a program of its own: the way in, what other programs see of it, the end."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.cli import local
from tests.board.serving import found
from tests.commands import run


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return found(tmp_path / "g")


def test_it_opens_serves_and_ends_by_ctrl_c(game: Path) -> None:
    command = [sys.executable, "-c", "from pbem.cli.app import main; main()", "board", "-g", str(game), "--no-browser"]
    home = game.parent / "keys"
    program = subprocess.Popen(
        command,
        env={**os.environ, "PBEM_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # who runs the tests in the background ignores it
    )
    try:
        assert program.stdout is not None
        told = program.stdout.readline()
        door = Path(told.rpartition(": ")[2].strip())
        assert door.parent == home and stat.S_IMODE(door.stat().st_mode) == 0o600
        key = re.search(r"#([\w-]{32})", door.read_text())
        assert key is not None and key[1] not in told
        assert key[1] not in Path(f"/proc/{program.pid}/cmdline").read_text()
        time.sleep(0.3)
    finally:
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 0
    assert not door.exists()


def test_a_folder_without_a_game_is_named(tmp_path: Path) -> None:
    done = run("board", str(tmp_path), "--no-browser")
    assert done.code == 5 and "no game folder" in done.err


def test_a_file_is_for_one_game(game: Path) -> None:
    with local.own_keys(game.parent):
        done = run("board", str(game.parent), "--file", "o.yaml", "--no-browser")
    assert done.code == 5 and "several" in done.err

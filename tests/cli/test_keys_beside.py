"""Folders of `pbem play` and `pbem demo` keep their keys beside them: every command about one of them finds these."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from pbem.store.paths import home, keys_of
from tests.commands import must, run

UNSURE = "This folder signs nothing"


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A local game, asked about from a machine whose own keys are elsewhere."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    run("play", str(tmp_path / "g"), stdin="")
    return tmp_path / "g"


def test_status_of_a_local_game_does_not_miss_its_keys(local: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert UNSURE not in must("status", "-g", str(local / "axis"))
    assert UNSURE not in must("status", "-g", str(local))
    monkeypatch.chdir(local / "axis")
    assert UNSURE not in must("status")
    assert os.environ["PBEM_HOME"] == str(local.parent / "home"), "it holds for the command alone"


def test_orders_are_sent_from_a_local_game(local: Path) -> None:
    file = local / "orders.yaml"
    file.write_text("orders:\n- done\n")
    assert "file 1 written" in must("send", str(file), "-g", str(local / "axis"), "--yes")


def test_a_copy_of_such_a_folder_elsewhere_signs_nothing(local: Path, tmp_path: Path) -> None:
    shutil.copytree(local / "axis", tmp_path / "other" / "axis")
    assert UNSURE in must("status", "-g", str(tmp_path / "other" / "axis"))


def test_keys_of_another_game_that_lie_beside_it_are_left_alone(local: Path) -> None:
    identity = local / "keys" / "record.json"
    identity.write_text(json.dumps({**json.loads(identity.read_text()), "record": "f" * 64}))
    with keys_of(local / "axis"):
        assert home() == local.parent / "home"
    identity.write_text("[")
    assert UNSURE in must("status", "-g", str(local / "axis"))

"""Heals that wait for signatures and a player at two machines: what was signed at one of them is known at the other."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.protocol.ids import document_id
from pbem.store import heal_record, heals
from tests.commands import must, run
from tests.toygame.folders import as_json, at, session
from tests.toygame.test_heal_folders import all_sign, show_all, split, write_heal
from tests.toygame.test_pen import machine


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All know of a fork; dubois has a desk and a laptop, at which `mine` lies, and has written a heal at the desk."""
    place = tmp_path_factory.mktemp("parted")
    with pytest.MonkeyPatch.context() as patch, at(place, patch):
        show_all(split())
        must("sync", "--join", "--name", "desk", "-g", "dubois")
        with machine("laptop", patch):
            must("sync", "--join", "--name", "laptop", "-g", "dubois")
        shutil.copytree("dubois", "mine")
        write_heal("dubois")
    return place


@pytest.fixture(autouse=True)
def laptop(parted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same in a folder of its own."""
    shutil.copytree(parted, tmp_path, dirs_exist_ok=True)
    with at(tmp_path, monkeypatch):
        yield machine("laptop", monkeypatch)


def outgoing() -> dict[str, Any]:
    """The heal that dubois has written, with his signature."""
    return {"heal": document_id(waiting("dubois")[0]), "missing": ["nowak", "yamada"], "file": str(heal_file())}


def heal_file() -> Path:
    return next(Path("dubois/outbox").glob("heal-*.yaml"))


def waiting(name: str) -> list[dict[str, Any]]:
    return heals.known(session(name))


@pytest.mark.parametrize(("here", "other"), [("mine", "dubois"), ("dubois", "mine")])
def test_a_heal_that_waits_comes_along_and_whoever_signed_it_signs_nothing_beside_it(
    here: str, other: str, laptop: AbstractContextManager[None]
) -> None:
    written = outgoing()
    second = write_heal("yamada", "--note", "second")
    must("sync", "--leave", "-g", "dubois")
    with laptop:
        told = must("sync", other, "-g", here)
        assert told.count("A heal of file") == 1 and "waits for nowak, yamada" in told.replace("yamada, nowak", "nowak, yamada")
        assert "It is not signed yet" not in told, "it is told once"
        assert waiting("mine") == waiting("dubois") and len(waiting("mine")) == 1
        assert heal_record.waiting(session("mine")) == [written["heal"]]
        done = run("heal", second["file"], "-g", here)
        assert done.code == 1 and "stand instead" in done.err, done
        must("heal", "--drop", "-g", here)
        must("sync", other, "-g", here)
        assert not heal_record.waiting(session("mine")), "what was dropped is not waited for again"


@pytest.mark.parametrize(("here", "other"), [("mine", "dubois"), ("dubois", "mine")])
def test_signatures_that_came_to_either_machine_complete_a_heal(
    here: str, other: str, laptop: AbstractContextManager[None]
) -> None:
    written = outgoing()
    by_yamada, by_nowak = (as_json("heal", written["file"], "-g", name)["file"] for name in ("yamada", "nowak"))
    as_json("receive", by_yamada, "-g", "dubois", code=3)
    with laptop:
        as_json("receive", by_nowak, "-g", "mine", code=3)
        told = must("sync", other, "-g", here)
        assert told.count("done: Heal ") == 1, told
        assert {session(name).head for name in ("mine", "dubois")} == {written["heal"]}
        assert must("sync", other, "-g", here).startswith("Both folders hold the same files.\n")


def test_a_heal_that_was_taken_does_not_wait_again(monkeypatch: pytest.MonkeyPatch) -> None:
    written = outgoing()
    with machine("laptop", monkeypatch):
        must("sync", "dubois", "-g", "mine")
    all_sign(["yamada", "nowak", "dubois"], written)
    with machine("laptop", monkeypatch):
        told = must("sync", "dubois", "-g", "mine")
        assert "A heal of file" not in told and session("mine").head == written["heal"], told
        assert not waiting("mine") and not heal_record.waiting(session("mine"))


def test_a_heal_that_another_signed_in_his_name_is_not_his_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The umpire's signature for a player who was silent binds that player's machine to nothing."""
    monkeypatch.setattr(heal_record, "healing", SimpleNamespace(check_signatures=lambda table, document: ["dubois"]))
    with machine("laptop", monkeypatch):
        must("sync", "dubois", "-g", "mine")
        assert waiting("mine") and not heal_record.waiting(session("mine"))

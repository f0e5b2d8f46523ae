"""The command `pbem replay`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import replaying, setup
from pbem.kernel.orders import Rejected
from pbem.protocol.outcomes import Outcome, ProtocolError
from tests.commands import must
from tests.manual import page, told
from tests.replay.games import content


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game that both have signed, before the first file."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "keys"))
    axis, allies = tmp_path / "axis", tmp_path / "allies"
    setup.new(axis, "axis-and-allies-pacific", "spring-1940", [], "72h")
    setup.join(axis, None, "yamada", ["japan"])
    setup.join(allies, axis / "charter.yaml", "nowak", ["united-states", "china", "united-kingdom", "anzac"])
    setup.accept(allies, None)
    setup.accept(axis, allies / "charter.yaml")
    return axis


def test_a_game_just_begun_has_a_replay(begun: Path, tmp_path: Path) -> None:
    to = tmp_path / "game.html"
    assert replaying.write(begun, to, "").startswith(f"{to} written: 0 files")
    data = content(to.read_text("utf-8"))
    assert data["files"] == [] and len(data["scenes"]) == 1


def test_the_command_in_the_manual(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = told(page("replay"))
    begun.rename(begun.with_name("pacific"))
    monkeypatch.chdir(begun.parent)
    assert must(*line).startswith("replay.html written")
    assert "Content-Security-Policy" in (begun.parent / "replay.html").read_text("utf-8")


def test_headings_come_in_the_reader_s_language(begun: Path, tmp_path: Path) -> None:
    to = tmp_path / "game.html"
    replaying.write(begun, to, "pl")
    polish = content(to.read_text("utf-8"))["scenes"][0]
    replaying.write(begun, to, "en")
    assert polish != content(to.read_text("utf-8"))["scenes"][0]
    assert '<html lang="en">' in to.read_text("utf-8")


def test_an_unknown_language_writes_nothing(begun: Path, tmp_path: Path) -> None:
    with pytest.raises(Rejected):
        replaying.write(begun, tmp_path / "game.html", "xx")
    assert not (tmp_path / "game.html").exists()


def test_a_draft_has_no_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "keys"))
    setup.new(tmp_path / "axis", "axis-and-allies-pacific", "spring-1940", [], "72h")
    with pytest.raises(ProtocolError) as caught:
        replaying.write(tmp_path / "axis", tmp_path / "game.html", "")
    assert caught.value.outcome is Outcome.WAITING

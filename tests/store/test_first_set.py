"""The set of standing orders that goes with a player's first file, where his program writes it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.ledger import Entry
from pbem.store import first_set, sets
from pbem.store.folder import GameFolder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GameFolder:
    monkeypatch.setattr(sets, "own_sets", lambda path: ["mine"] if path == tmp_path / "game" else [])
    monkeypatch.setattr(sets, "named", lambda session, name: {"scramble": name} if session.me else {})
    return GameFolder.create(tmp_path / "game", {})


def brought(folder: GameFolder, *players: str) -> dict[str, Any]:
    """What the next file of nowak's brings behind these files."""
    entries = [Entry("0", "nowak", "charter"), *(Entry("n", player, "turn") for player in players)]
    session: Any = SimpleNamespace(
        folder=folder, me=SimpleNamespace(player="nowak"), table=SimpleNamespace(ledger=SimpleNamespace(entries=entries))
    )
    return first_set.of_first_file(session)


def test_it_goes_with_the_first_file_alone(folder: GameFolder) -> None:
    assert brought(folder) == {}, "none was chosen"
    first_set.put(folder, "usual", ["usual", "bold"])
    assert brought(folder) == {"scramble": "usual"} == brought(folder, "yamada", "dubois")
    assert brought(folder, "yamada", "nowak") == {} == brought(folder, "nowak", "yamada")
    first_set.put(folder, "mine", ["usual"])
    assert brought(folder) == {"scramble": "mine"}, "one's own, and the last that was chosen"


def test_a_set_that_does_not_exist_is_refused_and_nothing_is_kept(folder: GameFolder) -> None:
    with pytest.raises(ProtocolError, match="usuall"):
        first_set.put(folder, "usuall", ["usual"])
    assert brought(folder) == {}

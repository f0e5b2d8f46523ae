"""A command given twice at once, the second in the middle of the first: one whole result and one plain refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import player_key, proof, setup
from pbem.cli.faults import judged
from pbem.kernel.orders import Rejected
from pbem.protocol import keys
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import backups, passphrase
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.paths import LOCK, home
from tests.commands import must
from tests.toygame.folders import TWO, at, finish, found, session

Meanwhile = Callable[[Any, str, Callable[[], Any]], None]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with at(tmp_path, monkeypatch):
        yield tmp_path


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Behind the first call of a function another program does something, once."""

    def set_up(where: Any, name: str, doing: Callable[[], Any]) -> None:
        real, left = getattr(where, name), [doing]

        def call(*given: Any, **named: Any) -> Any:
            result = real(*given, **named)
            if left:
                left.pop()()
            return result

        monkeypatch.setattr(where, name, call)

    return set_up


def content(folder: str) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises((ProtocolError, Rejected)) as caught:
        call()
    outcome, lines = judged(caught.value)
    assert outcome in (Outcome.UNREADABLE, Outcome.REFUSED)
    return lines[0]


# -- new folders -----------------------------------------------------------------------------------------------------------


def test_two_restores_into_one_new_folder(meanwhile: Meanwhile) -> None:
    """Two players' backups: the folder is the one's or the other's, never with the key of the one and the log of the other."""
    for name in found(TWO):
        must("backup", f"{name}.zip", "-g", name)
    proof.restore(Path("nowak.zip"), Path("alone"))
    meanwhile(GameFolder, "set_format", lambda: proof.restore(Path("nowak.zip"), Path("again")))
    told = refused(lambda: proof.restore(Path("yamada.zip"), Path("again")))
    assert told == "again exists already: name a new folder"
    alone, again = content("alone"), content("again")
    assert {k: v for k, v in again.items() if k != "private/place.json"} == {
        k: v for k, v in alone.items() if k != "private/place.json"
    }
    assert not [*Path().glob("again.*")], "nothing of the other is left beside it"


def test_two_restores_of_which_the_first_is_done_first(meanwhile: Meanwhile) -> None:
    for name in found(TWO):
        must("backup", f"{name}.zip", "-g", name)
    told = list[str]()

    def first() -> None:
        meanwhile(proof, "_restored", lambda: told.append("first"))
        meanwhile(GameFolder, "restore_copies", lambda: None)
        proof.restore(Path("yamada.zip"), Path("again"))

    meanwhile(GameFolder, "make_folders", first)
    refused(lambda: proof.restore(Path("nowak.zip"), Path("again")))
    secrets = session("again").folder.secrets()
    assert told == ["first"] and secrets is not None and secrets.player == "yamada"


def test_two_proofs_into_one_new_folder(meanwhile: Meanwhile) -> None:
    """A proof is of one roll: files of two would not check."""
    folders = found(TWO)
    finish(folders, seed=3)
    one, *_, other = session(folders[0]).table.ledger.rolled
    path = Path(folders[0])
    proof.prove(path, other.source, other.index, Path("alone"))
    meanwhile(proof, "_shown_before", lambda: proof.prove(path, other.source, other.index, Path("p")))
    told = refused(lambda: proof.prove(path, one.source, one.index, Path("p")))
    assert told == "p exists already: name a new folder" and content("p") == content("alone")
    assert not [*Path().glob("p.*")]


def test_two_drafts_in_one_new_folder(meanwhile: Meanwhile) -> None:
    """Another `pbem new` has made its draft between the first look and the writing: that draft stays."""
    drafts = list[bytes]()

    def new() -> None:
        setup.new(Path("draft"), "skirmish", "hill", [], "72h")

    def other() -> None:
        new()
        drafts.append(Path("draft/charter.yaml").read_bytes())

    meanwhile(GameFolder, "make_folders", other)
    assert refused(new) == "draft is a game folder already"
    assert drafts == [Path("draft/charter.yaml").read_bytes()]


def test_two_backups_under_one_name(meanwhile: Meanwhile) -> None:
    """Whoever was told that his backup is written has it."""
    found(TWO)
    proof.backup(Path("nowak"), Path("alone.zip"))
    meanwhile(backups, "bundle", lambda: proof.backup(Path("nowak"), Path("b.zip")))
    assert refused(lambda: proof.backup(Path("yamada"), Path("b.zip"))) == "b.zip exists already: name a new file"
    assert Path("b.zip").read_bytes() == Path("alone.zip").read_bytes()


# -- keys ------------------------------------------------------------------------------------------------------------------


def test_two_new_keys_of_one_name(meanwhile: Meanwhile) -> None:
    """Who has been shown a key may have sent it on: it is never lost for another one."""
    shown = list[Any]()
    meanwhile(passphrase, "chosen", lambda: shown.append(player_key.show("smith", True)[0]))
    told = refused(lambda: player_key.show("smith", True))
    assert told.startswith("cannot be read: smith has a key already: ")
    assert player_key.show("smith", False)[0] == shown[0]
    assert sorted(p.name for p in (home() / "keys").iterdir()) == ["smith"]


def test_a_key_waits_for_who_writes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the last look and the writing nobody else makes one."""
    monkeypatch.setattr("pbem.store.disk.MOMENT", 0.05)
    Disk().make_folder(home())
    with Disk().lock(home() / LOCK), pytest.raises(BlockingIOError):
        player_key.show("smith", True)
    assert not [*(home() / "keys").iterdir()]
    player_key.show("smith", True)


def test_a_key_of_ones_own_while_another_is_made(meanwhile: Meanwhile) -> None:
    """Also the other way round, and for a key that an agent holds."""
    Path("mine").write_text(keys.private_text(keys.generate()))
    made = list[Any]()
    meanwhile(player_key, "_public", lambda: made.append(player_key.show("smith", True)[0]))
    assert refused(lambda: player_key.show("smith", False, Path("mine"))).startswith(
        "cannot be read: smith has a key already: "
    )
    assert player_key.show("smith", False)[0] == made[0]


def test_who_joins_two_games_at_once_has_one_key(meanwhile: Meanwhile) -> None:
    """Both folders have the key that stays in the home, and nobody has to give a command again."""
    for name in ("a", "b"):
        setup.new(Path(name), "skirmish", "hill", [], "72h")
    meanwhile(passphrase, "chosen", lambda: setup.join(Path("b"), None, "smith", ["red"]))
    setup.join(Path("a"), None, "smith", ["red"])
    public = player_key.show("smith", False)[0]["key"]  # type: ignore[index,call-overload]
    assert {keys.public_text(k) for name in "ab" if (k := GameFolder(Path(name)).private_key("key"))} == {public}

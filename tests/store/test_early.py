"""What waits beside the log for more of it: whose, how much of it, and when it is looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.protocol.strict_yaml import write_document
from pbem.store import early
from pbem.store.disk import Disk

GAME, HEAD, GONE, FAR = "ab" * 32, "cd" * 32, "ef" * 32, "12" * 32
Document = dict[str, Any]


class Folder(SimpleNamespace):
    """A game folder that runs, with the disk."""

    def __init__(self, path: Path) -> None:
        super().__init__(path=path, disk=Disk(), is_running=True, draft=lambda: {"type": "charter", "nonce": "x"})

    def part(self, document: Document) -> str:
        return f"p-{document.get('player')}"


class At(SimpleNamespace):
    """A session whose log ends with HEAD."""

    def __init__(self, path: Path) -> None:
        ledger = SimpleNamespace(entries=[SimpleNamespace(id=GAME), SimpleNamespace(id=HEAD)], gone=[GONE])
        charter = SimpleNamespace(game_id=GAME)
        super().__init__(folder=Folder(path), charter=charter, head=HEAD, table=SimpleNamespace(ledger=ledger))

    def kept(self, document: Document, outcome: Outcome = Outcome.WAITING) -> Path | None:
        return early.kept(self, document, outcome)  # type: ignore[arg-type]

    def is_to_try(self) -> bool:
        return early.is_to_try(self)  # type: ignore[arg-type]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    yield At(tmp_path / "game")


def slip(n: int = 0, player: str = "nowak", **more: Any) -> Document:
    return {"type": "slip", "game": GAME, "player": player, "head": FAR, "n": n, **more}


def names(at: At) -> list[str]:
    """Whose they are and their numbers."""
    return [path.stem.rsplit("-", 1)[0] for path in sorted((at.folder.path / "aside").iterdir())]


# -- what waits ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "outcome", "author"),
    [
        (slip(), Outcome.WAITING, "of-p-nowak"),
        ({"type": "heal", "game": GAME, "prev": HEAD}, Outcome.WAITING, "heals"),
        (slip(), Outcome.BAD_SIGNATURE, "unsigned"),
        ({"type": "note", "game": GAME, "head": FAR}, Outcome.BAD_SIGNATURE, "unsigned"),
        ({"type": "turn", "game": GAME, "prev": FAR, "seq": 9}, Outcome.BAD_SIGNATURE, "unsigned"),
        ({"type": "turn", "game": GAME, "prev": HEAD, "seq": 9}, Outcome.WAITING, ""),
        (slip(head=HEAD), Outcome.BAD_SIGNATURE, ""),
        (slip(head=GONE), Outcome.BAD_SIGNATURE, ""),
        (slip(head=HEAD, prev=FAR), Outcome.BAD_SIGNATURE, ""),
        ({"type": "turn", "game": GAME, "prev": HEAD, "seq": 2}, Outcome.BAD_SIGNATURE, ""),
        (slip(game="00" * 32), Outcome.WAITING, ""),
        (slip(game="00" * 32), Outcome.BAD_SIGNATURE, ""),
        *((slip(), outcome, "") for outcome in Outcome if outcome not in (Outcome.WAITING, Outcome.BAD_SIGNATURE)),
    ],
)
def test_what_may_be_taken_later_is_kept_by_its_author(document: Document, outcome: Outcome, author: str, at: At) -> None:
    copy = at.kept(document, outcome)
    if not author:
        assert copy is None and not at.folder.path.exists()
        return
    assert (
        copy is not None
        and copy == at.folder.path / "aside" / f"early-{author}-000000001-{sha256_hex(canonical(document))[:16]}.yaml"
    )
    assert copy.read_bytes() == write_document(document).encode() and early.lying(at.folder) == [(copy, document)]


def test_before_the_game_runs_only_what_is_of_its_charter_waits(at: At) -> None:
    at.folder.is_running = False
    name = document_id(at.folder.draft())
    for outcome in (Outcome.WAITING, Outcome.BAD_SIGNATURE):
        copy = at.kept(slip(game=name, type="turn", n=outcome.code), outcome)
        assert copy is not None and copy.name.startswith("early-unsigned-")
    assert at.kept(slip(), Outcome.WAITING) is None, "of another game"


def test_the_same_is_kept_once_and_the_oldest_of_the_same_author_gives_way(at: At) -> None:
    first = at.kept(slip(0))
    assert first is not None and at.kept(slip(0)) == first and names(at) == ["early-of-p-nowak-000000001"]
    at.kept(slip(0, "yamada"))
    for n in range(1, early.MOST):
        at.kept(slip(n))
    assert first.exists() and len(names(at)) == early.MOST + 1
    at.kept(slip(early.MOST))
    assert not first.exists() and len(names(at)) == early.MOST + 1
    at.kept(slip(0))
    assert names(at)[:2] == ["early-of-p-nowak-000000003", "early-of-p-nowak-000000004"]
    assert names(at)[-2:] == [f"early-of-p-nowak-{early.MOST + 2:09d}", "early-of-p-yamada-000000001"]


def test_one_author_is_not_taken_for_another_whose_name_goes_on(at: At) -> None:
    for n in range(early.MOST):
        at.kept(slip(n))
    assert at.kept(slip(0, "nowak-1")) is not None
    assert len(names(at)) == early.MOST + 1 and names(at)[0] == "early-of-p-nowak-000000001"


@pytest.mark.parametrize("least", [0, 1])
def test_what_is_too_large_is_not_kept(least: int, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early, "MOST_BYTES", len(write_document(slip())) - least)
    assert (at.kept(slip()) is None) == bool(least)


def test_where_there_is_no_room_nothing_is_kept_and_nothing_gives_way(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(early.MOST):
        at.kept(slip(n))

    def full(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(Disk, "replace", full)
    assert at.kept(slip(99)) is None and len(names(at)) == early.MOST


# -- looking again ------------------------------------------------------------------------------------------------------------


def test_files_are_looked_at_by_their_place_and_the_rest_behind_them(at: At) -> None:
    twelve, eleven = ({"type": "turn", "game": GAME, "prev": FAR, "seq": seq} for seq in (12, 11))
    odd = {"type": "note", "game": GAME, "head": FAR, "seq": "x"}
    for document in (slip(), twelve, odd, eleven):
        at.kept(document, Outcome.BAD_SIGNATURE)
    assert [document for _, document in early.lying(at.folder)] == [eleven, twelve, slip(), odd]
    copy = at.kept(slip(), Outcome.BAD_SIGNATURE)
    assert copy is not None
    copy.write_bytes(b"\0")
    assert slip() not in [document for _, document in early.lying(at.folder)] and early.waits(at.folder)
    copy.unlink()
    copy.mkdir()
    assert [document for _, document in early.lying(at.folder)] == [eleven, twelve, odd], "what the system does not give"


def test_what_waits_is_looked_at_again_when_the_log_has_grown(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not early.waits(at.folder) and not at.is_to_try(), "nothing waits"
    at.kept(slip())
    assert early.waits(at.folder) and at.is_to_try()
    early.tried(at.folder, FAR)
    assert at.is_to_try(), "that was behind another file"
    early.tried(at.folder, HEAD)
    assert not at.is_to_try() and (at.folder.path / "aside" / "early.head").read_text() == HEAD
    at.head = FAR
    assert at.is_to_try() and len(early.lying(at.folder)) == 1

    def full(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(Disk, "replace", full)
    early.tried(at.folder, FAR)
    assert at.is_to_try(), "a full disk only means that it is looked at once more"


def test_other_names_are_none_that_wait(at: At) -> None:
    place = at.folder.path / "aside"
    place.mkdir(parents=True)
    for name in ("early-of-x-1-ab.yaml", "early-ab.yaml", "0009-ab.yaml", "early-of-x-000000001-ab.txt"):
        (place / name).write_text("pbem: 2\n")
    assert not early.waits(at.folder) and early.lying(at.folder) == []

"""Reading what anybody may send: 20 MB of beginnings of blocks, 10,000 copies of one mail. Target: 2 s CPU each.

Beside each stands the floor in the same run: the same bytes read, hashed and split into lines, once.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import read_document
from pbem.transport.mail import gather, write_eml
from tests.commands import inside, prepare, run

BEGIN = "-----BEGIN PBEM TURN-----\n"
POSTMARK = b"From nowak@example.org Sat Nov 21 07:00:00 2026\n"
COPIES = 10_000


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which yamada's first file is on its way."""
    return prepare(tmp_path_factory.mktemp("moments"))["sent"]


@pytest.fixture(scope="module")
def inputs(sent: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("inputs")
    (root / "lines.txt").write_text(BEGIN * (20_000_000 // len(BEGIN)))
    (root / "lines.eml").write_text("Subject: pbem\nFrom: x@example.org\n\n" + BEGIN * (20_000_000 // len(BEGIN)))
    document = read_document((sent / "axis/outbox/0001-yamada.yaml").read_bytes())[0]
    mail = write_eml(document, "abc", "due").replace(b"\r\n", b"\n")
    (root / "copies.mbox").write_bytes((POSTMARK + mail) * COPIES)
    (root / "copies").mkdir()
    for n in range(COPIES):
        (root / "copies" / f"{n:05}.eml").write_bytes(mail)
    return {path.name: path for path in root.iterdir()}


def cpu(work: Callable[[], Any]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def floor(path: Path) -> None:
    """The least that reading needs."""
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        data = file.read_bytes()
        hashlib.sha256(data).digest()
        data.decode().splitlines()


@pytest.mark.parametrize("name", ["lines.txt", "lines.eml", "copies.mbox", "copies"])
def test_reading(name: str, inputs: dict[str, Path], benchmark: Any) -> None:
    found = benchmark.pedantic(gather, (inputs[name],), rounds=3)
    assert len(found) == 1 and isinstance(found[0][1], ProtocolError) == name.startswith("lines")
    least, took = cpu(lambda: floor(inputs[name])), cpu(lambda: gather(inputs[name]))
    benchmark.extra_info.update(floor=round(least, 3), took=round(took, 3))
    assert took < 2, f"{took:.2f} s; the floor is {least:.2f} s"


def test_receiving_ten_thousand_copies(sent: Path, inputs: dict[str, Path], tmp_path: Path) -> None:
    """The whole command, the file taken."""
    import shutil

    shutil.copytree(sent, tmp_path, dirs_exist_ok=True)
    with inside(tmp_path):
        took = cpu(lambda: run("receive", str(inputs["copies.mbox"]), "-g", "allies"))
        assert took < 4, f"{took:.2f} s with the answer that it writes"
        assert len(Path("allies/log.jsonl").read_bytes().splitlines()) > 1

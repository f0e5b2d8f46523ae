"""What a mail says of the game: its subject, and in short what its file did; never what only its writer knows."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli import reporting
from tests.commands import inside, must, prepare


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


@pytest.fixture
def running(moments: dict[str, Path], tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(moments["running"], tmp_path / "now")
    with inside(tmp_path / "now"):
        yield tmp_path / "now"


def letter(path: str) -> tuple[str, str]:
    """Subject, and the text before the block."""
    message = message_from_bytes(Path(path).read_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    return str(message["Subject"]), body.get_content().partition("-----BEGIN PBEM")[0]


def test_subject_and_digest(running: Path) -> None:
    must("send", "o.yaml", "-g", "axis", "--yes")
    subject, told = letter("axis/outbox/0001-yamada.eml")
    assert subject == "Axis & Allies Pacific 1940: Round 1, Japan, nowak is due (axis #1)"
    assert told.startswith("nowak has to send") and "Orders" in told and "(file 1)" in told
    assert told.count("press") == 0, "a sealed order stays sealed"


def test_the_mail_of_a_witness_tells_what_the_dice_decided(running: Path) -> None:
    must("send", "o.yaml", "-g", "axis", "--yes")
    must("receive", "axis/outbox", "-g", "allies")
    subject, told = letter("allies/outbox/0002-nowak.eml")
    assert subject.endswith("yamada is due (allies #2)") and "Hunan" in told and "(file 2)" in told


def test_it_is_in_english_whatever_its_writer_speaks(running: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", "pl")
    must("send", "o.yaml", "-g", "axis", "--yes")
    assert "Orders" in letter("axis/outbox/0001-yamada.eml")[1] and "Next:" in letter("axis/outbox/0001-yamada.eml")[1]


def test_what_fails_in_telling_keeps_no_mail_from_being_written(running: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr(reporting, "in_mail", fails)
    must("send", "o.yaml", "-g", "axis", "--yes")
    assert letter("axis/outbox/0001-yamada.eml")[1].startswith("nowak has to send")


def test_a_mail_that_is_written_later_says_the_same(running: Path) -> None:
    must("send", "o.yaml", "-g", "axis", "--yes")
    first = letter("axis/outbox/0001-yamada.eml")
    Path("axis/outbox/0001-yamada.eml").unlink()
    must("status", "-g", "axis")
    assert letter("axis/outbox/0001-yamada.eml") == first


def test_the_map_tells_its_turn_to_who_does_not_see_it(running: Path) -> None:
    must("send", "o.yaml", "-g", "axis", "--yes")
    must("receive", "axis/outbox", "-g", "allies")
    must("receive", "allies/outbox", "-g", "axis")
    must("receive", "axis/outbox", "-g", "allies")
    drawn = []
    for folder in ("axis", "allies"):
        must("map", "-g", folder, "--to", f"{folder}.svg")
        drawn.append(ET.parse(f"{folder}.svg").getroot())
    title, told = drawn[0][0], drawn[0][1]
    assert title.tag.endswith("title") and told.tag.endswith("desc") and "Hunan" in str(told.text)
    assert told.text == drawn[1][1].text
    must("map", "-g", "axis", "--to", "first.svg", "--file", "0")
    assert not [e for e in ET.parse("first.svg").getroot() if e.tag.endswith("desc")]
    must("--language", "cs", "map", "-g", "axis", "--to", "cs.svg")
    assert ET.parse("cs.svg").getroot()[1].text != told.text

"""README's ten-minute game followed literally: two machines, and a post that carries what the text says is sent."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.app import app
from tests.commands import must
from tests.manual import front, order_files, page

SECTION = front("A game in ten minutes")


def blocks() -> list[tuple[str, list[list[str]]]]:
    """Whose machine, and the commands to type there, in the order of the text."""
    found = re.findall(r"On (\w+)'s machine[^`]*?(?:`[^`\n]*`[^`]*?)*:\n\n```sh\n(.*?)```", SECTION, re.DOTALL)
    return [(who.lower(), [shlex.split(line, comments=True)[1:] for line in lines.splitlines()]) for who, lines in found]


def deliver(sender: Path, receiver: Path) -> None:
    """The newest charter and the newest mail of one machine, as attachments saved on the other."""
    charter, mails = sender / "pacific" / "charter.yaml", sorted((sender / "pacific" / "outbox").glob("*.eml"))
    if charter.exists():
        shutil.copy(charter, receiver / "charter.yaml")
    if mails:
        shutil.copy(mails[-1], receiver / "mail.eml")


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Path]]:
    found = {name: tmp_path / name for name in ("yamada", "nowak")}
    for folder in found.values():
        folder.mkdir()
    yield found


def test_the_ten_minute_game(machines: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    followed = blocks()
    assert [who for who, _ in followed] == ["yamada", "nowak", "yamada", "nowak", "yamada", "nowak", "yamada"]
    shown: dict[str, str] = {}
    for who, commands in followed:
        here, there = machines[who], machines["nowak" if who == "yamada" else "yamada"]
        monkeypatch.chdir(here)
        monkeypatch.setenv("PBEM_HOME", str(here / "home"))
        deliver(there, here)
        for words in commands:
            shown[words[0]] = must(*words)
            if words[0] == "orders":
                Path("orders.yaml").write_text(order_files(SECTION)[0])
    assert "orders are legal" in shown["check"]
    assert (machines["yamada"] / "report.html").read_text("utf-8").startswith('<!DOCTYPE html>\n<html lang="pl">')
    assert (machines["yamada"] / "map.svg").read_text("utf-8").startswith("<svg")
    assert "*** Battle: Yunnan" in must("report", "-g", "pacific")
    assert "signatures, chain, dice and rules agree" in must("verify", "-g", "pacific")


def test_every_command_line_of_the_ten_minute_game_is_followed() -> None:
    told = re.findall(r"(?m)^pbem .*", SECTION)
    assert len(told) == sum(len(commands) for _, commands in blocks())


def test_every_command_is_named_in_the_manual_and_exists() -> None:
    named = set(re.findall(r"`([a-z]+)`", page("commands").split(";")[0]))
    known = {str(c.name or c.callback.__name__) for c in app.registered_commands if c.callback}
    known |= {str(group.name) for group in app.registered_groups}
    missing, invented = known - named - {"draw_map"}, named - known
    assert (missing, invented) == (set(), set())

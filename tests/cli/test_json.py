"""`--json`: every command that reports speaks to programs too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem.cli import app
from tests.commands import ALLIES, ORDERS, begun, inside, must, run

FOR_PEOPLE = {"board", "report", "map", "replay", "play", "tutorial", "demo"}  # they write a page or a picture, or talk


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    with inside(tmp_path):
        Path("o.yaml").write_text(ORDERS)
        yield tmp_path


def told(*words: str) -> Any:
    return json.loads(must(*words, "--json"))


def commands(group: Any, *before: str) -> Iterator[tuple[str, Any]]:
    """Every command with the words that name it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *before, name)
        else:
            yield " ".join((*before, name)), command


def test_every_command_that_reports_has_it() -> None:
    found = dict(commands(typer.main.get_command(app.app)))
    assert "seat take" in found
    assert {name for name, c in found.items() if not any("--json" in p.opts for p in c.params)} == FOR_PEOPLE


def test_a_key(here: Path) -> None:
    made = told("key", "nowak", "--new")
    assert made["player"] == "nowak" and made["key"].startswith("ssh-ed25519 ") and Path(made["file"]).exists()
    assert told("key", "nowak") == made
    assert made["fingerprint"] in must("key", "nowak")


def test_from_a_draft_to_a_game(here: Path) -> None:
    drafted = told("new", "axis", "--option", "bid=6")
    assert drafted["system"] == "axis-and-allies-pacific" and drafted["options"]["bid"] == 6
    joined = told("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
    assert joined["seats"] == ["japan"] and joined["free"] == ALLIES.split(",") and joined["unsigned"] == ["yamada"]
    must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
    signed = told("accept", "-g", "allies")
    assert not signed["begun"] and signed["unsigned"] == ["yamada"] and set(signed["fingerprints"]) == {"yamada", "nowak"}
    begun = told("accept", "allies/charter.yaml", "-g", "axis")
    assert (begun["begun"], begun["game"], begun["due"]) == (True, signed["game"], "yamada")
    assert told("accept", "-g", "axis") == {"begun": True, "due": "yamada", "written": []}


@pytest.fixture
def running(here: Path) -> Path:
    begun()
    return here


def test_a_draft_of_orders_with_its_proposals(running: Path) -> None:
    drafted = told("orders", "-g", "axis", "--to", "mine.yaml")
    assert drafted["file"] == "mine.yaml" and drafted["due"] == {"player": "yamada", "what": "orders"}
    assert "done" in drafted["proposals"] and Path("mine.yaml").exists()
    nothing = told("orders", "-g", "allies", "--to", "theirs.yaml")
    assert nothing["file"] is None and nothing["due"]["player"] == "yamada"
    assert not Path("theirs.yaml").exists()


def test_backup_and_restore(running: Path) -> None:
    must("send", "o.yaml", "-g", "axis", "--yes")
    assert told("backup", "b.zip", "-g", "axis") == {"file": "b.zip"}
    assert told("restore", "b.zip", "again") == {"folder": "again", "files": 1, "sure": True}
    assert json.loads(run("restore", "b.zip", "again", "--json").out)["outcome"] == "unreadable"


def test_mail_settings(running: Path) -> None:
    assert told("mail", "setup", "-g", "axis") == {"file": "axis/mail.yaml", "written": True}
    assert told("mail", "setup", "-g", "axis")["written"] is False

"""The dispute text: what it holds and hides, what the post does to it, what strangers put into it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import write_document
from pbem.store import library
from pbem.transport import dispute as texts
from tests.commands import Done, must, run
from tests.toygame.folders import as_json, at, session
from tests.toygame.test_dispute import at_march, judged, text_of


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


# -- the text -----------------------------------------------------------------------------------------------------------


def test_the_text_begins_with_its_name_and_holds_every_block_by_place() -> None:
    at_march()
    must("resign", "--yes", "-g", "yamada")
    text = Path(text_of("yamada")).read_text()
    assert text.startswith("PBEM DISPUTE 1\n# skirmish, hill: game ")
    read = texts.read(text)
    documents = [d for _, d in read.found if isinstance(d, dict)]
    assert [d["type"] for d in documents] == ["charter", *["turn"] * 7, "slip"]
    assert [d["seq"] for d in documents[1:-1]] == list(range(1, 8))
    assert read.received.keys() == {document_id(d) for d in documents}


def test_no_secret_of_the_folder_is_in_the_text() -> None:
    at_march()
    text = Path(text_of("nowak")).read_text()
    armored = "".join(write_document(d) for _, d in texts.read(text).found if isinstance(d, dict))
    secrets = session("nowak").folder.secrets()
    assert secrets is not None and secrets.sealed
    hidden = [secrets.chain_secret, secrets.draw_master, *(str(s["salt"]) for s in secrets.sealed.values())]
    opened = {e["salt"] for d in session("nowak").folder.log.files() for e in d.get("open") or [] if "salt" in e}
    assert all(h not in text + armored for h in hidden if h not in opened)


@pytest.mark.parametrize("how", ["quoted", "crlf", "in a letter", "shuffled", "with the readable copies lost"])
def test_the_text_survives_the_post(how: str) -> None:
    at_march()
    text = Path(text_of("yamada")).read_text()
    match how:
        case "quoted":
            text = "".join(f"> {line}\n" for line in text.splitlines())
        case "crlf":
            text = text.replace("\n", "\r\n")
        case "in a letter":
            text = f"Dear referee,\n\nsee below.\n\n{text}\n-- \nYamada\n"
        case "shuffled":
            head, *blocks = text.split("\n# ")
            text = "\n# ".join([head, *reversed(blocks)])
        case _:
            text = text.replace("\n  ", "\n")
    Path("dispute.txt").write_bytes(text.encode())
    said = judged("dispute.txt", 3)
    assert said["verdict"] == "due" and said["since"]
    assert as_json_from(text)["verdict"] == "due"


def as_json_from(text: str) -> Any:
    done: Done = run("judge", "-", "--json", stdin=text)
    return json.loads(done.out)


def test_a_damaged_block_is_named_and_hinders_no_other() -> None:
    at_march()
    text = Path(text_of("yamada")).read_text()
    at_block = text.index("-----BEGIN PBEM TURN-----", text.index("# file 3 of"))
    cut = text.index("signature:", at_block)
    Path("dispute.txt").write_text(text[:cut] + "?" + text[text.index("-----END", cut) :])
    said = judged("dispute.txt", 5)
    assert said["verdict"] == "unreadable" and said["files"] == 2
    assert said["unreadable"][0]["where"] == "block 4, behind file 2"
    done = run("judge", "dispute.txt")
    assert "cannot be read, and is not judged: block 4, behind file 2" in done.out


def test_a_newer_form_of_the_text_says_so() -> None:
    at_march()
    text = Path(text_of("yamada")).read_text()
    Path("dispute.txt").write_text(text.replace("PBEM DISPUTE 1", "PBEM DISPUTE 2", 1))
    assert "reads form 1" in judged("dispute.txt", 5)["reason"]


def test_times_in_comments_are_not_believed() -> None:
    at_march()
    text = Path(text_of("yamada")).read_text()
    head = session("yamada").head
    lied = text.replace(f"id {head}, received ", f"id {head}, received 1999-01-01T00:00:00Z was ")
    Path("dispute.txt").write_text(lied)
    said = judged("dispute.txt", 3)
    assert said["since"] == "" and said["files"] == session("yamada").table.last


def test_the_players_own_scenario_travels_in_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    at_march()
    own = {"name": "hill"}
    Path("yamada/scenario.json").write_text(json.dumps(own))
    text = text_of("yamada")
    monkeypatch.setattr(library, "scenario_names", lambda folder: ["another"])
    assert "-----BEGIN PBEM SCENARIO-----" in Path(text).read_text()
    assert judged(text, 3)["verdict"] == "due"
    Path("yamada/scenario.json").unlink()
    missing = judged(text_of("yamada", "without.txt"), 15)
    assert missing["verdict"] == "cut" and "own scenario" in missing["reason"] and missing["files"] == 0
    monkeypatch.setattr(library, "scenario_names", lambda folder: ["hill"])
    monkeypatch.setattr(library, "load_scenario", lambda folder, name: {"name": name, "changed": True})
    assert "not the charter's" in judged(text_of("yamada", "changed.txt"), 11)["reason"]


def test_a_system_that_is_not_here_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:

    at_march()
    text = text_of("yamada")
    monkeypatch.delitem(games._REGISTERED, "skirmish")
    said = judged(text, 11)
    assert said["verdict"] == "programs differ" and "no rules of skirmish" in said["reason"]
    assert run("accept", text, "-g", "watch").code == 11 and not Path("watch").exists()


# -- hostile input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "noise",
    [
        "-----BEGIN PBEM TURN-----\n",
        "PBEM DISPUTE 1\n",
        "# file 1 of x; id " + "ab" * 32 + ", received 2026-01-01T00:00:00Z\n",
        ">" * 79 + "\n",
        "A" * 1_000_000 + "\n",
        "-----BEGIN PBEM TURN-----\na: b\n-----PBEM ARMOR-----\nAAAA\n=AAAA\n-----END PBEM TURN-----\n",
    ],
    ids=["begin lines", "first lines", "comments", "quotes", "long lines", "damaged blocks"],
)
def test_noise_costs_in_proportion_and_changes_no_fact(noise: str) -> None:
    at_march()
    text = Path(text_of("yamada")).read_text()
    size = 1 << 18
    taken = []
    for factor in (1, 4):
        Path("noise.txt").write_text(text + noise * (factor * size // len(noise)))
        begun = time.process_time()
        said = as_json("judge", "noise.txt", code=run("judge", "noise.txt").code)
        taken.append(time.process_time() - begun)
        assert said["files"] == session("yamada").table.last and said["verdict"] in ("due", "unreadable")
    assert taken[1] < 8 * taken[0] + 1


def test_a_text_of_32_mib_is_too_large() -> None:
    at_march()
    text = Path(text_of("yamada")).read_text()
    Path("noise.txt").write_text(text + "x" * (32 << 20))
    assert judged("noise.txt", 10)["verdict"] == "unreadable"


def test_nothing_of_pbem_is_no_such_game() -> None:
    Path("notes.txt").write_text("Dear referee,\n")
    assert judged("notes.txt", 5)["verdict"] == "unreadable"
    Path("empty").mkdir()
    assert judged("empty", 8)["verdict"] == "no such game"
    assert run("judge", "not-there.txt").code == 5


def test_the_verdict_shows_no_control_characters() -> None:
    at_march()
    Path("heap").mkdir()
    for file in Path("yamada/files").iterdir():
        shutil.copy(file, "heap")
    odd = {"pbem": 2, "type": "tru\u202ece\u0007", "game": session("yamada").charter.game_id}
    Path("heap/odd.json").write_text(json.dumps(odd))
    assert "\u202e" not in run("judge", "heap").out

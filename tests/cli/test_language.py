"""Commands speak the player's language; programs are told in English."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import speech
from pbem.kernel.wording import msg
from tests.commands import ORDERS, begun, inside, must, run


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    here = tmp_path_factory.mktemp("language")
    with inside(here):
        Path("o.yaml").write_text(ORDERS)
        begun()
        yield here
    speech.begin("")


def test_the_language_is_named_before_a_command_or_in_the_environment(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "yamada has to send orders: Japan: " in must("status", "-g", "axis")
    assert "yamada má poslat rozkazy: Japonsko: " in must("--language", "cs", "status", "-g", "axis")
    monkeypatch.setenv("PBEM_LANGUAGE", "fr_FR.UTF-8")
    assert "yamada doit envoyer des ordres : Japon" in must("status", "-g", "axis")
    assert "yamada ma przysłać rozkazy" in must("--language", "pl", "status", "-g", "axis")


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ({"LANG": "pl_PL.UTF-8"}, "yamada ma przysłać rozkazy"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "cs_CZ"}, "yamada má poslat rozkazy"),
        ({"LC_ALL": "fr", "LC_MESSAGES": "cs_CZ", "LANG": "pl"}, "yamada doit envoyer des ordres"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ru_RU@x"}, "yamada "),
        ({"LANG": "de_DE.UTF-8"}, "yamada has to send orders"),
        ({"LANG": "fra_FR"}, "yamada has to send orders"),  # no code that we know
        ({"LANG": "pl_PL.UTF-8", "PBEM_LANGUAGE": "cs"}, "yamada má poslat rozkazy"),
        ({"LANG": "C.UTF-8"}, "yamada has to send orders"),
    ],
)
def test_without_a_word_the_machines_own_language_is_spoken(
    game: Path, monkeypatch: pytest.MonkeyPatch, machine: dict[str, str], said: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in machine.items():
        monkeypatch.setenv(name, value)
    told = must("status", "-g", "axis")
    assert said in told and ("has to send" in told) == ("has to send" in said)


def test_commands_that_take_it_take_it_behind_them_too(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", "pl")
    assert "1 ordre est valable." in must("check", "--order", "done", "-g", "axis", "--language", "fr")
    assert "1 rozkaz je v pořádku." in must("--language", "cs", "check", "--order", "done", "-g", "axis")
    assert "1 rozkaz jest prawidłowy." in must("check", "--order", "done", "-g", "axis")
    assert "nákup jednotek" in run("play", str(game / "g"), "--language", "cs").out


def test_programs_are_told_in_english(game: Path) -> None:
    refused = run("--language", "ru", "check", "--order", "x", "-g", "axis", "--json")
    assert refused.code == 1 and json.loads(refused.out)["outcome"] == "refused by rule"
    assert "cannot be read" in json.loads(refused.out)["problems"][0]


def test_refusals_come_with_line_verdict_and_what_was_asked(game: Path) -> None:
    Path("wrong.yaml").write_text("orders:\n  - done\n  - buy: 900 tank\n")
    refused = run("--language", "pl", "check", "wrong.yaml", "-g", "axis")
    assert refused.code == 1 and refused.err.startswith("odrzucone: rozkaz 2: ")
    assert "wrong.yaml:3" in refused.err and "tutaj pytanie brzmi: " in refused.err


def test_errors_of_the_folder_and_of_the_language_itself(game: Path) -> None:
    missing = run("--language", "cs", "status", "-g", "nowhere")
    assert missing.code == 5 and "není složka hry" in missing.err
    unknown = run("--language", "tlh", "status", "-g", "axis")
    assert unknown.code == 1 and "there is no language 'tlh'; en, pl, ru, fr, cs" in unknown.err


def test_a_draft_is_commented_in_the_language_and_can_be_read(game: Path) -> None:
    must("--language", "cs", "orders", "-g", "axis", "--to", "draft.yaml")
    assert "má poslat rozkazy" in Path("draft.yaml").read_text("utf-8")
    assert "žádný rozkaz" in must("--language", "cs", "check", "draft.yaml", "-g", "axis")
    must("--language", "pl", "orders", "-g", "axis", "--to", "draft.yaml")  # nobody has edited it
    Path("draft.yaml").write_text("orders:\n  - buy: 1 infantry\n")
    kept = run("--language", "pl", "orders", "-g", "axis", "--to", "draft.yaml")
    assert kept.code == 1 and "nie będzie nadpisany" in kept.err
    must("--language", "pl", "orders", "-g", "axis", "--continue", "draft.yaml")
    assert "# dalej: " in Path("draft.yaml").read_text("utf-8")


def test_what_other_players_get_is_english(game: Path) -> None:
    speech.begin("pl")
    assert speech.text(msg("The game is over: {result}.", result="x")) == "Gra jest skończona: x."
    with speech.for_others():
        assert speech.text(msg("The game is over: {result}.", result="x")) == "The game is over: x."
    assert speech.speak("The game ends.") == "Gra się kończy."
    speech.begin("")

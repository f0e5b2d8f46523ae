"""What a player reads is in his language: no English sentence of a catalogue is left in the output of a command."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from pbem import games
from pbem.cli import speech
from tests.commands import must, run
from tests.report import catalogues

PLACE = re.compile(r"\{[^{}]*\}")
WORDS = 3  # fewer in a row may be a name, or stand in a command


@cache
def english() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    """Every English sentence of the commands whose Polish is another one, with anything in its places; before it its words."""
    found = []
    for id, polish in catalogues.translations("pl", "cli").items():
        for form in (id,) if isinstance(id, str) else id:
            fixed = [part.strip() for part in PLACE.split(form)]
            if polish != id and max(len(part.split()) for part in fixed) >= WORDS:
                found.append((tuple(PLACE.split(form)), re.compile(".+?".join(map(re.escape, PLACE.split(form))), re.DOTALL)))
    return tuple(found)


def left_in(shown: str) -> list[str]:
    """The English sentences that stand in an output."""
    near = (pattern for words, pattern in english() if all(part in shown for part in words))  # a search alone takes long
    return [pattern.pattern for pattern in near if pattern.search(shown)]


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(speech.VARIABLE, "pl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("polish")
def test_english_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(speech.VARIABLE, "en")
    assert left_in(must("tutorial")) and left_in(must("charts", "pacific-war"))


def test_a_judged_game(polish: Path) -> None:
    run("play", "g", stdin="done\nmove: 3 infantry from Kwangsi to Yunnan\ndone\nsend\n")
    shown = [must("dispute", "--to", "d.txt", "-g", "g/axis"), run("judge", "d.txt").out, must("status", "-g", "g/axis")]
    whole = Path("d.txt").read_text()
    Path("d.txt").write_text(whole.replace("Kwangsi", "Kwangsu"))
    shown += [run("judge", "d.txt").out, run("judge", "nothing").err]
    assert "podpisy, łańcuch" in shown[1] and [left_in(one) for one in shown] == [[]] * len(shown)


def test_the_tutorial(polish: Path) -> None:
    shown = [must("tutorial")]
    shutil.rmtree(polish / "pbem-tutorial" / "nowak")
    (polish / "pbem-tutorial" / "tutorial.txt").unlink()
    shown.append(run("tutorial").err)
    assert "Krok 1: " in shown[0] and [left_in(one) for one in shown] == [[], []]


def test_a_scenario_with_faults(polish: Path) -> None:
    Path("mine.yaml").write_text(
        "game: axis-and-allies-pacific\nextends: spring-1940\ntitle: [1]\nzeppelins: 3\nunits: tanks.yaml\n"
    )
    Path("none.yaml").write_text("game: chess\n")
    shown = [run("scenario", "check", name).out for name in ("mine.yaml", "none.yaml")]
    assert "nie jest tu kluczem" in shown[0] and "nie ma gry" in shown[1]
    assert [left_in(one) for one in shown] == [[], []]


@pytest.mark.usefixtures("polish")
def test_charts_scenarios_and_rules() -> None:
    shown = [must("charts", "pacific-war"), must("scenarios", "next-war"), must("rules", "next-war", "7.5.2")]
    assert [left_in(one) for one in shown] == [[]] * len(shown)


def test_scenarios_without_a_system_are_those_of_all() -> None:
    shown = must("scenarios")
    assert "empire-of-the-sun: burma, campaign-1941" in shown and "pbem scenarios SYSTEM" in shown
    assert all(f"{system}: " in shown for system in games.titles())

"""Rules and cards looked up as a player does it: with and without a game at hand, by id, by words, for programs."""

from __future__ import annotations

import json
import subprocess
import sys
from gettext import NullTranslations
from pathlib import Path
from types import ModuleType

import pytest

from pbem import games
from pbem.cli import completion, rules, speech
from pbem.games.index import RuleIndex, index_beside
from pbem.games.module import GameModule
from pbem.kernel.orders import Rejected
from pbem.report import languages
from tests.toygame.skirmish import GAME as SKIRMISH

NOWHERE = Path("/nowhere")


def game_folder(path: Path, system: str, edition: str) -> Path:
    """A folder with as much of a game in it as a look-up needs."""
    path.mkdir()
    (path / "pbem.json").write_text("{}")
    (path / "charter.yaml").write_text(f"system: {system}\nrules: {edition}\n")
    return path


def told(path: Path, *words: str) -> str:
    return rules.rules(path, words)[1]


# -- rules -----------------------------------------------------------------------------------------------------------------


def test_a_rule_is_told_whole() -> None:
    lines = told(NOWHERE, "axis-and-allies-pacific", "GC-14").splitlines()
    assert lines[0] == "GC-14 Aircraft against submarines" and "destroyer" in lines[1]
    assert lines[2] == "In the book: General combat, step 4, page 17"
    assert any(line.startswith("  AMB-SUB-ONLY: When nobody can hit anybody the battle ends and both stay. ") for line in lines)
    assert "  GC-14-01 DX-19 Aircraft do not hit a submarine without a destroyer" in lines
    assert any(line.startswith("  pbem/games/axis_and_allies_pacific/battle.py:") for line in lines)


def test_a_code_place_is_the_line_of_the_function() -> None:
    path, line = games.load("next-war").index().place("sealift.read_poise")
    assert path.read_text().splitlines()[line - 1].startswith("def read_poise(")
    with pytest.raises(LookupError):
        games.load("next-war").index().place("sealift.read_nothing")


def test_small_letters_will_do() -> None:
    assert told(NOWHERE, "axis-and-allies-pacific", "gc-14") == told(NOWHERE, "axis-and-allies-pacific", "GC-14")


def test_a_parent_a_stem_and_a_range_answer_with_their_children() -> None:
    assert "8.5.2 Air Transport" in told(NOWHERE, "next-war", "8.5")
    assert told(NOWHERE, "axis-and-allies-pacific", "POL").startswith("POL-JP-01  ")
    assert [line.split()[0] for line in told(NOWHERE, "axis-and-allies-pacific", "GC-13..15").splitlines()] == [
        "GC-13", "GC-14", "GC-15",
    ]  # fmt: skip
    assert told(NOWHERE, "empire-of-the-sun", "16.4").startswith("16.41  ")


def test_words_are_searched_whatever_their_endings() -> None:
    assert told(NOWHERE, "next-war", "removed", "beachhead").startswith("8.5.8.2.1 Removing a Beachhead")
    assert "GC-14" in told(NOWHERE, "axis-and-allies-pacific", "aircraft submarines").splitlines()[0]
    with pytest.raises(Rejected, match="no rule of Next War has 'zeppelin'"):
        told(NOWHERE, "next-war", "zeppelin")


def test_a_ruling_tells_what_it_is_about() -> None:
    shown = told(NOWHERE, "next-war", "A-30")
    assert "Airfield, Town, Installation" in shown and "9.6.2 Places in the hex" in shown
    assert "A-30: " in told(NOWHERE, "next-war", "9.6.2")


def test_all_rules_are_listed_with_the_note_on_their_ids() -> None:
    shown = told(NOWHERE, "pacific-war").splitlines()
    assert "the program's own" in shown[0] and len(shown) == len(games.load("pacific-war").index().entries) + 1


def test_in_a_game_the_system_need_not_be_named(tmp_path: Path) -> None:
    folder = game_folder(tmp_path / "g", "next-war", "source")
    assert told(folder, "9.2.4") == told(NOWHERE, "next-war", "9.2.4")
    assert told(folder, "axis-and-allies-pacific", "GC-14").startswith("GC-14")


def test_players_of_the_first_edition_read_their_own_numbers(tmp_path: Path) -> None:
    first = game_folder(tmp_path / "first", "empire-of-the-sun", "1st-2005")
    second = game_folder(tmp_path / "second", "empire-of-the-sun", "2nd-2015")
    assert told(first, "11.32").startswith("1e-11.32 Strategic bombing")
    assert told(second, "11.32").startswith("11.32 ") and "replacement" in told(second, "11.32").lower()
    assert told(first, "1e-11.32") == told(second, "1e-11.32") == told(first, "11.32")
    assert "1e-13.31" in told(first, "13.3")


def test_without_a_game_the_system_is_asked_for() -> None:
    with pytest.raises(Rejected, match=r"GC-14 is a section: name the game before it; axis-and-allies-pacific"):
        told(NOWHERE, "GC-14")
    with pytest.raises(Rejected, match="name the game"):
        told(NOWHERE)
    with pytest.raises(Rejected, match="did you mean next-war"):
        told(NOWHERE, "next-wars", "8.5")


def test_a_rule_that_does_not_apply_says_why() -> None:
    assert "Not applicable: chips under miniatures" in told(NOWHERE, "axis-and-allies-pacific", "SETUP-07")


# -- cards -----------------------------------------------------------------------------------------------------------------


def test_a_card_by_its_number_and_by_words() -> None:
    shown = rules.card(NOWHERE, ["j15"])[1]
    assert shown.startswith("J15 Mahatma Gandhi (political)\noperations 3; OC 5; removed after the event\n")
    assert "In the edition 1st-2005: It takes India from Stable to Unrest" in shown and "[5.34 Political events]" in shown
    assert rules.card(NOWHERE, ["weather"])[1].splitlines()[0].endswith("Weather (reaction, weather)")


def test_a_card_is_found_among_the_rules_too() -> None:
    assert rules.rules(NOWHERE, ["empire-of-the-sun", "j16"]) == rules.card(NOWHERE, ["J16"])


def test_a_card_in_the_edition_at_hand(tmp_path: Path) -> None:
    first = game_folder(tmp_path / "first", "empire-of-the-sun", "1st-2005")
    second = game_folder(tmp_path / "second", "empire-of-the-sun", "2nd-2015")
    assert "Stable to Unrest" in rules.card(first, ["J15"])[1] and "Stable to Unrest" not in rules.card(second, ["J15"])[1]


def test_a_game_without_cards_says_so(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="has no cards"):
        rules.card(game_folder(tmp_path / "g", "next-war", "source"), ["J15"])
    with pytest.raises(Rejected, match="no card has"):
        rules.card(NOWHERE, ["zeppelin"])


# -- the command line, the shell, other packages ---------------------------------------------------------------------------


def run(*words: str) -> str:
    return subprocess.run([sys.executable, "-m", "pbem", *words], capture_output=True, text=True, check=True).stdout


def test_for_programs() -> None:
    rule = json.loads(run("rules", "axis-and-allies-pacific", "GC-14", "--json"))
    assert rule["title"] == "Aircraft against submarines" and rule["at"] == {
        "chapter": "General combat",
        "step": "4",
        "page": 17,
    }
    assert {"id": "GC-14-01", "title": "DX-19 Aircraft do not hit a submarine without a destroyer"} in rule["cases"]
    assert json.loads(run("card", "J15", "--json"))["name"] == "Mahatma Gandhi"


class Asked:
    """What the shell has read so far."""

    def __init__(self, game: Path, *words: str) -> None:
        self.params = {"game": game, "words": [*words]}


def test_the_shell_offers_systems_then_sections(tmp_path: Path) -> None:
    assert completion.sections(Asked(tmp_path), "next") == ["next-war"]  # type: ignore[arg-type]
    assert "8.5.8.2.1" in completion.sections(Asked(tmp_path, "next-war"), "8.5")  # type: ignore[arg-type]
    folder = game_folder(tmp_path / "g", "empire-of-the-sun", "2nd-2015")
    assert "J15" in completion.sections(Asked(folder), "J1")  # type: ignore[arg-type]


def test_a_game_that_brings_no_index_has_an_empty_one() -> None:
    assert isinstance(SKIRMISH, GameModule) and not SKIRMISH.index().entries and not SKIRMISH.index().cards
    assert SKIRMISH.index().label("S5") == "S5" and not SKIRMISH.index().knows("S5")
    assert index_beside(type(SKIRMISH)).folder is None and not RuleIndex().rulings


def test_a_game_of_another_package_brings_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 'sections: {B-1: {title: Bridges, at: {chapter: Rivers}, says: "One unit crosses.", status: implemented}}'
    (tmp_path / "sections.yaml").write_text(rows)
    package = ModuleType("brought")
    package.__file__ = str(tmp_path / "brought.py")
    monkeypatch.setitem(sys.modules, "brought", package)
    brought = index_beside(type("Brought", (), {"__module__": "brought"}))
    assert brought.label("B-1") == "B-1 Bridges" and not brought.rulings and not brought.cards


# -- in other languages ----------------------------------------------------------------------------------------------------


class Spoken(NullTranslations):
    """A catalogue of an index of rules, with a few texts in it."""

    def gettext(self, message: str) -> str:
        polish = {"Aircraft against submarines": "Lotnictwo przeciw okrętom podwodnym", "Introduction": "Wstęp"}
        return {**polish, "General combat": "Walka"}.get(message, message)


@pytest.fixture
def polish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "_command", speech._Command())
    monkeypatch.setenv(speech.VARIABLE, "pl")
    monkeypatch.setattr(languages, "_rules", lambda code, game: Spoken())


@pytest.mark.usefixtures("polish")
def test_a_rule_is_told_in_the_players_language_as_far_as_there_are_words() -> None:
    lines = told(NOWHERE, "axis-and-allies-pacific", "GC-14").splitlines()
    assert lines[0] == "GC-14 Lotnictwo przeciw okrętom podwodnym"
    assert "destroyer" in lines[1], "what has no translation yet is told in English"
    assert lines[2] == "W instrukcji: Walka, krok 4, strona 17"
    assert told(NOWHERE, "next-war").splitlines()[0].split() == ["1.0", "Wstęp"]


@pytest.mark.usefixtures("polish")
def test_rules_are_found_by_words_of_both_languages() -> None:
    for words in (("okrętom", "podwodnym"), ("aircraft", "hurt", "submarines", "destroyer")):
        assert "Lotnictwo przeciw okrętom podwodnym" in told(NOWHERE, "axis-and-allies-pacific", *words).splitlines()[0], words


@pytest.mark.usefixtures("polish")
def test_programs_are_told_rules_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pbem", "rules", "--json"])
    assert rules.rules(NOWHERE, ["next-war", "1.0"])[0]["title"] == "Introduction"  # type: ignore[index,call-overload]


@pytest.mark.usefixtures("polish")
def test_english_needs_no_words_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load("next-war")
    assert languages.rules_in("pl", game) is not game.index()
    assert languages.rules_in("en", game) is game.index()


def test_the_catalogue_is_read_when_a_title_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(languages, "_rules", lambda code, game: asked.append(f"{code} {game}") or Spoken())
    index = languages.rules_in("fr", games.load("next-war"))
    assert asked == []
    assert index.label("1.0") == "1.0 Wstęp" and {*asked} == {"fr next_war"}

"""What a session says in another language has no English in it but what is typed: helps, odds, reviews, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import games
from pbem.cli import speech
from pbem.cli.asides import ASIDES
from pbem.cli.playing import HELP
from pbem.kernel.wording import english, linked, verbatim
from pbem.odds.forecast import Forecast, in_words
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.languages import LANGUAGES, language
from pbem.report.quoting import things_told
from pbem.runtime.paper import read_paper
from pbem.store import library
from tests.commands import ORDERS, begun, inside, must, run

OTHERS = [code for code in LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", OTHERS)
def test_the_words_of_arguments_are_told(code: str) -> None:
    for usage in [*(one[0] for one in HELP), *(one[0] for one in ASIDES.values())]:
        verb, _, argument = language(code).text(usage).partition(" ")
        assert english(usage).startswith(verb), "what is typed stays"
        assert not argument or argument != english(usage).partition(" ")[2] or "TEXT" in argument or " v " in argument


def test_odds_name_units_and_set_numbers_as_the_reader_does() -> None:
    told = Forecast(verbatim("x"), {"win": 0.691}, survivors={"the attacker": {"3 infantry, 1 artillery": 0.5, "nothing": 0.5}})
    french = language("fr", ("axis_and_allies_pacific",))
    game = games.load("axis-and-allies-pacific")
    words, state = game.words(), game.start(library.load_scenario(game, "spring-1940"), {})
    line = in_words(told, french.text, lambda text: things_told(text, lambda word: words.named(state, word)))
    assert "victoire 69,1" in line and "3 infanteries, 1 artillerie 50,0" in line and "rien 50,0" in line
    assert "win 69.1%" in in_words(told) and "3 infantry, 1 artillery 50.0%" in in_words(told)


def test_a_label_has_the_colon_of_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(speech.VARIABLE, "fr")
    speech.begin("")
    assert speech.labelled(Outcome.REFUSED.told, "x") == language("fr").text(linked(": ", Outcome.REFUSED.told, "x"))
    assert "\N{NO-BREAK SPACE}: x" in speech.labelled(Outcome.REFUSED.told, "x")


@pytest.mark.parametrize(
    "text",
    [
        "orders: [",
        "orders: [a\nb: c",
        "orders: {a\n",
        "a: b: c",
        "- a\nb: c",
        "a:\n\t- b",
        "orders:\n  - b: 3\n - done",
        "a: 'x\n",
    ],
)
def test_what_is_wrong_with_yaml_is_said_in_words(text: str) -> None:
    with pytest.raises(ProtocolError) as raised:
        read_paper(text)
    for code in OTHERS:
        told = language(code).text(raised.value.message)
        assert told != english(raised.value.message) and "expect" not in told and "found" not in told and "values" not in told


def test_what_came_in_is_told_with_the_colons_of_the_language(tmp_path: Path) -> None:
    with inside(tmp_path):
        begun()
        Path("o.yaml").write_text(ORDERS)
        must("send", "o.yaml", "-g", "axis", "--yes")
        must("receive", "axis/outbox", "-g", "allies")
        again = run("--language", "fr", "receive", "axis/outbox", "-g", "allies").out
    first = again.splitlines()[0]
    assert (
        first.startswith("0001-yamada.yaml : déjà connu : le fichier 1 de yamada ") and "l:" not in first and "u:" not in first
    )

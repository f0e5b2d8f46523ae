"""Section numbers: the module's are the second edition's, and players of the first edition read their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pbem.games.empire_of_the_sun.events.politics import WillChanged
from pbem.games.empire_of_the_sun.events.turns import PhaseBegan, Won
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.numbering import first_number
from pbem.games.empire_of_the_sun.victory import HOLDS_OUT
from pbem.games.empire_of_the_sun.words.telling import tell
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor, emit
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.report.languages import language
from tests.empire_of_the_sun import table

FOLDER = Path(__file__).parents[2] / "pbem" / "games" / "empire_of_the_sun"
SECTIONS = set(yaml.safe_load((FOLDER / "sections.yaml").read_text("utf-8"))["sections"])
ONLY_SECOND = {"6.25", "13.77", "13.79"}


def cited() -> Iterator[tuple[str, str]]:
    """Every text of the module that is nothing but a section number, with its place."""
    for path in sorted(FOLDER.rglob("*.py")):
        if path.name == "numbering.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = re.fullmatch(r"(\d+\.\d+)( F\d)?", node.value)
                if found:
                    yield found[1], f"{path.name}:{node.lineno}"


def known(number: str, prefix: str) -> bool:
    """A section of the list, one below it, or a heading over some of them."""
    wanted = prefix + number.removesuffix("0") if number.endswith(".0") else prefix + number
    return any(s.startswith(wanted) or (wanted.startswith(s) and s.startswith(prefix)) for s in SECTIONS)


def test_every_cited_number_is_a_section_of_both_editions() -> None:
    places = list(cited())
    assert len(places) > 300
    in_both = range(6, 14)  # what follows is printed in the first edition alone, for scenarios of both
    assert [p for p in places if int(p[0].split(".")[0]) in in_both and not known(p[0], "")] == []
    assert [p for p in places if p[0] not in ONLY_SECOND and not known(first_number(p[0]), "1e-")] == []


def test_docstrings_cite_the_second_edition_or_say_which() -> None:
    strange = []
    for path in sorted(FOLDER.rglob("*.py")):
        for prefix, number in re.findall(r"\[(1e-)?(\d+\.\d+)", path.read_text("utf-8")):
            if (prefix or int(number.split(".")[0]) in range(6, 14)) and not known(number, prefix):
                strange.append((path.name, prefix + number))
    assert strange == []


@pytest.mark.parametrize(
    ("second", "first"),
    [
        ("7.21", "6.21"),
        ("6.21", "13.1"),
        ("8.41", "7.42"),
        ("9.2 F5", "8.2 F5"),
        ("13.1", "12.0"),
        ("16.47", "16.47"),
        ("HITS", "HITS"),
    ],
)
def test_first_numbers(second: str, first: str) -> None:
    assert first_number(second) == first


def begun(edition: str) -> Engine:
    """A Japanese impulse of December 1941 in some edition: the question what is played."""
    scenario = table.scenario("campaign-1941")
    g = GAME.start(scenario, {"rules": edition})
    g.turn, g.active, g.hands = 5, "japan", {"japan": ["J26", "J9"], "allies": ["A5"]}
    g.stack = [Cursor("impulse", [])]
    g.memo.forget()
    return Engine(GAME, scenario, g)


@pytest.mark.parametrize(("edition", "section"), [("2nd-2015", "12.4"), ("1st-2005", "11.4")])
def test_refusals_name_the_section_of_the_edition(edition: str, section: str) -> None:
    engine = begun(edition)
    with pytest.raises(Rejected) as refused:
        engine.reply("pass")
    assert [p.rule for p in refused.value.problems] == [section]


@pytest.mark.parametrize(("edition", "section"), [("2nd-2015", "7.21"), ("1st-2005", "6.21")])
def test_questions_name_the_section_of_the_edition(edition: str, section: str) -> None:
    engine = begun(edition)
    engine.reply({"play": "J9"})
    engine.reply({"operations": "South Seas HQ"})
    assert isinstance(engine.request, Ask)
    assert (engine.request.kind, engine.request.rule) == ("activate", section)


@pytest.mark.parametrize(("edition", "section"), [("2nd-2015", "13.62"), ("1st-2005", "12.62")])
def test_reports_and_results_name_the_section_of_the_edition(edition: str, section: str) -> None:
    g = begun(edition).state
    told = [tell(g, event) for event in (PhaseBegan(6, "Offensives Phase", "4.2"), WillChanged(-1, "losses", "13.62"))]
    assert [t.rule for t in told if t] == ["4.2", section]
    emit(g, Won("japan", HOLDS_OUT, "13.62"))
    result = GAME.result(g)
    assert result is not None and result.rule == section


def test_rivals_are_named() -> None:
    """[14.2] Which service a counter belongs to stands on it, not in its name: who is refused reads which are which."""
    engine = begun("2nd-2015")
    engine.state.rivalry = ["japan"]
    engine.reply({"play": "J9"})
    engine.reply({"operations": "South Seas HQ"})
    with pytest.raises(Rejected) as refused:
        engine.reply({"activate": "CVL Ryujo, 16th Army"})
    assert [language("en", ("empire_of_the_sun",)).text(p.legal) for p in refused.value.problems] == [
        "only the Army (16th Army) or only the Navy (CVL Ryujo)"
    ]


def test_of_two_headquarters_of_one_name_the_one_on_the_map_leads() -> None:
    """Ozawa's Combined Fleet HQ comes when Yamamoto's is gone [Empire of the Sun 6.11]."""
    engine = begun("2nd-2015")
    engine.reply({"play": "J9"})
    with pytest.raises(Rejected):
        engine.reply({"operations": "Combined Fleet HQ (Ozawa)"})
    engine.reply({"operations": "Combined Fleet HQ"})
    assert engine.state.offensive is not None and engine.state.offensive.hq == "hq-yamamoto"


def test_samples_name_their_hexes_and_cards() -> None:
    """An order gives hexes and cards by number; beside a sample of one stands how they are called, unless the order does."""
    game, state = GAME, begun("2nd-2015").state
    assert game.names_in(state, {"assault": "4th SN Brigade to 3823"}) == ["Port Moresby 3823"]
    assert game.names_in(state, {"battle": "3823 with CV Akagi"}) == ["Port Moresby 3823"]
    assert game.names_in(state, {"move": "CV Akagi to 3919"}) == game.names_in(state, "done") == []
    assert game.names_in(state, {"move": "CV Akagi to Rabaul 4021"}) == []
    assert game.names_in(state, {"play": "J16"}) == ["Operation RI"] and game.names_in(state, "pass") == []
    assert game.names_in(state, {"play": ["J16"]}) == game.names_in(state, {"play": "J99"}) == []

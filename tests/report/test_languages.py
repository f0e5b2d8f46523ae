"""Catalogues: nothing is untranslated, every place of a sentence is kept, what is shipped is what was written."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest
import yaml

from pbem.kernel.orders import Rejected
from pbem.kernel.wording import Message, counted, msg
from pbem.report.languages import language
from tests.report import catalogues
from tests.report.catalogues import TRANSLATED

EVERY = [(code, domain) for domain in catalogues.domains() for code in TRANSLATED]
RULES = [(code, domain) for domain in catalogues.rule_domains() for code in TRANSLATED]
GLOSSARY = {  # terms of the Czech rulebook of Pacific 1940 and of the Polish, Russian and French ones of its neighbours
    "cs": {
        "Noncombat Move": "Nebojový pohyb",
        "Mobilize New Units": "Mobilizace nových jednotek",
        "shore bombardment": "podpůrná palba",
        "casualties": "ztráty",
        "Burma": "Barma",
        "Calcutta": "Kalkata",
    },
    "pl": {"press the attack or retreat": "dalszy atak czy odwrót", "Axis": "Oś", "Politics": "Polityka"},
    "ru": {"scramble aircraft": "подъём дежурной авиации", "Allies": "Союзники"},
    "fr": {"Losses": "Pertes", "shore bombardment": "bombardement côtier"},
}


def places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_no_sentence_hides_in_an_f_string() -> None:
    """Catalogues are gathered from calls; those inside an f-string are not seen by every Python."""
    hidden = []
    for path in sorted(Path(catalogues.ROOT, "pbem").rglob("*.py")):
        formatted = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.JoinedStr)]
        for call in (node for one in formatted for node in ast.walk(one) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name in catalogues.KEYWORDS and call.args and isinstance(call.args[0], ast.Constant):
                hidden.append(f"{path.name}:{call.lineno} {call.args[0].value}")
    assert hidden == []


@pytest.mark.parametrize(("code", "domain"), EVERY)
def test_nothing_is_untranslated(code: str, domain: str) -> None:
    held = catalogues.catalogue(code, domain)
    known = {entry.id: entry.string for entry in held if entry.id}
    wanted = catalogues.ids(domain)
    assert [message for message in wanted if message not in known] == []
    assert [message for message in known if message not in wanted] == [], "left over: python -m tests.report.catalogues"
    empty = [i for i, text in known.items() if not all(text if isinstance(text, tuple) else (text,))]
    assert empty == []


@pytest.mark.parametrize(("code", "domain"), RULES)
def test_of_an_index_of_rules_ever_less_is_untranslated(code: str, domain: str) -> None:
    """Titles and card names are to be whole; how much is missing may only fall: `python -m tests.report.catalogues --fill`."""
    allowed = yaml.safe_load(catalogues.UNTRANSLATED.read_text("utf-8"))[domain][code]
    missing = {part: len(catalogues.gaps(code, domain, part)) for part in catalogues.PARTS}
    assert {part: n for part, n in missing.items() if n > allowed[part]} == {}
    held, wanted = catalogues.translations(code, domain), catalogues.ids(domain)
    assert [message for message in held if message not in wanted] == [], "left over: python -m tests.report.catalogues"
    assert "" not in held.values()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Catalogues to be written to in a test."""
    monkeypatch.setattr(catalogues, "po_path", lambda code, domain: tmp_path / code / f"{domain}.po")
    monkeypatch.setattr(catalogues, "UNTRANSLATED", tmp_path / "untranslated.yaml")
    return tmp_path


def test_gaps_are_written_filled_in_and_taken_back(elsewhere: Path) -> None:
    rows = catalogues.gaps("pl", "rules_next_war", "titles")
    rows.sort(key=lambda row: row["at"] != "1.0")
    assert rows[0] == {"at": "1.0", "english": "Introduction", "text": ""}
    rows[0]["text"] = "Wstęp"
    assert catalogues.fill("pl", "rules_next_war", rows) == 1
    assert sorted(catalogues.gaps("pl", "rules_next_war", "titles"), key=str) == sorted(rows[1:], key=str)
    assert catalogues.translations("pl", "rules_next_war") == {"Introduction": "Wstęp"}
    missing = yaml.safe_load((elsewhere / "untranslated.yaml").read_text("utf-8"))["rules_next_war"]
    assert missing["pl"]["titles"] == missing["fr"]["titles"] - 1 == len(rows) - 1


def test_gaps_of_counted_sentences_have_as_many_forms_as_the_language(elsewhere: Path) -> None:
    counted = [row for row in catalogues.gaps("pl", "report") if isinstance(row["english"], list)]
    assert counted and all(row["text"] == ["", "", ""] for row in counted)
    assert catalogues.fill("pl", "report", [{**counted[0], "text": ["jeden", "dwa", "pięć"]}]) == 1
    assert len([row for row in catalogues.gaps("pl", "report") if isinstance(row["english"], list)]) == len(counted) - 1
    with pytest.raises(ValueError, match="no message of report: Wednesday"):
        catalogues.fill("pl", "report", [{"english": "Wednesday", "text": "środa"}])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--gaps", "pl", "rules_nextwar"], "there is no catalogue 'rules_nextwar': report, cli, "),
        (["--gaps", "pl", "rules_next_war", "cards"], "there is no part of rules_next_war 'cards': titles, says, rulings"),
        (["--gaps", "pl", "cli", "titles"], "there is no part of cli 'titles': it has no parts"),
        (["--gaps", "xx", "cli"], "there is no language 'xx': pl, ru, fr, cs"),
        (["--gaps", "pl"], "--gaps LANG DOMAIN [PART]"),
        (["--fill", "pl", "clim", str(catalogues.UNTRANSLATED)], "there is no catalogue 'clim': report, cli, "),
        (["--fill", "pl", "cli", "gone.yaml"], "gone.yaml"),
        (["--fill", "pl", "cli", __file__], "expected '<document start>'"),
    ],
)
def test_a_name_that_is_none_is_refused_with_those_there_are(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        catalogues.main(words)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("code", "domain"), [*EVERY, *RULES])
def test_every_translation_has_the_places_of_its_sentence(code: str, domain: str) -> None:
    for entry in catalogues.catalogue(code, domain):
        if not entry.id:
            continue
        ids = entry.id if isinstance(entry.id, tuple) else (entry.id,)
        texts = entry.string if isinstance(entry.string, tuple) else (entry.string,)
        assert {frozenset(places(t)) for t in texts} == {frozenset(places(ids[0]))}, entry.id
        if len(ids) == len(texts) == 1:
            assert places(texts[0]) == places(ids[0]), f"said twice, or less often: {entry.id}"


@pytest.mark.parametrize(("code", "domain"), [*EVERY, *RULES])
def test_the_shipped_catalogue_is_the_compiled_one(code: str, domain: str) -> None:
    assert catalogues.po_path(code, domain).with_suffix(".mo").read_bytes() == catalogues.compiled(code, domain)


@pytest.mark.parametrize("code", TRANSLATED)
def test_terms_of_the_rulebooks(code: str) -> None:
    words = language(code, ("axis_and_allies_pacific",))
    assert {term: words.text(msg(term)) for term in GLOSSARY[code]} == GLOSSARY[code]


def test_plural_forms_follow_the_language() -> None:
    polish = language("pl", ("axis_and_allies_pacific",))
    tanks = [polish.text(counted("{n} tank", "{n} tanks", n)) for n in (1, 2, 5, 22)]
    assert tanks == ["1 czołg", "2 czołgi", "5 czołgów", "22 czołgi"]
    french = language("fr", ("axis_and_allies_pacific",))
    assert french.text(counted("{n} tank", "{n} tanks", 0)) == "0 char"


def test_a_message_inside_a_message_is_translated_too() -> None:
    inner = Message("Battle: {place}", {"place": msg("sea zone {number}", number=6)})
    assert language("cs", ("axis_and_allies_pacific",)).text(inner) == "Bitva: námořní zóna 6"


@pytest.mark.parametrize("code", ["pl", "PL", "pl_PL.UTF-8", "pl-PL"])
def test_locale_names_are_understood(code: str) -> None:
    assert language(code).code == "pl"


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(Rejected) as refused:
        language("tlh")
    assert "en, pl, ru, fr, cs" in str(refused.value)


def test_a_game_without_a_catalogue_speaks_english() -> None:
    words = language("pl", ("no_such_game",))
    assert words.text(msg("Combat Move")) == "Combat Move" and words.text(msg("Losses")) == "Straty"


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_journey_is_told_the_same_way_whatever_the_game(code: str) -> None:
    """Neighbours in one short report, whose names have no cases: an arrow between them, in all games or in none."""
    held = [m for domain in catalogues.domains() for m in catalogues.catalogue(code, domain) if m.id]
    told = {m.id: str(m.string) for m in held if isinstance(m.id, str) and "from {origin} to {place}: {things}" in m.id}
    assert len(told) > 5 and all("{origin} → {place}" in text for text in told.values()), told

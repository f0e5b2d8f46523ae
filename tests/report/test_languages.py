"""Catalogues: nothing is untranslated, every place of a sentence is kept, what is shipped is what was written."""

from __future__ import annotations

import string

import pytest

from pbem.kernel.orders import Rejected
from pbem.kernel.wording import Message, counted, msg
from pbem.report.languages import language
from tests.report import catalogues
from tests.report.catalogues import TRANSLATED

EVERY = [(code, domain) for domain in catalogues.domains() for code in TRANSLATED]
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


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("code", "domain"), EVERY)
def test_nothing_is_untranslated(code: str, domain: str) -> None:
    held = catalogues.catalogue(code, domain)
    known = {entry.id: entry.string for entry in held if entry.id}
    wanted = catalogues.ids(domain)
    assert [message for message in wanted if message not in known] == []
    assert [message for message in known if message not in wanted] == [], "left over: python -m tests.report.catalogues"
    empty = [i for i, text in known.items() if not all(text if isinstance(text, tuple) else (text,))]
    assert empty == []


@pytest.mark.parametrize(("code", "domain"), EVERY)
def test_every_translation_has_the_places_of_its_sentence(code: str, domain: str) -> None:
    for entry in catalogues.catalogue(code, domain):
        if not entry.id:
            continue
        ids = entry.id if isinstance(entry.id, tuple) else (entry.id,)
        texts = entry.string if isinstance(entry.string, tuple) else (entry.string,)
        assert {frozenset(places(t)) for t in texts} == {frozenset(places(ids[0]))}, entry.id


@pytest.mark.parametrize(("code", "domain"), EVERY)
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

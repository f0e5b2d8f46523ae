"""Translations are set as their language has it, whatever the translator typed."""

from __future__ import annotations

import pytest

from pbem.kernel.wording import Message, linked, msg
from pbem.report.languages import language
from tests.report.typesetting import typeset

NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("code", "typed", "shown"),
    [
        ("fr", "l'unité {unit} n'est pas ici : au plus {n} % ; « sinon » ?",
         f"l’unité {{unit}} n’est pas ici{NBSP}: au plus {{n}}{NBSP}%{NBSP}; «{NBSP}sinon{NBSP}»{NBSP}?"),
        ("fr", "qu'{autre} : `don't : 'x' -1`", f"qu’{{autre}}{NBSP}: `don't : 'x' -1`"),
        ("fr", "pip install 'pbem[png]'", "pip install 'pbem[png]'"),
        ("ru", "{unit} – не часть, 1–5 — нет", f"{{unit}}{NBSP}— не часть, 1–5{NBSP}— нет"),
        ("pl", "Rajd Doolittle'a, od -2 do +3, 10-12", "Rajd Doolittle’a, od −2 do +3, 10-12"),
        ("cs", "džungle -1, 9-10 – úspěch", "džungle −1, 9-10 – úspěch"),
    ],
)  # fmt: skip
def test_a_text_is_set(code: str, typed: str, shown: str) -> None:
    assert typeset(code, typed) == shown
    assert typeset(code, shown) == shown


def test_what_is_shown_is_set() -> None:
    assert language("fr").text(linked(": ", "a", "b")) == f"a{NBSP}: b"
    assert language("ru").text(linked(" – ", "a", "b")) == f"a{NBSP}— b"
    assert "’" in language("fr").text(msg("Give me a hint"))
    assert language("fr").text(Message("{n}", {"n": -2})) == "−2"

"""Golden reports of the recorded game in every format and language; `python -m tests.report.test_golden` writes them anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import games
from pbem.kernel.orders import Problem
from pbem.report import render
from pbem.report.languages import LANGUAGES, Language, language
from pbem.report.refusal import refusal
from pbem.report.view import RefusalView
from tests.report import recorded

GOLDEN = Path(__file__).parent / "golden"
GAME = "axis_and_allies_pacific"


def tongue(code: str) -> Language:
    return language(code, (GAME,))


def refused() -> RefusalView:
    """Orders of the opening that the rules refuse in every way."""
    orders = [{"buy": {"infantry": 200}}, {"move": "1 infantry from Japan to Kwangtun"}]
    problems = [
        Problem("not allowed", "this costs 600 IPC, Japan has 26", "PUR-01", "at most 8 infantry", 0),
        Problem("cannot be read", "there is no space 'Kwangtun'", "", "nearest: Kwangtung", 1),
    ]
    return refusal(
        games.load("axis-and-allies-pacific").words(), recorded.start(), "orders.yaml", orders, problems, {0: 2, 1: 4}
    )


def reports() -> Iterator[tuple[str, str]]:
    """Path below GOLDEN and text of every golden report: the opening, a refusal, and the whole game as yamada sees it."""
    opening, no = recorded.view(1, 2), refused()
    for form in render.FORMATS:
        for code in LANGUAGES:
            yield f"{code}/opening.{form}", render.report(opening, form, tongue(code))
            yield f"{code}/refusal.{form}", render.refusal(no, form, tongue(code))
    yield "en/whole.md", render.report(recorded.view(reader="yamada"), "md", tongue("en"))


def names() -> list[str]:
    own = [f"{code}/{what}.{form}" for code in LANGUAGES for what in ("opening", "refusal") for form in render.FORMATS]
    return [*own, "en/whole.md"]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return dict(reports())


@pytest.mark.parametrize("name", names())
def test_golden(name: str, made: dict[str, str]) -> None:
    assert made[name] == (GOLDEN / name).read_text("utf-8")


def test_there_is_no_other_golden_file() -> None:
    held = [p.relative_to(GOLDEN).as_posix() for code in LANGUAGES for p in (GOLDEN / code).iterdir()]
    assert sorted(held) == sorted(names())


if __name__ == "__main__":
    for where, text in reports():
        (GOLDEN / where).parent.mkdir(parents=True, exist_ok=True)
        (GOLDEN / where).write_text(text, "utf-8")

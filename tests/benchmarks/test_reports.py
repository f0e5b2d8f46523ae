"""Reports in process: from the log to the text of every format (target: 200 ms for all five), and each step of it."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.report import render
from pbem.report.languages import language
from tests.report import recorded

TONGUE = language("pl", ("axis_and_allies_pacific",))


def test_log_to_view(benchmark: Any) -> None:
    assert benchmark(recorded.view).rolls


@pytest.mark.parametrize("form", list(render.FORMATS))
def test_view_to_text(benchmark: Any, form: str) -> None:
    view = recorded.view()
    render.report(view, form, TONGUE)  # templates are compiled once
    assert benchmark(render.report, view, form, TONGUE)


def test_all_formats_from_the_log(benchmark: Any) -> None:
    def everything() -> list[str]:
        view = recorded.view()
        return [render.report(view, form, TONGUE) for form in render.FORMATS]

    assert all(benchmark(everything))

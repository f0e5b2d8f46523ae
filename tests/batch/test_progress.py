"""The bar of a long work: on the error stream of a terminal, and only where it takes longer than a second."""

from __future__ import annotations

import io
import sys

import pytest

from pbem.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "patience", "shown"), [(Terminal, 0.0, True), (Terminal, 60.0, False), (io.StringIO, 0.0, False)]
)
def test_a_bar_is_drawn_where_somebody_waits(
    stream: type[io.StringIO], patience: float, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream())
    monkeypatch.setattr(progress, "PATIENCE", patience)
    with progress.shown("games") as tell:
        tell(1, 4)
        tell(4, 4)
    drawn = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert ("games" in drawn and "100%" in drawn) if shown else drawn == ""

"""What stands behind each cell of the charts: printed, stated, bound by what is told, or our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pbem.games.pacific_war.checking import CHARTS, faults, reconstructed, replaced
from pbem.games.parts import Bound, Reason
from pbem.kernel.canon import Plain

__all__ = ["bound", "faults", "reasons", "reconstructed", "replaced"]
FILE = Path(__file__).parent / "chart_sources.yaml"


@cache
def _sources() -> Mapping[str, Any]:
    import yaml

    found: Mapping[str, Any] = yaml.load(FILE.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def reasons() -> dict[str, Reason]:
    """Everything that stands behind a cell."""
    return {id: Reason(id, row["kind"], row["says"]) for id, row in _sources()["reasons"].items()}


def bound(scenario: Mapping[str, Any]) -> dict[str, list[Bound]]:
    """Every chart of a scenario, each cell with the reasons behind it, the strongest first."""
    charts, sources = scenario["charts"], _sources()["charts"]
    return {name: [_bound(way, value, sources[name]) for way, value in cells(charts[name])] for name in CHARTS}


def cells(chart: Plain) -> Iterator[tuple[tuple[str, ...], Plain]]:
    """The cells of a chart with the way to each; positions in lists count from 1."""
    if not isinstance(chart, dict | list):
        yield (), chart
        return
    rows = chart.items() if isinstance(chart, dict) else enumerate(chart, 1)
    for step, inner in rows:
        for way, value in cells(inner):
            yield (str(step), *way), value


def _bound(way: tuple[str, ...], value: Plain, rows: Mapping[str, Sequence[str]]) -> Bound:
    fitting = [ids for row, ids in rows.items() if _fits(row.split("."), way)]
    return Bound(".".join(way), value, tuple(fitting[-1]) if fitting else ())


def _fits(row: Sequence[str], way: Sequence[str]) -> bool:
    """A row is about a cell or about a part of the chart that holds it."""
    return len(row) <= len(way) and all(r in ("*", w) for r, w in zip(row, way, strict=False))

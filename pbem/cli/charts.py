"""The charts of a game, cell by cell: what is printed, what is reconstructed, and what each cell rests on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem import games
from pbem.cli import scenario as own_scenario
from pbem.cli.speech import speak, text, tongue
from pbem.games.parts import Bound, Charts, Reason
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import counted, english, linked, msg, quoted, verbatim
from pbem.report.languages import rule_said
from pbem.store import library

KINDS = {
    "printed": msg("printed"),
    "fact": msg("stated"),
    "bound": msg("bound"),
    "own": msg("our own"),
    "yours": msg("yours"),
}
SAYS_YOURS = msg("the chart that you have typed in")
YOURS = Reason("yours", "yours", english(SAYS_YOURS))


def charts(system: str, name: str, own: Path | None = None) -> tuple[Plain, str]:
    """All charts of a system, or the cells of one. `own`: charts that an owner has typed in. Raises Rejected, ProtocolError."""
    game = games.load(system)
    known = game.charts()
    if known is None:
        raise unreadable(msg("{system} has no charts to look at", system=game.title))
    shipped = library.load_scenario(game, library.scenario_names(game)[0])
    assert isinstance(shipped, dict)
    found = dict(known.bound(shipped))
    if own is not None:
        found = _with_own(found, dict(known.bound(own_scenario.with_charts(game, shipped, own))))
    if not name:
        return _all(known, found)
    if name not in found:
        raise unreadable(msg("there is no chart {name}", name=quoted(name)), nearest(name, [*found]) or verbatim(*found))
    return _one(game, known, name, found[name])


def _with_own(ours: dict[str, Sequence[Bound]], theirs: dict[str, Sequence[Bound]]) -> dict[str, Sequence[Bound]]:
    """A cell that an owner has typed in otherwise rests on his copy."""
    held = {(name, cell.at): cell.value for name, rows in ours.items() for cell in rows}
    return {
        name: [c if held.get((name, c.at)) == c.value else Bound(c.at, c.value, (YOURS.id,)) for c in rows]
        for name, rows in theirs.items()
    }


def _kind(known: Charts, cell: Bound) -> str:
    """What a cell rests on first."""
    return _reason(known, cell.by[0]).kind if cell.by else "own"


def _reason(known: Charts, id: str) -> Reason:
    return YOURS if id == YOURS.id else known.reasons()[id]


def _all(known: Charts, found: dict[str, Sequence[Bound]]) -> tuple[Plain, str]:
    """How many cells of each chart are of each kind."""
    wide = max(map(len, found))
    plain: dict[str, Plain] = {}
    lines = []
    for name, rows in found.items():
        kinds = [_kind(known, cell) for cell in rows]
        counts = {kind: kinds.count(kind) for kind in KINDS if kind in kinds}
        plain[name] = {**counts}
        told = tuple(linked(" ", str(n), KINDS[k]) for k, n in counts.items())
        cells = counted("{n} cell: {counts}", "{n} cells: {counts}", len(rows), counts=told)
        lines.append(f"{name:{wide}}  {text(cells)}")
    return plain, "\n".join([*lines, "", speak("pbem charts SYSTEM NAME shows the cells of one, and what binds each")])


def _one(game: games.Module, known: Charts, name: str, rows: Sequence[Bound]) -> tuple[Plain, str]:
    """The cells of a chart, and the reasons that they name."""
    wide, deep = (max(len(str(part)) for part in column) for column in zip(*((c.at, c.value) for c in rows), strict=True))
    named = {id: _reason(known, id) for cell in rows for id in cell.by}
    lines = [f"{c.at:{wide}}  {c.value!s:{deep}}  {text(KINDS[_kind(known, c)])}: {', '.join(c.by)}" for c in rows]
    code, told = tongue().code, []
    for id, reason in named.items():
        says = SAYS_YOURS if reason is YOURS else rule_said(code, game.folder, reason.says)
        told.append(f"{id}  {text(linked(': ', KINDS[reason.kind], says))}")
    cells: list[Plain] = [{"at": c.at, "value": c.value, "kind": _kind(known, c), "by": [*c.by]} for c in rows]
    plain: Plain = {"chart": name, "cells": cells, "reasons": {id: reason.says for id, reason in named.items()}}
    return plain, "\n".join([*lines, "", *told])

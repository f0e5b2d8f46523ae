"""One view model for all report formats: what the files brought, what happened, what is asked next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pbem.runtime.table import Table
from pbem.runtime.taking import Taken

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def plain_text(text: str) -> str:
    """Words of a player made harmless for a terminal: no control, no bidirectional characters."""
    return _UNSAFE.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class FileView:
    """One file in the report."""

    seq: int
    player: str
    type: str
    id: str
    orders: tuple[str, ...]
    note: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]  # (text, rule)
    moves: tuple[str, ...]
    dice: tuple[str, ...]
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """Everything that the templates show."""

    title: str
    game_id: str
    situation: Mapping[str, Any]
    files: tuple[FileView, ...]
    due: str
    messages: Mapping[str, int]


def view_module(system_folder: str) -> Any:
    """The game's own words for its events."""
    return import_module(f"pbem.games.{system_folder}.view")


def file_view(words: Any, taken: Taken, document: Mapping[str, Any]) -> FileView:
    """One file and what it brought."""
    state, ledger = taken.table.engine.state, taken.table.ledger
    described = ((words.describe(state, event), event.rule) for event in taken.events)
    moves = (
        f"{n} {kind} to {state.board.name(to)} [{rule}]" for kind, _, to, n, rule in words.moves_in_words(state, taken.events)
    )
    fired = (f"{f.seat}, {f.kind}: {f.order} - {f.why}" for f in ledger.fired if f.seq == taken.seq)
    return FileView(
        taken.seq,
        document["player"],
        document["type"],
        taken.id,
        tuple(plain_text(order_text(o)) for o in document.get("orders") or []),
        tuple(plain_text(line) for line in document.get("note") or []),
        tuple((plain_text(text), rule) for text, rule in described if text),
        tuple(moves),
        tuple(f"roll {r.index} of seed {r.source}: {r.label} = {' '.join(map(str, r.dice))} [{r.rule}]" for r in taken.turned),
        tuple(fired),
    )


def order_text(order: Any) -> str:
    """An order on one line."""
    if isinstance(order, dict) and len(order) == 1:
        verb, body = next(iter(order.items()))
        return f"{verb}: {_flat(body)}"
    return _flat(order)


def _flat(body: Any) -> str:
    if isinstance(body, dict):
        return ", ".join(f"{k} {_flat(v)}" for k, v in body.items())
    return "; ".join(_flat(x) for x in body) if isinstance(body, list) else str(body)


def report_view(title: str, words: Any, steps: Sequence[tuple[Taken, Mapping[str, Any]]], table: Table, due: str) -> ReportView:
    """The view of some files at the end of which `table` stands."""
    files = tuple(file_view(words, taken, document) for taken, document in steps)
    counts = dict.fromkeys(table.charter.players_in_order, 0)
    for entry in table.ledger.entries:
        if entry.decides:
            counts[entry.player] += 1
    return ReportView(title, table.charter.game_id, words.situation(table.engine.state), files, due, counts)

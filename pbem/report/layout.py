"""Plain text in columns: lines filled to a width with hanging indents, tables in a grid."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

WIDTH = 72
_BREAK = re.compile(r" (?![:;!?»](?: |$))")  # French has a space before these marks: no line begins with one
_LEAD = re.compile(r" *(?:[-*] |\| |\" )?")


def width(text: str) -> int:
    """Columns that a text takes: wide characters two, marks none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def fill(text: str, columns: int = WIDTH) -> str:
    """Every line no wider than `columns`; what goes on below keeps its indent, a quotation its bar. Single blank lines."""
    lines: list[str] = []
    for line in text.splitlines():
        filled = _fill_line(line.rstrip(), columns)
        if filled != [""] or (lines and lines[-1]):
            lines += filled
    return "\n".join(lines).strip("\n") + "\n"


def _fill_line(line: str, columns: int) -> list[str]:
    if width(line) <= columns:
        return [line]
    found = _LEAD.match(line)
    lead = found[0] if found else ""
    hang = lead if "|" in lead else " " * len(lead)
    rows, row = [], lead
    for word in _BREAK.split(line[len(lead) :]):
        for piece in _pieces(word, columns - len(lead)):
            start = row in (lead, hang)
            if not start and width(row) + 1 + width(piece) > columns:
                rows.append(row.rstrip())
                row, start = hang, True
            row += piece if start else " " + piece
    return [*rows, row.rstrip()]


def _pieces(word: str, columns: int) -> list[str]:
    """A word that is wider than a line is cut."""
    pieces, piece = [], ""
    for letter in word:
        if width(piece + letter) > columns:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], colon: str = ":", columns: int = WIDTH) -> list[str]:
    """A table; numbers to the right. Too wide for the page: a row's cells one below the other, each behind its heading."""
    table = [list(head), *(list(row) for row in rows)]
    widths = [max(width(row[i]) for row in table) for i in range(len(head))]
    if sum(widths) + 2 * (len(head) - 1) > columns:
        return [line for row in rows for line in _upright(head, row, colon)]
    right = [all(row[i].lstrip("-").isdigit() for row in rows) for i in range(len(head))]
    lines = ["  ".join(_padded(row[i], widths[i], right[i]) for i in range(len(head))).rstrip() for row in table]
    return [lines[0], "  ".join("-" * w for w in widths), *lines[1:]]


def _upright(head: Sequence[str], row: Sequence[str], colon: str) -> list[str]:
    return [("- " if i == 0 else "  ") + f"{name}{colon} {cell}" for i, (name, cell) in enumerate(zip(head, row, strict=True))]


def _padded(text: str, to: int, right: bool) -> str:
    space = " " * (to - width(text))
    return space + text if right else text + space

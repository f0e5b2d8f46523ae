"""Writes pbem/protocol/schemas from the checks that read documents: `python -m tests.protocol.make_schemas`."""

from __future__ import annotations

from pathlib import Path

from pbem.protocol import json_schema

FOLDER = Path(json_schema.__file__).parent / "schemas"


def write_all() -> None:
    """One file for each kind of document."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for kind in json_schema.kinds():
        (FOLDER / f"{kind}.json").write_text(json_schema.text_of(kind), "utf-8")


if __name__ == "__main__":
    write_all()

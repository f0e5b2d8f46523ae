"""Writes tests/vectors from fixed keys: `python -m tests.protocol.make_vectors`. The same files come out each time."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from tests.protocol.vector_sets import faults, games, heals, limits, names, papers, reader, signing, values
from tests.protocol.vector_sets.form import Vector

FOLDER = Path(__file__).resolve().parent.parent / "vectors"


@cache
def make_all() -> tuple[Vector, ...]:
    """Every vector, made once."""
    made = [v for subject in (reader, signing, papers, values, games, faults, heals, limits, names) for v in subject.vectors()]
    assert len({v.path for v in made}) == len(made), "two vectors have one name"
    return tuple(made)


def write_all() -> None:
    """The folder anew."""
    made = make_all()
    for kind in FOLDER.iterdir():
        if kind.is_dir():
            shutil.rmtree(kind)
    for vector in made:
        path = FOLDER / vector.path
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(vector.text())


if __name__ == "__main__":
    write_all()

"""Every vector is judged by the program's own functions; every failing one without its fault comes out done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.protocol.outcomes import Outcome
from tests.protocol.judges import JUDGES, outcome
from tests.protocol.make_vectors import FOLDER, make_all
from tests.protocol.vector_sets.form import Vector, read

KEPT = {str(path.relative_to(FOLDER)): path for path in sorted(FOLDER.glob("*/*.txt"))}
FAILING = [path for path, kept in KEPT.items() if read(kept.read_bytes())[0]["expect"] != Outcome.DONE.word]
KNOWN_HEADERS = {"expect", "kind", "comment", "covers", "needs", "encoding", "key", "id", "canonical-sha256"}


# -- tests ------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made() -> dict[str, Vector]:
    """Every vector by its path; made when a test asks for them, not while tests are gathered."""
    return {v.path: v for v in make_all()}


@pytest.mark.parametrize("path", KEPT)
def test_a_vector_comes_out_as_expected(path: str, tmp_path: Path) -> None:
    headers, body = read(KEPT[path].read_bytes())
    word, why = outcome(headers, body, tmp_path)
    assert word == headers["expect"], f"{headers['comment']}: {why}"


@pytest.mark.parametrize("path", FAILING)
def test_without_its_fault_it_is_done(path: str, made: dict[str, Vector], tmp_path: Path) -> None:
    vector = made[path]
    assert vector.good is not None
    headers, _ = read(vector.text())
    assert outcome(headers, vector.good, tmp_path) == ("done", "")


def test_the_folder_holds_what_the_maker_makes(made: dict[str, Vector]) -> None:
    kept = {str(p.relative_to(FOLDER)): p.read_bytes() for p in sorted(FOLDER.glob("*/*"))}
    assert sorted(kept) == sorted(made)
    assert [path for path in made if made[path].text() != kept[path]] == []


def test_there_are_enough_of_every_outcome_and_four_in_five_fail() -> None:
    words = Counter(v.expect for v in make_all())
    assert set(words) == {o.word for o in Outcome} - {"not written", "program fault"}  # no document shows these
    assert len(make_all()) >= 120
    assert words["done"] * 5 <= len(make_all())


def test_every_failing_vector_has_a_good_twin() -> None:
    assert [v.path for v in make_all() if v.expect != "done" and v.good is None] == []


def test_headers_are_a_closed_list() -> None:
    for vector in make_all():
        headers, body = read(vector.text())
        assert set(headers) <= KNOWN_HEADERS and headers["kind"] in JUDGES
        assert body == vector.body, f"{vector.path} does not read back"


def test_every_attack_of_the_published_list_is_covered() -> None:
    named = " ".join(v.covers for v in make_all())
    for attack in (
        "old turn sent again",
        "turn of another game",
        "turn for another side",
        "other namespace",
        "edited after signing",
        "orders after seeing dice",
        "early reveal",
        "no reveal",
        "wrong preimage",
        "forked history",
        "cut history",
        "key changed without the old key",
        "low-order point",
        "two turns for one slot",
        "100 MB file",
        "homoglyph",
        "bidi",
        "path in a file name",
        "template injection",
    ):
        assert attack in named, attack

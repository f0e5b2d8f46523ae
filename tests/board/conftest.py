"""A game of Pacific 1940 that has begun, and its page served: what the tests of the board share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.board.server import Server
from pbem.cli import local
from tests.board.serving import found, served
from tests.browser import Page, browser


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board") / "g"
    found(folder)
    return folder


@pytest.fixture
def folder(begun: Path, tmp_path: Path) -> Iterator[Path]:
    """A game of one's own, with its keys."""
    shutil.copytree(begun, tmp_path / "g")
    with local.own_keys(tmp_path / "g"):
        yield tmp_path / "g"


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    with served(folder / "yamada") as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    with browser() as opened:
        yield opened

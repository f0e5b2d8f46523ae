"""A game that another package brings by an entry point, with nothing but rules: founded, played, reported, verified."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import games
from pbem.kernel.orders import Rejected
from pbem.report.render import FORMATS
from tests.commands import inside, must, run

HERE = Path(__file__).parent
ENTRY = "[pbem.games]\nthe-crossing = the_crossing:GAME\nthe-ferry = the_crossing:TheCrossing\n"


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The distribution as pip would install it: its module, its scenarios, its entry points."""
    site = tmp_path / "site"
    shutil.copytree(HERE, site, ignore=shutil.ignore_patterns("test_*", "__*"))
    about = site / "the_crossing-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: the-crossing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY)
    monkeypatch.syspath_prepend(str(site))
    place = tmp_path / "table"
    place.mkdir()
    with inside(place):
        yield
    sys.modules.pop("the_crossing", None)


def test_it_is_listed_and_a_package_that_brings_something_else_is_told() -> None:
    listed = must("games")
    assert "the-crossing  The Crossing" in listed and "the-ferry  cannot be played" in listed and "Next War" in listed
    assert games.is_known("the-crossing")
    assert games.load("the-crossing").title == "The Crossing"
    with pytest.raises(Rejected, match="does not bring it"):
        games.load("the-ferry")
    with pytest.raises(Rejected, match="the-crossing"):
        games.load("the-crosing")


def test_it_is_played_to_its_end_reported_replayed_and_verified() -> None:
    must("new", "draft", "--system", "the-crossing", "--scenario", "ford")
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "blue", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "red", "-g", "nowak")
    must("accept", "nowak/charter.yaml", "-g", "yamada")
    must("accept", "yamada/charter.yaml", "-g", "nowak")
    must("accept", "nowak/charter.yaml", "-g", "yamada")
    for _ in range(60):
        for one, other in (("yamada", "nowak"), ("nowak", "yamada")):
            run("receive", f"{other}/outbox", "-g", one)
        if "The game is over" in must("status", "-g", "yamada"):
            break
        for name, side in (("yamada", "blue"), ("nowak", "red")):
            if f"{name} has to send orders" in must("status", "-g", name):
                Path("orders.yaml").unlink(missing_ok=True)
                must("orders", "--to", "orders.yaml", "-g", name)
                order = next(line for line in Path("orders.yaml").read_text().splitlines() if f"- {side}-" in line)
                Path("orders.yaml").write_text(f"orders:\n  - {order[order.index(side) :].split('#')[0].strip()}\n")
                must("check", "orders.yaml", "-g", name)
                must("send", "orders.yaml", "-g", name)
    assert "The game is over" in must("status", "-g", "nowak")
    must("verify", "-g", "nowak")
    for form in FORMATS:
        must("report", "--format", form, "-g", "yamada")
    must("replay", "--to", "game.html", "-g", "yamada")
    assert "The Crossing" in Path("game.html").read_text()


def test_what_it_does_not_offer_is_said() -> None:
    must("new", "draft", "--system", "the-crossing", "--scenario", "ford")
    assert "no odds" in run("odds", "the-crossing", "one", "other").err
    assert "no bot" in run("play", "local", "--system", "the-crossing", "--scenario", "ford", "--bot").err


def test_an_order_that_is_not_legal_says_which_would_be() -> None:
    game = games.load("the-crossing")
    state = game.start({"places": {"blue-1": 1, "red-1": 2}}, {})
    flow = game.segments["act"](state, "blue")
    ask = next(flow)
    for order, hint in (({"red-1": 3}, "blue-1"), ({"blue-1": 5}, "neighbouring"), ("forward", "such as")):
        with pytest.raises(Rejected) as refused:
            ask.read(order)  # type: ignore[union-attr]
        assert hint in refused.value.problems[0].legal

"""Several files of a game clicked at one machine, both players in turn: an offensive with its reaction in Empire of the Sun,
sealed task forces in Pacific War and one of them shown before a phase. No letter is typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pbem import games
from pbem.board.server import Server
from pbem.cli import local
from pbem.kernel.canon import Plain
from pbem.store.session import Session
from tests.board.clicking import Clicker
from tests.board.hands import come
from tests.board.serving import served
from tests.browser import Page, needs_browser

pytestmark = [needs_browser, pytest.mark.in_turn(3)]
Wanted = Callable[[Session], Sequence[Plain]]


def at_one_machine(folder: Path, system: str, scenario: str, options: Sequence[str] = ()) -> None:
    """A folder for both players, named after their sides."""
    seats = games.load(system).seats
    sides = {side: [seat for seat in seats if seats[seat] == side] for side in seats.values()}
    local.found(folder, system, scenario, options, sides)
    (folder / "play.json").write_text(json.dumps({"bots": []}))


def until(folder: Path, kind: str) -> None:
    """The bot plays both sides up to a question."""
    with local.at_work(folder) as party:
        while asked(party.one) != kind:
            assert local.go_on(party, [*party.sessions])


def asked(session: Session) -> str:
    """The kind of the question at hand."""
    return str(getattr(session.table.engine.request, "kind", ""))


def turn(page: Page, server: Server, folder: Path, wanted: Wanted) -> Clicker:
    """Whoever is due sits down, sees what happened, clicks the orders that he wants, looks at them and sends."""
    come(page, server, screen="curtain")
    hands = Clicker(page, folder / page.text("#content h2").split(",")[0])
    hands.press("sit")
    if page.ask("document.body.dataset.screen") == "news":
        hands.press("turn")
    for order in wanted(Session.open(hands.folder)):
        hands.order(order)
    hands.send()
    assert page.ask("document.body.dataset.screen") == "curtain"
    return hands


def sealed_or_open(session: Session) -> list[Plain]:
    """The bot's orders as a person writes them: what is to be sealed stands there openly."""
    orders = local.bot_orders(session)
    return [o["seal"] if isinstance(o, dict) and set(o) == {"seal", "seat"} else o for o in orders]


def reacting(session: Session) -> list[Plain]:
    """The same, but whoever may react does so."""
    return ["react", {"intelligence": "roll"}] if asked(session) == "reaction" else sealed_or_open(session)


def test_an_offensive_and_its_reaction(chromium: Page, tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "empire-of-the-sun", "year-1942")
    until(tmp_path / "g", "card")
    with served(tmp_path / "g") as server:
        offensive = turn(chromium, server, tmp_path / "g", landing)
        reaction = turn(chromium, server, tmp_path / "g", reacting)
        assert (offensive.folder.name, reaction.folder.name) == ("japan", "allies")
        assert offensive.done["map"] and sum(offensive.done.values()) < 40, offensive.told
        assert reaction.done["buttons"] <= 8
        kinds = [asked(Session.open(reaction.folder))]
        while kinds[-1] not in ("card", "reaction") and len(kinds) < 8:
            turn(chromium, server, tmp_path / "g", reacting)
            kinds.append(asked(Session.open(reaction.folder)))
    files = Session.open(reaction.folder).folder.log.files()
    assert ["react", {"intelligence": "roll"}] in [file.get("orders") for file in files]
    assert kinds[-1] in ("card", "reaction"), kinds


def landing(session: Session) -> list[Plain]:
    """A landing at Manila by the strongest card of the hand."""
    state = session.table.engine.state
    card = max(sorted(local.own_cards(session, "japan")), key=lambda held: state.board.cards[held].ops)
    return [
        {"play": card},
        {"operations": "hq-south"},
        {"activate": ["14-army", "ca-nachi"]},
        {"move": "14-army to 2813"},
        {"move": "ca-nachi to 2813"},
        "done",
        {"battle": "2813"},
        "done",
    ]


def test_task_forces_are_sealed_and_one_is_shown(chromium: Page, tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "pacific-war", "coral-sea", ["forces=sealed"])
    shown: list[Plain] = [{"kinds": ["air", "ground", "naval"]}, "done", {"show": "J1"}]
    with served(tmp_path / "g") as server:
        for _ in range(4):
            sealing = turn(chromium, server, tmp_path / "g", sealed_or_open)
            assert sealing.done["files"] == 1 and "keys" not in sealing.done
        japan = Session.open(tmp_path / "g" / "japan")
        assert asked(japan) == "kinds" and japan.table.engine.state.markers["J1"].handle
        turn(chromium, server, tmp_path / "g", lambda _: shown)
        assert "show a task force" in chromium_told(japan), "what a default answers is offered beside what is asked"
        assert not Session.open(tmp_path / "g" / "allies").table.engine.state.markers["J1"].handle


def chromium_told(japan: Session) -> str:
    """What the desk says of the question that is passed."""
    passed = japan.desk("orders:\n  - kinds: air, ground, naval\n  - done\n").sheet.passed
    return passed[0].prompt.id if passed else ""

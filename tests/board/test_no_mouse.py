"""Orders of the three hex games by keyboard alone, and as a screen reader tells them: each button found by role and name; what
axe-core finds on the way. Pacific 1940 is played so in `test_page`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.cli import local
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Pick
from pbem.runtime.composing import Draft
from pbem.store.paths import own_keys
from pbem.store.session import Session
from tests.board.clicking import Clicker
from tests.board.hands import at_rest, come, heard, key
from tests.board.serving import served
from tests.board.test_access import ALL, ALL_BUT_COLOURS, FOCUSED, faults
from tests.board.test_hex_games import begun
from tests.board.test_turns import asked, landing, sealed_or_open
from tests.browser import Page, needs_browser

pytestmark = needs_browser
FAR = 10  # picks through which nobody walks: they are found by name
NAME = "[...document.querySelectorAll('[data-key]')].find(b => b.dataset.key === {!r} && !b.disabled)?.{}"


class Blind(Clicker):
    """One to whom the map is no help: everything is in the column."""

    def strike(self, at: str) -> bool:
        """A place of the map, which has a button too."""
        return False

    def _pick(self, pick: Pick, one: Chosen) -> None:
        if not self.has(f"{one.slot}:{one.value}") and self.has("all"):
            self.press("all")
        if self.page.ask("document.querySelectorAll('#picks button').length") > FAR:
            key(self.page, "/")
            self.page.type(pick.value)
            at_rest(self.page)
        super()._pick(pick, one)


class Typist(Blind):
    """One who has no mouse: keys of the page, the field that finds, Tab and Enter."""

    def press(self, named: str) -> None:
        """Tab until the button has the focus, then Enter."""
        if named == "tool:send":
            return key(self.page, "s")
        for _ in range(300):
            if self.page.ask(FOCUSED) == named:
                break
            self.page.press("Tab")
        assert self.page.ask(FOCUSED) == named, (named, self.page.text("#content"))
        self.done["buttons"] += 1
        key(self.page, "Enter")
        return None


@dataclass
class Listener(Blind):
    """One who hears the page: whatever he presses is told as a button, by its name."""

    said: list[str] = field(default_factory=list)

    def press(self, named: str) -> None:
        """The button with the name that its words or its label give."""
        label = self.page.ask(NAME.format(named, "getAttribute('aria-label')"))
        words = label or self.page.ask(NAME.format(named, "textContent"))
        assert words, (named, heard(self.page, "button"))
        found = [n for n in self.page.axtree() if n["role"] == "button" and _same(n["name"], words)]
        assert found, (named, words, heard(self.page, "button"))
        self.said.append(words)
        self.page.activate(found[0]["node"])
        at_rest(self.page)


def _same(told: str, words: str) -> bool:
    return "".join(told.split()) == "".join(words.split())


# -- what they have in mind ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A game, who plays, what he orders when he is asked this."""

    scenario: str
    mine: str
    theirs: str
    asked: str
    orders: Callable[[Session], Sequence[Plain]]
    opening: Plain = None  # what his opponent decides first

    def begun(self, root: Path, system: str) -> Path:
        """The player's folder of a game of his that stands at this question."""
        folder = begun(root, system, self.scenario, self.mine, self.theirs)
        with local.at_work(root) as party:
            if self.opening is not None:
                party.send(Draft([self.opening]))
            while party.one.table.due.player == "nowak" or asked(party.one) != self.asked:
                assert local.go_on(party, ["nowak", "yamada"])
        return folder


def march(session: Session) -> Sequence[Plain]:
    """All that stands in two hexes, each to another one."""
    state = session.table.engine.state
    stacks = ((905, "0708"), (805, "0807"))
    moves: list[Plain] = [{"move": {"units": [*state.ground("non-allied", at)], "to": to}} for at, to in stacks]
    return [*moves, "done"]


PLANS = {
    "empire-of-the-sun": Plan("year-1942", "japan", "allies", "card", landing),
    "next-war": Plan("training", "non-allied", "allied", "movement", march, {"weather": "clear"}),
    "pacific-war": Plan("coral-sea", "japan", "allies", "contact", sealed_or_open),
}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("hands", [Typist, Listener])
@pytest.mark.parametrize("system", PLANS)
def test_orders_without_a_mouse(chromium: Page, tmp_path: Path, system: str, hands: type[Clicker]) -> None:
    plan, found = PLANS[system], dict[str, list[str]]()
    rules = ALL if hands is Typist else ALL_BUT_COLOURS  # both come by the same screens; who listens sees no colours
    folder = plan.begun(tmp_path / "g", system)
    with own_keys(tmp_path / "g"), served(folder) as server:
        come(chromium, server, screen="news" if Session.open(folder).table.last else "orders")
        player = hands(chromium, folder)
        if chromium.ask("document.body.dataset.screen") == "news":
            player.press("turn")
        orders = plan.orders(Session.open(folder))
        for order in orders:
            player.order(order)
            if (bar := chromium.text("#live")) not in found:
                found[bar] = faults(chromium, rules=rules)
        player.send()
        found["sent"] = faults(chromium, rules=rules)
        assert chromium.ask("document.body.dataset.screen") == "sent"
        files = Session.open(folder).folder.log.files()
        assert files[-1]["player"] == "yamada" and len(files[-1]["orders"]) == len(orders)
    assert not {at: told for at, told in found.items() if told}

"""A player who has made up his mind clicks his orders on the page, one after the other, and counts what it takes.

What he wants is an order as the notation has it; which picks make it tells the question's form. He takes the map where it
lights a place that is in the window, a button of the column else, and types nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from pbem.board.answers import listed, once_more
from pbem.board.gestures import Gesture, Question, usual
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Form, Partial, Pick, means_the_same
from pbem.report.board_map import places_of
from pbem.report.view import picture_of
from pbem.runtime.desk import Desk
from pbem.runtime.giving_up import copied
from pbem.store.session import Session
from tests.board.hands import POINT, at_rest, key
from tests.browser import Page

BUTTON = "[...document.querySelectorAll('[data-key]')].find(b => b.dataset.key === {!r})"
LIT = """(at => {
  const hit = [...document.querySelectorAll(`.hits [data-at="${at}"]`)].at(-1), box = hit?.getBoundingClientRect();
  if (!box || !box.width) return false;
  const found = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!found.length || found[0].closest('#board') === null) return false; // outside the window, or under something
  return found.find(one => one.closest('.hits [data-at]'))?.closest('[data-at]').dataset.at === at;
})"""


@dataclass
class Clicker:
    """One player's hands, and what they did: clicks on the map, on buttons, keys."""

    page: Page
    folder: Path
    done: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

    @property
    def draft(self) -> str:
        """The order file."""
        file = self.folder / "unsent.yaml"
        return file.read_text() if file.exists() else ""

    @cached_property
    def places(self) -> dict[str, str]:
        """Any name of a place -> the one that it has on the map."""
        session = Session.open(self.folder)
        picture = picture_of(session.game, copied(session.table), [], "none")
        found: dict[str, str] = {}
        for row in places_of(picture) if picture is not None else ():
            match row:
                case [str(at), _, [*also]]:
                    found |= {str(name): at for name in (at, *also)}
        return found

    def desk(self) -> Desk:
        """The question behind the order file."""
        return Session.open(self.folder).desk(self.draft)

    def has(self, named: str) -> bool:
        """There is such a button."""
        return bool(self.page.ask(f"{BUTTON.format(named)} !== undefined"))

    def press(self, named: str) -> None:
        """A button by what it is for."""
        self.page.ask(f"{BUTTON.format(named)}.scrollIntoView({{block: 'center'}})")
        x, y = self.page.ask(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({BUTTON.format(named)}.getBoundingClientRect())")
        self.page.click_at(x, y)
        self.done["buttons"] += 1
        at_rest(self.page)

    def number(self, count: int) -> None:
        """How many of the unit chosen last."""
        key(self.page, *str(count))
        self.done["keys"] += 1

    def strike(self, at: str) -> bool:
        """A place of the map, where the mouse finds it; False where another one is in its way."""
        place = self.places.get(at, at)
        if not self.page.ask(f"{LIT}('{place}')"):
            return False
        self.page.click_at(*self.page.ask(f"{POINT}('{place}')"))
        self.done["map"] += 1
        at_rest(self.page)
        return True

    def order(self, order: Plain) -> None:
        """Click one order."""
        desk, before = self.desk(), self.draft
        form = desk.form()
        assert form is not None, order
        wanted = form.partial(order)
        if wanted.verb and wanted.chosen and _says(form, replace(wanted, verb=""), form.step(wanted).orders):
            wanted = replace(wanted, verb="")  # the map alone says it
        if self._answer(desk, order):
            return
        if wanted.verb and self.has(f"verb:{wanted.verb}") and not self._is_pressed(wanted.verb):  # an only one is picked
            self.press(f"verb:{wanted.verb}")
        so_far, whole = Partial(wanted.verb), self._whole(Question(form), wanted)
        for at, one in enumerate(wanted.chosen):
            pick = next(p for p in form.step(so_far).picks if (p.slot, p.value) == (one.slot, one.value))
            if at not in whole:
                self._pick(pick, one)
            elif whole[at]:
                self._whole_stack(pick.at)
            so_far = so_far.plus(pick, one.count)
        if self.draft == before:
            assert self.has("take"), (order, self.page.text("#content"))
            self.press("take")
        assert self.draft != before, (order, self.page.text("#content"))

    def _answer(self, desk: Desk, order: Plain) -> bool:
        """A button that is the whole order, where there is one."""
        form, asked = desk.form(), desk.sheet.asked
        answers = [one for (one,) in listed(desk)]
        if form is None or asked is None:
            return False
        at = next((n for n, one in enumerate(answers) if means_the_same(asked.read, one, order)), -1)
        if at >= 0:
            self.press(f"answer:{at}")
        elif self.has("again") and any(
            means_the_same(asked.read, one, order) for one in once_more(Session.open(self.folder), desk)
        ):
            self.press("again")
            return True
        return at >= 0

    @staticmethod
    def _whole(question: Question, wanted: Partial) -> dict[int, bool]:
        """Picks that are all the units of a place: nobody picks them one by one. True where the place has to be clicked for
        them; a stack of which nothing is chosen goes whole."""
        begun, found, places = Gesture(question, Partial(wanted.verb)), dict[int, bool](), list[str]()
        for n, one in enumerate(wanted.chosen):
            pick = next(p for p in begun.picks if (p.slot, p.value) == (one.slot, one.value))
            if one.slot == "unit" and pick.at and n and wanted.chosen[0].slot != "unit" and pick.at not in places:
                places.append(pick.at)
                every = begun.everything(pick.at).partial.chosen
                behind = wanted.chosen[len(every)].slot if len(every) < len(wanted.chosen) else ""
                if wanted.chosen[: len(every)] == every:
                    goes = pick.at == begun.origin and behind in ("to", "target", "via")
                    found |= {at: at == n and not goes for at in range(n, len(every))}
            begun = replace(begun, partial=begun.partial.plus(pick, one.count))
        return found

    def _whole_stack(self, at: str) -> None:
        if not self.strike(at):
            self.press("all")

    def _is_pressed(self, verb: str) -> bool:
        return bool(self.page.ask(f"{BUTTON.format(f'verb:{verb}')}?.getAttribute('aria-pressed') === 'true'"))

    def _pick(self, pick: Pick, one: Chosen) -> None:
        named = f"{one.slot}:{one.value}"
        if pick.at and pick.slot != "unit" and self.strike(pick.at):
            if self.has("here"):  # a stack of one's own stands there: the second click is the end
                self.strike(pick.at)
        else:
            if not self.has(named) and self.has("all"):  # the ends of a stack that goes whole
                self.press("all")
            assert self.has(named), (named, self.page.text("#content"))
            self.press(named)
        if one.count != usual(pick):
            self.number(one.count)

    def send(self) -> None:
        """Through the screen before sending."""
        if self.page.ask("document.body.dataset.screen") != "review":
            self.press("tool:send")
        assert self.page.ask("document.body.dataset.screen") == "review", self.page.text("#content")
        self.press("send")
        self.done["files"] += 1

    @property
    def told(self) -> dict[str, int]:
        """What it took."""
        return {**self.done, "seconds": round(time.monotonic() - self.began)}


def _says(form: Form, partial: Partial, orders: Sequence[Plain]) -> bool:
    """The same orders come of picks that are all offered on the way."""
    so_far = Partial(partial.verb)
    for one in partial.chosen:
        picks = form.step(so_far).picks
        if not any((p.slot, p.value, p.why_not) == (one.slot, one.value, None) and p.most >= one.count for p in picks):
            return False
        so_far = replace(so_far, chosen=(*so_far.chosen, one))
    return form.step(partial).orders == orders

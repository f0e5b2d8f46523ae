"""What a table asks of a player now, what that proposes to him who knows his own hidden things, and its form."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.parts import Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.forms import VERB, Form, Naming, Partial, Pick, Read, Step, form_of, listed, verbs_of
from pbem.kernel.orders import verb_of
from pbem.kernel.questions import accepted
from pbem.kernel.wording import NO_WORDS, Message, verbatim
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table


def question_of(table: Table, player: str) -> Ask | Commit | None:
    """The question to a player, his own one of a decision that several make at once; None while he is not asked."""
    request = table.engine.request
    if table.due.player != player or table.due.what not in ("orders", "seal"):
        return None
    for ask in request.asks if isinstance(request, Simultaneous) else (request,):
        if isinstance(ask, Ask | Commit) and table.due.seat in ("", ask.seat):
            return ask
    return None


def proposals(table: Table, ask: Ask | Commit, knowledge: Knowledge | None) -> list[Plain]:
    """The orders that a question lists, with those that name the owner's hidden things; of sealed ones those he may seal."""
    cards, reveal = (knowledge.hand(ask.seat), knowledge.reveal) if knowledge is not None else ({}, None)
    found = [*table.game.proposals(table.engine.state, ask, cards, reveal)]
    if isinstance(ask, Commit) and reveal is not None:
        ideas = table.game.sealed_options(table.engine.state, ask, reveal)
        found += [o for o in accepted(lambda order: ask.check(order, reveal), ideas) if o not in found]
    return found


def form_at(table: Table, ask: Ask | Commit, knowledge: Knowledge) -> Form:
    """The form of a question for its owner: its own, or one over all that is proposed to him."""
    game, state, cards = table.game, table.engine.state, knowledge.hand(ask.seat)
    named, says = _names(table, cards)
    own = game.hand_form(state, ask, cards) if isinstance(ask, Ask) else None
    if own is not None:
        return WithTexts(own, says)
    held = game.hand_options(state, ask, cards) if isinstance(ask, Ask) and game.hidden_hands else ()
    if isinstance(ask, Ask) and not held and ask.form is not None:
        return form_of(ask)

    def read(order: Plain) -> object:
        return ask.read(game.spelled_out(state, ask.seat, order, cards))

    def may_seal(order: Plain) -> Plain:
        assert isinstance(ask, Commit)
        ask.check(order, knowledge.reveal)
        return order

    if isinstance(ask, Commit) and ask.form is not None:
        return ask.form(may_seal, knowledge.reveal)
    reader: Read = read if isinstance(ask, Ask) else may_seal
    return listed(proposals(table, ask, knowledge), reader, verbs_of(ask), name=named, says=says)


class WithTexts:
    """A form whose picks of cards say what those do."""

    def __init__(self, form: Form, says: Naming) -> None:
        self._form, self._says = form, says
        self.partial, self.line = form.partial, form.line

    def step(self, partial: Partial) -> Step:
        """What the form offers, with the texts."""
        step = self._form.step(partial)
        return replace(step, picks=tuple(p if p.says else replace(p, says=self._says(p.slot, p.value)) for p in step.picks))


class WithPassed:
    """A question together with one that its default answers before it: its verbs are offered too."""

    def __init__(self, form: Form | None, passed: Form, verbs: Sequence[str]) -> None:
        self._form, self._passed = form, passed
        named = [p.value for p in passed.step(Partial()).picks if p.slot == VERB]
        taken = [p.value for p in form.step(Partial()).picks if p.slot == VERB] if form is not None else []
        self._verbs = [verb for verb in named or verbs[:1] if verb not in taken]
        self._is_named = bool(named)

    def step(self, partial: Partial) -> Step:
        """What may come next: of the one question once its verb is picked, else of the other, and the verbs of both."""
        if partial.verb in self._verbs:
            return self._passed.step(partial if self._is_named else replace(partial, verb=""))
        step = self._form.step(partial) if self._form is not None else Step()
        if partial != Partial():
            return step
        return replace(step, picks=(*step.picks, *(Pick(VERB, verb, verbatim(verb)) for verb in self._verbs)))

    def partial(self, order: Plain) -> Partial:
        """The picks that make an order of either question."""
        form = self._of(order)
        found = form.partial(order)
        return replace(found, verb=verb_of(order)) if form is self._passed and not self._is_named else found

    def line(self, order: Plain) -> Plain:
        """The order as a player would write it."""
        return self._of(order).line(order)

    def _of(self, order: Plain) -> Form:
        return self._passed if self._form is None or verb_of(order) in self._verbs else self._form


def _names(table: Table, cards: Own) -> tuple[Naming, Naming]:
    """What things of orders are called, and the texts of the player's own cards."""
    game, state = table.game, table.engine.state
    words, known = game.words(), game.index().cards

    def named(slot: str, word: str) -> Message:
        held = words.item(state, word) if word in cards else None
        known_as = Message("{item}", {"item": held}) if held else words.named(state, word)
        return verbatim(word) if slot == VERB or not known_as else known_as

    def says(slot: str, word: str) -> Message:
        return verbatim(known[word].says) if slot != VERB and word in known else NO_WORDS

    return named, says

"""What is asked of a player, what it proposes to him, and the form over it with names and texts of his own cards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Roll, Simultaneous
from pbem.kernel.forms import VERB, Chosen, Partial, Pick, Step
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.wording import NO_WORDS, Message, msg, verbatim
from pbem.runtime import asked
from pbem.runtime.asked import WithPassed, WithTexts, question_of
from pbem.runtime.dues import Due
from tests.runtime import desks
from tests.runtime.desks import Desk


def ask(seat: str = "red", **more: Any) -> Ask:
    return Ask(seat, "play", "R", verbatim("play?"), read, **{"verbs": ("play", "done"), **more})


def read(order: Plain) -> Plain:
    if order not in ({"play": "h1"}, {"play": "h2"}, "done"):
        raise illegal(verbatim(f"{order}"), "R")
    return order


class Words:
    def item(self, state: Any, word: str) -> Message | None:
        assert state == "state"
        return verbatim(f"item {word}") if word == "ace" else NO_WORDS

    def named(self, state: Any, word: str) -> Message:
        assert state == "state"
        return verbatim(f"named {word}") if word != "nameless" else NO_WORDS


class Game(desks.Game):
    """Cards by name stand for handles."""

    hidden_hands = True
    own: Any = None
    options: tuple[Plain, ...] = ()
    sealable: tuple[Plain, ...] = ()

    def proposals(self, state: Any, ask: Any, cards: Any, reveal: Any) -> list[Plain]:
        self.proposed = (state, ask, cards, reveal)
        return [{"play": name} for name in cards] + ["done"]

    def sealed_options(self, state: Any, ask: Any, reveal: Any) -> list[Plain]:
        assert reveal("x") == "known x" and (state, ask.kind) == ("state", "hide")
        return [*self.sealable]

    def spelled_out(self, state: Any, seat: str, order: Plain, cards: Any) -> Plain:
        assert seat == "red" and state == "state"
        return {"play": cards.get(order["play"], order["play"])} if isinstance(order, dict) else order

    def hand_form(self, state: Any, ask: Any, cards: Any) -> Any:
        assert (state, ask.kind, cards) == ("state", "play", KNOWS.hand("red"))
        return self.own

    def hand_options(self, state: Any, ask: Any, cards: Any) -> Any:
        assert (state, ask.kind, cards) == ("state", "play", KNOWS.hand("red"))
        return self.options

    def words(self) -> Words:
        return Words()

    def index(self) -> Any:
        return SimpleNamespace(cards={"ace": SimpleNamespace(says="The best."), "play": SimpleNamespace(says="No card.")})


KNOWS: Any = SimpleNamespace(
    hand=lambda seat: {"ace": "h1", "king": "h2"} if seat == "red" else {}, reveal=lambda h: f"known {h}"
)


@pytest.fixture
def desk() -> Any:
    desk = Desk(game=Game(), due=Due("nowak", "orders", "red"))
    desk.engine.state = "state"  # type: ignore[assignment]
    return desk


def values(step: Step) -> list[tuple[str, str, str, str]]:
    return [(pick.slot, pick.value, str(pick.name), str(pick.says)) for pick in step.picks]


# -- the question -----------------------------------------------------------------------------------------------------


def test_who_is_asked_what(desk: Any) -> None:
    red, blue = ask(), ask("blue")
    hide = Commit("red", "hide", "R", verbatim("hide?"), read)
    desk.engine.request = red
    assert question_of(desk, "nowak") is red and question_of(desk, "yamada") is None
    desk.engine.request = hide
    assert question_of(desk, "nowak") is hide
    desk.engine.request = Roll(verbatim("x"), 1, 6, "R")
    assert question_of(desk, "nowak") is None
    desk.engine.request = red
    for what in ("witness", "open", "claim", "accept"):
        desk.due = Due("nowak", what, "red")
        assert question_of(desk, "nowak") is None
    desk.due = Due("nowak", "seal", "red")
    assert question_of(desk, "nowak") is red
    desk.due = Due("nowak", "orders")
    assert question_of(desk, "nowak") is red
    desk.engine.request = Simultaneous((red, blue), "R")
    assert question_of(desk, "nowak") is red
    for seat, wanted in (("blue", blue), ("red", red), ("rust", None)):
        desk.due = Due("nowak", "orders", seat)
        assert question_of(desk, "nowak") is wanted


def test_what_a_question_proposes_to_everybody_and_to_who_knows_his_cards(desk: Any) -> None:
    question = ask()
    assert asked.proposals(desk, question, None) == ["done"] and desk.game.proposed == ("state", question, {}, None)
    desk.game.sealable = ("more",)
    assert asked.proposals(desk, question, KNOWS) == [{"play": "ace"}, {"play": "king"}, "done"]
    assert desk.game.proposed == ("state", question, KNOWS.hand("red"), KNOWS.reveal)


def judged(order: Plain, reveal: Any) -> None:
    if order == "ten" or reveal("x") != "known x":
        raise illegal(verbatim("not that"), "R")


def hiding(**more: Any) -> Commit:
    return Commit("red", "hide", "R", verbatim("hide?"), lambda order: order, judge=judged, **more)


def test_of_what_may_be_sealed_everything_that_he_may_seal_is_proposed_once(desk: Any) -> None:
    desk.game.sealable = ("nine", "ten", "done")
    wanted = [{"play": "ace"}, {"play": "king"}, "done", "nine"]
    assert asked.proposals(desk, hiding(), KNOWS) == wanted
    assert asked.proposals(desk, hiding(), None) == ["done"]


# -- its form ---------------------------------------------------------------------------------------------------------


class Form:
    """One form of a test's own."""

    def __init__(self, *picks: Pick) -> None:
        self._picks = picks

    def step(self, partial: Partial) -> Step:
        return Step(self._picks, orders=(partial.verb,))

    def partial(self, order: Plain) -> Partial:
        return Partial(str(order))

    def line(self, order: Plain) -> Plain:
        return f"line {order}"


def test_without_a_form_the_proposals_are_one_with_names_and_texts_of_cards(desk: Any) -> None:
    form = asked.form_at(desk, ask(form=None), KNOWS)
    assert values(form.step(Partial())) == [(VERB, "play", "play", ""), (VERB, "done", "done", "")]
    step = form.step(Partial("play"))
    assert [(value, name, says) for _, value, name, says in values(step)] == [
        ("ace", "item ace", "The best."),
        ("king", "named king", ""),
    ]
    (pick, _) = step.picks
    assert form.step(Partial("play").plus(pick)).orders == ({"play": "ace"},), "it is read as its handle"
    more = asked.form_at(desk, ask(verbs=("play", "more")), KNOWS)
    assert [value for _, value, *_ in values(more.step(Partial()))] == ["play", "done"], "with it nothing can be picked"
    named, says = asked._names(desk, {"nameless": "h"})
    assert [str(named("card", w)) for w in ("ace", "nameless")] == ["named ace", "nameless"]
    assert [str(says("card", w)) for w in ("ace", "king")] == ["The best.", ""] and says(VERB, "ace") == NO_WORDS


def test_a_form_of_the_question_stands_where_no_hand_is_named(desk: Any) -> None:
    own = Form()
    question = ask(form=lambda: own)
    assert asked.form_at(desk, question, KNOWS) is own
    desk.game.options = ({"play": "ace"},)
    assert asked.form_at(desk, question, KNOWS) is not own, "orders that name the hand are not in it"
    desk.game.hidden_hands = False
    assert asked.form_at(desk, question, KNOWS) is own


def test_a_form_of_the_game_over_the_hand_goes_before_and_tells_texts(desk: Any) -> None:
    picks = (
        Pick("card", "ace", verbatim("a")),
        Pick("card", "king", verbatim("k")),
        Pick("card", "ace", verbatim("b"), says=msg("own")),
        Pick(VERB, "ace", verbatim("c")),
    )
    desk.game.own = Form(*picks)
    form = asked.form_at(desk, ask(form=lambda: Form()), KNOWS)
    assert isinstance(form, WithTexts) and form.partial("x") == Partial("x") and form.line("x") == "line x"
    step = form.step(Partial("v"))
    assert [str(pick.says) for pick in step.picks] == ["The best.", "", "own", ""] and step.orders == ("v",)
    assert [str(pick.name) for pick in step.picks] == ["a", "k", "b", "c"]
    assert asked.form_at(desk, hiding(), KNOWS) is not desk.game.own and not isinstance(
        asked.form_at(desk, hiding(), KNOWS), WithTexts
    )


def test_a_secret_question_has_its_own_form_with_what_its_owner_may_seal(desk: Any) -> None:
    made: list[Any] = []

    def form(may_seal: Any, reveal: Any) -> Form:
        made.append((may_seal, reveal))
        return Form()

    assert isinstance(asked.form_at(desk, hiding(form=form), KNOWS), Form)
    ((may_seal, reveal),) = made
    assert reveal is KNOWS.reveal and may_seal("nine") == "nine"
    with pytest.raises(Rejected):
        may_seal("ten")


def test_a_secret_question_without_a_form_has_one_over_what_may_be_sealed(desk: Any) -> None:
    desk.game.sealable = ("nine", "ten")
    form = asked.form_at(desk, hiding(), KNOWS)
    words = [value for _, value, *_ in values(form.step(Partial()))]
    assert "nine" in words and "ten" not in words and "play" in words
    (pick,) = (p for p in form.step(Partial("play")).picks if p.value == "ace")
    assert form.step(Partial("play").plus(pick)).orders == ({"play": "ace"},), "a secret order is not spelled out here"
    desk.game.proposals = lambda *of: ["ten"]
    step = asked.form_at(desk, hiding(), KNOWS).step(Partial("ten"))
    assert step.orders == () and [str(p.reason) for p in step.problems] == ["not that"], (
        "what he may not seal is never finished"
    )


# -- two questions at once --------------------------------------------------------------------------------------------


def test_verbs_that_both_questions_take_are_the_first_ones() -> None:
    main = Form(Pick(VERB, "play", verbatim("p")), Pick("card", "x", verbatim("x")))
    passed = Form(Pick(VERB, "play", verbatim("p")), Pick(VERB, "show", verbatim("s")), Pick("card", "y", verbatim("y")))
    both = WithPassed(main, passed, ("play", "show"))
    assert [(p.slot, p.value, str(p.name)) for p in both.step(Partial()).picks] == [
        (VERB, "play", "p"),
        ("card", "x", "x"),
        (VERB, "show", "show"),
    ]
    assert both.step(Partial("show")).orders == ("show",) and both.step(Partial("play")).orders == ("play",)
    hidden = WithPassed(Form(Pick("card", "show", verbatim("x"))), passed, ("play", "show"))
    assert [(p.slot, p.value) for p in hidden.step(Partial()).picks][1:] == [(VERB, "play"), (VERB, "show")], (
        "a card is no verb"
    )
    assert len(both.step(Partial("play")).picks) == 2 and len(both.step(Partial("show")).picks) == 3
    assert both.step(Partial("", (Chosen("card", "x"),))).picks == main.step(Partial()).picks, (
        "nothing more once something is picked"
    )


def test_a_question_that_is_passed_without_verbs_gets_its_own_before_it() -> None:
    passed = Form(Pick("card", "y", verbatim("y")))
    both = WithPassed(None, passed, ("show", "other"))
    assert [(p.slot, p.value) for p in both.step(Partial()).picks] == [(VERB, "show")]
    assert both.step(Partial("show")).orders == ("",), "its form has no verb"
    assert both.step(Partial("other")).picks == () and both.partial({"show": 1}).verb == "show"
    assert WithPassed(None, passed, ()).step(Partial()).picks == ()
    taken = WithPassed(Form(Pick(VERB, "show", verbatim("s"))), passed, ("show",))
    assert [p.value for p in taken.step(Partial()).picks] == ["show"] and taken.partial({"show": 1}).verb == "{'show': 1}"


def test_an_order_is_written_by_the_form_of_its_question() -> None:
    class Other(Form):
        def line(self, order: Plain) -> Plain:
            return f"other {order}"

        def partial(self, order: Plain) -> Partial:
            return Partial("other")

    main, passed = Form(Pick(VERB, "play", verbatim("p"))), Other(Pick(VERB, "show", verbatim("s")))
    both = WithPassed(main, passed, ("show",))
    assert both.line("play") == "line play" and both.line("show") == "other show"
    assert WithPassed(None, passed, ("show",)).line("play") == "other play"
    assert both.partial("show") == Partial("other") and both.partial("play") == Partial("play")

"""What clicks, drags and counts make of the picks of a question, without a browser."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec.structs import replace

from pbem.board.gestures import Before, Gesture, Question, _lit
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Partial, Pick, Step, WhyNot
from pbem.kernel.wording import Argument, Message, english, verbatim
from pbem.report.board import Teller, step

HERE, THERE = "amoy", "canton"


def unit(name: str, at: str, most: int = 1, why: WhyNot | None = None) -> Pick:
    return Pick("unit", name, verbatim(name), at, most, why_not=why)


class Marching:
    """Two stacks that may go to each other's place, and to a third one; `steps` counts what it was asked."""

    def __init__(self) -> None:
        self.steps = 0

    def step(self, partial: Partial) -> Step:
        self.steps += 1
        at = next((c.value for c in partial.chosen if c.slot == "at"), "")
        if not at:
            return Step((Pick("verb", "done", verbatim("done"), leads=("ends-phase",)), place(HERE), place(THERE)))
        has_units = any(c.slot == "unit" for c in partial.chosen)
        to = next((c.value for c in partial.chosen if c.slot == "to"), "")
        if to:
            return Step(orders=({"move": f"{at} to {to}"},))
        stack = (unit("infantry", at, 3), unit("tank", at), unit("spent", at, why=WhyNot(verbatim("has moved"))))
        other = THERE if at == HERE else HERE
        ends = (place(other, "to"), place("hunan", "to")) if has_units else ()
        return Step((*stack, *ends))

    def partial(self, order: Plain) -> Partial:
        raise AssertionError("not asked")

    def line(self, order: Plain) -> Plain:
        raise AssertionError("not asked")


def place(at: str, slot: str = "at") -> Pick:
    return Pick(slot, at, verbatim(at), at)


@pytest.fixture
def form() -> Marching:
    return Marching()


@pytest.fixture
def fresh(form: Marching) -> Gesture:
    return Question(form).begun()


def values(gesture: Gesture) -> list[tuple[str, int]]:
    return [(c.value, c.count) for c in gesture.partial.chosen]


def clicked(gesture: Gesture, *places: str, names: tuple[str, ...] = ()) -> Gesture:
    found = gesture.clicked(places, names)
    assert found is not None
    return found


def test_a_stack_is_selected_then_all_of_it_then_it_goes(fresh: Gesture) -> None:
    stack = clicked(clicked(fresh, HERE), HERE)
    assert values(stack) == [(HERE, 1), ("infantry", 3), ("tank", 1)] and stack.origin == HERE
    assert not stack.is_whole
    gone = clicked(stack, "hunan")
    assert gone.is_whole and gone.step.orders == ({"move": "amoy to hunan"},)


def test_a_place_has_several_names(fresh: Gesture) -> None:
    assert values(clicked(fresh, "0907", HERE)) == [(HERE, 1)]


def test_counters_one_by_one_but_no_more_than_there_are(fresh: Gesture) -> None:
    stack = clicked(fresh, HERE)
    for wanted in (1, 2, 3, 3):
        stack = clicked(stack, HERE, names=("infantry",))
        assert values(stack) == [(HERE, 1), ("infantry", wanted)]
    assert values(stack.counted(-1, 2)) == [(HERE, 1), ("infantry", 2)]
    assert values(stack.counted(1, 0)) == [(HERE, 1)] and stack.counted(1, 4) is stack and stack.counted(7, 1) is stack


def test_two_clicks_move_all_of_a_stack(fresh: Gesture) -> None:
    stack = clicked(fresh, HERE)
    assert "hunan" in [p.at for p in stack.ends] and "hunan" not in [p.at for p in stack.picks]
    gone = clicked(stack, "hunan")
    assert values(gone) == [(HERE, 1), ("infantry", 3), ("tank", 1), ("hunan", 1)] and gone.is_whole
    assert stack.choose("to", "hunan") == gone, "the keyboard and the column do the same"


class Parting(Marching):
    """Infantry goes to Hunan, the tank and the plane to Hupeh and the plane to Shensi; together they go nowhere."""

    WAYS = {"infantry": ["hunan"], "tank": ["hupeh"], "plane": ["hupeh", "shensi"]}

    def step(self, partial: Partial) -> Step:
        units = [c.value for c in partial.chosen if c.slot == "unit"]
        if not partial.chosen or any(c.slot == "to" for c in partial.chosen):
            return super().step(partial)
        ends = [end for end in ("hunan", "hupeh", "shensi") if units and all(end in self.WAYS[u] for u in units)]
        rest = [unit(kind, HERE) for kind in self.WAYS if kind not in units]
        return Step((*rest, *(place(end, "to") for end in ends)))


def test_a_stack_that_can_go_nowhere_together_lights_what_its_parts_can_reach() -> None:
    stack = clicked(Question(Parting()).begun(), HERE)
    assert [p.at for p in stack.ends] == ["hunan", "hupeh", "shensi"]
    assert values(clicked(stack, "hunan")) == [(HERE, 1), ("infantry", 1), ("hunan", 1)]
    assert values(stack.choose("to", "hupeh")) == [(HERE, 1), ("tank", 1), ("plane", 1), ("hupeh", 1)], "all that can"
    drawn = stack.dragged((HERE,), ("shensi",))
    assert drawn is not None and values(drawn) == [(HERE, 1), ("plane", 1), ("shensi", 1)]
    whole = stack.everything(HERE)
    assert not whole.ends and whole.is_stuck and not stack.is_stuck and not clicked(stack, "hunan").is_stuck


def test_an_own_stack_is_selected_and_a_second_click_is_the_end(fresh: Gesture) -> None:
    stack = clicked(fresh, HERE)
    other = clicked(stack, THERE)
    assert values(other) == [(THERE, 1)] and other.before == Before(THERE, stack.whole.partial)
    assert clicked(other, THERE).step.orders == other.here().step.orders == ({"move": "amoy to canton"},)
    assert values(other.back()) == [] and other.back().before is None


def test_units_chosen_one_by_one_go_to_an_own_stack_at_once(fresh: Gesture) -> None:
    part = clicked(clicked(fresh, HERE), HERE, names=("tank",))
    assert values(clicked(part, THERE)) == [(HERE, 1), ("tank", 1), (THERE, 1)]


class Attacking:
    """A target, then attackers from wherever they stand; `first`: units are all that is chosen, as in an activation."""

    def __init__(self, first: bool = False) -> None:
        self.first = first

    def step(self, partial: Partial) -> Step:
        if not partial.chosen and not self.first:
            return Step((place("hunan", "target"),))
        taken = [c.value for c in partial.chosen if c.slot == "unit"]
        units = [unit(n, at) for n, at in (("1", HERE), ("2", HERE), ("3", THERE), ("4", THERE)) if n not in taken]
        return Step(tuple(units), ({"attack": [*taken]},) if taken else ())

    def partial(self, order: Plain) -> Partial:
        raise AssertionError("not asked")

    def line(self, order: Plain) -> Plain:
        raise AssertionError("not asked")


def test_attackers_join_stack_by_stack() -> None:
    target = clicked(Question(Attacking()).begun(), "hunan")
    assert target.joining == [HERE, THERE]
    here = clicked(target, HERE, names=("2",))
    assert [v for v, _ in values(here)] == ["hunan", "1", "2"]
    assert [v for v, _ in values(clicked(here, THERE))] == ["hunan", "1", "2", "3", "4"]


def test_where_only_units_are_chosen_a_counter_is_one_of_them() -> None:
    one = clicked(Question(Attacking(first=True)).begun(), HERE)
    assert [v for v, _ in values(one)] == ["1"]
    two = clicked(one, THERE, names=("4",))
    assert [v for v, _ in values(two)] == ["1", "4"], "another place adds to what is chosen"
    assert [v for v, _ in values(clicked(two, THERE))] == ["1", "4", "3"], "and beside the counters all of it"


def test_units_of_a_place_join_before_a_way_leads_through_it() -> None:
    class Striking(Attacking):
        def step(self, partial: Partial) -> Step:
            step = super().step(partial)
            return replace(step, picks=(*step.picks, place(THERE, "via"))) if partial.chosen else step

    target = clicked(Question(Striking()).begun(), "hunan")
    joined = clicked(target, THERE)
    assert [v for v, _ in values(joined)] == ["hunan", "3", "4"]
    assert [v for v, _ in values(clicked(joined, THERE))] == ["hunan", "3", "4", THERE], "with nobody left there it is the way"


@pytest.mark.parametrize("last", ["via", "to"])
def test_a_way_through_does_not_hide_what_an_end_means(last: str) -> None:
    """Where one may fight and may as well fly through, the place is lit as a battle, whichever is told first."""

    class Through(Marching):
        def step(self, partial: Partial) -> Step:
            step = super().step(partial)
            if not any(c.slot == "unit" for c in partial.chosen):
                return step
            ways = (replace(place("hunan", "to"), leads=("attack",)), place("hunan", "via"))
            return replace(step, picks=(*step.picks[:4], *(ways if last == "via" else reversed(ways))))

    assert dict(_lit(clicked(Question(Through()).begun(), HERE)))["hunan"] == "attack"


def test_what_leads_nowhere_does_nothing(fresh: Gesture) -> None:
    assert fresh.clicked(("hunan",)) is None and fresh.clicked(()) is None
    assert clicked(fresh, HERE).clicked(("honshu",)) is None
    stack = clicked(fresh, HERE)
    assert stack.choose("unit", "spent") is stack and stack.choose("unit", "none") is stack


def test_a_stack_is_drawn_to_its_end(fresh: Gesture) -> None:
    drawn = fresh.dragged((HERE,), ("hunan",))
    assert drawn is not None and values(drawn) == [(HERE, 1), ("infantry", 3), ("tank", 1), ("hunan", 1)]
    part = clicked(clicked(fresh, HERE), HERE, names=("tank",)).dragged((HERE,), ("hunan",))
    assert part is not None and values(part) == [(HERE, 1), ("tank", 1), ("hunan", 1)], "some were chosen"
    assert fresh.dragged((HERE,), ("honshu",)) is None


def test_places_one_after_the_other(fresh: Gesture) -> None:
    first = fresh.around(1)
    assert [first.origin, first.around(1).origin, first.around(1).around(1).origin] == [HERE, THERE, HERE]
    assert fresh.around(-1).origin in (HERE, THERE)


def test_a_question_with_one_verb_has_it_chosen() -> None:
    class Verbs(Marching):
        def step(self, partial: Partial) -> Step:
            return Step(
                ()
                if partial.verb
                else (Pick("verb", "buy", verbatim("buy")), Pick("verb", "done", verbatim("done"), leads=("ends-phase",)))
            )

    assert Question(Verbs()).begun().partial.verb == "buy"
    assert Question(None).begun().partial == Partial()


def test_what_is_offered_no_longer_is_shown_by_its_name(fresh: Gesture) -> None:
    strange = Gesture(fresh.question, Partial("", (Chosen("at", HERE), Chosen("unit", "cavalry", 2))))
    assert strange.offered[0] is not None and strange.offered[1] is None
    assert strange.chosen[1][1].value == "cavalry"


def test_the_same_picks_are_looked_at_once(form: Marching, fresh: Gesture) -> None:
    stack = clicked(clicked(fresh, HERE), HERE)
    seen = form.steps
    assert stack.chosen and stack.picks and stack.starts and clicked(stack.back(), HERE) == stack
    assert form.steps == seen


def test_nothing_asked() -> None:
    nothing = Question(None).begun()
    assert nothing.around(1) is nothing and nothing.here() is nothing and nothing.back() == nothing
    assert nothing.clicked(("x",)) is None and not nothing.is_open


def test_two_task_forces_may_have_one_end_and_two_ships_one_target() -> None:
    offered = (
        Pick("unit", "J1", verbatim("J1")),
        Pick("to", "1631", verbatim("1631"), "1631"),
        Pick("target", "CA7 Vincennes", verbatim("CA7 Vincennes")),
    )

    class Sailing:
        def step(self, partial: Partial) -> Step:
            return Step(offered)

        def partial(self, order: Plain) -> Partial:
            raise NotImplementedError

        def line(self, order: Plain) -> Plain:
            return order

    taken = (Chosen("unit", "J1"), Chosen("to", "1631"), Chosen("target", "CA7 Vincennes"))
    gesture = Gesture(Question(Sailing()), Partial("sail", taken))
    assert [p.value for p in gesture.picks] == ["1631", "CA7 Vincennes"], "ends and targets are offered again, a unit is not"


def test_units_of_several_places_are_told_with_where_they_stand() -> None:
    """Those of one place are not: it has been picked, or stands in the question."""

    class Said:
        code = "en"

        def text(self, value: Argument) -> str:
            return english(value)

    class Named:
        CATALOGUE = "none"

        def named(self, state: None, word: str) -> Message | None:
            return verbatim("Amoy") if word == HERE else None

    teller: Any = Teller(cast(Any, Said()), cast(Any, Named()), None)
    several = Step((unit("infantry", HERE), unit("tank", THERE), place("hunan", "to")))
    assert [p["cost"] for p in cast(Any, step(teller, several)["picks"])] == ["Amoy", "canton", ""]
    assert [p["cost"] for p in cast(Any, step(teller, Step((unit("infantry", HERE), unit("tank", HERE))))["picks"])] == ["", ""]

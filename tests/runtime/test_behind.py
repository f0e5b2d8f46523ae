"""Orders behind a die, placed on a tiny game: which question takes which, what ends it, and how the steps are written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.wording import english, verbatim
from pbem.runtime import behind
from pbem.runtime.behind import Behind
from pbem.runtime.ledger import PlanHeld
from tests.runtime.test_ahead import HELD, Named, Planned
from tests.runtime.test_counting_parts import PLAY, ROLL, ask, reading
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import SkirmishState


class About(Named):
    ASKED = {"b": verbatim("bees"), "c": verbatim("seas")}


class Placed(Planned):
    """The stretch is the ones of the round; a plan reaches two of them."""

    plannable = {"b": ("done", "go", "stay"), "c": ("done", "put"), "sealed c": ("put", "hide"), "s": ("bid",)}
    plans_ahead = 2

    def words(self) -> Any:
        return About()

    def stretches_since(self, state: SkirmishState, stretch: Any) -> int | None:
        since = state.round % 10 - stretch
        return since if 0 <= since <= self.plans_ahead else None

    def typed(self, state: Any, asked: Any, order: Plain) -> list[Plain]:
        return {"both": ["go", "stay"], "walk": ["go"]}.get(str(order), [])


def desk_of(entries: list[Plain], *play: Any, stands: int = 1, **more: Any) -> Any:
    """Of nowak's file, whose first order stands and whose other entries are these."""
    PLAY[:] = (ask("a"), *play)
    party = [Person("nowak", ["red", "rust"]), Person("yamada", ["blue"])]
    found_game(Placed(), party, {})
    start = party[0].table
    table = start.fork()
    table.engine.reply("done")
    sheet = SimpleNamespace(trouble=SimpleNamespace(unread=None), orders=("done",) * stands, passed=())
    desk = SimpleNamespace(start=start, table=table, player="nowak", sheet=sheet, not_played=(stands, tuple(entries)))
    desk.knowledge_at = lambda _: HELD
    desk.__dict__.update(more)
    return desk


def advanced(table: Any) -> Any:
    """The same at its question, if no die is in the way."""
    drawn = behind.drawn_from(table, 0)
    behind.go_on(drawn)
    return drawn


def placed(entries: list[Plain], *play: Any, **more: Any) -> Behind | None:
    desk = desk_of(entries, ROLL, *play, **more)
    before = desk.start.to_plain(), desk.table.to_plain()
    found = behind.behind(desk)
    assert (desk.start.to_plain(), desk.table.to_plain()) == before, "it is tried on a copy"
    return found


def steps(entries: list[Plain], *play: Any, **more: Any) -> list[dict[str, Plain]]:
    """Of entries that all find their place."""
    found = placed(entries, *play, **more)
    assert found is not None and (found.first, found.count, found.rest) == (1, len(entries), len(entries))
    return [*found.steps]


def put(*known: Plain) -> Ask:
    return ask("c", *known, "done")


def test_each_order_goes_to_the_next_question_that_takes_it() -> None:
    play = ask("b", "go", "done"), ask("b", "go", "done"), put("put")
    assert steps(["go", "done", "put"], *play) == [{"at": "b", "do": ["go", "done"]}, {"at": "c", "do": ["put"]}]
    assert steps(["go", "put"], *play) == [{"at": "b", "do": ["go"]}, {"at": "c", "do": ["put"]}]


def test_what_others_decide_and_what_no_plan_answers_is_passed() -> None:
    play = ask("b", "go", seat="blue"), ask("d", "go", "done"), ROLL, ask("b", "go")
    assert steps(["go"], *play) == [{"at": "b", "do": ["go"]}]


def test_the_order_of_the_entries_stays_and_what_finds_no_question_stays_behind() -> None:
    found = placed(["go", "never", "put"], ask("b", "go"), put("put"))
    assert found == Behind(1, 1, 3, ({"at": "b", "do": ["go"]},))
    found = placed(["go", "stay", "put"], ask("b", "go"), ask("b", "done"), put("put"))
    assert found is not None and found.count == 1 and "stay" in english(found.why), "the question that has its verb refuses it"
    assert placed(["never", "go"], ask("b", "go")) is None


def test_an_order_whose_verb_no_plan_may_hold_there_is_not_taken() -> None:
    assert placed(["odd"], ask("b", "odd", "done")) is None


def test_a_done_that_names_its_phase_waits_for_it() -> None:
    play = ask("b", "done"), put("put")
    assert steps(["done: c"], *play) == [{"at": "c", "do": ["done"]}]
    assert steps(["done"], *play) == [{"at": "b", "do": ["done"]}]


def test_what_is_typed_is_planned_as_it_is_meant_and_one_entry_may_be_several_orders() -> None:
    play = ask("b", "go", "done"), ask("b", "stay", "done"), put("put")
    assert steps(["both", "put"], *play) == [{"at": "b", "do": ["go", "stay"]}, {"at": "c", "do": ["put"]}]
    found = placed(["walk", "both"], ask("b", "go"), ask("b", "go"))
    assert found is not None and (found.count, found.steps) == (1, ({"at": "b", "do": ["go"]},)), "half an entry is none"


def test_a_step_names_another_seat_and_a_later_part() -> None:
    assert steps(["go"], ask("b", "go", seat="rust")) == [{"at": "b", "seat": "rust", "do": ["go"]}]
    assert steps(["go"], 2, ask("b", "go")) == [{"at": "b", "later": 1, "do": ["go"]}]
    assert placed(["go"], 4, ask("b", "go")) is None, "no plan reaches so far"


def test_what_stays_sealed_is_a_step_of_its_own_and_is_known_behind() -> None:
    hide = Commit("red", "c", "C", verbatim("hide"), reading("put", "hide"), options=lambda: ["hide"])
    assert steps(["put", "hide"], hide, hide) == [{"at": "sealed c", "do": ["put"]}, {"at": "sealed c", "do": ["hide"]}]
    assert steps(["put", "go"], hide, ask("b", "go")) == [{"at": "sealed c", "do": ["put"]}, {"at": "b", "do": ["go"]}]


def test_what_several_decide_at_once_is_a_sealed_step() -> None:
    both = Simultaneous((ask("s", "bid"), ask("s", "bid", "none", seat="blue")), "C")
    assert steps(["bid"], both) == [{"at": "s", "sealed": True, "do": ["bid"]}]


def test_other_dice_are_tried_where_the_first_do_not_lead_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert behind.TRIED == 4
    need = [behind.drawn_from(desk_of([], ROLL).table, n) for n in range(4)]
    for drawn in need:
        behind.go_on(drawn)
    faces = [drawn.engine.state.losses[1] for drawn in need]
    last = next(n for n, face in enumerate(faces) if face != faces[0])

    def asked(*known: Plain) -> Ask:
        made = ask("b", "done", "go")

        def read(order: Plain) -> Plain:
            from tests.runtime.test_counting_parts import PLAYED

            return reading("done", *known)(order) if PLAYED[-1].losses[1] == faces[last] else reading("done")(order)

        return Ask("red", "b", "C", made.prompt, read, options=lambda: ["done"])

    assert steps(["go"], asked("go")) == [{"at": "b", "do": ["go"]}]
    monkeypatch.setattr(behind, "TRIED", last)
    assert placed(["go"], asked("go")) is None


def test_a_question_that_the_plan_of_the_file_answers_is_left_to_it() -> None:
    desk = desk_of(["go"], ROLL, ask("b", "go", "stay"), ask("b", "go", "stay"))
    step: dict[str, Plain] = {"at": "b", "seat": "red", "sealed": "a" * 64}
    desk.table.ledger.plans.append(PlanHeld(desk.table.last, "nowak", 1, [step], ["nowak:seal1:0"], [0]))
    assert behind.behind(desk) is None


def test_nothing_is_offered_where_the_file_is_wrong_for_another_reason() -> None:
    play = ROLL, ask("b", "go")
    assert behind.behind(desk_of(["go"], *play)) is not None
    assert behind.behind(desk_of(["go"], *play, stands=0)) is None, "a plan needs an order"
    for change in ({"trouble": None}, {"trouble": SimpleNamespace(unread="what")}, {"passed": ("x",)}):
        desk = desk_of(["go"], *play)
        desk.sheet.__dict__.update(change)
        assert behind.behind(desk) is None
    asked = desk_of(["go"], ask("b", "stay"), ROLL, ask("b", "go"))
    asked.table = advanced(asked.table)
    assert asked.table.due.player == "nowak" and behind.behind(asked) is None, (
        "he is asked something that the order does not fit"
    )


def test_so_many_requests_are_passed_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert behind.MOST == 300
    monkeypatch.setattr(behind, "MOST", 3)
    for passed, is_there in ((2, True), (3, False)):
        play = [ask("d", seat="blue")] * passed
        assert (placed(["go"], *play, ask("b", "go")) is not None) is is_there

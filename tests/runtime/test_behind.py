"""Orders behind a die, placed on a tiny game: which question takes which, what ends it, and how the steps are written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Open, Simultaneous
from pbem.kernel.orders import Problem, illegal
from pbem.kernel.wording import NO_WORDS, english, verbatim
from pbem.runtime import behind
from pbem.runtime.behind import Behind
from pbem.runtime.ledger import PlanHeld
from pbem.runtime.paper import read_paper
from pbem.runtime.taking import Refused
from tests.runtime.test_ahead import HELD, Named, Planned
from tests.runtime.test_counting_parts import MADE, PLAY, PLAYED, ROLL, ask, reading
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import SkirmishState


class About(Named):
    ASKED = {"b": verbatim("bees"), "c": verbatim("seas")}


class Placed(Planned):
    """The stretch is the ones of the round; a plan reaches two of them."""

    plannable = {"b": ("done", "go", "stay"), "c": ("done", "put"), "sealed c": ("put", "hide"), "s": ("bid",), "e": ("done",)}
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
    desk.wanted = SimpleNamespace(plan=())
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
    assert steps(["done: e"], *play, ask("e", "done")) == [{"at": "e", "do": ["done"]}], (
        "by its name, which nobody has put in words"
    )


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


def test_what_is_sealed_on_the_way_is_what_the_entry_says() -> None:
    def judge(order: Plain, reveal: Any) -> None:
        if reveal("red:seal0:0") != "ace":
            raise illegal(verbatim("no"), "C")

    hide = Commit("red", "c", "C", verbatim("hide"), reading("put", "hide"), options=lambda: ["hide"], judge=judge)
    asked: list[Any] = []
    known = SimpleNamespace(hand=lambda seat: {}, reveal=lambda handle: "ace" if handle == "red:seal0:0" else None)
    desk = desk_of(["put", "go"], ROLL, hide, Open("red", MADE.replace("blue", "red"), "C"), ask("b", "go"), ask("d"))
    desk.knowledge_at = lambda table: asked.append(table) or known
    found = behind.behind(desk)
    assert found is not None and found.steps == ({"at": "sealed c", "do": ["put"]}, {"at": "b", "do": ["go"]})
    assert PLAYED[-1].losses[-2:] == ["put", "go"] and all(isinstance(table, behind.Drawn) for table in asked)
    other = SimpleNamespace(hand=lambda seat: {}, reveal=lambda handle: "king")
    assert placed(["put"], hide, knowledge_at=lambda table: other) is None, "as its owner's program will judge it"


def test_of_several_who_decide_at_once_his_own_seats_are_his() -> None:
    both = Simultaneous((ask("s", "bid", "none", seat="blue", default="none"), ask("s", "bid", "none", default="none")), "C")
    assert steps(["bid"], both, ask("d")) == [{"at": "s", "sealed": True, "do": ["bid"]}]
    assert PLAYED[-1].losses[-1] == "{'blue': 'none', 'red': 'bid'}"
    mine = Simultaneous((ask("s", "bid", "none", default="none"), ask("s", "bid", "none", seat="rust", default="none")), "C")
    assert steps(["bid"], mine, ask("d")) == [{"at": "s", "sealed": True, "do": ["bid"]}], "the other one is left to silence"
    others = Simultaneous((ask("s", "bid", "none", seat="blue", default="none"),) * 2, "C")
    assert placed(["bid"], others, ask("d")) is None


def test_an_entry_that_cannot_be_read_there_stays_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def readings_at(table: Any, asked: Any, order: Plain, reveal: Any = None) -> Any:
        raise Refused([])

    monkeypatch.setattr(behind.typed, "readings_at", readings_at)
    assert steps(["go"], ask("b", "go")) == [{"at": "b", "do": ["go"]}], "as it stands"
    assert placed(["both"], ask("b", "go")) is None


def test_an_entry_is_read_by_what_its_writer_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[Any] = []

    def readings_at(table: Any, asked: Any, order: Plain, reveal: Any = None) -> Any:
        known.append(reveal)
        return []

    monkeypatch.setattr(behind.typed, "readings_at", readings_at)
    found = placed(["go", "odd"], ask("b", "go"), ask("b", "go"))
    assert found is not None and found.count == 1 and found.why == NO_WORDS, "nothing was refused"
    assert known and all(callable(reveal) for reveal in known)


def test_why_an_entry_cannot_be_planned_is_told_as_its_reading_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def readings_at(table: Any, asked: Any, order: Plain, reveal: Any = None) -> Any:
        raise Refused([Problem("means two things", verbatim("two ways"), "")])

    monkeypatch.setattr(behind.typed, "readings_at", readings_at)
    found = placed(["go", "odd"], ask("b", "go"), ask("b", "go"))
    assert found is not None and found.count == 1 and "two ways" in english(found.why)


def test_a_step_that_the_file_has_is_looked_for_at_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []

    def due_steps(table: Any, held: Any, seat: str, at: str) -> list[int]:
        looked.append((type(table).__name__, held, seat, at))
        return [0] if at == "b" else []

    stays_shut = behind.planned.stays_shut
    made = SimpleNamespace(in_force=lambda _, player: f"plan of {player}", due_steps=due_steps, stays_shut=stays_shut)
    monkeypatch.setattr(behind, "planned", made)
    play = ask("b", "put", "done"), ask("c", "put", seat="rust"), ask("d")
    has_plan = SimpleNamespace(plan=("step",))
    assert placed(["put", "go"], *play, wanted=has_plan) == Behind(1, 1, 2, ({"at": "c", "seat": "rust", "do": ["put"]},))
    assert looked[:2] == [("Drawn", "plan of nowak", "red", "b"), ("Drawn", "plan of nowak", "rust", "c")]


def test_what_may_be_planned_is_asked_of_the_state_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def plannable_here(game: Any, state: SkirmishState) -> dict[str, Any]:
        return {"b": game.plannable["b"]} if len(state.losses) > 2 else {}

    monkeypatch.setattr(Placed, "plannable_here", plannable_here)
    assert placed(["go"], ask("b", "go")) is None
    assert steps(["go"], ask("d"), ask("b", "go")) == [{"at": "b", "do": ["go"]}]


def test_it_ends_with_the_game() -> None:
    desk = desk_of(["go"], ROLL, ask("b", "stay", "done"), "axis", ask("b", "go"))
    assert behind.behind(desk) is None


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
    desk.wanted.plan = (step,)
    assert behind.behind(desk) is None
    desk.wanted.plan = ()
    found = behind.behind(desk)
    assert found is not None and found.steps == ({"at": "b", "do": ["go"]},), (
        "a plan of an older file would be over with this one"
    )
    assert not desk.table.ledger.plans[-1].over, "but it is not, as long as it is not sent"


def passed(*verbs: str) -> Any:
    """A question that its default answers behind the orders."""
    return ask("p", verbs=verbs)


def test_nothing_is_offered_where_the_file_is_wrong_for_another_reason() -> None:
    play = ROLL, ask("b", "go")
    assert behind.behind(desk_of(["go"], *play)) is not None
    assert behind.behind(desk_of(["go"], *play, stands=0)) is None, "a plan needs an order"
    for change in ({"trouble": None}, {"trouble": SimpleNamespace(unread="what")}, {"passed": (passed("go"),)}):
        desk = desk_of(["go"], *play)
        desk.sheet.__dict__.update(change)
        assert behind.behind(desk) is None
    for typed, is_there in (({"go": 1}, False), ("go 1", False), ("go", False), ("stay", True), ("walk", True)):
        desk = desk_of([typed], ROLL, ask("b", "go", "stay"))
        desk.sheet.passed = (passed("go"), passed("show"))
        assert (behind.behind(desk) is not None) is is_there, typed
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


# -- an entry that is several orders ----------------------------------------------------------------------------------------


class Cut:
    """A desk at which the entry `at` does not stand; `cut` says how many stand when it is cut so."""

    def __init__(
        self, rest: tuple[Plain, ...] = ("both",), cut: dict[tuple[Plain, ...], int] | None = None, **more: Any
    ) -> None:
        self.table, self.player, self.not_played, self.cut = "table", "nowak", (3, rest), cut or {}
        self.sheet = SimpleNamespace(trouble=more.get("trouble", "wrong"))

    def parted(self, at: int, orders: tuple[Plain, ...]) -> Any:
        assert at == 3
        return SimpleNamespace(not_played=(self.cut[orders], ()), orders=orders)


READ: list[tuple[Plain, ...]] = [("one",), ("go", "on"), ("go", "stay"), ("go", "far")]
CUT = {("go", "on"): 3, ("go", "stay"): 4, ("go", "far"): 5}


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Of what the entry may be read as, at which table and question."""
    seen: list[Any] = []

    def readings_at(table: Any, asked: Any, order: Plain, reveal: Any = None) -> Any:
        seen.append((table, asked.kind, order))
        if order == "refused":
            raise Refused([])
        return READ

    monkeypatch.setattr(behind.typed, "readings_at", readings_at)
    monkeypatch.setattr(
        behind, "question_of", lambda table, player: ask("b") if (table, player) == ("table", "nowak") else None
    )
    return seen


def parted(desk: Any) -> Any:
    return behind._parted(desk)


def test_an_entry_is_cut_behind_its_first_order_where_that_stands(readings: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert parted(Cut(cut=CUT)) == (3, ("go", "stay")) and readings == [("table", "b", "both")]
    assert parted(Cut(cut=dict.fromkeys(CUT, 3))) is None, "none of it stands"
    assert parted(Cut(("refused",), cut=CUT)) is None
    readings.clear()
    assert parted(Cut((), cut=CUT)) is None and parted(Cut(cut=CUT, trouble=None)) is None and not readings
    monkeypatch.setattr(behind, "question_of", lambda *_: Commit("red", "c", "C", verbatim("c"), lambda order: order))
    assert parted(Cut(cut=CUT)) is None and not readings, "what is sealed is no course"


def test_what_follows_the_first_part_is_planned_and_says_where_it_was_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Behind(4, 1, 1, ({"at": "b", "do": ["stay"]},))
    desk: Any = Cut(cut=CUT)
    looked: list[Any] = []

    def planned_behind(one: Any) -> Behind | None:
        looked.append(one)
        return plan

    monkeypatch.setattr(behind, "_behind", planned_behind)
    monkeypatch.setattr(behind, "_parted", lambda one: None)
    assert behind.behind(desk) is plan and looked == [desk]
    monkeypatch.setattr(behind, "_parted", lambda one: (3, ("go", "stay")) if one is desk else None)
    assert behind.behind(desk) == replace(plan, parted=(3, ("go", "stay"))) and looked[1].orders == ("go", "stay")
    monkeypatch.setattr(behind, "_behind", lambda one: None)
    assert behind.behind(desk) is None


def test_the_best_of_the_dice_is_taken_and_the_first_that_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [1, 3, 3, 2]
    numbers: list[int] = []

    def placed(desk: Any, rest: Any, number: int) -> Any:
        numbers.append(number)
        return SimpleNamespace(count=counts[number], steps=lambda: (number,), why=verbatim(f"{number}"))

    monkeypatch.setattr(behind, "_placed", placed)
    desk = desk_of(["w", "x", "y", "z"])
    desk.table = advanced(desk.table)
    monkeypatch.setattr(behind, "question_of", lambda *_: None)
    assert behind._behind(desk) == Behind(1, 3, 4, (1,), verbatim("1")) and numbers == [0, 1, 2, 3]  # type: ignore[arg-type]
    counts[:] = [2, 4, 0, 0]
    numbers.clear()
    assert behind._behind(desk) == Behind(1, 4, 4, (1,), verbatim("1")) and numbers == [0, 1]  # type: ignore[arg-type]
    counts[:] = [0, 0, 0, 0]
    assert behind._behind(desk) is None


# -- the text that has them in its plan --------------------------------------------------------------------------------------

STEP: dict[str, Plain] = {"at": "b", "do": ["go"]}
PAPER = "orders:\n  - one\n  - two\n  - three\n  - four\n"


def test_entries_go_into_the_plan_behind_what_it_has() -> None:
    paper = read_paper(PAPER + "plan:\n  - {at: b, do: [stay]}\n")
    found = behind.moved(paper, Behind(2, 2, 2, (STEP,)))
    assert [*found.orders] == ["one", "two"] and [*found.draft.plan] == [{"at": "b", "do": ["stay"]}, STEP]
    assert read_paper(found.text).draft.plan == found.draft.plan
    some = behind.moved(read_paper(PAPER), Behind(1, 2, 3, (STEP,)))
    assert [*some.orders] == ["one", "four"] and [*some.draft.plan] == [STEP]


def test_an_entry_of_several_orders_is_parted_first() -> None:
    found = behind.moved(read_paper(PAPER), Behind(2, 1, 1, (STEP,), parted=(1, ("two a", "two b"))))
    assert [*found.orders] == ["one", "two a", "three", "four"] and [*found.draft.plan] == [STEP]


def test_all_of_them_or_some() -> None:
    assert Behind(1, 2, 2, ()).is_whole and not Behind(1, 1, 2, ()).is_whole

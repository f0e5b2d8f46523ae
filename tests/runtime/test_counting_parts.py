"""The count of files by hand, on a tiny game: which answers are tried, where it ends, what is supposed, which dice fall."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain, sha256_hex
from pbem.kernel.engine import Result
from pbem.kernel.flow import Ask, Claim, Commit, Draw, Flow, Open, Roll, Simultaneous
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.wording import verbatim
from pbem.runtime import ahead, counting
from pbem.runtime.ahead import drawn_from, part_of
from pbem.runtime.counting import Counted, counted, nothing_known
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import Rolled, StandingOrder
from pbem.runtime.table import Table
from tests.runtime.one_segment import OneSegment
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import SkirmishState

PLAY: list[Any] = []  # what the segment asks, each a request or the number of a new round
PLAYED: list[SkirmishState] = []  # the states that were played on, the newest last


def playing(g: SkirmishState) -> Flow[None]:
    """[C] What a test wants."""
    PLAYED[:] = [*PLAYED[-1:], g]
    for one in PLAY:
        if isinstance(one, int):
            g.round = one
        elif isinstance(one, str):
            g.winner = one
        else:
            g.losses.append(str((yield one)))


class Words:
    def turn(self, g: Any) -> int:
        return g.round // 10


class Small(OneSegment):
    name, title = "small", "Small"
    segments = {"playing": playing}

    def own_turn(self, state: SkirmishState) -> Plain:
        return state.round % 10

    def words(self) -> Any:
        return Words()

    def result(self, state: SkirmishState) -> Result | None:
        return Result(state.winner, verbatim("won"), "C") if state.winner else None


def reading(*known: Plain) -> Any:
    def read(order: Plain) -> Plain:
        if order not in known:
            raise illegal(verbatim(f"{order}"), "C")
        return order

    return read


def ask(kind: str, *known: Plain, seat: str = "red", listed: tuple[Plain, ...] = (), **more: Any) -> Ask:
    known = known or ("done",)
    return Ask(seat, kind, "C", verbatim(kind), reading(*known), options=lambda: [*(listed or known)], **more)


MADE = "blue:seal1000000:0"  # what is hidden first on the way


class Falls:
    """An answer over which the rules fall."""

    def __str__(self) -> str:
        raise AttributeError("the rule falls over")


ROLL = Roll(verbatim("luck"), 1, 6, "C")


def table_of(*play: Any) -> Table:
    PLAY[:] = play
    party = [Person("nowak", ["red"]), Person("yamada", ["blue"])]
    found_game(Small(), party, {})
    return party[0].table


def count(*play: Any, number: int = 0, supposed: Any = ()) -> Counted:
    table = table_of(*play)
    return counted(table, part_of(table), number, supposed)


def files(found: Counted) -> list[str]:
    return [f"{player} {kind}" for player, kind in found.files]


def test_questions_to_one_player_are_one_file_until_another_is_asked_or_a_die_falls() -> None:
    found = count(ask("a"), ask("b"), ask("c", seat="blue"), ask("d"), ROLL, ask("e"), ask("f"), 2)
    assert files(found) == ["nowak a", "yamada c", "nowak d", "nowak e"] and found.whole


@pytest.mark.parametrize(("then", "kinds"), [(2, ["a"]), (11, ["a"]), (1, ["a", "b"]), ("axis", ["a"])])
def test_it_ends_with_the_part_of_the_turn_or_the_game(then: Any, kinds: list[str]) -> None:
    found = count(ask("a"), then, ask("b", seat="blue"), 2)
    assert [kind for _, kind in found.files] == kinds and found.whole


def test_a_part_is_the_turn_and_whose_it_is() -> None:
    table = table_of(ask("a"))
    table.engine.state.round = 37
    assert part_of(table) == [3, 7]


def hide(**more: Any) -> Commit:
    return Commit("blue", "hide", "C", verbatim("hide"), reading(1), **more)


def claim(truth: Any, seat: str = "blue", **more: Any) -> Claim:
    return Claim(seat, "some", verbatim("some"), "C", truth, **more)


def test_what_is_hidden_on_the_way_is_a_file_and_stays_what_the_rules_put_for_silence() -> None:
    for silent in ({"default": 1}, {"options": lambda: [1]}):
        assert count(ask("a"), hide(**silent), ask("b"), 2) == Counted(
            (("nowak", "a"), ("yamada", "hide"), ("nowak", "b")), whole=True
        )
    assert count(ask("a"), hide(), ask("b"), 2) == Counted((("nowak", "a"), ("yamada", "hide")), whole=False)


def test_what_several_decide_at_once_is_a_file_of_each() -> None:
    both = Simultaneous((ask("s"), ask("s", seat="blue")), "C")
    assert count(ask("a"), both, ask("b"), 2) == Counted((("nowak", "a"), ("yamada", "s"), ("nowak", "b")), whole=True)
    held = [("yamada", "s", "done")]
    assert files(count(ask("a"), both, ask("b"), 2, supposed=held)) == ["nowak a"], "he has said so before"
    loud = Simultaneous((ask("s"), ask("s", "done", "x", "y", seat="blue", listed=("z", "y"), default="x")), "C")
    assert count(loud, 2).whole and PLAYED[-1].losses[-1] == "{'red': 'done', 'blue': 'x'}"
    table = table_of(loud, 2)
    table.ledger.open_answers["blue"] = "y"
    assert files(counted(table, part_of(table), 0)) == ["nowak s"] and PLAYED[-1].losses[-1] == "{'red': 'done', 'blue': 'y'}"
    table = table_of(Simultaneous((ask("s"), ask("s", "y", seat="blue")), "C"), 2)
    table.ledger.sealed_answers["blue"] = "yamada:seal1:0"
    found = counted(table, part_of(table), 0)
    assert found == Counted((("nowak", "s"),), whole=True) and PLAYED[-1].losses[-1] == "{'red': 'done', 'blue': 'y'}"
    listed = Simultaneous((ask("s"), ask("s", "y", seat="blue", listed=("no", "y"))), "C")
    assert count(listed, 2).whole and PLAYED[-1].losses[-1].endswith("'y'}"), "the first that stands"
    dumb = Simultaneous((ask("s"), ask("s", "x", seat="blue", listed=("y",))), "C")
    assert count(dumb, ask("b"), 2) == Counted((("nowak", "s"), ("yamada", "s")), whole=False)


def test_what_nobody_else_can_know_is_taken_to_be_nothing_and_the_truth_is_stated_where_it_is_known() -> None:
    def truth(reveal: Any) -> Plain:
        return [reveal(MADE)]

    found = count(ask("a"), claim(truth), ask("b"), 2)
    assert found == Counted((("nowak", "a"), ("nowak", "b")), whole=True, guessed=True), "his file stands between"
    assert PLAYED[-1].losses[-2:] == ["False", "done"]
    table = table_of(ask("a"), claim(truth), ask("b"), 2)
    found = counted(table, part_of(table), 0, known=lambda handle: handle)
    assert not found.guessed and PLAYED[-1].losses[-2] == "('blue:seal1000000:0',)"
    assert count(ask("a"), claim(lambda reveal: 3, seat="red"), ask("b"), 2) == Counted((("nowak", "a"),), whole=True)


def test_what_an_own_program_states_or_shows_after_another_ends_no_file_twice() -> None:
    said = claim(lambda reveal: 3)
    assert count(ask("a"), said, said, ask("b"), 2) == Counted((("nowak", "a"), ("nowak", "b")), whole=True)


def test_a_guess_is_told_also_where_the_turn_cannot_be_played_to_its_end() -> None:
    hidden = claim(lambda reveal: nothing_known("blue:seal3:0"))
    shown = Open("blue", "blue:seal3:0", "C")
    assert count(ask("a"), hidden, shown, ask("b"), 2) == Counted((("nowak", "a"),), whole=False, guessed=True)
    with pytest.raises(Unknown, match="blue:seal3:0"):
        nothing_known("blue:seal3:0")


def test_what_breaks_the_rules_ends_the_count_behind_a_guess_only() -> None:
    hidden, falls = claim(lambda reveal: nothing_known("x")), replace(ask("f"), read=lambda order: Falls())
    assert count(ask("a"), hidden, falls, 2) == Counted((("nowak", "a"), ("nowak", "f")), whole=False, guessed=True)
    supposed = [("nowak", "f", "done")]
    assert count(ask("a"), hidden, falls, 2, supposed=supposed) == Counted((("nowak", "a"),), whole=False, guessed=True)
    for held in ((), supposed):
        with pytest.raises(AttributeError, match="falls over"):
            count(ask("a"), falls, 2, supposed=held)


def test_a_guess_is_one_that_the_rules_let_stand() -> None:
    def unknown(reveal: Any) -> Plain:
        return reveal("x")

    assert count(claim(unknown, read=reading([], "")), 2).whole and PLAYED[-1].losses[-1] == "[]"
    assert not count(claim(unknown, read=reading(7)), 2).whole
    assert count(ask("a"), Draw("red", "pool", ("x",), (), 1, "C"), ask("b"), 2).whole, "cards come like dice"


def test_what_has_to_be_shown_is_shown_where_it_is_known_and_ends_the_count_where_not() -> None:
    assert count(hide(default=1), Open("blue", MADE, "C"), ask("b"), 2) == Counted(
        (("yamada", "hide"), ("nowak", "b")), whole=True
    )
    assert count(ask("a"), Open("blue", "blue:seal9:9", "C"), ask("b"), 2) == Counted((("nowak", "a"),), whole=False)


def test_more_files_than_anybody_counts_are_no_whole_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (counting.MOST, ahead.TRIED) == (40, 12)
    monkeypatch.setattr(counting, "MOST", 3)
    asks = [ask("a"), ask("b", seat="blue"), ask("c"), ask("d", seat="blue")]
    assert count(*asks, 2) == Counted((("nowak", "a"), ("yamada", "b"), ("nowak", "c")), whole=False)
    assert count(*asks[:2], 2).whole and not count(*asks[:3], 2).whole


def test_the_answer_that_does_least_is_given() -> None:
    listed: tuple[Plain, ...] = ({"go": "on"}, "loud", {"retreat": "no"}, "hold", "done", {"pass": 1})
    assert ahead.quiet_first(listed) == ["done", {"retreat": "no"}, "hold", {"pass": 1}, {"go": "on"}, "loud"]
    assert ahead.quiet_first(["loud", "reply: to blue: no"]) == ["reply: to blue: no", "loud"]
    for quiet in ("no", "pass", "hold", "stay", "none"):
        assert ahead.quiet_first(["x", quiet, {"y": quiet}, {quiet: "y"}]) == [quiet, {"y": quiet}, {quiet: "y"}, "x"]


def test_answers_are_tried_until_one_stands_and_no_longer_than_sense() -> None:
    for refused, stands in ((11, True), (12, False)):
        listed = (*(f"no {n}" for n in range(refused)), "yes")
        found = count(ask("a"), ask("b", "yes", seat="blue", listed=listed), ask("c"), 2)
        assert files(found) == (["nowak a", "yamada b", "nowak c"] if stands else ["nowak a", "yamada b"])
        assert found.whole is stands


def test_what_several_decide_at_once_is_not_answered_for_one_of_them() -> None:
    table = table_of(Simultaneous((ask("a"), ask("b", seat="blue")), "C"), 2)
    assert isinstance(table.engine.request, Simultaneous)
    assert not ahead.answered(table, table.engine.request.asks[1])
    assert isinstance(table.engine.request, Simultaneous)


def test_a_default_that_a_standing_order_keeps_back_is_given() -> None:
    default = ask("a", "x", "y", listed=("none",), default="y")
    found = count(ask("z", seat="blue"), default, ask("b", seat="blue"), 2, supposed=[("nowak", "a", "ask me")])
    assert files(found) == ["yamada z", "nowak a", "yamada b"] and found.whole


def test_supposed_standing_orders_answer_where_there_is_none() -> None:
    table = table_of(ask("a", "x"), ask("b", seat="blue"), 2)
    since, supposed = part_of(table), [("nowak", "a", "x"), ("nowak", "b", "done")]
    assert files(counted(table, since, 0, supposed)) == ["yamada b"]
    table.ledger.standing.append(StandingOrder(0, "nowak", "a", [{"do": "ask me"}]))
    assert files(counted(table, since, 0, supposed)) == ["nowak a", "yamada b"]
    assert len(table.ledger.standing) == 1, "the table itself is left alone"


def test_a_supposed_standing_order_that_cannot_be_read_is_named() -> None:
    with pytest.raises(Rejected) as refused:
        count(ask("a"), 2, supposed=[("nowak", "a", [{"do": "x", "nope": 1}])])
    assert str(refused.value.problems[0].reason) == "standing order 'a', clause 1: unknown key 'nope'"


def test_dice_come_from_the_number_and_from_how_many_fell() -> None:
    table = table_of(ask("a"))
    drawn = drawn_from(table, 0)
    assert drawn.number == 0 and drawn.seed() == bytes.fromhex(sha256_hex(b"0 0 0"))
    drawn.number = 4
    drawn.ledger.rolled += [Rolled(0, 0, "", 6, "", [])] * 2
    drawn.ledger.draws += [None]  # type: ignore[list-item]
    assert drawn.seed() == bytes.fromhex(sha256_hex(b"4 2 1"))


def test_the_dice_that_fall_are_those_of_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    advance = Table.advance

    def watch(table: Table, hand: Any) -> None:
        advance(table, hand)
        seen.append(
            (hand.player, hand.seq, table.ledger.source, [r.dice for r in table.ledger.rolled], table.engine.state_hash())
        )

    table = table_of(ask("a"), ROLL, ask("b"), 2)
    before = table.engine.state_hash()
    monkeypatch.setattr(Table, "advance", watch)
    fallen = set()
    for number in range(4):
        seen.clear()
        assert counted(table, part_of(table), number).whole
        fallen.add(str(seen[-1][3]))
        assert {entry[:3] for entry in seen} == {("", 0, 0)} and len(seen[-1][3]) == 1
        again = [*seen]
        seen.clear()
        counted(table, part_of(table), number)
        assert seen == again
    assert (table.engine.state_hash(), table.ledger.rolled) == (before, []) and len(fallen) > 1


def test_what_the_own_program_gives_is_no_file_and_its_seal_is_what_it_holds() -> None:
    def own(table: Table) -> Any:
        request = table.engine.request
        if isinstance(request, Commit):
            return {"seal": 1, "seat": "blue"}
        return "x" if isinstance(request, Ask) and request.kind == "a" else None

    table = table_of(ask("a", "x", "done"), hide(), Open("blue", MADE, "C"), ask("b"), 2)
    found = counted(table, part_of(table), 0, own=own)
    assert found == Counted((("nowak", "b"),), whole=True) and PLAYED[-1].losses == ["x", MADE, "1", "done"]


def test_what_the_own_program_decides_at_once_with_others_is_no_file() -> None:
    both = Simultaneous((ask("s"), ask("s", "x", "y", seat="blue", default="y")), "C")

    def decides(table: Table, asked: Ask) -> Plain:
        assert table.engine.request is both
        return "x" if asked.seat == "blue" else None

    table = table_of(both, ask("b"), 2)
    found = counted(table, part_of(table), 0, decides=decides)
    assert files(found) == ["nowak s"] and PLAYED[-1].losses[0] == "{'red': 'done', 'blue': 'x'}", (
        "the next is in the same file"
    )
    table = table_of(both, 2)
    table.ledger.open_answers["blue"] = "y"
    counted(table, part_of(table), 0, decides=decides)
    assert PLAYED[-1].losses[0] == "{'red': 'done', 'blue': 'y'}", "he had said so before"

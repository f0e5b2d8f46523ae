"""A log played again: which files count, which only turn their dice, under which rules, and what an undo takes over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import replaying
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.ledger import DrawMade, Entry, Fired, Ledger, PlanHeld, Rolled, RulesInForce, StandingOrder

STATE = "ab" * 32


@dataclass
class Fresh:
    """A table that notes what it is given: files, with how many entries and draw numbers, and changes of rules."""

    ledger: Ledger = field(default_factory=lambda: Ledger(entries=[Entry("c", "", "charter")], rules=[RulesInForce(1, 0)]))
    given: list[Any] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    started: tuple[Any, ...] = ()
    state: str = STATE
    problems: tuple[Any, ...] = ()
    engine: Any = "fresh engine"
    game: Any = "fresh game"

    def advance(self, hand: Hand) -> None:
        supply: Any = hand.supply
        self.hands.append(hand)
        self.given.append((hand.seq, hand.player, hand.orders, getattr(supply, "unused", None)))
        assert [e.id for e in self.ledger.entries] == [f"f{n}" if n else "c" for n in range(hand.seq + 1)]
        assert not any(e.decides or e.of for e in self.ledger.entries)
        if hand.orders:
            hand.state = self.state
        hand.problems.extend(self.problems)

    def switch_rules(self, version: int) -> None:
        self.given.append(("rules", version))


@dataclass
class Old:
    """The table whose log is played again."""

    ledger: Ledger
    charter: Any = "charter"
    module: Any = "module"
    engine: Any = field(default_factory=lambda: type("Old", (), {"scenario": {"hill": 3}})())
    game: Any = "old game"


def turn(player: str, *orders: Plain, **more: Any) -> dict[str, Any]:
    return {"type": "turn", "player": player, "orders": [*orders], **more}


def old(*documents: dict[str, Any], **ledger: Any) -> tuple[Any, list[dict[str, Any]]]:
    """A table behind these files, each of which has decided something, and its log."""
    log = [{"type": "charter"}, *documents]
    entries = [Entry("c", "", "charter")]
    entries += [Entry(f"f{n}", d.get("player", ""), d["type"], f"l{n}", True) for n, d in enumerate(documents, 1)]
    return Old(Ledger(entries=entries, **{"rules": [RulesInForce(1, 0)], **ledger})), log


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Fresh:
    table = Fresh()

    class Start:
        @staticmethod
        def start(*given: Any) -> Fresh:
            table.started = given
            return table

    monkeypatch.setattr(replaying, "Table", Start)
    return table


def replayed(table: Any, log: list[dict[str, Any]], **more: Any) -> Any:
    def fetch(seq: int) -> dict[str, Any]:
        assert seq > 0, "the charter is no file"
        return log[seq]

    return replaying.replay(table, fetch, Engine, **more)


FOUR = (turn("nowak", "a", open=[{"handle": "h"}]), turn("yamada"), turn("nowak", "b", "c"), turn("yamada", "d"))


def test_every_file_is_played_in_its_place_with_what_the_log_had_announced(fresh: Fresh) -> None:
    known: dict[str, Any] = {
        **{"keys": {"nowak": "k"}, "held": ["k"], "trees": ["t"], "commits": {"nowak 0": ["x"]}, "committed_in": {"nowak 0": 2}}
    }
    table, log = old(*FOUR, **known)
    before = [*table.ledger.entries]
    assert replayed(table, log) is fresh
    assert fresh.started == ("charter", "module", {"hill": 3}, Engine)
    assert fresh.given == [
        *((1, "nowak", ["a"], [{"handle": "h"}]), (2, "yamada", [], [])),
        *((3, "nowak", ["b", "c"], []), (4, "yamada", ["d"], [])),
    ]
    assert all(getattr(fresh.ledger, name) is getattr(table.ledger, name) for name in known)
    assert table.ledger.entries == before and [(e.player, e.type, e.link) for e in fresh.ledger.entries[1:]] == [
        (e.player, e.type, e.link) for e in before[1:]
    ]


def test_standing_orders_of_a_file_are_taken_and_those_of_a_void_one_are_not(fresh: Fresh) -> None:
    files = (turn("nowak", standing={"loss": "foot"}), turn("yamada", "x", standing={"stop": "stop"}, open=[{"handle": "h"}]))
    table, log = old(*files, voided=[2])
    replayed(table, log)
    assert [(s.kind, s.player, s.seq) for s in fresh.ledger.standing] == [("loss", "nowak", 1)]
    assert fresh.given == [(1, "nowak", [], []), (2, "yamada", [], [{"handle": "h"}])]


def test_of_files_that_were_taken_back_the_first_of_each_stretch_still_turns_its_dice(fresh: Fresh) -> None:
    files = [turn("nowak", n) for n in range(1, 9)]
    table, log = old(*files, voided=[2, 3, 4, 7, 8])
    replayed(table, log)
    assert [(seq, orders) for seq, _, orders, _ in fresh.given] == [(1, [1]), (2, []), (5, [5]), (6, [6]), (7, [])]
    fresh.given.clear()
    fresh.ledger = Fresh().ledger
    table.ledger.voided = [3, 4, 5, 6, 7, 8]
    replayed(table, log, dice_only=4)
    assert [(seq, orders) for seq, _, orders, _ in fresh.given] == [(1, [1]), (2, [2]), (3, []), (4, [])]


def test_draw_numbers_are_those_of_the_log_whatever_was_taken_back(fresh: Fresh) -> None:
    def made(player: str, j: int, seq: int) -> DrawMade:
        return DrawMade(j, player, "red", "", seq, 1)

    draws = [made("nowak", 4, 2), made("yamada", 7, 2), made("nowak", 5, 2), made("nowak", 6, 3)]
    table, log = old(*FOUR[:2], draws=draws)
    replayed(table, log)
    assert fresh.ledger.draw_counts == {"nowak": 4, "yamada": 7}, "the first of each player in the file"
    fresh.ledger = Fresh().ledger
    table, log = old(*FOUR, draws=draws)
    replayed(table, log)
    assert fresh.ledger.draw_counts == {"nowak": 6, "yamada": 7}, "of the newest file that drew"


def test_other_documents_bring_no_orders_and_a_heal_goes_on(fresh: Fresh) -> None:
    table, log = old({"type": "void"}, {"type": "heal"}, {"type": "undo", "player": "nowak"}, turn("nowak", "a"))
    replayed(table, log)
    assert fresh.given == [(2, "", [], None), (4, "nowak", ["a"], [])]


def test_rules_change_before_their_first_file_and_behind_the_last_one(fresh: Fresh) -> None:
    rules = [RulesInForce(1, 0), RulesInForce(2, 3), RulesInForce(3, 5), RulesInForce(4, 6)]
    table, log = old(*FOUR, rules=rules)
    replayed(table, log)
    files = [(1, "nowak"), (2, "yamada"), ("rules", 2), (3, "nowak"), (4, "yamada"), ("rules", 3)]
    assert [given[:2] for given in fresh.given] == files
    assert fresh.ledger.rules == rules[:3]


def test_rules_change_at_a_file_that_was_taken_back(fresh: Fresh) -> None:
    table, log = old(*FOUR, rules=[RulesInForce(1, 0), RulesInForce(2, 3)], voided=[2, 3])
    replayed(table, log)
    assert [given[:2] for given in fresh.given] == [(1, "nowak"), (2, "yamada"), ("rules", 2), (4, "yamada")]


@pytest.mark.parametrize(
    ("stated", "records", "same"),
    [(STATE, True, True), ("cd" * 32, True, False), (None, True, True), ("cd" * 32, False, True)],
)
def test_the_state_that_a_file_names_comes_out_again(fresh: Fresh, stated: str | None, records: bool, same: bool) -> None:
    table, log = old(turn("nowak", "a", state=stated))
    if same:
        replayed(table, log, records=records)
        return
    with pytest.raises(ProtocolError) as caught:
        replayed(table, log, records=records)
    reason = "file 1 played again begins in another state than its author's program found: programs differ"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.DIVERGED, reason)


def test_records_of_void_files_and_of_those_without_orders_are_not_held_against_anybody(fresh: Fresh) -> None:
    table, log = old(turn("nowak", state="cd" * 32), turn("nowak", "a", state="cd" * 32), voided=[2])
    replayed(table, log, records=True)


def test_an_order_that_is_refused_when_played_again_is_a_difference_of_programs(fresh: Fresh) -> None:
    fresh.problems = ("refused",)
    table, log = old(turn("nowak", "a", state=STATE))
    replayed(table, log)
    with pytest.raises(ProtocolError):
        replayed(table, log, records=True)


def test_an_undo_takes_over_what_the_replay_made_and_keeps_links_and_commitments(monkeypatch: pytest.MonkeyPatch) -> None:
    again = Fresh()
    taken: dict[str, Any] = {
        **{"source": 1, "rolls": 2, "rolled": [Rolled(1, 0, "x", 6, "S", [1])], "opened": {"h": 1}, "claims": ["c"]},
        **{"standing": [StandingOrder(1, "nowak", "x", [])], "fired": [Fired(1, "red", "x", "y", "plan")], "seals": {"s": 1}},
        **{"plans": [PlanHeld(1, "nowak", 1, [], [], [])], "sealed_answers": {"red": "h"}, "draws": ["d"]},
        "open_answers": {"blue": 1},
    }
    for name, value in taken.items():
        setattr(again.ledger, name, value)
    asked: list[Any] = []

    def replay(*given: Any, **named: Any) -> Fresh:
        asked.append((given, named, [*table.ledger.voided]))
        return again

    monkeypatch.setattr(replaying, "replay", replay)
    kept: dict[str, Any] = {"keys": {"nowak": "k"}, "commits": {"nowak 0": ["x"]}, "draw_counts": {"nowak": 3}, "tips": ["t"]}
    table, log = old(*FOUR, voided=[1, 4], source=4, rolls=9, **kept)
    fetch = log.__getitem__
    replaying.take_back(table, 3, fetch)
    assert asked == [((table, fetch, Engine), {"dice_only": 3}, [1, 3, 4])]
    for name, value in taken.items():
        assert getattr(table.ledger, name) == value, name
    assert {name: getattr(table.ledger, name) for name in kept} == kept
    assert [e.decides for e in table.ledger.entries] == [False, True, True, False, True] and len(table.ledger.entries) == 5
    assert (table.engine, table.game) == ("fresh engine", "fresh game")


def test_a_file_supplies_what_it_opens(fresh: Fresh) -> None:
    table, log = old(turn("nowak", "a", open=None), {**turn("yamada"), "orders": None})
    replayed(table, log)
    assert all(isinstance(hand.supply, FileSupply) for hand in fresh.hands) and len(fresh.hands) == 2

"""What a side hides, planned before: a secret activation and its length come with the bid, in one file, and stay shut."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli import planning
from pbem.games.pacific_war.command.activation import sealed_length
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.secret.fleets import contents
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit, Simultaneous
from pbem.kernel.orders import verb_of
from pbem.protocol import strict_yaml
from pbem.report.planning import steps_told
from pbem.runtime import lapsed
from pbem.runtime.audit import audit
from pbem.runtime.behind import behind
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take
from tests.mails.counting import Player, drafted, kind_of, two_bots
from tests.mails.stretches import STRETCHES
from tests.pacific_war.hidden_play import decide, two_people
from tests.pacific_war.test_hidden_hands import lies, named
from tests.pacific_war.test_hidden_lies import SEALED as EVERYTHING
from tests.pacific_war.test_hidden_lies import secretive
from tests.toygame.party import send
from tests.toygame.test_skirmish import disclosures

(SEALED,) = (s for s in STRETCHES if s.what == "August, all sealed")
OPERATOR = "nowak"  # of these games
MOST = 40  # files
SHIPS = ["CV3 Yorktown", "CV4 Saratoga", "CA3 Minneapolis", "CL5 San Juan"]


def activation(*ships: str) -> Plain:
    return {"activate": {"hq": "South Pacific", "units": [*ships], "fleets": [{"core": [*ships[:2]], "screen": [*ships[2:]]}]}}


FLEET = activation(*SHIPS)
NOBODY = activation("CV3 Yorktown", "BB6 South Dakota")  # one of them is not there


def steps(order: Plain = FLEET, days: int = 21) -> list[Plain]:
    return [
        {"at": "activate", "do": ["secret"]},
        {"at": "sealed muster", "do": [order]},
        {"at": "sealed length", "do": [{"days": days}]},
    ]


def due(party: list[Player]) -> Player:
    return next(p for p in party if p.name == party[0].table.due.player)


def is_automatic(party: list[Player]) -> bool:
    return party[0].table.due.what in AUTOMATIC


def bidding(plan: list[Plain]) -> list[Player]:
    """The operations player bids, with a plan; then programs go on until somebody is asked."""
    party = two_bots(SEALED, 0)
    for _ in range(MOST):
        asked = "" if is_automatic(party) else kind_of(party[0].table.engine.request)
        if asked == "operation-bid" and due(party).name == OPERATOR:
            send([*party], Draft([{"bid": 30}], plan=plan))
            break
        send([*party], Draft() if is_automatic(party) else drafted(due(party), {}))
    while is_automatic(party):
        send([*party], Draft())
    return party


def by_hand(party: list[Player]) -> Iterator[Plain]:
    """Orders of files of the operations player behind his bid."""
    (seq,) = [held.seq for held in party[0].table.ledger.plans]
    return (d["orders"] for d in party[0].log[seq + 1 :] if d["player"] == OPERATOR and d.get("orders"))


def test_bid_activation_and_length_are_one_file_and_the_enemy_sees_markers_alone() -> None:
    party = bidding(steps())
    g = party[0].table.engine.state
    allies = next(p for p in party if p.name == OPERATOR).knowledge().reveal
    assert not [*by_hand(party)] and kind_of(party[0].table.engine.request) in ("kinds", "contact", "stop")
    assert g.operation.longest == 28 and sealed_length(g.operation, allies) == 21
    (marker,) = [m for m, x in g.markers.items() if x.side == "allies"]
    assert contents(g, marker, allies) == {"core": SHIPS[:2], "screen": SHIPS[2:]}
    (japan,) = (p for p in party if p.name != OPERATOR)
    for handle in (g.operation.length, g.markers[marker].handle):
        assert handle in party[0].table.ledger.seals and handle not in party[0].table.ledger.opened
        with pytest.raises(LookupError):
            japan.knowledge().reveal(handle)
    assert audit(party[0].table, disclosures([*party]), party[0].fetch) is None


def test_its_approach_and_first_day_may_come_in_the_file_of_the_bid_too() -> None:
    approach: list[Plain] = [
        {"at": "contact", "later": 1, "do": ["end"]},
        {"at": "light", "later": 2, "do": [{"light": "am"}]},
        {"at": "sail", "later": 2, "do": ["stay"]},
    ]
    party = bidding([*steps(), *approach])
    while True:
        if is_automatic(party):
            send([*party], Draft())
        elif due(party).name == OPERATOR:
            break
        else:
            send([*party], drafted(due(party), {}))
    fired = [(f.kind, f.order) for f in party[0].table.ledger.fired if f.by == "plan" and f.kind in ("contact", "sail")]
    assert fired == [("contact", "end"), ("sail", "stay")]
    assert not [*by_hand(party)] and party[0].table.engine.state.cycle > 0


def test_without_them_he_sends_another_file() -> None:
    party = bidding([])
    assert due(party).name == OPERATOR and kind_of(party[0].table.engine.request) == "activate"


def test_an_order_that_turns_out_not_to_be_allowed_activates_nothing_as_its_owner_has_to_say() -> None:
    party = bidding(steps(NOBODY))
    (claim,) = [c for c in party[0].table.ledger.claims if c.kind == "muster"]
    assert claim.value == {} and not [m for m, x in party[0].table.engine.state.markers.items() if x.side == "allies"]
    assert audit(party[0].table, disclosures([*party]), party[0].fetch) is None


def lapses(party: list[Player], player: str) -> list[tuple[str, int, str]]:
    """What a player's program says of his sealed steps: question, step and why."""
    owner = next(p for p in party if p.name == player)
    files = lapsed.answered_by(owner.table.ledger, player, range(1, owner.table.last + 1))
    found = []
    for seq in files:
        before = Table.start(owner.table.charter, GAME, owner.table.engine.scenario)
        for document in owner.log[1:seq]:
            before = take(before, document, owner.fetch).table
        told = lapsed.lapsed(before, owner.log[seq], owner.fetch, owner.knowledge())
        found += [(one.fired.kind, one.fired.clause, str(one.why)) for one in told]
    return found


def test_its_owner_is_told_which_step_lapsed_and_why_and_nobody_else() -> None:
    party = bidding(steps(NOBODY))
    ((kind, step, why),) = lapses(party, OPERATOR)
    assert (kind, step) == ("muster", 2) and "South Dakota" in why
    (other,) = (p.name for p in party if p.name != OPERATOR)
    assert lapses(party, other) == [], "he cannot know it"
    assert lapses(bidding(steps()), OPERATOR) == [], "what stood is not told"


def test_whoever_says_that_it_is_not_allowed_once_he_knows_the_bid_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a plan would be taken back by a statement."""
    lies(monkeypatch, OPERATOR, muster=lambda claim, truth: {})
    party = bidding(steps())
    assert not [m for m, x in party[0].table.engine.state.markers.items() if x.side == "allies"], "the others believe it"
    named([*party], OPERATOR, "muster")


def test_orders_that_stand_behind_the_bid_are_offered_as_this_plan() -> None:
    """As somebody writes them who wants it all in one file: one order under the other."""
    party = two_bots(SEALED, 0)
    while is_automatic(party) or (due(party).name, kind_of(party[0].table.engine.request)) != (OPERATOR, "operation-bid"):
        send([*party], Draft() if is_automatic(party) else drafted(due(party), {}))
    writer = due(party)
    orders: list[Plain] = [{"bid": 30}, "secret", FLEET, {"days": 21}, {"sail": {"A9": 3228}}]
    desk = Desk(writer.table, writer.secrets(), writer.fetch, writer.salt, strict_yaml.write_document({"orders": orders}))
    found = behind(desk)
    assert found is not None and [*found.steps[:3]] == steps() and found.first == 1
    assert (found.count, found.rest) == (3, 4), "no such task force sails"


@pytest.mark.parametrize("at", ["muster", "length", "task forces", "march"])
def test_what_stays_sealed_goes_by_that_name_alone(at: str) -> None:
    party = two_bots(SEALED, 0)
    while is_automatic(party):
        send([*party], Draft())
    with pytest.raises(Refused, match="no question that can be planned for"):
        due(party).write(Draft([], plan=[{"at": at, "do": [{"days": 14}]}]))


def test_what_may_be_sealed_in_a_plan_are_orders_of_its_question() -> None:
    """Of the questions that players are asked who hide what they can."""
    party, dice, seen = two_people("guadalcanal", None, 2, GAME, **EVERYTHING), random.Random(2), dict[str, set[str]]()
    for _ in range(90):
        writer = next(p for p in party if p.name == party[0].table.due.player)
        request = party[0].table.engine.request
        if isinstance(request, Commit):
            listed = GAME.proposals(party[0].table.engine.state, request, {}, writer.knowledge().reveal)
            seen.setdefault(request.kind, set()).update(verb_of(order) for order in listed)
        send(party, decide(writer, dice, secretive))
    assert {"allocate", "muster", "transport"} <= {*seen}
    assert all(verbs <= {*GAME.plannable["sealed " + kind]} for kind, verbs in seen.items()), seen


def test_a_month_s_seals_and_its_bid_come_in_one_file() -> None:
    """The points are sealed by hand; what the month asks behind them is planned."""
    party = two_bots(SEALED, 0)
    while is_automatic(party):
        send([*party], Draft())
    plan: list[Plain] = [
        {"at": "transport", "do": ["secret"]},
        {"at": "sealed transport", "do": ["done"]},
        {"at": "repairs", "do": ["secret"]},
        {"at": "sealed repairs", "do": ["done"]},
        {"at": "replacements", "do": ["done"]},
        {"at": "engineering", "do": ["done"]},
    ]
    writer = due(party)
    send([*party], Draft(drafted(writer, {}).orders, plan=plan))
    while not isinstance(party[0].table.engine.request, Simultaneous):
        assert is_automatic(party) or due(party) is not writer
        send([*party], Draft() if is_automatic(party) else drafted(due(party), {}))
    fired = [f.kind for f in party[0].table.ledger.fired if f.by == "plan"]
    assert fired.count("transport") == 2 and {"repairs", "replacements", "engineering"} <= {*fired}


def test_a_reader_is_told_what_is_sealed_by_its_question() -> None:
    told = [str(line) for line in steps_told([{"at": "sealed length", "sealed": "ab" * 32}], GAME.words(), lambda word: None)]
    assert told == ["then, length of the operation, sealed"], "its question says so"


def test_its_owner_reads_which_of_his_steps_are_sealed() -> None:
    plan: list[Plain] = [
        {"at": "operation-bid", "sealed": True, "do": [{"bid": 9}]},
        {"at": "sealed length", "do": [{"days": 21}]},
    ]
    told = [str(line) for line in steps_told(plan, GAME.words(), lambda word: None)]
    assert told == ["then, bid for the operation, sealed: bid: 9", "then, length of the operation, sealed: days: 21"]
    assert planning.open_to_all(plan) == [] != planning.open_to_all([*plan, {"at": "stop", "do": [{"stop": "no"}]}])


def session_of(party: list[Player], player: str) -> Any:
    """Of a player, in whose folder his secrets are."""
    folder = SimpleNamespace(secrets=lambda: _secrets(party, player))
    return SimpleNamespace(table=party[0].table, me=SimpleNamespace(player=player), game=GAME, folder=folder)


def _secrets(party: list[Player], player: str) -> Any:
    return SimpleNamespace(player=player, sealed=next(p.sealed for p in party if p.name == player))


def test_who_makes_a_new_plan_is_told_what_of_the_old_one_falls_away() -> None:
    party = bidding([*steps(), {"at": "sail", "later": 2, "do": ["stay"]}])
    mind, left = planning.ended(session_of(party, OPERATOR), steps())
    assert mind.startswith("Mind: this plan takes the place of that of file") and left.endswith("stay")
    shut: Plain = {"at": "sail", "later": 2, "sealed": True, "do": ["stay"]}
    _, left = planning.ended(session_of(bidding([*steps(), shut]), OPERATOR), steps())
    assert "sealed" in left and left.endswith(": stay"), "its owner reads what he has sealed"
    assert planning.ended(session_of(party, OPERATOR), []) == [] == planning.ended(session_of(party, "yamada"), steps())


def test_what_is_left_of_a_plan_says_how_far_it_is_from_now() -> None:
    """The approach has begun: what was planned for its first cycle is one stretch away, no longer two."""
    party = bidding([*steps(), {"at": "sail", "later": 2, "do": ["stay"]}])
    session: Any = SimpleNamespace(table=party[0].table, game=GAME)
    (held,) = party[0].table.ledger.plans
    assert party[0].table.game.stretches_since(party[0].table.engine.state, held.stretch) == 1
    assert [(step["at"], step["later"]) for step in planning.left(session, held) if isinstance(step, dict)] == [("sail", 1)]


def test_a_draft_begins_a_plan_behind_a_sealed_question_too() -> None:
    party = two_bots(SEALED, 0)
    while is_automatic(party):
        send([*party], Draft())
    assert isinstance(party[0].table.engine.request, Commit)
    kinds = next(line for line in planning.to_edit(session_of(party, due(party).name)) if "- at:" in line)
    assert {"operation-bid", "sealed length"} <= {*kinds.partition(": ")[2].split(" | ")}
    assert planning.to_edit(session_of(party, "nobody")) == []


def test_every_question_that_can_be_planned_has_words_and_takes_standing_orders_without_a_warning() -> None:
    assert {kind.removeprefix("sealed ") for kind in GAME.plannable} <= {*GAME.words().ASKED}

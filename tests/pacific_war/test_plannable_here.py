"""Which questions a draft offers to plan for: those that may come up with this scenario and these options, no others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.cli import drafting, planning
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.planning import IN_SECRET, PLANNABLE
from pbem.games.pacific_war.records import Operation
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.plans import HIDDEN
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import msg
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from tests.mails.counting import Player, two_bots
from tests.mails.stretches import STRETCHES
from tests.pacific_war import random_play, table
from tests.toygame.party import send

EVERYTHING: dict[str, Any] = {"forces": "sealed", "land": "sealed", "points": "sealed", "barges": "yes"}
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("savo-island", {}),
    ("santa-cruz", {"forces": "sealed"}),
    ("coral-sea", {}),
    ("guadalcanal", {}),
    ("guadalcanal", {"secrets": "open", "points": "sealed"}),
    ("guadalcanal", EVERYTHING),
    ("guadalcanal", {**EVERYTHING, "solitaire": "yes"}),
    ("strategic-1941", EVERYTHING),
)
QUESTIONS = 1500  # of a game, at most


class EnoughSeen(Exception):
    """The game has been played far enough."""


def here(scenario: str, **options: Any) -> set[str]:
    return {*GAME.plannable_here(table.begin(scenario, **options).state)}


def asked_in(scenario: str, options: dict[str, Any]) -> set[str]:
    """Kinds of questions as a plan names them, of a game played at random."""
    seen: set[str] = set()
    left = iter(range(QUESTIONS))

    def watch(engine: Engine) -> None:
        request, asked = engine.request, set[str]()
        if isinstance(request, Commit):
            asked = {HIDDEN + request.kind}
        elif isinstance(request, Ask | Simultaneous):
            asked = {ask.kind for ask in (request.asks if isinstance(request, Simultaneous) else [request])}
        too_early = {kind for kind in asked & {*PLANNABLE} if not GAME.may_ask(engine.state, kind, 0)}
        assert not too_early, f"asked in the part of the game at hand: {too_early}"
        seen.update(asked)
        if next(left, None) is None:
            raise EnoughSeen

    with pytest.raises(EnoughSeen):
        random_play.play(scenario, 1, watch, **options)
        raise EnoughSeen
    return seen


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("scenario", "options"), GAMES, ids=lambda x: x if isinstance(x, str) else "+".join(x) or "open")
def test_nothing_is_asked_that_is_not_offered(scenario: str, options: dict[str, Any]) -> None:
    seen = asked_in(scenario, options) & {*PLANNABLE}
    assert seen and seen <= here(scenario, **options)


def test_what_is_offered_is_what_may_be_planned() -> None:
    for scenario, options in GAMES:
        found = GAME.plannable_here(table.begin(scenario, **options).state)
        assert all(PLANNABLE[kind] == verbs for kind, verbs in found.items())
        assert [*found] == [kind for kind in PLANNABLE if kind in found], "in their order"


def test_an_open_campaign_has_no_sealed_orders_but_the_length_of_an_operation() -> None:
    found = here("guadalcanal")
    assert {kind for kind in found if kind.startswith(HIDDEN)} == {"sealed length"}
    assert not {"hide", "show", "march_hidden", "fly_hidden"} & found
    assert {"allocate", "transport", "operation-bid", "contact", "bombard"} <= found
    assert "sealed length" not in here("guadalcanal", secrets="open")


def test_each_option_brings_what_it_hides() -> None:
    open_game = here("guadalcanal")
    assert here("guadalcanal", forces="sealed") - open_game == {"hide", "show", "sealed task forces"}
    land = here("guadalcanal", land="sealed") - open_game
    assert land == {"show", "march_hidden", "fly_hidden"} | {
        HIDDEN + kind for kind in {*IN_SECRET} - {"allocate", "length", "task forces", "PT boats"}
    }
    assert here("guadalcanal", points="sealed") ^ open_game == {"allocate", "sealed allocate"}
    assert here("guadalcanal", barges="yes") - open_game == {"sealed PT boats"}
    alone = here("guadalcanal", **{**EVERYTHING, "solitaire": "yes"})
    assert "sealed march" not in alone and "sealed allocate" not in alone and "operation-bid" not in alone


def test_an_engagement_has_no_month_and_no_approach_and_a_battle_no_month() -> None:
    engagement, battle = here("savo-island"), here("coral-sea")
    assert {"line", "bid", "search", "mission", "bombard"} <= engagement <= battle
    assert {"contact", "stop", "kinds", "rebase"} <= battle - engagement
    assert not {"transport", "engineering", "activate", "operation-bid", "allocate", "claim", "sealed length"} & battle


def test_a_draft_offers_what_passes_unasked_in_this_game_alone() -> None:
    """Force markers alone are shown, and march and fly behind them, where land forces are hidden and fleets are not."""
    state = table.begin("guadalcanal").state
    assert GAME.unasked(state) == {}
    assert [*GAME.unasked(table.begin("guadalcanal", forces="sealed").state)] == ["hide", "show"]
    assert [*GAME.unasked(table.begin("guadalcanal", land="sealed").state)] == ["show", "march_hidden", "fly_hidden"]
    assert [*GAME.unasked(table.begin("coral-sea", land="sealed").state)] == []


def test_a_set_of_standing_orders_is_drafted_without_those_that_nothing_asks_for() -> None:
    drafted = "\n".join(drafting.standing_to_edit(session_of(begun("savo-island")), GAME.sets()["usual"]))
    assert "fire: spread" in drafted and "transport" not in drafted and "links" not in drafted


def begun(scenario: str, **options: Any) -> list[Player]:
    stretch = next(s for s in STRETCHES if s.scenario == scenario and s.options == options)
    party = two_bots(stretch, 0)
    while party[0].table.due.what in AUTOMATIC:
        send([*party], Draft())
    return party


def session_of(party: list[Player]) -> Any:
    return SimpleNamespace(table=party[0].table, me=SimpleNamespace(player=party[0].table.due.player), game=GAME)


def test_a_draft_of_an_open_game_lists_nothing_sealed() -> None:
    kinds = "".join(line for line in planning.to_edit(session_of(begun("guadalcanal"))) if "- at:" in line)
    assert "operation-bid" in kinds and "sealed length" in kinds
    assert not any(word in kinds for word in ("sealed m", "hide", "show", "hidden", "PT boats"))


def test_who_plans_for_what_this_game_never_asks_is_told() -> None:
    session = session_of(begun("guadalcanal"))
    plan: list[Plain] = [
        {"at": "hide", "do": [{"hide": "none"}]},
        {"at": "repairs", "do": ["done"]},
        {"at": "hide", "sealed": True},
    ]
    (told,) = planning.never_asked(session, plan)
    assert told == "Mind: by its scenario and options this game never asks hide; such steps answer nothing"
    assert planning.never_asked(session, plan[1:2]) == []


def test_other_games_ask_all_that_can_be_planned() -> None:
    for name in ("axis-and-allies-pacific", "next-war", "empire-of-the-sun"):
        game = games.load(name)
        assert game.plannable_here(None) == game.plannable != {}


def test_a_draft_says_from_which_part_of_the_game_on_each_question_may_be_asked() -> None:
    """Before the bids: the month now, the approach one stretch later, the days of the operation from the second on."""
    lines = planning.to_edit(session_of(begun("guadalcanal")))
    ats = [i for i, line in enumerate(lines) if "- at:" in line]
    parts = [({*lines[i].partition("at: ")[2].split(" | ")}, lines[i + 1].strip("# ")) for i in ats]
    (now, first), (approach, second), (days, third) = parts
    assert {
        "transport",
        "engineering",
        "operation-bid",
        "activate",
        "allocate",
        "sealed length",
    } <= now and first == "do: [...]"
    assert {"kinds", "contact", "rebase", "land"} <= approach and second == "later: 1"
    assert {*days} == {"light", "first", "sail", "mission", "bombard"} and third == "later: 2"
    assert not now & approach | now & days


def state_of(operation: bool, cycle: int) -> Any:
    g = table.begin("guadalcanal").state
    g.operation, g.cycle = (Operation("South Seas", 12, g.day, 14) if operation else None), cycle
    return g


@pytest.mark.parametrize(
    ("operation", "cycle", "kind", "when"),
    [
        (False, 3, "contact", [1]),
        (False, 3, "sail", [2, 3, 4]),
        (False, 3, "march_hidden", [1, 2, 3, 4]),
        (False, 3, "activate", [0]),
        (True, 0, "contact", [0]),
        (True, 0, "sail", [1, 2, 3, 4]),
        (True, 2, "sail", [0, 1, 2, 3, 4]),
        (True, 2, "stop", []),
        (True, 2, "operation-bid", [0]),
        (True, 2, "sealed march", [0, 1, 2, 3, 4]),
    ],
)
def test_each_question_has_its_part_of_an_operation(operation: bool, cycle: int, kind: str, when: list[int]) -> None:
    g = state_of(operation, cycle)
    assert [later for later in range(5) if GAME.may_ask(g, kind, later)] == when


def test_who_plans_an_approach_beside_his_activation_is_told_that_it_comes_later() -> None:
    """A plan made before the operation calls its approach `later: 1`: without that word the step would answer nothing."""
    session = session_of(begun("guadalcanal"))
    early: dict[str, Plain] = {"at": "kinds", "do": [{"kinds": ["ground", "air", "naval"]}]}
    assert planning.never_asked(session, [{"at": "repairs", "do": ["done"]}, early]) == [
        "Mind: step 2 of the plan is for kinds, which is not asked in this part of the game; write `later: 1`"
    ]
    assert planning.never_asked(session, [{**early, "later": 1}]) == []
    assert planning.never_asked(session, [{"at": "activate", "later": 2, "sealed": "ab" * 32}]) == [
        "Mind: step 1 of the plan is for activate, which is not asked in that part of the game; leave `later` out"
    ]
    session.table.engine.state.operation, session.table.engine.state.cycle = Operation("South Seas", 12, 3, 14), 4
    assert planning.never_asked(session, [early]) == [
        "Mind: step 1 of the plan is for kinds, which is not asked any more as long as the plan holds"
    ]


@pytest.mark.parametrize(("said", "meant"), [("naval", "sea"), ("ground", "land")])
def test_which_kind_moves_first_goes_by_the_words_of_kinds_too(said: str, meant: str) -> None:
    """In a plan, which nobody can try out before it is due, as in an order."""
    state = table.begin("guadalcanal").state
    assert GAME.legs(state, {"first": said}) == [{"first": meant}]
    ask = next(
        choose_unit(state.board.unit_index, "japan", "first", "PW-MOV-14", msg("which kind moves first"), ["land", "sea"])
    )
    assert isinstance(ask, Ask)
    assert GAME.typed(state, ask, {"first": said}) == [{"first": meant}] == [*GAME.legs(state, {"first": meant})]

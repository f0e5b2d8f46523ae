"""Steps of a plan that are the seal of a question whose answer stays sealed: nobody is asked, nothing is opened, nobody chooses
once the dice are known.

Red marches, weather is rolled with blue's link, and blue hides his men behind it: he knows the die then.
"""

from __future__ import annotations

import random

import pytest

from pbem.board import planning
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Commit, Flow, Roll, Simultaneous
from pbem.kernel.wording import verbatim
from pbem.protocol.outcomes import Outcome
from pbem.runtime.ahead import ahead
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import Changed, Skirmish, SkirmishState, number_to, word_of
from tests.toygame.test_attacks import refused, signed
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import choose, disclosures, play

HIDE = "sealed garrison"


def draw(g: SkirmishState) -> Flow[None]:
    """No cards here."""
    return
    yield


def march(g: SkirmishState, step: int) -> Flow[None]:
    """Red marches, the weather is rolled, blue hides men."""
    yield Ask("red", "march", "S5", verbatim("a day"), word_of("go", "halt"), ("go", "halt"), options=lambda: ["go", "halt"])
    weather = yield Roll(verbatim(f"weather of month {g.round}"), 1, 6, "S5", "blue")
    emit(g, Changed("day", weather[0], "S5"))
    handle = yield Commit(
        "blue", "garrison", "S2", verbatim("hide 0 to 3 men"), number_to(3, "S2"), options=lambda: [0, 1, 2, 3]
    )
    emit(g, Changed("garrison", handle, "S2"))


class Hiding(Skirmish):
    """With a Commit behind a die."""

    plannable = {"march": ("go", "halt"), HIDE: ("",)}
    segments = {**Skirmish.segments, "draw": draw, "march": march}


def watch(g: SkirmishState, step: int) -> Flow[None]:
    """Blue is asked before red marches."""
    yield Ask("blue", "stop", "S5", verbatim("stop?"), word_of("stop", "let pass"), options=lambda: ["let pass"])
    yield from march(g, step)


class Watching(Hiding):
    """With a question to blue before the die."""

    segments = {**Hiding.segments, "march": watch}


GAME = Hiding()


def hide(men: Plain, **more: Plain) -> dict[str, Plain]:
    return {"at": HIDE, "do": [men], **more}


def begun(game: Hiding, kind: str = "stop") -> list[Person]:
    """Blue is asked this."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(game, party, {})
    dice = random.Random(1)
    while party[0].table.due.player != "yamada" or party[0].table.due.what != "orders" or asked(party) != kind:
        send(party, choose(next(p for p in party if p.name == party[0].table.due.player), dice))
    return party


def asked(party: list[Person]) -> str:
    request = party[0].table.engine.request
    return request.asks[0].kind if isinstance(request, Simultaneous) else getattr(request, "kind", "")


def bidding() -> list[Person]:
    """Blue is asked for his bid, before red marches."""
    return begun(GAME, "bid")


def marched(*plan: Plain) -> list[Person]:
    """Blue bids, with a plan; red marches; blue's link is due."""
    party = bidding()
    send(party, Draft([2], plan=[*plan]))
    while party[0].table.due.what in AUTOMATIC:
        send(party, Draft())
    send(party, Draft(["go"]))
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", "witness")
    return party


def garrison(party: list[Person]) -> str:
    handle: str = party[0].table.engine.state.garrison
    return handle


def test_a_planned_seal_answers_behind_the_dice_and_stays_shut() -> None:
    party = marched(hide(3))
    step = party[0].log[party[0].table.ledger.plans[-1].seq]["plan"][0]
    assert sorted(step) == ["at", "sealed"], "it is sealed without being told to"
    document = send(party, Draft())
    assert "orders" not in document and not any("handle" in entry for entry in document.get("open", []))
    assert garrison(party) == party[0].table.ledger.plans[-1].seals[0]
    blue, red = named(party, "yamada"), named(party, "nowak")
    assert blue.knowledge().reveal(garrison(party)) == 3, "the order alone"
    with pytest.raises(LookupError):
        red.knowledge().reveal(garrison(party))
    (fired,) = [f for f in red.table.ledger.fired if f.kind == "garrison"]
    assert (fired.by, fired.order) == ("plan", {"sealed": step["sealed"]})


def test_without_a_plan_blue_is_asked_behind_the_die() -> None:
    party = marched()
    send(party, Draft())
    request = party[0].table.engine.request
    assert isinstance(request, Commit) and party[0].table.due.what == "seal" and not garrison(party)


@pytest.mark.parametrize("order", [{"seal": 0, "seat": "blue"}, 0], ids=["sealed", "open"])
def test_who_can_compute_the_die_seals_nothing_else(order: Plain) -> None:
    party = marched(hide(3))
    with pytest.raises(Refused):
        named(party, "yamada").write(Draft([order]))
    assert refused(party, signed(named(party, "yamada"), Draft(), orders=[{"sealed": "ab" * 32}])).outcome is not Outcome.DONE


def test_a_new_plan_beside_the_die_comes_too_late() -> None:
    party = marched(hide(3))
    wrong = refused(party, signed(named(party, "yamada"), Draft([], plan=[hide(0)])))
    assert "a plan stands behind orders" in str(wrong)


def test_each_step_is_one_seal_and_behind_the_last_blue_is_asked() -> None:
    party = marched(hide(3), hide(1, later=1))
    seals = party[0].table.ledger.plans[-1].seals
    hidden: list[str] = []
    dice = random.Random(3)
    while party[0].table.due.what != "seal" or not isinstance(party[0].table.engine.request, Commit):
        writer = next(p for p in party if p.name == party[0].table.due.player)
        send(party, choose(writer, dice) if party[0].table.due.what not in AUTOMATIC else Draft())
        hidden += [garrison(party)] if garrison(party) not in ("", *hidden) else []
    assert hidden == seals and party[0].table.engine.state.round == 3


def test_a_seal_by_hand_goes_first_while_no_die_is_known_and_ends_an_older_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    party = marched(hide(3), hide(1, later=1))
    monkeypatch.setattr(Table, "no_die_is_known", True)
    send(party, Draft([{"seal": 2, "seat": "blue"}]))
    assert garrison(party).startswith("blue:seal") and party[0].table.ledger.plans[-1].over


def test_the_page_asks_for_the_seal_and_writes_it_as_a_step_of_its_own() -> None:
    party = begun(Watching())
    blue = named(party, "yamada")
    desk = Desk(blue.table, blue.secrets(), blue.fetch, blue.salt, "orders:\n- let pass\n")
    found = ahead(desk)
    assert found is not None and isinstance(found.ask, Commit) and found.at == HIDE
    plan = planning._longer(desk.wanted.plan, found, "at = 0", [3])
    assert plan == [hide(3)]
    desk.say("plan", plan)
    beyond = ahead(desk)
    assert beyond is None and planning._longer(plan, found, "", [1]) == [*plan, hide(1)]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"at": HIDE, "do": [1, 2]}, "what stays sealed is one order"),
        ({"at": HIDE, "do": [1], "when": "at = 0"}, "what stays sealed is one order"),
        ({"at": HIDE, "do": [1], "else": "drop"}, "what stays sealed is one order"),
        ({"at": HIDE, "do": [{"men": 1}]}, "men: 1 is no order there"),
        ({"at": "sealed hill", "do": [1]}, "no question that can be planned for"),
    ],
)
def test_what_a_step_for_a_seal_may_not_say(step: dict[str, Plain], why: str) -> None:
    party = bidding()
    with pytest.raises(Refused, match=why):
        named(party, "yamada").write(Draft([2], plan=[step]))


def test_a_file_that_shows_what_has_to_be_sealed_is_refused() -> None:
    party = bidding()
    document = signed(named(party, "yamada"), Draft([2], plan=[hide(3)]), plan=[hide(3)])
    assert "has to be sealed" in str(refused(party, document))


def test_another_content_at_the_end_is_a_lie_that_the_audit_finds() -> None:
    party = marched(hide(3))
    send(party, Draft())
    blue = named(party, "yamada")
    blue.sealed[garrison(party)] = {**blue.sealed[garrison(party)], "order": 0}
    found = audit(party[0].table, disclosures(party), party[0].fetch)
    assert found is not None and found.player == "yamada" and garrison(party) in str(found.what)


def test_a_game_with_planned_seals_has_a_clean_audit_and_the_same_checkpoint() -> None:
    party = marched(hide(3), hide(1, later=1))
    send(party, Draft())
    table = party[0].table
    again = Table.from_plain(table.charter, table.module, None, table.to_plain())
    assert again.ledger.plans[-1].used == [1, 0] and again.engine.state.garrison == garrison(party)
    play(party, 5)
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None

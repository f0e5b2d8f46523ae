"""Holds by what is out of sight: a month's business is sealed by the program where its owner has nothing to do in it."""

from __future__ import annotations

import random

from pbem.games.pacific_war.game import GAME, PacificWar
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.runtime import holds
from pbem.runtime.asked import question_of
from pbem.runtime.composing import Draft
from tests.pacific_war.hidden_play import decide, two_people
from tests.pacific_war.test_hidden_lies import SEALED as EVERYTHING
from tests.pacific_war.test_hidden_lies import secretive
from tests.toygame.party import Person, send

USUAL = PacificWar.own_usual
MOST = 120  # files


def up_to(
    kind: str, nth: int = 0, form: type[Ask | Commit] = Ask, seed: int = 2, **options: Plain
) -> tuple[list[Person], Person]:
    """August, up to the question of a kind; who is asked."""
    party, dice, met = two_people("guadalcanal", **(options or EVERYTHING)), random.Random(seed), 0
    for _ in range(MOST):
        writer = next(p for p in party if p.name == party[0].table.due.player)
        asked = question_of(writer.table, writer.name)
        if isinstance(asked, form) and asked.kind == kind:
            if met == nth:
                return party, writer
            met += 1
        send(party, decide(writer, dice, secretive))
    raise AssertionError(kind)


def answered(person: Person, held: holds.Holds = USUAL) -> list[Plain]:
    return holds.orders(person.table, person.name, held, person.knowledge(), lambda o: person.write(Draft(o)).table)


def own(person: Person) -> holds.OwnFacts:
    asked = question_of(person.table, person.name)
    assert asked is not None
    return holds.OwnFacts(person.table, asked, person.knowledge())


def test_repairs_of_nothing_are_sealed_by_the_program() -> None:
    party, person = up_to("repairs")
    assert dict(own(person)) == {"own-answers": 0, "open-answers": 0}
    given = answered(person)
    assert given == ["secret", {"seal": "done", "seat": person.seats[0]}]
    document = send(party, Draft(given))
    assert document["orders"][0] == "secret" and "standing" not in document and "plan" not in document


def sealable(person: Person) -> list[Plain]:
    """What may be sealed behind `secret`."""
    after = person.table.fork()
    after.engine.reply("secret")
    assert isinstance(after.engine.request, Commit)
    return [*GAME.proposals(after.engine.state, after.engine.request, {}, person.knowledge().reveal)]


def test_what_the_program_sends_looks_like_what_its_owner_would_have_sealed() -> None:
    """Transport of a hidden unit, and of none: the same orders in clear, a seal of the same length, the same file behind it."""
    shapes, dues = set(), []
    for content in ("done", None):
        party, person = up_to("transport")
        listed = sealable(person)
        order = content or next(o for o in listed if o != "done")
        document = send(party, Draft(["secret", {"seal": order, "seat": person.seats[0]}]))
        shapes.add(tuple(o if isinstance(o, str) else f"{[*o]} {len(o['sealed'])}" for o in document["orders"]))
        dues.append((party[0].table.due.player, party[0].table.due.what))
    assert len(shapes) == 1 and dues[0] == dues[1]


def test_what_its_owner_could_do_out_of_sight_is_left_to_him() -> None:
    _, person = up_to("transport")
    assert own(person)["own-answers"] > 0
    assert answered(person, {"transport": USUAL["repairs"]}) == []
    _, sealing = up_to("transport", 0, Commit)
    assert own(sealing)["own-answers"] > 0 and "open-answers" not in own(sealing)
    assert answered(sealing, {"transport": USUAL["repairs"]}) == []


def test_what_everybody_sees_to_do_is_left_to_him_too() -> None:
    _, person = up_to("replacements")
    assert own(person)["open-answers"] > 0 and answered(person) == []
    assert answered(person, {"replacements": [{"when": "own answers = 0 and not open answers > 0", "do": "done"}]}) == []


def test_in_an_open_game_there_is_no_such_fact_and_no_hold_answers() -> None:
    _, person = up_to("replacements", forces="open")
    assert "own-answers" not in own(person) and answered(person) == []
    assert "no-such-fact" not in own(person)


def test_nothing_is_worked_out_and_nothing_moves_unless_a_condition_names_it() -> None:
    _, person = up_to("repairs")
    before = person.table.engine.state_hash()
    facts = own(person)
    assert facts["own-answers"] == facts["own-answers"] == 0 and len(facts) == 2
    assert person.table.engine.state_hash() == before and person.table.engine.request is question_of(person.table, person.name)


def test_troops_that_can_go_nowhere_are_left_where_they_are() -> None:
    """Aboard off a shore that the enemy holds nobody moves; who can do something is asked."""
    for seed, given in ((3, []), (5, ["done"])):
        _, person = up_to("land", seed=seed)
        assert answered(person) == given and (own(person)["open-answers"] > 0) is not bool(given)


def test_the_module_has_them_as_its_usual_holds() -> None:
    assert {*GAME.own_usual} == {"repairs", "replacements", "land"}
    for kind, plain in GAME.own_usual.items():
        holds.check(kind, plain)

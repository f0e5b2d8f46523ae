"""The table: how it starts, is kept and copied, under which rules it goes on, who turns the dice, how a game ends."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.engine import Engine, Result
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.records import to_plain
from pbem.kernel.wording import msg
from pbem.protocol import dice
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.languages import language
from pbem.runtime.composing import Draft
from pbem.runtime.dues import NOTHING, Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Chain, DrawTree, Entry, Fired, KeyHeld, RulesInForce
from pbem.runtime.table import Table, at_version
from tests.toygame.party import send
from tests.toygame.skirmish import GAME, word_of
from tests.toygame.test_attacks import advance_to
from tests.toygame.test_rules_versions import ONE, THREE, TWO, Version, founded_under
from tests.toygame.test_skirmish import people
from tests.toygame.test_umpire import with_umpire


def begun(*umpire: str, **charter: Any) -> Table:
    return (with_umpire("witness", **charter) if umpire else people(**charter))[0].table


# -- making and copying ---------------------------------------------------------------------------------------------------


def test_a_table_starts_from_the_charter_alone() -> None:
    table = begun("smith")
    charter, ledger = table.charter, table.ledger
    names = ["dubois", "nowak", "smith", "yamada"]
    assert ledger.entries == [Entry(charter.game_id, "", "charter")] and sorted(ledger.keys) == names
    for name in names:
        record = charter.player(name)
        assert ledger.chains[name] == Chain(record.chain, record.chain_length) and ledger.keys[name] == record.key
        assert KeyHeld(name, record.key, 0) in ledger.held and DrawTree(name, record.draws, 0, 0) in ledger.trees
    assert len(ledger.held) == len(ledger.trees) == 4 and ledger.rules == [RulesInForce(charter.rules_version, 0)]
    assert table.last == 0 and table.module is table.game is GAME
    assert table.due.what == "start", "it has been asked what comes first"


def test_what_is_fixed_is_answered_at_the_start_and_counts_as_of_the_charter() -> None:
    def month(g: Any, number: int) -> Flow[None]:
        yield Ask("red", "wait", "S1", msg("wait?"), word_of("wait", "go"), default="wait")
        yield Ask("red", "go", "S1", msg("go?"), word_of("go"))

    table = Table.start(begun().charter, Version(1, {"month": month}, {}), None)  # type: ignore[arg-type]
    assert table.ledger.fired == [Fired(0, "red", "wait", "wait", "default")]
    assert (table.due.player, table.due.what, table.due.detail) == ("nowak", "orders", msg("go?"))


def test_a_table_starts_with_the_scenario_the_options_and_the_engine_that_are_named() -> None:
    seen: list[Any] = []

    class Own(Engine):
        pass

    class Game:
        def __getattr__(self, name: str) -> Any:
            return getattr(GAME, name)

        def start(self, scenario: Any, options: Any) -> Any:
            seen.append((scenario, dict(options)))
            return GAME.start(None, options)

    game: Any = Game()
    charter = begun().charter
    table = Table.start(charter, game, {"hill": 3}, Own)
    assert seen == [({"hill": 3}, dict(charter.options))] and type(table.engine) is Own and table.engine.scenario == {"hill": 3}
    assert table.module is game and table.engine.game is game


def test_a_table_is_kept_as_plain_data_and_comes_back_from_it() -> None:
    party = people()
    advance_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    table = party[0].table
    plain: Any = table.to_plain()
    assert plain == {
        "ledger": to_plain(table.ledger),
        "engine": to_plain(table.engine.checkpoint()),
        "due": to_plain(table.due),
    }
    assert plain["engine"]["journal"], "in the middle of a segment"
    back = Table.from_plain(table.charter, GAME, {"a": 1}, plain)
    assert back.to_plain() == plain and back.due == table.due and back.engine.state_hash() == table.engine.state_hash()
    assert back.module is back.game is back.engine.game is GAME and back.engine.scenario == {"a": 1}
    assert back.charter is not None and back.engine.journal == table.engine.journal


def test_a_kept_table_goes_on_under_the_rules_of_its_log() -> None:
    table = founded_under(ONE, TWO)[0].table
    assert (table.module, table.game, table.engine.game) == (TWO, ONE, ONE)
    back = Table.from_plain(table.charter, TWO, None, table.to_plain())
    assert (back.module, back.game, back.engine.game) == (TWO, ONE, ONE)
    fork = table.fork()
    assert (fork.module, fork.game, fork.charter, fork.due) == (TWO, ONE, table.charter, table.due)


def test_a_fork_leaves_the_table_as_it_is() -> None:
    party = people()
    advance_to(party, "red", "march")
    table = party[0].table
    before, fork = table.to_plain(), table.fork()
    assert fork.to_plain() == before
    fork.ledger.entries.append(Entry("x", "nowak", "turn"))
    fork.ledger.resigned.append("nowak")
    fork.due = NOTHING
    fork.engine.reply("halt")
    assert table.to_plain() == before


# -- rules versions -------------------------------------------------------------------------------------------------------


def marching(module: Any) -> Table:
    """Founded under version 1, by programs with a newer one, at the march."""
    party = founded_under(ONE, module)
    advance_to(party, "red", "march")
    return party[0].table


def test_other_rules_go_on_where_these_stand() -> None:
    table = marching(TWO)
    before = table.engine
    table.switch_rules(2)
    assert table.game is TWO is table.engine.game and table.engine is not before
    assert table.engine.state_hash() == before.state_hash() and table.engine.journal == before.journal
    assert type(table.engine) is type(before) and table.engine.scenario is before.scenario


def test_other_rules_go_on_with_the_same_scenario() -> None:
    played = marching(TWO)
    table = Table.from_plain(played.charter, TWO, {"hill": 3}, played.to_plain())  # type: ignore[arg-type]
    table.switch_rules(2)
    assert table.engine.scenario == {"hill": 3} and table.game is TWO


def test_rules_that_ask_otherwise_do_not_fit() -> None:
    table = marching(THREE)
    before = table.to_plain()
    with pytest.raises(ProtocolError) as caught:
        table.switch_rules(3)
    said = "rules version 3 asks 'ask | blue | watch | S5 | march 0', version 1 'ask | red | march | S5 | march 0'"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.DIVERGED, said)
    assert table.to_plain() == before and table.game is ONE is table.engine.game


def test_a_journal_that_other_rules_do_not_ask_for_is_named_with_its_entry() -> None:
    party = founded_under(ONE, THREE)
    advance_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    table = party[0].table
    assert table.engine.journal
    with pytest.raises(ProtocolError) as caught:
        table.switch_rules(3)
    said = "rules version 3 does not fit what was played: journal entry 0: these rules ask 'ask | blue | watch"
    assert caught.value.outcome is Outcome.DIVERGED and str(caught.value).startswith(said)
    assert language("cs").text(caught.value.told) == (
        "verze pravidel 3 neodpovídá tomu, co se hrálo: záznam 0 v deníku: tato pravidla se ptají"
        " „ask | blue | watch | S5 | march 0“, deník odpovídá na „ask | red | march | S5 | march 0“"
    )


def test_rules_of_a_version_are_the_modules_own_or_kept_by_it() -> None:
    assert (at_version(THREE, 3), at_version(THREE, 2), at_version(THREE, 1)) == (THREE, TWO, ONE)  # type: ignore[arg-type]
    with pytest.raises(ProtocolError) as caught:
        at_version(THREE, 4)  # type: ignore[arg-type]
    said = f"{THREE.title} is played under rules version 4; this program has 1, 2, 3: use one that has it"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.DIVERGED, said)


# -- who is who -----------------------------------------------------------------------------------------------------------


def test_sides_players_and_who_answers_for_his_side() -> None:
    table = begun("smith", answers={"allies": "dubois"})
    assert [table.player_of(seat) for seat in ("red", "rust", "blue")] == ["nowak", "dubois", "yamada"]
    assert [table.side_of(name) for name in ("nowak", "dubois", "yamada", "smith")] == ["allies", "allies", "axis", "umpire"]
    assert table.opponents("nowak") == ["yamada"] and table.opponents("yamada") == ["nowak", "dubois"]
    ask: Any = type("Ask", (), {"seat": "red", "reaction": True})()
    assert table.answering(ask) == "dubois"
    ask.seat = "blue"
    assert table.answering(ask) == "yamada", "nobody was named"
    ask.seat, ask.reaction = "red", False
    assert table.answering(ask) == "nowak"


@pytest.mark.parametrize(
    ("signer", "against", "shows"),
    [
        ("nowak", None, "yamada"),
        ("yamada", None, "nowak"),
        ("yamada", "rust", "dubois"),
        ("yamada", "blue", "nowak"),
        ("nowak", "rust", "yamada"),
    ],
)
def test_the_dice_are_turned_by_whoever_they_are_rolled_against(signer: str, against: str | None, shows: str) -> None:
    assert begun().witness(signer, against) == shows
    assert begun("smith").witness(signer, against) == "smith"


def test_an_umpire_who_only_holds_the_escrow_turns_no_dice() -> None:
    assert with_umpire("escrow")[0].table.witness("yamada", "rust") == "dubois"


# -- how a game ends ------------------------------------------------------------------------------------------------------


def test_a_game_ends_by_agreement_by_resignation_of_a_side_or_by_the_rules() -> None:
    table = begun()
    assert table.ended is None is table.result
    table.ledger.resigned = ["nowak", "yamada"]
    assert table.ended == Result("allies", msg("{side} resigned", side="axis"), "protocol") == table.result
    table.ledger.resigned = ["nowak"]
    assert table.ended is None
    table.advance_nothing()
    assert table.due.what == "start"
    table.ledger.resigned.append("dubois")
    assert table.ended == Result("axis", msg("{side} resigned", side="allies"), "protocol")
    table.advance_nothing()
    assert table.due is NOTHING
    table.due = Due("nowak", "orders")
    table.advance(Hand("nowak", 0, ["x"]))
    assert table.due is NOTHING, "nobody is asked any more"
    table.ledger.agreed = "draw"
    assert table.ended == Result(None, msg("a draw was agreed"), "protocol")
    table.ledger.agreed, table.ledger.resigned = "", []
    table.engine.state.winner = "axis"
    assert table.ended == GAME.result(table.engine.state) and table.ended is not None


# -- seeds ----------------------------------------------------------------------------------------------------------------


def with_files(source: int, *authors: str) -> Table:
    table = begun()
    for n, author in enumerate(authors, start=1):
        table.ledger.entries.append(Entry(f"{n:064x}", author, "turn", link=f"{n + 100:064x}"))
    table.ledger.source = source
    return table


def test_a_seed_is_of_the_deciding_file_and_the_next_link_of_another_side() -> None:
    table = with_files(1, "nowak", "yamada")
    entries = table.ledger.entries
    assert table.seed() == dice.seed(bytes.fromhex(entries[2].link), entries[0].id, 1, entries[1].id)
    assert not table.no_die_is_known
    other = with_files(2, "yamada", "nowak", "yamada")
    entries = other.ledger.entries
    assert other.seed() == dice.seed(bytes.fromhex(entries[3].link), entries[0].id, 2, entries[2].id) != table.seed()


@pytest.mark.parametrize(
    ("source", "authors"),
    [(0, ("nowak", "yamada")), (1, ("nowak",)), (1, ("nowak", "dubois")), (2, ("nowak", "yamada"))],
)
def test_without_a_link_of_another_side_there_is_no_seed(source: int, authors: tuple[str, ...]) -> None:
    table = with_files(source, *authors)
    assert table.seed() is None and table.no_die_is_known


def test_a_link_that_a_heal_shows_is_of_the_other_side() -> None:
    table = with_files(1, "nowak", "")
    assert (table.seed() is None) == (not table.ledger.behind(1))
    assert table._is_of_one_side("nowak", "") is False
    assert table._is_of_one_side("nowak", "dubois") is True and table._is_of_one_side("nowak", "yamada") is False

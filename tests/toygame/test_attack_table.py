"""Rows of the attack table that no other test file covers; the table itself is in pbem/protocol/SPEC.md, "Attacks"."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.wording import english
from pbem.protocol import chain, dice, seals, strict_yaml
from pbem.protocol.keys import key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.table import Table
from tests.commands import must, run
from tests.toygame.folders import TWO, as_json, at, due, session
from tests.toygame.party import NONCE, Person, fixed, found_game, send
from tests.toygame.remembered import advance_to, found
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to as play_to
from tests.toygame.test_attacks import due as next_writer
from tests.toygame.test_attacks import refused, signed
from tests.toygame.test_skirmish import choose, disclosures, people, play

ROOT = Path(__file__).parents[2]


def before_a_roll(party: list[Person]) -> Person:
    """Blue is about to let red pass, which leads to the weather roll; he answers."""
    play_to(party, "red", "march")
    send(party, Draft(orders=["go"]))
    return next_writer(party)


def test_who_signs_orders_sees_no_die_whatever_he_writes() -> None:
    party = people()
    writer = before_a_roll(party)
    for note in ("a", "b", "c"):
        composed = writer.write(Draft(orders=["let pass"], note=[note]))
        assert "dice" not in composed.document and composed.table.due.what == "witness"


def test_who_has_the_link_of_the_witness_knows_the_dice_beforehand() -> None:
    """Not stopped: a side stands or falls together, and an umpire is trusted."""
    party = people()
    writer = before_a_roll(party)
    document = signed(writer, Draft(orders=["let pass"]))
    ally = next(p for p in party if p.name == writer.write(Draft(orders=["let pass"])).table.due.player)
    link = ally.secrets().link(ally.table.ledger.chains[ally.name].shown + 1)
    for person in party:
        person.receive(strict_yaml.write_document(document))
    table = party[0].table
    seed = dice.seed(bytes.fromhex(link), table.charter.game_id, document["seq"], table.ledger.entries[-1].id)
    turned = send(party, Draft())["dice"][0]
    assert list(dice.roll(seed, 0, turned["label"], 1, 6)) == turned["dice"]


def test_an_ally_cannot_turn_the_dice_in_place_of_the_named_witness() -> None:
    party = people()
    before_a_roll(party)
    send(party, Draft(orders=["let pass"]))
    named = next_writer(party)
    ally = next(p for p in party if p is not named and p.table.side_of(p.name) == p.table.side_of(named.name))
    document = {**named.write(Draft()).document, "player": ally.name}
    document["link"] = ally.secrets().link(ally.table.ledger.chains[ally.name].shown + 1)
    assert refused(party, ally.sign(document)).outcome is Outcome.WRONG_KEY


def test_a_sealed_standing_order_cannot_be_hidden_after_the_dice() -> None:
    """Its owner may turn the dice without opening it, and then owes nothing but the opening: the game stands in his name."""
    party = people()
    owner = play_to(party, "red", "march")
    send(party, Draft(orders=["go"], sealed_standing={"loss": [{"do": "horse"}]}))
    send(party, Draft(orders=["stop"], standing={"loss": ["foot"]}))
    kept, owner.sealed = owner.sealed, {}
    for _ in range(8):
        if party[0].table.due.what == "open":
            break
        send(party, choose(next_writer(party), random.Random(1)))
    assert party[0].table.due.player == owner.name and party[0].table.due.what == "open"
    assert refused(party, signed(owner, Draft(standing={"loss": ["foot"]}))).outcome is Outcome.REFUSED
    owner.sealed = kept
    (opened,) = send(party, Draft())["open"]
    assert opened["order"] == {"do": "horse"} and "red horse" in party[0].table.engine.state.losses


def test_a_new_chain_takes_over_after_the_other_side_s_next_file_and_not_when_it_suits() -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(GAME, party, {})
    writer = play_to(party, "red", "card")
    spare = fixed("nowak", "chain", "next")
    tip = chain.tip(NONCE, spare, writer.length)
    send(party, Draft(orders=["pass"], extra={"next_chain": {"tip": tip, "length": writer.length}}))
    assert next_writer(party) is writer, "his own next file comes before any of the other side"
    first = chain.link(NONCE, spare, writer.length, 1)
    bid = Draft(orders=[{"seal": 3, "seat": "rust"}])
    assert refused(party, signed(writer, bid, link=first)).outcome is Outcome.BAD_CHAIN
    send(party, bid)
    send(party, Draft(orders=[1]))
    old = writer.secrets().link(writer.table.ledger.chains["nowak"].shown + 1)
    assert next_writer(party) is writer
    assert refused(party, {**_file_of(writer, first), "link": old}).outcome is Outcome.BAD_SIGNATURE
    assert refused(party, writer.sign({**_file_of(writer, first), "link": old})).outcome is Outcome.BAD_CHAIN
    for person in party:
        person.receive(strict_yaml.write_document(_file_of(writer, first)))
    assert party[0].table.ledger.chains["nowak"].last == first


def _file_of(writer: Person, link: str) -> dict[str, Any]:
    """The next file of this player on his new chain."""
    from pbem.runtime.composing import Secrets, compose

    secrets = Secrets(writer.name, lambda n: link, writer.draw_keys(), writer.sealed)
    return writer.sign(compose(writer.table, secrets, Draft(), writer.fetch, writer.salt).document)


def test_a_chain_of_one_game_fits_no_other() -> None:
    secret = fixed("x")
    link = chain.link(NONCE, secret, 512, 1)
    assert chain.verify_link(NONCE, chain.tip(NONCE, secret, 512), link)
    assert not chain.verify_link("11" * 32, chain.tip("11" * 32, secret, 512), link)


def test_a_copied_seal_opens_for_its_maker_at_its_place_alone() -> None:
    one, two = (key_bytes(Person(n, []).record.key) for n in ("yamada", "nowak"))
    salt = fixed("salt")
    made = seals.seal("ab" * 32, one, 5, 0, salt, 3)
    others = [("cd" * 32, one, 5, 0, salt, 3), ("ab" * 32, two, 5, 0, salt, 3), ("ab" * 32, one, 6, 0, salt, 3)]
    others += [("ab" * 32, one, 5, 1, salt, 3), ("ab" * 32, one, 5, 0, fixed("y"), 3), ("ab" * 32, one, 5, 0, salt, 4)]
    assert made == seals.seal("ab" * 32, one, 5, 0, salt, 3)
    assert all(seals.seal(*other) != made for other in others)


def test_another_draw_key_than_the_next_one_is_proved_by_the_audit() -> None:
    party = people()
    play(party, 2)
    shown = disclosures(party)
    red = next(d for d in shown if d.player == "nowak" and len(d.secrets) > 1)
    swapped = [d for d in shown if d is not red]
    j, k = sorted(red.secrets)[:2]
    exchanged = type(red)(red.player, {**red.secrets, j: red.secrets[k]}, {**red.paths, j: red.paths[k]}, red.openings)
    finding = audit(party[0].table, [*swapped, exchanged], party[0].fetch)
    assert finding is not None and finding.player == "nowak" and "not in the tree" in english(finding.what)


def test_an_unlawful_sealed_order_counts_as_the_default() -> None:
    party = people()
    play_to(party, "red", "card")
    score = party[0].table.engine.state.score["axis"]
    send(party, Draft(orders=[{"play": party[0].table.engine.state.hand[0]}]))
    while next_writer(party).name != "dubois":
        send(party, Draft())
    send(party, Draft(orders=[{"seal": 9, "seat": "rust"}]))
    send(party, Draft(orders=[1]))
    while party[0].table.due.what == "open":
        send(party, Draft())
    assert party[0].table.engine.state.score["axis"] == score + 1, "9 is beyond the limit: the default is 0, and 1 is more"


def test_a_cut_log_is_shown_by_any_later_file() -> None:
    party = people()
    play_to(party, "red", "march")
    writer = next_writer(party)
    document = signed(writer, Draft(orders=["halt"]))
    cut = Person("yamada", ["blue"])
    cut.table, cut.log = Table.start(party[0].table.charter, GAME, None), party[0].log[:1]
    for file in party[0].log[1:-1]:
        cut.receive(strict_yaml.write_document(file))
    with pytest.raises(ProtocolError, match="came before") as caught:
        cut.receive(strict_yaml.write_document(document))
    assert caught.value.outcome is Outcome.WAITING


def test_a_log_that_all_rewrite_together_is_valid_and_has_another_head() -> None:
    """Not stopped: who fears it posts the heads in public."""
    heads = set()
    for seed in (1, 2):
        party = people()
        play(party, seed)
        assert party[0].table.result is not None
        heads.add(party[0].table.ledger.entries[-1].id)
    assert len(heads) == 2


# -- by the command line ----------------------------------------------------------------------------------------------------


def test_a_tip_is_signed_under_one_text_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(tmp_path, monkeypatch):
        draft = drafted()
        must("accept", "-g", "nowak")
        Path("changed.yaml").write_text(strict_yaml.write_document({**draft, "note": ["changed"]}))
        done = run("accept", "changed.yaml", "-g", "nowak")
        assert done.code == Outcome.REFUSED.code and "signed under one charter only" in done.err


def drafted() -> dict[str, Any]:
    must("new", "draft", "--system", "skirmish", "--scenario", "hill")
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "blue", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "red,rust", "-g", "nowak")
    document: dict[str, Any] = strict_yaml.read_document(Path("nowak/charter.yaml").read_bytes())[0]
    return document


def test_a_key_swapped_on_the_way_is_noticed_by_its_owner_and_by_who_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at(tmp_path, monkeypatch):
        draft = drafted()
        draft["players"]["nowak"]["key"] = Person("mallory", []).record.key
        Path("swapped.yaml").write_text(strict_yaml.write_document(draft))
        assert run("accept", "swapped.yaml", "-g", "nowak").code == Outcome.WRONG_KEY.code
        shown = must("accept", "swapped.yaml", "-g", "yamada")
        assert shown.count("SHA256:") == 2 and "in words" in shown
        honest = must("key", "nowak").split("fingerprint ")[1].split()[0]
        assert honest not in shown, "the players see different fingerprints when they compare them"


def test_no_draw_key_is_shown_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(tmp_path, monkeypatch):
        folders = found(TWO)
        advance_to(folders, "march")
        assert session("nowak").table.ledger.draws
        assert run("audit", "-g", "nowak").code == Outcome.WAITING.code
        assert not session("nowak").folder.log.slips() and not list(Path("nowak/outbox").glob("slip-*"))


def test_a_program_answers_by_itself_only_what_holds_no_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(tmp_path, monkeypatch):
        folders = found(TWO)
        for kind in ("card", "march"):
            writer = advance_to(folders, kind)
            assert session(writer).answer_by_itself() == []
        assert as_json("status", "-g", "yamada")["due"]["player"] == due(folders)
        ledger = session("yamada").table.ledger
        assert not any(
            e.decides for i, e in enumerate(ledger.entries) if i and not session("yamada").folder.fetch(i).get("orders")
        )


# -- the table itself ----------------------------------------------------------------------------------------------------------


def rows(text: str) -> list[tuple[str, list[str]]]:
    """Attack and the tests named for it, from the table of SPEC.md."""
    part = text.split("## 13. Attacks and where they are caught")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ") and not line.startswith(("| attack", "| ---"))]
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    return [(c[0], re.findall(r"`(\w+\.py::\w+)`", c[-1])) for c in cells]


FOLDERS = ("toygame", "runtime", "protocol", "store", "world", "cli", "live", "empire_of_the_sun", "next_war", "pacific_war")


def test_every_attack_names_tests_that_exist() -> None:
    table = rows((ROOT / "pbem" / "protocol" / "SPEC.md").read_text())
    assert len(table) >= 20
    sources: dict[str, str] = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path.parent.name in FOLDERS:
            sources[path.name] = sources.get(path.name, "") + path.read_text()
    for attack, tests in table:
        assert tests, attack
        for named in tests:
            file, function = named.split("::")
            assert f"def {function}(" in sources[file], f"{attack}: {named}"

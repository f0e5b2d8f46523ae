"""Claims held against the truth, one after the other; who owes a disclosure; in which file a draw was committed to."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Claim, Flow
from pbem.kernel.wording import english, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import audit, replaying
from pbem.runtime.audit import Disclosure, Finding
from pbem.runtime.knowledge import Knowledge, Unknown
from pbem.runtime.ledger import ClaimMade, DrawMade, DrawTree, Entry, Seal
from tests.runtime.desks import Desk
from tests.runtime.one_segment import OneSegment
from tests.toygame.skirmish import SkirmishState


def stating(g: SkirmishState) -> Flow[None]:
    """[P] Four claims in one segment."""
    for n in range(4):
        g.losses.append(str((yield Claim("blue", "high", verbatim(f"card {n}"), "P", lambda reveal, n=n: reveal(f"h{n}")))))


class Stating(OneSegment):
    name, title = "stating", "Stating"
    segments = {"stating": stating}

    def attach(self, state: Any, scenario: Plain) -> None:
        assert scenario == {"hill": 3}


def made(n: int, value: Plain, about: str = "") -> ClaimMade:
    return ClaimMade(n, "yamada", "blue", "high", about or f"card {n}", "P", value, 10 + n)


def fetch(seq: int) -> Any:
    raise AssertionError(seq)


def first_lie(
    monkeypatch: pytest.MonkeyPatch, *stated: ClaimMade, resumed: int = -1, asked: int = 4, **truth: Plain
) -> Finding | None:
    """What these claims come to; `resumed`: behind so many of them the rules change; `asked`: so many are asked again."""
    desk: Any = Desk()
    desk.ledger.claims = [*stated]

    def replay(table: Any, given: Any, engine_type: type[Engine], *, records: bool) -> None:
        assert (table, given, records) == (desk, fetch, True)
        game: Any = Stating()
        engine = engine_type(game, {"hill": 3}, game.start(None, {}))
        for n in range(asked):
            if n == resumed:
                engine = engine_type.resume(game, {"hill": 3}, engine.checkpoint())
            engine.reply(stated[n].value if n < len(stated) else True)
        assert engine.request is None or asked < 4

    monkeypatch.setattr(replaying, "replay", replay)
    return audit._first_lie(desk, fetch, lambda handle: truth[handle])


TRUE = [made(n, n > 1) for n in range(4)]
TRUTH: dict[str, Plain] = {f"h{n}": n > 1 for n in range(4)}


@pytest.mark.parametrize("resumed", [-1, 0, 2, 3])
def test_true_claims_are_no_lie_also_across_a_change_of_rules(monkeypatch: pytest.MonkeyPatch, resumed: int) -> None:
    assert first_lie(monkeypatch, *TRUE, resumed=resumed, **TRUTH) is None


@pytest.mark.parametrize("resumed", [-1, 0, 1, 2])
def test_the_first_lie_is_named_and_nothing_behind_it_is_asked(monkeypatch: pytest.MonkeyPatch, resumed: int) -> None:
    lying = [TRUE[0], made(1, True), made(2, False), TRUE[3]]
    found = first_lie(monkeypatch, *lying, resumed=resumed, h0=False, h1=False)
    assert found is not None and (found.player, found.seq) == ("yamada", 11)
    assert english(found.what) == "claim 1 (high card 1) says True, not False"


def differs(monkeypatch: pytest.MonkeyPatch, *stated: ClaimMade, **more: Any) -> str:
    with pytest.raises(ProtocolError) as caught:
        first_lie(monkeypatch, *stated, **TRUTH, **more)
    assert caught.value.outcome is Outcome.DIVERGED
    return str(caught.value)


def test_a_claim_that_the_log_does_not_hold_is_a_difference_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    asks = "where this program asks blue for high card"
    assert differs(monkeypatch, *TRUE[:2]) == f"{asks} 2, the log states nothing: programs differ"
    assert differs(monkeypatch, TRUE[0], TRUE[2]) == f"{asks} 1, file 12 states high card 2: programs differ"
    assert differs(monkeypatch, TRUE[1], TRUE[0]) == f"{asks} 0, file 11 states high card 1: programs differ"
    for other in (
        ClaimMade(0, "yamada", "red", "high", "card 0", "P", False, 10),
        ClaimMade(0, "yamada", "blue", "low", "card 0", "P", False, 10),
    ):
        assert "programs differ" in differs(monkeypatch, other)


def test_without_claims_nothing_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    desk: Any = Desk()
    monkeypatch.setattr(audit, "_first_lie", lambda *given: given)
    assert audit._audit_claims(desk, {}, fetch) is None
    desk.ledger.claims = [*TRUE]
    given: Any = audit._audit_claims(desk, {}, fetch)
    assert given[:2] == (desk, fetch)


def test_what_is_hidden_is_known_to_whoever_has_shown_it(monkeypatch: pytest.MonkeyPatch) -> None:
    desk: Any = Desk()
    desk.ledger.claims = [*TRUE]
    shown = {
        "nowak": Disclosure("nowak", {}, {}, {"a": {"order": 1}}),
        "yamada": Disclosure("yamada", {}, {}, {"b": {"order": 2}}),
    }
    monkeypatch.setattr(audit, "_first_lie", lambda table, fetch, reveal: reveal)
    reveal: Any = audit._audit_claims(desk, shown, fetch)
    assert (reveal("a"), reveal("b")) == (1, 2)
    with pytest.raises(Unknown) as caught:
        reveal("c")
    assert caught.value.args == ("c",)


def test_who_has_to_show_draw_keys_or_contents() -> None:
    desk: Any = Desk()
    desk.ledger.draws = [DrawMade(0, "nowak", "red", "", 1, 1), DrawMade(1, "nowak", "red", "", 1, 1)]
    desk.ledger.seals = {"blue:seal3:0": Seal("yamada", 3, 0, "", "bid")}
    keys, contents = {0: b"", 1: b""}, {"blue:seal3:0": {"order": 1}}

    def owing(*shown: Disclosure) -> list[str]:
        return audit.undisclosed(desk.ledger, shown)

    assert owing() == ["nowak", "yamada"]
    assert owing(Disclosure("yamada", {}, {}, contents)) == ["nowak"]
    assert owing(Disclosure("nowak", keys, {}, {})) == ["yamada"]
    assert owing(Disclosure("nowak", {0: b""}, {}, contents), Disclosure("yamada", keys, {}, {})) == ["nowak", "yamada"]
    assert owing(Disclosure("nowak", keys, {}, {}), Disclosure("yamada", {}, {}, contents)) == []


@pytest.mark.parametrize(("seq", "place"), [(0, 1), (1, 1), (2, 3), (3, 3), (4, 4)])
def test_a_draw_is_committed_to_in_its_players_next_file(seq: int, place: int) -> None:
    desk: Any = Desk()
    desk.ledger.entries = [Entry("", player, "turn") for player in ("nowak", "nowak", "yamada", "nowak", "yamada")]
    assert audit._committed_in(desk, DrawMade(0, "nowak", "red", "", seq, 1)) == place


def test_everybody_shows_the_keys_and_contents_that_he_has() -> None:
    """Those of whoever held his seat before, and kept them, are shown by that one."""
    desk: Any = Desk()
    desk.ledger.draws = [DrawMade(j, player, "red", "", 1, 1) for j, player in enumerate(("nowak", "yamada", "nowak", "nowak"))]
    desk.ledger.seals = {h: Seal(player, 3, 0, "", "bid") for h, player in (("b", "nowak"), ("a", "nowak"), ("c", "yamada"))}
    desk.ledger.seals["d"] = Seal("nowak", 4, 0, "", "bid")
    sealed = {h: {"order": h, "salt": "00"} for h in ("a", "b", "c")}
    knowledge = Knowledge("nowak", {0: b"\1", 1: b"\2", 3: b""}, sealed, desk.ledger, "")

    class Tree:
        def path(self, j: int) -> list[str]:
            return [f"path {j}"]

    assert audit.disclose(desk, knowledge, Tree()) == {
        "keys": [{"draw": 0, "key": "01", "path": ["path 0"]}],
        "open": [{"handle": h, "order": h, "salt": "00"} for h in ("a", "b")],
    }


def test_a_key_fits_the_tree_that_was_announced_for_its_own_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    desk: Any = Desk()
    desk.charter.nonce = "nonce"
    desk.ledger.trees = [DrawTree("nowak", "old", 0, 0), DrawTree("nowak", "new", 5, 3), DrawTree("yamada", "his", 0, 0)]
    draws = [("yamada", 5, 9), ("nowak", 4, 9), ("nowak", 5, 2), ("nowak", 6, 3), ("yamada", 6, 9)]
    desk.ledger.draws = [DrawMade(j, player, "red", "", 1, 1, source=source) for player, j, source in draws]
    monkeypatch.setattr(audit.draws, "verify_key", lambda *given: given)
    secrets, paths = {j: bytes([j]) for j in range(9)}, {j: [f"path {j}"] for j in range(9)}

    def fits(player: str, j: int) -> Any:
        return audit._in_tree(desk, Disclosure(player, secrets, paths, {}), j)

    for player, j, root in (("nowak", 4, "old"), ("nowak", 5, "old"), ("nowak", 6, "new"), ("yamada", 5, "his")):
        assert fits(player, j) == (root, "nonce", j, bytes([j]), [f"path {j}"])
    assert fits("nowak", 7) is False and fits("dubois", 4) is False, "no such draw was made"
    desk.ledger.draws.append(DrawMade(8, "dubois", "red", "", 1, 1, source=9))
    assert fits("dubois", 8) is False, "he has announced no tree"


def test_a_seal_of_who_shows_nothing_is_not_opened() -> None:
    desk: Any = Desk()
    assert audit._audit_seals(desk, {}) is None
    desk.ledger.seals = {"red:seal3:0": Seal("nowak", 3, 0, "", "bid")}
    for shown in ({}, {"nowak": Disclosure("nowak", {}, {}, {})}):
        found = audit._audit_seals(desk, shown)
        assert found is not None and (found.player, found.seq) == ("nowak", 3)
        assert english(found.what) == "the seal red:seal3:0 is not opened as it was made"

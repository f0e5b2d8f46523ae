"""The verifier in JavaScript (templates/replay) comes to the outcomes that the shared vectors expect."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import draws
from pbem.runtime.composing import Draft
from tests.protocol.make_vectors import FOLDER, make_all
from tests.replay.node import ROOT, needs_node, run
from tests.toygame.party import NONCE, Person, send
from tests.toygame.test_attacks import advance_to, due
from tests.toygame.test_seats import agree, named, seat
from tests.toygame.test_skirmish import people, play
from tests.toygame.test_umpire import deliver, stalled, stand_in, with_umpire

pytestmark = [needs_node, pytest.mark.in_turn(2)]
Verdicts = dict[str, dict[str, str]]


def wrong(verdicts: Verdicts) -> list[str]:
    """The vectors that came out otherwise than expected.

    Where it takes the rules of a game to show the fault ("needs: rules"), the verifier, which does not know them, finds none.
    """
    return [
        f"{path}: expected {v['expect']}, came out {v['outcome']}: {v['says']}"
        for path, v in verdicts.items()
        if v["outcome"] != ("done" if v["needs"] == "rules" else v["expect"])
    ]


@pytest.fixture(scope="module")
def verdicts() -> Verdicts:
    judged: Verdicts = run("vectors.js", str(FOLDER))
    return judged


def test_every_vector_comes_out_as_expected(verdicts: Verdicts) -> None:
    assert len(verdicts) == sum(1 for _ in FOLDER.glob("*/*.txt"))
    assert wrong(verdicts) == []


def test_ed25519_of_our_own_comes_to_the_same(verdicts: Verdicts) -> None:
    """For browsers that have none; of every third vector, since that is slow."""
    judged: Verdicts = run("vectors.js", str(FOLDER), "own", "3")
    assert [*judged] == [*verdicts][::3] and judged == {path: verdicts[path] for path in judged}


def test_few_vectors_need_the_rules_of_a_game(verdicts: Verdicts) -> None:
    kinds = Counter(path.split("/")[0] for path, v in verdicts.items() if v["needs"])
    assert kinds == {"log": 20, "audit": 2}


def test_without_its_fault_every_vector_is_done(tmp_path: Path) -> None:
    for vector in make_all():
        if vector.good is not None:
            path = tmp_path / vector.path
            path.parent.mkdir(exist_ok=True)
            head, _, _ = vector.text().partition(b"\n\n")
            lines = [line for line in head.split(b"\n") if not line.startswith((b"expect", b"encoding", b"canonical", b"id:"))]
            path.write_bytes(b"\n".join([b"expect: clean", *lines]) + b"\n\n" + vector.good)
    verdicts: Verdicts = run("vectors.js", str(tmp_path))
    assert [f"{p}: {v['outcome']} {v['says']}" for p, v in verdicts.items() if v["outcome"] not in ("done", "diverged")] == []
    assert {p.split("/")[0] for p, v in verdicts.items() if v["outcome"] == "diverged"} <= {"block"}, "ids are left out"


def test_the_numbers_that_another_implementation_computed() -> None:
    given = json.loads((ROOT / "tests" / "protocol" / "protocol-1.json").read_text())
    computed = run("formulas.js", stdin=given)
    assert computed == {name: given[name] for name in computed}
    assert len(computed["rolls"]) == 5


# -- what has no vectors: games of the toy module ---------------------------------------------------------------------------


def judged(party: list[Person]) -> Any:
    log = [party[0].fetch(seq) for seq in range(party[0].table.last + 1)]
    return run("game.js", stdin={"charter": log[0], "files": log[1:]})


def faults(verdict: Any) -> list[tuple[int, str, str]]:
    return [(seq, f["check"], f["outcome"]) for seq, v in enumerate(verdict["verdicts"]) for f in v["faults"]]


def escrow_game() -> list[Person]:
    party = with_umpire("escrow")
    stalled(party)
    deliver(party, stand_in(named(party, "smith")))
    play(party, 4)
    return party


def game_with_a_new_key() -> list[Person]:
    party = people()
    nowak = advance_to(party, "red", "march")
    send(party, seat(nowak, party[0].table.last + 4))
    agree(party)
    nowak.begin("second")
    play(party, 3)
    return party


def game_with_new_draw_keys() -> list[Person]:
    party = people()
    writer = due(party)
    send(party, Draft(extra={"next_draws": draws.root(NONCE, writer.master_of("later"))}))
    play(party, 4)
    return party


@pytest.mark.parametrize("make", [escrow_game, game_with_a_new_key, game_with_new_draw_keys], ids=lambda f: f.__name__)
def test_games_with_an_escrow_a_new_key_or_new_draw_keys_hold(make: Callable[[], list[Person]]) -> None:
    party = make()
    verdict = judged(party)
    assert faults(verdict) == []
    assert len(verdict["verdicts"]) == party[0].table.last + 1

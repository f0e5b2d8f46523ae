"""How a folder is opened and whose it is, with everything around it in view: charter, scenario, table, keys, secrets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.kernel.engine import Diverged
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import msg
from pbem.protocol import charter
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.table import Table
from pbem.store import announcing, library, opened, playing_on, seated
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.opened import Opened
from pbem.store.seated import Seated

GAME, TIME = "ab" * 32, "2026-01-02T03:04:05Z"
FOLDER: Any = Opened
S: Any = Seated


def refused(call: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


def of(kind: Any, name: str, fake: Any) -> Any:
    """A cached property of a class, worked out for a stand-in."""
    found = kind.__dict__[name]
    return found.func(fake) if hasattr(found, "func") else found.fget(fake)


# -- opening -----------------------------------------------------------------------------------------------------------


def test_a_folder_whose_log_was_cut_is_opened_to_be_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game"
    GameFolder.create(path, {})
    assert Opened.open(path).folder.path == path
    monkeypatch.setattr(GameFolder, "cut", lambda self: "it was longer")
    said = f"{path / 'log.jsonl'}: it was longer. `pbem status` takes back what lies here"
    assert refused(lambda: Opened.open(path)) == (Outcome.LOG_DAMAGED, said)
    assert Opened.open(path, to_mend=True).folder.path == path
    assert refused(lambda: Opened.open(tmp_path / "none", to_mend=True))[0] is not Outcome.LOG_DAMAGED


def test_a_log_that_has_grown_since_it_was_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may have written a file and its copies between the two looks."""
    heads, said, seen = {"old": "a", "new": "b"}, dict[str, str](), list[Any]()

    class Folder:
        def __init__(self, path: Any, disk: Any, name: str = "new") -> None:
            self.path, self.disk, self.log = path, disk, SimpleNamespace(head=heads[name])
            self.name = name
            seen.append((path, disk))

        def cut(self) -> str:
            return said[self.name]

    monkeypatch.setattr(opened, "GameFolder", Folder)
    for cuts, newest, found in (
        ({"old": "", "new": "cut"}, "b", ""),
        ({"old": "cut", "new": ""}, "b", ""),
        ({"old": "cut", "new": "shorter"}, "b", "shorter"),
        ({"old": "cut", "new": "shorter"}, "a", "cut"),
    ):
        said.update(cuts)
        heads["new"] = newest
        old: Any = Folder("path", "disk", "old")
        assert opened.cut_of(old) == found
    assert {*seen} == {("path", "disk")}


def test_the_charter_of_a_game_that_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charter, "read_charter", lambda document: ("read", document))
    monkeypatch.setattr(games, "load", lambda system: ("game", system))
    folder = SimpleNamespace(is_running=True, log=SimpleNamespace(files=lambda: ["charter", "file"]))
    fake = SimpleNamespace(folder=folder)
    fake.check_begun = partial(Opened.check_begun, fake)
    assert of(Opened, "charter", fake) == ("read", "charter")
    folder.is_running = False
    said = "the charter is not signed by everybody yet: see `pbem status`"
    assert refused(lambda: of(Opened, "charter", fake)) == (Outcome.WAITING, said)
    assert of(Opened, "game", SimpleNamespace(charter=SimpleNamespace(system="s"))) == ("game", "s")


def test_the_scenario_is_the_charters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "scenario_hash", lambda plain: f"hash of {plain}")
    monkeypatch.setattr(
        library,
        "shipped",
        lambda game, name: library.Shipped(shipped if (game, name) == ("game", "hill") else 0, f"hash of {shipped}"),
    )
    own, shipped = None, "good"
    signed = SimpleNamespace(scenario="hill", scenario_hash="hash of good")
    folder = SimpleNamespace(own_scenario=lambda: own, path=tmp_path)
    fake = SimpleNamespace(folder=folder, game="game", charter=signed)
    assert of(Opened, "scenario", fake) == "good"
    shipped = "other"
    said = "this program's scenario hill is not the charter's: go on with the version of pbem that the game began with"
    assert refused(lambda: of(Opened, "scenario", fake)) == (Outcome.DIVERGED, said)
    own = "good"
    assert of(Opened, "scenario", fake) == "good"
    own = ""
    said = f"{tmp_path / 'scenario.json'} is not the charter's hill: another player's game folder has the right one"
    assert refused(lambda: of(Opened, "scenario", fake)) == (Outcome.DIVERGED, said)


def test_a_table_comes_from_the_checkpoint_or_the_log() -> None:
    fake = SimpleNamespace(_table=None, _cached=lambda: "cached", replayed=lambda: "replayed")
    assert of(Opened, "table", fake) == "cached" == fake._table
    fake._cached = fake.replayed = lambda: 1 // 0
    assert of(Opened, "table", fake) == "cached"
    played, saved = SimpleNamespace(to_plain=lambda: "plain"), list[str]()
    fake = SimpleNamespace(
        _table=None, _cached=lambda: None, replayed=lambda: played, folder=SimpleNamespace(save_checkpoint=saved.append)
    )
    assert of(Opened, "table", fake) is played is fake._table and saved == ["plain"]


def test_a_checkpoint_that_cannot_be_read_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    saved: Any = None
    fake = SimpleNamespace(folder=SimpleNamespace(checkpoint=lambda: saved), charter="c", game="g", scenario="s")
    monkeypatch.setattr(Table, "from_plain", lambda *words: words)
    assert FOLDER._cached(fake) is None
    saved = {}
    assert FOLDER._cached(fake) == ("c", "g", "s", {})
    for error in (KeyError(), IndexError(), TypeError(), ValueError(), AttributeError(), Diverged("x", "y", "z"), Rejected([])):

        def fail(*_: Any, error: Exception = error) -> Any:
            raise error

        monkeypatch.setattr(Table, "from_plain", fail)
        assert FOLDER._cached(fake) is None


def test_a_log_is_played_and_slips_beside_it_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []
    monkeypatch.setattr(Table, "start", lambda *words: done.append(words) or "table")
    monkeypatch.setattr(playing_on, "play_on", lambda *words: done.append(words))
    monkeypatch.setattr(slips, "note_beside", lambda table, known: done.append((table, *known)))
    folder = SimpleNamespace(log=SimpleNamespace(slips=lambda: ["one", "two"]))
    fake = SimpleNamespace(folder=folder, charter="c", game="g", scenario="s")
    assert FOLDER.replayed(fake, 4, ["one"], print) == "table"
    assert done == [("c", "g", "s"), (fake, "table", 4, print), ("table", "two")]
    done.clear()
    FOLDER.replayed(fake)
    assert done[1][:3] == (fake, "table", None) and done[1][3](7) is None and done[2:] == [("table", "one", "two")]


def test_what_a_log_says() -> None:
    forgot: list[int] = []
    entries = [{"kind": "file", "document": 1}, {"kind": "withdrawn", "document": 2}, {"kind": "withdrawn", "document": 3}]
    folder = SimpleNamespace(forget_log=lambda: forgot.append(1), log=SimpleNamespace(entries=entries))
    ledger = SimpleNamespace(entries=[SimpleNamespace(id=id) for id in "abc"])
    fake = SimpleNamespace(folder=folder, _table="table", table=SimpleNamespace(ledger=ledger))
    assert FOLDER.withdrawn(fake) == [2, 3] and of(Opened, "head", fake) == "c"
    FOLDER.forget(fake)
    assert fake._table is None and forgot == [1]


# -- playing on --------------------------------------------------------------------------------------------------------


def entry(seq: int) -> dict[str, Any]:
    return {"n": seq + 10, "document": f"file {seq}"}


@pytest.mark.parametrize(
    ("last", "until", "played"), [(-1, None, [0, 1, 2, 3]), (1, None, [2, 3]), (0, 2, [1, 2]), (2, 2, []), (-1, 0, [0])]
)
def test_files_behind_a_table_are_played_on_it(
    last: int, until: int | None, played: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []
    monkeypatch.setattr(playing_on, "take_in_place", lambda on, file, fetch: done.append((on, file, fetch)))
    log = SimpleNamespace(standing=lambda: [entry(seq) for seq in range(4)])
    session: Any = SimpleNamespace(folder=SimpleNamespace(log=log, fetch="fetch"))
    table: Any = SimpleNamespace(last=last)
    seen: list[Any] = []
    playing_on.play_on(session, table, until, seen.append)
    assert done == [(table, f"file {seq}", "fetch") for seq in played] and seen == [table] * len(played)
    playing_on.play_on(session, table, until)


def test_a_file_that_was_taken_once_and_is_not_now(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = Outcome.REFUSED

    def fail(*_: Any) -> None:
        raise ProtocolError(outcome, msg("why not"))

    def damaged(what: Any) -> ProtocolError:
        return ProtocolError(Outcome.LOG_DAMAGED, msg("damaged: {what}", what=what))

    monkeypatch.setattr(playing_on, "take_in_place", fail)
    log = SimpleNamespace(standing=lambda: [entry(0)])
    session: Any = SimpleNamespace(folder=SimpleNamespace(log=log, fetch="fetch", log_damaged=damaged))
    for outcome in Outcome:
        found = refused(lambda: playing_on.play_on(session, SimpleNamespace(last=-1)))  # type: ignore[arg-type]
        if outcome in (Outcome.REFUSED, Outcome.DIVERGED, Outcome.BAD_DICE, Outcome.BAD_OPENING, Outcome.FAULT):
            assert found == (outcome, "log entry 10: why not")
        else:
            said = f"damaged: log entry 10 is not what was taken once ({outcome.word}: why not)"
            assert found == (Outcome.LOG_DAMAGED, said)


# -- whose folder ------------------------------------------------------------------------------------------------------


class Fake(SimpleNamespace):
    """A folder of nowak's whose parts say what they were asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.mine: Any = PlayerSecrets.fresh("nowak")
        self.signer: Any = "a signer"
        self.unasked, self.signs = True, True
        private = SimpleNamespace(
            signer=lambda wanted: (self.asked.append(wanted), self.signer)[1],
            signs_for=lambda wanted: (self.asked.append(wanted), self.signs)[1],
            opens_unasked=lambda: self.unasked,
            no_key=lambda player: ProtocolError(Outcome.WRONG_KEY, msg("no key of {player}", player=player)),
            no_secrets=lambda: ProtocolError(Outcome.WRONG_KEY, msg("no secrets")),
            ways_out=lambda: msg("a way out"),
        )
        ledger = SimpleNamespace(keys={"nowak": "public"}, draws=[], seals={}, trees=[1, 2])
        super().__init__(
            folder=SimpleNamespace(secrets=lambda: self.mine, private=private),
            table=SimpleNamespace(ledger=ledger),
            charter=SimpleNamespace(nonce="ab" * 32, game_id=GAME, all_players=["nowak", "yamada"]),
            me=self.mine,
            _hides_something=False,
        )


def test_who_plays_and_with_which_key() -> None:
    fake = Fake()
    fake.private_for = lambda wanted: S.private_for(fake, wanted)
    assert of(Seated, "me", fake) is fake.mine and of(Seated, "private", fake) == "a signer" and fake.asked == [{"public"}]
    fake.signer = None
    assert refused(lambda: of(Seated, "private", fake)) == (Outcome.WRONG_KEY, "no key of nowak")
    fake.mine = None
    assert refused(lambda: of(Seated, "me", fake)) == (Outcome.WRONG_KEY, "no secrets")


def test_whether_it_is_for_this_folder_to_sign() -> None:
    fake = Fake()
    assert of(Seated, "is_seated", fake) is True and fake.asked == [{"public"}]
    fake.signs = False
    assert of(Seated, "is_seated", fake) is False
    fake.signs, fake.table.ledger.keys = True, {}
    assert of(Seated, "is_seated", fake) is True and fake.asked[-1] == {""}
    fake.mine = None
    assert of(Seated, "is_seated", fake) is False


def test_what_is_hidden_can_be_shown() -> None:
    fake = Fake()
    for hides, unasked, sees in ((False, False, True), (True, False, False), (True, True, True), (False, True, True)):
        fake._hides_something, fake.unasked = hides, unasked
        assert of(Seated, "sees_hidden", fake) is sees
    fake.mine = None
    assert of(Seated, "sees_hidden", fake) is False
    ledger = fake.table.ledger
    assert of(Seated, "_hides_something", fake) is False
    ledger.draws = [SimpleNamespace(player="yamada")]
    ledger.seals = {"h": SimpleNamespace(player="yamada")}
    assert of(Seated, "_hides_something", fake) is False
    ledger.draws.append(SimpleNamespace(player="nowak"))
    assert of(Seated, "_hides_something", fake) is True
    ledger.draws.pop()
    ledger.seals["i"] = SimpleNamespace(player="nowak")
    assert of(Seated, "_hides_something", fake) is True


def test_secrets_for_composing(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    me = fake.me
    me.other_chains, me.next_chain, me.sealed = ["other"], None, {"h": "c"}
    fake.draw_keys = lambda: "draw keys"
    monkeypatch.setattr(seated, "chain_in_use", lambda table, player: (table, player))
    monkeypatch.setattr(announcing, "chains", lambda of: iter(["derived"]) if of is fake else 0)
    shown: list[Any] = []
    monkeypatch.setattr(seated, "next_link", lambda nonce, kept, standing: shown.append((nonce, [*kept], standing)) or answer)
    answer = "a link"
    first = {"secret": me.chain_secret, "length": me.chain_length}
    found = S.secrets(fake)
    assert (found.player, found.draw_secrets, found.sealed) == (
        "nowak",
        "draw keys",
        {"h": "c"},
    ) and found.sealed is not me.sealed
    assert found.link(3) == "a link"
    assert shown == [("ab" * 32, ["other", first, "derived"], (fake.table, "nowak"))]
    me.next_chain = "next"
    S.secrets(fake).link(3)
    assert shown[1][1] == ["other", first, "next", "derived"]
    answer = ""
    said = "this folder does not hold the chain that the log shows. a way out"
    assert refused(lambda: S.secrets(fake).link(3)) == (Outcome.BAD_CHAIN, said)


def test_draw_keys_of_all_masters(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    fake.me.draw_master, fake.me.more_masters, fake.me.handed_over = "01", ["02"], "handed over"
    monkeypatch.setattr(announcing, "masters", lambda of: ["03"] if of is fake else 0)
    monkeypatch.setattr(seated, "DrawKeys", lambda *words: words)
    start = (fake.table.ledger, "nowak", "ab" * 32)
    assert S.draw_keys(fake) == (*start, [b"\1", b"\2"], "handed over")
    fake.table.ledger.trees = [1, 2, 3]
    assert S.draw_keys(fake) == (*start, [b"\1", b"\2", b"\3"], "handed over")


def test_knowledge_opens_nothing_where_nothing_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    fake.draw_keys = lambda: "draw keys"
    monkeypatch.setattr(seated, "Knowledge", lambda *words: words)
    assert S.knowledge(fake) == ("nowak", {}, {}, fake.table.ledger, GAME)
    fake._hides_something, fake.me.sealed = True, {"h": "c"}
    assert S.knowledge(fake) == ("nowak", "draw keys", {"h": "c"}, fake.table.ledger, GAME)

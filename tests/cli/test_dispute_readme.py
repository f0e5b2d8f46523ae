"""The manual's page for referees and spectators, followed on three machines: a player's, a referee's, a spectator's."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.protocol.strict_yaml import read_document
from pbem.runtime.verdicts import WORDS
from pbem.store.session import Session
from tests.commands import inside, must, prepare, run
from tests.manual import blocks, page, words_of
from tests.toygame.test_dispute import judged

SECTION = page("referees")


def commands() -> list[list[list[str]]]:
    """The words of each command, block by block: the player's, the referee's, the spectator's."""
    return [words_of(block) for block in blocks(SECTION, "sh")]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `pacific` of a player after two files."""
    root = tmp_path_factory.mktemp("moments")
    folder = tmp_path_factory.mktemp("player") / "pacific"
    shutil.copytree(prepare(root)["answered"] / "axis", folder)
    return folder


@pytest.fixture
def machines(game: Path, tmp_path: Path) -> Iterator[dict[str, Path]]:
    found = {name: tmp_path / name for name in ("player", "referee", "spectator")}
    for path in found.values():
        path.mkdir()
    shutil.copytree(game, found["player"] / "pacific")
    yield found


def test_the_referee_judges_and_the_spectator_watches_as_the_manual_says(machines: dict[str, Path]) -> None:
    player, referee, spectator = commands()
    with inside(machines["player"]):
        for words in player:
            must(*words)
        table = Session.open(Path("pacific")).table
    for name in ("referee", "spectator"):
        shutil.copy(machines["player"] / "dispute.txt", machines[name])
    with inside(machines["referee"]):
        for words in referee:
            done = run(*words)
            assert done.code == 3 and done.out.startswith("due: valid so far")
        assert [p.name for p in Path().iterdir()] == ["dispute.txt"]
    shown = {}
    with inside(machines["spectator"]):
        for words in spectator:
            shown[words[0]] = run(*words)
        watched = Session.open(Path("watch"))
        assert (watched.table.engine.state_hash(), watched.head) == (table.engine.state_hash(), table.ledger.entries[-1].id)
        assert watched.folder.secrets() is None and not list(Path("watch/outbox").iterdir())
        left = sorted(p.name for p in Path("home").iterdir())
        assert left == ["games.json", "home.lock"]  # no key: the folder is noted for `pbem inbox`
        assert Path("map.svg").read_text("utf-8").startswith("<svg") and Path("replay.html").exists()
    assert [done.code for name, done in shown.items() if name != "judge"] == [0] * 6
    assert shown["judge"].code == 3 and "yamada has to send orders" in shown["status"].out
    assert "Battle" in shown["report"].out


def test_the_table_of_verdicts_names_every_word() -> None:
    rows = re.findall(r"(?m)^\| ([a-z ,]+) \| [^|]+ \|", SECTION)
    named = {word.strip() for row in rows for word in row.split(",")} - {"verdict"}
    assert named == {*WORDS.values(), "rule broken", "cut"}


def test_a_spectator_begins_with_the_charter_alone_and_takes_mails(game: Path, tmp_path: Path) -> None:
    with inside(tmp_path):
        told = must("accept", str(game / "files/0000-charter.yaml"), "-g", "watch")
        assert "signs nothing" in told
        charter = read_document((game / "files/0000-charter.yaml").read_bytes())[0]
        players = charter["players"]
        assert isinstance(players, dict) and all(f"{name}: SHA256:" in told for name in players)
        must("receive", str(game / "files"), "-g", "watch")
        assert Session.open(Path("watch")).head == Session.open(game).head
        assert "agree" in must("verify", "-g", "watch") and "to send orders" in must("status", "-g", "watch")
        assert json.loads(must("accept", str(game / "files/0000-charter.yaml"), "-g", "watch", "--json"))["begun"]


@pytest.mark.parametrize("words", [("send", "o.yaml"), ("undo", "1"), ("resign", "--yes"), ("offer", "draw"), ("refuse",)])
def test_a_folder_that_watches_signs_nothing(game: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    with inside(tmp_path):
        must("accept", str(game / "files/0000-charter.yaml"), "-g", "watch")
        Path("o.yaml").write_text("orders:\n  - done\n")
        done = run(*words, "-g", "watch")
        assert done.code == 7 and "watches the game" in done.err


def test_no_folder_watches_a_draft_or_takes_files_that_a_player_names_when_he_joins(tmp_path: Path) -> None:
    with inside(tmp_path):
        must("new", "axis")
        done = run("accept", "axis/charter.yaml", "-g", "watch")
        assert done.code == 8 and "pbem join" in done.err and not Path("watch").exists()
        Path("s.yaml").write_text("game: next-war\n")
        assert run("accept", "axis/charter.yaml", "--scenario", "s.yaml", "-g", "axis").code == 5


def test_a_game_of_an_own_scenario_is_judged_and_watched_from_its_text_alone(tmp_path: Path) -> None:
    (bridge,) = blocks(page("own-scenarios"), "yaml")
    with inside(tmp_path):
        Path("bridge.yaml").write_text(bridge)
        must("new", "one", "--scenario", "bridge.yaml")
        must("join", "--as", "yamada", "--seats", "non-allied", "-g", "one")
        must("join", "one/charter.yaml", "--as", "nowak", "--seats", "allied", "--scenario", "bridge.yaml", "-g", "two")
        must("accept", "-g", "two")
        must("accept", "two/charter.yaml", "-g", "one")
        must("accept", "one/charter.yaml", "-g", "two")
        must("dispute", "-g", "one")
        for name in ("one", "two"):
            shutil.rmtree(name)
        assert judged("dispute.txt", 3)["verdict"] == "due"
        must("accept", "dispute.txt", "-g", "watch")
        must("receive", "dispute.txt", "-g", "watch")
        assert judged("watch", 3)["due"]
        charter = "watch/files/0000-charter.yaml"
        lacking = judged(charter, 15)
        assert lacking["verdict"] == "cut" and "--scenario FILE" in lacking["reason"]
        assert json.loads(run("judge", charter, "--scenario", "bridge.yaml", "--json").out)["verdict"] == "due"
        assert run("accept", charter, "-g", "again").code == 5 and not Path("again").exists()
        must("accept", charter, "--scenario", "bridge.yaml", "-g", "again")
        assert judged("again", 3)["due"]

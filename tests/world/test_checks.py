"""The checks of the simulated world themselves: what they must not take for a broken promise, and what they must see."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator

import pytest

from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.dues import AUTOMATIC
from tests.toygame.folders import at
from tests.world import acts, faults
from tests.world.cheat import Cheat, Node, plays, signs_again
from tests.world.disk import Full, every_disk, memory_folder
from tests.world.ghost import Broken
from tests.world.machine import Worlds
from tests.world.world import Folder, Mail, Stopped, World, fixed_world


@contextlib.contextmanager
def begun(patch: pytest.MonkeyPatch, cheat: str = "", role: str = "") -> Iterator[World]:
    """A world in which the game has just begun."""
    with memory_folder() as root, at(root, patch):
        world = Worlds(root, patch).fresh(role, cheat)
        with fixed_world(world), every_disk(patch, world.failure):
            for folder in world.folders:
                world.look(folder)
            yield world


def at_a_stand_in(world: World, knows: bool) -> tuple[Cheat, Node, Folder]:
    """Nowak has signed a file that yamada's link turns, for the umpire alone, who has stood in for yamada; that file may wait
    at yamada's for the one of nowak's before it. The place behind which nowak may sign another one."""
    umpire, folder = (next(f for f in world.folders if f.player == name) for name in ("smith", "yamada"))
    cheat = Cheat.of(world, next(f for f in world.folders if f.player == "nowak"))
    for choice in range(40):
        acts.rounds(world, 2, choice)
        cheat.fetch_mail()
        node = cheat.newest()
        if cheat.is_due(node) and cheat.sign(node, cheat.draft(node, choice), ["smith"]):
            acts.exchange(world, umpire)
            table = acts.table_of(world, umpire)
            if table is not None and table.due.player == "yamada" and table.due.what in AUTOMATIC:
                acts.stand_in(world, umpire, 0)
                if knows:
                    acts.exchange(world, folder)
                return cheat, node, folder
            world.post += [Mail(to, "nowak", cheat.newest().files[-1]) for to in ("yamada", "dubois")]
    raise AssertionError("the dice never asked yamada")


def test_p6_a_program_that_has_seen_its_link_in_a_stand_in_shows_it_for_no_second_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(monkeypatch, "nowak", "escrow") as world:
        cheat, node, folder = at_a_stand_in(world, knows=True)
        again = cheat.sign(node, cheat.draft(node, 1), ["yamada"])
        assert again is not None
        mails, world.post = world.waiting("yamada"), []
        said = world.deliver(mails, folder)
        assert "smith has signed for you, follows another file" in said.text
        assert folder.files()[-1].id == document_id(again), "his file is taken, and not answered"
        assert any(e.document.get("slip") == "head" and "answers" not in e.document for e in folder.entries), "he asks"
        for _ in range(4):
            acts.rounds(world, 1, 0)
        assert any(e.document.get("slip") == "equivocation" for e in folder.entries), "nowak's two files are known to be two"
        assert not any(e.document.get("seq") == again["seq"] + 1 and not e.document.get("signed_by") for e in folder.files())


def test_p6_a_backup_from_before_the_stand_in_shows_that_link_for_no_second_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(monkeypatch, "nowak", "escrow") as world:
        cheat, node, folder = at_a_stand_in(world, knows=False)
        shutil.copytree(folder.path, world.root / "kept")
        first = next(n.files[-1] for n in cheat.nodes.values() if n.files[-1].get("prev") == node.id)
        world.post.append(Mail("yamada", "nowak", first))
        acts.exchange(world, folder)
        assert folder.files()[-1].document.get("signed_by") == "smith"
        shutil.rmtree(folder.path)
        shutil.copytree(world.root / "kept", folder.path)
        world.look(folder, after_loss=True)
        again = cheat.sign(node, cheat.draft(node, 1), ["yamada"])
        assert again is not None
        acts.exchange(world, folder)
        assert folder.files()[-1].id == document_id(again), "his file is taken, and not answered"


def test_p6_who_has_not_seen_the_stand_in_answers_a_liars_second_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """He cannot know; the two files of the liar are the proof, and no promise is broken."""
    with begun(monkeypatch, "nowak", "escrow") as world:
        cheat, node, folder = at_a_stand_in(world, knows=False)
        world.post = [m for m in world.post if m.to != "yamada"]
        again = cheat.sign(node, cheat.draft(node, 1), ["yamada"])
        assert again is not None
        acts.exchange(world, folder)
        mine = folder.files()[-1].document
        assert (mine["player"], mine["seq"], mine.get("signed_by")) == ("yamada", again["seq"] + 1, None)


def spoilt(mail: Mail, text: str) -> Mail:
    return Mail(mail.to, mail.sender, mail.document, text)


def test_p11_what_waited_for_room_on_the_disk_is_no_work_of_a_refused_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(monkeypatch) as world:
        acts.rounds(world, 8, 0)
        folder = max(world.folders, key=lambda f: len(f.files()))
        mail = world.delivered[0]
        folder.path.joinpath("log.jsonl").write_bytes(b"".join(folder.log.splitlines(keepends=True)[:-1]))
        world.look(folder, after_loss=True)
        folder.machine.failure = Full(1)
        faults.deliver_spoilt(world, spoilt(mail, write_document(mail.document).replace(world.game[8:], "0" * 56)), folder)
        assert folder.table is not None, "the log is whole again"


def test_p11_a_file_that_its_author_has_signed_in_another_version_makes_one_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(monkeypatch, "yamada") as world:
        folder = next(f for f in world.folders if f.player == "nowak")
        cheat = Cheat.of(world, next(f for f in world.folders if f.player == "yamada"))
        mail = behind_another_version(world, cheat)
        acts.exchange(world, folder)
        faults.deliver_spoilt(world, spoilt(mail, write_document(mail.document)), folder)
        assert any(e.document.get("slip") == "head" for e in folder.entries)


def behind_another_version(world: World, cheat: Cheat) -> Mail:
    """The cheat signs two files for one place and another one behind the second, which he keeps to himself till now."""
    for choice in range(40):
        acts.rounds(world, 1, choice)
        plays(cheat, choice)
        before = len(world.post)
        signs_again(cheat, 16 * 9 + choice)
        forks = [m for m in world.post[before:] if m.sender == "yamada"]
        for node in [n for n in cheat.nodes.values() if forks and n.files[-1].get("prev") == forks[0].document["prev"]]:
            if node.files[-1] in [m.document for m in forks] and cheat.is_due(node):
                world.post[before:] = []
                document = cheat.sign(node, cheat.draft(node, choice), ["nowak"])
                assert document is not None
                mail = world.post.pop()
                return mail
    raise AssertionError("the dice never asked him twice")


def test_p11_a_change_by_a_refused_mail_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    with begun(monkeypatch) as world:
        acts.rounds(world, 4, 0)
        folder, mail = world.folders[0], world.delivered[0]
        deliver = world.deliver

        def leaves_a_trace(mails: list[Mail], folder: object) -> object:
            world.folders[0].path.joinpath("files/trace").write_text("")
            return deliver(mails, world.folders[0])

        monkeypatch.setattr(world, "deliver", leaves_a_trace)
        with contextlib.suppress(Stopped), pytest.raises(Broken, match="P11"):
            faults.deliver_spoilt(world, spoilt(mail, write_document(mail.document).replace("turn", "tum")), folder)

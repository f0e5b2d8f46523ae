"""What happens to the disk of an honest player, and which of his files the others get: rare in the whole world."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

from pbem.cli import proof, syncing
from tests.world import acts, ending, faults
from tests.world.ghost import hold, in_short
from tests.world.talks import loses_everything
from tests.world.world import Folder, Mail, Stopped, World


def decides(world: World, choice: int) -> Folder | None:
    """The game goes on until somebody has at least two orders to choose from."""
    for n in range(12):
        for folder in world.in_use:
            table = acts.table_of(world, folder)
            if acts.is_due(world, folder) and table is not None and table.due.what == "orders" and len(acts.legal(table)) > 1:
                return folder
        acts.rounds(world, 1, choice + n)
    return None


def others_go_on(world: World, folder: Folder, choice: int) -> None:
    """All but this one read their mail and play."""
    for n in range(3):
        for other in [f for f in world.in_use if f is not folder]:
            with contextlib.suppress(Stopped):
                acts.exchange(world, other)
        for other in [f for f in world.in_use if f is not folder and acts.is_due(world, f)][:1]:
            acts.quietly(acts.turn, world, other, choice + n)


# -- an image of the whole disk ---------------------------------------------------------------------------------------------


def set_back_as_a_whole(world: World, choice: int) -> None:
    """F3: folder and record are set back together, and their player signs other orders, which nobody gets. When he reads what
    has followed his first file, his folder goes on there."""
    folder = decides(world, choice)
    if folder is None:
        return
    kept = [_copied(world, path) for path in (folder.path, folder.machine.home)]
    before = folder.machine.record, {*folder.machine.rows}
    acts.turn(world, folder, choice)
    first = folder.files()[-1]
    others_go_on(world, folder, choice)
    followers = [f for f in world.in_use if f is not folder and f.files()[-1].document["prev"] == first.id]
    if not followers:
        return
    for path, copy in zip((folder.path, folder.machine.home), kept, strict=True):
        shutil.rmtree(path)
        shutil.move(copy, path)
    folder.machine.record, folder.machine.rows = before
    made = world.ghost.made
    made |= {name: "the image" for name, by in made.items() if by == folder.machine.name and name not in before[1]}
    world.ghost.set_back.add(folder.player)
    world.look(folder)
    acts.turn(world, folder, choice + 1)
    second = folder.files()[-1]
    world.post = [m for m in world.post if m.document != second.document]
    world.post += [Mail(folder.player, e.document["player"], e.document) for e in followers[0].files()[1:]]
    acts.exchange(world, folder)
    told = f"{folder.path.name} stays with {in_short(second.document)}, and {in_short(first.document)} was followed"
    hold(first.id in {e.id for e in folder.files()}, "P12", told)


def _copied(world: World, path: Path) -> Path:
    to = world.root / world.new_name("image")
    shutil.copytree(path, to)
    return to


# -- a late mail ------------------------------------------------------------------------------------------------------------


def a_lost_file_comes_late(world: World, choice: int) -> None:
    """L1: nobody has got a player's newest files when he loses everything and asks; then they reach him who would answer."""
    for n in range(8):
        folder = decides(world, choice + n)
        if folder is None:
            return
        for other in [f for f in world.in_use if f is not folder]:
            with contextlib.suppress(Stopped):
                acts.exchange(world, other)
        kept, known = world.root / world.new_name("backup"), len(folder.files())
        world.command(folder, proof.backup, folder.path, kept)
        acts.turn(world, folder, choice)
        table = acts.table_of(world, folder)
        if table is not None and table.due.player not in ("", folder.player):
            return _loses_and_plays_on(world, folder, kept, choice, [e.document for e in folder.files()[known:]])
        acts.rounds(world, 1, choice)


def _loses_and_plays_on(world: World, folder: Folder, kept: Path, choice: int, lost: list[dict[str, Any]]) -> None:
    table = acts.table_of(world, folder)
    made = loses_everything(world, folder, kept)
    acts.ask_the_others(world, made, 0)
    for other in [*world.in_use, made]:
        with contextlib.suppress(Stopped):
            acts.exchange(world, other)
    for due in [f for f in world.in_use if table is not None and f.player == table.due.player]:
        with contextlib.suppress(Stopped):
            world.deliver([Mail(due.player, made.player, document) for document in lost], due)
        acts.quietly(acts.turn, world, due, choice)
    for n in range(3):
        acts.quietly(acts.turn, world, made, choice + 1)
        others_go_on(world, made, choice + n)
    ending.play_on(world)


# -- two machines in turn ---------------------------------------------------------------------------------------------------


def an_old_stick_brings_the_pen(world: World, choice: int) -> None:
    """R6: the pen goes to the laptop and back; a stick from between is played on at the same time."""
    folder = decides(world, choice)
    if folder is None:
        return
    desk, laptop = folder.machine, faults.another_machine(world, folder)
    for machine in (desk, laptop):
        world.command(folder, syncing.join, folder.path, machine.name, machine=machine)
    world.command(folder, syncing.leave, folder.path, laptop.name)
    carried, stick = (faults.added(world, _copied(world, folder.path), folder, laptop) for _ in range(2))
    world.at_work[folder.player] = laptop
    world.command(carried, syncing.sync, carried.path)
    if choice % 2:
        acts.turn(world, carried, choice)
    world.command(carried, syncing.leave, carried.path, desk.name)
    world.command(folder, syncing.sync, folder.path, carried.path)
    world.at_work[folder.player] = desk
    world.command(stick, syncing.sync, stick.path)
    for n, one in enumerate((stick, folder)):
        acts.quietly(acts.turn_elsewhere, world, one, choice + n)

"""A talk between the cheat and one player that nobody else hears; then all that this player had is lost."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from pbem.cli import proof
from pbem.protocol.ids import document_id
from tests.world import acts, faults
from tests.world.cheat import Cheat, Node, answers, plays
from tests.world.world import Folder, Stopped, World

TRUTH, LOW, NOTHING = 1, 2, 0  # what `answers` says of what the cheat holds


def everybody_reads(world: World, cheat: Cheat) -> None:
    """Whoever has mail opens it."""
    cheat.fetch_mail()
    for folder in world.in_use:
        if world.waiting(folder.player):
            with contextlib.suppress(Stopped):
                acts.exchange(world, folder)


def partner_of(world: World, cheat: Cheat, choice: int) -> Folder | None:
    """The game goes on until the cheat has written a file that another player's has to follow; his folder has not seen it."""
    for n in range(12):
        everybody_reads(world, cheat)
        plays(cheat, choice + n)
        due = cheat.newest().table.due.player
        found = [f for f in world.in_use if f.player == due]
        if found and cheat.newest().files[-1].get("player") == cheat.player:
            return found[0]
        everybody_reads(world, cheat)
        for folder in [f for f in world.in_use if acts.is_due(world, f)][:1]:
            acts.quietly(acts.turn, world, folder, choice + n)
    return None


def talk(world: World, cheat: Cheat, folder: Folder, choice: int) -> list[Node]:
    """Player and cheat answer one another, and what they send comes to nobody else: all files from the cheat's first on."""
    said = [cheat.newest()]
    lone = [m for m in world.post if m.to not in (cheat.player, folder.player) and m.document != said[0].files[-1]]
    for n in range(6):
        with contextlib.suppress(Stopped):
            acts.exchange(world, folder)
        acts.quietly(acts.turn, world, folder, choice + n)
        cheat.fetch_mail()
        if cheat.newest() is not said[-1] and n >= choice % 4:
            break
        plays(cheat, choice + n)
        said.append(cheat.newest())
    world.post = [m for m in world.post if m.to in (cheat.player, folder.player)] + lone
    first = said[0].table.last
    return sorted((n for n in cheat.nodes.values() if n.table.last >= first), key=lambda n: (n.table.last, n.id))


def loses_everything(world: World, folder: Folder, kept: object) -> Folder:
    """Machine, record, outbox and mail are gone; a backup is restored at a new machine."""
    path = world.root / world.new_name("restored")
    machine = faults.another_machine(world, folder)
    world.command(folder, proof.restore, kept, path, machine=machine)
    made = faults.added(world, path, folder, machine)
    world.moves_to(made)
    world.lost_disks.add(folder.player)
    world.ghost.lost.add(folder.player)
    world.post = [m for m in world.post if folder.player not in (m.to, m.sender)]
    return made


def loses_all_after_a_talk(world: World, cheat: Cheat, choice: int) -> None:
    """He asks the others what they hold; the cheat may lie, sign another file for him, and show the lost ones late."""
    folder = partner_of(world, cheat, choice)
    if folder is None:
        return
    kept = world.root / world.new_name("backup")
    world.command(folder, proof.backup, folder.path, kept)
    said = talk(world, cheat, folder, choice // 2)
    made = loses_everything(world, folder, kept)
    lost = [n for n in said if n.files[-1].get("player") == made.player]
    if choice // 8 % 2:
        _another_file(cheat, said, choice)
        everybody_reads(world, cheat)
    acts.quietly(acts.ask_the_others, world, made, 0)
    everybody_reads(world, cheat)
    answers(cheat, LOW if choice // 16 % 4 else TRUTH)
    for n in range(6):
        everybody_reads(world, cheat)
        if n == 0 and choice // 8 % 2 == 0:
            _another_file(cheat, said, choice)
            everybody_reads(world, cheat)
        for due in [f for f in world.in_use if acts.is_due(world, f)][:1]:
            acts.quietly(acts.turn, world, due, choice + n)
        _goes_on(cheat, said, choice + n)
    _shows(world, cheat, lost)


def _another_file(cheat: Cheat, said: Sequence[Node], choice: int) -> None:
    """At the first place that he has filled in the talk; or the same file again."""
    first = next((n for n in said if n.files[-1].get("player") == cheat.player), None)
    if first is None:
        return
    before = cheat.nodes.get(str(first.files[-1]["prev"]))
    if choice // 64 % 4 and before is not None:
        cheat.sign(before, cheat.draft(before, choice // 4), cheat.world.players)
    else:
        cheat.send(first.files[-1], cheat.world.players)


def _goes_on(cheat: Cheat, said: Sequence[Node], choice: int) -> None:
    """He plays in the longest version that the others know of."""
    cheat.fetch_mail()
    secret = {n.id for n in said}
    due = [n for n in cheat.nodes.values() if n.id not in secret and cheat.is_due(n) and not cheat.has_answered(n)]
    if due:
        node = max(due, key=lambda n: n.table.last)
        cheat.sign(node, cheat.draft(node, choice), cheat.world.players)


def _shows(world: World, cheat: Cheat, lost: Sequence[Node]) -> None:
    """What was lost comes to light."""
    for node in lost:
        for other in [p for p in world.players if p != cheat.player]:
            if document_id(dict(node.files[-1])) in world.ghost.files:
                cheat.send(node.files[-1], [other])
    everybody_reads(world, cheat)

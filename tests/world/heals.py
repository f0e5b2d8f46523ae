"""A game that has parted is healed: one writes a heal, it goes from hand to hand, all sign, all take it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from pbem.cli import healing, receiving
from pbem.cli.heal_draft import Wanted
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import read_document, write_document
from tests.world import acts
from tests.world.cheat import Cheat, plays
from tests.world.ending import is_sure, send_round
from tests.world.talks import everybody_reads
from tests.world.world import Folder, Stopped, World


def parts_and_heals(world: World, cheat: Cheat, choice: int) -> str:
    """The cheat signs two files at once; who has to follow gets the one and goes on, the others get the other one. They heal
    the game and play on. The outcome's word."""
    two = _two_files(world, cheat, choice)
    if two is None:
        return "the cheat was never due"
    for n in range(2):
        for folder in world.in_use:
            acts.quietly(acts.turn, world, folder, choice + n)
        everybody_reads(world, cheat)
    word = all_heal(world, cheat, choice, str(acts.pick(["", *two], choice // 4))[:16])
    for n in range(4):
        plays(cheat, choice + n)
        everybody_reads(world, cheat)
        for folder in [f for f in world.in_use if acts.is_due(world, f)][:1]:
            acts.quietly(acts.turn, world, folder, choice + n)
    return word


def _two_files(world: World, cheat: Cheat, choice: int) -> list[str] | None:
    """The ids of both."""
    for n in range(12):
        everybody_reads(world, cheat)
        node = cheat.newest()
        if cheat.is_due(node) and not cheat.has_answered(node):
            made = [cheat.sign(node, cheat.draft(node, choice + k), []) for k in range(2)]
            names = [document_id(d) for d in made if d is not None]
            follower = cheat.nodes[names[-1]].table.due.player if names else ""
            for document, to in zip(made, ([follower], [p for p in world.players if p != follower]), strict=True):
                if document is not None:
                    cheat.send(document, to)
            everybody_reads(world, cheat)
            return names
        plays(cheat, choice + n)
        for folder in [f for f in world.in_use if acts.is_due(world, f)][:1]:
            acts.quietly(acts.turn, world, folder, choice + n)
    return None


def all_heal(world: World, cheat: Cheat, choice: int, keep: str = "") -> str:
    """Everybody shows everybody what he holds, then they sign. The outcome's word."""
    for document in [n.files[-1] for n in cheat.nodes.values() if n.files[-1].get("player") == cheat.player]:
        cheat.send(document, world.players)
    for folder in world.in_use:
        with contextlib.suppress(Stopped):
            acts.exchange(world, folder)
    send_round(world)
    able = {f.player: f for f in world.in_use if is_sure(world, f)}
    signers = [able[p] for p in world.players if p in able]
    if len(signers) < len(world.players) - 1:
        return "somebody is not sure"
    try:
        _passed_round(world, cheat, signers[choice % len(signers) :] + signers[: choice % len(signers)], keep)
    except Stopped as stopped:
        return stopped.word
    return "done"


def _passed_round(world: World, cheat: Cheat, signers: list[Folder], keep: str) -> None:
    first = signers[0]
    plain, _ = world.command(first, healing.command, first.path, None, Wanted(keep=keep), True)
    for folder in signers[1:]:
        plain, _ = world.command(folder, healing.command, folder.path, Path(str(plain["file"])), Wanted())
    document = heal.sign(read_document(Path(str(plain["file"])).read_bytes())[0], cheat.player, cheat.private)
    found = world.root / world.new_name("heal")
    found.write_text(write_document(document))
    for folder in signers:
        world.ghost.reads(folder.player, document)
        world.command(folder, receiving.receive_all, folder.path, [("heal", document)])
    cheat.learn(document)

"""A game that has parted is healed: one writes a heal, it goes from hand to hand, all sign, all take it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from pbem.cli import healing, play
from pbem.cli.heal_draft import Wanted
from pbem.protocol import heal
from pbem.protocol.strict_yaml import read_document, write_document
from tests.world import acts
from tests.world.cheat import Cheat
from tests.world.ending import is_sure, send_round
from tests.world.world import Folder, Stopped, World


def all_heal(world: World, cheat: Cheat, choice: int) -> str:
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
        _passed_round(world, cheat, signers[choice % len(signers) :] + signers[: choice % len(signers)], choice)
    except Stopped as stopped:
        return stopped.word
    return "done"


def _passed_round(world: World, cheat: Cheat, signers: list[Folder], choice: int) -> None:
    first = signers[0]
    plain, _ = world.command(first, healing.command, first.path, None, Wanted(keep=_kept(world, first, choice)), True)
    for folder in signers[1:]:
        plain, _ = world.command(folder, healing.command, folder.path, Path(str(plain["file"])), Wanted())
    document = heal.sign(read_document(Path(str(plain["file"])).read_bytes())[0], cheat.player, cheat.private)
    found = world.root / world.new_name("heal")
    found.write_text(write_document(document))
    for folder in signers:
        world.ghost.reads(folder.player, document)
        world.command(folder, play.receive_all, folder.path, [("heal", document)])
    cheat.learn(document)


def _kept(world: World, folder: Folder, choice: int) -> str:
    """Mostly what the program proposes; else one of the files that lie aside names the version."""
    with world.at(folder.machine):
        aside = sorted(p.stem.partition("-")[2] for p in folder.path.glob("aside/0*.yaml"))
    return str(acts.pick(aside, choice // 4)) if aside and choice % 2 else ""

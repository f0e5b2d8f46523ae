"""What an honest player does: plays what is asked of him, fetches his mail, makes and answers offers, changes his key."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from pbem.cli import play, proof, receiving, restoring, seats, sending, umpire
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.protocol.strict_yaml import write_document
from pbem.runtime.table import Table
from tests.world.ghost import hold
from tests.world.world import Folder, Stopped, World

STANDING: list[dict[str, Any]] = [
    {},
    {"standing": {"stop": [{"when": "at >= 2", "do": "stop"}, {"do": "let pass"}]}},
    {"standing": {"loss": "foot"}},
    {"sealed_standing": {"loss": ["horse"]}},
    {"standing": {"bid": [{"do": 3, "life": "once"}]}},
    {"note": ["Good luck."]},
]


def pick(choices: Sequence[Any], index: int) -> Any:
    """The index taken modulo."""
    return choices[index % len(choices)]


def legal(table: Table) -> list[Plain]:
    """Orders that answer what is asked."""
    request = table.engine.request
    if isinstance(request, Commit):
        return [{"seal": men, "seat": request.seat} for men in range(4)]
    if isinstance(request, Simultaneous):
        bids = range(6)
        return [{"seal": bid, "seat": table.due.seat} for bid in bids] if table.due.what == "seal" else [*bids]
    return [*request.options()] if isinstance(request, Ask) and request.options else []


def table_of(world: World, folder: Folder) -> Table | None:
    """What the folder says of the game; None where its program cannot."""
    world.check(folder)
    return folder.table


def is_due(world: World, folder: Folder) -> bool:
    """The folder waits for its own player."""
    table = table_of(world, folder)
    return table is not None and table.due.player == folder.player


def exchange(world: World, folder: Folder) -> None:
    """Fetch all mail of the folder's player."""
    mails = world.waiting(folder.player)
    world.post = [m for m in world.post if m not in mails]
    world.delivered += mails
    world.deliver(mails, folder)


def turn(world: World, folder: Folder, choice: int) -> None:
    """Do what the game waits for, if it waits for this folder's player. Raises Stopped."""
    table = table_of(world, folder)
    if table is None or table.due.player != folder.player:
        return
    match table.due.what:
        case "orders" | "seal":
            orders = legal(table)
            draft = {"orders": [pick(orders, choice)], **pick(STANDING, choice // len(orders))}
            file = world.root / world.new_name("orders")
            file.write_text(write_document(draft))
            world.command(folder, sending.send, folder.path, file)
        case "accept" if choice % 4:
            world.command(folder, lambda path: play.agree(path, sure=True), folder.path)
        case "accept":
            world.command(folder, play.refuse, folder.path, None)
        case _:
            world.command(folder, receiving.receive_all, folder.path, [])


def turn_elsewhere(world: World, folder: Folder, choice: int) -> None:
    """He has forgotten at which machine he plays: a turn in a folder that was left. Raises Stopped."""
    turn(world, folder, choice)


def undo(world: World, folder: Folder, choice: int) -> None:
    """Offer to take back one of the files with orders."""
    table = table_of(world, folder)
    decided = [n for n, e in enumerate(table.ledger.entries) if e.decides] if table else []
    if decided:
        world.command(folder, play.offer, folder.path, "undo", {"to": pick(decided, choice)})


def offer(world: World, folder: Folder, choice: int) -> None:
    """Offer a draw (seldom) or the next version of the rules."""
    content: dict[str, Plain] = {"draw": True} if choice % 8 == 0 else {"rules_version": 2}
    world.command(folder, play.offer, folder.path, "offer", {"offer": content})


def renew(world: World, folder: Folder, choice: int) -> None:
    """A new key, chain and draw tree for the own seat."""
    world.command(folder, seats.renew, folder.path)


def resign(world: World, folder: Folder, choice: int) -> None:
    """All seats of the player."""
    world.command(folder, lambda path: play.resign(path, sure=True), folder.path)


def stand_in(world: World, folder: Folder, choice: int) -> None:
    """The umpire with the escrow breaks a stall."""
    world.command(folder, umpire.stand_in, folder.path)


def look_round(world: World, folder: Folder, choice: int) -> None:
    """Commands that only read, or mend what a crash left."""
    if choice % 2:
        world.command(folder, play.status, folder.path)
    else:
        world.command(folder, proof.verify, folder.path)


def audit(world: World, folder: Folder, choice: int) -> None:
    """Show one's keys and seals when the game is over."""
    world.command(folder, proof.audit, folder.path)


def ask_the_others(world: World, folder: Folder, choice: int) -> None:
    """`pbem restored`: what do the others hold of this player? He goes on at this machine."""
    world.moves_to(folder)
    world.command(folder, restoring.ask, folder.path)


def quietly(act: Callable[[World, Folder, int], None], world: World, folder: Folder, choice: int) -> str:
    """An act that may be refused; the outcome's word."""
    try:
        act(world, folder, choice)
    except Stopped as stopped:
        hold(stopped.word != "program fault", "P2", str(stopped))
        return stopped.word
    return "done"


def rounds(world: World, count: int, choice: int) -> None:
    """Everybody fetches his mail, and who is due plays, so many times."""
    for n in range(count):
        for folder in _from(world.in_use, choice + n):
            if world.waiting(folder.player):
                with contextlib.suppress(Stopped):
                    exchange(world, folder)
        due = [f for f in _from(world.in_use, choice + n) if is_due(world, f)]
        for folder in due[:1]:
            quietly(turn, world, folder, choice + n)


def opened(world: World) -> None:
    """Players open their mail until one of them is asked for something."""
    for folder in [f for f in world.in_use if world.waiting(f.player)]:
        if any(is_due(world, f) for f in world.in_use):
            return
        with contextlib.suppress(Stopped):
            exchange(world, folder)


def _from(folders: list[Folder], start: int) -> list[Folder]:
    """All of them, another one first each time."""
    at = start % max(1, len(folders))
    return folders[at:] + folders[:at]

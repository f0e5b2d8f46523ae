"""What happens to disks and mails: crashes, full disks, copies, backups, cut logs, flipped bytes, lost and forged mail."""

from __future__ import annotations

import copy
import errno
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.cli import proof, receiving, syncing
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.transport.armor import write_block
from pbem.transport.mail import gather
from tests.store.failing_disk import Failure
from tests.world.acts import pick
from tests.world.disk import Full
from tests.world.ghost import hold
from tests.world.world import Folder, Machine, Mail, World

PARTS = (0.0, 0.5, 1.0)

# -- disks ------------------------------------------------------------------------------------------------------------------


def crash(world: World, folder: Folder, choice: int) -> None:
    """The machine stops at some step of the next command."""
    folder.machine.failure = Failure(1 + choice // 3 % 40, part=PARTS[choice % 3])


def fill(world: World, folder: Folder, choice: int) -> None:
    """No room on the machine's disk for some commands; or it can only be read."""
    folder.machine.failure = Full(1 + choice % 4, errno.ENOSPC if choice // 4 % 2 else errno.EROFS)


def free(world: World, folder: Folder, choice: int) -> None:
    """Room again."""
    folder.machine.failure = Failure()


def upgrade(world: World, folder: Folder, choice: int) -> None:
    """The next version of the program."""
    folder.machine.version = 2


def another_machine(world: World, folder: Folder) -> Machine:
    """A machine to which the player brings his keys and nothing else."""
    name = world.new_name(f"{folder.player}-machine-")
    machine = Machine(name, world.root / f"{name}-home", folder.machine.version)
    shutil.copytree(folder.machine.home / "keys", machine.home / "keys")
    world.machines.append(machine)
    return machine


def added(world: World, path: Path, folder: Folder, machine: Machine) -> Folder:
    """A folder that has come to be."""
    made = Folder(path, folder.player, machine, posted=set(folder.posted), is_cut=folder.is_cut, has_lost=folder.has_lost)
    world.folders.append(made)
    world.look(made)
    return made


def copy_folder(world: World, folder: Folder, choice: int) -> None:
    """`cp -r`, on the same machine or to another one."""
    machine = folder.machine if choice % 2 else another_machine(world, folder)
    path = world.root / world.new_name("copy")
    shutil.copytree(folder.path, path)
    added(world, path, folder, machine)


def take_along(world: World, folder: Folder, choice: int) -> None:
    """`pbem sync`: the pen is left to another machine, the folder goes there on a stick, and the pen is taken. Mostly."""
    known = [m for m in world.machines if m is not folder.machine and m.home.name.startswith(f"{folder.player}-")]
    there = pick(known, choice // 8) if known and choice % 4 else another_machine(world, folder)
    for machine in (folder.machine, there):
        world.command(folder, syncing.join, folder.path, machine.name, machine=machine)
    early = world.root / world.new_name("stick")
    if choice // 2 % 8 == 0:  # an old stick: what is left behind it is not on it
        shutil.copytree(folder.path, early)
    world.command(folder, syncing.leave, folder.path, there.name)
    if not early.exists():
        shutil.copytree(folder.path, early)
    world.at_work[folder.player] = there
    if choice // 16 % 2:  # the stick stays, as it is
        path = world.root / world.new_name("carried")
        shutil.copytree(early, path)
        added(world, early, folder, there)
        early = path
    arrive(world, added(world, early, folder, there), choice)


def arrive(world: World, folder: Folder, choice: int) -> None:
    """`pbem sync` in a folder that was carried to its machine, now or long ago."""
    world.command(folder, syncing.sync, folder.path)


def back_up(world: World, folder: Folder, choice: int) -> None:
    """`pbem backup`."""
    path = world.root / world.new_name("backup")
    world.command(folder, proof.backup, folder.path, path)
    world.backups.append((path, folder))


def restore(world: World, folder: Folder, choice: int) -> None:
    """`pbem restore` of any backup of the player, on the same machine or another; the folder may be lost or stay."""
    mine = [path for path, saved in world.backups if saved.player == folder.player]
    if not mine:
        return back_up(world, folder, choice)
    machine = folder.machine if choice % 2 else another_machine(world, folder)
    path = world.root / world.new_name("restored")
    world.command(folder, proof.restore, pick(mine, choice // 4), path, machine=machine)
    made = added(world, path, folder, machine)
    if choice // 2 % 2:
        world.folders.remove(folder)
        if not any(f.player == folder.player for f in world.in_use):
            world.moves_to(made)
        world.lost_disks.add(folder.player)
        shutil.rmtree(folder.path)
    return None


def cut_log(world: World, folder: Folder, choice: int) -> None:
    """The last lines of a log are lost, or all but a part of one."""
    path, before = folder.path / "log.jsonl", folder.entries
    lines = path.read_bytes().splitlines(keepends=True)
    if len(lines) < 3:
        return
    lost = 1 + choice // 2 % min(3, len(lines) - 2)
    torn = lines[-lost][: len(lines[-lost]) // 2] if choice % 2 else b""
    path.write_bytes(b"".join(lines[:-lost]) + torn)
    world.look(folder, after_loss=True)
    gone = [e for e in before[len(folder.entries) :] if e.kind == "file"]
    copies = [p for e in gone for p in folder.path.glob(f"files/{e.document['seq']:04d}-*.yaml")]
    hold(not copies or folder.table is None, "P3", f"{folder.path.name} has lost {len(gone)} files of its log and says nothing")


def flip_byte(world: World, folder: Folder, choice: int) -> None:
    """P2: whichever byte of a log is changed, the program names it and changes nothing; then it is put right.

    What stands behind the last whole line was never written to its end, and is left out in any case.
    """
    path = folder.path / "log.jsonl"
    data = path.read_bytes()
    at = choice % max(1, data.rfind(b"\n"))
    path.write_bytes(data[:at] + bytes([data[at] ^ (1 + choice // 7 % 255)]) + data[at + 1 :])
    try:
        with world.at(folder.machine):
            proof.verify(folder.path)
    except ProtocolError as error:
        hold(error.outcome is Outcome.LOG_DAMAGED, "P2", f"byte {at} of a log is changed, and the program says: {error}")
    else:
        hold(False, "P2", f"byte {at} of a log is changed, and nobody notices")
    finally:
        path.write_bytes(data)


# -- mail -------------------------------------------------------------------------------------------------------------------


def chosen(world: World, choice: int) -> Mail | None:
    """A mail that lies at the post office, else one that was delivered."""
    mails = world.post or world.delivered
    return pick(mails, choice) if mails else None


def drop(world: World, choice: int) -> None:
    """A mail is lost."""
    if world.post:
        world.post.remove(pick(world.post, choice))


def double(world: World, choice: int) -> None:
    """An old mail comes once more."""
    mails = world.delivered or world.post
    if mails:
        mail = pick(mails, choice)
        world.post.append(Mail(mail.to, mail.sender, mail.document))


def one(world: World, choice: int) -> Mail | None:
    """One mail, out of its order, is taken from the post office; the rest waits."""
    if not world.post:
        return None
    mail: Mail = pick(world.post, choice)
    world.post.remove(mail)
    world.delivered.append(mail)
    return mail


def damage(world: World, choice: int) -> Mail | None:
    """One character of a mail's text is another."""
    mail = chosen(world, choice)
    if mail is None:
        return None
    text = write_block(mail.document) if choice % 2 else write_document(mail.document)
    at = choice // 3 % len(text)
    return Mail(mail.to, mail.sender, mail.document, text[:at] + "0aZ\n:-"[choice % 6] + text[at + 1 :])


def forge(world: World, choice: int) -> Mail | None:
    """One field of a document is another; the signature is the old one, or copied from another document."""
    mail = chosen(world, choice)
    if mail is None:
        return None
    document = copy.deepcopy(mail.document)
    pick(FORGERIES, choice // 5)(document, mail, pick(world.post or world.delivered, choice // 11).document)
    return Mail(mail.to, mail.sender, document, write_document(document))


def _set(key: str, value: Any) -> Callable[[dict[str, Any], Mail, dict[str, Any]], None]:
    return lambda document, mail, other: document.update({key: value})


def _take(key: str) -> Callable[[dict[str, Any], Mail, dict[str, Any]], None]:
    return lambda document, mail, other: document.update({key: other[key]} if key in other else {key: None})


FORGERIES: list[Callable[[dict[str, Any], Mail, dict[str, Any]], None]] = [
    _set("signed_by", "smith"),
    _set("signed_by", "nowak"),
    _set("note", ["I resign."]),
    _set("orders", ["halt"]),
    _set("seq", 2),
    _take("prev"),
    _take("link"),
    _take("player"),
    _take("signature"),
    _take("slips"),
    _take("state"),
    lambda document, mail, other: document.update(player=mail.to),
    lambda document, mail, other: document.update(orders=[*reversed(document.get("orders", []))], note=["swapped"]),
]


def aside(folder: Folder) -> dict[str, bytes]:
    """Everything that a refused mail may not change: all files but caches, locks, and what is kept aside."""
    found = {}
    for path in sorted(folder.path.rglob("*")):
        name = str(path.relative_to(folder.path))
        kept = name.startswith(("files/refused-", "equivocation-", "aside/"))
        if path.is_file() and not kept and name not in ("lock", "checkpoint.json"):
            found[name] = path.read_bytes()
    return found


def is_whole(world: World, mail: Mail) -> bool:
    """Nothing was spoilt: all that the text holds is what somebody signed and sent."""
    found = [document for _, document in gather(mail.spoilt)]
    seen = [world.ghost.files.get(document_id(d)) if isinstance(d, dict) else None for d in found]
    return all(known is not None and known.document == d for known, d in zip(seen, found, strict=True))


def deliver_spoilt(world: World, mail: Mail, folder: Folder) -> None:
    """P11: what is refused changes no byte, but what is kept aside. Where it can be read it counts like any other.

    A file that somebody has signed behind another version makes the program ask for heads by itself.
    """
    had_room, before = False, dict[str, bytes]()
    while not had_room or before != aside(folder):  # what is due anyway is done first
        had_room, before = not isinstance(folder.machine.failure, Full), aside(folder)
        world.command(folder, receiving.receive_all, folder.path, [])
    received = world.deliver([mail], folder)
    words = {o.word for o in received.outcomes}
    is_taken = words & {"done", "equivocation proved"}
    may_move = words & {"already known", "bad chain", "waiting"} and is_whole(world, mail)  # a file that another version has
    if not is_taken and not may_move:
        after = aside(folder)
        changed = [n for n in {*before, *after} if before.get(n) != after.get(n)]
        hold(not changed, "P11", f"{folder.path.name}: a refused mail changed {changed}: {received.text}")

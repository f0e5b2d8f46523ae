"""The end of a run: nothing breaks any more, everybody sends what he has, and the game goes on to its end."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from pbem.cli import healing, play, receiving
from pbem.cli.heal_draft import Wanted
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import read_document
from pbem.runtime.table import Table
from pbem.store import pen
from pbem.store.folder import GameFolder
from tests.store.failing_disk import Failure
from tests.world import acts
from tests.world.cheat import Cheat
from tests.world.ghost import Broken, hold, in_short, signer
from tests.world.world import Entry, Folder, Stopped, World

ROUNDS = 120
KINDS = ("file", "slip", "heal")


def calm(world: World) -> None:
    """Every machine works and has the newest program; the post is empty; a folder that is not played at is forgotten."""
    world.folders = world.in_use
    for machine in world.machines:
        machine.failure, machine.version = Failure(), 2
    world.post.clear()


def send_everything(world: World) -> None:
    """Each folder receives whatever stands in another one's log, until nothing moves; what is refused there is refused."""
    before: list[bytes] | None = None
    while before != (now := [f.log for f in world.folders]):
        before = now
        send_round(world)


def send_round(world: World) -> None:
    """Each folder receives once what it lacks of the others' logs. Where that moved nothing it is done again only when the
    folder, its machine, or what it lacks has changed."""
    for folder in [*world.folders]:
        before = _stamp(world, folder)
        if before == folder.settled:
            continue
        with contextlib.suppress(Stopped):
            world.command(folder, play.status, folder.path)  # what a crash left undone, and what the record knows
        lacking = _lacking(world, folder)
        order = sorted(lacking.values(), key=lambda e: (e.kind == "slip", e.document.get("seq", 0)))
        found = [(f"from {signer(e.document)}", e.document) for e in order]
        for entry in order:
            world.ghost.reads(folder.player, entry.document)
        with contextlib.suppress(Stopped):
            folder.said = world.command(folder, receiving.receive_all, folder.path, found).text
        folder.settled = before if before == _stamp(world, folder) else None


def _lacking(world: World, folder: Folder) -> dict[str, Entry]:
    """What stands in the others' logs and not in this one, by its id."""
    held = folder.ids()
    return {e.id: e for f in world.folders for e in f.entries if e.kind in KINDS and e.id not in held}


def _stamp(world: World, folder: Folder) -> Any:
    """Everything on which it depends what a round does to a folder."""
    machine = folder.machine
    files = [(str(p), p.stat().st_size) for p in sorted(folder.path.rglob("*")) if p.name not in ("lock", "checkpoint.json")]
    return folder.log, machine.record, machine.version, world.clock, files, sorted(_lacking(world, folder))


def is_sure(world: World, folder: Folder) -> bool:
    """The folder may sign."""
    with world.at(folder.machine):
        return not pen.why_unsure(GameFolder(folder.path), world.game)


def make_sure(world: World) -> None:
    """Every player has a folder that may sign: where he has none, he asks the others (L1)."""
    for player in world.players:
        mine = sorted((f for f in world.folders if f.player == player), key=lambda f: -len(f.entries))
        if mine and not any(is_sure(world, f) for f in mine):
            acts.quietly(acts.ask_the_others, world, mine[0], 0)
    send_everything(world)
    for player in world.players:
        mine = [f for f in world.folders if f.player == player]
        told = f"{player} asked everybody and is not sure again:\n" + "\n".join(stand(world, f) for f in world.folders)
        hold(not mine or _key_is_gone(world, player) or any(is_sure(world, f) for f in mine), "P14", told)


def _key_is_gone(world: World, player: str) -> bool:
    """The key that signs for him by the newest log is at no machine at which he works: he goes back there, or is replaced."""
    tables = [t for t in (acts.table_of(world, f) for f in world.folders) if t is not None]
    wanted = {max(tables, key=lambda t: t.last).ledger.keys[player]}
    return not any(_has_a_key(world, f, wanted) for f in world.folders if f.player == player)


def _has_a_key(world: World, folder: Folder, wanted: set[str]) -> bool:
    with world.at(folder.machine):
        return GameFolder(folder.path).private.signs_for(wanted)


def _seal_is_gone(world: World, newest: Table) -> bool:
    """What is to be opened was sealed at a machine at which its player works no more: nothing here says what it is."""
    due = newest.due
    handle = str(due.detail)
    seal = newest.ledger.seals.get(handle) if due.what == "open" else None
    if seal is None:
        return False
    mine = [f for f in world.folders if f.player == due.player]
    known = any(handle in (world.secrets(f) or {"sealed": {}})["sealed"] for f in mine)
    return not known and world.ghost.made.get(newest.ledger.entries[seal.seq].id) not in {f.machine.name for f in mine}


def heal_where_told(world: World) -> str:
    """Whoever is told that he has to sign a heal signs it, and it goes to everybody. The outcome's word; "" where nobody is."""
    for folder in [f for f in world.folders if is_sure(world, f)]:
        with contextlib.suppress(Stopped):
            told = world.command(folder, play.status, folder.path)[1]
            if f"signed by {folder.player}: pbem heal" in told:
                return acts.quietly(_heal, world, folder, 0)
    return ""


def _heal(world: World, folder: Folder, choice: int) -> None:
    plain, _ = world.command(folder, healing.command, folder.path, None, Wanted(), True)
    document = read_document(Path(str(plain["file"])).read_bytes())[0]
    for other in world.folders:
        with contextlib.suppress(Stopped):
            world.ghost.reads(other.player, document)
            world.command(other, receiving.receive_all, other.path, [("heal", document)])


def stand(world: World, folder: Folder) -> str:
    """Where a folder stands, for a message."""
    files = [f"{e.document['seq']} {signer(e.document)} {e.id[:6]}" for e in folder.files()[1:]]
    kept = sorted(p.name for p in folder.path.glob("aside/*"))
    slips = [in_short(e.document) for e in folder.entries if e.kind == "slip"]
    sure = "sure" if is_sure(world, folder) else "unsure"
    return f"{folder.path.name} of {folder.player}, {sure}: {', '.join(files[-4:])}; aside {kept}; slips {slips}; {folder.said}"


def play_on(world: World) -> None:
    """P14: the game ends."""
    calm(world)
    send_everything(world)
    make_sure(world)
    for n in range(ROUNDS):
        send_everything(world)
        sure = [f for f in world.folders if is_sure(world, f)]
        newest = max((t for t in (acts.table_of(world, f) for f in sure) if t is not None), key=lambda t: t.last)
        if newest.result is not None:
            return _check_all_agree(world)
        if _seal_is_gone(world, newest):
            return None  # he has to go back to that machine
        due = sorted((f for f in sure if acts.is_due(world, f)), key=lambda f: -len(f.files()))
        done = [acts.quietly(acts.turn, world, f, 1 + 7 * n) for f in due]
        if "done" not in done:
            done += [acts.quietly(acts.turn, world, f, choice) for f in due for choice in (1, 2, 3)]
        if "done" not in done and _key_is_gone(world, newest.due.player):
            return None
        if "done" not in done:
            done += [heal_where_told(world)]
        waiting = f"{newest.due.player} owes {newest.due.what} {newest.due.detail}"
        hold("done" in done, "P14", f"nobody goes on, {waiting}: {done}\n" + "\n".join(stand(world, f) for f in world.folders))
    raise Broken("P14", "the game does not end:\n" + "\n".join(stand(world, f) for f in world.folders))


def show_everything(world: World, cheat: Cheat) -> None:
    """P4: when everybody has sent what he has, whoever holds another file at a place knows of the other one."""
    calm(world)
    for document in [n.files[-1] for n in cheat.nodes.values() if n.files[-1]["type"] != "charter"]:
        cheat.send(document, world.players)
    for folder in [*world.folders]:
        with contextlib.suppress(Stopped):
            acts.exchange(world, folder)
    send_everything(world)
    honest = [f for f in world.folders if f.files()]
    for one in honest:
        for other in honest:
            _check_knows(world, one, other)


def _check_knows(world: World, one: Folder, other: Folder) -> None:
    here, there = one.files(), other.files()
    places = [n for n in range(min(len(here), len(there))) if here[n].id != there[n].id]
    if places:
        strange = there[places[0]]
        kept = {e.id for e in one.entries} | {
            document_id(read_document(p.read_bytes())[0]) for p in one.path.glob("aside/*.yaml")
        }
        told = f"{one.path.name} does not know of {in_short(strange.document)} in {other.path.name}\n"
        hold(strange.id in kept, "P4", told + stand(world, one) + "\n" + stand(world, other))


def _check_all_agree(world: World) -> None:
    send_everything(world)
    sure = [f for f in world.folders if is_sure(world, f)]
    tables = [(f.path.name, t) for f in sure if (t := acts.table_of(world, f)) is not None]
    told = {name: (t.last, str(t.result), t.engine.state_hash()) for name, t in tables}
    newest = max(t.last for _, t in tables)  # who hears of a resignation first takes no file behind it
    results = {result for _, result, _ in told.values()}
    states = {state for last, _, state in told.values() if last == newest}
    whole = "\n".join(stand(world, f) for f in sure)
    hold(len(results) == 1 and len(states) == 1, "P1", f"the game is over, and the folders do not agree: {told}\n{whole}")

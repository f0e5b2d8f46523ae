"""Proving: verify from scratch, audit, dispute bundle, backup and restore."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

from pbem.cli.play import put_slip
from pbem.cli.session import Session
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.orders import unreadable
from pbem.protocol import charter, slips, sshsig
from pbem.protocol import dice as protocol_dice
from pbem.protocol.ids import signed_part
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder

BACKED_UP = ("pbem.json", "charter.yaml", "log.jsonl", "private/key", "private/secrets.json")
SCRIPT = """#!/bin/sh
# Checks one roll with ssh-keygen, sha256sum and openssl only. Run it in this folder.
set -eu
fail() { echo "NOT PROVED: $1"; exit 1; }
for n in order answer; do
  ssh-keygen -Y verify -f allowed_signers -I "$(cat $n.player)" -n pbem-v1 -s $n.sig < $n.json > /dev/null 2>&1 \\
    || fail "signature of $n.json"
done
id=$( { printf 'pbem/1 document\\n'; cat order.json; } | sha256sum | cut -d' ' -f1)
[ "$id" = "$(cat order.id)" ] || fail "id of order.json"
grep -q "\\"link\\":\\"$(cat link.hex)\\"" answer.json || fail "the link is not in answer.json"
{ printf 'pbem/1 link\\n'; cat nonce.bin link.bin; } | sha256sum | cut -d' ' -f1 | cmp -s - previous.hex \\
  || fail "the link does not follow the one shown before"
seed=$(openssl dgst -sha256 -mac HMAC -macopt hexkey:"$(cat link.hex)" < seed.message | sed 's/.*= //')
[ "$seed" = "$(cat seed.hex)" ] || fail "seed"
block=$(openssl dgst -sha256 -mac HMAC -macopt hexkey:"$seed" < roll.message | sed 's/.*= //')
[ "$block" = "$(cat block.hex)" ] || fail "block"
echo "PROVED: $(cat roll.txt)"
"""


def verify(path: Path) -> tuple[Plain, str]:
    """Signatures, chain, dice and rules from the charter on; the checkpoint is not used."""
    session = Session.open(path)
    if session.folder.log.torn:
        print(session.folder.log.torn)
    charter.verify(session.folder.log.files()[0])
    table = session.replayed()
    cached = session.table.engine.state_hash()
    if table.engine.state_hash() != cached:
        raise ProtocolError(Outcome.DIVERGED, "the checkpoint is not what the log gives: delete checkpoint.json")
    session.folder.restore_copies()
    rolls = len(table.ledger.rolled)
    text = f"{table.last} files, {rolls} rolls: signatures, chain, dice and rules agree. state {cached[:16]}"
    return {"files": table.last, "rolls": rolls, "state": cached}, text


def audit(path: Path) -> tuple[Plain, str, int]:
    """Publish the own secrets once the game is over; check all that were published."""
    with Session.at_work(path) as session:
        return _audit(session)


def _audit(session: Session) -> tuple[Plain, str, int]:
    from pbem.runtime import audit as auditing

    table = session.table
    if table.result is None:
        raise ProtocolError(Outcome.WAITING, "the audit comes when the game is over")
    owing = auditing.pending(table.ledger)
    shown = {s["player"]: s for s in session.folder.log.slips() if s["slip"] == "audit"}
    secrets = session.folder.secrets()
    if secrets is not None and secrets.player in owing and secrets.player not in shown:
        content = auditing.disclose(table, session.knowledge(), session.draw_keys())
        head = table.ledger.entries[-1].id
        slip = slips.make("audit", session.charter.game_id, head, secrets.player, content)
        signed = slips.sign(slip, session.private)
        put_slip(session, signed)
        shown[secrets.player] = signed
    missing = [p for p in owing if p not in shown]
    if missing:
        return {"pending": [*missing]}, f"audit pending: {', '.join(missing)}", Outcome.WAITING.code
    opened = [auditing.read_disclosure(p, s) for p, s in shown.items()]
    finding = auditing.audit(table, opened, session.folder.fetch)
    if finding is None:
        return {"clean": True}, "audit: every draw, commitment and claim is true", 0
    text = f"audit: {finding.player} lied in file {finding.seq}: {finding.what}"
    return {"clean": False, "player": finding.player, "file": finding.seq}, text, Outcome.LIE_PROVED.code


def prove(path: Path, source: int, index: int, to: Path) -> str:
    """A folder with the exact inputs of one roll and a script that needs no pbem."""
    session = Session.open(path)
    ledger = session.table.ledger
    rolled = next((r for r in ledger.rolled if r.source == source and r.index == index), None)
    if rolled is None:
        raise unreadable(f"file {source} led to no roll {index}")
    if to.exists():
        raise unreadable(f"{to} exists already: name a new folder")
    with session.folder.disk.whole_folder(to) as beside:
        _write_proof(beside, session, rolled)
    return f"{to} written: run `sh check.sh` there; it needs ssh-keygen, sha256sum and openssl only"


def _write_proof(to: Path, session: Session, rolled: Any) -> None:
    ledger, source = session.table.ledger, rolled.source
    order, answer = dict(session.folder.fetch(source)), dict(session.folder.fetch(source + 1))
    signers = []
    for name, document in (("order", order), ("answer", answer)):
        player, key = str(document["player"]), ledger.keys[str(document["player"])]
        (to / f"{name}.json").write_bytes(canonical(signed_part(document)))
        (to / f"{name}.sig").write_text(sshsig.armored(key, str(document["signature"])))
        (to / f"{name}.player").write_text(player)
        signers.append(f"{player} {key}")
    (to / "allowed_signers").write_text("\n".join(dict.fromkeys(signers)) + "\n")
    _write_roll(to, session, rolled, str(answer["link"]))
    (to / "check.sh").write_text(SCRIPT)


def _write_roll(to: Path, session: Session, rolled: Any, link: str) -> None:
    ledger, nonce = session.table.ledger, bytes.fromhex(session.charter.nonce)
    k, game_id, file_id = rolled.source, ledger.entries[0].id, ledger.entries[rolled.source].id
    seed = protocol_dice.seed(bytes.fromhex(link), game_id, k, file_id)
    message = b"pbem/1 seed\n" + bytes.fromhex(game_id) + protocol_dice.u64(k) + bytes.fromhex(file_id)
    roll = protocol_dice.block_message(rolled.index, 0, rolled.label)
    from pbem.protocol.chain import previous

    (to / "order.id").write_text(file_id + "\n")
    (to / "link.hex").write_text(link)
    (to / "link.bin").write_bytes(bytes.fromhex(link))
    (to / "nonce.bin").write_bytes(nonce)
    (to / "previous.hex").write_text(previous(nonce, bytes.fromhex(link)).hex() + "\n")
    (to / "seed.message").write_bytes(message)
    (to / "seed.hex").write_text(seed.hex())
    (to / "roll.message").write_bytes(roll)
    (to / "block.hex").write_text(protocol_dice.mac(seed, roll).hex())
    numbers = " ".join(map(str, rolled.dice))
    (to / "roll.txt").write_text(f"{rolled.label}: {numbers} (1 + each 32-bit word of the block mod {rolled.sides})\n")


def backup(path: Path, to: Path) -> str:
    """Everything that is not a cache, in one zip file."""
    folder = GameFolder(path)
    folder.check()
    if to.exists():
        raise unreadable(f"{to} exists already: name a new file")
    held = io.BytesIO()
    with folder.lock(), zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in BACKED_UP:
            if (path / name).exists():
                bundle.writestr(name, folder.disk.read(path / name))
    folder.disk.replace(to, held.getvalue(), 0o600)
    return f"{to} written. It holds your key and secrets: whoever has it can play for you."


def restore(source: Path, path: Path) -> str:
    """A game folder from a backup; its next signature wants the newest file first."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise unreadable(f"{path} is not an empty folder")
    held = _backed_up(source)
    disk = Disk()
    with disk.whole_folder(path) as beside:
        folder = GameFolder(beside, disk)
        folder.make_folders()
        for name, data in held.items():
            disk.replace(beside / name, data, 0o600 if name.startswith("private") else 0o644)
        secrets = folder.secrets()
        if secrets is not None:
            secrets.restored = True
            folder.save_secrets(secrets)
        folder.restore_copies()
        newest = json.dumps(len(folder.log.files()) - 1)
    return (
        f"{path} restored up to file {newest}. Before you sign anything, receive the newest file of the game: "
        "two machines signing at one place would be proof of cheating."
    )


def _backed_up(source: Path) -> dict[str, bytes]:
    """The files of a backup. Raises ProtocolError when it is none."""
    try:
        with zipfile.ZipFile(source) as bundle:
            held = {name: bundle.read(name) for name in BACKED_UP if name in bundle.namelist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
        raise unreadable(f"{source} is no backup of a game folder, or it is damaged") from None
    if "pbem.json" not in held:
        raise unreadable(f"{source} is no backup of a game folder")
    return held

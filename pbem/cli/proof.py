"""Proving: verify from scratch, audit, dispute bundle, backup and restore."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.cli import forks
from pbem.cli.play import fork_path, put_slip
from pbem.cli.receiving import check_signed
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import NO_WORDS, Message, english, msg
from pbem.protocol import chain, charter, sshsig, strict_yaml
from pbem.protocol import dice as protocol_dice
from pbem.protocol.ids import signed_part
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime.slips import check_fork
from pbem.runtime.table import Table
from pbem.store import backups, catching_up, shelf, unsending
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.paths import home
from pbem.store.session import Session

# Prints the text of the outermost mapping of a canonical JSON file without what is nested in it.
TOP = """top() {
  LC_ALL=C awk '{ for (i = 1; i <= length($0); i++) { c = substr($0, i, 1)
    if (text) { if (escaped) escaped = 0; else if (c == "\\\\") escaped = 1; else if (c == "\\"") text = 0 }
    else if (c == "\\"") text = 1
    else if (c == "{" || c == "[") depth++
    else if (c == "}" || c == "]") depth--
    if (depth == 1) printf "%s", c } }' "$1"
}
has() { top "$1" | grep -qF "$2" || fail "$1 does not say $2"; }
"""
SCRIPT = (
    """#!/bin/sh
# Checks one roll with ssh-keygen, sha256sum, openssl, awk and od only. Run it in this folder.
set -eu
fail() { echo "NOT PROVED: $1"; exit 1; }
hex() { od -An -v -tx1 | tr -d ' \\n'; }
"""
    + TOP
    + """for n in before order answer; do
  ssh-keygen -Y verify -f allowed_signers -I "$(cat $n.signer)" -n pbem-v1 -s $n.sig < $n.json > /dev/null 2>&1 \\
    || fail "signature of $n.json"
done
for n in order answer; do
  has $n.json "\\"player\\":\\"$(cat $n.player)\\""
  has $n.json "\\"game\\":\\"$(cat game.txt)\\""
done
k=$(cat seq.txt)
has order.json "\\"seq\\":$k,"
has answer.json "\\"seq\\":$((k + 1)),"
id=$( { printf 'pbem/1 document\\n'; cat order.json; } | sha256sum | cut -d' ' -f1)
[ "$id" = "$(cat order.id)" ] || fail "id of order.json"
has answer.json "\\"prev\\":\\"$id\\""
has answer.json "\\"link\\":\\"$(cat link.hex)\\""
part() { dd if=link.bin bs=32 skip="$1" count=1 2> /dev/null; }
value=$(cat link.hex); n=0; all=$(($(wc -c < link.bin) / 32))
while [ "$n" -lt "$all" ]; do
  [ "$(part $n | hex)" = "$value" ] || fail "link.bin"
  value=$( { printf 'pbem/1 link\\n'; cat nonce.bin; part $n; } | sha256sum | cut -d' ' -f1)
  n=$((n + 1))
done
[ "$value" = "$(cat previous.hex)" ] || fail "the link does not follow previous.hex"
grep -qF "\\"$(cat previous.hex)\\"" before.json || fail "before.json does not show previous.hex"
want="$(printf 'pbem/1 seed\\n' | hex)$(cat game.txt)$(printf '%016x' "$k")$id"
[ "$(hex < seed.message)" = "$want" ] || fail "seed.message"
seed=$(openssl dgst -sha256 -mac HMAC -macopt hexkey:"$(cat link.hex)" < seed.message | sed 's/.*= //')
[ "$seed" = "$(cat seed.hex)" ] || fail "seed"
i=$(cat index.txt); s=$(cat sides.txt); b=0; dice=""; left=$(cat count.txt)
while [ "$left" -gt 0 ]; do
  want="$(printf 'pbem/1 roll\\n' | hex)$(printf '%08x%08x' "$i" "$b")$(hex < label.txt)"
  [ "$(hex < "roll.$b")" = "$want" ] || fail "roll.$b"
  block=$(openssl dgst -sha256 -mac HMAC -macopt hexkey:"$seed" < "roll.$b" | sed 's/.*= //')
  for word in $(echo "$block" | sed 's/......../0x& /g'); do
    w=$((word))
    if [ "$left" -gt 0 ] && [ "$w" -lt $((4294967296 / s * s)) ]; then dice="$dice $((1 + w % s))"; left=$((left - 1)); fi
  done
  b=$((b + 1))
done
[ "$dice" = " $(cat dice.txt)" ] || fail "dice:$dice"
echo "PROVED: $(cat label.txt):$dice"
[ "$all" -eq 1 ] || echo "Before this link $((all - 1)) are left out, as the whole log demands after a loss or a heal"
"""
)
FORK_SCRIPT = (
    """#!/bin/sh
# Checks with ssh-keygen, sha256sum and awk only that one key signed two different files at one place.
set -eu
fail() { echo "NOT PROVED: $1"; exit 1; }
"""
    + TOP
    + """for n in first second; do
  ssh-keygen -Y verify -f allowed_signers -I "$(cat signer.txt)" -n pbem-v1 -s $n.sig < $n.json > /dev/null 2>&1 \\
    || fail "signature of $n.json"
  has $n.json "\\"game\\":\\"$(cat game.txt)\\""
  has $n.json "\\"player\\":\\"$(cat player.txt)\\""
  has $n.json "\\"seq\\":$(cat seq.txt),"
done
one=$(sha256sum < first.json); two=$(sha256sum < second.json)
[ "$one" != "$two" ] || fail "the two files are one"
if top second.json | grep -q '"replaces":"'; then echo "second.json says that it replaces a refused file: look at its slips"; fi
echo "PROVED: $(cat signer.txt) signed two different files $(cat seq.txt) of game $(cut -c1-8 game.txt)"
"""
)


def verify(path: Path) -> tuple[Plain, str, int]:
    """Signatures, chain, dice and rules from the charter on; the checkpoint is not used. A proved fork has its own code."""
    session = Session.open(path)
    session.check_begun()
    if session.folder.log.torn:
        print(session.folder.log.torn)
    session.folder.check_log()
    _check_signatures(session)
    kept = {table.last: (path, table) for path, table in shelf.saved(session)}
    table = session.replayed(each=lambda played: _compare(played, *kept.get(played.last, (None, None))))
    cached = session.table.engine.state_hash()
    if table.engine.state_hash() != cached:
        raise ProtocolError(Outcome.DIVERGED, msg("the checkpoint is not what the log gives: delete checkpoint.json"))
    session.folder.restore_copies()
    rolls = len(table.ledger.rolled)
    text = speak(
        "{last} files, {rolls} rolls: signatures, chain, dice and rules agree. state {state}",
        last=table.last,
        rolls=rolls,
        state=cached[:16],
    )
    found = forks.proved(session)
    plain: Plain = {"files": table.last, "rolls": rolls, "state": cached, "forks": [english(fork.told) for fork in found]}
    return plain, "\n".join([text, *forks.told(session)]), Outcome.EQUIVOCATION.code if found else 0


def _compare(played: Table, path: Path | None, kept: Table | None) -> None:
    """A table that lies beside the log with the one that the log gives. Raises ProtocolError (diverged)."""
    if kept is not None and kept.to_plain() != played.to_plain():
        raise ProtocolError(Outcome.DIVERGED, msg("{path} is not what the log gives: delete it", path=str(path)))


def _check_signatures(session: Session) -> None:
    """Charter and slips, which are not judged when the log is played again. Raises ProtocolError (log damaged)."""
    for entry in session.folder.log.entries:
        try:
            if entry["kind"] == "charter":
                charter.verify(entry["document"])
            elif entry["kind"] == "slip":
                check_signed(session, entry["document"])
        except ProtocolError as error:
            raise session.folder.log_damaged(
                msg("log entry {n} is not what was taken once ({error})", n=entry["n"], error=error.told)
            ) from None


def audit(path: Path) -> tuple[Plain, str, int]:
    """Publish the own secrets once the game is over; check all that were published."""
    with Session.at_work(path) as session:
        return _audit(session)


def _audit(session: Session) -> tuple[Plain, str, int]:
    from pbem.runtime import audit as auditing

    table = session.table
    if table.result is None:
        raise ProtocolError(Outcome.WAITING, msg("the audit comes when the game is over"))
    if session.folder.secrets() is not None:
        _disclose(session)
    shown = auditing.collect(table, [s for s in session.folder.log.slips() if s["slip"] == "audit"])
    missing = auditing.undisclosed(table.ledger, shown)
    if missing:
        return {"pending": [*missing]}, speak("audit pending: {missing}", missing=", ".join(missing)), Outcome.WAITING.code
    finding = auditing.audit(table, shown, session.folder.fetch)
    if finding is None:
        return {"clean": True}, speak("audit: every draw, commitment and claim is true"), 0
    text = speak("audit: {player} lied in file {seq}: {what}", player=finding.player, seq=finding.seq, what=finding.what)
    plain: Plain = {"clean": False, "player": finding.player, "file": finding.seq, "what": english(finding.what)}
    return plain, text, Outcome.LIE_PROVED.code


def _disclose(session: Session) -> None:
    """The own audit slip, once: all draw keys and sealed contents of this folder. Any key that the player had signs it."""
    from pbem.runtime import audit as auditing

    player, table = session.me.player, session.table
    catching_up.recover_seals(session)
    content = auditing.disclose(table, session.knowledge(), session.draw_keys())
    private = session.private_for({h.key for h in table.ledger.held if h.player == player})
    if private is None or not (content["keys"] or content["open"]):
        return
    slip = session.sign_slip("audit", content, private)
    if slip not in session.folder.log.slips():
        put_slip(session, slip)


def prove_fork(path: Path, seq: int, to: Path) -> tuple[Plain, str]:
    """A folder with two signed files at one place and a script that needs no pbem."""
    session = Session.open(path)
    kept = fork_path(session, seq)
    if not kept.exists():
        raise unreadable(msg("there is no proof of two files at place {seq}: only one is known here", seq=seq))
    document: dict[str, Any] = strict_yaml.read_document(kept.read_bytes())[0]
    first, second = document["files"]
    check_fork(session.table, first, second)
    if to.exists():
        raise unreadable(msg("{to} exists already: name a new folder", to=str(to)))
    signer = str(first.get("signed_by") or first["player"])
    key = session.table.ledger.key_at(signer, seq)
    with session.folder.disk.whole_folder(to) as beside:
        for name, document in (("first", first), ("second", second)):
            (beside / f"{name}.json").write_bytes(canonical(signed_part(document)))
            (beside / f"{name}.sig").write_text(sshsig.armored(key, str(document["signature"])))
        (beside / "allowed_signers").write_text(f"{signer} {key}\n", "utf-8")
        place = {"game": str(first["game"]), "player": str(first["player"]), "seq": str(seq), "signer": signer}
        for name, text in place.items():
            (beside / f"{name}.txt").write_text(text, "utf-8")
        (beside / "check.sh").write_text(FORK_SCRIPT)
    text = speak(
        "{to} written: `sh check.sh` there shows that {signer} signed two different files {seq}",
        to=str(to),
        signer=signer,
        seq=seq,
    )
    return {"folder": str(to), "player": signer, "file": seq}, text


def prove(path: Path, source: int, index: int, to: Path) -> tuple[Plain, str]:
    """A folder with the exact inputs of one roll and a script that needs no pbem."""
    session = Session.open(path)
    ledger = session.table.ledger
    rolled = next((r for r in ledger.rolled if r.source == source and r.index == index), None)
    if rolled is None:
        raise unreadable(msg("file {source} led to no roll {index}", source=source, index=index))
    if to.exists():
        raise unreadable(msg("{to} exists already: name a new folder", to=str(to)))
    if ledger.behind(source) != source + 1 or not ledger.entries[source + 1].player:
        reason = msg("its dice were turned after a heal, which stock tools cannot check: `pbem verify` and the replay page do")
        raise ProtocolError(Outcome.REFUSED, msg("file {source}: {reason}", source=source, reason=reason))
    unsending.hand_out(session, "prove")
    with session.folder.disk.whole_folder(to) as beside:
        _write_proof(beside, session, rolled)
    text = speak("{to} written: run `sh check.sh` there; it needs ssh-keygen, sha256sum and openssl only", to=str(to))
    return {"folder": str(to), "file": source, "roll": index, "dice": [*rolled.dice]}, text


def _write_proof(to: Path, session: Session, rolled: Any) -> None:
    ledger, source = session.table.ledger, rolled.source
    order, answer = dict(session.folder.fetch(source)), dict(session.folder.fetch(source + 1))
    before, values = _shown_before(session, answer)
    shown = {"order": order, "answer": answer, "before": before}
    signers = []
    for name, document in shown.items():
        seq = int(document.get("seq", 0))
        signer = str(document.get("signed_by") or document.get("player") or answer["player"])
        signature = document["signature"] if seq else document["signatures"][signer]
        (to / f"{name}.json").write_bytes(canonical(signed_part(document)))
        (to / f"{name}.sig").write_text(sshsig.armored(ledger.key_at(signer, seq), str(signature)))
        (to / f"{name}.signer").write_text(signer, "utf-8")
        signers.append(f"{signer} {ledger.key_at(signer, seq)}")
    for name in ("order", "answer"):
        (to / f"{name}.player").write_text(str(shown[name]["player"]), "utf-8")
    (to / "allowed_signers").write_text("\n".join(dict.fromkeys(signers)) + "\n", "utf-8")
    _write_roll(to, session, rolled, values)
    (to / "check.sh").write_text(SCRIPT)


def _shown_before(session: Session, answer: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The newest document before that shows a value to which the answer's link leads, a file or the charter; and the values on
    the way there, the link first: after a loss or a heal there are links that nobody shows."""
    nonce, values = bytes.fromhex(session.charter.nonce), [bytes.fromhex(str(answer["link"]))]
    shown = [(file, canonical(file)) for file in reversed(session.folder.log.files()[: int(answer["seq"])])]
    while True:
        value = chain.previous(nonce, values[-1])
        found = next((file for file, text in shown if f'"{value.hex()}"'.encode() in text), None)
        if found is not None:
            return found, values
        values.append(value)


def _write_roll(to: Path, session: Session, rolled: Any, values: Sequence[bytes]) -> None:
    ledger, nonce, link = session.table.ledger, bytes.fromhex(session.charter.nonce), values[0].hex()
    k, game_id, file_id = rolled.source, ledger.entries[0].id, ledger.entries[rolled.source].id
    seed = protocol_dice.seed(bytes.fromhex(link), game_id, k, file_id)
    message = b"pbem/1 seed\n" + bytes.fromhex(game_id) + protocol_dice.u64(k) + bytes.fromhex(file_id)
    texts = {
        "game.txt": game_id,
        "seq.txt": str(k),
        "order.id": file_id + "\n",
        "link.hex": link,
        "previous.hex": chain.previous(nonce, values[-1]).hex() + "\n",
        "seed.hex": seed.hex(),
        "index.txt": str(rolled.index),
        "sides.txt": str(rolled.sides),
        "count.txt": str(len(rolled.dice)),
        "label.txt": rolled.label,
        "dice.txt": " ".join(map(str, rolled.dice)),
    }
    for name, text in texts.items():
        (to / name).write_text(text, "utf-8")
    (to / "link.bin").write_bytes(b"".join(values))
    (to / "nonce.bin").write_bytes(nonce)
    (to / "seed.message").write_bytes(message)
    _, blocks = protocol_dice.roll_and_blocks(seed, rolled.index, rolled.label, len(rolled.dice), rolled.sides)
    for block in range(blocks):
        (to / f"roll.{block}").write_bytes(protocol_dice.block_message(rolled.index, block, rolled.label))


def backup(path: Path, to: Path) -> tuple[Plain, str]:
    """Everything that is not a cache, in one zip file."""
    folder = GameFolder(path)
    folder.check()
    with folder.lock():
        packed = backups.bundle(path, folder.disk)
    with folder.disk.alone_at(home()):  # of two backups under one name the first one stays
        if to.exists():
            raise unreadable(msg("{to} exists already: name a new file", to=str(to)))
        folder.disk.replace(to, packed, 0o600)
    warning = msg("whoever has it can play for you")
    if folder.private.is_locked:
        warning = msg("whoever has it, and the passphrase, can play for you")
    return {"file": str(to)}, speak("{to} written. It holds your key and secrets: {warning}.", to=str(to), warning=warning)


def restore(source: Path, path: Path) -> tuple[Plain, str]:
    """A game folder from a backup. On the machine that made it what was signed since comes back from the record."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise unreadable(msg("{path} is not an empty folder", path=str(path)))
    held = backups.unpack(source)
    disk = Disk()
    with disk.whole_folder(path) as beside:
        folder = GameFolder(beside, disk)
        folder.make_folders()
        for name, data in held.items():
            disk.replace(beside / name, data, 0o600 if name.startswith("private") else 0o644)
        folder.set_format()
        folder.restore_copies()
        newest = len(folder.log.files()) - 1
    return _restored(path, newest)


def _restored(path: Path, newest: int) -> tuple[Plain, str]:
    """What is in the restored folder, what came back besides, and whether it may sign."""
    lines: list[str] = [speak("{path} restored up to file {newest}.", path=str(path), newest=newest)]
    why: Message = NO_WORDS
    if newest >= 0:
        with Session.at_work(path) as session:
            if session.caught_up:
                lines.append(
                    speak("What you have signed since is in this machine's record: on to file {last}.", last=session.table.last)
                )
            newest = session.table.last
            why = session.why_unsure() if session.folder.secrets() else NO_WORDS
    if why:
        lines.append(
            speak(
                "It signs nothing yet: {why}. `pbem restored -g {path}` asks the other players what they hold of you.",
                why=why,
                path=str(path),
            )
        )
    return {"folder": str(path), "files": newest, "sure": not why}, "\n".join(lines)

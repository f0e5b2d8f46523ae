"""The umpire: joining as witness or with the escrow, checking the escrow, showing a stalled player's link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.cli import restoring, setup
from pbem.cli.play import written
from pbem.cli.scenario import OwnFiles
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.wording import linked, msg
from pbem.protocol import charter, escrow, names
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import umpire as standing_in
from pbem.runtime.composing import Draft, Secrets, compose
from pbem.runtime.taking import chain_in_use
from pbem.store import dues
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.links import next_link
from pbem.store.session import Session


def join(
    path: Path,
    source: Path | None,
    name: str,
    role: str,
    lost_keys: bool,
    own_files: OwnFiles = setup.NO_FILES,
    asking: bool = False,
    *,
    sure: bool = False,
) -> tuple[Plain, str]:
    """Stand in a charter draft as its umpire, before any player joins.

    `own_files`: of the drafter; `asking`: somebody at the terminal may choose a new passphrase. `sure`: as for `setup.join`.
    """
    if role not in ("witness", "escrow"):
        raise unreadable(msg("there is no umpire's role {role!r}; roles are witness and escrow", role=role))
    name = names.typed(name)
    with setup.drafting(path, source, own_files, "" if sure else "umpire join") as (folder, draft):
        secrets, identity = setup.prepare(folder, name, asking)
        if role == "escrow" and not secrets.escrow_key:
            secrets.escrow_key = escrow.generate()
        public = escrow.public(secrets.escrow_key) if role == "escrow" else ""
        more = {"lost_keys": "umpire"} if lost_keys else {}
        record = setup.record_of(secrets, str(draft["nonce"]), identity.public)
        joined = charter.appoint({**draft, "umpire": None}, record, role, public)
        setup.keep(folder, secrets, identity, {**joined, **more})
    return {"player": name, "role": role}, speak(
        "{name} is the umpire ({role}). {next_step}", name=name, role=role, next_step=setup.next_step(path, joined)
    )


def check(path: Path) -> tuple[Plain, str]:
    """Open every chain in escrow, of the charter and of the log. Raises ProtocolError (bad opening) for one that is wrong."""
    folder = GameFolder(path)
    folder.check()
    secrets = _escrow_secrets(folder)
    documents = folder.log.files() if folder.is_running else [folder.draft()]
    opened = [player for player, *_ in open_all(secrets, documents)]
    names = list(dict.fromkeys(opened))
    return {"opened": [*opened]}, speak(
        "{number} chains in escrow open and give their tips: {names}", number=len(opened), names=", ".join(names) or "none yet"
    )


def _escrow_secrets(folder: GameFolder) -> PlayerSecrets:
    secrets = folder.secrets()
    if secrets is None or not secrets.escrow_key:
        raise ProtocolError(
            Outcome.WRONG_KEY, msg("this folder holds no escrow key: it is not that of an umpire with the escrow")
        )
    return secrets


def open_all(secrets: PlayerSecrets, documents: list[dict[str, Any]]) -> Iterator[tuple[str, str, int]]:
    """(player, chain secret in hex, length) of every chain in escrow. Raises ProtocolError naming whose does not open."""
    nonce = str(documents[0]["nonce"])
    for player, tip, length, text in _in_escrow(documents):
        try:
            yield player, escrow.decrypt(secrets.escrow_key, nonce, tip, length, text).hex(), length
        except ProtocolError as error:
            raise ProtocolError(error.outcome, linked(": ", player, error.told)) from None


def _in_escrow(documents: list[dict[str, Any]]) -> Iterator[tuple[str, str, int, str]]:
    draft = documents[0]
    for player, text in (draft.get("escrow") or {}).items():
        yield player, draft["players"][player]["chain"], draft["players"][player]["chain_length"], text
    for document in documents[1:]:
        renewed, seat = document.get("next_chain") or {}, document.get("seat") or {}
        if "escrow" in renewed:
            yield document["player"], renewed["tip"], renewed["length"], renewed["escrow"]
        if "escrow" in seat:
            yield seat["player"], seat["chain"], seat["chain_length"], seat["escrow"]


def stand_in(path: Path) -> tuple[Plain, str]:
    """Break a stall: a file that shows the link due, signed by the umpire. Same dice, no decision, nothing opened."""
    with Session.at_work(path) as session:
        secrets, table = _escrow_secrets(session.folder), session.table
        stalled = table.due.player
        if not standing_in.may_show(table):
            raise ProtocolError(
                Outcome.WAITING, msg("no link is due that the umpire could show: {told}", told=dues.told(session))
            )
        waits = restoring.unheard(session, stalled)
        if waits:
            reason = msg(
                "{player} has lost files and asks the others what they hold: his link may have turned a lost one, and whoever "
                "holds that could choose the dice. It is shown when all is heard: {waits}",
                player=stalled,
                waits="; ".join(waits),
            )
            raise ProtocolError(Outcome.WAITING, reason)
        link = _link_after(session, secrets, stalled)
        draft = Draft(extra={"signed_by": secrets.player})
        composed = compose(table, Secrets(stalled, lambda _: link, {}), draft, session.folder.fetch, lambda *_: b"")
        return written(session, session.sign_and_keep(composed, session.private))


def _link_after(session: Session, secrets: PlayerSecrets, player: str) -> str:
    opened = open_all(secrets, session.folder.log.files())
    held = [{"secret": secret, "length": length} for name, secret, length in opened if name == player]
    link = next_link(session.charter.nonce, held, chain_in_use(session.table, player))
    if not link:
        raise ProtocolError(Outcome.BAD_CHAIN, msg("the escrow holds no chain of {player} that the log shows", player=player))
    return link

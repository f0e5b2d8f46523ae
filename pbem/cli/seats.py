"""Change of key and of player: a new key for one's own seat, taking a seat over, and signing that for another."""

from __future__ import annotations

import json
import secrets as random_bytes
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pbem.cli.play import written
from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import chain, charter, draws, keys, names, schema, strict_yaml, turnfile
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime import seats
from pbem.runtime.composing import Draft
from pbem.store import announcing, passphrase, pen
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.session import Session

_HANDED = {
    "game": schema.hex32,
    "player": names.name,
    "keys": schema.map_of(schema.record({"key": schema.hex32, "path": schema.list_of(schema.hex32, 10)}), schema.text(8)),
    "sealed": schema.map_of(schema.record({"order": schema.anything, "salt": schema.hex32}), schema.text(120)),
}


def renew(path: Path) -> tuple[Plain, str]:
    """A `seat` file with a new key, chain and draw keys for the own seat; the others accept it, then the old key is dead."""
    with Session.at_work(path) as session:
        private, chain_secret, master = keys.generate(), random_bytes.token_hex(32), random_bytes.token_hex(32)
        me = session.me
        record = _record(session, me.player, keys.public_text(private), chain_secret, charter.CHAIN_LENGTH, master)
        draft = _seat_draft(session, record)
        session.try_out(replace(draft, extra={**draft.extra, **announcing.announcements(session, skips=False)}))
        _keep_next(session, private)
        me.other_chains.append({"secret": chain_secret, "length": charter.CHAIN_LENGTH})
        me.more_masters.append(master)
        session.folder.save_secrets(me)
        return written(session, session.write(draft))


def _keep_next(session: Session, private: Any) -> None:
    """The new key beside the one in use; one that was kept and never accepted is dropped."""
    held = session.folder.private
    following = session.folder.private_key("key.next")
    if following is not None and keys.public_text(following) == session.table.ledger.keys[session.me.player]:
        held.keep_key("key", following)
    held.keep_key("key.next", private)


def take(path: Path, player: str, holder: str, to: Path) -> tuple[Plain, str]:
    """Key, chain and draw keys for a seat that somebody else holds, in a folder that watches the game.

    Writes what the one who signs the change needs; it holds nothing secret.
    """
    with Session.at_work(path) as session:
        if player not in session.charter.players_in_order:
            raise unreadable(
                msg(
                    "{player} does not play in this game; players are {players}",
                    player=player,
                    players=", ".join(session.charter.players_in_order),
                )
            )
        mine = session.folder.secrets()
        if mine is not None and (mine.player != player or session.is_seated or mine.signed_charter):
            raise unreadable(msg("this folder is {player}'s: take a seat over in a new folder", player=mine.player))
        if mine is None:
            mine = PlayerSecrets.fresh(player)
            pen.vouch(session.folder, session.charter.game_id)
            _keep_first(session.folder, player, mine)
        public = session.folder.private.public_key("key")
        record = _record(session, player, public, mine.chain_secret, mine.chain_length, mine.draw_master)
        wanted = {"pbem": session.charter.version, "type": "seat-wanted", "game": session.charter.game_id, **record}
        if holder:
            wanted["holder"] = holder
        session.folder.disk.replace(to, strict_yaml.write_document(wanted).encode())
    fingerprint = keys.fingerprint(public)
    told = speak("{to} written: send it to whoever signs the change (`pbem seat give {name}`).", to=str(to), name=to.name)
    lines = [told, speak("fingerprint {fingerprint}", fingerprint=fingerprint)]
    return {"file": str(to), "player": player, "fingerprint": fingerprint}, "\n".join(lines)


def _keep_first(folder: GameFolder, player: str, secrets: PlayerSecrets) -> None:
    """A new key and new secrets in a folder that has watched the game, encrypted where a passphrase is given or typed."""
    phrase = (
        ""
        if folder.private.is_locked
        else passphrase.chosen(speak("{player}'s key and secrets in {path}", player=player, path=str(folder.path)))
    )
    if phrase:
        folder.private.lock(phrase)
    folder.private.keep_key("key", keys.generate())
    folder.save_secrets(secrets)


def give(path: Path, file: Path, secrets: Path | None) -> tuple[Plain, str]:
    """A `seat` file that gives a seat to the new key in `file`: one's own seat, or one whose key is lost.

    `secrets`: also write what the new holder needs of one's own hidden things, for him alone.
    """
    with Session.at_work(path) as session:
        wanted = _read_wanted(file)
        if wanted["game"] != session.charter.game_id:
            raise ProtocolError(Outcome.FOREIGN_GAME, msg("{name} is about another game", name=file.name))
        if secrets is not None and wanted["player"] != session.me.player:
            raise unreadable(msg("only {player} can hand over what he has hidden", player=wanted["player"]))
        record = {k: v for k, v in wanted.items() if k not in ("pbem", "type", "game")}
        if secrets is not None:
            _hand_over(session, secrets)
        plain, text = written(session, session.write(_seat_draft(session, record)))
    fingerprint = keys.fingerprint(record["key"])
    lines = [text, speak("fingerprint of the new key: {fingerprint}. Compare it outside the mail.", fingerprint=fingerprint)]
    if secrets:
        lines.append(
            speak("{secrets} written: it shows your hidden things; give it to the new holder alone.", secrets=str(secrets))
        )
    return plain, "\n".join(lines)


def _read_wanted(file: Path) -> dict[str, Any]:
    document, _ = strict_yaml.read_document(file.read_bytes())
    wrong = turnfile.SEAT_WANTED(document)
    if wrong:
        raise unreadable(msg("{name} is not what `pbem seat take` writes: {wrong}", name=file.name, wrong=wrong))
    return document


def _seat_draft(session: Session, record: dict[str, Any]) -> Draft:
    first = seats.first_file(session.table, session.me.player, record["player"], session.table.last + 1)
    return Draft(type="seat", extra={"seat": {**record, "from": first}})


def _record(session: Session, player: str, key: str, secret: str, length: int, master: str) -> dict[str, Any]:
    """The public halves, and the escrow where the umpire holds one."""
    nonce = session.charter.nonce
    tip, root = chain.tip(nonce, bytes.fromhex(secret), length), draws.root(nonce, bytes.fromhex(master))
    record: dict[str, Any] = {"player": player, "key": key, "chain": tip, "chain_length": length, "draws": root}
    return {**record, **announcing.escrow_of(session, tip, length, secret)}


def _hand_over(session: Session, to: Path) -> None:
    me, held = session.me, session.draw_keys()
    mine = [d.j for d in session.table.ledger.draws if d.player == me.player]
    shown = {str(j): {"key": held[j].hex(), "path": held.path(j)} for j in mine}
    sealed = {h: c for h, c in me.sealed.items() if h in session.table.ledger.seals}
    plain = {"game": session.charter.game_id, "player": me.player, "keys": shown, "sealed": sealed}
    session.folder.disk.replace(to, json.dumps(plain).encode(), 0o600)


def secrets(path: Path, file: Path) -> tuple[Plain, str]:
    """Take the hidden things of a seat's last holder into the own folder."""
    with Session.at_work(path) as session:
        try:
            plain = schema.check(json.loads(file.read_bytes()), _HANDED, {}, file.name)
        except (ValueError, AttributeError):
            raise unreadable(msg("{name} is not what `pbem seat give --secrets` writes", name=file.name)) from None
        if plain["game"] != session.charter.game_id or plain["player"] != session.me.player:
            raise ProtocolError(Outcome.FOREIGN_GAME, msg("{name} is about another game or seat", name=file.name))
        session.me.handed_over.update(plain["keys"])
        session.me.sealed.update(plain["sealed"])
        session.folder.save_secrets(session.me)
    count = len(plain["keys"]), len(plain["sealed"])
    return {"draws": count[0], "seals": count[1]}, speak(
        "draws taken over: {draws}; sealed contents: {seals}", draws=count[0], seals=count[1]
    )

"""A folder that watches a game: everybody's public files, nobody's key. It takes files and reports; it signs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli import scenario as own_scenario
from pbem.cli.dispute import read
from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import keys
from pbem.protocol.ids import scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.words import in_words
from pbem.runtime import evidence
from pbem.store import clock, dues
from pbem.store.folder import GameFolder
from pbem.store.session import Session


def begin(path: Path, source: Path, own_files: own_scenario.OwnFiles) -> tuple[Plain, str]:
    """A new folder around a charter that all have signed: from its file, a mail, a dispute text or a folder of files.

    Raises ProtocolError: no such charter, or not the scenario that it names.
    """
    found = read(str(source)).found
    try:
        charter = evidence.sort(found).charter
    except evidence.NoGame as none:
        reason = msg(
            "{reason}; a folder that watches begins with the charter that all have signed, a player with `pbem join`",
            reason=none.reason,
        )
        raise ProtocolError(none.outcome, reason) from None
    if not games.is_known(charter.system):
        raise ProtocolError(
            Outcome.DIVERGED, msg("this program has no rules of {system}: use one that has them", system=charter.system)
        )
    document: dict[str, Any] = dict(charter.document)
    offered = [p for p in evidence.scenarios(found) if p is not None and scenario_hash(p) == charter.scenario_hash]
    folder = GameFolder(path)
    kept = offered[0] if offered else own_scenario.for_charter(charter, folder, own_files)
    folder = GameFolder.create(path, document)
    with folder.lock():
        own_scenario.keep(folder, kept)
        folder.add("charter", document, clock.now())
    prints = {p.name: keys.fingerprint(p.key) for p in charter.all_players}
    lines = [
        speak("{path} watches game {game_id}", path=str(path), game_id=charter.game_id),
        speak("in words: {words}", words=in_words(charter.game_id)),
    ]
    lines += [f"{name}: {text}" for name, text in prints.items()]
    lines += [
        speak("It has no key and signs nothing. Now: pbem receive FILES -g {path}", path=str(path)),
        text(dues.told(Session(folder))),
    ]
    plain: Plain = {"game": charter.game_id, "words": in_words(charter.game_id), "fingerprints": {**prints}, "watching": True}
    return plain, "\n".join(lines)


def refuse_own_files(own_files: own_scenario.OwnFiles) -> None:
    """Raises ProtocolError where files are named that a folder has already, or that only a new folder takes."""
    if own_files != own_scenario.OwnFiles():
        reason = msg("--scenario and --charts are for a new folder that watches; a player names them when he joins")
        raise ProtocolError(Outcome.UNREADABLE, reason)

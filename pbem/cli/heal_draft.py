"""Writing a heal: the fork that it is about, every version of it that this folder knows, the one to go on from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from pbem.cli import forks
from pbem.cli.speech import speak
from pbem.kernel.wording import msg
from pbem.protocol import heal, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import choosing
from pbem.store import heal_record, pen
from pbem.store.session import Session

Document = dict[str, Any]


class Wanted(Struct, frozen=True):
    """What a new heal is asked for. `keep`: the start of an id; `at`: the place where the versions part (0: any)."""

    keep: str = ""
    at: int = 0
    note: str = ""


def written(session: Session, wanted: Wanted, waiting: Sequence[Document]) -> Document:
    """A new heal, of the earliest fork that fits into a document; `waiting`: heals that lie here. Raises ProtocolError."""
    standing = session.folder.log.files()
    files = {document_id(d): d for d in _files(session)}
    places = [p for p in _partings(standing, files) if wanted.at in (0, p)]
    why: ProtocolError | None = None
    for place in places:
        try:
            return _draft(session, _versions(standing, files, place), wanted, waiting)
        except ProtocolError as error:
            if error.outcome is not Outcome.TOO_LARGE and not isinstance(error, choosing.NothingToHeal):
                raise
            why = error
    nothing = msg("this log has not parted, as far as this folder knows: nothing to heal")
    if wanted.at:
        nothing = msg("this log has not parted at place {at}, as far as this folder knows: nothing to heal", at=wanted.at)
    raise why or ProtocolError(Outcome.REFUSED, nothing)


def _files(session: Session) -> Iterator[Document]:
    """Every file of the log that this folder knows: taken, withdrawn, kept aside, signed, answered, or in a proof."""
    yield from session.folder.log.known()
    rows = []
    with pen.held(session) as record:
        rows = [row for row in record.signed() if row["about"] is None and row["player"] == session.me.player]
    strange = [*session.folder.aside(), *(d for row in rows for d in (row["document"], row["answered"]) if d)]
    strange += [f for s in session.folder.log.slips() if s["slip"] == "equivocation" for f in s["files"]]
    for document in strange:
        if not heal.is_place(document) and forks.is_signed(session, document):
            yield document


def _partings(standing: Sequence[Document], files: dict[str, Document]) -> list[int]:
    """The places at which another file stands behind the same one as the log's, by place."""
    places = {document_id(d): seq for seq, d in enumerate(standing)}
    gone = {document_id(dict(f)) for d in standing if d["type"] == heal.TYPE for f in heal.given_up(d)}
    beside = [d for name, d in files.items() if name not in places and name not in gone]
    found = {d["seq"] for d in beside if places.get(d["prev"], -2) == d["seq"] - 1 and d["seq"] < len(standing)}
    return sorted(place for place in found if not heal.is_place(standing[place]))


def _versions(standing: Sequence[Document], files: dict[str, Document], place: int) -> list[list[Document]]:
    """Every line of files behind the parting, each to its end, the log's own first."""
    behind: dict[str, list[Document]] = {}
    for document in files.values():
        behind.setdefault(str(document["prev"]), []).append(document)
    found: list[list[Document]] = []
    lines = [[d] for d in behind.get(document_id(standing[place - 1]), []) if d["seq"] == place]
    while lines:
        line = lines.pop()
        following = [d for d in behind.get(document_id(line[-1]), []) if d["seq"] == line[-1]["seq"] + 1]
        lines += [[*line, d] for d in following]
        found += [] if following else [line]
    here = {document_id(d) for d in standing}
    return sorted(found, key=lambda v: (document_id(v[-1]) not in here, document_id(v[-1])))


def _draft(session: Session, versions: list[list[Document]], wanted: Wanted, waiting: Sequence[Document]) -> Document:
    first = versions[0][0]
    crossed = next((p for v in versions if (p := heal.crossed(first, v[0]))), "")
    newest = max(version[-1]["seq"] for version in versions)
    document: Document = {
        "pbem": session.charter.version,
        "type": heal.TYPE,
        "game": session.charter.game_id,
        "seq": newest + 1,
        "prev": document_id(versions[0][-1]),
        "to": versions[0][-1]["seq"],
        "versions": versions,
        "forked": {"player": crossed or first["player"], "seq": first["seq"]},
        "chosen_by": heal.ALL,
        "instead": _earlier(session, first["seq"], waiting),
        "note": [wanted.note] if wanted.note else [],
    }
    document = {key: value for key, value in document.items() if value != []}
    heal.read_heal(document)
    strict_yaml.read_document(strict_yaml.write_document(document).encode())  # as everybody will have to read it
    return {**document, **_kept(document, choosing.choice(session.table, document), wanted.keep)}


def _earlier(session: Session, place: int, waiting: Sequence[Document]) -> list[str]:
    """The heals that a new one stands instead of: those that lie here, those signed, those of the log behind the place."""
    with pen.held(session) as rows:
        signed = heal_record.unsettled(session.folder.log.files(), rows, session.me.player)
    taken = [document_id(d) for d in session.folder.log.files()[place:] if d["type"] == heal.TYPE]
    return list(dict.fromkeys([*map(document_id, waiting), *signed, *taken]))


def _kept(document: Document, found: choosing.Choice, keep: str) -> dict[str, Any]:
    """`to`, `prev` and `chosen_by` for the version that is wanted. Raises ProtocolError (refused) with those there are."""
    place, before = heal.parting(document)
    if keep and before.startswith(keep):
        return {"to": place, "prev": before, "chosen_by": heal.ALL}
    last = {document_id(dict(v[-1])): v for v in document["versions"]}
    ids = {name: [document_id(dict(f)) for f in v] for name, v in last.items()}
    chosen = [n for n in found.allowed if not keep or any(one.startswith(keep) for one in ids[n])]
    if len(chosen) != 1:
        offered = "; ".join(
            speak(
                "--keep {name} (file {seq} of {player})",
                name=name[:12],
                seq=last[name][-1]["seq"],
                player=last[name][-1]["player"],
            )
            for name in found.allowed
        )
        reason = (
            speak("{chooser} chooses the version to go on from", chooser=found.chooser)
            if not keep
            else speak("--keep {keep}: no version that may be kept", keep=keep)
        )
        raise ProtocolError(
            Outcome.REFUSED,
            msg(
                "{reason}: {offered}; if all agree, --keep {before}: back to file {place}",
                reason=reason,
                offered=offered,
                before=before[:12],
                place=place,
            ),
        )
    return {"to": last[chosen[0]][-1]["seq"], "prev": chosen[0], "chosen_by": found.chooser}

"""A game in one text file, and the verdict on it: for referees, spectators, and whoever else was not there."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli.scenario import OwnFiles, given
from pbem.cli.speech import speak, text
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message, counted, english, linked, msg
from pbem.protocol import heal, turnfile
from pbem.protocol.charter import Charter
from pbem.protocol.ids import document_id, scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.words import in_words
from pbem.runtime import evidence, judging, trust
from pbem.runtime.verdicts import BROKEN, DUE, VALID, Fork, Judgement
from pbem.store import dues, library, unsending
from pbem.store.session import Session
from pbem.transport import dispute as texts
from pbem.transport.armor import MAX_TEXT
from pbem.transport.mail import Found, gather

FOLDERS, PROOFS = ("files", "aside"), "equivocation-*.yaml"  # where a game folder keeps what its log does not hold
HEADS = {VALID: msg("valid: the game is over and nothing is owed"), DUE: msg("due: valid so far")}
VERDICTS = (
    msg("unreadable"),
    msg("no such game"),
    msg("programs differ"),
    msg("signed twice"),
    msg("bad opening"),
    msg("lie"),
    msg("wrong dice"),
    msg("cut"),
    msg("rule broken"),
)
UNREADABLE = msg("cannot be read, and is not judged")
STRANGE = msg("not known to this program, and not judged")
ASIDE = msg("counts for nothing")
SHOWN = 12  # of remarks, so many are told; `--json` has all


# -- writing ------------------------------------------------------------------------------------------------------------


def write(path: Path, to: Path) -> tuple[Plain, str]:
    """Charter, files, second and void files, slips and the players' own scenario of a game folder, as one text."""
    session = Session.open(path)
    parts = collect(session)
    heading = f"{session.charter.system}, {session.charter.scenario}: game {session.charter.game_id}"
    unsending.hand_out(session, "dispute")
    session.folder.disk.replace(to, texts.write(heading, parts).encode())
    counts = {kind: sum(p.document["type"] == kind for p in parts) for kind in ("slip", "scenario")}
    files = len(parts) - 1 - sum(counts.values())
    lines = [speak("{to} written: the charter, {files} files, {slips} slips", to=str(to), files=files, slips=counts["slip"])]
    lines += [speak("The players' own scenario is in it too.")] * counts["scenario"]
    lines.append(speak("No secret is in it. Whoever has pbem judges it without a game folder: pbem judge {to}", to=str(to)))
    return {"file": str(to), "files": files, "slips": counts["slip"]}, "\n".join(lines)


def collect(session: Session) -> list[texts.Part]:
    """Every document of a game folder, by its place: those of the log, and what is kept beside it and is somebody's word."""
    entries = session.folder.log.entries
    own, read = session.folder.own_scenario(), session.charter
    found: list[Found] = [("the log", document) for document in session.folder.log.known()]
    found += [("the log", e["document"]) for e in entries if e["kind"] in ("slip", "heal")]
    found += [("the log", e["document"]["refusal"]) for e in entries if e["kind"] == "withdrawn" and e["document"]["refusal"]]
    charter, received = dict(read.document), {document_id(e["document"]): e["received"] for e in entries}
    held = evidence.sort([("the log", charter), *found, *_kept(session.folder.path)])
    parts = [texts.Part(charter, "the charter", received.get(read.game_id, ""))]
    if own is not None:
        document: dict[str, Any] = {"pbem": read.version, "type": "scenario", "name": read.scenario, "scenario": own}
        parts.append(texts.Part(document, "the players' own scenario"))
    counted = {document_id(d) for d in session.folder.log.files()}
    for file in sorted([*held.files.values(), *held.heals.values()], key=lambda p: (p.seq, p.id not in counted)):
        name = f"file {file.seq} of {file.signer}" if file.id in held.files else f"the heal at place {file.seq}"
        told = name + ("" if file.id in counted else ", which the log does not count")
        parts.append(texts.Part(_in_reading_order(file.document), told, received.get(file.id, "")))
    for slip in (s for s in held.slips if _is_somebodys(s.document, held)):
        told = f"{slip.document.get('slip')} slip of {slip.document.get('player')}"
        parts.append(texts.Part(dict(slip.document), told, received.get(slip.id, "")))
    return parts


def _in_reading_order(file: evidence.Document) -> dict[str, Any]:
    order = heal.KEY_ORDER if file["type"] == heal.TYPE else turnfile.KEY_ORDER
    return {key: file[key] for key in order if key in file}


def _is_somebodys(slip: evidence.Document, held: evidence.Evidence) -> bool:
    return any(evidence.is_signed(slip, key) for key in held.keys.get(str(slip.get("player")), ()))


def _kept(path: Path) -> list[Found]:
    """What lies beside the log, as far as it can be read."""
    places = [path / name for name in FOLDERS if (path / name).is_dir()] + sorted(path.glob(PROOFS))
    return [(where, document) for place in places for where, document in gather(place) if isinstance(document, dict)]


# -- judging --------------------------------------------------------------------------------------------------------------


def judge(source: str, own_files: OwnFiles) -> tuple[Plain, str, int]:
    """The verdict on a dispute text, a mail, a folder of public files or a game folder; the last is the exit code."""
    given_in = read(source)
    found = judging.judge(given_in.found, partial(_rules, evidence.scenarios(given_in.found), own_files))
    plain = _plain(found, given_in.received)
    return plain, "\n".join(_lines(found, given_in.received)), found.fault.outcome.code


def read(source: str) -> texts.Text:
    """All documents of a source. Raises OSError when the source itself cannot be read."""
    path = Path(source)
    if source == "-":
        typed = sys.stdin.read()
        return texts.read(typed) if texts.is_dispute(typed) else texts.Text(list(gather(typed)))
    if (path / "pbem.json").exists():
        parts = collect(Session.open(path))
        named = [(part.told, part.document) for part in parts]
        return texts.Text(list(named), {document_id(p.document): p.received for p in parts if p.received})
    if path.is_file() and path.stat().st_size <= 4 * MAX_TEXT:
        written = path.read_bytes().decode("utf-8", "replace")
        if texts.is_dispute(written):
            return texts.read(written)
    return texts.Text(list(gather(path)))


def _rules(own: Sequence[Plain], own_files: OwnFiles, charter: Charter) -> tuple[Module, Plain]:
    """The module and the scenario of a charter. Raises ProtocolError: diverged, or bad chain for what is not there."""
    if not games.is_known(charter.system):
        raise ProtocolError(
            Outcome.DIVERGED, msg("this program has no rules of {system}: use one that has them", system=charter.system)
        )
    game, name = games.load(charter.system), charter.scenario
    shipped = name in library.scenario_names(game)
    offered = [library.load_scenario(game, name)] if shipped else [*own, given(charter, own_files)]
    for plain in offered:
        if plain is not None and scenario_hash(plain) == charter.scenario_hash:
            return game, plain
    if shipped:
        raise ProtocolError(
            Outcome.DIVERGED,
            msg(
                "this program's scenario {name} is not the charter's: use the version of pbem that the game began with",
                name=name,
            ),
        )
    raise ProtocolError(
        Outcome.BAD_CHAIN,
        msg(
            "{name} is the players' own scenario, and the one that the charter names is not here: --scenario FILE names it",
            name=name,
        ),
    )


def _plain(found: Judgement, received: dict[str, str]) -> dict[str, Any]:
    """The verdict for programs."""
    fault, held = found.fault, found.evidence
    plain: dict[str, Any] = {"verdict": found.word, "outcome": fault.outcome.word, "valid": found.word in (VALID, DUE)}
    plain |= {
        "reason": english(fault.reason),
        "file": fault.seq,
        "player": fault.player,
        "rule": fault.section,
        "roll": fault.roll,
    }
    plain |= {"game": held.charter.game_id if held else "", "head": found.head, "files": found.last}
    plain["rolls"] = _rolls(found)
    rows = [
        {"player": d.player, "what": d.what, "seat": d.seat, "detail": english(d.detail), "rule": d.rule} for d in found.due
    ]
    plain |= {"due": rows, "since": received.get(found.head, "")}
    result = found.result
    plain["result"] = {"winner": result.winner, "reason": english(result.reason), "rule": result.rule} if result else None
    plain["forks"] = [_fork(fork) for fork in found.forks]
    plain["own_words"] = [{"player": own.player, "file": own.seq, "word": own.word} for own in trust.own_words(found.files)]
    plain["other_links"] = [english(told) for told in trust.other_links(found.table.ledger)] if found.table else []
    plain["claims"] = [{"slip": s["slip"], "player": s["player"], "says": english(_says(s))} for s in found.claims]
    strange, unreadable = (list(held.strange.values()), held.unreadable) if held else ([], [])
    for name, remarks in (("aside", found.aside), ("strange", strange), ("unreadable", unreadable)):
        plain[name] = [{"where": r.where, "outcome": r.outcome.word, "reason": english(r.reason)} for r in remarks]
    return {**plain, "foreign": held.foreign if held else {}}


def _rolls(found: Judgement) -> int:
    """The rolls that the files judged good have turned."""
    return sum(rolled.source < found.last for rolled in found.table.ledger.rolled) if found.table else 0


def _fork(fork: Fork) -> dict[str, Any]:
    versions = [{"id": name, "followed_by": files} for name, files in fork.versions]
    return {
        "player": fork.player,
        "file": fork.seq,
        "after_restore": fork.after_restore,
        "healed": fork.healed or None,
        "versions": versions,
    }


def _says(slip: evidence.Document) -> Message:
    """The words of a slip; of a claim, its own time, which proves nothing."""
    if slip["slip"] == "overdue":
        return msg(
            "file {place} of {player} is overdue since {since}, by his clock",
            place=slip["place"],
            player=slip["due"],
            since=slip["since"],
        )
    said = slip.get("reason") or slip.get("text") or slip.get("then") or ""
    return linked("", str(said)[:200])


# -- the verdict in words -----------------------------------------------------------------------------------------------


def _lines(found: Judgement, received: dict[str, str]) -> list[str]:
    """The verdict, what is good in the game, who is due, then whatever else there is to know."""
    held = found.evidence
    lines = [_headline(found)]
    if held is not None:
        lines.append(msg("game {id}", id=held.charter.game_id))
        lines += _good(found)
        lines += _due(found, received.get(found.head, ""))
        lines += [_fork_in_words(fork) for fork in found.forks]
        lines += [one.told for one in trust.healed(found.files)]
        lines += [one.told for one in trust.own_words(found.files)]
        lines += trust.other_links(found.table.ledger) if found.table else []
        lines += [_claim(slip) for slip in found.claims]
        lines += _remarks(UNREADABLE, held.unreadable)
        lines += _remarks(STRANGE, list(held.strange.values()))
        lines += _remarks(ASIDE, found.aside)
        lines += [
            msg("of another game ({name}): {counted}", name=name[:16], counted=_documents(n))
            for name, n in sorted(held.foreign.items())
        ]
    return [*map(text, lines)]


def _headline(found: Judgement) -> Message:
    fault = found.fault
    if found.word in HEADS:
        return HEADS[found.word]
    told = _verdict(found.word)
    if found.word == BROKEN:
        told = msg("{verdict} ({outcome})", verdict=told, outcome=fault.outcome.told)
    place = msg("file {seq}", seq=fault.seq) if fault.seq else None
    who: Message | str | None = place or fault.player or None
    if place and fault.player:
        who = msg("file {seq} of {player}", seq=fault.seq or 0, player=fault.player)
    told = linked(": ", told, *([who] if who else []), fault.reason)
    return msg("{told} [{section}]", told=told, section=fault.section) if fault.section else told


def _verdict(word: str) -> Message:
    """The word of a verdict that finds something wrong, as a reader is told."""
    return next(known for known in VERDICTS if known.id == word)


def _good(found: Judgement) -> list[Message]:
    """How far the game was judged good."""
    if found.table is None:
        return [msg("nothing was played")]
    files = sum(not heal.is_place(document) for document in found.files)
    judged = {"files": _files(files), "rolls": counted("{n} roll", "{n} rolls", _rolls(found))}
    lines = [msg("{files}, {rolls}: signatures, chain, dice and rules agree", **judged)]
    if found.word not in HEADS:
        lines = [msg("{files}, {rolls}: signatures, chain, dice and rules agree up to file {last}", **judged, last=found.last)]
    if found.result is not None:
        lines.append(msg("the game is over: {result}", result=dues.ended(found.table.game.words(), found.result)))
    if found.word == VALID:
        lines.append(msg("the audit finds every draw, commitment and claim true"))
    return lines


def _due(found: Judgement, since: str) -> list[Message]:
    if not found.due:
        return []
    if found.result is not None:
        players = ", ".join(due.player for due in found.due)
        return [msg("audit pending: {players} (what was drawn and sealed is still to be shown)", players=players)]
    told = msg(
        "{due}, behind file {last}, head {head} ({words})",
        due=dues.clause(found.due[0]),
        last=found.last,
        head=found.head[:16],
        words=in_words(found.head),
    )
    stated = msg("that file was received {since}, says the text, which nobody has to believe", since=since)
    return [linked("; ", told, stated) if since else told]


def _fork_in_words(fork: Fork) -> Message:
    versions = tuple(msg("{id} with {files} behind it", id=name[:16], files=_files(n)) for name, n in fork.versions[:SHOWN])
    parts = [
        msg(
            "{player} signed file {seq} {times} times: {versions}",
            player=fork.player,
            seq=fork.seq,
            times=len(fork.versions),
            versions=versions,
        )
    ]
    if fork.after_restore:
        parts.append(msg("after a restore, which he has told"))
    if fork.healed:
        parts.append(msg("healed at place {place}, by everybody's signature", place=fork.healed))
    return linked("; ", *parts)


def _claim(slip: evidence.Document) -> Message:
    says, named = _says(slip), {"slip": str(slip["slip"]), "player": str(slip["player"])}
    told = msg("about the newest file: {slip} of {player}", **named)
    return linked(": ", told, says) if english(says) else told


def _remarks(what: Message, remarks: Sequence[evidence.Remark]) -> list[Message]:
    more = len(remarks) - SHOWN
    lines = [linked(": ", what, r.where, r.outcome.told, r.reason) for r in remarks[:SHOWN]]
    return [*lines, linked(": ", what, msg("{number} more", number=more))] if more > 0 else lines


def _files(n: int) -> Message:
    return counted("{n} file", "{n} files", n)


def _documents(n: int) -> Message:
    return counted("{n} document", "{n} documents", n)

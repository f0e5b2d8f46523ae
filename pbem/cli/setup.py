"""Keys and charters: from an empty folder to a game that has begun."""

from __future__ import annotations

import secrets as random_bytes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli import player_key, terms, waiting
from pbem.cli import scenario as own_scenario
from pbem.cli.choosing import chosen_options, named_scenario
from pbem.cli.player_key import Identity
from pbem.cli.speech import labelled, speak, text
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import Message, msg, quoted, verbatim
from pbem.protocol import chain, charter, deadlines, draws, escrow, keys, names, outcomes, pace, strict_yaml
from pbem.protocol.ids import scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.words import in_words
from pbem.runtime.table import at_version
from pbem.store import clock, dues, early, first_set, mending, own, passphrase, pen
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.session import Session

NO_FILES = own_scenario.OwnFiles()
OTHERWISE = {  # behind who may replace a lost key
    "others": msg("`--lost-keys umpire` or `nobody` says otherwise."),
    "umpire": msg("He joins first: `pbem umpire join`."),
    "nobody": msg("Backups are made in the folder `backups`: keep one elsewhere."),
}
PLAIN_SECRETS = msg(
    "No passphrase is set: key and secrets will lie in plain in the folder `private`, for your "
    "account alone (mode 0600). To have them encrypted give one when `pbem join` asks, or set "
    "PBEM_PASSPHRASE or PBEM_PASSPHRASE_FILE before it."
)


def new(
    folder: Path,
    system: str,
    scenario: str,
    options: list[str],
    deadline: str,
    lost_keys: str = "",
    charts: Path | None = None,
    grace: str = "48h",
    then: str = "nothing",
    asking: bool = False,
    hints: bool = True,
    slots: str = "",
) -> tuple[Plain, str]:
    """A charter draft in a new folder.

    `lost_keys`: who may replace a lost key, `others`, `umpire` or `nobody`; `asking`: if it is empty, the terminal is asked.
    `deadline`, `grace`: hours or days for an answer, and after a claim; "none": no deadline; `then`: what follows.
    `hints`: whether programs may give them; `slots`: times of the day, UTC, by commas, at which files with decisions leave.
    `charts`: the file of charts that an owner of the game has typed in; the charter holds the hash of the scenario with them.
    """
    is_own = own.is_file(scenario) or charts is not None
    system, scenario, plain = named_scenario(system, scenario)
    game = games.load(system)
    if charts is not None:
        plain = own_scenario.with_charts(game, plain, charts)
        scenario = str(plain["name"])
    chosen = chosen_options(game.options, options)
    named = {"name": scenario, "hash": scenario_hash(plain)}
    nonce = random_bytes.token_hex(32)
    late = deadlines.chosen(deadline, grace, then)
    draft = charter.new_draft(game.name, game.editions[0], game.rules_version, nonce, named, chosen, game.seats, overdue=late)
    replacing = lost_keys_of(game, lost_keys, asking)
    draft |= _agreed(hints, slots)
    draft |= {} if replacing == "nobody" else {"lost_keys": replacing}
    read = charter.read_charter(draft)
    made = GameFolder.create(folder, draft)
    if is_own:
        own_scenario.keep(made, plain)
    ours = _reconstructed(game, plain)
    told = [
        *_about_charts(ours, charts),
        OTHERWISE[replacing],
        *([] if passphrase.given() else [PLAIN_SECRETS]),
        _drafted(game.title, scenario, folder),
    ]
    made_of: dict[str, Plain] = {"system": game.name, "scenario": {**named}, "options": chosen, "reconstructed": [*ours]}
    return {**made_of, "lost_keys": replacing}, "\n".join([*terms.told(read), *map(text, told)])


def _drafted(title: str, scenario: str, folder: Path) -> Message:
    return msg(
        "A draft of {title} ({scenario}) is in {folder}. Now: pbem join --as NAME --seats SEATS -g {folder}",
        title=title,
        scenario=scenario,
        folder=str(folder),
    )


def _reconstructed(game: Module, scenario: Mapping[str, Any]) -> list[str]:
    typed_in = game.charts()
    return [*typed_in.reconstructed(scenario)] if typed_in is not None else []


def _agreed(hints: bool, slots: str) -> dict[str, Plain]:
    """What a charter says of hints and of slots; nothing where it does not differ from others."""
    agreed = pace.chosen(slots)
    return {**({} if hints else {"hints": charter.FORBIDDEN}), **({"pace": agreed} if agreed else {})}


def _about_charts(ours: Sequence[str], charts: Path | None) -> list[Message]:
    """Charts of a new game that no source prints, and the file with those of its owner."""
    lines = []
    if ours:
        lines.append(msg("Charts that no source prints and that are reconstructed: {charts}.", charts=", ".join(ours)))
    if charts is not None:
        lines.append(msg("Send {charts} along: the others join with --charts and that file.", charts=str(charts)))
    return lines


def lost_keys_of(game: Any, wanted: str, asking: bool) -> str:
    """Who may replace a lost key in a game of this system: as said, as typed, or an ally where a player can have one.

    Raises Rejected for another word, and for allies where nobody can have one.
    """
    sides = list(game.seats.values())
    known = ["others", "umpire", "nobody"] if len(set(sides)) < len(sides) else ["nobody", "umpire"]
    while asking and not wanted and passphrase.at_terminal():
        question = speak(
            "Who may give a seat a new key when a player has lost his: {words}? [{usual}]",
            words=", ".join(known),
            usual=known[0],
        )
        typed = input(question).strip().lower() or known[0]
        wanted = typed if typed in known else ""
    wanted = wanted or known[0]
    if wanted not in known:
        reason = verbatim(f"--lost-keys {wanted}")
        if wanted == "others":
            reason = msg("--lost-keys {wanted}: no player has an ally in this game", wanted=wanted)
        raise unreadable(reason, verbatim(*known))
    return wanted


def join(
    path: Path,
    source: Path | None,
    name: str,
    seats: list[str],
    answers: bool = False,
    own_files: own_scenario.OwnFiles = NO_FILES,
    asking: bool = False,
    first: str = "",
    *,
    sure: bool = False,
) -> tuple[Plain, str]:
    """Take seats; the draft then goes to the next player. `answers`: this player answers the reactions of his whole side.

    `own_files`: the drafter's own scenario and charts; `asking`: somebody at the terminal may choose a new passphrase. `first`:
    the set of standing orders that his first file brings. `sure`: also where the terms are not those of the own draft.
    """
    name = names.typed(name)
    with drafting(path, source, own_files, "" if sure else "join") as (folder, draft):
        if first:
            first_set.put(folder, first, games.load(charter.read_charter(draft).system).sets())
        secrets, identity = prepare(folder, name, asking)
        record = record_of(secrets, str(draft["nonce"]), identity.public)
        joined = charter.join(draft, record, seats, _escrow_of(secrets, draft))
        joined = charter.answer_for_side(joined, name) if answers else joined
        keep(folder, secrets, identity, joined)
    read = charter.read_charter(joined)
    plain: Plain = {"player": name, "seats": [*seats], "terms": terms.plain(read), **still_open(joined)}
    taken = speak("{name} takes {seats}. {next_step}", name=name, seats=", ".join(seats), next_step=next_step(path, joined))
    return plain, "\n".join([*(terms.told(read) if source is not None else ()), taken])


@contextmanager
def drafting(
    path: Path, source: Path | None, own_files: own_scenario.OwnFiles = NO_FILES, asks: str = ""
) -> Iterator[tuple[GameFolder, dict[str, Any]]]:
    """A charter draft, from a file that was sent or the folder's own, and the locked folder for it.

    `own_files`: the drafter's own scenario and charts; the folder keeps what they make. `asks`: the command that asks where
    the terms of the file are not those of the folder's own draft, before anything is locked.
    """
    folder = GameFolder(path)
    draft: dict[str, Any] | None = None
    if source is not None:
        draft, _ = strict_yaml.read_document(source.read_bytes())
        read = charter.read_charter(draft)
        _check_terms(read)
        kept = own_scenario.for_charter(read, folder, own_files)
        if asks and folder.exists and not folder.is_running:
            terms.make_sure(charter.read_charter(folder.draft()), read, asks)
        folder = GameFolder.create(path, draft) if not folder.exists else folder
        own_scenario.keep(folder, kept)
    folder.check()
    with folder.lock():
        if folder.is_running:
            raise unreadable(msg("this game has begun already"))
        yield folder, draft or folder.draft()


def prepare(folder: GameFolder, name: str, asking: bool = False) -> tuple[PlayerSecrets, Identity]:
    """A player's secrets in this folder and his key, made when there are none; nothing is kept in the folder yet."""
    identity = player_key.of(name, folder, asking)
    secrets = folder.secrets() or PlayerSecrets.fresh(name)
    if secrets.player != name:
        raise unreadable(msg("this folder is {player}'s: another player needs a folder of his own", player=secrets.player))
    return secrets, identity


def keep(folder: GameFolder, secrets: PlayerSecrets, identity: Identity, joined: dict[str, Any]) -> None:
    """Key and secrets are kept before the draft that shows them, encrypted where there is a passphrase."""
    if identity.passphrase:
        folder.private.lock(identity.passphrase)
    folder.private.keep_key("key", identity.signer)
    if folder.secrets() is None:
        pen.vouch(folder, "")
    folder.save_secrets(secrets)
    folder.save_draft(joined)


def _escrow_of(secrets: PlayerSecrets, draft: dict[str, Any]) -> str:
    """The chain secret for an umpire who holds the escrow, else nothing."""
    read = charter.read_charter(draft)
    if not read.escrow_key:
        return ""
    secret, length = bytes.fromhex(secrets.chain_secret), secrets.chain_length
    tip = chain.tip(read.nonce, secret, length)
    return escrow.encrypt(read.escrow_key, read.nonce, tip, length, secret, escrow.generate())


def record_of(secrets: PlayerSecrets, nonce: str, key_text: str) -> charter.Player:
    """What a charter shows of a player: key, tip, length and root."""
    tip = chain.tip(nonce, bytes.fromhex(secrets.chain_secret), secrets.chain_length)
    root = draws.root(nonce, bytes.fromhex(secrets.draw_master))
    return charter.Player(secrets.player, key_text, tip, secrets.chain_length, root)


def still_open(draft: dict[str, Any]) -> dict[str, Plain]:
    """Seats that nobody has taken and players who have not signed."""
    read = charter.read_charter(draft)
    free: list[Plain] = [s.name for s in read.seats if not s.player]
    unsigned: list[Plain] = [p.name for p in read.all_players if p.name not in draft.get("signatures", {})]
    return {"free": free, "unsigned": unsigned}


def next_step(path: Path, draft: dict[str, Any]) -> str:
    """What has to happen before the charter is complete."""
    left = still_open(draft)
    if left["free"]:
        return speak("Send {path} on: {listed} still free.", path=str(path / "charter.yaml"), listed=_listed(left["free"]))
    if left["unsigned"]:
        return speak(
            "All seats are taken. Everybody compares and signs with `pbem accept`: {listed} to go.",
            listed=_listed(left["unsigned"]),
        )
    return speak("Everybody has signed: send the charter to all; each takes it with `pbem accept`.")


def _listed(names: Plain) -> str:
    assert isinstance(names, list)
    return ", ".join(map(str, names))


def accept(path: Path, source: Path | None, *, sure: bool = False) -> tuple[Plain, str]:
    """Sign the text; show its terms and what is to be compared outside the mail; begin when all have signed.

    Where its terms are others than those of the draft that lies here this player has to be `sure`. Raises ProtocolError.
    """
    folder = GameFolder(path)
    folder.check()
    draft = None if source is None else strict_yaml.read_document(source.read_bytes())[0]
    secrets = folder.secrets()
    if draft is not None and not sure and not folder.is_running and secrets is not None and not secrets.signed_charter:
        _check_terms(charter.read_charter(draft))
        terms.make_sure(charter.read_charter(folder.draft()), charter.read_charter(draft), "accept")
    with folder.lock():
        if folder.is_running:
            begun, lines = _begun(Session(folder))
            return begun, "\n".join([speak("The game has begun already."), *lines])
        plain, text = _accept(folder, folder.draft() if draft is None else draft)
    return plain, "\n".join([text, *_that_came_before(folder)])


def _that_came_before(folder: GameFolder) -> list[str]:
    """A game that has begun goes on with what others had sent before its charter was here."""
    if not (folder.is_running and early.waits(folder)):
        return []
    from pbem.cli.receiving import receive_all

    return receive_all(folder.path, [], in_short=False).after


def _accept(folder: GameFolder, draft: dict[str, Any]) -> tuple[Plain, str]:
    _check_terms(charter.read_charter(draft))
    secrets = folder.secrets()
    if secrets is not None:
        draft = _sign(folder, secrets, draft)
    folder.save_draft(draft)
    read = charter.read_charter(draft)
    prints = {p.name: keys.fingerprint(p.key) for p in read.all_players}
    plain: dict[str, Plain] = {"game": read.game_id, "words": in_words(read.game_id), "fingerprints": {**prints}}
    plain["terms"] = terms.plain(read)
    lines = [
        *terms.told(read),
        speak("game {game_id}", game_id=read.game_id),
        speak("in words: {words}", words=in_words(read.game_id)),
        *(labelled(n, told) for n, told in prints.items()),
    ]
    lines.append(speak("Compare these with the other players outside the mail (telephone, a meeting)."))
    if not read.is_complete:
        return {**plain, "begun": False, **still_open(draft)}, "\n".join([*lines, next_step(folder.path, draft)])
    charter.verify(draft)
    folder.add("charter", draft, clock.now())
    begun, wanted = _begun(Session(folder))
    return {**plain, **begun}, "\n".join([*lines, speak("The game has begun."), *wanted])


def _check_terms(read: charter.Charter) -> None:
    """Nobody signs a game that cannot be played: edition, version, options and seats are the module's.

    Raises ProtocolError (unreadable, diverged).
    """
    module = games.load(read.system)
    game = at_version(module, read.rules_version)
    read.in_order(module.seats)
    if read.rules not in game.editions:
        raise outcomes.unreadable(
            msg(
                "{title} is not played by the rules {rules!r}: {editions}",
                title=game.title,
                rules=read.rules,
                editions=", ".join(game.editions),
            )
        )
    known = {o.name: o.choices for o in game.options}
    if known.keys() != read.options.keys():
        odd = sorted(known.keys() ^ read.options.keys())
        raise outcomes.unreadable(
            msg("the charter names other options than {title} has: {odd}", title=game.title, odd=", ".join(odd))
        )
    for name, chosen in read.options.items():
        if not any(chosen == choice and type(chosen) is type(choice) for choice in known[name]):
            raise outcomes.unreadable(msg("the option {name} cannot be {chosen}", name=name, chosen=quoted(chosen)))


def _begun(session: Session) -> tuple[dict[str, Plain], list[str]]:
    """What a game that has begun wants first; the opening file is written by itself."""
    mending.mend(session)
    written = session.answer_by_itself()
    lines = [*waiting.by_itself(session, written), *waiting.told(session, session.kept_back)]
    plain: dict[str, Plain] = {"begun": True, "due": session.table.due.player, "written": [d["seq"] for d in written]}
    return plain, [text(dues.told(session)), *lines]


def _sign(folder: GameFolder, secrets: PlayerSecrets, draft: dict[str, Any]) -> dict[str, Any]:
    read = charter.read_charter(draft)
    if secrets.player in draft.get("signatures", {}):
        return draft
    private = folder.private_key("key")
    if private is None:
        raise folder.private.no_key(secrets.player)
    mine = record_of(secrets, read.nonce, keys.public_text(private))
    if mine not in read.all_players:
        raise ProtocolError(
            Outcome.WRONG_KEY, msg("the charter does not hold {player}'s own key, tip and root", player=secrets.player)
        )
    if secrets.signed_charter not in ("", read.game_id):
        reason = msg("a tip is signed under one charter only; a changed text needs a new game folder")
        raise ProtocolError(Outcome.REFUSED, reason)
    if secrets.escrow_key:
        _check_escrow(secrets, draft)
    pen.draft_row(folder, mine.chain, read.game_id)
    secrets.signed_charter = read.game_id
    folder.save_secrets(secrets)
    return charter.sign(draft, secrets.player, private)


def _check_escrow(secrets: PlayerSecrets, draft: dict[str, Any]) -> None:
    """An umpire who holds the escrow opens every chain before he signs. Raises ProtocolError (bad opening)."""
    from pbem.cli.umpire import open_all

    list(open_all(secrets, [draft]))

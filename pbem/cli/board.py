"""The board's command: which games, the functions that the page uses, the browser, and the end by Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from pbem.board.hall import Hall
from pbem.board.server import Server
from pbem.board.services import Advised, Found, Services
from pbem.cli import faults, local, speech
from pbem.cli.speech import speak
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.languages import Language
from pbem.runtime.composing import Composed
from pbem.runtime.desk import Desk
from pbem.store.disk import Disk
from pbem.store.paths import home, own_keys
from pbem.store.session import Session

DOOR = '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'


class Wanted(Struct, frozen=True):
    """What the board opens: a game folder, or a folder of games or of `pbem play`; another order file; with a browser."""

    folder: Path
    file: Path | None = None
    browser: bool = True


def run(wanted: Wanted) -> None:
    """Serve the page until Ctrl-C. Raises ProtocolError where there is no game."""
    with ExitStack() as stack:
        server = stack.enter_context(prepared(wanted))
        door = stack.enter_context(_door(server))
        print(speak("The board is open until you press Ctrl-C: {door}", door=str(door)), flush=True)
        if wanted.browser:
            import webbrowser

            webbrowser.open(door.resolve().as_uri())
        with suppress(KeyboardInterrupt):
            server.serve()


@contextmanager
def prepared(wanted: Wanted) -> Iterator[Server]:
    """The server of some games, not serving yet; passphrases are asked for here, in the terminal."""
    folder = wanted.folder
    played = folder / "play.json"
    with ExitStack() as stack:
        if not played.exists():
            paths = _games(folder, wanted.file)
            services = _services(lambda: None)
            _unlock(paths)
            yield Server(Hall(paths, services, wanted.file), services)
            return
        stack.enter_context(own_keys(folder))
        bots = local.bots_in(folder)
        services = _services(lambda: _go_on(folder, bots))
        services.go_on()
        paths = sorted(p.parent for p in folder.glob("*/pbem.json"))
        people = [player for player in (Session.open(path).me.player for path in paths) if player not in bots]
        yield Server(Hall(paths, services, wanted.file, people), services)


def _games(folder: Path, file: Path | None) -> list[Path]:
    """The game folder itself, or those below it."""
    if (folder / "pbem.json").exists():
        return [folder]
    found = sorted(p.parent for p in folder.glob("*/pbem.json"))
    if not found:
        Session.open(folder)
    if file is not None:
        raise ProtocolError(Outcome.UNREADABLE, msg("--file is for one game; {folder} holds several", folder=str(folder)))
    return found


def _unlock(paths: Sequence[Path]) -> None:
    """Ask for the passphrases that signing will need, while there is a terminal; a folder in trouble says so in the page."""
    for path in paths:
        with suppress(ProtocolError):
            session = Session.open(path)
            if session.folder.secrets() is not None and session.folder.is_running:
                session.secrets()
                _ = session.private


def _go_on(folder: Path, bots: Sequence[str]) -> None:
    """Files that no person writes, handed round, until a person of this machine is due."""
    with local.at_work(folder) as party:
        while local.go_on(party, bots):
            pass


@contextmanager
def _door(server: Server) -> Iterator[Path]:
    """A page for its owner's eyes that leads to the board, so that no list of processes shows the key."""
    disk, door = Disk(), home() / f"board-{server.port}.html"
    disk.make_folder(door.parent, 0o700)
    text = f'{DOOR}<meta http-equiv="refresh" content="0;url={server.address}"><a href="{server.address}">pbem board</a>\n'
    disk.replace(door, text.encode(), 0o600)
    try:
        yield door
    finally:
        disk.remove(door)


# -- functions of the command line ------------------------------------------------------------------------------------------


def _services(go_on: Callable[[], None]) -> Services:
    from pbem.cli import deadlines
    from pbem.cli.play import own_in_words

    return Services(_language, _receive, _odds, _hint, own_in_words, _explain, deadlines.lines, _resign, _mail, go_on)


def _language(path: Path) -> Language:
    speech.of_game(path)
    return speech.tongue()


def _receive(path: Path, found: Sequence[Found]) -> list[str]:
    from pbem.cli.receiving import receive_all

    speech.of_game(path)
    return receive_all(path, found, (Outcome.FOREIGN_GAME,)).text.splitlines()


def _resign(session: Session) -> str:
    from pbem.cli.play import resigned

    plain, _ = resigned(session)
    assert isinstance(plain, dict)
    return str(plain["file"])


def _mail(path: Path) -> list[str]:
    from pbem.cli.mailing import send

    speech.of_game(path)
    return send(path)[1].splitlines()


def _odds(session: Session, composed: Composed) -> str:
    from pbem.cli.chances import ahead

    return ahead(session, composed.table, composed.sealed)[1]


def _hint(session: Session, desk: Desk) -> Advised:
    from pbem.cli import hinting

    try:
        found, told = hinting.told(session, desk)
    except ProtocolError as refused:
        return [speech.text(refused.told)], []
    return told.splitlines(), hinting.orders_of(found)


def _explain(error: Exception) -> list[str]:
    """As commands say it; a fault of the program leaves a report beside the keys, too."""
    outcome, lines = faults.judged(error)
    told = [speech.labelled(outcome.told, line) for line in lines]
    if trace := faults.trace_of(error):
        told.append(faults.please(faults.report(home() / "faults", Disk(), trace, "")))
    return told

"""What the shell offers when TAB is pressed: folders, systems, sections, spaces, units and orders of the game at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import typer

Offer = Callable[[typer.Context, str], Iterable[str]]
_WORD = re.compile(r"(?:.*[\s:,]|^)(?=[^\s:,]*$)", re.DOTALL)


def _quietly(offer: Offer) -> Offer:
    """Beginnings that fit, without what a terminal would act on; a game that cannot be read offers nothing."""

    @wraps(offer)
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        found: list[str] = []
        with suppress(Exception):
            found = [w for w in offer(ctx, incomplete) if w.lower().startswith(incomplete.lower()) and w.isprintable()]
        return found

    return complete


@_quietly
def game_folders(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Game folders, and folders on the way to them."""
    start = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    for path in sorted(start.iterdir()):
        if (path / "pbem.json").exists():
            yield str(path)
        elif path.is_dir() and not path.name.startswith(".") and any(path.glob("*/pbem.json")):
            yield f"{path}/"


@_quietly
def systems(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Rules modules."""
    from pbem import games

    return games.names()


@_quietly
def scenarios(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Scenarios of the system named so far."""
    from pbem import games
    from pbem.store import library

    return library.scenario_names(games.load(_system(ctx)))


@_quietly
def charts(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Charts of the system named so far."""
    from pbem import games
    from pbem.store import library

    game = games.load(_system(ctx))
    known = game.charts()
    scenario = library.load_scenario(game, library.scenario_names(game)[0])
    return [] if known is None or not isinstance(scenario, dict) else [*known.bound(scenario)]


@_quietly
def options(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """`name=value` for every option of the system."""
    from pbem import games

    return [f"{o.name}={choice}" for o in games.load(_system(ctx)).options for choice in o.choices]


@_quietly
def seats(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Seats, after those that are named already."""
    from pbem import games

    before, comma, _ = incomplete.rpartition(",")
    taken = before.split(",")
    return [f"{before}{comma}{seat}" for seat in games.load(_system(ctx)).seats if seat not in taken]


@_quietly
def players(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Those who play in the game, in their own letters."""
    return [*_folder(ctx).draft()["players"]]


@_quietly
def sections(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """For `rules`: systems where none is named and no game is at hand, then sections, rulings and cards."""
    from pbem import games
    from pbem.cli import rules

    named = next((w for w in ctx.params.get("words") or [] if games.is_known(w)), "")
    if named or (_folder(ctx).path / "pbem.json").exists():
        return rules.ids(named or str(_folder(ctx).draft()["system"]))
    return games.names()


@_quietly
def topics(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Topics of the manual."""
    from pbem.cli import manual

    return manual.TITLES


@_quietly
def spaces(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Territories and sea zones of the game's board."""
    return _spaces(_session(ctx))


@_quietly
def orders(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """An order word by word behind those that stand before it: what its form offers; and whole orders that are legal."""
    from pbem.cli.next_words import next_words
    from pbem.kernel.notation import order_text
    from pbem.runtime.asked import proposals

    session, head = _session(ctx), _before_last_word(incomplete)
    if not session.folder.private.opens_unasked():
        return []
    desk = session.desk("\n".join(["orders:", *(f"- {order}" for order in ctx.params.get("order") or [])]))
    form, asked = desk.form(), desk.sheet.asked
    legal = [order_text(o) for o in proposals(desk.table, asked, desk.knowledge())] if asked is not None else []
    if ":" not in incomplete:
        verbs = [text.partition(":")[0] + ":" * (":" in text) for text in legal]
        return dict.fromkeys([*(next_words(form, "") if form else ()), *verbs])
    words = next_words(form, head) if form else []
    words = words or [*_units(session.charter.system), "from", "to", *_spaces(session)]
    return dict.fromkeys([*(head + w for w in words), *legal[:50]])


@_quietly
def forces(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """For `odds`: a system first, then units by number."""
    from pbem import games

    named = [w for w in ctx.params.get("words") or [] if games.is_known(w)]
    if not named:
        return games.names()
    return [_before_last_word(incomplete) + unit for unit in _units(named[0])]


def one_of(*words: str) -> Callable[[str], list[str]]:
    """A closed list."""
    return lambda incomplete: [w for w in words if w.startswith(incomplete)]


def _before_last_word(text: str) -> str:
    match = _WORD.match(text)
    return match[0] if match else ""


def _system(ctx: typer.Context) -> str:
    """The system on the command line, else that of the game folder."""
    from pbem import games

    named = ctx.params.get("system")
    if games.is_known(named):
        return str(named)
    with suppress(Exception):
        return str(_folder(ctx).draft()["system"])
    return games.names()[0]


def _folder(ctx: typer.Context) -> Any:
    from pbem.store.folder import GameFolder

    return GameFolder(Path(ctx.params.get("game") or "."))


def _session(ctx: typer.Context) -> Any:
    from pbem.store.session import Session

    return Session.open(_folder(ctx).path)


def _spaces(session: Any) -> list[str]:

    words = session.game.words()
    return [*words.board(session.table.engine.state)]


def _units(system: str) -> list[str]:
    """Types of units: what the module's reader of orders calls them."""
    from pbem import games

    return [*games.load(system).vocabulary]

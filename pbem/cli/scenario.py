"""Scenarios of one's own: judged with the place of every fault, and kept in the game folders that play them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.data import data_folder
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.orders import nearest
from pbem.kernel.shapes import Fault, ScenarioFault, lacking, shown
from pbem.protocol.charter import Charter
from pbem.protocol.ids import scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.store import library, own
from pbem.store.folder import GameFolder

Judged = tuple[own.Spot, str]
GENERAL = ("game", "name", "title")
OWN_CHARTS = "-own-charts"


@dataclass(frozen=True, slots=True)
class OwnFiles:
    """Files of a player's own that a game is played with: a scenario, charts."""

    scenario: Path | None = None
    charts: Path | None = None


def check(file: Path) -> tuple[Plain, str, int]:
    """Every fault of a scenario's files with file, line and column; or what it holds. The last: the exit code."""
    held = own.read_own(file)
    shipped = _shipped_system(file)
    if shipped:  # its folder says of which game it is
        held.plain.setdefault("game", shipped)
    found = faults(held)
    if found:
        rows: list[Plain] = [{"file": str(s.file), "line": s.line, "column": s.column, "fault": text} for s, text in found]
        count = f"{len(found)} fault{'s' if len(found) > 1 else ''}"
        return {"faults": rows}, "\n".join([*(f"{s}: {text}" for s, text in found), count]), Outcome.UNREADABLE.code
    counts = _counts(held.plain)
    system, name = str(held.plain["game"]), str(held.plain["name"])
    digest = scenario_hash(library.load_scenario(games.load(system), name) if shipped else held.plain)
    plain: Plain = {"game": system, "name": name, "hash": digest, **counts}
    begin = f"pbem new FOLDER --system {system} --scenario {name}" if shipped else f"pbem new FOLDER --scenario {file}"
    text = [f"{file} can be played ({system}): {_in_words(counts)}", f"hash {digest}", f"Now: {begin}"]
    return plain, "\n".join(text), 0


def _shipped_system(file: Path) -> str:
    """The game of one of pbem's own scenarios; empty for any other file."""
    folder = file.resolve().parent
    system = folder.name.replace("_", "-")
    if system not in games.BUILT_IN or folder.parent != data_folder("scenarios").resolve():
        return ""
    return system if file.stem in library.scenario_names(games.load(system)) else ""


def faults(held: own.OwnScenario) -> list[Judged]:
    """What is wrong, by file and line: files, then shapes, then references, then the set-up."""
    system = held.plain.get("game")
    if not games.is_known(system):
        text = "game is missing" if system is None else f"there is no game {shown(system)}"
        hint = nearest(str(system), games.names()) or f"one of {', '.join(games.names())}"
        return sorted([*held.broken, (held.spot(("game",)), f"{text}; {hint}")], key=_place)
    found = list(_judge(str(system), held.plain))
    if held.broken:  # what a file that cannot be read would have brought is not missing
        found = [f for f in found if not f.missing]
    return sorted([*held.broken, *((held.spot(f.path, f.word), str(f)) for f in found)], key=_place)


def _place(judged: Judged) -> tuple[str, int, int, str]:
    spot, text = judged
    return str(spot.file), spot.line, spot.column, text


def _judge(system: str, plain: dict[str, Any]) -> Iterable[Fault]:
    """The game's own judgement, or else that by comparison with its shipped scenarios; then the set-up."""
    game = games.load(system)
    checking = game.checking()
    found = checking.faults_of(plain) if checking is not None else _unlike_shipped(game, plain)
    return found or _set_up(system, plain)


def _unlike_shipped(game: games.Module, plain: dict[str, Any]) -> list[Fault]:
    """Keys that all shipped scenarios have and this one lacks, keys that none has, values of a kind that none has."""
    shipped: list[Any] = [library.load_scenario(game, name) for name in library.scenario_names(game)]
    known = {key for scenario in shipped for key in scenario}
    needed = sorted(set.intersection(*map(set, shipped)) - set(GENERAL))
    found = [lacking(key, "every scenario of this game has it") for key in needed if key not in plain]
    for key, value in plain.items():
        kinds = {type(s[key]) for s in shipped if key in s}
        if key not in known | set(GENERAL):
            found.append(Fault((key,), f"{key!r} is no key here", str(nearest(key, sorted(known))), word=key))
        elif kinds and type(value) not in kinds:
            like = next(s[key] for s in shipped if key in s)
            found.append(Fault((key,), f"is {shown(value)}", f"the shipped scenarios have {shown(like)}"))
    return found


def _set_up(system: str, plain: dict[str, Any]) -> list[Fault]:
    """The game is set up as for play; what stops it is a fault."""
    try:
        games.load(system).start(plain, {})
    except ScenarioFault as error:
        return list(error.faults)
    return []


def _counts(plain: dict[str, Any]) -> dict[str, Any]:
    checking = games.load(plain["game"]).checking()
    if checking is not None:
        return dict(checking.counts_of(plain))
    return {key: len(value) for key, value in plain.items() if isinstance(value, dict | list)}


def _in_words(counts: dict[str, Any]) -> str:
    numbers = ", ".join(f"{number} {name}" for name, number in counts.items() if isinstance(number, int))
    lists = [f"{name}: {', '.join(held)}" for name, held in counts.items() if isinstance(held, list) and held]
    return "\n".join([numbers, *lists])


# -- in play -----------------------------------------------------------------------------------------------------------------


def load(file: Path) -> dict[str, Any]:
    """A scenario without faults, from its YAML or from `scenario.json` of a game folder. Raises ProtocolError."""
    held = own.OwnScenario(own.read_compiled(file)) if file.suffix == ".json" else own.read_own(file)
    if file.suffix == ".json":
        found = [str(f) for f in _judge(_system_of(held.plain), held.plain)]
    else:
        found = [f"{spot}: {text}" for spot, text in faults(held)]
    if found:
        more = f" and {len(found) - 1} more: see `pbem scenario check {file}`" if len(found) > 1 else ""
        raise unreadable(f"{found[0]}{more}")
    system = _system_of(held.plain)
    if held.plain["name"] in library.scenario_names(games.load(system)):
        raise unreadable(f"{held.plain['name']} is a scenario of pbem: give yours another name (name: ..., or the file's)")
    return held.plain


def _system_of(plain: dict[str, Any]) -> str:
    if not games.is_known(plain.get("game")):
        raise unreadable(f"game: is one of {', '.join(games.names())}")
    return str(plain["game"])


def with_charts(game: games.Module, plain: Any, file: Path) -> dict[str, Any]:
    """A scenario with the charts that an owner of the game has typed in, under a name of its own.

    Raises ProtocolError (unreadable): no such charts in this game, or their first fault with its place.
    """
    typed_in = game.charts()
    if typed_in is None:
        raise unreadable(f"{game.title} takes no charts of your own")
    source, charts = own.read_part(file)
    found = typed_in.faults(charts)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise unreadable(f"{source.spot(found[0].path, found[0].word)}: {found[0]}{more}")
    changed: dict[str, Any] = {"game": game.name, **typed_in.replaced(plain, charts)}
    return {**changed, "name": f"{plain['name']}{OWN_CHARTS}"}


def for_charter(read: Charter, folder: GameFolder, own_files: OwnFiles) -> Plain:
    """What a folder has to keep to play a charter's scenario: nothing for a shipped one, else the same that the drafter has.

    Raises ProtocolError: no file where one is needed, or one that differs (diverged).
    """
    if read.scenario in library.scenario_names(games.load(read.system)):
        if own_files.charts is not None:
            raise unreadable(f"this game is drafted with pbem's own charts: {read.scenario}; join without --charts")
        return None
    plain = given(read, own_files) or folder.own_scenario()
    if plain is None:
        raise unreadable(_wanted(read))
    found = scenario_hash(plain)
    if found != read.scenario_hash:
        reason = f"this {read.scenario} is not the charter's: hash {found[:16]}, the charter has {read.scenario_hash[:16]}"
        raise ProtocolError(Outcome.DIVERGED, f"{reason}; both players need the same files")
    return plain


def given(read: Charter, own_files: OwnFiles) -> Plain:
    """The scenario that a player's files make, his charts laid over the one that he names or the shipped one."""
    plain: Plain = load(own_files.scenario) if own_files.scenario is not None else None
    if own_files.charts is None:
        return plain
    if plain is None:
        plain = library.load_scenario(games.load(read.system), read.scenario.removesuffix(OWN_CHARTS))
    return with_charts(games.load(read.system), plain, own_files.charts)


def _wanted(read: Charter) -> str:
    """What a player has to name who joins a game of this scenario."""
    base = read.scenario.removesuffix(OWN_CHARTS)
    if base == read.scenario:
        return f"{base} is the drafter's own scenario: --scenario FILE names the files (or scenario.json) he sent you"
    also = "" if base in library.scenario_names(games.load(read.system)) else " and --scenario FILE his scenario"
    return f"{base} is played with the drafter's own charts: --charts FILE names the file he sent you{also}"


def keep(folder: GameFolder, plain: Plain) -> None:
    """Into the game folder."""
    if plain is not None:
        folder.disk.replace(folder.path / "scenario.json", canonical(plain))

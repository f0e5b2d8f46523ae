"""Scenarios of one's own: judged with the place of every fault, and kept in the game folders that play them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem import games
from pbem.cli.speech import speak, speak_counted, text
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.orders import nearest
from pbem.kernel.shapes import Fault, ScenarioFault, lacking, shown, unknown_key
from pbem.kernel.wording import Message, english, linked, msg
from pbem.protocol.charter import Charter
from pbem.protocol.ids import scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.shipped import data_folder
from pbem.store import library, own
from pbem.store.folder import GameFolder

Judged = tuple[own.Spot, Message]
GENERAL = ("game", "name", "title")
OWN_CHARTS = "-own-charts"


class OwnFiles(Struct, frozen=True):
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
        rows: list[Plain] = [
            {"file": str(s.file), "line": s.line, "column": s.column, "fault": english(told)} for s, told in found
        ]
        lines = [*(text(linked(": ", str(s), told)) for s, told in found), speak_counted("{n} fault", "{n} faults", len(found))]
        return {"faults": rows}, "\n".join(lines), Outcome.UNREADABLE.code
    counts = _counts(held.plain)
    system, name = str(held.plain["game"]), str(held.plain["name"])
    digest = scenario_hash(library.load_scenario(games.load(system), name) if shipped else held.plain)
    plain: Plain = {"game": system, "name": name, "hash": digest, **counts}
    begin = f"pbem new FOLDER --system {system} --scenario {name}" if shipped else f"pbem new FOLDER --scenario {file}"
    told = [
        speak("{file} can be played ({system}): {counts}", file=str(file), system=system, counts=_in_words(counts)),
        speak("hash {hash}", hash=digest),
        speak("Now: {command}", command=begin),
    ]
    return plain, "\n".join(told), 0


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
        told = msg("{name} is missing", name="game") if system is None else msg("there is no game {name}", name=shown(system))
        hint = nearest(str(system), games.names()) or msg("one of {known}", known=", ".join(games.names()))
        return sorted([*held.broken, (held.spot(("game",)), linked("; ", told, hint))], key=_place)
    found = list(_judge(str(system), held.plain))
    if held.broken:  # what a file that cannot be read would have brought is not missing
        found = [f for f in found if not f.missing]
    return sorted([*held.broken, *((held.spot(f.path, f.word), f.told) for f in found)], key=_place)


def _place(judged: Judged) -> tuple[str, int, int, str]:
    spot, told = judged
    return str(spot.file), spot.line, spot.column, english(told)


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
    found = [lacking(key, msg("every scenario of this game has it")) for key in needed if key not in plain]
    for key, value in plain.items():
        kinds = {type(s[key]) for s in shipped if key in s}
        if key not in known | set(GENERAL):
            found.append(unknown_key(key, sorted(known)))
        elif kinds and type(value) not in kinds:
            like = next(s[key] for s in shipped if key in s)
            found.append(
                Fault(
                    (key,), msg("is {value}", value=shown(value)), msg("the shipped scenarios have {value}", value=shown(like))
                )
            )
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
        found = [f.told for f in _judge(_system_of(held.plain), held.plain)]
    else:
        found = [linked(": ", str(spot), told) for spot, told in faults(held)]
    if len(found) > 1:
        more = msg("{number} more: see `pbem scenario check {file}`", number=len(found) - 1, file=str(file))
        raise unreadable(linked("; ", found[0], more))
    if found:
        raise unreadable(found[0])
    system = _system_of(held.plain)
    if held.plain["name"] in library.scenario_names(games.load(system)):
        raise unreadable(
            msg(
                "{name} is a scenario of pbem: give yours another name (name: ..., or the file's)", name=str(held.plain["name"])
            )
        )
    return held.plain


def _system_of(plain: dict[str, Any]) -> str:
    if not games.is_known(plain.get("game")):
        raise unreadable(msg("game: is one of {known}", known=", ".join(games.names())))
    return str(plain["game"])


def with_charts(game: games.Module, plain: Any, file: Path) -> dict[str, Any]:
    """A scenario with the charts that an owner of the game has typed in, under a name of its own.

    Raises ProtocolError (unreadable): no such charts in this game, or their first fault with its place.
    """
    typed_in = game.charts()
    if typed_in is None:
        raise unreadable(msg("{title} takes no charts of your own", title=game.title))
    source, charts = own.read_part(file)
    found = typed_in.faults(charts)
    if found:
        first = linked(": ", str(source.spot(found[0].path, found[0].word)), found[0].told)
        raise unreadable(linked("; ", first, msg("{number} more", number=len(found) - 1)) if len(found) > 1 else first)
    changed: dict[str, Any] = {"game": game.name, **typed_in.replaced(plain, charts)}
    return {**changed, "name": f"{plain['name']}{OWN_CHARTS}"}


def for_charter(read: Charter, folder: GameFolder, own_files: OwnFiles) -> Plain:
    """What a folder has to keep to play a charter's scenario: nothing for a shipped one, else the same that the drafter has.

    Raises ProtocolError: no file where one is needed, or one that differs (diverged).
    """
    if read.scenario in library.scenario_names(games.load(read.system)):
        if own_files.charts is not None:
            raise unreadable(
                msg("this game is drafted with pbem's own charts: {name}; join without --charts", name=read.scenario)
            )
        return None
    plain = given(read, own_files) or folder.own_scenario()
    if plain is None:
        raise unreadable(_wanted(read))
    found = scenario_hash(plain)
    if found != read.scenario_hash:
        told = msg(
            "this {name} is not the charter's: hash {hash}, the charter has {other}; both players need the same files",
            name=read.scenario,
            hash=found[:16],
            other=read.scenario_hash[:16],
        )
        raise ProtocolError(Outcome.DIVERGED, told)
    return plain


def given(read: Charter, own_files: OwnFiles) -> Plain:
    """The scenario that a player's files make, his charts laid over the one that he names or the shipped one."""
    plain: Plain = load(own_files.scenario) if own_files.scenario is not None else None
    if own_files.charts is None:
        return plain
    if plain is None:
        plain = library.load_scenario(games.load(read.system), read.scenario.removesuffix(OWN_CHARTS))
    return with_charts(games.load(read.system), plain, own_files.charts)


def _wanted(read: Charter) -> Message:
    """What a player has to name who joins a game of this scenario."""
    base = read.scenario.removesuffix(OWN_CHARTS)
    if base == read.scenario:
        return msg(
            "{name} is the drafter's own scenario: --scenario FILE names the files (or scenario.json) he sent you", name=base
        )
    told = msg("{name} is played with the drafter's own charts: --charts FILE names the file he sent you", name=base)
    shipped = base in library.scenario_names(games.load(read.system))
    return told if shipped else linked("; ", told, msg("and --scenario FILE his scenario"))


def keep(folder: GameFolder, plain: Plain) -> None:
    """Into the game folder."""
    if plain is not None:
        folder.disk.replace(folder.path / "scenario.json", canonical(plain))

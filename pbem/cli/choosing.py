"""What is to be played: a system, one of its scenarios or one of one's own, its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem import games
from pbem.cli import scenario as own_scenario
from pbem.cli import speech
from pbem.cli.speech import speak, tongue
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.report.languages import rule_said
from pbem.store import library, own


def systems_with_scenarios() -> tuple[Plain, str]:
    """The scenarios of every system."""
    known = {system: [*library.scenario_names(games.load(system))] for system in games.titles()}
    lines = [f"{system}: {', '.join(names)}" for system, names in known.items()]
    more = speak("`pbem scenarios SYSTEM` tells what each is, its seats and options.")
    return {system: [*names] for system, names in known.items()}, "\n".join([*lines, more])


def scenarios(system: str) -> tuple[Plain, str]:
    """Scenarios with what each is, seats and options of a system."""
    game = games.load(system)
    names = library.scenario_names(game)
    told = {name: _summary(game, name) for name in names}
    options: list[Plain] = [
        {"name": o.name, "default": o.choices[0], "choices": [*o.choices], "text": o.text, "rule": o.rule} for o in game.options
    ]
    seats = ", ".join(seat if seat == side else f"{seat} ({side})" for seat, side in game.seats.items())
    lines = [speak("scenarios: {names}", names=", ".join(names)), speak("seats: {seats}", seats=seats)]
    code = tongue().code
    lines += [
        speak(
            "option {name} = {choices}: {text} [{rule}]",
            name=o.name,
            choices=_choices(o.choices),
            text=rule_said(code, game.folder, o.text),
            rule=o.rule,
        )
        for o in game.options
    ]
    lines += [f"\n{name}: {text}" for name, text in told.items() if text]
    plain: Plain = {"scenarios": [*names], "summaries": {**told}, "seats": dict(game.seats), "options": options}
    return plain, "\n".join(lines)


def _choices(choices: tuple[Plain, ...]) -> str:
    """What may be chosen, the usual first; of numbers without a gap the first and the last."""
    usual, *others = choices
    numbers = sorted(n for n in choices if isinstance(n, int))
    if len(numbers) == len(choices) == numbers[-1] - numbers[0] + 1:
        return speak("{usual}, or from {low} to {high}", usual=str(usual), low=numbers[0], high=numbers[-1])
    return speak("{usual}, or {others}", usual=str(usual), others=", ".join(map(str, others)))


def _summary(game: games.Module, name: str) -> str:
    """What a scenario is, in the language in use; empty where its game says nothing of it."""
    found = game.summary(library.load_scenario(game, name))
    return speech.text(found) if found is not None else ""


def chosen_scenario(system: str, name: str) -> str:
    """The scenario named, or the only one there is. Raises Rejected where one must be chosen."""
    names = library.scenario_names(games.load(system))
    if not name and len(names) != 1:
        raise unreadable(msg("{system} has several scenarios: --scenario NAME chooses one", system=system), verbatim(*names))
    return name or names[0]


def system_of(system: str, scenario: str) -> str:
    """The system named, or that of a scenario's own file. Raises ProtocolError."""
    return str(own_scenario.load(Path(scenario))["game"]) if own.is_file(scenario) else system


def named_scenario(system: str, scenario: str) -> tuple[str, str, Any]:
    """System, name and data of a shipped scenario, or of one's own by its file. Raises Rejected, ProtocolError."""
    if own.is_file(scenario):
        plain = own_scenario.load(Path(scenario))
        return plain["game"], plain["name"], plain
    scenario = chosen_scenario(system, scenario)
    return system, scenario, library.load_scenario(games.load(system), scenario)


def chosen_options(known: Any, words: list[str]) -> dict[str, Plain]:
    """Every option with its choice: as typed, `name=value`, or the first there is. Raises Rejected."""
    chosen: dict[str, Plain] = {o.name: o.choices[0] for o in known}
    for word in words:
        name, _, value = word.partition("=")
        option = next((o for o in known if o.name == name), None)
        if option is None:
            raise unreadable(msg("there is no option {name!r}", name=name), nearest(name, list(chosen)))
        read: Plain = int(value) if value.isdigit() else value
        if read not in option.choices:
            raise unreadable(
                verbatim(f"{name}={value}"), msg("choices: {words}", words=verbatim(*map(str, option.choices[:12])))
            )
        chosen[name] = read
    return chosen

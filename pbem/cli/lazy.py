"""The commands of the program, each made of its function when it is asked for: making all takes longer than running one.

The list of all in `--help` shows what their functions say, without reading the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_command_from_info, get_command_name, get_group_from_info

Command = Any  # of typer's own copy of click, which has no public name


@cache
def program(app: typer.Typer, told: Callable[[Command], Command] | None = None) -> Command:
    """The program, as `typer.main.get_command` makes it, with its commands still to be made.

    `told`: gives whatever is made the words of another language.
    """
    root = typer.Typer()
    root.info, root.registered_callback = copy(app.info), app.registered_callback
    root.info.cls = Program
    root.rich_markup_mode, root.pretty_exceptions_short = app.rich_markup_mode, app.pretty_exceptions_short
    made: Command = get_command(root)
    made = told(made) if told else made
    made.commands = Commands(app, told)
    return made


class Program(TyperGroup):
    """The whole program, with `Commands`."""

    commands: Commands  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names: none is made for it."""
        return [*self.commands]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list of them in `--help`, from what each says."""
        listed: Any = copy(self)
        listed.commands = self.commands.shown()
        super(Program, listed).format_commands(ctx, formatter)


class Commands(Mapping[str, Command]):
    """The commands and groups of an app by name, in the order in which `--help` lists them."""

    def __init__(self, app: typer.Typer, told: Callable[[Command], Command] | None = None) -> None:
        commands = {info.name or _name(info.callback): info for info in app.registered_commands}
        groups = {str(info.name): info for info in app.registered_groups}
        self._app, self._infos, self._told = app, {**commands, **groups}, told
        self._made: dict[str, Command] = {}

    def __getitem__(self, name: str) -> Command:
        if name not in self._made:
            made = self._make(self._infos[name])
            self._made[name] = self._told(made) if self._told else made
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)

    def shown(self) -> dict[str, Command]:
        """The commands as a list of them shows them: of those that are not yet made only name and help."""
        faces = {name: self._made.get(name) or self._make(_face(info)) for name, info in self._infos.items()}
        return {name: self._told(face) if self._told and name not in self._made else face for name, face in faces.items()}

    def _make(self, info: Any) -> Command:
        how: dict[str, Any] = {
            "pretty_exceptions_short": self._app.pretty_exceptions_short,
            "rich_markup_mode": self._app.rich_markup_mode,
        }
        if isinstance(info, typer.models.TyperInfo):
            return get_group_from_info(info, suggest_commands=self._app.suggest_commands, **how)
        return get_command_from_info(info, **how)


def _face(info: Any) -> Any:
    """What a command is made of, without its parameters; a group is small enough as it is."""
    if isinstance(info, typer.models.TyperInfo):
        return info

    def says() -> None:
        """In the place of the command's own function."""

    says.__name__, says.__doc__ = info.callback.__name__, info.callback.__doc__
    bare = copy(info)
    bare.callback = says
    return bare


def _name(function: Any) -> str:
    return get_command_name(function.__name__)

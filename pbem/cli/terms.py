"""What a charter binds its players to, told before they sign it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem import games
from pbem.cli import speech
from pbem.cli.speech import labelled, speak, text, tongue
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Option
from pbem.kernel.wording import linked, msg, verbatim
from pbem.protocol.charter import Charter
from pbem.report.languages import rule_said

LOST_KEYS = {
    "others": msg("A lost key: an ally may give the seat a new one when all others agree."),
    "umpire": msg("A lost key: the umpire may give the seat a new one."),
    "nobody": msg("A lost key: nobody may give the seat a new one."),
}
TERMS = ("system", "scenario", "options", "overdue", "deadline", "lost_keys", "hints", "umpire", "answers", "pace")


def plain(read: Charter) -> dict[str, Plain]:
    """For programs: what stands in the charter of that, under its own names."""
    found: dict[str, Any] = {name: read.document[name] for name in TERMS if name in read.document}
    return found


def told(read: Charter) -> list[str]:
    """The game, who sits where, its options, deadlines, keys, hints, umpire, in a line each."""
    seats = [labelled(name, ", ".join(read.seats_of(name))) for name in read.players_in_order]
    return [_game(read), *seats, *_options(read), *_agreed(read)]


def changed(before: Charter, after: Charter) -> list[str]:
    """What is not among the terms of an earlier text, whoever takes which seat, and what has gone from them."""
    old, new = ([_game(read), *_agreed(read)] for read in (before, after))
    others = [_otherwise(o, after, before.options[o.name]) for o in _known(after) if _differs(o, before, after)]
    gone = [speak("no longer: {line}", line=line) for line in old if line not in new]
    return [*(line for line in new if line not in old), *others, *gone]


def make_sure(drafted: Charter, sent: Charter, command: str) -> None:
    """Ask whether terms that are others than those of the own draft are meant. Raises ProtocolError where nobody says so."""
    new = changed(drafted, sent)
    if not new:
        return
    reason = msg(
        "nothing is signed, because these terms are not those of your draft: {changed}", changed=verbatim("; ".join(new))
    )
    refusal = linked(". ", reason, msg("`pbem {command} --yes` says that it is meant", command=command))
    speech.make_sure([speak("These terms are not those of your draft:"), *new], refusal)


def _game(read: Charter) -> str:
    return speak("{title}, scenario {scenario}", title=games.load(read.system).title, scenario=read.scenario)


def _known(read: Charter) -> Sequence[Option]:
    return games.load(read.system).options


def _differs(option: Option, before: Charter, after: Charter) -> bool:
    """Both texts name it, each another choice."""
    return option.name in before.options and before.options[option.name] != after.options[option.name]


def _options(read: Charter) -> Iterator[str]:
    """Each option that is not as usual with what it means; the others by name."""
    usual = [o for o in _known(read) if read.options[o.name] == o.choices[0]]
    yield from (_otherwise(o, read) for o in _known(read) if o not in usual)
    if usual:
        yield speak("options as usual: {options}", options=verbatim(*(f"{o.name} = {o.choices[0]}" for o in usual)))


def _otherwise(option: Option, read: Charter, drafted: Plain = None) -> str:
    """An option with what it means; `drafted`: as it stands in an earlier text."""
    args = {"name": option.name, "chosen": str(read.options[option.name]), "rule": option.rule}
    args["text"] = rule_said(tongue().code, games.load(read.system).folder, option.text)
    if drafted is not None:
        return speak("option {name} = {chosen}, in your draft {drafted}: {text} [{rule}]", drafted=str(drafted), **args)
    return speak("option {name} = {chosen}, usually {usual}: {text} [{rule}]", usual=str(option.choices[0]), **args)


def _agreed(read: Charter) -> Iterator[str]:
    late = read.overdue
    if late is not None:
        yield speak(
            "An answer is due within {after} h; {grace} h after a claim follows: {then}",
            after=late.after,
            grace=late.grace,
            then=late.then,
        )
    yield text(LOST_KEYS[read.lost_keys or "nobody"])
    if not read.allows_hints:
        yield speak("Hints of the program are forbidden.")
    if read.umpire_name and read.escrow_key:
        yield speak("Umpire: {name}, with the escrow; he can open every chain.", name=read.umpire_name)
    elif read.umpire_name:
        yield speak("Umpire: {name}, as a witness.", name=read.umpire_name)
    for side, player in read.answers.items():
        yield speak("{player} answers the reactions of {side}.", player=player, side=side)
    yield from (labelled(msg("note"), line) for line in read.document.get("note", ()))
    if read.pace is not None:
        yield speak("Files with decisions leave at these times alone (UTC): {slots}.", slots=", ".join(read.pace.times))

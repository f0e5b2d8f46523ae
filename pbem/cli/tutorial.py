"""The tutorial: a first game of a system against a prepared opponent, with the commands of a real game.

Every start looks at what the reader's game folder holds, says which step is done and what the next one is; nothing else is
remembered but the system. The opponent answers as soon as a file of the reader is there. What is played and what its files
say is the game's own (`pbem.games.lesson`).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import yaml
from msgspec import Struct
from msgspec.structs import replace

from pbem import games
from pbem.cli import local, setup
from pbem.cli.opponent import Desk, answer, sign
from pbem.cli.shell import harmless
from pbem.cli.speech import speak, text
from pbem.games.lesson import Exercise, Lesson
from pbem.games.parts import NORMAL
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected, unreadable
from pbem.kernel.wording import Message, english, linked, msg
from pbem.protocol import charter
from pbem.protocol.outcomes import ProtocolError
from pbem.report.steps import history
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.taking import Refused
from pbem.store import dues
from pbem.store.folder import GameFolder
from pbem.store.paths import own_keys
from pbem.store.session import Session

MARK = "tutorial.txt"
END = msg(
    "That is all there is to a game by mail: `receive`, `report`, `check`, `send`. `pbem verify -g mine` plays the whole game\n"
    "again from the charter: signatures, chain, dice and rules. You can go on here as long as you like: after every file that\n"
    "you send, `pbem tutorial` lets Nowak answer into `post`. `pbem play FOLDER --bot` is the same without files,\n"
    "`pbem COMMAND --help` has an example each, and `pbem manual` has the rest."
)
SPARE = 3  # files beyond those of the exercises, before the lesson ends by itself
ID = re.compile(r"\b[a-z0-9]+(?:-[a-z0-9]+)+\b")  # a unit as programs write it: ca-nachi


class Step(Struct, frozen=True):
    """Something to do. `missing`: what is not done yet, None when all is; `after`: what the opponent then does."""

    title: Message
    text: str
    missing: Callable[[Desk], Message | None]
    praise: Message
    after: Callable[[Desk], None] = lambda desk: None


# -- what the reader has done -------------------------------------------------------------------------------------------


def _no_seat(desk: Desk) -> Message | None:
    if not desk.mine.exists:
        return msg("there is no game folder `mine` yet")
    draft = desk.mine.log.files()[0] if desk.mine.is_running else desk.mine.draft()
    seated = charter.read_charter(draft).seats_of
    me = desk.mine.secrets()
    if me is None:
        return msg("nobody has joined in `mine` yet")
    wanted = desk.lesson.seats
    return None if set(wanted) <= set(seated(me.player)) else msg("{player} has no seat of this lesson", player=me.player)


def _not_signed(desk: Desk) -> Message | None:
    if desk.mine.is_running:
        return None
    me = desk.mine.secrets()
    signed = desk.mine.draft().get("signatures") or {}
    is_signed = me and isinstance(signed, dict) and me.player in signed
    return None if is_signed else msg("your signature is not under the charter yet")


def _not_running(desk: Desk) -> Message | None:
    return None if desk.mine.is_running else msg("the charter with both signatures is not in your folder yet")


def _no_draft(desk: Desk) -> Message | None:
    is_there = (desk.folder / "orders.yaml").exists() or _own_files(desk)
    return None if is_there else _no_file("orders.yaml")


def _no_file(name: str) -> Message:
    return msg("there is no {name} yet", name=name)


def _draft_not_legal(desk: Desk, name: str, wanted: str) -> Message | None:
    path = desk.folder / name
    if not path.exists():
        return _no_file(name)
    from pbem.cli.sending import read_orders

    try:
        session = desk.session()
        draft = read_orders(session, path.read_bytes()).draft
        session.try_out(draft)
    except Refused as error:
        problems = (msg("order {order}: {problem}", order=(p.order or 0) + 1, problem=p.told) for p in error.problems)
        return linked("\n  ", msg("the rules refuse {name}:", name=name), *problems)
    except ProtocolError as error:
        return msg("{name} cannot be read: {reason}", name=name, reason=error.told)
    count = len(yaml.safe_load(wanted)["orders"])
    if len(draft.orders) >= count:
        return None
    return msg("{name} holds {number} orders: write those above", name=name, number=len(draft.orders))


def _not_received(desk: Desk) -> Message | None:
    newest = len(GameFolder(desk.theirs).log.files()) - 1
    return None if desk.session().table.last >= newest else msg("the opponent's file {n} is not in your log yet", n=newest)


def _no_report(desk: Desk) -> Message | None:
    path = desk.folder / "report.html"
    if not path.exists():
        return _no_file("report.html")
    is_ours = desk.session().charter.game_id[:16] in path.read_text("utf-8")
    return None if is_ours else msg("report.html is of another game")


def _no_proof(desk: Desk) -> Message | None:
    return None if (desk.folder / "proof" / "check.sh").exists() else msg("there is no folder `proof` yet")


def _own_files(desk: Desk) -> Sequence[str]:
    """The kind of question that each of the reader's own files answered, those apart that his program wrote."""
    if not desk.mine.is_running:
        return ()
    return _asked(desk.mine.path.resolve(), desk.session().head)


@cache
def _asked(path: Path, head: str) -> Sequence[str]:
    """The same of a log with this newest file: every step asks for it."""
    session = Session.open(path)
    found = []
    for step in history(session.replayed(0), session.folder.log.files()[1:], session.folder.fetch):
        due = step.before.due
        if due.player == session.me.player and due.what not in AUTOMATIC:
            found.append(_kind(step.before.engine.request))
    return found


def _kind(request: object) -> str:
    return request.kind if isinstance(request, Ask) else ""


# -- the steps ----------------------------------------------------------------------------------------------------------


def _begins(lesson: Lesson) -> Iterator[Step]:
    yield Step(
        msg("Take a seat"),
        speak(
            "Nowak has drafted a charter: what is played, under which rules, who sits where. It lies here as charter.yaml.\n"
            "Look at it, then {take} under any name:",
            take=lesson.side,
        )
        + f"\n\n  pbem join charter.yaml --as yamada --seats {','.join(lesson.seats)} -g mine",
        _no_seat,
        msg("you have a seat, a key, and a chain of secret values for the dice"),
    )
    yield Step(
        msg("Sign the charter"),
        speak("Compare what it says, and sign it:") + "\n\n  pbem accept -g mine",
        _not_signed,
        msg("the charter has your signature; Nowak has signed too and sent it back"),
        sign,
    )
    yield Step(
        msg("Begin"),
        speak(
            "His copy with both signatures is from-nowak.yaml. In a real game you now compare the game id with him by\n"
            "telephone: that is the one thing that mail cannot prove."
        )
        + "\n\n  pbem accept from-nowak.yaml -g mine",
        _not_running,
        msg("the game has begun"),
        answer,
    )


def _look() -> Step:
    told = speak("The second writes an order file with some legal orders as comments.")
    return Step(
        msg("See what is asked"),
        f"  pbem status -g mine\n  pbem orders -g mine --to orders.yaml\n\n{told}",
        _no_draft,
        msg("you have an order file"),
    )


def _write(desk: Desk, number: int, exercise: Exercise, orders: str) -> Iterator[Step]:
    """The file of an exercise: written and tried out, then sent."""
    name = "orders.yaml" if number == 1 else f"orders-{number}.yaml"
    shown = "".join(f"  {line}\n" for line in orders.splitlines())
    write = speak("Write this into {file} and try it out:", file=name)
    said = f"{text(exercise.text)}\n\n{write}\n\n{shown}\n  pbem check {name} -g mine"
    sent = _sent(number)
    yield Step(
        exercise.title,
        said,
        lambda desk: None if sent(desk) is None else _draft_not_legal(desk, name, orders),
        msg("your orders are legal"),
    )
    told = speak("From now on nobody can change them, you neither. In mine/outbox is the file, and the same as a mail.")
    option = ""
    if exercise.leaves_undone:
        option, told = " --yes", told + "\n" + speak("`--yes`: what the file leaves undone is meant; without it pbem asks.")
    yield Step(msg("Sign and send"), f"  pbem send {name} -g mine{option}\n\n{told}", sent, exercise.praise, answer)


def _sent(number: int) -> Callable[[Desk], Message | None]:
    def missing(desk: Desk) -> Message | None:
        return None if len(_own_files(desk)) >= number else msg("your orders are not in your log yet")

    return missing


def _receive(after: int) -> Step:
    """All that the opponent sent since the reader's file of that number; later ones belong to later steps."""
    told = speak("His mail lies in `post`. A folder, a file, a mailbox or pasted text will do:")
    return Step(
        msg("Receive the answer") if after else msg("Receive what Nowak sent first"),
        f"{told}\n\n  pbem receive post -g mine",
        lambda desk: None if len(_own_files(desk)) > after else _not_received(desk),
        msg("you have all that Nowak sent; his links made the dice, and your program has checked them"),
        answer,
    )


def _read(desk: Desk) -> Iterator[Step]:
    yield Step(
        msg("Read what happened"),
        speak("As text, and as a page with the map (in pl, ru, fr, cs too: --language):")
        + "\n\n  pbem report -g mine --since-mine\n  pbem report -g mine --since-mine --out report.html",
        _no_report,
        msg("you have the report"),
    )
    rolled = desk.session().table.ledger.rolled
    if not rolled:
        return
    first = rolled[0].source
    yield Step(
        msg("Ask for a proof"),
        speak("Every roll can be explained, and proved to a stranger who does not have pbem:")
        + f"\n\n  pbem dice {first} -g mine\n  pbem prove {first} proof -g mine",
        _no_proof,
        msg("`sh check.sh` in `proof` checks the roll with ssh-keygen, sha256sum and openssl alone"),
    )


def _steps(desk: Desk) -> Iterator[Step]:
    """Every step up to the one that is not done; what comes after it depends on the dice."""
    lesson, at, number = desk.lesson, 0, 0
    yield from _begins(lesson)
    if lesson.opponent_begins:
        yield _receive(0)
    yield _look()
    while True:
        written = _own_files(desk)
        if number >= len(lesson.exercises) + SPARE:
            return
        if number < len(written):  # an earlier one
            at, exercise = _next(lesson, at, written[number])
            orders = ""
        elif at >= len(lesson.exercises) or desk.session().table.due.player != desk.session().me.player:
            return
        else:
            at, exercise = _next(lesson, at, _kind(desk.session().table.engine.request))
            exercise, orders = _with_file(desk.session(), exercise)
        number += 1
        yield from _write(desk, number, exercise, orders)
        yield _receive(number)
        if number == 1:
            yield from _read(desk)


def _next(lesson: Lesson, at: int, kind: str) -> tuple[int, Exercise]:
    """The first exercise from `at` on for a question of this kind, and where to look for the one after it."""
    for place, exercise in enumerate(lesson.exercises[at:], at):
        if exercise.asked == kind:
            return place + 1, exercise
    return at, UNFORESEEN


def _with_file(session: Session, exercise: Exercise) -> tuple[Exercise, str]:
    """An exercise with its file; with that of the bot where the lesson has none that stands after these dice."""
    engine, due = session.table.engine, session.table.due
    asked = engine.request
    prepared = exercise.orders(engine.state, asked, local.own_cards(session, due.seat)) if isinstance(asked, Ask) else ""
    if prepared and _stands(session, prepared):
        return exercise, prepared
    text = UNFORESEEN.text if prepared else exercise.text
    return replace(exercise, text=text, leaves_undone=True), _by_bot(session)


def _by_bot(session: Session) -> str:
    """The bot's orders as a person would write them, or where that would not be the same file, in its own notation."""
    orders = local.bot_orders(session)
    plain: str = yaml.safe_dump({"orders": orders}, sort_keys=False, allow_unicode=True)
    desk = session.desk("orders:\n")
    try:
        for order in orders:
            desk.take((order,))
    except (Refused, Rejected):
        return plain
    named = ID.sub(lambda id: _name(session, id[0]), desk.sheet.text)
    return next((text for text in (named, desk.sheet.text) if _stands(session, text)), plain)


def _name(session: Session, id: str) -> str:
    """What a unit is called; a word that is no unit's id stays."""
    known = session.game.words().named(session.table.engine.state, id)
    return id if known is None or known.plural else english(known)


def _stands(session: Session, orders: str) -> bool:
    from pbem.cli.sending import read_orders

    try:
        session.try_out(read_orders(session, orders.encode()).draft)
    except (Refused, ProtocolError):
        return False
    return True


UNFORESEEN = Exercise(
    "",
    msg("Answer what is asked"),
    msg("What the dice brought was not to be foreseen; these orders are those that the bot would give."),
    lambda g, ask, own: "",
    msg("your answer has gone to Nowak"),
)


# -- the command ----------------------------------------------------------------------------------------------------------


def tutorial(folder: Path, system: str, level: str = NORMAL) -> None:
    """Say which steps are done and what comes next; begin where there is no tutorial yet. Raises Rejected."""
    if not folder.exists():
        desk = _begin(folder, games.load(system), local.checked_level(level))
        print(harmless(speak("A folder for the tutorial: {folder}. Everything happens in there:", folder=str(folder))))
        print(harmless(f"\n  cd {folder}\n"))
        print(speak("After each step start `pbem tutorial` again: it looks at what you did and goes on."))
    elif not (folder / MARK).exists():
        raise unreadable(msg("{folder} is not a folder of the tutorial", folder=str(folder)))
    else:
        name, *told = (folder / MARK).read_text().split()
        desk = Desk(folder, games.load(name), local.checked_level(told[0] if told else NORMAL))
    print(harmless(guidance(desk)))


def guidance(desk: Desk) -> str:
    """What was done last and the first step that is not done, the opponent's answers to all done ones being there."""
    praise = ""
    for number, step in enumerate(_steps(desk), 1):
        missing = step.missing(desk)
        head = speak("Done: {praise}.", praise=praise) + "\n\n" if praise else "\n"
        if missing is not None:
            title = speak("Step {n}: {title}", n=number, title=step.title)
            still = speak("(Still open: {missing}.)", missing=missing)
            return f"{head}{title}\n\n{step.text}\n\n{still}"
        step.after(desk)
        praise = text(step.praise)
    told = [speak("Done: {praise}.", praise=praise), text(desk.lesson.end), text(END), text(dues.told(desk.session()))]
    return "\n\n".join(told)


def _begin(folder: Path, game: games.Module, level: str) -> Desk:
    desk = Desk(folder, game, level)
    lesson = desk.lesson
    desk.folder.mkdir(parents=True)
    (desk.folder / MARK).write_text(f"{game.name} {desk.level}\n")
    with own_keys(desk.folder / "nowak"):
        setup.new(desk.theirs, game.name, lesson.scenario, list(lesson.options), "72h")
        setup.join(desk.theirs, None, "nowak", [seat for seat in game.seats if seat not in lesson.seats])
    shutil.copy(desk.theirs / "charter.yaml", desk.folder / "charter.yaml")
    return desk


def here_or(folder: Path) -> Path:
    """The current folder when the tutorial runs in it, else the one named."""
    return Path() if Path(MARK).exists() else folder

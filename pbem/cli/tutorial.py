"""The tutorial: a first turn of Pacific 1940 against a prepared opponent, with the commands of a real game.

Every start looks at what the reader's game folder holds, says which step is done and what the next one is; nothing else is
remembered. The opponent answers as soon as a file of the reader is there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.cli import local, setup
from pbem.cli.shell import harmless
from pbem.cli.speech import speak, text
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import NO_WORDS, Argument, Message, linked, msg
from pbem.protocol import charter
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.taking import Refused
from pbem.store import dues
from pbem.store.folder import GameFolder
from pbem.store.paths import own_keys
from pbem.store.session import Session

MARK = "tutorial.txt"
ALLIES = ("united-states", "china", "united-kingdom", "anzac")
FIRST_ORDERS = """\
orders:
  - buy: 4 infantry, 1 transport
  - done
  - move: 3 infantry, 1 artillery from Kwangsi to Yunnan
  - done
standing:
  casualties: cheapest first
  battle: any
  retreat:
    - {when: own-strength < enemy-strength, do: retreat}
    - {do: press}
note:
  - Good luck.
"""
SECOND_ORDERS = """\
orders:
  - move: 1 infantry from Manchuria to Jehol
  - done
  - place: 4 infantry in Japan
  - place: 1 transport in SZ 6
"""


@dataclass(frozen=True, slots=True)
class Desk:
    """The tutorial's folder: the reader's game in `mine`, the opponent's in `nowak`, and the post between them."""

    folder: Path

    @property
    def mine(self) -> GameFolder:
        return GameFolder(self.folder / "mine")

    @property
    def theirs(self) -> Path:
        return self.folder / "nowak" / "game"

    def session(self) -> Session:
        """The reader's game."""
        return Session.open(self.folder / "mine")


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do. `missing`: what is not done yet, None when all is; `after`: what the opponent then does."""

    title: Message
    text: Message
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
    return None if "japan" in seated(me.player) else msg("{player} has no seat in Japan", player=me.player)


def _not_signed(desk: Desk) -> Message | None:
    if desk.mine.is_running:
        return None
    me = desk.mine.secrets()
    signed = desk.mine.draft().get("signatures") or {}
    done = me and isinstance(signed, dict) and me.player in signed
    return None if done else msg("your signature is not under the charter yet")


def _not_running(desk: Desk) -> Message | None:
    return None if desk.mine.is_running else msg("the charter with both signatures is not in your folder yet")


def _no_draft(desk: Desk) -> Message | None:
    return None if (desk.folder / "orders.yaml").exists() or _files(desk) else _no_file("orders.yaml")


def _no_file(name: str) -> Message:
    return msg("there is no {name} yet", name=name)


def _draft_not_legal(name: str, files: int, orders: int) -> Callable[[Desk], Message | None]:
    def missing(desk: Desk) -> Message | None:
        if _files(desk) > files:
            return None
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
        few = msg("{name} holds {number} orders: write those above", name=name, number=len(draft.orders))
        return None if len(draft.orders) >= orders else few

    return missing


def _not_sent(files: int) -> Callable[[Desk], Message | None]:
    return lambda desk: None if _files(desk) >= files else msg("file {seq} is not in your log yet", seq=files)


def _no_report(desk: Desk) -> Message | None:
    path = desk.folder / "report.html"
    if not path.exists():
        return _no_file("report.html")
    mine = desk.session().charter.game_id[:16] in path.read_text("utf-8")
    return None if mine else msg("report.html is of another game")


def _no_proof(desk: Desk) -> Message | None:
    return None if (desk.folder / "proof" / "check.sh").exists() else msg("there is no folder `proof` yet")


def _turn_not_sent(desk: Desk) -> Message | None:
    if _files(desk) >= 3:
        return None
    return _draft_not_legal("turn.yaml", 2, 4)(desk) or msg("turn.yaml is not sent yet")


def _files(desk: Desk) -> int:
    return desk.session().table.last if desk.mine.is_running else 0


# -- what the opponent does ---------------------------------------------------------------------------------------------


def _sign(desk: Desk) -> None:
    """The opponent signs the reader's charter and sends it back."""
    if desk.mine.is_running or GameFolder(desk.theirs).is_running:
        return
    with own_keys(desk.folder / "nowak"):
        setup.accept(desk.theirs, desk.folder / "mine" / "charter.yaml")
    shutil.copy(desk.theirs / "charter.yaml", desk.folder / "from-nowak.yaml")


def _answer(desk: Desk) -> None:
    """The opponent takes what the reader sent, answers, and plays until the reader is due; his mails come to `post`."""
    with own_keys(desk.folder / "nowak"), Session.at_work(desk.theirs) as nowak:
        reader = desk.session()
        for seq in range(nowak.table.last + 1, reader.table.last + 1):
            nowak.take(dict(reader.folder.fetch(seq)))
        while nowak.table.due.player == "nowak":
            orders = [] if nowak.table.due.what in AUTOMATIC else local.bot_orders(nowak)
            nowak.write(Draft(orders))
    post = desk.folder / "post"
    post.mkdir(exist_ok=True)
    for mail in (desk.theirs / "outbox").glob("*.eml"):
        shutil.copy(mail, post / mail.name)


# -- the steps ----------------------------------------------------------------------------------------------------------


def _indented(lines: str) -> str:
    return "".join(f"  {line}\n" for line in lines.splitlines())


def _shown(first: Message, *commands: str, then: Message | None = None) -> Message:
    """What is to be done, the commands for it on lines of their own, and what is to be said of them."""
    listed = "\n".join(f"  {command}" for command in commands)
    parts: list[Argument] = [first, listed] if first.id else [listed]
    return linked("\n\n", *parts, *([then] if then else []))


STEPS: tuple[Step, ...] = (
    Step(
        msg("Take a seat"),
        _shown(
            msg(
                "Nowak has drafted a charter: what is played, under which rules, who sits where. It lies here as "
                "charter.yaml.\nLook at it, then take Japan under any name:"
            ),
            "pbem join charter.yaml --as yamada --seats japan -g mine",
        ),
        _no_seat,
        msg("you have a seat, a key, and a chain of secret values for the dice"),
    ),
    Step(
        msg("Sign the charter"),
        _shown(msg("Compare what it says, and sign it:"), "pbem accept -g mine"),
        _not_signed,
        msg("the charter has your signature; Nowak has signed too and sent it back"),
        _sign,
    ),
    Step(
        msg("Begin"),
        _shown(
            msg(
                "His copy with both signatures is from-nowak.yaml. In a real game you now compare the game id with him by "
                "telephone:\nthat is the one thing that mail cannot prove."
            ),
            "pbem accept from-nowak.yaml -g mine",
        ),
        _not_running,
        msg("the game has begun"),
    ),
    Step(
        msg("See what is asked"),
        _shown(
            NO_WORDS,
            "pbem status -g mine",
            "pbem orders -g mine --to orders.yaml",
            then=msg("The second writes an order file with some legal orders as comments."),
        ),
        _no_draft,
        msg("you have an order file"),
    ),
    Step(
        msg("Write orders and try them out"),
        msg(
            "Replace the content of orders.yaml by this: buy units, end the phase with `done`, march into Yunnan, end the "
            "combat\nmoves. The standing orders answer what is asked between the dice, so that the battle needs one exchange "
            "of files.\n\n{orders}\n{command}\n\nTry a mistake too: 200 infantry, or a march to Hawaii; `check` signs nothing.",
            orders=_indented(FIRST_ORDERS),
            command="  pbem check orders.yaml -g mine",
        ),
        _draft_not_legal("orders.yaml", 0, 4),
        msg("your orders are legal"),
    ),
    Step(
        msg("Sign and send"),
        _shown(
            NO_WORDS,
            "pbem send orders.yaml -g mine",
            then=msg("From now on nobody can change them, you neither. In mine/outbox is the file, and the same as a mail."),
        ),
        _not_sent(1),
        msg("your file has gone to Nowak; his program has turned the dice and answered"),
        _answer,
    ),
    Step(
        msg("Receive the answer"),
        _shown(
            msg("His mail lies in `post`. A folder, a file, a mailbox or pasted text will do:"), "pbem receive post -g mine"
        ),
        _not_sent(2),
        msg("his link made the dice, and your program has checked them"),
    ),
    Step(
        msg("Read what happened"),
        _shown(
            msg("As text, and as a page with the map (in pl, ru, fr, cs too: --language):"),
            "pbem report -g mine --since-mine",
            "pbem report -g mine --since-mine --out report.html",
        ),
        _no_report,
        msg("you have the report"),
    ),
    Step(
        msg("Ask for a proof"),
        _shown(
            msg("Every roll can be explained, and proved to a stranger who does not have pbem:"),
            "pbem dice 1 -g mine",
            "pbem prove 1 proof -g mine",
        ),
        _no_proof,
        msg("`sh check.sh` in `proof` checks the roll with ssh-keygen, sha256sum and openssl alone"),
    ),
    Step(
        msg("Finish the turn"),
        msg(
            "The battle is over; noncombat moves and new units are left. Write this into turn.yaml:\n\n{orders}\n{commands}",
            orders=_indented(SECOND_ORDERS),
            commands="  pbem check turn.yaml -g mine\n  pbem send turn.yaml -g mine",
        ),
        _turn_not_sent,
        msg("your turn is over; Nowak has played on until something is asked of you or your dice"),
        _answer,
    ),
    Step(
        msg("Receive, and check everything"),
        _shown(
            NO_WORDS,
            "pbem receive post -g mine",
            "pbem verify -g mine",
            then=msg("`verify` plays the whole game again from the charter: signatures, chain, dice and rules."),
        ),
        _not_sent(4),
        msg("your first turn of Pacific 1940 lies behind you"),
    ),
)
END = msg(
    "That is all there is to a game by mail: `receive`, `report`, `check`, `send`. You can go on here as long as you like: "
    "after\nevery file that you send, `pbem tutorial` lets Nowak answer into `post`. `pbem play FOLDER --bot` is the same "
    "without files,\n`pbem COMMAND --help` has an example each, and `pbem manual` has the rest."
)


def tutorial(folder: Path) -> None:
    """Say which steps are done and what comes next; begin where there is no tutorial yet. Raises Rejected."""
    desk = Desk(folder)
    if not folder.exists():
        _begin(desk)
        where = speak("A folder for the tutorial: {folder}. Everything happens in there:", folder=str(folder))
        again = speak("After each step start `pbem tutorial` again: it looks at what you did and goes on.")
        print(harmless(f"{where}\n\n  cd {folder}\n\n{again}"))
    elif not (folder / MARK).exists():
        raise unreadable(msg("{folder} is not a folder of the tutorial", folder=str(folder)))
    print(harmless(guidance(desk, STEPS)))


def guidance(desk: Desk, steps: Sequence[Step]) -> str:
    """What was done last and the first step that is not done, the opponent's answers to all done ones being there."""
    done = ""
    for number, step in enumerate(steps, 1):
        missing = step.missing(desk)
        if missing:
            head = speak("Step {number} of {steps}: {title}", number=number, steps=len(steps), title=step.title)
            still = speak("(Still open: {missing}.)", missing=missing)
            return "\n\n".join([done, head, text(step.text), still])
        step.after(desk)
        done = speak("Done: {praise}.", praise=step.praise)
    return "\n\n".join([done, text(END), speak("Now: {command}", command=dues.told(desk.session()))])


def _begin(desk: Desk) -> None:
    desk.folder.mkdir(parents=True)
    (desk.folder / MARK).write_text("Start `pbem tutorial` in this folder.\n")
    with own_keys(desk.folder / "nowak"):
        setup.new(desk.theirs, "axis-and-allies-pacific", "spring-1940", [], "72h")
        setup.join(desk.theirs, None, "nowak", list(ALLIES))
    shutil.copy(desk.theirs / "charter.yaml", desk.folder / "charter.yaml")


def here_or(folder: Path) -> Path:
    """The current folder when the tutorial runs in it, else the one named."""
    return Path() if Path(MARK).exists() else folder

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
from pbem.kernel.orders import unreadable
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
    """Something to do. `missing`: what is not done yet, empty when all is; `after`: what the opponent then does."""

    title: str
    text: str
    missing: Callable[[Desk], str]
    praise: str
    after: Callable[[Desk], None] = lambda desk: None


# -- what the reader has done -------------------------------------------------------------------------------------------


def _no_seat(desk: Desk) -> str:
    if not desk.mine.exists:
        return "there is no game folder `mine` yet"
    draft = desk.mine.log.files()[0] if desk.mine.is_running else desk.mine.draft()
    seated = charter.read_charter(draft).seats_of
    me = desk.mine.secrets()
    if me is None:
        return "nobody has joined in `mine` yet"
    return "" if "japan" in seated(me.player) else f"{me.player} has no seat in Japan"


def _not_signed(desk: Desk) -> str:
    if desk.mine.is_running:
        return ""
    me = desk.mine.secrets()
    signed = desk.mine.draft().get("signatures") or {}
    return "" if me and isinstance(signed, dict) and me.player in signed else "your signature is not under the charter yet"


def _not_running(desk: Desk) -> str:
    return "" if desk.mine.is_running else "the charter with both signatures is not in your folder yet"


def _no_draft(desk: Desk) -> str:
    return "" if (desk.folder / "orders.yaml").exists() or _files(desk) else "there is no orders.yaml yet"


def _draft_not_legal(name: str, files: int, orders: int) -> Callable[[Desk], str]:
    def missing(desk: Desk) -> str:
        if _files(desk) > files:
            return ""
        path = desk.folder / name
        if not path.exists():
            return f"there is no {name} yet"
        from pbem.cli.sending import read_orders

        try:
            session = desk.session()
            draft = read_orders(session, path.read_bytes()).draft
            session.try_out(draft)
        except Refused as error:
            return "\n  ".join([f"the rules refuse {name}:", *(f"order {(p.order or 0) + 1}: {p}" for p in error.problems)])
        except ProtocolError as error:
            return f"{name} cannot be read: {error}"
        return "" if len(draft.orders) >= orders else f"{name} holds {len(draft.orders)} orders: write those above"

    return missing


def _not_sent(files: int) -> Callable[[Desk], str]:
    return lambda desk: "" if _files(desk) >= files else f"file {files} is not in your log yet"


def _no_report(desk: Desk) -> str:
    path = desk.folder / "report.html"
    if not path.exists():
        return "there is no report.html yet"
    return "" if desk.session().charter.game_id[:16] in path.read_text("utf-8") else "report.html is of another game"


def _no_proof(desk: Desk) -> str:
    return "" if (desk.folder / "proof" / "check.sh").exists() else "there is no folder `proof` yet"


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

STEPS: tuple[Step, ...] = (
    Step(
        "Take a seat",
        "Nowak has drafted a charter: what is played, under which rules, who sits where. It lies here as charter.yaml.\n"
        "Look at it, then take Japan under any name:\n\n"
        "  pbem join charter.yaml --as yamada --seats japan -g mine",
        _no_seat,
        "you have a seat, a key, and a chain of secret values for the dice",
    ),
    Step(
        "Sign the charter",
        "Compare what it says, and sign it:\n\n  pbem accept -g mine",
        _not_signed,
        "the charter has your signature; Nowak has signed too and sent it back",
        _sign,
    ),
    Step(
        "Begin",
        "His copy with both signatures is from-nowak.yaml. In a real game you now compare the game id with him by telephone:\n"
        "that is the one thing that mail cannot prove.\n\n"
        "  pbem accept from-nowak.yaml -g mine",
        _not_running,
        "the game has begun",
    ),
    Step(
        "See what is asked",
        "\n  pbem status -g mine\n  pbem orders -g mine --to orders.yaml\n\n"
        "The second writes an order file with some legal orders as comments.",
        _no_draft,
        "you have an order file",
    ),
    Step(
        "Write orders and try them out",
        "Replace the content of orders.yaml by this: buy units, end the phase with `done`, march into Yunnan, end the combat\n"
        "moves. The standing orders answer what is asked between the dice, so that the battle needs one exchange of files.\n\n"
        + "".join(f"  {line}\n" for line in FIRST_ORDERS.splitlines())
        + "\n  pbem check orders.yaml -g mine\n\n"
        "Try a mistake too: 200 infantry, or a march to Hawaii; `check` signs nothing.",
        _draft_not_legal("orders.yaml", 0, 4),
        "your orders are legal",
    ),
    Step(
        "Sign and send",
        "\n  pbem send orders.yaml -g mine\n\n"
        "From now on nobody can change them, you neither. In mine/outbox is the file, and the same as a mail.",
        _not_sent(1),
        "your file has gone to Nowak; his program has turned the dice and answered",
        _answer,
    ),
    Step(
        "Receive the answer",
        "His mail lies in `post`. A folder, a file, a mailbox or pasted text will do:\n\n  pbem receive post -g mine",
        _not_sent(2),
        "his link made the dice, and your program has checked them",
    ),
    Step(
        "Read what happened",
        "As text, and as a page with the map (in pl, ru, fr, cs too: --language):\n\n"
        "  pbem report -g mine --since-mine\n"
        "  pbem report -g mine --since-mine --out report.html",
        _no_report,
        "you have the report",
    ),
    Step(
        "Ask for a proof",
        "Every roll can be explained, and proved to a stranger who does not have pbem:\n\n"
        "  pbem dice 1 -g mine\n"
        "  pbem prove 1 proof -g mine",
        _no_proof,
        "`sh check.sh` in `proof` checks the roll with ssh-keygen, sha256sum and openssl alone",
    ),
    Step(
        "Finish the turn",
        "The battle is over; noncombat moves and new units are left. Write this into turn.yaml:\n\n"
        + "".join(f"  {line}\n" for line in SECOND_ORDERS.splitlines())
        + "\n  pbem check turn.yaml -g mine\n  pbem send turn.yaml -g mine",
        lambda desk: "" if _files(desk) >= 3 else _draft_not_legal("turn.yaml", 2, 4)(desk) or "turn.yaml is not sent yet",
        "your turn is over; Nowak has played on until something is asked of you or your dice",
        _answer,
    ),
    Step(
        "Receive, and check everything",
        "\n  pbem receive post -g mine\n  pbem verify -g mine\n\n"
        "`verify` plays the whole game again from the charter: signatures, chain, dice and rules.",
        _not_sent(4),
        "your first turn of Pacific 1940 lies behind you",
    ),
)
END = """\
That is all there is to a game by mail: `receive`, `report`, `check`, `send`. You can go on here as long as you like: after
every file that you send, `pbem tutorial` lets Nowak answer into `post`. `pbem play FOLDER --bot` is the same without files,
`pbem COMMAND --help` has an example each, and `pbem manual` has the rest."""


def tutorial(folder: Path) -> None:
    """Say which steps are done and what comes next; begin where there is no tutorial yet. Raises Rejected."""
    desk = Desk(folder)
    if not folder.exists():
        _begin(desk)
        where = f"A folder for the tutorial: {folder}. Everything happens in there:\n\n  cd {folder}\n"
        print(harmless(f"{where}\nAfter each step start `pbem tutorial` again: it looks at what you did and goes on."))
    elif not (folder / MARK).exists():
        raise unreadable(f"{folder} is not a folder of the tutorial")
    print(harmless(guidance(desk, STEPS)))


def guidance(desk: Desk, steps: Sequence[Step]) -> str:
    """What was done last and the first step that is not done, the opponent's answers to all done ones being there."""
    praise = ""
    for number, step in enumerate(steps, 1):
        missing = step.missing(desk)
        if missing:
            head = f"Done: {praise}.\n\n" if praise else "\n"
            text = step.text.lstrip("\n")
            return f"{head}Step {number} of {len(steps)}: {step.title}\n\n{text}\n\n(Still open: {missing}.)"
        step.after(desk)
        praise = step.praise
    return f"Done: {praise}.\n\n{END}\n\nNow: {dues.told(desk.session())}"


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

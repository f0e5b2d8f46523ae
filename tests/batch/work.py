"""Work for tests, where a worker's process can import it."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pbem.kernel.canon import Plain


def square(arguments: Mapping[str, Plain]) -> Plain:
    """After some time; a line of the file `seen` for each time that it is done."""
    n, seen = int(str(arguments["n"])), arguments.get("seen")
    if seen:
        with Path(str(seen)).open("a") as file:
            file.write(f"{n} {os.getpid()}\n")
    time.sleep(int(str(arguments.get("ms", 0))) / 1000)
    return {"n": n, "square": n * n}


def fatal(arguments: Mapping[str, Plain]) -> Plain:
    """Kills the process that does it: the first time alone, or every time where no file notes it."""
    mark = Path(str(arguments["mark"])) if arguments.get("mark") else None
    if mark is None or not mark.exists():
        if mark is not None:
            mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def wrong(arguments: Mapping[str, Plain]) -> Plain:
    """Raises what the job says."""
    raise ValueError(str(arguments["why"]))


def counted(seed: int) -> Counter[str]:
    """A run of a kind of full runs: a line in the file that the environment names for each time that it is done."""
    with Path(os.environ["COUNTED"]).open("a") as file:
        file.write(f"{seed}\n")
    return Counter({"things": seed, "nothing": 0})


WORK = {"square": square, "fatal": fatal, "wrong": wrong}

"""`pbem check` tells what orders bind their writer to later in his turn."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands import must, run

ORDERS = ("done", "declare war: united-states", "move: 1 fighter from SZ 6 to SZ 26", "engage: transports in SZ 26")
TOLD = "Japan counts on a carrier for what is in the air in sea zone 26: 1 fighter"


def test_check_tells_of_aircraft_that_count_on_a_carrier(tmp_path: Path) -> None:
    """[AMB-PLEDGE] Before the phase is ended and after it; nothing is told where nothing is promised."""
    run("play", str(tmp_path / "g"), "--bot", "--side", "axis")
    folder = tmp_path / "g" / "axis"
    for orders, told in ((ORDERS[:2], []), (ORDERS, [TOLD]), ((*ORDERS, "done"), [TOLD])):
        words = [word for order in orders for word in ("--order", order)]
        assert json.loads(must("check", *words, "--game", str(folder), "--json"))["promises"] == told
        assert (f"Mind: {TOLD}" in must("check", *words, "--game", str(folder))) == bool(told)

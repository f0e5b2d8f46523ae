"""The first round of a game by hand from the rules: five sheets of signed orders, stated dice, the end worked out on paper.

Nothing below was copied from the program's output. The remarks in the sheets say what the rules make of each line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.protocol.keys import public_text
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.sshsig import sign, verify
from pbem.protocol.strict_yaml import read_document
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.stage import GameStage
from tests.case_driver import Case

JAPAN = """
japan: buy: 1 transport, 5 infantry, 1 artillery        # 7 + 15 + 4 = 26, nothing left [PUR-01]
japan: done
japan: declare war: united-kingdom                      # and so on ANZAC [POL-UK-01]; not on the United States
japan: bomb: 1 bomber from Manchuria to Kwangtung       # four spaces out, two left for Kiangsu [AIR-01]
japan: move: 3 infantry, 1 artillery from Kwangsi to Kwangtung
japan: move: 1 fighter, 1 tac from Kiangsu to Kwangtung
japan: move: 3 infantry, 1 artillery from Kiangsi to Hunan
japan: move: 2 infantry from Siam to Shan State         # empty: taken without dice [AMB-EMPTY-TAKE]
japan: load: 1 infantry, 1 tank from Japan in SZ 6
japan: move: 1 loaded transport from SZ 6 to SZ 36      # three zones from the naval base [BASE-02]
japan: assault: 1 infantry, 1 tank from SZ 36 to French Indo-China    # at any time [POL-JP-05]
japan: load: 1 infantry from Caroline Islands in SZ 33
japan: move: 1 transport from SZ 33 to SZ 46
japan: assault: 1 infantry from SZ 46 to New Guinea
japan: move: 1 destroyer from SZ 33 to SZ 47
japan: move: 1 fighter, 1 tac from SZ 33 to SZ 47       # off their carrier, which stays [CVM-01]
japan: engage: submarines in SZ 47
japan: done
dice "its guns": 4                                      # the naval base misses the bomber [SBR-06]
dice "1 bombers": 3                                     # three points on the naval base [SBR-07]
japan: battle: French Indo-China                        # assaults first [CC-01]
japan: battle: New Guinea
japan: battle: SZ 47
dice "round 1: japan 1 tactical-bomber at 4": 5         # lifted by the fighter
dice "round 1: japan 1 fighter at 3": 6
dice "round 1: japan 1 destroyer at 2": 2               # the submarine is hit and fires back [GC-11]
dice "round 1: anzac 1 submarine at 1": 1               # it cannot hit aircraft: the destroyer goes down [GC-08]
japan: battle: Kwangtung
dice "round 1: japan 1 tactical-bomber at 4": 4
dice "round 1: japan 1 fighter at 3": 5
dice "round 1: japan 1 infantry, 1 artillery at 2": 3 6
dice "round 1: japan 2 infantry at 1": 2 4
dice "round 1: united-kingdom 2 infantry at 2": 1 5
japan: casualties: 1 infantry
japan: press
dice "round 2: japan 1 tactical-bomber at 4": 6
dice "round 2: japan 1 fighter at 3": 3
dice "round 2: japan 1 infantry, 1 artillery at 2": 5 5
dice "round 2: japan 1 infantry at 1": 6
dice "round 2: united-kingdom 1 infantry at 2": 4
japan: battle: Hunan
dice "round 1: japan 1 infantry, 1 artillery at 2": 1 4
dice "round 1: japan 2 infantry at 1": 5 5
dice "round 1: china 1 infantry at 2": 2
japan: casualties: 1 infantry
japan: move: 1 fighter, 1 tac from SZ 47 to SZ 33
japan: move: 1 fighter, 1 tac from Kwangtung to Kiangsu
japan: move: 1 bomber from Kwangtung to Kiangsu
japan: move: 2 infantry from Jehol to Shantung
japan: move: 1 mech from Manchuria to Shantung via Jehol
japan: move: 1 infantry from Korea to Manchuria
japan: load: 2 infantry from Japan in SZ 6
japan: unload: 2 infantry from SZ 6 to Korea
japan: move: 1 destroyer from SZ 6 to SZ 19
japan: done
japan: place: 5 infantry, 1 artillery in Japan
japan: place: 1 transport in SZ 6
united-kingdom: convoy: raid                            # the battleship off Siam and Shan State costs one [CONV-02]
"""  # income 26 + Kwangtung 3 + Indo-China 2 + Hunan 1 + Shan State 1 - 1 = 32

UNITED_STATES = """
united-states: buy: 1 transport, 1 destroyer            # 15 of 17
united-states: done
united-states: declare war: japan                       # Japan opened war on the United Kingdom [POL-US-01]
united-states: load: 2 infantry from Philippines in SZ 35
united-states: move: 1 transport from SZ 35 to SZ 34
united-states: assault: 2 infantry from SZ 34 to Palau Island
united-states: move: 1 destroyer from SZ 35 to SZ 36
united-states: move: 1 fighter from Philippines to SZ 36
united-states: engage: transports in SZ 36              # sunk without dice [GC-16]
united-states: move: 1 bomber from Philippines to Formosa
united-states: done
dice "battle for Palau Island, round 1: united-states 2 infantry at 1": 1 3
dice "battle for Palau Island, round 1: japan 1 infantry at 2": 1
united-states: battle: SZ 36
dice "battle for Formosa, round 1: united-states 1 strategic-bomber at 4": 2
dice "battle for Formosa, round 1: japan 1 fighter at 4": 6
united-states: move: 1 fighter from SZ 36 to Philippines
united-states: move: 1 bomber from Formosa to Philippines
united-states: load: 1 infantry, 1 tank from Western United States in SZ 10
united-states: move: 1 loaded transport, 1 destroyer, 1 cruiser, 1 battleship from SZ 10 to SZ 26 via SZ 12
united-states: unload: 1 infantry, 1 tank from SZ 26 to Hawaiian Islands
united-states: done
united-states: place: 1 transport, 1 destroyer in SZ 10
"""  # income 17 + war economy 40 + Philippines 5 = 62, and 2 kept

CHINA = """
china: buy: 2 artillery, 1 infantry                     # the Burma Road is open [CHN-08]; 11 of 12
china: done
china: move: 3 infantry from Yunnan to Hunan
china: move: 1 infantry from Kweichow to Hunan
china: move: 1 fighter from Szechwan to Hunan
china: done
dice "round 1: china 1 fighter at 3": 3
dice "round 1: china 4 infantry at 1": 1 2 6 6
japan: casualties: 2 infantry
dice "round 1: japan 2 infantry, 1 artillery at 2": 1 4 5
china: casualties: 1 infantry
china: press
dice "round 2: china 1 fighter at 3": 4
dice "round 2: china 3 infantry at 1": 1 5 6
dice "round 2: japan 1 artillery at 2": 6
china: move: 1 fighter from Hunan to Szechwan
china: move: 2 infantry from Szechwan to Yunnan
china: done
china: place: 2 artillery in Yunnan
china: place: 1 infantry in Hunan                       # captured in this very turn [CHN-09]
"""  # income 12 + Burma Road 6 = 18, and 1 kept

UNITED_KINGDOM = """
united-kingdom: buy: 1 fighter, 2 infantry              # 16 of 16
united-kingdom: done
united-kingdom: load: 1 infantry from Malaya in SZ 37
united-kingdom: assault: 1 infantry from SZ 37 to Shan State
united-kingdom: move: 2 infantry from Malaya to Shan State
united-kingdom: move: 1 fighter from Burma to Shan State
united-kingdom: done
united-kingdom: bombard: 1 battleship                   # one unit lands, one ship fires [AMP-04]
dice "bombardment of Shan State: united-kingdom 1 battleship at 4": 3
dice "round 1: united-kingdom 1 fighter at 3": 2
dice "round 1: united-kingdom 3 infantry at 1": 5 5 5
dice "round 1: japan 2 infantry at 2": 2 6              # the one hit by the guns fires as well [AMP-05]
united-kingdom: casualties: 1 infantry
united-kingdom: move: 1 fighter from Shan State to Burma
united-kingdom: load: 1 infantry from Malaya in SZ 37
united-kingdom: move: 1 loaded transport from SZ 37 to SZ 41
united-kingdom: unload: 1 infantry from SZ 41 to Sumatra    # guardianship: British from now on [POL-UK-05]
united-kingdom: move: 1 destroyer, 1 cruiser from SZ 39 to SZ 37 via SZ 38
united-kingdom: move: 2 infantry from India to Burma
united-kingdom: move: 1 fighter from India to Burma
united-kingdom: done
united-kingdom: place: 1 fighter, 2 infantry in India
"""  # income 16 - Kwangtung 3 + Sumatra 4 = 17, objectives none, nothing kept

ANZAC = """
anzac: buy: 1 submarine, 1 infantry                     # 9 of 10
anzac: done
anzac: move: 1 transport, 1 destroyer from SZ 62 to SZ 54
anzac: load: 1 infantry, 1 artillery from Queensland in SZ 54
anzac: move: 1 transport, 1 destroyer from SZ 54 to SZ 46
anzac: engage: transports in SZ 46
anzac: assault: 1 infantry, 1 artillery from SZ 46 to New Guinea
anzac: done
dice "battle for New Guinea, round 1: anzac 1 infantry, 1 artillery at 2": 6 2
dice "battle for New Guinea, round 1: japan 1 infantry at 2": 5
anzac: move: 1 infantry from Malaya to Shan State
anzac: move: 1 fighter from New Zealand to Queensland
anzac: done
anzac: place: 1 submarine in SZ 62
anzac: place: 1 infantry in New South Wales
"""  # income 10, and 1 kept

UNITS_AT_THE_END = """
japan Caroline Islands: 1 aa-gun
japan Iwo Jima: 1 infantry
japan Japan: 10 infantry, 3 artillery, 1 aa-gun, 5 fighter, 4 tactical-bomber, 2 strategic-bomber
japan Jehol: 1 artillery
japan Kiangsu: 1 infantry, 1 fighter, 1 tactical-bomber, 2 strategic-bomber
japan Korea: 2 infantry
japan Kwangtung: 2 infantry, 1 artillery
japan Manchuria: 5 infantry, 1 artillery, 1 aa-gun, 3 fighter, 2 tactical-bomber
japan Okinawa: 1 infantry, 1 fighter
japan Shantung: 3 infantry, 1 mechanized-infantry
japan French Indo-China: 1 infantry, 1 tank
japan SZ 6: 2 fighter, 2 tactical-bomber, 2 transport, 1 submarine, 1 destroyer, 1 cruiser, 2 aircraft-carrier, 1 battleship
japan SZ 19: 1 submarine, 2 destroyer, 1 cruiser
japan SZ 33: 1 fighter, 1 tactical-bomber, 1 aircraft-carrier, 1 battleship
united-states Hawaiian Islands: 3 infantry, 1 tank, 1 fighter, 1 tactical-bomber, 1 strategic-bomber
united-states Philippines: 1 fighter, 1 strategic-bomber
united-states Palau Island: 1 infantry
united-states Western United States: 2 infantry, 1 mechanized-infantry, 1 artillery, 1 aa-gun, 1 fighter, \
1 tactical-bomber, 1 strategic-bomber
united-states SZ 10: 1 fighter, 1 tactical-bomber, 1 transport, 1 submarine, 1 destroyer, 1 aircraft-carrier
united-states SZ 26: 2 transport, 1 destroyer, 1 cruiser, 1 battleship
united-states SZ 34: 1 transport
united-states SZ 36: 1 destroyer
china Hunan: 4 infantry
china Shensi: 1 infantry
china Suiyuyan: 2 infantry
china Szechwan: 2 infantry, 1 fighter
china Yunnan: 2 infantry, 2 artillery
united-kingdom Burma: 3 infantry, 2 fighter
united-kingdom India: 4 infantry, 1 artillery, 1 aa-gun, 3 fighter, 1 tactical-bomber
united-kingdom Shan State: 2 infantry
united-kingdom Sumatra: 1 infantry
united-kingdom SZ 37: 1 transport, 1 destroyer, 1 cruiser, 1 battleship
united-kingdom SZ 41: 1 transport
anzac Shan State: 1 infantry
anzac New South Wales: 2 infantry
anzac New Zealand: 1 infantry, 2 fighter
anzac Queensland: 1 infantry, 2 fighter
anzac New Guinea: 1 infantry, 1 artillery
anzac SZ 46: 1 transport, 1 destroyer
anzac SZ 62: 1 submarine
"""
CASH_AT_THE_END = {"japan": 32, "united-states": 64, "china": 19, "united-kingdom": 17, "anzac": 11}
NEW_OWNERS = {
    "kwangtung": "japan",
    "french-indo-china": "japan",
    "palau-island": "united-states",
    "sumatra": "united-kingdom",
}
WARS_AT_THE_END = {"china japan", "japan united-kingdom", "anzac japan", "japan united-states"}


SHEETS = (JAPAN, UNITED_STATES, CHINA, UNITED_KINGDOM, ANZAC)
KEYS = {seat: Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number, seat in enumerate(CASH_AT_THE_END)}


@dataclass(frozen=True)
class Letter:
    """What one power writes in one turn: an order file and its signature."""

    seat: str
    text: str
    signature: str

    def orders(self) -> list[Any]:
        """The orders, once the signature is found good. Raises ProtocolError (bad signature)."""
        verify(public_text(KEYS[self.seat]), self.text.encode(), self.signature)
        found: list[Any] = read_document(self.text)[0]["orders"]  # type: ignore[index, call-overload, assignment]
        return found


def letters(sheet: str) -> dict[str, Letter]:
    """Each power's part of a sheet as it signs it."""
    written: dict[str, str] = {}
    for line in sheet.strip().splitlines():
        seat, _, order = line.partition(": ")
        if seat in KEYS:
            written[seat] = written.get(seat, "orders:\n") + f"  - {order}\n"
    return {seat: Letter(seat, text, sign(KEYS[seat], text.encode())) for seat, text in written.items()}


def play(stage: GameStage, sheet: str) -> None:
    """One sheet from the top: dice as stated, orders out of the signed letters."""
    waiting = {seat: iter(letter.orders()) for seat, letter in letters(sheet).items()}
    for line in sheet.strip().splitlines():
        stage._quiet(line)
        seat = line.partition(": ")[0]
        if seat not in KEYS:
            stage._dice(line.partition("#")[0].strip())
            continue
        ask = stage.engine.request
        assert isinstance(ask, Ask) and ask.seat == seat, f"{line}: {stage.engine.fingerprint}"
        stage.engine.reply(next(waiting[seat]))
    stage._quiet("")


@pytest.fixture(scope="module")
def stage() -> GameStage:
    """The whole round, played from the printed set-up."""
    played = GameStage(Case("round by hand", ""))
    played.engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), {}))
    for sheet in SHEETS:
        play(played, sheet)
    return played


def test_a_letter_that_was_changed_is_not_read() -> None:
    letter = letters(CHINA)["china"]
    forged = replace(letter, text=letter.text.replace("2 artillery, 1 infantry", "3 artillery"))
    with pytest.raises(ProtocolError):
        forged.orders()


@pytest.fixture
def end(stage: GameStage) -> State:
    state: State = stage.engine.state
    return state


def test_the_next_round_begins_with_japan(stage: GameStage, end: State) -> None:
    """[TURN-01] [VIC-02] Three cities: nobody has won."""
    assert (end.round, end.power, end.winner) == (2, "japan", "")
    assert stage.engine.request is not None


def test_every_unit_stands_where_it_was_worked_out(stage: GameStage, end: State) -> None:
    lines = UNITS_AT_THE_END.strip().splitlines()
    for line in lines:
        stage._then_units(end, line, line)
    written = Counter(line.partition(" ")[0] for line in lines)
    found = Counter(owner for owner, _ in {(u.owner, u.at) for u in end.units.values()})
    assert found == written


def test_no_ship_is_damaged_and_no_cargo_afloat(end: State) -> None:
    assert not [u for u in end.units.values() if u.damaged]
    assert not [u for u in end.units.values() if u.aboard is not None and end.board.types[u.type].kind == "land"]


def test_money(end: State) -> None:
    """[INC-01] [PUR-02] What was kept and what was earned."""
    assert end.cash == CASH_AT_THE_END


def test_land(end: State) -> None:
    """[CAP-03] [LIB-01] Everything else is as at the start; Hunan, Shan State and New Guinea were won back."""
    assert end.control == table.start().control | NEW_OWNERS


def test_facilities(end: State) -> None:
    """[CAP-05] The damage of Kwangtung's naval base outlasts its capture."""
    damaged = {(t, f.type): f.damage for t, built in end.facilities.items() for f in built if f.damage}
    assert damaged == {("kwangtung", "naval-base"): 3}
    kinds = {t: sorted(f.type for f in built) for t, built in end.facilities.items()}
    assert kinds == {t: sorted(f.type for f in built) for t, built in table.start().facilities.items()}


def test_wars(end: State) -> None:
    """[POL-UK-01] [POL-US-01]"""
    assert set(end.wars) == WARS_AT_THE_END
    assert (end.kamikaze_enabled, end.kamikaze_left) == (False, 6)

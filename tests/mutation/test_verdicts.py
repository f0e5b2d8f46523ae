"""What a mutation run says in the end: rates, floors, survivors that are listed and that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.verdicts import Module, Survivor, judge, read_survivors, survivor

HERE = Path(__file__).parent
SHOWN = """--- pbem/kernel/flow.py
+++ pbem/kernel/flow.py
@@ -1,5 +1,5 @@
 def check(self, order, reveal):
-    if self.judge is not None:
+    if self.judge is None:
         self.judge(order, reveal)
"""
ONE = Survivor("pbem/kernel/flow.py", "Commit.check", "if self.judge is not None:", "if self.judge is None:")


def test_a_survivor_is_known_by_its_lines() -> None:
    assert survivor("pbem/kernel/flow.py", "pbem.kernel.flow.xǁCommitǁcheck__mutmut_3", SHOWN) == ONE
    assert survivor("m", "pbem.kernel.flow.x__as_received__mutmut_12", SHOWN).function == "_as_received"
    assert survivor("m", "pbem.kernel.flow.x_same__mutmut_1", SHOWN).function == "same"


def test_enough_killed_and_every_survivor_listed_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    modules = [Module("pbem/kernel/flow.py", 19, 2, [ONE]), Module("pbem/kernel/canon.py", 1, 0, [])]
    assert judge(modules, {ONE: "equal"}, 95) == 0
    assert str(modules[0]).split() == ["pbem/kernel/flow.py", "16", "killed", "1", "survived", "2", "timeout", "94.7", "%"]
    assert "95.0 % killed" in capsys.readouterr().out


def test_too_few_killed_in_a_package_is_bad(capsys: pytest.CaptureFixture[str]) -> None:
    modules = [Module("pbem/kernel/flow.py", 19, 0, [ONE]), Module("pbem/store/log.py", 1000, 0, [])]
    assert judge(modules, {ONE: "equal"}, 95) == 1
    assert "TOO FEW KILLED: pbem/kernel" in capsys.readouterr().out


def test_a_survivor_that_is_not_listed_is_bad(capsys: pytest.CaptureFixture[str]) -> None:
    assert judge([Module("pbem/kernel/flow.py", 1000, 0, [ONE])], {}, 95) == 1
    assert f"NOT LISTED: {ONE}" in capsys.readouterr().out


def test_a_listed_survivor_that_died_is_told_where_its_module_ran(capsys: pytest.CaptureFixture[str]) -> None:
    other = Survivor("pbem/store/log.py", "x", "a", "b")
    assert judge([Module("pbem/kernel/flow.py", 1, 0, [])], {ONE: "equal", other: "equal"}, 95) == 0
    told = capsys.readouterr().out
    assert f"listed, but killed by now: {ONE}" in told and "store" not in told


def test_every_accepted_survivor_has_a_module_and_a_reason() -> None:
    accepted = read_survivors(HERE / "survivors.yaml")
    assert all((HERE.parent.parent / one.module).is_file() and len(reason) > 10 for one, reason in accepted.items())
    assert all(one.was != one.now for one in accepted)

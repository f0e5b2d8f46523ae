"""Jobs, their results in a file, and who does them: processes of this machine or a real Dask cluster."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import dask
import distributed  # noqa: F401 - brings the settings of the cluster
import pytest

from pbem.batch.jobs import Job, Kept, Lines
from pbem.batch.pools import Cluster, Processes, pool
from pbem.batch.running import LIVES, run
from pbem.protocol.outcomes import ProtocolError
from pbem.store.disk import Disk
from tests.batch.cluster import cluster
from tests.batch.work import WORK

ROOT = Path(__file__).parents[2]


def squares(number: int, **more: int | str) -> list[Job]:
    return [Job("square", {"n": n, **more}) for n in range(number)]


def written(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_job_is_named_by_what_it_says() -> None:
    one, other = Job("square", {"n": 1, "ms": 0}), Job("square", {"ms": 0, "n": 1})
    assert one.id == other.id
    assert len({one.id, Job("square", {"n": 2, "ms": 0}).id, Job("cube", {"n": 1, "ms": 0}).id}) == 3


def test_results_come_in_the_order_of_the_jobs_and_lie_in_it(tmp_path: Path) -> None:
    jobs = [Job("square", {"n": n, "ms": 300 if n == 0 else 0}) for n in range(6)]
    kept, told = Lines(tmp_path / "r"), list[tuple[int, int]]()
    found = list(run(jobs, WORK, Processes(2), kept, lambda done, of: told.append((done, of))))
    assert found == [(job, {"n": n, "square": n * n}) for n, job in enumerate(jobs)]
    assert told[-1] == (6, 6)
    assert {line["id"] for line in written(tmp_path / "r")} == {job.id for job in jobs}
    kept.put_in_order(jobs, jobs)
    assert [line["job"] for line in written(tmp_path / "r")] == [job.plain for job in jobs]


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    seen, jobs = tmp_path / "seen", squares(4, seen=str(tmp_path / "seen"))
    list(run(jobs[:2], WORK, Processes(1), Lines(tmp_path / "r")))
    list(run([*jobs, jobs[3]], WORK, Processes(1), Lines(tmp_path / "r")))
    assert sorted(line.split()[0] for line in seen.read_text().splitlines()) == ["0", "1", "2", "3"]


def test_half_a_line_is_done_again(tmp_path: Path) -> None:
    path, jobs = tmp_path / "r", squares(3)
    list(run(jobs, WORK, Processes(1), Lines(path)))
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    kept = Lines(path)
    assert kept.found.keys() == {jobs[0].id, jobs[1].id}
    list(run(jobs, WORK, Processes(1), kept))
    assert path.read_bytes() == whole


def test_what_nobody_has_seen_is_left_out_and_what_was_there_stays(tmp_path: Path) -> None:
    path, jobs, others = tmp_path / "r", squares(5), [Job("square", {"n": n}) for n in (9, 8)]
    list(run([*others, jobs[4]], WORK, Processes(1), Lines(path)))
    kept = Lines(path)
    list(run([jobs[3], jobs[1], jobs[0]], WORK, Processes(1), kept))
    kept.put_in_order(jobs, [jobs[0], jobs[1]])
    assert [line["job"] for line in written(path)] == [job.plain for job in (*others, jobs[0], jobs[1], jobs[4])]


def test_two_runs_with_one_file_at_once_keep_the_results_of_both(tmp_path: Path) -> None:
    """Neither writes over what the other has written, nor puts the file in order without it."""
    path, mine, his = tmp_path / "r", squares(4), squares(6)[2:]
    one, other = Lines(path), Lines(path)
    for a, b in zip(mine, his, strict=True):
        one.add(a, {"square": 1})
        other.add(b, {"square": 1})
    assert {line["id"] for line in written(path)} == {job.id for job in (*mine, *his)}
    one.put_in_order(mine, mine)
    assert [line["job"] for line in written(path)] == [job.plain for job in (*his[2:], *mine)]
    other.add(Job("square", {"n": 9}), 81)
    other.put_in_order(his, his[:1])
    assert [line["job"] for line in written(path)] == [job.plain for job in (*mine[:2], *his)], "the first may have seen them"


def test_a_run_that_another_one_has_overtaken_reads_the_file_again(tmp_path: Path) -> None:
    """What is not a result by then is not written over."""
    path, jobs = tmp_path / "r", squares(2)
    kept = Lines(path)
    kept.add(jobs[0], 0)
    path.write_bytes(b"something else\n")
    with pytest.raises(ProtocolError):
        kept.add(jobs[1], 1)
    with pytest.raises(ProtocolError):
        kept.put_in_order(jobs, jobs)
    assert path.read_bytes() == b"something else\n"


def test_a_run_waits_while_another_one_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading what has come and writing behind it is one step."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    path, jobs = tmp_path / "r", squares(3)
    other = Lines(path)

    class Meeting(Disk):
        def append(self, path: Path, data: bytes, size: int) -> None:
            second = threading.Thread(target=other.add, args=(jobs[1], 1))
            second.start()
            second.join(0.1)
            threads.append(second)
            super().append(path, data, size)

    threads: list[threading.Thread] = []
    Lines(path, Meeting()).add(jobs[0], 0)
    threads[0].join(5)
    assert [line["job"] for line in written(path)] == [jobs[0].plain, jobs[1].plain]


@pytest.mark.parametrize("line", ["{}", "pbem", '{"id":"0","job":{},"result":1}', "[1]"])
def test_a_file_of_something_else_is_not_written_to(tmp_path: Path, line: str) -> None:
    (tmp_path / "r").write_text(line + "\n")
    with pytest.raises(ProtocolError, match="line 1 of"):
        Lines(tmp_path / "r")
    assert (tmp_path / "r").read_text() == line + "\n"


def test_a_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    path, seen = tmp_path / "r", tmp_path / "seen"
    program = (
        "from pathlib import Path; from tests.batch.test_running import *\n"
        f"if __name__ == '__main__':\n"
        f"    jobs = squares(30, ms=100, seen={str(seen)!r})\n"
        f"    list(run(jobs, WORK, Processes(1), Lines(Path({str(path)!r}))))\n"
    )
    (tmp_path / "main.py").write_text(program)
    process = subprocess.Popen([sys.executable, str(tmp_path / "main.py")], cwd=ROOT, env={"PYTHONPATH": str(ROOT)})
    for _ in range(600):
        if path.exists() and path.read_bytes().count(b"\n") >= 3:
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    done, jobs = path.read_bytes().count(b"\n"), squares(30, ms=100, seen=str(seen))
    assert 3 <= done < 30
    kept = Lines(path)
    assert [result for _, result in run(jobs, WORK, Processes(2), kept)] == [{"n": n, "square": n * n} for n in range(30)]
    assert [line["id"] for line in written(path)[:done]] == [job.id for job in jobs[:done]]


def test_a_worker_that_dies_takes_nothing_with_it(tmp_path: Path) -> None:
    jobs = [*squares(3, ms=50), Job("fatal", {"mark": str(tmp_path / "mark")}), *squares(6)[3:]]
    results = [result for _, result in run(jobs, WORK, Processes(2), Kept())]
    assert results[3] == "survived" and [r["n"] for r in results if isinstance(r, dict)] == [*range(6)]


def test_many_deaths_are_survived_as_long_as_something_gets_done(tmp_path: Path) -> None:
    jobs = []
    for n in range(LIVES + 1):
        jobs += [Job("fatal", {"mark": str(tmp_path / str(n))}), Job("square", {"n": n, "ms": 200})]
    assert len([result for _, result in run(jobs, WORK, Processes(1), Kept())]) == 2 * LIVES + 2


def test_a_job_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    kept = Kept()
    with pytest.raises(BrokenExecutor):
        list(run([*squares(2), Job("fatal", {})], WORK, Processes(1), kept))
    assert len(kept.found) == 2


def test_what_a_job_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="no such thing"):
        list(run([Job("wrong", {"why": "no such thing"})], WORK, Processes(1), Kept()))


def test_who_has_seen_enough_leaves_the_rest(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    for job, _ in run(squares(40, ms=20, seen=str(seen)), WORK, Processes(1), Kept()):
        if job.arguments["n"] == 2:
            break
    assert len(seen.read_text().splitlines()) < 12


def test_a_cluster_without_a_scheduler_is_told() -> None:
    with dask.config.set({"distributed.comm.timeouts.connect": "300ms"}), pytest.raises(ProtocolError, match="no Dask sch"):
        list(run(squares(1), WORK, pool(1, "tcp://127.0.0.1:9"), Kept()))
    with pytest.raises(ProtocolError, match="no Dask scheduler"):
        list(run(squares(1), WORK, pool(1, "nonsense://x"), Kept()))


def test_a_cluster_loses_a_worker_and_nothing_else(tmp_path: Path) -> None:
    """Two workers, one of them killed in the middle: every result is there, byte for byte what the pool writes."""
    seen = tmp_path / "seen"
    jobs = squares(40, ms=100, seen=str(seen))
    alone, together = Lines(tmp_path / "alone"), Lines(tmp_path / "together")
    with cluster(tmp_path, 2) as (address, workers):
        for job, _ in run(jobs, WORK, Cluster(address, 40), together):
            if job.arguments["n"] == 5:
                _until_both_work(seen)
                workers[0].kill()
        assert workers[0].wait() and workers[1].poll() is None
        by = [line.split()[1] for line in seen.read_text().splitlines()]
    assert len(set(by)) == 2 and by[-1] == str(workers[1].pid)
    assert len(together.found) == 40
    together.put_in_order(jobs, jobs)
    list(run(jobs, WORK, Processes(2), alone))
    alone.put_in_order(jobs, jobs)
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()


def _until_both_work(seen: Path) -> None:
    for _ in range(600):
        if len({line.split()[1] for line in seen.read_text().splitlines()}) == 2:
            return
        time.sleep(0.05)
    raise AssertionError("one of the workers does nothing")

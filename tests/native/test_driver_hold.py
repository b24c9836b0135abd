"""The driver held by the engine: it waits between two calls, and no figure holds any of that."""

from __future__ import annotations

import multiprocessing
import os
import select
import struct
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from driver_kit import Run, build_toy, ended, run_driver
from workshop import Workshop

HOLD_AT = 640
HELD = 6
#: A few naps.
WAIT_NS = 300_000_000
DEADLINE_S = 30.0
#: In call 5 of any operation the candidate sets the engine's request: where the driver stops is then no matter of chance.
ASKS = """
if (calls == 5) {
    const unsigned char one = 1;
    const int fd = open(getenv("PAGE"), O_WRONLY);
    if (fd < 0 || pwrite(fd, &one, 1, 640) != 1)
        abort();
    close(fd);
}
""".replace("\n", " ")
#: A call takes a millisecond, all of it on the processor.
BUSY = """
struct timespec began, now;
clock_gettime(CLOCK_MONOTONIC, &began);
do
    clock_gettime(CLOCK_MONOTONIC, &now);
while ((now.tv_sec - began.tv_sec) * 1000000000L + (now.tv_nsec - began.tv_nsec) < 1000000L);
""".replace("\n", " ")


@dataclass
class Page:
    """A live page, and what was seen on it while the driver waited: iteration, and how far the start moved (ns)."""

    path: Path
    seen: list[tuple[int, int]]

    def fields(self) -> tuple[int, int, bool]:
        """Iteration, start_ns, and whether the driver waits as it was asked to."""
        page = self.path.read_bytes()
        iteration, _, start_ns, phase = struct.unpack_from("<4Q", page, 80)
        return iteration, start_ns, phase == HELD and page[HOLD_AT] == 1

    def ask(self, hold: bool) -> None:
        with self.path.open("r+b") as file:
            file.seek(HOLD_AT)
            file.write(struct.pack("<Q", hold))

    def let_go_after_naps(self, stop: threading.Event) -> None:
        """Each time the driver waits, let it go on after a few naps."""
        while not stop.is_set():
            iteration, start_ns, waits = self.fields()
            if waits:
                self.seen.append((iteration, self._watch(iteration, start_ns, stop)))
                self.ask(False)

    def _watch(self, iteration: int, start_ns: int, stop: threading.Event) -> int:
        moved = 0
        while moved < WAIT_NS and not stop.is_set():
            now = self.fields()
            assert (now[0], now[2]) == (iteration, True)
            moved = now[1] - start_ns
        return moved


@pytest.fixture
def page(tmp_path: Path) -> Page:
    path = tmp_path / "page"
    path.write_bytes(struct.pack("<QQ", 0x4E47434331504147, 1).ljust(4096, b"\0"))
    return Page(path, [])


def held_run(
    page: Page, driver: Path, library: Path, environ: Mapping[str, str] | None = None, /, **job: Any
) -> Run:
    """Run the driver with the page; whoever waits is let go after a while."""
    stop = threading.Event()
    late = threading.Timer(DEADLINE_S, stop.set)
    late.start()
    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(page.let_go_after_naps, stop)
        try:
            environ = {"PAGE": str(page.path), **(environ or {})}
            return run_driver(driver, library, live_page=page.path, environ=environ, **job)
        finally:
            late.cancel()
            stop.set()
            watching.result()


def free_run(driver: Path, library: Path, tmp_path: Path, **job: Any) -> Run:
    """The same without a page that anybody reads."""
    other = tmp_path / "nobody"
    other.write_bytes(bytes(4096))
    return run_driver(driver, library, environ={"PAGE": str(other)}, **job)


@pytest.fixture
def library(workshop: Workshop) -> Path:
    return build_toy(
        workshop,
        f'IN_KEYGEN={BUSY}{ASKS}trace("pk", pk, 32);',
        f'IN_SIGN={BUSY}{ASKS}trace("sn", sn, 64);',
        f'IN_VERIFY={BUSY}{ASKS}trace("m", m, 64); trace("sn", sn, 64);',
    )


def rate(trial: dict[str, Any]) -> float:
    return float(trial["ticks"] / trial["wall_ns"])


def check_nothing_of_the_wait(page: Page, held: dict[str, Any], free: dict[str, Any]) -> None:
    ((_, moved),) = page.seen
    assert held["held_ns"] >= moved >= WAIT_NS
    assert free["held_ns"] == 0
    assert held["wall_ns"] < held["held_ns"]  # calls of a millisecond, and a wait of 300
    assert held["cpu_ns"] <= held["wall_ns"]
    assert rate(held) == pytest.approx(rate(free), rel=0.3)
    assert held["voluntary_switches"] < 4  # every nap is one


@pytest.mark.parametrize(("operation", "word", "iteration"), [("keygen", "pk", 3), ("sign", "sn", 2)])
def test_a_hold_within_a_trial(
    operation: str, word: str, iteration: int, page: Page, driver: Path, library: Path, tmp_path: Path
) -> None:
    job = {"operation": operation, "iterations": 20, "warmups": 2}
    held, free = held_run(page, driver, library, **job), free_run(driver, library, tmp_path, **job)
    ((trial, samples),) = held.trials
    assert ended(held, "ok") == ""
    # call 5 is timed call 3, or 2 where the set-up has made a key: the one after it has not begun
    assert page.seen[0][0] == iteration
    assert (trial["iterations"], len(samples)) == (20, 20)
    assert sum(samples) <= trial["wall_ns"]
    check_nothing_of_the_wait(page, trial, free.trials[0][0])
    assert held.traced(word) == free.traced(word)


def test_verify_sees_the_same_inputs(page: Page, driver: Path, library: Path, tmp_path: Path) -> None:
    job = {"operation": "verify", "iterations": 7, "signatures": 3, "warmups": 1}
    held, free = held_run(page, driver, library, **job), free_run(driver, library, tmp_path, **job)
    ended(held, "ok")
    assert len(page.seen) == 1  # call 5 makes the second of three signatures
    assert held.traced("m") == free.traced("m")
    assert held.traced("sn") == free.traced("sn")
    assert held.setup["setup_ns"] < WAIT_NS  # seven calls of a millisecond
    assert held.trials[0][0]["held_ns"] == 0


def test_a_wait_in_the_set_up_is_told_by_the_clock_of_the_set_up(
    page: Page, driver: Path, library: Path, workshop: Workshop
) -> None:
    """What sets the time of day may let CLOCK_MONOTONIC run faster than CLOCK_MONOTONIC_RAW, here twice as fast."""
    fast = workshop.compile(
        "fast_clock.so", [Path(__file__).with_name("fast_clock.c")], flags=("-shared", "-fPIC")
    )
    job = {"operation": "verify", "iterations": 7, "warmups": 1}
    held = held_run(page, driver, library, {"LD_PRELOAD": str(fast)}, **job)
    ended(held, "ok")
    assert len(page.seen) == 1
    assert held.setup["setup_ns"] < WAIT_NS  # and not less than nothing, as a very large number


def test_a_hold_between_batches(page: Page, driver: Path, library: Path, tmp_path: Path) -> None:
    job = {"iterations": 20, "batch": 3}
    held, free = held_run(page, driver, library, **job), free_run(driver, library, tmp_path, **job)
    ((trial, samples),) = held.trials
    assert page.seen[0][0] == 6  # call 5 lies in the second batch, which is finished
    assert (trial["iterations"], len(samples)) == (20, 7)
    check_nothing_of_the_wait(page, trial, free.trials[0][0])


def test_a_hold_before_the_first_call_of_shared_trials(page: Page, driver: Path, library: Path) -> None:
    page.ask(True)
    held = held_run(page, driver, library, iterations=4, trials=2, warmups=0)
    ended(held, "ok")
    # before the first call, where the loop's own cost is measured, and behind call 5: the first of the second trial
    assert [seen[0] for seen in page.seen] == [0, 1]
    assert [trial["iterations"] for trial, _ in held.trials] == [4, 4]
    first, second = (trial for trial, _ in held.trials)
    assert first["held_ns"] == 0 < second["held_ns"]
    assert second["wall_ns"] < second["held_ns"]


def test_a_calibration_is_held(page: Page, driver: Path, library: Path, tmp_path: Path) -> None:
    held = held_run(page, driver, library, mode="calibrate")
    free = free_run(driver, library, tmp_path, mode="calibrate")
    ((trial, samples),) = held.trials
    assert ended(held, "ok") == ""
    assert page.seen[0][0] == 1  # its calls are counted in groups: one, three, then one by one
    assert len(samples) == trial["iterations"]
    check_nothing_of_the_wait(page, trial, free.trials[0][0])


def test_a_profile_is_held(page: Page, driver: Path, workshop: Workshop) -> None:
    library = build_toy(workshop, f"IN_KEYGEN={BUSY}{ASKS}", profile=())
    held = held_run(page, driver, library, mode="profile", iterations=8, warmups=1)
    ended(held, "ok")
    ((iteration, moved),) = page.seen
    assert iteration == 4  # behind one warm-up
    ticks_of_the_wait = moved * held.profile["tick_hz"] / 1e9
    assert held.profile["operations"] == 8
    assert held.profile["total_ticks"] < ticks_of_the_wait


def test_a_held_driver_dies_with_its_engine(page: Page, driver: Path, library: Path) -> None:
    page.ask(True)
    start = partial(run_driver, driver, library, live_page=page.path)
    engine = multiprocessing.get_context("fork").Process(target=start)
    engine.start()
    deadline = time.monotonic() + DEADLINE_S
    while not page.fields()[2]:
        assert time.monotonic() < deadline
    (pid,) = struct.unpack_from("<Q", page.path.read_bytes(), 64)
    driver_end = os.pidfd_open(pid)
    try:
        engine.kill()
        engine.join()
        assert select.select([driver_end], [], [], DEADLINE_S)[0]
    finally:
        os.close(driver_end)


def test_without_a_page_nothing_waits(driver: Path, toy: Path) -> None:
    ((trial, _),) = run_driver(driver, toy).trials
    assert trial["held_ns"] == 0

"""The hardware counter: which readings are believed, and the real thing where the machine has one."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from driver_kit import HARNESS, report, run_driver
from hypothesis import given
from hypothesis import strategies as st
from workshop import Workshop

MSR_TYPE = Path("/sys/bus/event_source/devices/msr/type")
U64 = st.integers(0, 2**64 - 1)


class Reading(ctypes.Structure):
    _fields_ = [
        ("got", ctypes.c_int64),
        ("value", ctypes.c_uint64),
        ("enabled", ctypes.c_uint64),
        ("running", ctypes.c_uint64),
        ("previous", ctypes.c_uint64),
    ]


class Spec(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("config", ctypes.c_uint64), ("unit", ctypes.c_char * 16)]


class Counters:
    """The pure functions of counters.c."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))

    def judge(self, got: int, value: int, enabled: int, running: int, previous: int) -> int | str:
        """What was counted, or why it is not believed."""
        count, why = ctypes.c_uint64(12345), ctypes.create_string_buffer(256)
        reading = Reading(got, value, enabled, running, previous)
        refused = self._library.ngcc_counter_judge(ctypes.byref(reading), ctypes.byref(count), why)
        if refused:
            assert refused == -1 and count.value == 12345
            return why.value.decode()
        assert not why.value
        return count.value

    def parse(self, text: bytes) -> tuple[int, int, bytes] | None:
        """Type, config and unit, or None."""
        spec = Spec()
        if self._library.ngcc_counter_parse(text, ctypes.byref(spec)):
            return None
        return spec.type, spec.config, spec.unit


@pytest.fixture(scope="session")
def counters(workshop: Workshop) -> Counters:
    return Counters(workshop.compile("counters.so", [HARNESS / "counters.c"], flags=["-shared"]))


@pytest.mark.parametrize(
    ("reading", "judgement"),
    [
        ((24, 1500, 90, 90, 500), 1000),
        ((24, 1, 1, 1, 0), 1),
        ((24, 2**64 - 1, 90, 90, 0), 2**64 - 1),
        ((0, 1500, 90, 90, 500), "counter in error state: it did not fit on the PMU"),
        ((8, 1500, 90, 90, 500), "short read: 8 of 24 bytes"),
        ((-1, 1500, 90, 90, 500), "short read: -1 of 24 bytes"),
        ((32, 1500, 90, 90, 500), "short read: 32 of 24 bytes"),
        ((24, 1500, 0, 0, 500), "counter never ran"),
        ((24, 1500, 90, 0, 500), "counter never ran"),
        ((24, 1500, 90, 60, 500), "multiplexed: counted 60 of 90 ns"),
        ((24, 0, 90, 90, 0), "counter reads zero"),
        ((24, 500, 90, 90, 1500), "counter went backwards"),
        ((24, 500, 90, 90, 500), "counter stood still"),
    ],
)
def test_judgement(counters: Counters, reading: tuple[int, int, int, int, int], judgement: int | str) -> None:
    assert counters.judge(*reading) == judgement


@given(got=st.integers(-1, 40), value=U64, enabled=U64, running=U64, previous=U64)
def test_only_whole_readings_count(
    counters: Counters, got: int, value: int, enabled: int, running: int, previous: int
) -> None:
    good = got == 24 and enabled == running > 0 and value > previous
    judged = counters.judge(got, value, enabled, running, previous)
    assert judged == value - previous if good else isinstance(judged, str)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        (b"0:0:cycles", (0, 0, b"cycles")),
        (b"11:0:tsc", (11, 0, b"tsc")),
        (b"0:400000000:cycles", (0, 0x400000000, b"cycles")),
        (b"4294967295:ffffffffffffffff:cycles", (0xFFFFFFFF, 2**64 - 1, b"cycles")),
        (b"4294967296:0:cycles", None),
        (b"0:10000000000000000:cycles", None),
        (b"-1:0:cycles", None),
        (b" 0:0:cycles", None),
        (b"0: 0:cycles", None),
        (b"0::cycles", None),
        (b"0:-1:cycles", None),
        (b"0:0", None),
        (b"0:0:", None),
        (b"0:0:cycles ", None),
        (b"0:0:instructions", None),
        (b"none", None),
        (b"", None),
    ],
)
def test_specs(counters: Counters, text: bytes, spec: tuple[int, int, bytes] | None) -> None:
    assert counters.parse(text) == spec


@given(text=st.binary(max_size=40).filter(lambda data: b"\0" not in data))
def test_any_text_is_a_spec_or_is_none(counters: Counters, text: bytes) -> None:
    counters.parse(text)


def test_no_counter(driver: Path, toy: Path) -> None:
    trial = run_driver(driver, toy, counter="none").trials[0][0]
    assert trial["cycles"] is None and trial["counter"] == "none asked for"


def test_a_counter_that_is_no_spec(driver: Path, toy: Path) -> None:
    run = run_driver(driver, toy, counter="fast")
    assert run.end["status"] == "ok"
    assert run.trials[0][0]["cycles"] is None and run.trials[0][0]["counter"] == "no counter spec: fast"
    assert report(run)["counter"] == "refused: no counter spec: fast"


def test_a_counter_that_the_kernel_refuses(driver: Path, toy: Path) -> None:
    run = run_driver(driver, toy, counter="4294967294:0:cycles")
    assert run.trials[0][0]["cycles"] is None
    assert run.trials[0][0]["counter"].startswith("perf_event_open: ")
    assert report(run)["counter"].startswith("refused: perf_event_open: ")


def test_the_tsc_as_a_perf_event(driver: Path, toy: Path) -> None:
    """The whole path from opening to the frame, on a machine without a PMU too."""
    if not MSR_TYPE.exists():
        pytest.skip("no msr PMU")
    run = run_driver(driver, toy, counter=f"{MSR_TYPE.read_text().strip()}:0:tsc", trials=3, iterations=2000)
    if not report(run)["counter"].startswith("on"):
        pytest.skip(report(run)["counter"])
    assert report(run)["counter"] == "on: kernel mode counted too: this PMU cannot leave it out"
    for trial, _ in run.trials:
        assert trial["counter"] == "tsc" and trial["tick_source"] == "tsc"
        # The counter is read outside of the ticks, and it only runs while the process does.
        assert 0 < trial["cycles"]
        assert trial["cycles"] > 0.9 * trial["ticks"] * min(1.0, trial["cpu_ns"] / trial["wall_ns"])


def test_cycles_never_include_the_kernel(driver: Path, toy: Path) -> None:
    """The same PMU, asked for cycles: what cannot be counted in user mode alone is not counted."""
    if not MSR_TYPE.exists():
        pytest.skip("no msr PMU")
    trial = run_driver(driver, toy, counter=f"{MSR_TYPE.read_text().strip()}:0:cycles").trials[0][0]
    assert trial["cycles"] is None and trial["counter"].startswith("perf_event_open: ")

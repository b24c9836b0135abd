"""From a worker's frames to an outcome: right and wrong texts, damaged answers, deaths at any moment."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.engine.child import ChildResult, Crash, Death
from ngcctui.engine.frames import Frame
from ngcctui.engine.kat_case import KatCase, official_inputs
from ngcctui.engine.kat_judge import Progress, judge
from ngcctui.engine.kat_text import TextDigest, signature_lines
from ngcctui.model.outcome import Outcome
from ngcctui.model.scheme import Function, Instance, KatSpec

SIZES = {"public_key": 2, "secret_key": 3, "signature": 4}
COVERED = 3


def made(number: int, **other: bytes) -> dict[str, bytes]:
    return {"pk": bytes([number] * 2), "sk": b"abc", "sn": b"sig" + bytes([number])} | other


def text_digest(*records: dict[str, bytes]) -> str:
    text = TextDigest()
    for number, fields in enumerate(records):
        text.add(signature_lines(number, official_inputs()[number], fields))
    return text.hex()


RIGHT = [made(number) for number in range(COVERED)]
KAT = KatSpec(mode=f"strict:{COVERED}", sha256=text_digest(*RIGHT), record0_sha256=text_digest(RIGHT[0]))
KNOWN = tuple({name: hashlib.sha256(value).hexdigest() for name, value in fields.items()} for fields in RIGHT)


def case(kat: KatSpec = KAT, records: int = COVERED, known: tuple[dict[str, str], ...] = ()) -> KatCase:
    instance = Instance("X", sizes=SIZES, kat=kat)
    return KatCase("x", instance, Function.SIGNATURE, records, COVERED, official_inputs(), known)


def message(**data: Any) -> Frame:
    return Frame("J", json.dumps(data).encode(), data)


def setup(**sizes: int) -> Frame:
    return message(type="setup", sizes=SIZES | sizes, isolation={"seccomp": "on"})


def record_frames(number: int, fields: dict[str, bytes]) -> list[Frame]:
    frames = []
    for name, value in fields.items():
        frames.append(message(type="field", record=number, field=name, length=len(value)))
        frames.append(Frame("B", value))
    return [*frames, message(type="record", record=number, times_ns={"sig_sign": 5})]


def answer(records: list[dict[str, bytes]]) -> list[Frame]:
    return [
        setup(),
        *(frame for number, fields in enumerate(records) for frame in record_frames(number, fields)),
    ]


def child(death: Death = Death.NORMAL, status: str | None = "ok", **facts: Any) -> ChildResult:
    end = None if status is None else {"type": "end", "status": status} | facts.pop("end", {})
    default: dict[str, Any] = {
        "exit_code": 0,
        "signal": None,
        "wall_s": 1.0,
        "limit_s": 9.0,
        "pid": 7,
        "end": end,
    }
    return ChildResult((), death, **(default | facts))


def judged(frames: list[Frame], how: KatCase, ending: ChildResult) -> tuple[Outcome, str]:
    progress = Progress(how)
    for frame in frames:
        progress.feed(frame)
    result = judge(progress, ending)
    return result.outcome, result.detail


def test_the_right_text_passes_and_records_are_told() -> None:
    told: list[tuple[int, int]] = []
    progress = Progress(case(), lambda record, covered: told.append((record, covered)))
    for frame in answer(RIGHT):
        progress.feed(frame)
    result = judge(progress, child())
    assert (result.outcome, result.detail, result.sha256) == (Outcome.PASS, "", KAT.sha256)
    assert (result.records, result.covered, result.sizes, result.label) == (3, 3, SIZES, "PASS")
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert progress.records[1].lengths == {"pk": 2, "sk": 3, "sn": 4}


def test_record_0_alone_passes_as_such() -> None:
    progress = Progress(case(records=1))
    for frame in answer(RIGHT[:1]):
        progress.feed(frame)
    result = judge(progress, child())
    assert (result.outcome, result.label) == (Outcome.PASS, "PASS (1 record)")


WRONG = [RIGHT[0], made(1, sk=b"abX"), RIGHT[2]]


@pytest.mark.parametrize(
    ("records", "how", "outcome", "detail"),
    [
        (WRONG, case(known=KNOWN), "MISMATCH", "first difference in record 1, field sk"),
        (WRONG, case(), "MISMATCH", "record 0 is right, a later one differs"),
        (WRONG, case(replace(KAT, record0_sha256=None)), "MISMATCH", "the text differs"),
        ([made(0, pk=b"xx"), *RIGHT[1:]], case(), "MISMATCH", "record 0 differs"),
        (RIGHT, case(KatSpec(mode="strict:3")), "NOKAT", "no digest is known"),
        (RIGHT[:1], case(KatSpec(mode="strict:3"), 1), "NOKAT", "no digest of record 0 alone is known"),
        (RIGHT[:2], case(), "CRASH", "the worker ended after 2 of 3 records"),
    ],
)
def test_other_texts(records: list[dict[str, bytes]], how: KatCase, outcome: str, detail: str) -> None:
    assert judged(answer(records), how, child()) == (Outcome(outcome), detail)


def test_other_sizes_than_those_of_the_scheme_are_a_mismatch() -> None:
    frames = [setup(public_key=9), *answer(RIGHT)[1:]]
    expected = "public key of 9 bytes declared, 2 in scheme.toml"
    assert judged(frames, case(), child()) == (Outcome.MISMATCH, expected)


@pytest.mark.parametrize(
    ("status", "end", "outcome", "detail"),
    [
        ("failed", {"detail": "sig_sign returned -1"}, "CRYPTOFAIL", "sig_sign returned -1"),
        ("rejected", {"detail": "\x1b[2J"}, "CRYPTOFAIL", "\\x1b[2J"),
        ("overflow", {}, "OVERFLOW", ""),
        ("loadfail", {"detail": 5}, "LOADFAIL", "5"),
        ("oom", {}, "OOM", ""),
        ("isolation", {}, "engine-error", ""),
        ("nonsense", {}, "engine-error", ""),
        (
            "failed",
            {"detail": "sig_sign returned -2", "vm_peak_kib": 95, "vm_limit_kib": 100},
            "OOM",
            "out of memory: sig_sign returned -2",
        ),
        ("failed", {"vm_peak_kib": 95, "vm_limit_kib": 0}, "CRYPTOFAIL", ""),
        ("failed", {"vm_peak_kib": "x", "vm_limit_kib": None}, "CRYPTOFAIL", ""),
    ],
)
def test_what_the_worker_says(status: str, end: dict[str, Any], outcome: str, detail: str) -> None:
    assert judged(answer([]), case(), child(status=status, end=end)) == (Outcome(outcome), detail)


CRASH = Crash("SIGSEGV", 1, "0x8", False, 10, 0)


@pytest.mark.parametrize(
    ("ending", "outcome", "detail"),
    [
        (
            child(Death.CRASHED, None, signal="SIGSEGV", exit_code=None, crash=CRASH),
            "CRASH",
            "SIGSEGV at address 0x8; 1 of 3 records reached",
        ),
        (
            child(Death.EXITED, None, exit_code=4),
            "EXITED",
            "ended by itself with exit code 4; 1 of 3 records reached",
        ),
        (
            child(Death.KILLED, None, signal="SIGTERM", exit_code=None),
            "KILLED",
            "SIGTERM from outside; 1 of 3 records reached",
        ),
    ],
)
def test_a_death_before_the_end(ending: ChildResult, outcome: str, detail: str) -> None:
    assert judged(answer(RIGHT[:1]), case(), ending) == (Outcome(outcome), detail)


@pytest.mark.parametrize(
    ("records", "how", "reached"),
    [
        ([], case(), "0 of 3 records reached"),
        (RIGHT[:2], case(), "2 of 3 records reached, record 0 is right"),
        ([made(0, sk=b"")], case(), "1 of 3 records reached, record 0 differs"),
        (RIGHT[:1], case(KatSpec(mode="strict:3")), "1 of 3 records reached, no digest of record 0 is known"),
        (RIGHT[:1], case(KatSpec(mode="strict:3"), known=KNOWN), "1 of 3 records reached, record 0 is right"),
        (WRONG[:2], case(known=KNOWN), "2 of 3 records reached, first difference in record 1, field sk"),
    ],
)
def test_a_timeout_tells_how_far_and_of_record_0(
    records: list[dict[str, bytes]], how: KatCase, reached: str
) -> None:
    expected = (Outcome.TIMEOUT, f"not done within 9 s; {reached}")
    assert (
        judged(answer(records), how, child(Death.TIMEOUT, None, signal="SIGKILL", exit_code=None)) == expected
    )


@pytest.mark.parametrize(
    ("ending", "note"),
    [
        (child(Death.CRASHED, signal="SIGSEGV", exit_code=None), "crashed at exit: SIGSEGV"),
        (child(Death.TIMEOUT, signal="SIGKILL", exit_code=None), "did not exit, ended at the limit"),
        (child(Death.EXITED, exit_code=5), "exit code 5 after the end"),
        (child(survivors=1), "1 process left behind, ended"),
        (child(malformed="3 stray bytes"), "3 stray bytes"),
    ],
)
def test_what_comes_after_the_end_is_only_told(ending: ChildResult, note: str) -> None:
    assert judged(answer(RIGHT), case(), ending) == (Outcome.PASS, note)


GOOD = answer(RIGHT)


@pytest.mark.parametrize(
    "frames",
    [
        [message(type="field", record=0, field="sk", length=3)],
        [message(type="field", record=1, field="pk", length=3)],
        [
            message(type="field", record=0, field="pk", length=3),
            message(type="field", record=0, field="sk", length=3),
        ],
        [message(type="field", record=0, field="pk", length=3), Frame("B", b"1234")],
        [Frame("B", b"1")],
        [message(type="record", record=0, times_ns={})],
        [message(type="field", record="x", field=[], length=None)],
        [message(type="field")],
        [message(type="setup", sizes=[], isolation={})],
        [message(type="record", record=0)],
        [*GOOD, message(type="field", record=3, field="pk", length=1)],
    ],
)
def test_an_answer_out_of_order_is_damaged(frames: list[Frame]) -> None:
    outcome, detail = judged(frames, case(), child())
    assert outcome is Outcome.CRASH
    assert detail.startswith("the worker's answer is damaged: ")


values = st.one_of(st.none(), st.integers(-1, 9), st.text(max_size=3), st.lists(st.integers(), max_size=2))
hostile = st.one_of(
    st.builds(lambda payload: Frame("B", payload), st.binary(max_size=4)),
    st.dictionaries(
        st.sampled_from(["record", "field", "length", "sizes", "isolation", "times_ns"]), values
    ).flatmap(
        lambda data: st.sampled_from(["setup", "field", "record", "end", None]).map(
            lambda kind: message(**data, type=kind)
        )
    ),
)


@given(st.lists(hostile, max_size=6), st.integers(0, len(GOOD) - 1))
def test_no_answer_raises_or_passes_by_chance(frames: list[Frame], position: int) -> None:
    outcome, _ = judged([*GOOD[:position], *frames, *GOOD[position:-1]], case(), child())
    assert outcome in (Outcome.CRASH, Outcome.MISMATCH)


def test_the_log_fits_what_was_seen(tmp_path: Path) -> None:
    from ngcctui.engine.kat import log_text

    library = tmp_path / "x.so"
    library.write_bytes(b"library")
    progress = Progress(case(known=KNOWN))
    for frame in answer(WRONG):
        progress.feed(frame)
    log = log_text(progress, judge(progress, child()), library, "guide")
    assert f"library SHA-256: {hashlib.sha256(b'library').hexdigest()}" in log
    assert f"digest expected: {KAT.sha256}\ndigest found: {text_digest(*WRONG)}\noutcome: MISMATCH\n" in log
    assert "detail: first difference in record 1, field sk\n" in log
    assert (
        f"record 2: pk[2] {KNOWN[2]['pk']}  sk[3] {KNOWN[2]['sk']}  sn[4] {KNOWN[2]['sn']}  sig_sign 0.000 ms"
        in log
    )

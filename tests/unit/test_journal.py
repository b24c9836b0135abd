"""The journal: one writer, readers that follow it, crashes and full disks in between."""

from __future__ import annotations

import errno
import gc
import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ngcctui.engine.journal import (
    MAX_LINE,
    Journal,
    JournalReader,
    SystemClock,
    clock_step_s,
    utc_seconds,
    utc_text,
)
from ngcctui.engine.state import Follower
from ngcctui.engine.store import Storage
from ngcctui.model.errors import StorageError
from ngcctui.model.event import Event, EventName
from ngcctui.model.event_lines import event_of, events_of


class FakeClock(SystemClock):
    """Time that stands still until it is moved (ns)."""

    def __init__(self, epoch_ns: int = 1_796_000_000_000_000_000, mono_ns: int = 5_000_000_000) -> None:
        self.epoch = epoch_ns
        self.mono = mono_ns

    def epoch_ns(self) -> int:
        return self.epoch

    def mono_ns(self) -> int:
        return self.mono

    def pass_s(self, seconds: float, utc_seconds: float | None = None) -> None:
        self.mono += round(seconds * 1e9)
        self.epoch += round((seconds if utc_seconds is None else utc_seconds) * 1e9)


def journal(path: Path, storage: Storage | None = None, clock: FakeClock | None = None) -> Journal:
    return Journal(path, storage or Storage(), clock or FakeClock())


def warn(writer: Journal, text: str) -> Event:
    return writer.append(EventName.WARNING, None, {"text": text})


def texts(events: list[Event]) -> list[object]:
    return [event.data["text"] for event in events]


def test_lines_are_events_with_both_clocks(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    clock = FakeClock(epoch_ns=1_796_052_600_123_456_789, mono_ns=42)
    with journal(path, clock=clock) as writer:
        written = writer.append(EventName.STEP_START, "build:iccs/sm3", {"attempt": 1}, sync=True)
    assert json.loads(path.read_bytes()) == {
        "v": 1,
        "seq": 1,
        "utc": "2026-11-30T15:30:00.123Z",
        "mono_ns": 42,
        "event": "step_start",
        "step": "build:iccs/sm3",
        "data": {"attempt": 1},
    }
    assert JournalReader(path).poll() == [written]


def test_sequence_goes_on_over_sessions(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with journal(path) as writer:
        warn(writer, "a")
        warn(writer, "b")
    with journal(path) as writer:
        assert warn(writer, "c").seq == 3
    assert [event.seq for event in JournalReader(path).poll()] == [1, 2, 3]


def test_only_what_is_asked_for_is_synced(tmp_path: Path) -> None:
    class Counting(Storage):
        synced = 0

        def fsync(self, fd: int) -> None:
            self.synced += 1
            super().fsync(fd)

    storage = Counting()
    writer = journal(tmp_path / "j", storage)
    at_open = storage.synced
    assert at_open == 1  # the directory, which has a new entry
    warn(writer, "a")
    assert storage.synced == at_open
    writer.append(EventName.WARNING, None, {}, sync=True)
    assert storage.synced == at_open + 1


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_torn_line_is_ended_and_costs_one_event(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "j"
    with journal(path) as writer:
        warn(writer, "a")
        warn(writer, "torn")
    os.truncate(path, path.stat().st_size - cut)
    with journal(path) as writer:
        warn(writer, "c")
    reader = JournalReader(path)
    found = reader.poll()
    if cut == 1:  # only the newline was missing: the event is whole
        assert texts(found) == ["a", "torn", "c"] and [e.seq for e in found] == [1, 2, 3]
        assert reader.skipped == 0
    else:
        assert texts(found) == ["a", "c"] and [e.seq for e in found] == [1, 2]
        assert reader.skipped == 1
    assert b"\n\n" not in path.read_bytes()


GARBAGE = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"\xff\xfe\x00",
    b'{"v":1}',
    b'{"v":2,"seq":9,"utc":"u","mono_ns":1,"event":"warning"}',
    b'{"v":1,"seq":9,"utc":"u","mono_ns":1,"event":"unheard-of"}',
    b'{"v":1,"seq":9,"utc":"u","mono_ns":1,"event":["warning"]}',
    b'{"v":1,"seq":true,"utc":"u","mono_ns":1,"event":"warning"}',
    b'{"v":1,"seq":-1,"utc":"u","mono_ns":1,"event":"warning"}',
    b'{"v":1,"seq":99999999999999999999,"utc":"u","mono_ns":1,"event":"warning"}',
    b'{"v":1,"seq":9,"utc":"u","mono_ns":1.5,"event":"warning"}',
    b'{"v":1,"seq":9,"utc":"u","mono_ns":1,"event":"warning","data":[]}',
    b'{"v":1,"seq":9,"utc":"u","mono_ns":1,"event":"warning"} trailing',
    b'{"v":1,"seq":' + b"9" * 5000 + b"}",
    b"[" * 100_000,
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_anywhere_is_skipped_and_counted(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "j"
    with journal(path) as writer:
        warn(writer, "a")
    with path.open("ab") as file:
        file.write(garbage + b"\n")
    with journal(path) as writer:
        warn(writer, "b")
    reader = JournalReader(path)
    assert texts(reader.poll()) == ["a", "b"]
    assert reader.skipped == (1 if garbage else 0)


def test_the_reader_follows(tmp_path: Path) -> None:
    path = tmp_path / "j"
    reader = JournalReader(path)
    assert reader.poll() == []  # no file yet
    writer = journal(path)
    warn(writer, "a")
    assert texts(reader.poll()) == ["a"]
    assert reader.poll() == []
    warn(writer, "b")
    warn(writer, "c")
    assert texts(reader.poll()) == ["b", "c"]
    assert reader.generation == 0


def test_an_unfinished_line_waits_for_its_rest(tmp_path: Path) -> None:
    path = tmp_path / "j"
    lines = [Event(n, "u", n, EventName.WARNING, None, {"text": n}).to_line() for n in (1, 2, 3)]
    whole = b"".join(lines)
    reader = JournalReader(path)
    found: list[Event] = []
    with path.open("wb", buffering=0) as file:
        for byte in whole:
            file.write(bytes([byte]))
            found += reader.poll()
    assert texts(found) == [1, 2, 3]
    assert reader.skipped == 0


@given(st.lists(st.integers(1, 400), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def test_any_read_size_gives_the_same_events(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    path = tmp_path_factory.mktemp("j") / "j"
    lines = [
        Event(n, "u", n, EventName.WARNING, None, {"text": "x" * (7 * n)}).to_line() for n in range(1, 30)
    ]
    lines.insert(10, b"garbage\n")
    path.write_bytes(b"".join(lines))
    reader = JournalReader(path)
    found: list[Event] = []
    for size in sizes:
        found += list(reader.read(size))
    found += reader.poll()
    assert [event.seq for event in found] == list(range(1, 30))
    assert reader.skipped == 1


def test_a_line_beyond_1_mib_is_skipped_without_being_held(tmp_path: Path) -> None:
    path = tmp_path / "j"
    good = Event(1, "u", 1, EventName.WARNING, None, {"text": "good"}).to_line()
    path.write_bytes(good + b"x" * (3 * MAX_LINE) + b"\n" + good.replace(b'"seq":1', b'"seq":2'))
    reader = JournalReader(path)
    held = 0
    found = []
    for _ in range(200):
        found += list(reader.read(1 << 16))
        held = max(held, len(reader._partial))
    assert [event.seq for event in found] == [1, 2]
    assert reader.skipped == 1
    assert held <= MAX_LINE + (1 << 18)


@pytest.mark.parametrize("how", ["replaced", "truncated", "rewritten in place"])
def test_a_new_file_under_the_name_is_read_from_its_start(tmp_path: Path, how: str) -> None:
    path = tmp_path / "j"

    def line(seq: int, text: str) -> bytes:
        return Event(seq, "u", 1, EventName.WARNING, None, {"text": text}).to_line()

    path.write_bytes(line(1, "old") + b"garbage\n" + line(2, "old"))
    reader = JournalReader(path)
    assert texts(reader.poll()) == ["old", "old"]
    if how == "replaced":
        other = tmp_path / "other"
        other.write_bytes(line(1, "new") * 9)
        other.rename(path)
    elif how == "truncated":
        path.write_bytes(line(1, "new"))
    else:
        with path.open("r+b") as file:
            file.write(line(1, "new") * 9)
    assert set(texts(reader.poll())) == {"new"}
    assert reader.generation == 1
    assert reader.skipped == 0


def test_what_is_no_file_is_refused_without_hanging(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path):
        with pytest.raises(StorageError, match="no regular file"):
            JournalReader(path).poll()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="symbolic link"):
        journal(tmp_path / "link")


class TornStorage(Storage):
    """From the n-th write on: one more write of `part` bytes, then the disk is full until `free` is set."""

    def __init__(self, full_at: int, part: int) -> None:
        self.full_at = full_at
        self.part = part
        self.writes = 0
        self.free = False

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.writes += 1
        if self.free or self.writes < self.full_at:
            return super().write(fd, data)
        if self.writes == self.full_at and self.part:
            return super().write(fd, data[: self.part])
        raise OSError(errno.ENOSPC, "full")


LINE = len(Event(2, FakeClock().utc(), 5_000_000_000, EventName.WARNING, None, {"text": "b"}).to_line())


@pytest.mark.parametrize("part", [0, 1, 30, LINE - 2, LINE - 1])
def test_a_full_disk_is_told_and_the_journal_goes_on_when_there_is_room(tmp_path: Path, part: int) -> None:
    path = tmp_path / "j"
    storage = TornStorage(full_at=2, part=part)
    writer = journal(path, storage)
    warn(writer, "a")
    with pytest.raises(StorageError, match="the disk is full") as caught:
        warn(writer, "b")
    assert str(path) in str(caught.value)
    storage.free = True
    warn(writer, "c")
    reader = JournalReader(path)
    found = reader.poll()
    # A line that lacked only its newline became a whole event; its number was not given away twice.
    assert texts(found) == (["a", "b", "c"] if part == LINE - 1 else ["a", "c"])
    assert [event.seq for event in found] == list(range(1, len(found) + 1))
    assert writer.seq == len(found)
    assert reader.skipped == (1 if 0 < part < LINE - 1 else 0)


def test_a_failed_sync_is_told_and_the_event_counts_once(tmp_path: Path) -> None:
    class NoSync(Storage):
        refuse = False

        def fsync(self, fd: int) -> None:
            if self.refuse:
                raise OSError(errno.EIO, "bad")
            super().fsync(fd)

    storage = NoSync()
    writer = journal(tmp_path / "j", storage)
    storage.refuse = True
    with pytest.raises(StorageError, match="I/O error"):
        writer.append(EventName.WARNING, None, {"text": "a"}, sync=True)
    warn(writer, "b")
    assert [(e.seq, e.data["text"]) for e in JournalReader(tmp_path / "j").poll()] == [(1, "a"), (2, "b")]


def test_texts_too_long_for_a_line_are_cut(tmp_path: Path) -> None:
    writer = journal(tmp_path / "j")
    huge = {"detail": "é" * MAX_LINE, "list": [{"text": "y" * MAX_LINE}, 5], "short": "kept"}
    writer.append(EventName.STEP_END, "build:iccs/sm3", huge)
    reader = JournalReader(tmp_path / "j")
    (event,) = reader.poll()
    assert reader.skipped == 0
    assert event.data["short"] == "kept" and event.data["list"][1] == 5
    assert event.data["detail"].startswith("ééé") and len(event.data["detail"]) < 2000
    with pytest.raises(ValueError, match="does not fit"):
        writer.append(EventName.WARNING, None, {"rows": list(range(MAX_LINE))})
    assert warn(writer, "next").seq == 2


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    writer = journal(tmp_path / "j")
    writer.close()
    writer.close()


@pytest.mark.parametrize(
    ("mono_s", "utc_s", "said"),
    [
        (60, 60.9, None),
        (60, 59.1, None),
        (1, 3.5, "+2.5 s"),
        (10, -3590, "-3600.0 s"),
        (1, 28801, "+28800.0 s"),
    ],
)
def test_a_step_of_the_clock_is_noticed_once(
    tmp_path: Path, mono_s: float, utc_s: float, said: str | None
) -> None:
    clock = FakeClock()
    writer = journal(tmp_path / "j", clock=clock)
    clock.pass_s(mono_s, utc_s)
    text = writer.clock_step()
    assert (text is None) if said is None else (text is not None and said in text)
    clock.pass_s(5)
    assert writer.clock_step() is None


def test_slewing_over_days_is_no_step(tmp_path: Path) -> None:
    clock = FakeClock()
    writer = journal(tmp_path / "j", clock=clock)
    for _ in range(2000):
        clock.pass_s(60, 60.030)
        assert writer.clock_step() is None


def test_utc_text_and_back() -> None:
    assert utc_text(0) == "1970-01-01T00:00:00.000Z"
    assert utc_text(1_796_052_600_999_999_999) == "2026-11-30T15:30:00.999Z"
    assert utc_seconds("2026-11-30T15:30:00.999Z") == pytest.approx(1_796_052_600.999)
    assert [utc_seconds(text) for text in ("", "yesterday", "2026-11-30T15:30:00")] == [None, None, None]
    assert clock_step_s(("bad", 0), ("2026-11-30T15:30:00.999Z", 0)) is None
    assert SystemClock().utc().endswith("Z") and SystemClock().mono_ns() > 0


@pytest.mark.parametrize("on", [True, False])
def test_reading_leaves_the_cycle_collector_as_it_was(tmp_path: Path, on: bool) -> None:
    path = tmp_path / "j"
    with journal(path) as writer:
        warn(writer, "a")
    before = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        assert len(JournalReader(path).poll()) == 1
        assert gc.isenabled() is on
    finally:
        (gc.enable if before else gc.disable)()


# a line in two ways ----------------------------------------------------------------------------------------------------

# fmt: off
#: What may stand where a value stands: numbers beyond every range, halves of surrogate pairs, what is no JSON.
VALUES = [
    "0", "-0", "1", "1.0", "1e0", "01", "1.", ".5", "+1", "tru", "true", "null", "NaN", "-Infinity",
    "1e999", "-1e-999", "9" * 30, "9" * 5000, "18446744073709551616", "-9223372036854775809",
    "0.1234567890123456789", '"u"', '"x"', '"trial"', '"warning"', '"', r'"\ud800"',
    r'"\ud83d\ude00"', r'"\u0000\/"', r'"\x"', '"\xe9"', '"\x01"', '"\t"', "{}", "[]", "[1,]",
    "[[[1],[2]]]", "[" * 600 + "]" * 600, "[" * 5000, '{"a":1,"a":2}', '{"":[{}]}',
]
#: What may stand between two of them.
PIECES = [
    "", " ", "\t", "\r", "\x0b", "\x00", ",", "}", "]", "],[", ',"seq":7', ',"v":1', ',"v":2',
    r',"\u0073eq":8', ',"data":{"x":1}', ',"step":null', ',"step":"a"', ',"x":1', ',"x":NaN',
    ',"x":"\x01"', ',"x":"\xff"',
]
# fmt: on
MEMBERS = {
    "v": "1",
    "seq": "5",
    "utc": '"u"',
    "mono_ns": "1",
    "event": '"trial"',
    "step": '"s"',
    "data": "{}",
}


@st.composite
def lines_nearly_right(draw: st.DrawFn) -> bytes:
    """A line as the engine writes it, with other values and other things between them, here and there."""
    members = dict(MEMBERS)
    for name in draw(st.lists(st.sampled_from(sorted(MEMBERS)), max_size=2)):
        members[name] = draw(st.sampled_from(VALUES) | st.just(""))
    for name in draw(st.lists(st.sampled_from(sorted(MEMBERS)), max_size=2)):
        members[name] += draw(st.sampled_from(PIECES))
    line = "{" + ",".join(f'"{name}":{value}' for name, value in members.items() if value) + "}"
    cut = draw(st.integers(len(line) - 3, len(line)) | st.integers(0, len(line)))
    return line[:cut].encode("latin-1" if draw(st.booleans()) else "utf-8")


@given(lines_nearly_right())
@example(b"")
@example(b'{"v":1,"seq":1,"utc":"\xed\xa0\x80","mono_ns":1,"event":"trial"}')
@example(b'{"v":1,"seq":1,"utc":"u","mono_ns":1,"event":"trial","x":"\xff"}')
@example(b'{"v":1,"seq":1,"utc":"u","mono_ns":1,"event":"trial","v":2}')
@example(rb'{"v":1,"seq":1,"utc":"u","mono_ns":1,"event":"trial","\u0076":2}')
@example(b'{"v":1,"seq":1,"utc":"u","mono_ns":1,"event":"trial","v" :2}')
@settings(max_examples=500, deadline=None)
def test_a_line_is_the_same_event_whichever_way_it_is_read(line: bytes) -> None:
    assert repr(event_of(line)) == repr(Event.from_line(line))


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=9)
)
def test_what_an_event_holds_is_the_same_whichever_way_it_is_read(value: object) -> None:
    fields = {"v": 1, "seq": 1, "utc": "u", "mono_ns": 1, "event": "warning", "data": {"value": value}}
    line = json.dumps(fields, separators=(",", ":")).encode()
    event = event_of(line)
    assert (
        event is not None
        and repr(event) == repr(Event.from_line(line))
        and repr(event.data["value"]) == repr(value)
    )


@given(
    st.lists(
        lines_nearly_right() | st.just(b'{"v":1,"seq":1,"utc":"u","mono_ns":1,"event":"trial"}'), max_size=5
    )
)
@settings(deadline=None)
def test_many_lines_are_decoded_as_each_by_itself(lines: list[bytes]) -> None:
    assert repr(events_of(lines)) == repr([Event.from_line(line) for line in lines])


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"garbage",
        b'{"v":1,',
        b'{"v":2,"seq":7}',
        b'{"v":1,"seq":7,"utc":"u","mono_ns":1,"event":"trial","v" :2}',
        b"\xff",
        b'"\\n"',
        b'"v":',
        b"x" * MAX_LINE,
    ],
)
def test_a_long_journal_is_read_as_a_short_one(tmp_path: Path, odd: bytes) -> None:
    """In large pieces another decoder is at work."""
    path = tmp_path / "journal.jsonl"
    lines = [
        Event(n, "u", n, EventName.TRIAL, "s", {"trial": n, "text": "x" * 400}).to_line()
        for n in range(1, 3000)
    ]
    lines[1000:1000] = [odd + b"\n"]
    path.write_bytes(b"".join(lines))
    assert path.stat().st_size > 1 << 20
    whole, pieces = JournalReader(path), JournalReader(path)
    found = whole.poll()
    slowly: list[Event] = []
    while not slowly or pieces.unread:
        slowly += pieces.read(1 << 16)
    assert found == slowly and len(found) == 2999
    assert whole.skipped == pieces.skipped == (1 if odd else 0)


def test_a_follower_reads_a_long_journal_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    events = [Event(n, "u", n, EventName.WARNING, None, {"text": str(n)}) for n in range(1, 200)]
    path.write_bytes(b"".join(event.to_line() for event in events))
    follower = Follower(path)
    seen: list[Event] = []
    states = [follower.poll(seen.append, max_bytes=1000)]
    while follower.unread:
        states.append(follower.poll(seen.append, max_bytes=1000))
    assert len(states) == -(-path.stat().st_size // 1000)
    assert seen == events
    assert states[-1] == Follower(path).poll()
    assert follower.poll(max_bytes=1000) is states[-1]

"""The live page: its layout, its two halves, and everything that can happen to the file behind it."""

from __future__ import annotations

import mmap
import os
import stat
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from ngcctui.engine.livepage import SIZE, EngineHalf, LivePage, LivePhase, LiveView, read_page


@pytest.fixture
def page(tmp_path: Path) -> LivePage:
    page = LivePage.create(tmp_path)
    assert page is not None
    return page


def child_writes(path: Path, *fields: int) -> None:
    """What the driver does: pid, trial, iteration, iterations, start_ns, phase through a mapping."""
    with path.open("r+b") as file, mmap.mmap(file.fileno(), SIZE) as mapped:
        for number, value in enumerate(fields):
            struct.pack_into("<Q", mapped, 64 + 8 * number, value)


def test_a_new_page_is_private_and_empty(page: LivePage) -> None:
    status = page.path.stat()
    assert (status.st_size, stat.S_IMODE(status.st_mode)) == (SIZE, 0o600)
    assert read_page(page.path) == LiveView(0, 0, 0, 0, 0, LivePhase.IDLE, EngineHalf())
    assert page.path.read_bytes()[:16] == b"GAP1CCGN" + (1).to_bytes(8, "little")


def test_both_halves_are_at_the_agreed_offsets(page: LivePage) -> None:
    page.update(EngineHalf(1, 2, 3, 4, 5, 6, 7, 8, 1))
    page.hold(True)
    content = page.path.read_bytes()
    assert struct.unpack_from("<10Q", content, 512) == (2, 1, 2, 3, 4, 5, 6, 7, 8, 1)
    assert content[592:] == bytes(640 - 592) + b"\1" + bytes(SIZE - 641)
    child_writes(page.path, 4711, 2, 30, 120, 99, 3)
    view = read_page(page.path)
    assert view == LiveView(4711, 2, 30, 120, 99, LivePhase.TIMED, EngineHalf(1, 2, 3, 4, 5, 6, 7, 8, 1))
    assert view is not None and view.fraction == 0.25
    assert page.view() == view


def test_the_engine_fills_its_half(tmp_path: Path) -> None:
    made = LivePage.create(tmp_path)
    assert made is not None
    now = [1_000_000_000]
    page = LivePage(made.path, os.dup(made._fd), lambda: now[0])
    child_writes(page.path, 4711, 2, 30, 120, 99, 3)
    page.begin(7, 60_000_000_000)
    view = page.view()
    assert view is not None and view.pid == 0  # nothing of the last child is left
    assert view.engine == EngineHalf(limit_ns=60_000_000_000, step_index=7, updated_ns=1_000_000_000)
    child_writes(page.path, 4712)
    page.fill(rss_kib=2048, frequency_khz=3_400_000, cpu_ns=500_000_000, voluntary=3, involuntary=4)
    now[0] += 1_000_000_000
    page.fill(rss_kib=2049, frequency_khz=3_400_000, cpu_ns=1_480_000_000, voluntary=5, involuntary=6)
    view = read_page(page.path)
    assert view is not None
    assert view.engine == EngineHalf(2049, 3_400_000, 980, 5, 6, 60_000_000_000, 7, 2_000_000_000)


def test_what_is_said_of_a_pause_stays_until_it_changes_or_the_next_child(page: LivePage) -> None:
    page.begin(7, 60)
    page.tell_held(True)
    page.fill(rss_kib=2048, frequency_khz=0, cpu_ns=5, voluntary=3, involuntary=4)
    view = page.view()
    assert view is not None and (view.engine.held, view.engine.rss_kib, view.engine.limit_ns) == (1, 2048, 60)
    before = page.path.read_bytes()
    page.tell_held(True)
    assert page.path.read_bytes() == before  # nothing new, nothing written
    page.tell_held(False)
    view = page.view()
    assert view is not None and (view.engine.held, view.engine.rss_kib) == (0, 2048)
    page.tell_held(True)
    page.begin(8, 60)
    view = page.view()
    assert view is not None and view.engine.held == 0


def test_a_phase_that_is_not_known_is_none(page: LivePage) -> None:
    for phase in range(20):
        child_writes(page.path, 1, 0, 0, 0, 0, phase)
        view = page.view()
        assert view is not None
        assert view.phase == (phase if phase <= LivePhase.HELD else LivePhase.IDLE)


def test_numbers_out_of_range_are_cut(page: LivePage) -> None:
    page.update(EngineHalf(rss_kib=-5, limit_ns=1 << 70))
    view = page.view()
    assert view is not None and (view.engine.rss_kib, view.engine.limit_ns) == (0, (1 << 64) - 1)


def test_a_half_written_page_is_not_shown(page: LivePage) -> None:
    with page.path.open("r+b") as file:
        file.seek(512)
        file.write(struct.pack("<Q", 3))
    assert read_page(page.path) is None
    page.update(EngineHalf())
    assert read_page(page.path) is not None


def test_a_childs_nonsense_is_harmless(page: LivePage) -> None:
    child_writes(page.path, *[(1 << 64) - 1] * 6)
    view = read_page(page.path)
    assert view is not None and (view.phase, view.fraction) == (LivePhase.IDLE, 1.0)
    child_writes(page.path, 1, 1, 5, 0)
    view = read_page(page.path)
    assert view is not None and view.fraction is None


def test_a_truncated_page_kills_nobody(page: LivePage) -> None:
    os.truncate(page.path, 0)
    assert read_page(page.path) is None and page.view() is None
    page.begin(1, 2)
    page.fill(rss_kib=1, frequency_khz=1, cpu_ns=1, voluntary=1, involuntary=1)
    assert read_page(page.path) is None


def test_close_removes_the_page(page: LivePage) -> None:
    page.close()
    page.close()
    assert not page.path.exists() and read_page(page.path) is None and page.view() is None


def test_a_page_that_has_vanished_ends_nothing(page: LivePage) -> None:
    page.path.unlink()
    page.update(EngineHalf())
    with page:
        pass
    assert page._fd < 0


def test_what_is_no_page_is_none(tmp_path: Path, page: LivePage) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to(page.path)
    (tmp_path / "short").write_bytes(page.path.read_bytes()[:-1])
    (tmp_path / "foreign").write_bytes(bytes(SIZE))
    (tmp_path / "version").write_bytes(
        page.path.read_bytes()[:8] + (2).to_bytes(8, "little") + bytes(SIZE - 16)
    )
    for name in ("fifo", "link", "short", "foreign", "version", "none"):
        assert read_page(tmp_path / name) is None
    assert read_page(tmp_path) is None
    assert read_page("a\0b") is None


def test_without_a_place_there_is_no_page(tmp_path: Path) -> None:
    assert LivePage.create(tmp_path / "none") is None


def test_without_memory_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(os, "posix_fallocate", full)
    assert LivePage.create(tmp_path) is None
    assert os.listdir(tmp_path) == []


def test_pages_of_dead_engines_are_swept_and_no_others(tmp_path: Path, page: LivePage) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    dead = tmp_path / f"ngcctui-{int(gone.stdout)}-0123456789abcdef.page"
    others = [tmp_path / "ngcctui-notes.page", tmp_path / "other"]
    for path in (dead, *others):
        path.write_bytes(b"")
    second = LivePage.create(tmp_path)
    assert second is not None and second.path != page.path
    assert not dead.exists() and page.path.exists() and all(path.exists() for path in others)

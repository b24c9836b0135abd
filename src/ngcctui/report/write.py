"""Write the pages of a run into its report directory."""

from __future__ import annotations

from pathlib import Path

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage, write_atomic
from ngcctui.report.build import build_pages
from ngcctui.report.markdown import page_markdown
from ngcctui.report.page import Page
from ngcctui.report.toml import page_toml


def page_files(run: RunDir, pages: list[Page]) -> dict[Path, bytes]:
    """Every file of the report with its content: `report/<key>/perf_<system>.md` and `.toml` of every scheme.

    The same run gives the same bytes; nothing is written.  ValueError for published figures, which are of no run.
    """
    files: dict[Path, bytes] = {}
    for page in pages:
        if page.facts is None:
            raise ValueError("published figures are not written into a run")
        path = run.report(page.facts.scheme, page.scheme.system)
        files[path] = page_markdown(page).encode("utf-8")
        files[path.with_suffix(".toml")] = page_toml(page).encode("utf-8")
    return files


def write_reports(run: RunDir, storage: Storage | None = None) -> list[Path]:
    """Write the report of a run; returns the paths of its files.

    Each file is replaced whole.  StorageError when the run cannot be read or the files cannot be written.
    """
    return write_pages(run, build_pages(run), storage or Storage())


def write_pages(run: RunDir, pages: list[Page], storage: Storage) -> list[Path]:
    """Write pages that were built already."""
    files = page_files(run, pages)
    for path, data in files.items():
        write_atomic(path, data, storage)
    return list(files)

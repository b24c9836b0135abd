"""Write the pages of a run into its report directory."""

from __future__ import annotations

from pathlib import Path

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage, write_atomic
from ngcctui.report.build import build_pages
from ngcctui.report.markdown import page_markdown
from ngcctui.report.page import Page
from ngcctui.report.toml import page_toml


def write_reports(run: RunDir, storage: Storage | None = None) -> list[Path]:
    """Write `report/<key>/perf_<system>.md` and `.toml` for every scheme; returns their paths.

    Each file is replaced whole.  StorageError when the run cannot be read or the files cannot be written.
    """
    return write_pages(run, build_pages(run), storage or Storage())


def write_pages(run: RunDir, pages: list[Page], storage: Storage) -> list[Path]:
    """Write pages that were built already."""
    paths = []
    for page in pages:
        if page.facts is None:
            raise ValueError("published figures are not written into a run")
        path = run.report(page.facts.scheme, page.scheme.system)
        for target, text in ((path, page_markdown(page)), (path.with_suffix(".toml"), page_toml(page))):
            write_atomic(target, text.encode("utf-8"), storage)
            paths.append(target)
    return paths

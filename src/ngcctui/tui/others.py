"""What the results of a run can be compared with: figures published for a system, and other runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from ngcctui.engine.rundir import RunDir, list_runs, open_run
from ngcctui.model.errors import ConfigError
from ngcctui.report.build import build_pages
from ngcctui.report.dataset import page_file
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.tui.view.results import Other

#: Other runs that are offered, the newest.
MAX_RUNS = 30
_SYSTEM, _RUN = "system ", "run "


def choices(
    run: RunDir, pages: Sequence[Page], published: Mapping[str, Path], runs_root: Path
) -> list[tuple[str, str]]:
    """Value and label of everything that can be compared with; the first is nothing.

    `published` is the directory of every system, with a file of each scheme in it.
    """
    found = [("", "nothing")]
    for name, directory in published.items():
        count = sum(page_file(directory, _key(page)) is not None for page in pages)
        if count:
            found.append((f"{_SYSTEM}{directory}", f"{name}  published, {count} of {len(pages)} schemes"))
    others = (other for other in list_runs(runs_root) if other.path.resolve() != run.path.resolve())
    return found + [(f"{_RUN}{other.path}", other.name) for other in islice(others, MAX_RUNS)]


def read_other(value: str, pages: Sequence[Page]) -> Other:
    """Read what was chosen; ConfigError or StorageError when it cannot be read."""
    if value.startswith(_SYSTEM):
        system = Path(value.removeprefix(_SYSTEM))
        files = {_key(page): page_file(system, _key(page)) for page in pages}
        return Other(system.name, {key: read_published(path) for key, path in files.items() if path})
    run = open_run(Path(value.removeprefix(_RUN)))
    found = {_key(page): page for page in build_pages(run)}
    if not found.keys() & {_key(page) for page in pages}:
        raise ConfigError(f"{run.name} has none of the schemes of this run")
    return Other("other", found)


def _key(page: Page) -> str:
    return page.facts.scheme if page.facts else page.scheme.id

"""The monitor of a run as a picture (SVG): `python -m ngcctui.tui.picture RUN FILE`, as docs/monitor.svg was made."""

from __future__ import annotations

import argparse
import asyncio
import re
from pathlib import Path

from textual.pilot import Pilot

from ngcctui.engine.rundir import open_run
from ngcctui.tui.app import NgccApp
from ngcctui.tui.config import Options, Settings
from ngcctui.tui.screens.monitor import MonitorScreen

#: Fonts that would be fetched from elsewhere by whoever looks at the picture.
_FONTS = re.compile(r"@font-face \{[^}]*\}\s*")
#: Looks until the run is drawn, and seconds between them.
_LOOKS, _LOOK_S = 100, 0.05


async def picture(run: Path, size: tuple[int, int]) -> str:
    """The monitor of the run in directory `run`, drawn in columns x rows cells."""
    found = open_run(run)
    app = NgccApp(Options(runs_root=run.parent), Settings(), lambda app: app.open_monitor(found))
    async with app.run_test(size=size) as pilot:
        await _drawn(app, pilot)
        return _FONTS.sub("", app.export_screenshot(title=f"ngcctui attach {run.name}"))


async def _drawn(app: NgccApp, pilot: Pilot[None]) -> None:
    """Wait until the first look at the run is on the screen."""
    for _ in range(_LOOKS):
        if isinstance(app.screen, MonitorScreen) and app.screen.snapshot is not None:
            break
        await pilot.pause(_LOOK_S)
    await pilot.pause(_LOOK_S)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ngcctui.tui.picture", description=__doc__)
    parser.add_argument("run", type=Path, metavar="RUN")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--size", type=int, nargs=2, default=(100, 24), metavar=("COLUMNS", "ROWS"))
    args = parser.parse_args()
    columns, rows = args.size
    args.file.write_text(asyncio.run(picture(args.run.absolute(), (columns, rows))), encoding="utf-8")


if __name__ == "__main__":
    main()

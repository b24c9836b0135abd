"""Host check: what disturbs a measurement on this machine, and the command that mends each."""

from __future__ import annotations

from pathlib import Path

from ngcctui.engine.host.fix_script import fix_script
from ngcctui.engine.store import Storage, write_atomic
from ngcctui.model.errors import StorageError
from ngcctui.tui.desk import HostCheck
from ngcctui.tui.messages import Told
from ngcctui.tui.screens.page import PageScreen

SCRIPT = "ngcctui-host.sh"


def host_lines(check: HostCheck) -> list[str]:
    """The check in lines: what would stop a strict campaign first."""
    lines = []
    for finding in sorted(check.findings, key=lambda finding: not finding.blocking):
        lines += [f"{'stops' if finding.blocking else 'notes'}  {finding.text}"]
        lines += [f"         {finding.command}"] if finding.command else []
    return lines or ["nothing found that disturbs a measurement"]


class HostScreen(PageScreen):
    """The findings; a script that mends them can be written from here."""

    NAME = "host"

    def __init__(self, check: HostCheck) -> None:
        self._check = check
        lines = host_lines(check)
        if any(finding.command for finding in check.findings):
            lines += ["", f"w writes {SCRIPT}; as root: sh {SCRIPT} fix, and afterwards: sh {SCRIPT} undo"]
        super().__init__(f"host check: core {check.core}", lines)

    def action_script(self) -> None:
        path = Path.cwd() / SCRIPT
        try:
            write_atomic(
                path, fix_script(self._check.findings).encode("utf-8", "backslashreplace"), Storage()
            )
            self.post_message(Told(f"written: {path}"))
        except StorageError as error:
            self.post_message(Told(str(error), "error"))

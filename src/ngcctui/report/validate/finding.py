"""What a validation finds: one line each, that says where, what, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.report.text import visible

REPORT = "write the pages anew with `ngcctui report`"
RESUME = "finish the run with `ngcctui resume`"
RESTORE = "restore the file from a copy, or measure again"
UPDATE = "validate it with a newer ngcctui"
AGAIN = "publish the run again"
REMOVE = "move it out of the directory"


def retry(step: object) -> str:
    """What to do when a step's evidence cannot be trusted."""
    return f"restore it from a copy, or `ngcctui resume RUN --retry {step}`"


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be: file (relative) or step, what is wrong with it, and the remedy."""

    where: str
    what: str
    todo: str

    def __str__(self) -> str:
        return visible(f"{self.where}: {self.what}; {self.todo}")

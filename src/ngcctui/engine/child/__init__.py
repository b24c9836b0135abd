"""Child processes: started plainly, drained, judged, and ended with everything they started.

`run_child` runs a worker that isolates itself and answers in frames; `run_tool` runs a compiler or another tool.
"""

from ngcctui.engine.child.run import ChildResult, ChildSpec, run_child
from ngcctui.engine.child.sweep import become_subreaper
from ngcctui.engine.child.tool import ToolResult, run_tool
from ngcctui.engine.child.verdict import Crash, Death, kat_outcome, timing_outcome

__all__ = [
    "ChildResult",
    "ChildSpec",
    "Crash",
    "Death",
    "ToolResult",
    "become_subreaper",
    "kat_outcome",
    "run_child",
    "run_tool",
    "timing_outcome",
]

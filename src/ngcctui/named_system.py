"""The name that a campaign gives the machine: one that its figures can be published under."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ngcctui.data_dirs import registries
from ngcctui.engine.host.processor import cpu_model
from ngcctui.model.errors import ConfigError
from ngcctui.model.nearest import nearest
from ngcctui.report.systems import LOCAL, processor_model, registered


def check_system(name: str, core: int, environ: Mapping[str, str], cwd: Path, root: Path = Path("/")) -> str:
    """A warning when the system is not this machine; ConfigError when no registry knows it.

    Figures under such a name could not be published, which is better known before they are measured.  `root` is the
    host's, or that of a copy of its files.
    """
    if name == LOCAL:
        return ""
    known = registered(registries(environ, cwd))
    if name not in known:
        raise ConfigError(
            f"no system {name!r}: {nearest(name, known)}; "
            f"`ngcctui system add {name}` gives this machine that name"
        )
    there, here = processor_model(known[name].processor), cpu_model(root, core) or "an unknown processor"
    if there == here:
        return ""
    return f"system {name} is registered as {there}, this is {here}: such a run can be measured, but not published"

"""Start a module of ours as a script in a Python of its own, cut off from the caller's environment."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from ngcctui.model.errors import StorageError


def python_script(name: str) -> tuple[str, ...]:
    """Command that runs the file `name` of this package: no environment, no user packages, no byte code written."""
    return (sys.executable, "-I", "-B", str(Path(__file__).with_name(name)))


def packages_of(module: str) -> str:
    """Directory that the third-party `module` is installed in, for a Python that may not look for it itself."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise StorageError(f"the Python package {module} is missing; install ngcctui again")
    return str(Path(spec.origin).parent.parent)

"""Settings for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# No deadline on an example: a loaded machine is no fault of the code.
settings.register_profile("ngcctui", deadline=None)
settings.load_profile("ngcctui")

#: Tests that measure, kill engines or watch a real terminal have the machine for themselves; the others run beside each other.
ALONE = {
    "faults": {"*"},
    "engine": {"test_batch_commands.py", "test_batch_follow.py", "test_opssig_profile.py", "test_wheel.py"},
    "tui": {
        "test_journey.py",
        "test_monitor_engine.py",
        "test_monitor_terminal.py",
        "test_robust.py",
        "test_robust_terminals.py",
        "test_robust_unnoticed.py",
    },
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are to run alone."""
    for item in items:
        path = Path(item.path)
        if ALONE.get(path.parent.name, set()) & {"*", path.name}:
            item.add_marker(pytest.mark.alone)

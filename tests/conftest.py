"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# No deadline on an example: a loaded machine is no fault of the code.
settings.register_profile("ngcctui", deadline=None)
settings.load_profile("ngcctui")

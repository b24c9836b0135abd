"""The errors an operator sees: one line each, and the exit code that goes with it."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command."""

    DONE = 0  # done and all KATs pass
    FAILURES = 1  # done, with failures listed
    USAGE = 2  # usage or configuration
    HOST = 3  # host not ready, core taken, changes not accepted
    INTERRUPTED = 4  # interrupted, can be resumed
    STORAGE = 5  # storage or internal error


class NgccError(Exception):
    """An error told to the operator in one line (what, where, what to do) and an exit code."""

    exit_code: ExitCode = ExitCode.STORAGE


class ConfigError(NgccError):
    """Bad usage or a bad configuration file; nothing has been written."""

    exit_code = ExitCode.USAGE


class HostError(NgccError):
    """The host is not ready, its core is taken, or a change was not accepted."""

    exit_code = ExitCode.HOST


class StorageError(NgccError):
    """The run directory cannot be written or is damaged."""

    exit_code = ExitCode.STORAGE

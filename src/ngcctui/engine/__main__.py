"""`python -m ngcctui.engine RUN`: the engine of one run, in the foreground of its own session."""

from __future__ import annotations

import sys
from importlib.util import find_spec

#: What hashlib falls back to, by release: all of it, or it complains about each algorithm that is missing.
_BUILT_IN_HASHES = (
    ("_md5",),
    ("_sha1",),
    ("_sha2", "_sha256"),
    ("_sha2", "_sha512"),
    ("_sha3",),
    ("_blake2",),
)


def without_openssl() -> None:
    """Keep OpenSSL out of this process, to be called before anything else is imported.

    asyncio and hashlib load it where they can: 5 of 27 MB, in a process that sits beside measurements for days and needs
    a few digests.  Both do without it as well, where Python was built with hash functions of its own.
    """
    if all(any(find_spec(name) for name in names) for names in _BUILT_IN_HASHES):
        for name in ("_ssl", "_hashlib"):
            sys.modules[name] = None  # type: ignore[assignment]  # importing it is an ImportError from now on


if __name__ == "__main__":
    without_openssl()
    from ngcctui.engine.service import main

    sys.exit(main())

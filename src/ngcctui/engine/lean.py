"""A process that leaves out what it does not need."""

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

    asyncio and hashlib load it where they can: 5 MB, a fifth of an engine that sits beside measurements for days and a
    tenth of a viewer, which both need a few digests.  They do without it as well, where Python was built with hash
    functions of its own.  What is loaded already stays.
    """
    if all(any(find_spec(name) for name in names) for names in _BUILT_IN_HASHES):
        for name in ("_ssl", "_hashlib"):
            sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # importing it is an ImportError from now on

"""One call of each operation: `python -m benchmarks.single_calls sign-30/TRINE-512-Balanced...`

For schemes whose calls take minutes, where a campaign takes hours.  Every instance is built with the guide's flags and
called in a process of its own with the first official record's seed and message, on the last core.  Prints CPU time
and most memory of each operation, the latter beside what the process had before; and the published time divided by it.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
import time
import tomllib
from collections.abc import Callable
from ctypes import byref, c_ulonglong, create_string_buffer
from pathlib import Path

from benchmarks.common import title
from ngcctui.catalog import find_schemes, named_schemes
from ngcctui.engine.kat_case import official_inputs
from ngcctui.engine.toolchain import GUIDE, build_library, build_native, cache_dir, find_toolchain
from ngcctui.model.scheme import Scheme
from ngcctui.share import share_dir

SYSTEM = "x86_1"  # whose published times are beside ours
UNITS = {"ns": 1e-9, "µs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}


def published_s(scheme: str, instance: str, operation: str) -> float | None:
    """The published mean time in seconds."""
    path = share_dir() / "data" / "published" / SYSTEM / f"{scheme}.toml"
    for row in tomllib.loads(path.read_text())["performance"] if path.exists() else []:
        if (row["instance"], row["operation"]) == (instance, operation):
            number, unit = row["mean_time"].split()
            return float(number) * UNITS[unit]
    return None


def status_kib(field: str) -> int:
    """A figure of this process's memory, KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    sys.exit(f"/proc/self/status has no {field}")


def report(scheme: str, instance: str, operation: str, call: Callable[[], int]) -> None:
    """Make one call and print what it took."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before, start = status_kib("VmRSS"), time.thread_time()
    code = call()
    took = time.thread_time() - start
    if code != 0:
        sys.exit(f"{instance}: {operation} returned {code}")
    known = published_s(scheme, instance, operation)
    ratio = f"published / this {known / took:6.2f}" if known else ""
    peak = status_kib("VmHWM")
    print(
        f"  {instance + '/' + operation:<28} {took * 1e3:>12.2f} ms   "
        f"peak {peak / 1024:6.1f} MiB, {(peak - before) / 1024:6.1f} above the start   {ratio}",
        flush=True,
    )


def call_all(scheme: str, instance: str, library: Path) -> None:
    """keygen, sign and verify of the first official record."""
    code = ctypes.CDLL(str(library))
    given = official_inputs()[0]
    lengths = []
    for part in ("pk", "sk", "sn"):
        function = code[f"sig_get_{part}_len_bytes"]
        function.restype = c_ulonglong
        lengths.append(c_ulonglong(function()))
    pk, sk, sn = (create_string_buffer(length.value) for length in lengths)
    pk_len, sk_len, sn_len = lengths
    message_len = c_ulonglong(len(given.message))
    code.ngcc_seed(given.seed, c_ulonglong(len(given.seed)))
    operations: dict[str, Callable[[], int]] = {
        "keygen": lambda: code.sig_keygen(pk, byref(pk_len), sk, byref(sk_len)),
        "sign": lambda: code.sig_sign(sk, sk_len, given.message, message_len, sn, byref(sn_len)),
        "verify": lambda: code.sig_verify(pk, pk_len, sn, sn_len, given.message, message_len),
    }
    for operation, call in operations.items():
        report(scheme, instance, operation, call)


async def built(scheme: Scheme, wanted: str) -> list[tuple[str, Path]]:
    """Libraries of the scheme's instances, of one of them when it is named."""
    toolchain, cache = find_toolchain(), cache_dir(os.environ)
    await build_native(toolchain, cache)
    libraries = []
    for instance in scheme.file.instance:
        if wanted in ("", instance.name):
            result = await build_library(toolchain, scheme, instance, GUIDE, cache, profile=False)
            if result.library is None:
                sys.exit(f"{instance.name}: {result.detail}")
            libraries.append((instance.name, result.library))
    return libraries


def main(words: list[str]) -> None:
    """Call what the words name: SCHEME or SCHEME/INSTANCE."""
    if not words:
        sys.exit("what? e.g. sign-30/TRINE-512-Balanced")
    title(f"Single calls of {' '.join(words)}")
    found = find_schemes(None, os.environ, Path.cwd())
    for word in words:
        key, _, wanted = word.partition("/")
        (scheme,) = named_schemes([key], found, Path.cwd())
        for instance, library in asyncio.run(built(scheme, wanted)):
            child = os.fork()
            if child == 0:
                os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
                call_all(key, instance, library)
                os._exit(0)
            if os.waitpid(child, 0)[1]:
                sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])

"""How near a bundled scheme comes to the time that its hashing alone takes: `python -m benchmarks.scheme_speed WHAT...`

WHAT is SCHEME[/INSTANCE[/OPERATION]], as for `--only`.  With `--define NAME` the packages are built with that definition
in addition, for schemes that have a second way of doing the same (`sign-14`: LYNX_STREAM); published shares, and so the
bound, are not about that.  One run measures and profiles the operations together with SM3 of
64 KiB, whose time gives that of one compression.  The profile tells which helper calls an operation makes, and so how many
compressions.  The bound is

    time of an operation <= 1.25 * compressions * time of one compression / published hash share

Times are CPU times, so that other work on the core counts for little.  Inputs are fixed, and as many calls are profiled as
a trial has, so that times and compressions belong to the same calls.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from benchmarks.common import measured_run, scratch, title
from ngcctui.engine.rundir import RunDir, open_run
from ngcctui.model.codec import decode
from ngcctui.model.record import ProfileCall, ProfileRecord, Record
from ngcctui.share import share_dir

SLACK = 1.25
OPERATIONS = ("keygen", "sign", "verify")
HASHED_BYTES = 65536
REFERENCE = ("iccs", "sm3hash-256", f"hash_{HASHED_BYTES}")
SYSTEM = "x86_1"  # whose published shares the bound uses

CAMPAIGN = """
name = "scheme-speed"
inputs = "fixed"
[selection]
schemes = {schemes}
operations = {operations}
only = {only}
[planning]
trials = 2
target_s = 1
min_calls = 6
budget_s = 240
repeats = 1
[kat]
records = 1
[profile]
target_s = 1
[host]
policy = "allow"
"""


def blocks(bits: int) -> int:
    """Compressions of one SM3 of that many bits: with the padding's 1 and the 64 bits of the length."""
    return -(-(bits + 65) // 512)


def pseudohash(in_bits: int, out_bits: int) -> int:
    """Compressions of pseudohash: HMAC of the message and of digests, hashes of the message and of digests."""
    of_digest = 2 * blocks(512 + 256)
    first = blocks(512 + 16 + in_bits) + blocks(512 + 256) + blocks(in_bits + 16) + blocks(512)
    more = {512: 0, 768: of_digest + blocks(512), 1024: 3 * of_digest + blocks(512) + blocks(768)}
    return first + more[out_bits]


def compressions(call: ProfileCall) -> int:
    """Compressions of all calls of one helper function with one pair of lengths."""
    outputs = -(-call.out_bits // 256)
    each = {
        "sm3hash": lambda: blocks(call.in_bits),
        "sm3stream": lambda: blocks(call.in_bits),
        "pseudoXOF": lambda: outputs * blocks(call.in_bits + 32),
        "pseudohash": lambda: pseudohash(call.in_bits, call.out_bits),
        "drng": lambda: outputs * blocks(440) + blocks(448),
    }
    return call.calls * each[call.function]()


def cpu_ns(record: Record) -> float:
    """CPU time of one call."""
    used = [trial for trial in record.trials if trial.used]
    return sum(trial.cpu_ns for trial in used) / sum(trial.iterations for trial in used)


@dataclass(frozen=True)
class Speed:
    """An operation: CPU time (ns), compressions and calls of helpers, each for one call of it."""

    instance: str
    operation: str
    n: int
    time_ns: float
    compressions: float
    share: float | None
    calls: dict[str, float]


def speed(run: RunDir, scheme: str, instance: str, operation: str) -> Speed:
    """What a run found out about an operation."""
    record = decode(Record, json.loads(run.record(scheme, instance, operation).read_bytes()))
    profile = decode(ProfileRecord, json.loads(run.profile(scheme, instance, operation).read_bytes()))
    calls: dict[str, float] = {}
    for call in profile.calls:
        calls[call.function] = calls.get(call.function, 0) + call.calls / profile.operations
    total = sum(map(compressions, profile.calls)) / profile.operations
    n = sum(trial.iterations for trial in record.trials if trial.used)
    return Speed(instance, operation, n, cpu_ns(record), total, profile.hash_share, calls)


def measured(run: RunDir) -> Iterable[tuple[str, str, str]]:
    """Scheme, instance and operation of everything that was measured and profiled, but for the hash."""
    for scheme in run.schemes():
        for instance in scheme.file.instance:
            for operation in OPERATIONS:
                key = (scheme.key, instance.name, operation)
                if run.record(*key).exists() and run.profile(*key).exists():
                    yield key


def published_share(scheme: str, instance: str, operation: str) -> tuple[str, float | None]:
    """The share of hashing on the published page: as printed, and as a fraction."""
    path = share_dir() / "data" / "published" / SYSTEM / f"{scheme}.toml"
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text())["symmetric"] if path.exists() else []
    for row in rows:
        text = str(row["hash_share"])
        if (row["instance"], row["operation"]) == (instance, operation) and text.endswith("%"):
            return text, float(text[:-1]) / 100
    return "-", None


def show(run: RunDir, *, bounded: bool) -> None:
    """The time of one compression, and two lines per operation; with the bound when it is `bounded`."""
    reference = decode(Record, json.loads(run.record(*REFERENCE).read_bytes()))
    compression_ns = cpu_ns(reference) / blocks(8 * HASHED_BYTES)
    print(f"  one compression: {compression_ns:.1f} ns\n")
    head = ("time", "compressions", "time / hashing", "bound", "share", "published")
    print(f"  {'':<24} {'n':>6} " + " ".join(f"{text:>14}" for text in head))
    for key in measured(run):
        found = speed(run, *key)
        text, fraction = published_share(*key)
        ratio = found.time_ns / (found.compressions * compression_ns)
        bound = "-" if fraction is None or not bounded else f"{SLACK / fraction:.3f}"
        if fraction is not None and bounded and ratio > SLACK / fraction:
            bound += " MISSED"
        share = "-" if found.share is None else f"{found.share:.1%}"
        cells = (
            f"{found.time_ns / 1e6:.3f} ms",
            f"{found.compressions:.0f}",
            f"{ratio:.3f}",
            bound,
            share,
            text,
        )
        print(
            f"  {found.instance + '/' + found.operation:<24} {found.n:>6} "
            + " ".join(f"{cell:>14}" for cell in cells)
        )
        print("    " + ", ".join(f"{name} {count:g}" for name, count in sorted(found.calls.items())))


def defining(scheme: str, names: list[str], directory: Path) -> None:
    """A copy of a bundled package in `directory`, built with these definitions too."""
    package = directory / scheme
    shutil.copytree(share_dir() / "schemes" / scheme, package)
    description = tomllib.loads((package / "scheme.toml").read_text())
    build = description["build"]
    build["defines"] = [*build.get("defines", []), *names]
    (package / "scheme.toml").write_text(tomli_w.dumps(description))


def main() -> None:
    """Measure what the words name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scheme_speed", description=__doc__)
    parser.add_argument("what", nargs="+", metavar="WHAT", help="e.g. sign-11/Flextree-160f")
    parser.add_argument("--define", action="append", default=[], metavar="NAME[=VALUE]")
    options = parser.parse_args()
    title(f"Speed of {' '.join(options.what)}" + "".join(f" with -D{name}" for name in options.define))
    with scratch() as directory:
        campaign = directory / "scheme-speed.toml"
        schemes = list(dict.fromkeys(word.split("/")[0] for word in options.what))
        campaign.write_text(
            CAMPAIGN.format(
                schemes=json.dumps([REFERENCE[0], *schemes]),
                operations=json.dumps([*OPERATIONS, REFERENCE[2]]),
                only=json.dumps([*options.what, "/".join(REFERENCE)]),
            )
        )
        packages = directory / "schemes"
        packages.mkdir()
        if options.define:
            for scheme in schemes:
                defining(scheme, options.define, packages)
        runs = directory / "runs"
        runs.mkdir()
        run = open_run(measured_run(runs, str(campaign), "--schemes", str(packages)))
        show(run, bounded=not options.define)


if __name__ == "__main__":
    main()

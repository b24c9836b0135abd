"""`ngcctui kat [SCHEME…]`: the KAT of every instance, one line each."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from ngcctui.catalog import find_schemes, named_schemes
from ngcctui.console import Console, console
from ngcctui.model.campaign import Kat
from ngcctui.model.codec import CodecError
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.proof import Proof, prove
from ngcctui.report.format import DASH


def run(args: argparse.Namespace) -> int:
    """Print `<instance> <OUTCOME> <records>/<covered> <digest>` as they come; exit 1 unless all pass."""
    return prove_all(args, tell)


def prove_all(args: argparse.Namespace, tell: Callable[[Proof, Console], None]) -> int:
    """Build and check every instance of the named schemes and tell of each."""
    out = console(args)
    here = Path.cwd()
    schemes = named_schemes(args.scheme, find_schemes(args.schemes, os.environ, here), here)
    given = {"records": args.records, "limit_s": args.kat_limit}
    try:
        kat = Kat(**{key: value for key, value in given.items() if value is not None})
    except CodecError as error:
        raise ConfigError(
            f"{'--records' if error.key == 'records' else '--kat-limit'}: {error.why}"
        ) from None
    cores = sorted(os.sched_getaffinity(0))

    async def work() -> bool:
        good = True
        async for proof in prove(schemes, kat, cores):
            good = good and proof.outcome.good
            if out.json:
                out.data_json({key: value for key, value in asdict(proof).items() if key != "log"})
            else:
                tell(proof, out)
        return good

    return int(ExitCode.DONE if asyncio.run(work()) else ExitCode.FAILURES)


def tell(proof: Proof, out: Console) -> None:
    """One line on stdout; what was wrong on stderr."""
    out.data(f"{proof.instance} {proof.label} {proof.records}/{proof.covered} {proof.sha256 or DASH}")
    if not proof.outcome.good and proof.detail:
        out.error(f"{proof.scheme}/{proof.instance}: {proof.detail}")

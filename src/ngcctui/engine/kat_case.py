"""What a KAT run has to do and what is known about its answers, from scheme.toml and the files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ngcctui.engine.kat_text import (
    HASH_FIELDS,
    HASH_LENGTHS,
    SIGNATURE_FIELDS,
    KatInput,
    hash_lines,
    signature_lines,
)
from ngcctui.model.codec import CodecError, decode
from ngcctui.model.errors import ConfigError
from ngcctui.model.scheme import Function, Instance, Scheme
from ngcctui.model.toml_file import load, read_toml
from ngcctui.share import share_dir

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class KatCase:
    """One instance's KAT.

    `covered` records belong to its digest, `records` are generated.  `inputs` are the seeds and messages of a signature
    scheme, `known` a SHA-256 per field for the first records, as far as there are any.
    """

    key: str
    instance: Instance
    function: Function
    records: int
    covered: int
    inputs: tuple[KatInput, ...]
    known: tuple[Mapping[str, str], ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields of a record in order."""
        return HASH_FIELDS if self.function is Function.HASH else SIGNATURE_FIELDS

    @property
    def nolen(self) -> bool:
        """True when the digest leaves out the lines with lengths."""
        return self.instance.kat.mode.startswith("nolen")

    @property
    def expected(self) -> str | None:
        """Digest of the text of the records to generate, None when it is not known."""
        kat = self.instance.kat
        return kat.sha256 if self.records == self.covered else kat.record0_sha256

    def lines(self, number: int, made: Mapping[str, bytes]) -> list[str]:
        """The text of record `number`."""
        if self.function is Function.HASH:
            return hash_lines(number, self.instance.digest_bits, made)
        return signature_lines(number, self.inputs[number], made)

    def job(self) -> dict[str, str]:
        """Job keys that tell the worker what to generate."""
        if self.function is Function.HASH:
            lengths = ",".join(map(str, HASH_LENGTHS))
            return {"function": "hash", "digest_bits": str(self.instance.digest_bits), "lengths": lengths}
        keys = {"function": "signature", "records": str(self.records)}
        for number, given in enumerate(self.inputs[: self.records]):
            keys |= {f"seed_{number}": given.seed.hex(), f"message_{number}": given.message.hex()}
        return keys


def kat_case(scheme: Scheme, instance: Instance, records: int) -> KatCase:
    """The KAT of `instance` with `records` records: 0 for all that its digest covers, 1 for record 0 alone.

    ConfigError for any other number, and for a file of digests per record that makes no sense.
    """
    function = scheme.file.function
    if function is Function.HASH:
        covered = wanted = len(HASH_LENGTHS)
        inputs: tuple[KatInput, ...] = ()
    else:
        covered = instance.kat.covered
        wanted = check_records(instance, records)
        inputs = official_inputs()
    return KatCase(scheme.key, instance, function, wanted, covered, inputs, _known(scheme, instance))


def check_records(instance: Instance, records: int) -> int:
    """How many records to generate when `records` were asked for; ConfigError when no digest covers that number.

    A self-test is one whole: the number does not matter.
    """
    covered = instance.kat.covered
    if records in (0, covered) or instance.kat.selftest:
        return covered
    if records == 1:
        return 1
    rest = "only that one" if covered == 1 else f"all {covered} of them (0), or record 0 alone (1)"
    raise ConfigError(f"{instance.name}: {records} KAT records cannot be checked: its digest covers {rest}")


@dataclass(frozen=True)
class _InputRecord:
    seed: str
    message: str


@dataclass(frozen=True)
class _InputFile:
    origin: str
    record: tuple[_InputRecord, ...]


@cache
def official_inputs() -> tuple[KatInput, ...]:
    """Seeds and messages of the ten official records; they are the same for every signature scheme."""
    path = share_dir() / "data" / "kat-inputs.toml"
    records = load(_InputFile, path).record
    return tuple(KatInput(bytes.fromhex(item.seed), bytes.fromhex(item.message)) for item in records)


def _known(scheme: Scheme, instance: Instance) -> tuple[Mapping[str, str], ...]:
    name = instance.kat.records
    if name is None:
        return ()
    path = scheme.directory / name
    entries = read_toml(path).get(instance.name, [])
    try:
        records = decode(_KnownFile, {"records": entries}).records
    except CodecError as error:
        raise ConfigError(f"{path}: {instance.name}: {error}") from None
    return tuple(_fields(path, instance.name, number, record) for number, record in enumerate(records))


@dataclass(frozen=True)
class _KnownFile:
    records: tuple[dict[str, str], ...]


def _fields(path: Path, name: str, number: int, record: dict[str, str]) -> Mapping[str, str]:
    known = {}
    for key, digest in record.items():
        field = key.removesuffix("_sha256")
        if field == key or field not in (*SIGNATURE_FIELDS, *HASH_FIELDS) or not _SHA256.fullmatch(digest):
            raise ConfigError(
                f"{path}: {name}[{number}].{key}: must be pk_sha256 or so, 64 lower-case hex digits"
            )
        known[field] = digest
    return known

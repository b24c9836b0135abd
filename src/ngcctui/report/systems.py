"""The registry of systems: machines whose figures go by a name of their own (`x86_1`).

A run on a machine without a name is of system `local`, which stands for any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from ngcctui.engine.store import Storage, write_atomic
from ngcctui.model.codec import CodecError, encode
from ngcctui.model.errors import ConfigError
from ngcctui.model.step import INSTANCE_NAME
from ngcctui.model.toml_file import load

#: The system of a machine that has no name.
LOCAL = "local"
_ARCHITECTURES = ("x86_64", "aarch64")
_GHZ = re.compile(r"(?<![\d.])(\d{1,2}\.\d{1,3}) GHz")


@dataclass(frozen=True)
class System:
    """One machine; texts as the pages print them, `clock_hz` for estimates (0: not known), `origin` who says so."""

    id: str
    architecture: str
    processor: str
    clock: str = ""
    clock_hz: int = 0
    memory: str = ""
    os: str = ""
    compiler: str = ""
    machine: str = ""
    origin: str = ""

    def __post_init__(self) -> None:
        if not INSTANCE_NAME.fullmatch(self.id):
            raise CodecError("id", "must be 1 to 80 of A-Z a-z 0-9 . _ + - and start with a letter or digit")
        if self.id == LOCAL:
            raise CodecError("id", f"{LOCAL} stands for every machine without a name; take another one")
        if self.architecture not in _ARCHITECTURES:
            raise CodecError("architecture", f"must be {' or '.join(_ARCHITECTURES)}")
        if not self.processor:
            raise CodecError("processor", "must not be empty")


@dataclass(frozen=True)
class _File:
    """A systems.toml."""

    system: tuple[System, ...] = ()


def processor_model(processor: str) -> str:
    """A processor as the pages print it without the core that measured, which may be another one each time."""
    return processor.partition(" (CPU ")[0]


def read_systems(files: Iterable[Path]) -> dict[str, tuple[System, Path]]:
    """Every registered system by id with the file that says so; of two with one id the later file's counts.

    ConfigError names file and key when a file does not fit, or has an id twice.
    """
    known: dict[str, tuple[System, Path]] = {}
    for path in files:
        here: dict[str, tuple[System, Path]] = {}
        for system in load(_File, path).system:
            if system.id in here:
                raise ConfigError(f"{path}: system {system.id} is there twice; remove one")
            here[system.id] = (system, path)
        known |= here
    return known


def registered(files: Iterable[Path]) -> dict[str, System]:
    """The same without the registries that the systems come from."""
    return {name: system for name, (system, _) in read_systems(files).items()}


def this_system(
    system_id: str, architecture: str, environment: Mapping[str, str], machine: str = ""
) -> System:
    """A registry entry made of an assessment environment; ConfigError when the name cannot be one."""
    clock = environment.get("clock", "")
    told = _GHZ.search(clock)
    try:
        return System(
            id=system_id,
            architecture=architecture,
            processor=environment.get("processor", ""),
            clock=clock,
            clock_hz=round(float(told[1]) * 1e9) if told else 0,
            memory=environment.get("memory", ""),
            os=environment.get("OS / kernel", ""),
            compiler=environment.get("compiler / build tool", ""),
            machine=machine or environment.get("machine", ""),
            origin="registered on that machine with `ngcctui system add`",
        )
    except CodecError as error:
        raise ConfigError(f"system {system_id!r}: {error}") from None


def add_system(system: System, path: Path, storage: Storage) -> None:
    """Write `system` behind what the registry file holds (comments stay); StorageError when it cannot be written.

    ConfigError when the file is no registry or has that id.
    """
    before = b""
    if path.exists():
        if system.id in read_systems([path]):
            raise ConfigError(f"{path}: system {system.id} is registered there; edit the file to change it")
        before = path.read_bytes().rstrip(b"\n") + b"\n\n"
    filled = {key: value for key, value in encode(system).items() if value not in ("", 0)}
    write_atomic(path, before + f"[[system]]\n{tomli_w.dumps(filled)}".encode(), storage)

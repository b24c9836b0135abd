"""What the processor is: architecture, and the model name of one CPU (on Arm from implementer and part number).

Sources: /proc/cpuinfo, and on arm64 the MIDR_EL1 register that the kernel shows per CPU (Arm architecture reference
manual, MIDR_EL1: implementer in bits 31-24, part number in bits 15-4).
"""

from __future__ import annotations

import re
from pathlib import Path

from ngcctui.engine.host.files import fields, read

IMPLEMENTERS = {
    0x41: "Arm",
    0x42: "Broadcom",
    0x43: "Cavium",
    0x46: "Fujitsu",
    0x48: "HiSilicon",
    0x4E: "NVIDIA",
    0x50: "APM",
    0x51: "Qualcomm",
    0x53: "Samsung",
    0x56: "Marvell",
    0x61: "Apple",
    0x6D: "Microsoft",
    0x70: "Phytium",
    0xC0: "Ampere",
}
PARTS = {
    0x41: {
        0xD02: "Cortex-A34",
        0xD03: "Cortex-A53",
        0xD04: "Cortex-A35",
        0xD05: "Cortex-A55",
        0xD06: "Cortex-A65",
        0xD07: "Cortex-A57",
        0xD08: "Cortex-A72",
        0xD09: "Cortex-A73",
        0xD0A: "Cortex-A75",
        0xD0B: "Cortex-A76",
        0xD0C: "Neoverse-N1",
        0xD0D: "Cortex-A77",
        0xD0E: "Cortex-A76AE",
        0xD40: "Neoverse-V1",
        0xD41: "Cortex-A78",
        0xD42: "Cortex-A78AE",
        0xD43: "Cortex-A65AE",
        0xD44: "Cortex-X1",
        0xD46: "Cortex-A510",
        0xD47: "Cortex-A710",
        0xD48: "Cortex-X2",
        0xD49: "Neoverse-N2",
        0xD4A: "Neoverse-E1",
        0xD4B: "Cortex-A78C",
        0xD4C: "Cortex-X1C",
        0xD4D: "Cortex-A715",
        0xD4E: "Cortex-X3",
        0xD4F: "Neoverse-V2",
        0xD80: "Cortex-A520",
        0xD81: "Cortex-A720",
        0xD82: "Cortex-X4",
        0xD84: "Neoverse-V3",
        0xD85: "Cortex-X925",
        0xD87: "Cortex-A725",
        0xD8E: "Neoverse-N3",
    },
    0x42: {0x516: "ThunderX2"},
    0x43: {0x0A1: "ThunderX", 0x0AF: "ThunderX2"},
    0x46: {0x001: "A64FX"},
    0x48: {0xD01: "TaishanV110", 0xD02: "TaishanV120"},
    0x4E: {0x003: "Denver 2", 0x004: "Carmel"},
    0x50: {0x000: "X-Gene"},
    0x51: {
        0x001: "Oryon",
        0x800: "Kryo 2xx Gold",
        0x801: "Kryo 2xx Silver",
        0x802: "Kryo 3xx Gold",
        0x803: "Kryo 3xx Silver",
        0x804: "Kryo 4xx Gold",
        0x805: "Kryo 4xx Silver",
        0xC00: "Falkor",
    },
    0x61: {
        0x022: "M1 Icestorm",
        0x023: "M1 Firestorm",
        0x024: "M1 Pro Icestorm",
        0x025: "M1 Pro Firestorm",
        0x028: "M1 Max Icestorm",
        0x029: "M1 Max Firestorm",
        0x032: "M2 Blizzard",
        0x033: "M2 Avalanche",
    },
    0x6D: {0xD49: "Azure Cobalt 100"},
    0x70: {0x661: "FTC661", 0x662: "FTC662", 0x663: "FTC663", 0x664: "FTC664", 0x862: "FTC862"},
    0xC0: {0xAC3: "Ampere-1", 0xAC4: "Ampere-1a", 0xAC5: "Ampere-1b"},
}


def cpuinfo(root: Path) -> dict[int, dict[str, str]]:
    """The blocks of /proc/cpuinfo by processor number; empty when it is not told."""
    blocks: dict[int, dict[str, str]] = {}
    for block in re.split(r"\n[ \t]*\n", read(root, "proc/cpuinfo") or ""):
        told = fields(block)
        if told.get("processor", "").isdecimal():
            blocks[int(told["processor"])] = told
    return blocks


def architecture(root: Path = Path("/")) -> str:
    """`x86_64`, `aarch64`, or `unknown`, by what /proc/cpuinfo looks like."""
    for block in cpuinfo(root).values():
        if "CPU implementer" in block:
            return "aarch64"
        if "vendor_id" in block and "flags" in block:
            return "x86_64"
    return "unknown"


def arm_parts(root: Path, cpus: frozenset[int]) -> dict[int, tuple[int, int]]:
    """Implementer and part number of each of the CPUs that tells them; empty on anything but Arm."""
    blocks: dict[int, dict[str, str]] | None = None
    parts: dict[int, tuple[int, int]] = {}
    for cpu in cpus:
        midr = _number(read(root, f"sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1"))
        if midr is not None:
            parts[cpu] = (midr >> 24 & 0xFF, midr >> 4 & 0xFFF)
            continue
        if blocks is None:
            blocks = cpuinfo(root)
        block = blocks.get(cpu, {})
        implementer, part = _number(block.get("CPU implementer")), _number(block.get("CPU part"))
        if implementer is not None and part is not None:
            parts[cpu] = (implementer, part)
    return parts


def part_name(implementer: int, part: int) -> str:
    """`Arm Cortex-A76`; numbers where the name is not known."""
    vendor = IMPLEMENTERS.get(implementer)
    core = PARTS.get(implementer, {}).get(part, f"part {part:#05x}")
    return f"{vendor} {core}" if vendor else f"implementer {implementer:#04x} {core}"


def cpu_model(root: Path, cpu: int) -> str | None:
    """The model name of one CPU; None when the host does not tell it."""
    arm = arm_parts(root, frozenset({cpu})).get(cpu)
    if arm is not None:
        return part_name(*arm)
    name = cpuinfo(root).get(cpu, {}).get("model name", "")
    return " ".join(name.split()) or None


def _number(text: str | None) -> int | None:
    return int(text, 16) if text and re.fullmatch(r"0x[0-9a-fA-F]{1,16}", text) else None

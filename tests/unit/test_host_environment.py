"""The environment table of the pages, and the identity that a resumed run compares."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from host_trees import (
    CPU,
    Tree,
    arm_block,
    big_little,
    hybrid_intel,
    raspberry_pi,
    smt_server,
    virtual_machine,
    x86_block,
)

from ngcctui import __version__
from ngcctui.engine.host.environment import clock, environment, identity
from ngcctui.engine.host.machine import hypervisor, machine_name
from ngcctui.engine.host.processor import architecture, cpu_model

GCC = "gcc (Debian 12.2.0-14) 12.2.0"


def test_the_rows_of_an_x86_machine_in_the_order_of_the_pages(tmp_path: Path) -> None:
    smt_server(tmp_path).put(f"{CPU}/online", "0-14").put(f"{CPU}/smt/control", "off")
    assert list(environment(tmp_path, 14, GCC).items()) == [
        ("processor", "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz (CPU 14, one core)"),
        ("clock", "max 2.10 GHz, governor performance, turbo off, SMT off"),
        ("memory", "15895 MiB"),
        ("OS / kernel", "Test Linux 1 (one) / 6.12.1-test"),
        ("compiler / build tool", f"{GCC} / ngcctui {__version__}"),
    ]


def test_the_rows_of_an_arm_board(tmp_path: Path) -> None:
    raspberry_pi(tmp_path)
    rows = environment(tmp_path, 3, GCC)
    assert list(rows)[:3] == ["processor", "machine", "clock"]
    assert rows["processor"] == "Arm Cortex-A72 (CPU 3, one core)"
    assert rows["machine"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert (
        rows["clock"] == "fixed 1.50 GHz (governor performance, minimum = maximum), boost not told, SMT none"
    )


def test_the_processor_row_names_the_type_of_the_measured_core(tmp_path: Path) -> None:
    big_little(tmp_path)
    assert cpu_model(tmp_path, 2) == "Arm Cortex-A55"
    assert cpu_model(tmp_path, 6) == "Arm Cortex-A76"


@pytest.mark.parametrize(
    ("prepare", "text"),
    [
        (lambda t: t, "max 4.80 GHz, governor powersave, turbo on, SMT on"),
        (
            lambda t: t.put(f"{CPU}/cpu6/cpufreq/scaling_max_freq", 2100000),
            "max 2.10 GHz, governor powersave, turbo on, SMT on",
        ),
        (
            lambda t: t.put(f"{CPU}/intel_pstate/no_turbo", 1),
            "max 4.80 GHz, governor powersave, turbo off, SMT on",
        ),
        (
            lambda t: t.drop(f"{CPU}/intel_pstate/no_turbo"),
            "max 4.80 GHz, governor powersave, turbo not told, SMT on",
        ),
        (
            lambda t: t.drop(f"{CPU}/intel_pstate/no_turbo").put(f"{CPU}/cpufreq/boost", 0),
            "max 4.80 GHz, governor powersave, turbo off, SMT on",
        ),
        (
            lambda t: t.drop(f"{CPU}/intel_pstate/no_turbo").put(f"{CPU}/cpu6/cpufreq/boost", 1),
            "max 4.80 GHz, governor powersave, turbo on, SMT on",
        ),
        (
            lambda t: t.drop(f"{CPU}/cpu6/cpufreq/scaling_governor"),
            "max 4.80 GHz, governor not told, turbo on, SMT on",
        ),
        (
            lambda t: t.put(f"{CPU}/online", "0-6,8-11"),
            "max 4.80 GHz, governor powersave, turbo on, SMT on, but not on this core",
        ),
        (
            lambda t: t.put(f"{CPU}/online", "0-6,8-11").put(f"{CPU}/smt/control", "forceoff"),
            "max 4.80 GHz, governor powersave, turbo on, SMT off",
        ),
    ],
)
def test_the_clock_row_of_x86(prepare: Callable[[Tree], Tree], text: str, tmp_path: Path) -> None:
    prepare(hybrid_intel(tmp_path))
    assert clock(tmp_path, 6) == text


def test_the_clock_row_of_an_arm_board_that_is_not_fixed(tmp_path: Path) -> None:
    big_little(tmp_path).put(f"{CPU}/cpufreq/boost", 1)
    assert clock(tmp_path, 4) == "max 2.40 GHz (governor schedutil, minimum 0.41 GHz), boost on, SMT none"


def test_the_clock_row_without_cpufreq(tmp_path: Path) -> None:
    tree = virtual_machine(tmp_path)
    assert clock(tmp_path, 1) == "2.25 GHz as the kernel tells it, set by the hypervisor"
    assert clock(tmp_path, 1, 2.2457e9) == "measured 2.25 GHz, set by the hypervisor"
    tree.cpuinfo([x86_block("Old", mhz="1999.900")] * 2).clock_source("tsc", "tsc")
    assert clock(tmp_path, 1) == "2.00 GHz as the kernel tells it, set by the firmware"
    tree.cpuinfo([arm_block(0xD0C)] * 2)
    assert clock(tmp_path, 1) == "not told, set by the firmware"


@pytest.mark.parametrize(
    ("implementer", "part", "name"),
    [
        (0x41, 0xD4F, "Arm Neoverse-V2"),
        (0x51, 0x001, "Qualcomm Oryon"),
        (0x61, 0x023, "Apple M1 Firestorm"),
        (0xC0, 0xAC3, "Ampere Ampere-1"),
        (0x41, 0xFFE, "Arm part 0xffe"),
        (0x99, 0x123, "implementer 0x99 part 0x123"),
    ],
)
def test_arm_models(implementer: int, part: int, name: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path).cpus(1).cpuinfo([arm_block(part, implementer)])
    assert cpu_model(tmp_path, 0) == name
    midr = implementer << 24 | 0x1 << 20 | 0xF << 16 | part << 4 | 2
    tree.drop("proc/cpuinfo").put(f"{CPU}/cpu0/regs/identification/midr_el1", f"{midr:#018x}")
    assert cpu_model(tmp_path, 0) == name


def test_nothing_told_is_said_and_not_guessed(tmp_path: Path) -> None:
    rows = environment(tmp_path, 0, GCC)
    assert rows["processor"] == "not told (CPU 0, one core)"
    assert rows["memory"] == "not told"
    assert rows["OS / kernel"] == "Linux / kernel not told"
    assert "machine" not in rows
    assert architecture(tmp_path) == "unknown"
    assert identity(tmp_path).boot_id == "not told"


@pytest.mark.parametrize(
    ("maker", "product", "name"),
    [
        ("ASUSTeK COMPUTER INC.", "Vivobook S 15", "ASUSTeK COMPUTER INC. Vivobook S 15"),
        ("LENOVO", "Lenovo  X13", "Lenovo X13"),
        ("Default string", "NUC12", "NUC12"),
        ("Dell Inc.", "System Product Name", None),
        ("To Be Filled By O.E.M.", "To be filled by O.E.M.", None),
        ("", "", None),
    ],
)
def test_the_machine_by_its_firmware(maker: str, product: str, name: str | None, tmp_path: Path) -> None:
    Tree(tmp_path).put("sys/class/dmi/id/sys_vendor", maker).put("sys/class/dmi/id/product_name", product)
    assert machine_name(tmp_path) == name


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"sys/class/dmi/id/sys_vendor": "QEMU"}, "QEMU"),
        (
            {"sys/class/dmi/id/sys_vendor": "Amazon EC2", "sys/class/dmi/id/product_name": "c7g.large"},
            "Amazon EC2",
        ),
        ({"sys/class/dmi/id/sys_vendor": "Amazon EC2", "sys/class/dmi/id/product_name": "c7g.metal"}, None),
        (
            {
                "sys/class/dmi/id/sys_vendor": "Microsoft Corporation",
                "sys/class/dmi/id/product_name": "Virtual Machine",
            },
            "Hyper-V",
        ),
        ({"sys/class/dmi/id/sys_vendor": "Xenon Computers"}, None),
        ({"sys/hypervisor/type": "xen"}, "Xen"),
        ({"sys/hypervisor/type": "xen", "proc/xen/capabilities": "control_d"}, None),
        ({"proc/sys/kernel/osrelease": "5.15.0-microsoft-standard-WSL2"}, "Hyper-V (WSL)"),
        ({"proc/device-tree/compatible": "linux,dummy-virt"}, "QEMU"),
        ({"proc/device-tree/hypervisor/compatible": "xen,xen-4.17\0xen,xen"}, "xen,xen-4.17"),
        ({"proc/device-tree/fw-cfg@9020000/x": ""}, "QEMU"),
        ({"proc/cpuinfo": "processor: 0\nflags: fpu hypervisor sse"}, "hypervisor not named"),
        ({"proc/cpuinfo": "processor: 0\nflags: fpu sse"}, None),
        ({}, None),
    ],
)
def test_hypervisors(files: dict[str, str], name: str | None, tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    for file, text in files.items():
        tree.put(file, text)
    assert hypervisor(tmp_path) == name


def test_a_guest_is_named_by_its_clock_source(tmp_path: Path) -> None:
    virtual_machine(tmp_path)
    assert hypervisor(tmp_path) == "KVM"


def test_identity_names_every_model_once(tmp_path: Path) -> None:
    big_little(tmp_path)
    told = identity(tmp_path)
    assert told.cpu == "Arm Cortex-A55 + Arm Cortex-A76"
    assert told.kernel == "6.12.1-test"
    assert told.boot_id == "0de91897-d201-42c2-80b6-b2982946bf1e"


def test_hostile_names_cannot_break_a_page(tmp_path: Path) -> None:
    tree = virtual_machine(tmp_path).put("etc/os-release", "PRETTY_NAME='Evil\x1b[2J'")
    tree.put("sys/class/dmi/id/product_name", "x\x1b]0;y\x07" + "z" * 5000)
    rows = environment(tmp_path, 1, "cc\x1b[1m 1.0\nsecond line")
    assert all(row.isprintable() and len(row) < 400 for row in rows.values())
    assert rows["OS / kernel"].startswith(r"Evil\x1b[2J / ")


def test_the_registered_systems_are_written_like_our_own_rows() -> None:
    path = Path(__file__).parents[2] / "data" / "systems.toml"
    systems = {entry["id"]: entry for entry in tomllib.loads(path.read_text())["system"]}
    assert list(systems) == ["x86_1", "arm_1"]
    for entry in systems.values():
        wanted = {
            "id",
            "architecture",
            "processor",
            "clock",
            "clock_hz",
            "memory",
            "os",
            "compiler",
            "origin",
        }
        assert wanted <= set(entry) <= wanted | {"machine"}
        assert f"{entry['clock_hz'] / 1e9:.2f} GHz" in entry["clock"]


def test_the_published_clock_rows_can_be_reproduced(tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / "data" / "systems.toml"
    published = {entry["id"]: entry for entry in tomllib.loads(path.read_text())["system"]}
    x86 = (
        Tree(tmp_path / "x86").cpus(3).cpufreq(range(3), 800_000, 2_100_000).put(f"{CPU}/smt/control", "off")
    )
    x86.put(f"{CPU}/intel_pstate/no_turbo", 1).cpuinfo([x86_block("12th Gen Intel(R) Core(TM) i7-12700")] * 3)
    x86.put("proc/meminfo", f"MemTotal: {31788 * 1024 + 500} kB")
    arm = (
        Tree(tmp_path / "arm").cpus(3).cpufreq(range(3), 2_707_200, 2_707_200).put(f"{CPU}/cpufreq/boost", 0)
    )
    arm.cpuinfo([arm_block(0x001, 0x51)] * 3).put("proc/device-tree/model", "ASUS Vivobook S 15")
    for tree, entry in ((x86, published["x86_1"]), (arm, published["arm_1"])):
        rows = environment(tree.root, 2, GCC)
        assert rows["processor"] == entry["processor"]
        assert rows["clock"] == entry["clock"]
        assert rows.get("machine") == entry.get("machine")
        assert architecture(tree.root) == entry["architecture"]
    assert environment(x86.root, 2, GCC)["memory"] == published["x86_1"]["memory"]


def test_this_host() -> None:
    root = Path("/")
    rows = environment(root, 0, GCC)
    assert rows["processor"].endswith("(CPU 0, one core)")
    assert int(rows["memory"].split()[0]) > 0
    assert rows["OS / kernel"].endswith(f" / {Path('/proc/sys/kernel/osrelease').read_text().strip()}")
    assert len(identity(root).boot_id) == 36

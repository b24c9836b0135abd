"""What the host check finds, how it is mended, and the script that mends and undoes it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from host_trees import (
    CPU,
    PMUS,
    Tree,
    arm_block,
    big_little,
    hybrid_intel,
    raspberry_pi,
    smt_server,
    virtual_machine,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ngcctui.engine.host.findings import Finding, Needs, Write, findings
from ngcctui.engine.host.fix_script import fix_script
from ngcctui.engine.host.topology import online_cpus

HOSTS = (smt_server, hybrid_intel, big_little, raspberry_pi, virtual_machine)


def found(tree: Tree, core: int, needs: Needs | None = None) -> dict[str, Finding]:
    """The findings by key; every key is there once."""
    listed = findings(tree.root, core, online_cpus(tree.root), needs=needs)
    by_key = {finding.key: finding for finding in listed}
    assert len(by_key) == len(listed)
    return by_key


def test_a_prepared_server_has_but_its_sibling(tmp_path: Path) -> None:
    tree = smt_server(tmp_path)
    assert set(found(tree, 14)) == {"smt"}
    assert set(found(tree.put(f"{CPU}/online", "0-14"), 14)) == set()


def test_a_prepared_board_has_none(tmp_path: Path) -> None:
    assert found(raspberry_pi(tmp_path), 3) == {}


def test_a_desktop_from_the_installer(tmp_path: Path) -> None:
    listed = found(hybrid_intel(tmp_path), 7)
    assert list(listed) == ["governor", "turbo", "smt"]
    assert all(finding.blocking for finding in listed.values())
    assert listed["governor"].text == "the governor of CPU 7 is powersave, so its clock follows the load"
    assert listed["governor"].command == f"echo performance > /{CPU}/cpu7/cpufreq/scaling_governor"
    assert listed["governor"].undo == f"echo powersave > /{CPU}/cpu7/cpufreq/scaling_governor"
    assert listed["turbo"].command == f"echo 1 > /{CPU}/intel_pstate/no_turbo"
    assert listed["turbo"].undo == f"echo 0 > /{CPU}/intel_pstate/no_turbo"
    assert listed["smt"].text == "CPU 6 shares the physical core with CPU 7 and is switched on"
    assert listed["smt"].command == f"echo 0 > /{CPU}/cpu6/online"


def test_a_board_from_the_installer(tmp_path: Path) -> None:
    listed = found(big_little(tmp_path), 6)
    assert list(listed) == ["governor", "frequency-range"]
    assert listed["frequency-range"].text == "the clock of CPU 6 may move between 408 and 2352 MHz"
    assert listed["frequency-range"].command == f"echo 2352000 > /{CPU}/cpu6/cpufreq/scaling_min_freq"
    assert listed["frequency-range"].undo == f"echo 408000 > /{CPU}/cpu6/cpufreq/scaling_min_freq"


def test_a_virtual_machine(tmp_path: Path) -> None:
    listed = found(virtual_machine(tmp_path), 1)
    assert list(listed) == ["no-counter", "hypervisor", "clocksource"]
    assert listed["hypervisor"].blocking
    assert (listed["hypervisor"].command, listed["hypervisor"].undo) == ("", "")
    assert "(KVM)" in listed["hypervisor"].text
    assert not listed["clocksource"].blocking  # kvm-clock is read without a system call


def test_a_host_that_tells_nothing_gives_nothing_to_mend(tmp_path: Path) -> None:
    listed = findings(tmp_path, 0, {0})
    assert [finding.key for finding in listed] == ["no-counter", "one-core", "clock-not-told"]
    assert not any(finding.command for finding in listed)


def put(name: str, value: object) -> Callable[[Tree], object]:
    return lambda tree: tree.put(name, value)


def both(*steps: Callable[[Tree], object]) -> Callable[[Tree], object]:
    return lambda tree: [step(tree) for step in steps]


BATTERY = both(
    put("sys/class/power_supply/BAT0/type", "Battery"),
    put("sys/class/power_supply/BAT0/status", "Discharging"),
)
CLOCKS = "sys/devices/system/clocksource/clocksource0"
THROTTLE = f"{CPU}/cpu12/thermal_throttle"


@pytest.mark.parametrize(
    ("prepare", "key", "text", "command", "undo", "blocking"),
    [
        (
            put(f"{CPU}/cpu12/cpufreq/scaling_governor", "ondemand"),
            "governor",
            "the governor of CPU 12 is ondemand",
            f"echo performance > /{CPU}/cpu12/cpufreq/scaling_governor",
            f"echo ondemand > /{CPU}/cpu12/cpufreq/scaling_governor",
            True,
        ),
        (
            both(
                put(f"{CPU}/cpu12/cpufreq/scaling_governor", "ondemand"),
                put(f"{CPU}/cpu12/cpufreq/scaling_available_governors", "ondemand powersave"),
            ),
            "governor",
            "has no performance governor",
            "",
            "",
            True,
        ),
        (
            both(lambda tree: tree.drop(f"{CPU}/intel_pstate/no_turbo"), put(f"{CPU}/cpufreq/boost", 1)),
            "turbo",
            "turbo is on",
            f"echo 0 > /{CPU}/cpufreq/boost",
            f"echo 1 > /{CPU}/cpufreq/boost",
            True,
        ),
        (
            put("proc/sys/kernel/perf_event_paranoid", 4),
            "paranoid",
            "perf_event_paranoid is 4",
            "echo 2 > /proc/sys/kernel/perf_event_paranoid",
            "echo 4 > /proc/sys/kernel/perf_event_paranoid",
            True,
        ),
        (lambda tree: tree.drop(f"{PMUS}/cpu/type"), "no-counter", "no cycle counter", "", "", True),
        (
            put(f"{CLOCKS}/current_clocksource", "hpet"),
            "clocksource",
            "the clock source is hpet, not tsc",
            f"echo tsc > /{CLOCKS}/current_clocksource",
            f"echo hpet > /{CLOCKS}/current_clocksource",
            True,
        ),
        (
            both(
                put(f"{CLOCKS}/current_clocksource", "hpet"),
                put(f"{CLOCKS}/available_clocksource", "hpet acpi_pm"),
            ),
            "clocksource",
            "the kernel does not offer that",
            "",
            "",
            True,
        ),
        (
            both(put(f"{THROTTLE}/core_throttle_count", 3), put(f"{THROTTLE}/package_throttle_count", 4)),
            "throttled-before",
            "throttled 7 times since boot",
            "",
            "",
            False,
        ),
        (
            both(
                put("sys/class/thermal/cooling_device0/type", "Processor"),
                put("sys/class/thermal/cooling_device0/cur_state", 1),
            ),
            "throttled",
            "held down at this moment",
            "",
            "",
            True,
        ),
        (BATTERY, "battery", "runs on its battery", "", "", True),
        (
            lambda tree: tree.process(4711, cpus="12", command=("stress", "-c1")).process(4712, cpus="12"),
            "busy-core",
            "process 4711 (stress -c1) and 1 more tied to CPU 12",
            "",
            "",
            True,
        ),
        (
            put("proc/meminfo", "MemAvailable: 102400 kB"),
            "memory",
            "100 MiB of memory are free, 256 MiB may be needed",
            "",
            "",
            True,
        ),
        (
            put("proc/meminfo", "MemAvailable: 9000000 kB\nSwapTotal: 4096 kB\nSwapFree: 1024 kB"),
            "swap",
            "3 MiB are swapped out",
            "",
            "",
            False,
        ),
        (
            put("proc/sys/kernel/sched_autogroup_enabled", 1),
            "autogroup",
            "autogroup scheduling is on",
            "echo 0 > /proc/sys/kernel/sched_autogroup_enabled",
            "echo 1 > /proc/sys/kernel/sched_autogroup_enabled",
            False,
        ),
        (
            put("proc/sys/kernel/nmi_watchdog", 1),
            "nmi-watchdog",
            "NMI watchdog",
            "echo 0 > /proc/sys/kernel/nmi_watchdog",
            "echo 1 > /proc/sys/kernel/nmi_watchdog",
            False,
        ),
        (
            put("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never"),
            "huge-pages",
            "huge pages are always used",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
            "echo always > /sys/kernel/mm/transparent_hugepage/enabled",
            False,
        ),
        (
            lambda tree: tree.process(100, policy=1).put("proc/self/stat", tree.get("proc/100/stat")),
            "real-time",
            "the kernel stops 50 ms in every 1000 ms",
            "echo -1 > /proc/sys/kernel/sched_rt_runtime_us",
            "echo 950000 > /proc/sys/kernel/sched_rt_runtime_us",
            False,
        ),
        (
            both(
                put("proc/irq/24/effective_affinity_list", "12"),
                put("proc/irq/24/smp_affinity_list", "0-15"),
                put("proc/irq/25/effective_affinity_list", "3"),
                put("proc/irq/25/smp_affinity_list", "0-15"),
                put("proc/irq/9/smp_affinity_list", "8-15"),
                put("proc/irq/default_smp_affinity", "ffff"),
            ),
            "interrupts",
            "2 device interrupts (9, 24) go to CPU 12",
            "",
            "",
            False,
        ),
    ],
)
def test_each_finding(
    prepare: Callable[[Tree], object],
    key: str,
    text: str,
    command: str,
    undo: str,
    blocking: bool,
    tmp_path: Path,
) -> None:
    """On a server that is otherwise ready, one thing wrong is one finding."""
    tree = smt_server(tmp_path).put(f"{CPU}/online", "0-12,14-15")
    prepare(tree)
    listed = found(tree, 12)
    assert list(listed) == [key]
    finding = listed[key]
    assert text in finding.text
    assert finding.text.isprintable()
    assert (finding.command, finding.undo, finding.blocking) == (command, undo, blocking)


@pytest.mark.parametrize(
    "prepare",
    [
        both(
            BATTERY,
            put("sys/class/power_supply/AC/type", "Mains"),
            put("sys/class/power_supply/AC/online", 1),
        ),
        both(BATTERY, put("sys/class/power_supply/BAT0/status", "Full")),
        both(BATTERY, put("sys/class/power_supply/BAT0/scope", "Device")),  # a mouse
        put(f"{CPU}/cpu11/cpufreq/scaling_governor", "powersave"),  # another core's
        put(f"{CPU}/cpu12/cpufreq/scaling_min_freq", 2_000_000),  # x86 need not be fixed
        put("proc/meminfo", "SwapTotal: 4096 kB\nSwapFree: 4096 kB"),
        put("proc/irq/24/effective_affinity_list", "3"),
        put("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]"),
    ],
)
def test_what_is_no_finding(prepare: Callable[[Tree], object], tmp_path: Path) -> None:
    tree = smt_server(tmp_path).put(f"{CPU}/online", "0-12,14-15")
    prepare(tree)
    assert found(tree, 12) == {}


def test_no_real_time_note_where_the_kernel_does_not_stop_such_tasks(tmp_path: Path) -> None:
    tree = raspberry_pi(tmp_path).process(100, policy=2).put("proc/sys/kernel/sched_rt_runtime_us", -1)
    tree.put("proc/self/stat", tree.get("proc/100/stat"))
    assert found(tree, 3) == {}


def test_a_paranoid_level_is_no_finding_where_there_is_nothing_to_count(tmp_path: Path) -> None:
    tree = virtual_machine(tmp_path).put("proc/sys/kernel/perf_event_paranoid", 4)
    listed = found(tree, 1)
    assert "paranoid" not in listed
    assert "no-counter" in listed


def test_a_sibling_that_cannot_be_switched_off(tmp_path: Path) -> None:
    listed = found(smt_server(tmp_path), 1)  # its sibling is CPU 0, which has no switch
    assert listed["smt"].command == ""
    assert "choose another core" in listed["smt"].text


def test_a_core_of_the_slower_type_is_named(tmp_path: Path) -> None:
    listed = found(hybrid_intel(tmp_path), 9)
    assert listed["core-type"].text == "CPU 9 (cpu_atom) is not of the fastest type; those are 0-7"
    assert not listed["core-type"].blocking


def test_core_0_and_the_only_core(tmp_path: Path) -> None:
    tree = raspberry_pi(tmp_path)
    assert set(found(tree, 0)) == {"core-0"}
    assert [finding.key for finding in findings(tree.root, 0, {0})] == ["one-core"]


def test_a_board_on_a_weak_supply(tmp_path: Path) -> None:
    tree = raspberry_pi(tmp_path).put("sys/class/hwmon/hwmon1/in0_lcrit_alarm", 1)
    tree.put("sys/devices/platform/soc/soc:firmware/get_throttled", "50001")
    listed = found(tree, 3)
    assert list(listed) == ["throttled", "throttled-before", "under-voltage"]
    assert "at some time since boot" in listed["throttled-before"].text


def test_arm_without_the_architectures_clock(tmp_path: Path) -> None:
    tree = raspberry_pi(tmp_path).clock_source("timer", "timer")
    assert found(tree, 3)["clocksource"].blocking


def test_metal_without_cpufreq_does_not_tell_its_clock(tmp_path: Path) -> None:
    tree = Tree(tmp_path).cpus(4).common().cpuinfo([arm_block(0xD08)] * 4).pmu("armv8_pmuv3", 7, "0-3")
    assert set(found(tree, 3)) == {"clock-not-told"}


@pytest.mark.parametrize(("cpu", "key"), [(12, "core-taken"), (13, "sibling-run"), (14, None)])
def test_a_run_on_the_core_or_on_its_sibling(cpu: int, key: str | None, tmp_path: Path) -> None:
    tree = smt_server(tmp_path).process(900, command=("python", "-m", "ngcctui.engine", "/r/night"))
    status = (tmp_path / CPU / f"cpu{cpu}").stat()
    device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}"
    tree.put("proc/locks", f"1: FLOCK  ADVISORY  WRITE 900 {device}:{status.st_ino} 0 EOF")
    listed = found(tree, 12)
    assert set(listed) == {"smt", key} - {None}
    if key is not None:
        assert listed[key].blocking
        assert "process 900 (python -m ngcctui.engine /r/night), run night; wait for it" in listed[key].text
    if cpu == 12:  # held by this very process, it is not taken
        assert "core-taken" not in {finding.key for finding in findings(tmp_path, 12, {11, 12}, own={900})}


def test_disk_against_what_the_run_needs(tmp_path: Path) -> None:
    tree = raspberry_pi(tmp_path)
    assert "disk" not in found(tree, 3, Needs(disk_bytes=1, disk=tmp_path / "runs"))
    listed = found(tree, 3, Needs(disk_bytes=1 << 60, disk=tmp_path / "runs"))
    assert listed["disk"].blocking
    assert listed["disk"].text.endswith("make room or give --runs another place")


def test_own_processes_do_not_make_the_core_busy(tmp_path: Path) -> None:
    tree = raspberry_pi(tmp_path).process(100, cpus="3").put("proc/self/status", "Pid:\t100\nPPid:\t1")
    assert found(tree, 3) == {}
    assert [finding.key for finding in findings(tmp_path, 3, {2, 3}, own=set())] == ["busy-core"]


def run_script(script: str, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "NGCCTUI_ROOT": str(root)}
    return subprocess.run(
        ["sh", "-s", "--", *words], input=script, env=environ, capture_output=True, text=True, check=False
    )


def snapshot(root: Path) -> dict[str, str]:
    """Every setting of the tree."""
    return {str(path): path.read_text().strip() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("host", HOSTS)
def test_the_script_mends_what_it_can_and_undo_restores_every_value(
    host: Callable[[Path], Tree], tmp_path: Path
) -> None:
    root = tmp_path / "it's a $(root)"
    tree = host(root).put("proc/sys/kernel/sched_autogroup_enabled", 1).put("proc/sys/kernel/nmi_watchdog", 1)
    tree.put("proc/sys/kernel/perf_event_paranoid", 3)
    core = max(online_cpus(root))
    before, listed = snapshot(root), findings(root, core, online_cpus(root))
    script = fix_script(listed)
    assert sum(bool(finding.command) for finding in listed) >= 2

    done = run_script(script, root, "fix")
    assert (done.returncode, done.stderr) == (0, "")
    # Switching a CPU off takes it out of the list of online ones; here nothing but the script acts.
    off = {cpu for cpu in online_cpus(root) if cpu and tree.get(f"{CPU}/cpu{cpu}/online") == "0"}
    tree.put(f"{CPU}/online", ",".join(str(cpu) for cpu in sorted(online_cpus(root) - off)))
    left = findings(root, core, online_cpus(root))
    assert not any(finding.command for finding in left)
    assert {finding.key for finding in left} <= {finding.key for finding in listed}

    assert run_script(script, root, "undo").returncode == 0
    tree.put(f"{CPU}/online", before[str(root / CPU / "online")])
    assert snapshot(root) == before


def test_the_script_goes_on_after_a_refusal_and_says_so(tmp_path: Path) -> None:
    tree = hybrid_intel(tmp_path)
    script = fix_script(findings(tmp_path, 7, online_cpus(tmp_path)))
    tree.drop(f"{CPU}/intel_pstate/no_turbo")
    (tmp_path / CPU / "intel_pstate").rmdir()
    done = run_script(script, tmp_path, "fix")
    assert done.returncode == 1
    assert done.stderr == f"not written: /{CPU}/intel_pstate/no_turbo (wanted 1)\n"
    assert tree.get(f"{CPU}/cpu7/cpufreq/scaling_governor") == "performance"
    assert tree.get(f"{CPU}/cpu6/online") == "0"


@pytest.mark.parametrize("words", [(), ("both",), ("fix; id",)])
def test_the_script_wants_fix_or_undo(words: tuple[str, ...], tmp_path: Path) -> None:
    hybrid_intel(tmp_path)
    before = snapshot(tmp_path)
    done = run_script(fix_script(findings(tmp_path, 7, set(range(12)))), tmp_path, *words)
    assert done.returncode == 2
    assert "usage: sh" in done.stderr
    assert snapshot(tmp_path) == before


def test_a_script_without_findings_does_nothing(tmp_path: Path) -> None:
    assert run_script(fix_script(()), tmp_path, "fix").returncode == 0


VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20)


@settings(deadline=None, max_examples=40)
@given(VALUES, VALUES, st.text(max_size=60))
def test_values_and_texts_cannot_leave_their_quotes(
    tmp_path_factory: pytest.TempPathFactory, value: str, before: str, text: str
) -> None:
    root = tmp_path_factory.getbasetemp() / "quotes"
    root.mkdir(exist_ok=True)
    script = fix_script([Finding("key", text, (Write("/a 'file'", value, before),))])
    for word, wanted in (("fix", value), ("undo", before)):
        done = run_script(script, root, word)
        assert (done.returncode, done.stderr) == (0, "")
        assert (root / "a 'file'").read_text() == f"{wanted}\n"
    assert [path.name for path in root.iterdir()] == ["a 'file'"]


def test_undo_of_several_writes_runs_backwards() -> None:
    finding = Finding("k", "t", (Write("/a", "1", "0"), Write("/b", "1", "0")))
    assert finding.command == "echo 1 > /a; echo 1 > /b"
    assert finding.undo == "echo 0 > /b; echo 0 > /a"


def test_this_host() -> None:
    root = Path("/")
    core = max(online_cpus(root))
    for finding in findings(root, core, online_cpus(root)):
        assert finding.key
        assert finding.text.isprintable()
        for write in finding.writes:
            shown = Path(write.path).read_text().strip()
            assert write.before in (shown, "always")
            assert write.value != write.before

"""Invented hosts: small /proc and /sys trees below a directory, for everything that takes a `root`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

CPU = "sys/devices/system/cpu"
PMUS = "sys/bus/event_source/devices"
X86_FLAGS = "fpu tsc msr rdtscp constant_tsc nonstop_tsc avx2"


class Tree:
    """A host below `root`; every method writes files and later ones overwrite."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, value: object) -> Tree:
        """File `name` (no leading slash) with `value` and a final newline, as the kernel writes it."""
        path = self.root / name
        try:
            path.write_text(f"{value}\n")
        except FileNotFoundError:
            path.parent.mkdir(parents=True)
            path.write_text(f"{value}\n")
        return self

    def get(self, name: str) -> str:
        return (self.root / name).read_text().strip()

    def drop(self, name: str) -> Tree:
        (self.root / name).unlink()
        return self

    def cpus(self, count: int, *, allowed: str | None = None, threads: int = 1) -> Tree:
        """`count` online CPUs; with 2 threads, CPUs 2n and 2n+1 share a core."""
        everything = f"0-{count - 1}" if count > 1 else "0"
        for name in ("online", "possible", "present"):
            self.put(f"{CPU}/{name}", everything)
        for cpu in range(count):
            first = cpu - cpu % threads
            shared = f"{first}-{first + threads - 1}" if threads > 1 else f"{cpu}"
            self.put(f"{CPU}/cpu{cpu}/topology/thread_siblings_list", shared)
            if cpu:
                self.put(f"{CPU}/cpu{cpu}/online", 1)
        self.put(f"{CPU}/smt/control", "on" if threads > 1 else "notsupported")
        self.process(100, parent=1, cpus=allowed or everything, command=("engine",))
        self.process(1, parent=0, cpus=everything, command=("init",))
        status = (self.root / "proc/100/status").read_text()
        self.put("proc/self/status", f"{status}CapEff:\t0000000000000000")
        return self.put("proc/self/stat", self.get("proc/100/stat"))

    def cpufreq(self, cpus: Iterable[int], low: int, high: int, governor: str = "performance") -> Tree:
        """Clock limits in kHz of some CPUs."""
        for cpu in cpus:
            where = f"{CPU}/cpu{cpu}/cpufreq"
            self.put(f"{where}/cpuinfo_max_freq", high).put(f"{where}/cpuinfo_min_freq", low)
            self.put(f"{where}/scaling_max_freq", high).put(f"{where}/scaling_min_freq", low)
            self.put(f"{where}/scaling_cur_freq", high - 1000).put(f"{where}/scaling_governor", governor)
            self.put(f"{where}/scaling_available_governors", "performance powersave schedutil")
        return self

    def pmu(self, name: str, kind: int, cpus: str | None = None, **events: str) -> Tree:
        """A perf PMU; `cpus` is the mask file of core PMUs."""
        self.put(f"{PMUS}/{name}/type", kind)
        if cpus is not None:
            self.put(f"{PMUS}/{name}/cpus", cpus)
        for event, code in events.items():
            self.put(f"{PMUS}/{name}/events/{event}", code)
        return self

    def cpuinfo(self, blocks: Iterable[dict[str, str]]) -> Tree:
        text = "".join(
            f"processor\t: {cpu}\n" + "".join(f"{key}\t: {value}\n" for key, value in block.items()) + "\n"
            for cpu, block in enumerate(blocks)
        )
        return self.put("proc/cpuinfo", text)

    def process(
        self,
        pid: int,
        *,
        parent: int = 1,
        cpus: str = "0",
        command: tuple[str, ...] = ("worker",),
        state: str = "S",
        kernel: bool = False,
        policy: int = 0,
        name: str = "a) (b",
        threads: dict[int, str] | None = None,
    ) -> Tree:
        """A process; `threads` maps thread ids to their CPU lists.  The default name is one that breaks naive parsers."""
        where = f"proc/{pid}"
        flags = 0x00208040 if kernel else 0x00400000
        fields = [state, parent, 0, 0, -1, 0, flags, *[0] * 31, policy, 0]
        status = f"Name:\tx\nState:\t{state} (any)\nPid:\t{pid}\nPPid:\t{parent}\nCpus_allowed_list:\t"
        self.put(f"{where}/stat", f"{pid} ({name}) " + " ".join(str(field) for field in fields))
        self.put(f"{where}/status", f"{status}{cpus}").put(f"{where}/comm", "x")
        (self.root / where / "cmdline").write_bytes(b"" if kernel else "\0".join((*command, "")).encode())
        for thread, mask in {pid: cpus, **(threads or {})}.items():
            self.put(f"{where}/task/{thread}/status", f"{status}{mask}")
        return self

    def common(self) -> Tree:
        """What every Linux has: memory, load, statistics, kernel and distribution names; a quiet set of knobs."""
        self.put(
            "proc/meminfo",
            "MemTotal: 16276480 kB\nMemFree: 900 kB\nMemAvailable: 8000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB",
        )
        self.put("proc/loadavg", "0.25 0.13 0.07 2/91 6890")
        self.put("proc/vmstat", "nr_free_pages 5\npswpin 7\npswpout 11\noom_kill 0")
        count = len(list((self.root / CPU).glob("cpu[0-9]*")))
        lines = [f"cpu{cpu} 1 2 3 4 5 6 7 {cpu * 10} 0 0" for cpu in range(count)]
        self.put("proc/stat", "\n".join(["cpu  9 9 9 9 9 9 9 9 0 0", *lines, "intr 5 1"]))
        self.put("proc/sys/kernel/osrelease", "6.12.1-test").put("proc/sys/kernel/perf_event_paranoid", 2)
        self.put("proc/sys/kernel/random/boot_id", "0de91897-d201-42c2-80b6-b2982946bf1e")
        self.put("proc/sys/kernel/sched_autogroup_enabled", 0).put("proc/sys/kernel/nmi_watchdog", 0)
        self.put("proc/sys/kernel/sched_rt_runtime_us", 950000).put(
            "proc/sys/kernel/sched_rt_period_us", 1000000
        )
        self.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
        return self.put("etc/os-release", 'NAME="Test"\nPRETTY_NAME="Test Linux 1 (one)"')

    def clock_source(self, current: str, available: str) -> Tree:
        where = "sys/devices/system/clocksource/clocksource0"
        return self.put(f"{where}/current_clocksource", current).put(
            f"{where}/available_clocksource", available
        )


def x86_block(model: str, flags: str = X86_FLAGS, mhz: str = "2100.000") -> dict[str, str]:
    return {"vendor_id": "GenuineIntel", "model name": model, "cpu MHz": mhz, "flags": flags}


def arm_block(part: int, implementer: int = 0x41) -> dict[str, str]:
    return {"BogoMIPS": "108.00", "CPU implementer": f"{implementer:#04x}", "CPU part": f"{part:#05x}"}


def smt_server(root: Path, cores: int = 8) -> Tree:
    """An x86 server with two threads a core, everything switched to the measuring state but SMT."""
    cpus = 2 * cores
    tree = Tree(root).cpus(cpus, threads=2).cpufreq(range(cpus), 800_000, 2_100_000)
    tree.cpuinfo(x86_block("Intel(R) Xeon(R)   Gold 6130 CPU @ 2.10GHz") for _ in range(cpus)).common()
    tree.put(f"{CPU}/intel_pstate/no_turbo", 1).clock_source("tsc", "tsc hpet acpi_pm")
    tree.pmu("cpu", 4, **{"cpu-cycles": "event=0x3c"}).pmu("software", 1)
    tree.put(f"{PMUS}/cstate_core/type", 20).put(f"{PMUS}/cstate_core/cpumask", f"0-{cpus - 1}")
    for cpu in range(cpus):
        tree.put(f"{CPU}/cpu{cpu}/thermal_throttle/core_throttle_count", 0)
        tree.put(f"{CPU}/cpu{cpu}/thermal_throttle/package_throttle_count", 0)
    return tree


def hybrid_intel(root: Path) -> Tree:
    """A hybrid desktop: CPUs 0-7 fast (4 cores with 2 threads), 8-11 slow; straight from the installer."""
    tree = Tree(root).cpus(12).put(f"{CPU}/smt/control", "on")
    for cpu in range(8):
        first = cpu - cpu % 2
        tree.put(f"{CPU}/cpu{cpu}/topology/thread_siblings_list", f"{first}-{first + 1}")
    tree.cpufreq(range(8), 400_000, 4_800_000, "powersave").cpufreq(
        range(8, 12), 400_000, 3_600_000, "powersave"
    )
    tree.cpufreq((4, 5), 400_000, 4_900_000, "powersave")  # two favoured CPUs
    tree.cpuinfo(x86_block("12th Gen Intel(R) Core(TM) i7-12700") for _ in range(12)).common()
    tree.put(f"{CPU}/intel_pstate/no_turbo", 0).clock_source("tsc", "tsc hpet acpi_pm")
    tree.pmu("cpu_core", 4, "0-7", **{"cpu-cycles": "event=0x3c"})
    tree.pmu("cpu_atom", 10, "8-11", **{"cpu-cycles": "event=0x3c"})
    tree.put("sys/class/dmi/id/sys_vendor", "To Be Filled By O.E.M.")
    return tree.put("sys/class/dmi/id/product_name", "To Be Filled By O.E.M.")


def big_little(root: Path) -> Tree:
    """An arm64 board: CPUs 0-3 Cortex-A55, 4-7 Cortex-A76 with clusters of slightly different top clocks."""
    tree = Tree(root).cpus(8).cpufreq(range(4), 408_000, 1_800_000, "schedutil")
    tree.cpufreq((4, 5), 408_000, 2_400_000, "schedutil").cpufreq((6, 7), 408_000, 2_352_000, "schedutil")
    tree.cpuinfo(arm_block(0xD05 if cpu < 4 else 0xD0B) for cpu in range(8)).common()
    for cpu in range(8):
        tree.put(f"{CPU}/cpu{cpu}/cpu_capacity", 430 if cpu < 4 else 1024 if cpu < 6 else 1004)
    tree.pmu("armv8_cortex_a55", 8, "0-3", cpu_cycles="event=0x0011")
    tree.pmu("armv8_cortex_a76", 9, "4-7", cpu_cycles="event=0x0011")
    tree.put(f"{PMUS}/arm_spe_0/type", 7).put(f"{PMUS}/arm_spe_0/cpumask", "4-7")
    tree.clock_source("arch_sys_counter", "arch_sys_counter").put(
        "proc/device-tree/model", "Invented Board 5B\0"
    )
    tree.put("sys/class/thermal/thermal_zone1/type", "soc-thermal").put(
        "sys/class/thermal/thermal_zone1/temp", 47222
    )
    tree.put("sys/class/thermal/cooling_device0/type", "cpufreq-cpu4")
    return tree.put("sys/class/thermal/cooling_device0/cur_state", 0)


def raspberry_pi(root: Path) -> Tree:
    """A Raspberry Pi 4 in the measuring state."""
    tree = Tree(root).cpus(4).cpufreq(range(4), 1_500_000, 1_500_000).common()
    tree.cpuinfo(arm_block(0xD08) for _ in range(4)).pmu(
        "armv8_cortex_a72", 7, "0-3", cpu_cycles="event=0x0011"
    )
    tree.clock_source("arch_sys_counter", "arch_sys_counter")
    tree.put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    tree.put("sys/devices/platform/soc/soc:firmware/get_throttled", 0)
    tree.put("sys/class/hwmon/hwmon1/name", "rpi_volt").put("sys/class/hwmon/hwmon1/in0_lcrit_alarm", 0)
    tree.put("sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    return tree.put("sys/class/thermal/thermal_zone0/temp", 51121)


def virtual_machine(root: Path) -> Tree:
    """A KVM guest without cpufreq, PMU and firmware tables."""
    tree = Tree(root).cpus(2).common().clock_source("kvm-clock", "kvm-clock tsc acpi_pm")
    tree.cpuinfo(x86_block("AMD EPYC", f"{X86_FLAGS} hypervisor", "2245.786") for _ in range(2))
    return tree.pmu("software", 1).pmu("msr", 9, tsc="event=0x00").pmu("tracepoint", 2)

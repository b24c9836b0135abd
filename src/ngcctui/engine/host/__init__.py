"""The host: its cores, counters, findings, environment and health, read from /proc and /sys below any root."""

from ngcctui.engine.host.core import (
    CoreLock,
    Holder,
    Task,
    choose_core,
    core_holder,
    core_lock,
    foreign_tasks,
    process_family,
    smt_sibling_run,
    wait_for_core,
)
from ngcctui.engine.host.counters import Counter, counter_for, counter_named
from ngcctui.engine.host.environment import Identity, environment, identity
from ngcctui.engine.host.findings import Finding, Needs, findings
from ngcctui.engine.host.fix_script import fix_script
from ngcctui.engine.host.health import (
    HealthDelta,
    HealthSample,
    core_frequency_khz,
    delta,
    free_disk,
    memory_available,
    sample_health,
)
from ngcctui.engine.host.topology import allowed_cpus, core_types, online_cpus, siblings

__all__ = [
    "CoreLock",
    "Counter",
    "Finding",
    "HealthDelta",
    "HealthSample",
    "Holder",
    "Identity",
    "Needs",
    "Task",
    "allowed_cpus",
    "choose_core",
    "core_frequency_khz",
    "core_holder",
    "core_lock",
    "core_types",
    "counter_for",
    "counter_named",
    "delta",
    "environment",
    "findings",
    "fix_script",
    "foreign_tasks",
    "free_disk",
    "identity",
    "memory_available",
    "online_cpus",
    "process_family",
    "sample_health",
    "siblings",
    "smt_sibling_run",
    "wait_for_core",
]

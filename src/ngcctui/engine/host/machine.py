"""What kind of machine this is: the name its maker gave it, and whether a hypervisor is below it."""

from __future__ import annotations

import re
from pathlib import Path

from ngcctui.engine.host.files import names, plain, read
from ngcctui.engine.host.processor import cpuinfo

DMI = "sys/class/dmi/id"
CLOCKSOURCE = "sys/devices/system/clocksource/clocksource0"
DEVICE_TREE = ("proc/device-tree", "sys/firmware/devicetree/base")

#: What board makers leave in the firmware when they do not name the machine (lower case).
_PLACEHOLDERS = {
    "",
    "none",
    "unknown",
    "default string",
    "not specified",
    "not applicable",
    "invalid",
    "o.e.m.",
    "oem",
    "to be filled by o.e.m.",
    "system product name",
    "system manufacturer",
    "product name",
    "undefined",
}
#: Words in the firmware's vendor or product name that a hypervisor puts there (lower case), and its name.
_FIRMWARE = {
    "qemu": "QEMU",
    "kvm": "KVM",
    "bochs": "Bochs",
    "vmware": "VMware",
    "virtualbox": "VirtualBox",
    "innotek": "VirtualBox",
    "xen": "Xen",
    "parallels": "Parallels",
    "bhyve": "bhyve",
    "virtual machine": "Hyper-V",
    "google compute engine": "Google Compute Engine",
    "openstack": "OpenStack",
    "apple virtualization": "Apple Virtualization",
    "hetzner vserver": "Hetzner vServer",
    "amazon ec2": "Amazon EC2",
    "firecracker": "Firecracker",
}
#: Clock sources that only guests of a hypervisor have.
_CLOCKS = {"kvm-clock": "KVM", "hyperv_clocksource_tsc_page": "Hyper-V", "xen": "Xen"}


def machine_name(root: Path = Path("/")) -> str | None:
    """The machine's name from the device tree, else maker and product of the firmware; None where it has none."""
    for tree in DEVICE_TREE:
        model = read(root, f"{tree}/model")
        if model:
            return plain(model)
    maker, product = (_named(read(root, f"{DMI}/{part}")) for part in ("sys_vendor", "product_name"))
    if not product:
        return None
    return plain(product if not maker or product.lower().startswith(maker.lower()) else f"{maker} {product}")


def hypervisor(root: Path = Path("/")) -> str | None:
    """The name of the hypervisor below this system; `hypervisor not named` if only its presence is told; None on metal."""
    kind = read(root, "sys/hypervisor/type")
    dom0 = "control_d" in (read(root, "proc/xen/capabilities") or "")
    if kind and not dom0:
        return plain(kind.capitalize())
    if "microsoft" in (read(root, "proc/sys/kernel/osrelease") or "").lower():
        return "Hyper-V (WSL)"
    firmware = " ".join(
        read(root, f"{DMI}/{part}") or "" for part in ("sys_vendor", "product_name", "bios_vendor")
    )
    named = next(
        (name for word, name in _FIRMWARE.items() if re.search(rf"\b{word}\b", firmware.lower())), None
    )
    # A bare-metal machine of Amazon carries the same vendor as its virtual ones.
    if named == "Amazon EC2" and ".metal" in firmware:
        return None
    if named or (named := _device_tree_hypervisor(root)):
        return named
    if not any("hypervisor" in block.get("flags", "").split() for block in cpuinfo(root).values()):
        return None
    clocks = (read(root, f"{CLOCKSOURCE}/available_clocksource") or "").split()
    return next((_CLOCKS[clock] for clock in clocks if clock in _CLOCKS), "hypervisor not named")


def _device_tree_hypervisor(root: Path) -> str | None:
    for tree in DEVICE_TREE:
        compatible = (read(root, f"{tree}/compatible") or "").split("\0")
        if "linux,dummy-virt" in compatible:
            return "QEMU"
        above = (read(root, f"{tree}/hypervisor/compatible") or "").split("\0")[0]
        if above:
            return plain(above)
        if any(entry.startswith("fw-cfg") for entry in names(root, tree)):
            return "QEMU"
    return None


def _named(text: str | None) -> str | None:
    cleaned = " ".join((text or "").split())
    return None if cleaned.lower() in _PLACEHOLDERS else cleaned

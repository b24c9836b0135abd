"""The system that a run names: registered, and this machine."""

from __future__ import annotations

from collections.abc import Mapping

from ngcctui.report.systems import LOCAL, System, processor_model
from ngcctui.report.validate.evidence import Evidence

_REGISTER = "register the machine with `ngcctui system add`, or run with another `--system`"


def check_system(evidence: Evidence, systems: Mapping[str, System]) -> None:
    """A run under a registered name was measured on that processor; `local` is any machine."""
    if evidence.campaign is None:
        return
    name = evidence.campaign.host.system
    if name == LOCAL:
        return
    system = systems.get(name)
    if system is None:
        evidence.tell("campaign.toml", f"host.system is {name}, which no registry knows", _REGISTER)
        return
    for session, rows in evidence.scan.environments.items():
        found = rows.get("processor", "")
        if processor_model(found) != processor_model(system.processor):
            what = f"session {session} ran on {processor_model(found) or 'an unknown processor'}, system {name} is {processor_model(system.processor)}"
            evidence.tell(evidence.run.journal.name, what, _REGISTER)

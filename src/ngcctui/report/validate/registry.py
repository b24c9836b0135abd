"""The system that a run names: registered, and this machine."""

from __future__ import annotations

from collections.abc import Mapping

from ngcctui.report.systems import LOCAL, System
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
        if _model(found) != _model(system.processor):
            what = f"session {session} ran on {_model(found) or 'an unknown processor'}, system {name} is {_model(system.processor)}"
            evidence.tell(evidence.run.journal.name, what, _REGISTER)


def _model(processor: str) -> str:
    """The processor without the core that measured, which may be another one each time."""
    return processor.partition(" (CPU ")[0]

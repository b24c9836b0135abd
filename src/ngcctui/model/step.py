"""Steps: the units of work that start and end in the journal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class Kind(str, Enum):
    """Kind of a step, in the order of the phases of a run."""

    BUILD = "build"
    KAT = "kat"
    CALIBRATE = "calibrate"
    MEASURE = "measure"
    PROFILE = "profile"


#: Instance names and scheme keys are used in paths: nothing else gets through.
INSTANCE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")
SCHEME_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}(@[A-Za-z0-9][A-Za-z0-9._+-]{0,39})?")
OPERATION = re.compile(r"[a-z][a-z0-9_]{0,39}")
_KINDS = {kind.value: kind for kind in Kind}
#: A whole step id at once: viewers read thousands of them before they can draw anything.
_STEP = re.compile(
    f"(?P<kind>{'|'.join(_KINDS)}):(?P<scheme>{SCHEME_KEY.pattern})/(?P<instance>{INSTANCE_NAME.pattern})"
    f"(?:/(?P<operation>{OPERATION.pattern}))?"
)


@dataclass(frozen=True, order=True)
class Step:
    """One unit of work: `kind:scheme/instance[/operation]`."""

    kind: Kind
    scheme: str
    instance: str
    operation: str | None = None

    def __str__(self) -> str:
        tail = f"/{self.operation}" if self.operation else ""
        return f"{self.kind.value}:{self.scheme}/{self.instance}{tail}"

    @classmethod
    def parse(cls, text: str) -> Step:
        """Read a step id; ValueError when it is not one."""
        found = _STEP.fullmatch(text)
        if found is None:
            raise ValueError(f"not a step id: {text!r}")
        kind, scheme, instance, operation = found.group("kind", "scheme", "instance", "operation")
        step = cls(_KINDS[kind], scheme, instance, operation)
        if (step.kind in (Kind.BUILD, Kind.KAT)) != (operation is None):
            raise ValueError(f"not a step id: {text!r}")
        return step

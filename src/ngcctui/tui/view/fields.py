"""The numbers and words of a campaign as fields that an operator changes, one line each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ngcctui.model.campaign import Campaign, HostPolicy, Inputs, PlanningMode
from ngcctui.model.codec import CodecError
from ngcctui.model.errors import ConfigError

Reader = Callable[[str], Any]


@dataclass(frozen=True)
class Field:
    """One field: where it is in a campaign (`planning.trials`), its label, how a text becomes its value.

    `choices` are the texts that it can have, empty when it is typed; `unit` follows the number on the screen.
    """

    key: str
    label: str
    read: Reader
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()

    def value(self, campaign: Campaign) -> str:
        """The value as it is typed."""
        found: Any = campaign
        for part in self.key.split("."):
            found = getattr(found, part)
        return _written(self.key, found)

    def shown(self, campaign: Campaign) -> str:
        """The value as it is read, with its unit."""
        text = self.value(campaign)
        return f"{text} {self.unit}" if self.unit else text

    def put(self, campaign: Campaign, text: str) -> Campaign:
        """The campaign with another value; ConfigError says in one line what is wrong with it."""
        try:
            value = self.read(text.strip())
            section, dot, name = self.key.partition(".")
            if not dot:
                return replace(campaign, **{section: value})
            return replace(campaign, **{section: replace(getattr(campaign, section), **{name: value})})
        except CodecError as error:
            raise ConfigError(f"{self.label}: {error.why}") from None

    def next(self, campaign: Campaign) -> Campaign:
        """The campaign with the choice after the present one."""
        now = self.value(campaign)
        place = self.choices.index(now) + 1 if now in self.choices else 0
        return self.put(campaign, self.choices[place % len(self.choices)])


def _written(key: str, value: Any) -> str:
    if key == "host.core":
        return "best" if value < 0 else str(value)
    if key == "kat.records":
        return str(value) if value else "all"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(getattr(value, "value", value))


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise CodecError("", f"must be a whole number, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CodecError("", f"must be a number of seconds, not {text!r}")
    return value


def _core(text: str) -> int:
    return -1 if text in ("best", "-1") else _whole(text)


def _records(text: str) -> int:
    return 0 if text == "all" else _whole(text)


FIELDS: tuple[Field, ...] = (
    Field("name", "name", str, "letters, digits, . _ + -"),
    Field("host.system", "system", str, "the name of this machine on the pages"),
    Field("host.core", "core", _core, "the core to measure on: a number, or best"),
    Field("inputs", "inputs", Inputs, "varied, or fixed as published", choices=("varied", "fixed")),
    Field("planning.trials", "trials", _whole, "each in a process of its own"),
    Field("planning.target_s", "target", _seconds, "seconds that a trial aims at", "s"),
    Field("planning.budget_s", "budget", _seconds, "most seconds for the trials of an operation", "s"),
    Field("planning.repeats", "repeats", _whole, "how often a disturbed trial is repeated at most"),
    Field("planning.mode", "planning", PlanningMode, "one calibration call, or a few", choices=("default", "published")),
    Field("kat.records", "KAT records", _records, "all that the digest covers, or record 0 alone", choices=("all", "1")),
    Field("kat.limit_s", "KAT limit", _seconds, "seconds for one instance", "s"),
    Field("profile.on", "profile", lambda text: text == "on", "the share of the helpers", choices=("on", "off")),
    Field("host.policy", "host", HostPolicy, "refuse a machine with findings, or allow it", choices=("strict", "allow")),
)  # fmt: skip

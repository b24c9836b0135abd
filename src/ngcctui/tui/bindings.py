"""Bindings of screens and widgets, from the table of actions."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from ngcctui.tui.actions import actions_of


def bindings(screen: str) -> list[BindingType]:
    """The bindings of a screen, from the table of actions."""
    return [
        Binding(action.keys, action.name, action.help, show=False, id=action.id, priority=action.always)
        for action in actions_of(screen)
    ]


def modal_bindings(screen: str) -> list[BindingType]:
    """Those of a screen that lies above another one, with what always counts: textual does not ask the app then."""
    always = [
        Binding(action.keys, f"app.{action.name}", action.help, show=False, id=action.id, priority=True)
        for action in actions_of("app")
        if action.always
    ]
    return [*bindings(screen), *always]

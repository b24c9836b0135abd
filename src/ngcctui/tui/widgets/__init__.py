"""Widgets that more than one screen uses, or that textual does not have."""

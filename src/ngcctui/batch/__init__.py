"""The batch printer: follow a run's journal and print it, as lines, bars or JSON."""

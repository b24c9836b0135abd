"""Pure functions from the state of a run to what is drawn."""

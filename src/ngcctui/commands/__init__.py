"""One module for each command; each has `run(args)`, which returns the exit code."""

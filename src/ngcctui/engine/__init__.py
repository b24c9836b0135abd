"""The engine: host, toolchain, children, measuring, and the journal it all goes into; knows no screen."""

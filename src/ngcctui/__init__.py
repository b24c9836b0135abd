"""ngcctui: benchmark candidates of a post-quantum cryptography competition from the terminal."""

__version__ = "0.1.0"

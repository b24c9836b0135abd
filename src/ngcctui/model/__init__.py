"""Frozen data of ngcctui and their TOML/JSON codecs; imports nothing else of the package."""

"""What the program itself costs, measured: `python -m benchmarks.NAME`, or `make bench-NAME` (README.md)."""

"""Pages of results: one typed table per section, printed as Markdown, TOML and plain text."""

"""The operator's screens.  Nothing of them is imported by any other part but the command line."""

"""One module per command: `run(app, arguments)` does it and returns the exit code, or raises CommandError."""

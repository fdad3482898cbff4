"""The shared log: signed heights whose payloads are opaque here. Imports nothing of ours."""

"""Opponents that see what their seat may know and ask the rules for what is legal."""

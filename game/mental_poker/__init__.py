"""Dealing without a dealer. Deals in numbers (deck places, card ids) and imports nothing of ours."""

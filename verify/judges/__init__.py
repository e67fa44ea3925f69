"""Judges: anything that turns (claim, evidence) into stances."""

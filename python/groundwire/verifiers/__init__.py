"""Verifiers: models asked whether a claim holds. Each is loaded when it is first used."""

"""Referee, matches, statistics, records: what strength claims rest on."""

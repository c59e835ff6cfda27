"""Experiments described as data, run on modelled or emulated links, and reported as one page (./run evaluate)."""

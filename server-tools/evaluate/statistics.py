"""Means over seeds, with what the seeds leave open."""
import dataclasses

import numpy

RESAMPLES = 2000


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean over seeds, and the 95 % bootstrap interval of it. With one seed, the interval is the mean."""
    mean: float
    low: float
    high: float
    seeds: int


def per_seed(rows, column):
    """The mean of a column for each seed: runs of one seed share their links or film, and are not independent."""
    values = {}
    for row in rows:
        if row.get(column):
            values.setdefault(int(row["seed"]), []).append(float(row[column]))
    return {seed: sum(of_seed) / len(of_seed) for seed, of_seed in sorted(values.items())}


def estimate(values):
    """Of the values of some seeds; nothing without any. The same values give the same interval."""
    if not values:
        return None
    values = numpy.asarray(values, dtype=float)
    picks = numpy.random.default_rng(1).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = numpy.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    return Estimate(float(values.mean()), float(low), float(high), len(values))


def mean_of(rows, column):
    return estimate(list(per_seed(rows, column).values()))


def difference_of(rows, others, column):
    """rows less others, compared seed by seed: what a seed has of its own falls away."""
    ours, theirs = per_seed(rows, column), per_seed(others, column)
    return estimate([ours[seed] - theirs[seed] for seed in ours if seed in theirs])

"""The longest deadline misses of all runs, with the sentence that each run has for its own."""
LINES = 10
REMEDIES = {"link": "another link", "quality": "a lower quality", "buffer": "a larger buffer", "nothing": "none of these"}


def worst_misses(rows):
    """rows by experiment. The longest of each experiment and setup, longest first."""
    missed = [row for found in rows.values() for row in found if row.get("worst_miss")]
    missed.sort(key=lambda row: float(row["miss_max_s"]), reverse=True)
    longest = {}
    for row in missed:
        longest.setdefault((row["experiment"], row["setup"]), row)
    return missed, list(longest.values())[:LINES]


def remedies(missed):
    """How many of the runs' longest misses each remedy would have avoided, in words."""
    counts = {name: sum(row["worst_miss_avoided_by"] == name for row in missed) for name in REMEDIES}
    return ", ".join(f"{REMEDIES[name]} {count}" for name, count in counts.items() if count)


def summary(rows):
    missed, longest = worst_misses(rows)
    return {"missed": len(missed), "runs": sum(map(len, rows.values())), "remedies": remedies(missed), "longest": longest,
            "lines": LINES}

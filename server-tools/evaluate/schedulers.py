"""Who divides segments and measures links: the thesis' own schedulers to the letter, its subsegments with our rules, and ours. And how
playout begins: as people play, or as in the thesis."""

# Playout begins with one segment, whose quality the rule chooses; or with a full buffer and the highest quality.
STARTS = {"played": {"--startup": "1", "--start": "fast"}, "thesis": {"--start": "thesis"}}

# What a cell's scheduler is, besides its subsegments: the thesis' own has no repairs, and measures by its text.
THESIS = {"--duplicates": "0", "--without": "rescue,take-over"}
TIMINGS = {"": "request", ", from the turn": "turn"}
SCHEDULERS = {**{f"{approach}{words}": {"--subsegments": approach, **THESIS, "--timing": timing}
                 for words, timing in TIMINGS.items() for approach in ("static", "dynamic")},
              **{f"{approach}, ours": {"--subsegments": approach} for approach in ("static", "dynamic")},
              "balanced": {"--subsegments": "balanced"},
              "balanced, as played": {"--subsegments": "balanced", **STARTS["played"]}}


def scheduler_of(row):
    """Which of SCHEDULERS a row's session had; others with the thesis' subsegments are ours."""
    had = {"--duplicates": row["duplicates_percent"], "--without": row["without"], "--timing": row["timing"]}
    for words, timing in TIMINGS.items():
        if had == {**THESIS, "--timing": timing}:
            return row["subsegment"] + words
    if row["subsegment"] != "balanced":
        return f"{row['subsegment']}, ours"
    return "balanced, as played" if row["start"] == STARTS["played"]["--start"] else "balanced"

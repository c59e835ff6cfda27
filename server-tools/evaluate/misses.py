"""The longest deadline misses of all runs, with the sentence that each run has for its own."""
import html

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


def section(rows):
    missed, longest = worst_misses(rows)
    if not missed:
        return "<h2 id=misses>The longest misses</h2>\n<p>No deadline was missed.</p>\n"
    lines = "".join(
        f"<tr><th scope=row>{html.escape(row['experiment'])}: {html.escape(row['cell'])}, seed {html.escape(row['seed'])}</th>"
        f"<td>{float(row['miss_max_s']):.2f} s</td><td class=sentence>{html.escape(row['worst_miss'])}</td></tr>\n"
        for row in longest)
    return (f"<h2 id=misses>The longest misses</h2>\n<p>{len(missed)} of {sum(map(len, rows.values()))} runs missed a deadline. "
            f"What would have avoided the longest of each: {remedies(missed)}. The longest of each experiment and setup, at most "
            f"{LINES}; <code>tributary-bench --explain</code> with the run's options has all of them.</p>\n"
            "<table class=misses><thead><tr><th scope=col>Run</th><th scope=col>Longest</th><th scope=col>Why</th></tr></thead>"
            f"<tbody>\n{lines}</tbody></table>\n")

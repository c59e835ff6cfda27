"""What TKN-12-001 says of links in turn and of its filter, held against the rows of the experiment "splitter"."""
from .marks import Mark
from .results import select
from .statistics import mean_of

LEAST = {2: (1.76, 1.98), 3: (2.25, 2.97)}  # by the number of links: section 6.1's range with the filter
LIKE = 0.1  # of Linux today, by which links in turn and the filter may differ


def judge_splitter(rows):
    """A mark for each claim; none without rows. Setups are named "1 link", or by the number of links and the difference of their round
    trips, as in "2 links, 40 ms"."""
    if not rows:
        return []
    gains = {sender: gains_of(select(rows, {"sender": sender})) for sender in ("old", "today")}
    in_turn = {setup: gain for setup, gain in gains["old"].get("round-robin", {}).items() if not setup.endswith(" 0 ms")}
    filtered = gains["old"].get("dupack-filter", {})
    return [mark(1, "A sender of 2011, links in turn: less than one link wherever round trips differ", in_turn, lambda gain: gain < 1),
            *(mark(number, f"A sender of 2011, {links} links, with the filter: at least {least} links (the report: {least} to {most})",
                   {setup: gain for setup, gain in filtered.items() if setup.startswith(f"{links} ")}, lambda gain, least=least: gain >= least)
              for number, (links, (least, most)) in enumerate(LEAST.items(), 2)),
            mark(4, f"Linux today: with the filter within {100 * LIKE:.0f} % of links in turn", ratios(gains["today"]),
                 lambda ratio: abs(ratio - 1) <= LIKE)]


def gains_of(rows):
    """{processor: {setup: goodput relative to that of one link}}."""
    one = mean_of(select(rows, {"setup": "1 link"}), "goodput_mbit_s")
    if not one:
        return {}
    found = {}
    for row in rows:
        if row["setup"] != "1 link":
            found.setdefault(row["processor"], {}).setdefault(row["setup"], []).append(row)
    return {processor: {setup: mean_of(of_setup, "goodput_mbit_s").mean / one.mean for setup, of_setup in setups.items()}
            for processor, setups in found.items()}


def ratios(gains):
    in_turn, filtered = gains.get("round-robin", {}), gains.get("dupack-filter", {})
    return {setup: filtered[setup] / in_turn[setup] for setup in filtered if setup in in_turn}


def mark(number, claim, values, holds):
    found = "; ".join(f"{setup}: {value:.2f}" for setup, value in values.items())
    return Mark(number, claim, all(map(holds, values.values())) if values else None, found or "no runs")

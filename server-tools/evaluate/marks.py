"""The statements of chapter 4 that do not depend on the film, and those about what goes beyond it, held against the rows."""
import dataclasses

from .results import links_of, select
from .schedulers import SCHEDULERS, TIMINGS
from .statistics import difference_of, mean_of

# A fiftieth of a level of quality: what one segment of a run of a hundred weighs when it is two levels lower.
LEVEL_TOLERANCE = 0.02
FLAT_PERCENT = 5
MOST_PAID, LEAST_FREE = 1.05, 0.97
VARYING = ("varies", "drops", "drops early")  # set-ups in which the free link's rate is not what it was
RATIOS = ["50:50", "60:40", "70:30", "80:20"]
# Name, column, factor and digits of what mark 3 says of the two links less the single one, and whether more is better.
STATIC_AGAINST_SINGLE = [("mean level", "mean_level", 1, 2, True), ("super, percentage points", "share_q3", 100, 0, True),
                         ("missed deadlines a run", "misses", 1, 1, False), ("standstill, s a run", "miss_total_s", 1, 1, False),
                         ("switches a run", "switches", 1, 0, False), ("QoE_lin", "qoe_lin", 1, 0, True)]
# What schedulers are used with: the thesis' with its rule of quality, ours with ours.
ADAPTATIONS = {scheduler: "planned" if scheduler.startswith("balanced") else "thesis" for scheduler in SCHEDULERS}
# Experiments that compare our own rules.
INNER = ("ablation", "forecast")
CONDITIONS = ("setup", "mode", "buffer_segments")


@dataclasses.dataclass(frozen=True)
class Mark:
    number: int
    claim: str
    passed: bool | None  # None: the runs do not tell
    found: str


def judge(experiments, rows):
    """experiments and rows by name. A mark for each claim, in order."""
    ladder = {name: [row for row in rows[name] if row.get("abr") == ADAPTATIONS.get(row.get("scheduler"), "")]
              for name in experiments if name not in INNER}
    several = {name: [row for row in found if len(links_of(row)) > 1] for name, found in ladder.items()}
    bandwidth, dynamics = several.get("bandwidth", []), several.get("dynamics", [])
    # Claims of the thesis are judged for both ways in which its text can be read.
    of_thesis = [lambda words: [never_below(1, f"dynamic{words}", f"static{words}", several)],
                 lambda words: [super_is_flat(bandwidth, f"dynamic{words}")],
                 lambda words: static_needs_a_buffer(ladder.get("bandwidth", []), f"static{words}"),
                 lambda words: [no_misses(dynamics, f"dynamic{words}", f"static{words}")],
                 lambda words: [two_links_beat_one(5, f"dynamic{words}", experiments, ladder)]]
    return [*(mark for claim in of_thesis for words in TIMINGS for mark in claim(words)),
            never_below(6, "balanced", "dynamic", several), two_links_beat_one(7, "balanced", experiments, ladder),
            *money_is_spared(rows.get("cost", []))]


def groups(rows):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in CONDITIONS), []).append(row)
    return found


def words(name, condition):
    setup, mode, buffer = condition
    return f"{name} {setup}, {mode.replace('_', ' ')}, B = {buffer}"


def verdict(number, claim, differences):
    """differences: (Estimate, where) of which none may be below 0 by more than the tolerance."""
    differences = [(found, where) for found, where in differences if found]
    if not differences:
        return Mark(number, claim, None, "no runs")
    below = [where for found, where in differences if found.mean < -LEVEL_TOLERANCE]
    worst, where = min(differences, key=lambda entry: entry[0].mean)
    return Mark(number, claim, not below,
                f"below in {len(below)} of {len(differences)} conditions; the lowest difference is {worst.mean:+.2f} levels "
                f"[{worst.low:+.2f}, {worst.high:+.2f}] ({where})")


def never_below(number, better, other, several):
    """Quality can be bought with misses: whoever is late has more time for the segments after. So a condition counts against
    a scheduler if its quality is lower and it misses as many deadlines."""
    differences, worse = [], []
    for name, rows in several.items():
        for condition, found in groups(rows).items():
            others, ours = (select(found, {"scheduler": scheduler}) for scheduler in (other, better))
            level = difference_of(ours, others, "mean_level")
            differences.append((level, words(name, condition)))
            late = [difference_of(ours, others, column) for column in ("misses", "segments_skipped")]
            if level and level.mean < -LEVEL_TOLERANCE and sum(found.mean for found in late) >= 0:
                worse.append(f"{words(name, condition)}: {level.mean:+.2f}")
    mark = verdict(number, f"{better.capitalize()}: at least as good as {other}, everywhere: not of lower quality, "
                           "unless with fewer missed deadlines and skipped segments", differences)
    if mark.passed is None:
        return mark
    return dataclasses.replace(mark, passed=not worse, found=f"worse in {len(worse)} ({'; '.join(worse) or 'none'}); quality alone: "
                                                             f"{mark.found}; {misses_beside(several, other, better)}")


def misses_beside(several, *schedulers):
    rows = [row for found in several.values() for row in found]
    counts = {scheduler: [int(row["misses"]) for row in select(rows, {"scheduler": scheduler})] for scheduler in schedulers}
    return "missed deadlines a run: " + ", ".join(
        f"{scheduler} {sum(count) / len(count):.1f}" for scheduler, count in counts.items() if count)


def super_is_flat(bandwidth, scheduler):
    claim = f"{scheduler.capitalize()}: the share of super stays within {FLAT_PERCENT} percentage points from 50:50 to 80:20, B = 2"
    spreads = []
    for mode in ("ondemand", "live_buffered"):
        rows = select(bandwidth, {"scheduler": scheduler, "mode": mode, "buffer_segments": 2})
        shares = [mean_of(select(rows, {"setup": ratio}), "share_q3") for ratio in RATIOS]
        if all(shares):
            percent = [100 * share.mean for share in shares]
            spreads.append((max(percent) - min(percent), f"{mode.replace('_', ' ')}: " +
                            ", ".join(f"{value:.1f} %" for value in percent)))
    if not spreads:
        return Mark(2, claim, None, "no runs")
    return Mark(2, claim, max(spreads)[0] <= FLAT_PERCENT, "; ".join(text for _, text in spreads))


def static_needs_a_buffer(bandwidth, scheduler):
    """Two marks: below the single link with a small buffer, above it with a large one. The mean level decides; what else
    could be meant by "worse" is said beside it."""
    def of_setups(buffer):
        rows = select(bandwidth, {"scheduler": scheduler, "mode": "live_buffered", "buffer_segments": buffer})
        return select(rows, {"setup": "80:20"}), select(rows, {"setup": "80:0"})

    def against_single(buffer, column):
        return difference_of(*of_setups(buffer), column)

    def described(buffer):
        differences = [(*sense, found) for sense in STATIC_AGAINST_SINGLE if (found := against_single(buffer, sense[1]))]
        return f"B = {buffer}: " + ", ".join(
            f"{name} {scale * found.mean:+.{digits}f} [{scale * found.low:+.{digits}f}, {scale * found.high:+.{digits}f}]"
            for name, _, scale, digits, _, found in differences) + plainly(differences, *of_setups(buffer))

    def mark(claim, buffers, holds):
        levels = {buffer: against_single(buffer, "mean_level") for buffer in buffers}
        levels = {buffer: level for buffer, level in levels.items() if level}
        if not levels:
            return Mark(3, claim, None, "no runs")
        return Mark(3, claim, all(holds(level.mean) for level in levels.values()), "; ".join(map(described, levels)))

    return [mark(f"{scheduler.capitalize()} at 80:20, live: worse than the faster link alone, B = 2", [2], lambda mean: mean < 0),
            mark(f"{scheduler.capitalize()} at 80:20, live: better than the faster link alone, B = 4 and more", [4, 6], lambda mean: mean > 0)]


def plainly(differences, two_links, single):
    """What the figures mean if they do not all point to one side. Where the interval has both signs, none is told."""
    signed = [(name, (found.low > 0) == more_is_better) for name, _, _, _, more_is_better, found in differences
              if found.low > 0 or found.high < 0]
    better, worse = ([name for name, is_better in signed if is_better == side] for side in (True, False))
    if not better or not worse:
        return ""
    text = f". The two links are better in {', '.join(map(plain, better))}, and worse in {', '.join(map(plain, worse))}"
    if {"mean level", "switches"} <= set(map(plain, better)) and "super" in map(plain, worse):
        text += (f". The faster link alone changes its quality {mean_of(single, 'switches').mean:.0f} times in a run, the two links "
                 f"{mean_of(two_links, 'switches').mean:.0f} times: it goes up and down between the extremes, which gives it more "
                 "segments in super at a lower mean level")
    return text


def plain(name):
    """Without the unit."""
    return name.split(",")[0].removesuffix(" a run")


def no_misses(dynamics, *schedulers):
    claim = f"{' and '.join(schedulers).capitalize()}: no missed deadline over both links under emulated dynamics, B = 6"
    rows = select(dynamics, {"buffer_segments": 6, "scheduler": list(schedulers)})
    if not rows:
        return Mark(4, claim, None, "no runs")
    found = []
    for scheduler in schedulers:
        of_scheduler = select(rows, {"scheduler": scheduler})
        if not of_scheduler:
            continue
        missed = [row for row in of_scheduler if int(row["misses"]) > 0]
        longest = max((float(row["miss_max_s"]) for row in missed), default=0)
        found.append(f"{scheduler}: misses in {len(missed)} of {len(of_scheduler)} runs" +
                     (f", {sum(int(row['misses']) for row in missed)} in all, the longest {longest:.2f} s" if missed else ""))
    return Mark(4, claim, all(int(row["misses"]) == 0 for row in rows), "; ".join(found))


def money_is_spared(rows):
    """The set-ups of CATS. Below a thousandth of all bytes there is nothing to be paid for: then there is no ratio, and whatever is
    paid all the same fails. What goes beyond the minimum is also told as a share of all bytes, which says how much it matters. Where
    the free link's rate varies, a buffer of some seconds may not hold what equation 14 counts on: what a known future leaves to be
    paid for is the minimum then, if it is more."""
    claims = [(f"Paid links, CATS' set-ups: {claim}") for claim in
              ("no pauses", f"paid bytes at most {MOST_PAID} times the minimum", f"the free link is used to {LEAST_FREE} where it is short")]
    if not rows:
        return [Mark(8, claim, None, "no runs") for claim in claims]
    late = [row for row in rows if int(row["misses"])]
    ratios, used, beyond, needless = [], [], [], []
    for row in (row for row in rows if row.get("slack_segments") in (None, "", "0")):  # the paper's slack costs more
        name = f"{row['setup']}, {row['abr'].removeprefix('fixed:')}, seed {row['seed']}"
        paid, least, all_bytes = (float(row[key]) for key in ("bill_bytes", "bill_least_bytes", "bytes_total"))
        varies = row["setup"] in VARYING
        if varies:
            least = max(least, float(row["bill_possible_bytes"] or 0))
        if least > all_bytes / 1000:
            ratios.append((paid / least, name))
            if not varies:
                used.append((row["bill_free_utilisation"], name))
        else:
            needless.append((paid / all_bytes, name))
        beyond.append((max(paid - least, 0) / all_bytes, name))
    paid_needlessly = [entry for entry in needless if entry[0] > 0.001]
    too_much = [entry for entry in ratios if entry[0] > MOST_PAID]
    return [
        Mark(8, claims[0], not late, f"pauses in {len(late)} of {len(rows)} runs, "
                                     f"{sum(float(row['miss_total_s']) for row in late):.2f} s in all"),
        Mark(8, claims[1], not too_much and not paid_needlessly, "; ".join([
            *paid_where_short(ratios, too_much), *paid_for_nothing(needless, paid_needlessly),
            f"beyond the minimum: {mean_share(beyond):.2%} of all bytes on average, at most {max(beyond)[0]:.2%} ({max(beyond)[1]})"])),
        free_is_used(claims[2], used)]


def free_is_used(claim, used):
    known = [(float(share), name) for share, name in used if share]
    if used and not known:
        return Mark(8, claim, None, "what real links could have carried is not known")
    least, name = min(known, default=(1, "none is short"))
    return Mark(8, claim, least >= LEAST_FREE, f"the least {least:.3f} ({name})")


def mean_share(entries):
    return sum(share for share, _ in entries) / len(entries)


def paid_where_short(ratios, too_much):
    if not ratios:
        return []
    return [f"where something has to be paid for, mean {mean_share(ratios):.3f} of the minimum, the highest {max(ratios)[0]:.3f} "
            f"({max(ratios)[1]}), above in {len(too_much)} of {len(ratios)} runs"]


def paid_for_nothing(needless, paid):
    if not needless:
        return []
    if not paid:
        return [f"where nothing has to be, nothing was in {len(needless)} runs"]
    return [f"where nothing has to be, {mean_share(paid):.2%} of all bytes were in {len(paid)} of {len(needless)} runs, "
            f"at most {max(paid)[0]:.2%} ({max(paid)[1]})"]


def two_links_beat_one(number, scheduler, experiments, ladder):
    differences = []
    for name, found in ladder.items():
        experiment, rows = experiments[name], select(found, {"scheduler": scheduler})
        for condition, found in groups(rows).items():
            setup, mode, buffer = condition
            for single in experiment.alone.get(setup, ()):
                alone = select(rows, {"setup": single, "mode": mode, "buffer_segments": buffer})
                differences.append((difference_of(found, alone, "mean_level"),
                                    f"{words(name, condition)} against {single}"))
    return verdict(number, f"{scheduler.capitalize()}: several links are never below the best of them alone", differences)

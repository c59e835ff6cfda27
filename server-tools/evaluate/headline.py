"""What a stranger wants to know first: what is better, by how much, against whom. At most five sentences, and a figure."""
import dataclasses

from . import drawing
from .marks import INNER, groups
from .results import qualities, select
from .schedulers import STARTS
from .statistics import mean_of
from .tools import TOOLS, is_ours, uses_one_link

OURS = {"scheduler": "balanced", "abr": "planned"}
THESIS = {"scheduler": "dynamic", "abr": "thesis"}
CONTESTANTS = {"the best link alone": drawing.SERIES[6], "the thesis, all links": drawing.SERIES[1], "Tributary, all links": drawing.SERIES[0]}
CAPTION = "Mean quality over the best link alone, by the thesis over all links, and by Tributary over all links"


@dataclasses.dataclass(frozen=True)
class Condition:
    """Runs over the same links, with the same buffer: those of ours over the best single link are the best of ours over any."""
    experiment: str
    contestants: dict[str, list[dict]]


def headline(experiments, rows):
    """experiments and rows by name, as the report has them. Sentences without runs are left out."""
    conditions = [condition for name, experiment in experiments.items() if experiment.kind == "session" and name not in INNER
                  for condition in conditions_of(experiment, rows[name])]
    sentences = [*against_one_link(conditions), *against_the_thesis(conditions), *against_other_rules(rows.get("forecast", [])),
                 *against_downloaders(rows.get("download", []))]
    return {"sentences": sentences, "svg": figure(experiments, conditions)}


def conditions_of(experiment, rows):
    ours, thesis = groups(select(rows, OURS)), groups(select(rows, THESIS))
    found = []
    for (setup, mode, buffer), together in ours.items():
        alone = [ours[single, mode, buffer] for single in experiment.alone.get(setup, ()) if (single, mode, buffer) in ours]
        if alone and (setup, mode, buffer) in thesis:
            contestants = (max(alone, key=lambda of_link: mean_of(of_link, "mean_level").mean), thesis[setup, mode, buffer], together)
            found.append(Condition(experiment.name, dict(zip(CONTESTANTS, contestants))))
    return found


def mean(conditions, contestant, column):
    """Each condition counts the same."""
    return sum(mean_of(condition.contestants[contestant], column).mean for condition in conditions) / len(conditions)


def compared(conditions, other):
    ours = "Tributary, all links"
    level, still = ({who: mean(conditions, who, column) for who in (ours, other)} for column in ("mean_level", "miss_total_s"))
    higher = sum(mean_of(each.contestants[ours], "mean_level").mean > mean_of(each.contestants[other], "mean_level").mean
                 for each in conditions)
    return level[ours], level[other], higher, still[ours], still[other]


def against_one_link(conditions):
    if not conditions:
        return []
    top = len(qualities(conditions[0].contestants["Tributary, all links"][0])) - 1
    ours, one, higher, still, still_one = compared(conditions, "the best link alone")
    return [f"Over several links at once, Tributary plays at a mean quality of {ours:.2f} (0 is the lowest, {top} the highest); over the "
            f"best of these links alone, at {one:.2f}. It is higher in {higher} of {len(conditions)} conditions.",
            f"The picture stands still for {still:.1f} s a run; over the best link alone, for {still_one:.1f} s."]


def against_the_thesis(conditions):
    if not conditions:
        return []
    ours, thesis, higher, still, still_thesis = compared(conditions, "the thesis, all links")
    return [f"The scheduler and the rule of the thesis, over the same links, reach {thesis:.2f} and stand still for {still_thesis:.1f} s: "
            f"Tributary is higher in {higher} of {len(conditions)} conditions."]


def against_other_rules(forecast):
    """As people play. The rules of other players choose by the rates that they measured themselves."""
    forecast = select(forecast, {"start": STARTS["played"]["--start"]})
    rules = {rule: mean_of(select(forecast, {"rule": rule}), "qoe") for rule in dict.fromkeys(row["rule"] for row in forecast)}
    ours = rules.pop("planned", None)
    others = {rule: found for rule, found in rules.items() if "," not in rule and rule != "thesis"}
    if not ours or not others:
        return []
    best = max(others, key=lambda rule: others[rule].mean)
    return [f"By a measure that takes changes of quality, standstill and the start off the quality (yin2015), its choice of quality comes to "
            f"{ours.mean:.0f}; the best of {len(others)} rules of other players, {best}, to {others[best].mean:.0f}."]


def against_downloaders(download):
    ratios = {tool: mean_of(select(download, {"tool": tool}), "ratio") for tool in dict.fromkeys(row["tool"] for row in download)}
    ours = ratios.pop("balanced", None)
    others = {tool: found for tool, found in ratios.items() if not is_ours(tool) and not uses_one_link(tool)}
    if not ours or not others:
        return []
    best = max(others, key=lambda tool: others[tool].mean)
    return [f"One large object comes at {ours.mean:.2f} of what all links together can carry; the best other program that uses all of "
            f"them, {TOOLS[best].label}, brings it at {others[best].mean:.2f}."]


def figure(experiments, conditions):
    """A group of bars for each experiment, a bar for each contestant; nothing without runs."""
    if not conditions:
        return None
    drawn, (axes,) = drawing.panels(1, 2.6)
    names = list(dict.fromkeys(condition.experiment for condition in conditions))
    width = 0.8 / len(CONTESTANTS)
    for x, name in enumerate(names):
        of_experiment = [condition for condition in conditions if condition.experiment == name]
        for side, (who, colour) in enumerate(CONTESTANTS.items()):
            rows = [row for condition in of_experiment for row in condition.contestants[who]]
            drawing.bar(axes, x + (side - (len(CONTESTANTS) - 1) / 2) * width, 0.92 * width, mean_of(rows, "mean_level"), 1, colour, who)
    axes.set_ylabel("mean quality")
    drawing.place_bars(axes, [experiments[name].title for name in names])
    drawing.legend(axes)
    return drawing.svg_of(drawn, "headline", CAPTION)

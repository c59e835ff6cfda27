"""What a cell of an experiment is: everything that one run is a function of."""
import dataclasses
import re

from .schedulers import SCHEDULERS, STARTS
from .tools import CONNECTIONS, DATAGRAMS, DOWNLOADERS, SPLITTERS, uses_one_link

# What a cell may vary, and the option of tributary-bench that does it.
OPTIONS = {"mode": "--mode", "approach": "--subsegments", "buffer": "--buffer", "depth": "--depth",
           "subsegment_size": "--subsegment-size", "adaptation": "--adaptation",
           "duplicates": "--duplicates", "spend_for": "--spend-for", "slack": "--slack",
           "forecast": "--forecast", "without": "--without", "latency": "--latency", "part": "--part"}
# What it may vary by name, and the options of each name.
NAMED = {"scheduler": SCHEDULERS, "start": STARTS}


class ExperimentError(Exception):
    """An experiment file says something that cannot be run; names the file."""


@dataclasses.dataclass(frozen=True)
class SessionCell:
    """One session to run."""
    experiment: str
    name: str
    setup: str
    scenario: str  # may name traces, as {wlan}; content.py fills them in
    links: tuple[str, ...]  # of the scenario, as --link takes them; none means all, free
    options: tuple[tuple[str, str], ...]
    presentation: str  # as tributary-segment --synthetic takes it
    movie_segments: int
    segments: int
    seed: int
    keep_series: bool


def session_cells(name, text, setup, options, seed, changes):
    movie_segments = setup.get("segments", text.get("segments", 100))
    yield SessionCell(
        experiment=name,
        name=" ".join([setup["name"], *(f"{key}={value}" for key, value in options.items())]),
        setup=setup["name"],
        scenario=setup["links"].replace("{seed}", str(seed)),
        links=tuple(setup.get("only", ())) + tuple(setup.get("costs", ())),
        options=tuple(options_of(name, options).items()),
        presentation=setup.get("presentation", text["presentation"]).replace("{seed}", str(seed)),
        movie_segments=movie_segments,
        segments=min(changes.get("segments", movie_segments), movie_segments),
        seed=seed,
        keep_series=text.get("series", False) and seed == 1)


def options_of(name, options):
    """Those of the scheduler and the start, and what the cell says itself."""
    found = {}
    for axis, known in NAMED.items():
        if axis in options and options[axis] not in known:
            raise ExperimentError(f"{name}: \"{options[axis]}\" is no {axis}: {'; '.join(known)}")
        found |= known.get(options.get(axis), {})
    return found | {OPTIONS[key]: str(value) for key, value in options.items() if key not in NAMED}


@dataclasses.dataclass(frozen=True)
class ComparedCell:
    """One program to run over the links of a lab."""
    experiment: str
    name: str
    setup: str
    scenario: str
    tool: str
    link: str  # for a tool that uses one only
    seconds: float
    seed: int
    members: bool  # the links are those of other machines on the client's LAN


@dataclasses.dataclass(frozen=True)
class DownloadCell(ComparedCell):
    """A download. The object takes `seconds` at the rates of all links."""
    keep_series: bool


@dataclasses.dataclass(frozen=True)
class SteadyLink:
    rate: float  # bit/s
    joins: float  # s; it is down until then

    def brings(self, seconds):
        """What it can bring until then, in bits."""
        return self.rate * max(0.0, seconds - self.joins)


def steady_links(scenario):
    """{name: SteadyLink} of links that stay as they are, once they are there."""
    links = {}
    for link in scenario.split(";"):
        found = re.fullmatch(r"(\w+) ([\d.]+)Mbps [\d.]+ms(, queue \d+)?(, joins ([\d.]+)s)?", link.strip())
        if not found:
            raise ValueError(f"\"{link.strip()}\": expected \"NAME RATEMbps RTTms\", perhaps with \", queue N\" or \", joins "
                             "SECONDSs\": downloads are compared on links that do not change")
        links[found[1]] = SteadyLink(float(found[2]) * 1e6, float(found[5] or 0))
    return links


def tool_of(name, options, known):
    if options["tool"] not in known:
        raise ExperimentError(f"{name}: \"{options['tool']}\" is no tool: {', '.join(known)}")
    return options["tool"]


def cell_name(setup, tool, link):
    return " ".join(filter(None, [setup["name"], f"tool={tool}", link]))


def download_cells(name, text, setup, options, seed, changes):
    """A tool that uses one link is run on each."""
    tool = tool_of(name, options, DOWNLOADERS | CONNECTIONS)
    try:
        links = steady_links(setup["links"])
    except ValueError as error:
        raise ExperimentError(f"{name}: {error}") from error
    for link in links if uses_one_link(tool) else [""]:
        yield DownloadCell(name, cell_name(setup, tool, link), setup["name"], setup["links"],
                           tool, link, float(changes.get("seconds", text["seconds"])), seed, text.get("members", False),
                           text.get("series", False) and seed == 1)


@dataclasses.dataclass(frozen=True)
class DatagramCell(ComparedCell):
    """A stream of datagrams at a constant rate, from the server to the client."""
    links: tuple[str, ...]
    rate: float  # bit/s, offered: what all links together carry at any time, or what the setup says


def constant_sum(scenario):
    """(names, bit/s) of links whose rates always have the same sum."""
    dynamics = re.fullmatch(r"dynamics ([\d.]+)Mbps \d+", scenario)
    if dynamics:
        return ("link1", "link2"), float(dynamics[1]) * 1e6
    links = steady_links(scenario)
    return tuple(links), sum(link.rate for link in links.values())


def offered(setup, scenario):
    """(names, bit/s) of links, and what is sent over them."""
    if "offered_mbps" not in setup:
        return constant_sum(scenario)
    return tuple(link.split()[0] for link in scenario.split(";")), setup["offered_mbps"] * 1e6


def datagram_cells(name, text, setup, options, seed, changes):
    """A tool that uses one link is run on each."""
    tool = tool_of(name, options, DATAGRAMS)
    scenario = setup["links"].replace("{seed}", str(seed))
    try:
        links, rate = offered(setup, scenario)
    except ValueError as error:
        raise ExperimentError(f"{name}: {error}") from error
    for link in links if uses_one_link(tool) else [""]:
        yield DatagramCell(name, cell_name(setup, tool, link), setup["name"], scenario, tool, link,
                           float(changes.get("seconds", text["seconds"])), seed, text.get("members", False), links, rate)


@dataclasses.dataclass(frozen=True)
class SplitterCell:
    """One connection of TCP from a sender that knows nothing of the links."""
    experiment: str
    name: str
    setup: str
    scenario: str
    round_trips: dict[str, float]  # ms of each link: over it, and back over the first one
    sender: str  # "old": what it takes for a loss is three duplicates; "today": as Linux is
    processor: str
    seconds: float
    seed: int

    @property
    def splits(self):
        return len(self.round_trips) > 1

    @property
    def tool(self):
        return f"{self.processor}, {self.sender}"


def splitter_round_trips(scenario):
    links = {}
    for link in scenario.split(";"):
        found = re.fullmatch(r"(\w+) [\d.]+Mbps ([\d.]+)ms(, .*)?", link.strip())
        if not found:
            raise ValueError(f"\"{link.strip()}\": expected \"NAME RATEMbps RTTms\", perhaps with settings")
        links[found[1]] = float(found[2])
    back = next(iter(links.values()))
    return {name: (ms + back) / 2 for name, ms in links.items()}


def splitter_cells(name, text, setup, options, seed, changes):
    if f"{options['processor']}, {options['sender']}" not in SPLITTERS:
        raise ExperimentError(f"{name}: \"{options['processor']}, {options['sender']}\" is none of: {'; '.join(SPLITTERS)}")
    try:
        round_trips = splitter_round_trips(setup["links"])
    except ValueError as error:
        raise ExperimentError(f"{name}: {error}") from error
    yield SplitterCell(name, f"{setup['name']} {options['processor']} {options['sender']}", setup["name"], setup["links"], round_trips,
                       options["sender"], options["processor"], float(changes.get("seconds", text["seconds"])), seed)

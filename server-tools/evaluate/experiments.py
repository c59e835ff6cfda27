"""What an experiment is: reads experiments/*.toml and lays each out into cells."""
import dataclasses
import itertools
import pathlib
import tomllib

FOLDER = pathlib.Path(__file__).parent / "experiments"
# What a cell may vary, and the option of tributary-bench that does it.
OPTIONS = {"mode": "--mode", "approach": "--subsegments", "buffer": "--buffer", "depth": "--depth",
           "subsegment_size": "--subsegment-size", "adaptation": "--adaptation"}


class ExperimentError(Exception):
    """An experiment file says something that cannot be run; names the file."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """One session to run: everything that it is a function of."""
    experiment: str
    name: str
    setup: str
    scenario: str  # may name traces, as {wlan}; content.py fills them in
    links: tuple[str, ...]  # of the scenario; none means all
    options: tuple[tuple[str, str], ...]
    presentation: str  # as tributary-segment --synthetic takes it
    movie_segments: int
    segments: int
    seed: int
    keep_series: bool


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    figures: tuple[dict, ...]
    alone: dict[str, tuple[str, ...]]  # of a setup with several links, the setups with each of them alone


def available(folder=FOLDER):
    return sorted(path.stem for path in folder.glob("*.toml"))


def read(name, variant=None, folder=FOLDER):
    """The experiment of experiments/NAME.toml. A variant ("quick", "real") is the file's table of that name: fewer seeds
    or segments, and under "keep" the only values that remain."""
    path = folder / f"{name}.toml"
    try:
        with open(path, "rb") as file:
            text = tomllib.load(file)
        changes = text.get(variant, {}) if variant else {}
        cells = tuple(cells_of(name, text, changes))
    except FileNotFoundError:
        raise ExperimentError(f"there is no experiment \"{name}\"; there are {', '.join(available(folder))}") from None
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ExperimentError(f"{path}: {type(error).__name__}: {error}") from error
    alone = {setup["name"]: tuple(setup["alone"]) for setup in text["setup"] if "alone" in setup}
    return Experiment(name, text["title"], text["about"], cells, tuple(text.get("figure", ())), alone)


def cells_of(name, text, changes):
    movie_segments = text.get("segments", 100)
    for seed in range(1, changes.get("seeds", text["seeds"]) + 1):
        for setup, block in itertools.product(text["setup"], text["cells"]):
            for options in combinations(block, setup["name"], name):
                if not is_kept(dict(options, setup=setup["name"]), changes.get("keep", {})):
                    continue
                yield Cell(
                    experiment=name,
                    name=" ".join([setup["name"], *(f"{key}={value}" for key, value in options.items())]),
                    setup=setup["name"],
                    scenario=setup["links"].replace("{seed}", str(seed)),
                    links=tuple(setup.get("only", ())),
                    options=tuple((OPTIONS[key], str(value)) for key, value in options.items()),
                    presentation=text["presentation"].replace("{seed}", str(seed)),
                    movie_segments=movie_segments,
                    segments=changes.get("segments", movie_segments),
                    seed=seed,
                    keep_series=text.get("series", False) and seed == 1)


def combinations(block, setup, name):
    """Each choice of one value for every option of the block, where the block is for this setup."""
    if setup not in block.get("setup", [setup]):
        return
    axes = {key: values for key, values in block.items() if key != "setup"}
    for key in axes:
        if key not in OPTIONS:
            raise ExperimentError(f"{name}: \"{key}\" is no option of a cell: {', '.join(OPTIONS)}")
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values))


def is_kept(values, keep):
    return all(values[key] in allowed for key, allowed in keep.items() if key in values)

"""What an experiment is: reads experiments/*.toml and lays each out into cells."""
import dataclasses
import itertools
import pathlib
import tomllib

from .cells import (NAMED, OPTIONS, DatagramCell, DownloadCell, ExperimentError, SessionCell, SplitterCell, datagram_cells, download_cells,
                    session_cells, splitter_cells)
from .communities import AXES, CommunityCell, community_cells

FOLDER = pathlib.Path(__file__).parent / "experiments"
# What the cells of each kind of experiment may vary, and what makes them.
KINDS = {"session": ((*OPTIONS, *NAMED), session_cells), "download": (("tool",), download_cells),
         "datagrams": (("tool",), datagram_cells), "splitter": (("processor", "sender"), splitter_cells),
         "community": (AXES, community_cells)}
VIRTUAL = ("session", "splitter", "community")  # kinds that can be run without emulated links


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    about: str
    cells: tuple[SessionCell | DownloadCell | DatagramCell | SplitterCell | CommunityCell, ...]
    figures: tuple[dict, ...]
    alone: dict[str, tuple[str, ...]]  # of a setup with several links, the setups with each of them alone
    kind: str = "session"


def available(folder=FOLDER):
    return sorted(path.stem for path in folder.glob("*.toml"))


def read(name, quick=False, real=False, folder=FOLDER):
    """The experiment of experiments/NAME.toml. The file's tables "quick" and "real" change it: fewer seeds or segments,
    and under "keep" the only values that remain."""
    path = folder / f"{name}.toml"
    try:
        with open(path, "rb") as file:
            text = tomllib.load(file)
        kind = text.get("kind", "session")
        if kind not in KINDS:
            raise ExperimentError(f"{path}: \"{kind}\" is no kind of experiment: {', '.join(KINDS)}")
        changes = text.get(variant(kind, quick, real), {})
        cells = tuple(cell for cell in cells_of(name, text, changes, *KINDS[kind]) if real or is_modelled(cell))
    except FileNotFoundError:
        raise ExperimentError(f"there is no experiment \"{name}\"; there are {', '.join(available(folder))}") from None
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ExperimentError(f"{path}: {type(error).__name__}: {error}") from error
    alone = {setup["name"]: tuple(setup["alone"]) for setup in text["setup"] if "alone" in setup}
    return Experiment(name, text["title"], text["about"], cells, tuple(text.get("figure", ())), alone, kind)


def variant(kind, quick, real):
    """Which table of the file applies. Programs are always compared on emulated links: these alone are no reason to do fewer."""
    return "real" if real and kind in VIRTUAL else "quick" if quick else ""


def cells_of(name, text, changes, axes, make):
    for seed in range(1, changes.get("seeds", text["seeds"]) + 1):
        for setup, block in itertools.product(text["setup"], text["cells"]):
            for options in combinations(block, setup["name"], name, axes):
                if is_kept(dict(options, setup=setup["name"]), changes.get("keep", {})):
                    yield from make(name, text, setup, options, seed, changes)


def is_modelled(cell):
    """Of senders of TCP, virtual time has the old one only."""
    return not isinstance(cell, SplitterCell) or cell.sender == "old"


def combinations(block, setup, name, allowed):
    """Each choice of one value for every option of the block, where the block is for this setup."""
    if setup not in block.get("setup", [setup]):
        return
    axes = {key: values for key, values in block.items() if key != "setup"}
    for key in axes:
        if key not in allowed:
            raise ExperimentError(f"{name}: \"{key}\" is no option of a cell: {', '.join(allowed)}")
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values))


def is_kept(values, keep):
    return all(values[key] in allowed for key, allowed in keep.items() if key in values)

#!/usr/bin/env python3
"""Includes point one way, and the core knows no clock, socket or thread.

Usage: include_direction_test.py SOURCE_DIR. Each folder of ALLOWED may include itself and what is listed for it. Where a
folder has rooms, each room of ROOMS may include the rooms before it.
"""
import pathlib
import re
import sys

ALLOWED = {
    "client/units": set(),
    "client/system": {"units"},  # owners of what C interfaces give
    "client/command_line": {"units"},
    "client/presentation": {"units"},
    "client/media": {"units", "presentation"},
    "client/demux": {"units", "presentation", "media"},
    "client/cues": {"units", "media"},
    "client/hls": {"units"},  # text in, values out
    "client/dash": {"units"},
    "client/core": {"units", "presentation"},
    "client/bonding": {"units"},
    "client/lending": {"units", "system", "presentation", "core", "bonding", "links", "transport", "accounts"},
    "client/links": {"units", "system"},
    "client/transport": {"units", "system", "links"},
    "client/manifests": {"units", "presentation", "media", "hls", "dash", "transport"},
    "client/tunnel": {"units", "system", "command_line", "bonding", "links", "accounts", "core"},
    "client/sink": {"units", "presentation"},
    "client/simulation": {"units", "transport"},  # it is a transport
    "client/community": {"units", "bonding", "simulation"},
    "client/oracle": {"units", "presentation", "simulation"},  # the scenario language
    "client/accounts": {"units", "system", "presentation", "core"},
    "client/memory": {"units", "system", "presentation", "core", "links"},
    "client/worlds": {"units", "system", "presentation", "core", "transport", "links", "manifests", "media", "sink",
                      "simulation", "accounts", "memory"},
    "client/trace": {"units", "presentation", "core"},
    "client/report": {"units", "presentation", "core"},
    "client/playback": {"units", "presentation", "media", "core", "transport", "links", "sink", "worlds", "accounts", "memory", "report",
                        "manifests"},
    "client/proxy": {"units", "system", "presentation", "media", "demux", "core", "hls", "dash", "manifests", "transport", "sink",
                     "worlds", "accounts", "memory", "playback"},
    "client/gst": {"units", "system", "presentation", "media", "demux", "cues", "playback", "transport", "links", "worlds", "accounts", "memory"},
    "client/program": None,  # these may know everything
    "client/download": None,
    "client/benchmark": None,
    "client/link_check": None,
    "client/player": None,
    "client/apps": None,
    "segmenter": {"units", "system", "command_line", "presentation", "media"},
    "server-tools/netlab": {"units", "system", "command_line", "simulation"},  # the scenario language
    "server-tools/lend": {"units", "system", "command_line", "bonding", "links", "accounts", "lending", "proxy", "transport"},
    "server-tools/relay": {"units", "system", "command_line", "bonding", "links", "tunnel"},
    "server-tools/splitter": {"units", "system", "command_line", "bonding", "links", "tunnel", "simulation"},
}
# Nothing of the transport but the seam: the simulation must not need a socket to be built.
ONLY_HEADER = {("client/simulation", "transport"): {"transport/http_transport.hh"},
               ("client/oracle", "simulation"): {"simulation/scenario.hh"},
               ("server-tools/netlab", "simulation"): {"simulation/scenario.hh"}}
# The rooms of a folder in the order of their arrows; "." is the folder itself. None: its rooms know each other.
ROOMS = {
    "client/bonding": ["wire", "handshake", "windows", "scheduling", "ordering", "probing", "inner", "paths", "split", "filtering", "stage", "community", "."],
    "client/core": None,  # each part is shown the state of all of them (session_state.hh)
    "client/lending": [".", "identity", "finding", "borrowing"],
    "client/dash": [".", "xml", "reading", "segments"],
    "client/hls": ["lines", "."],
    "client/manifests": None,  # the folder opens what the room follows, which reads manifests as the folder does
    "client/transport": ["sockets", "connections", "http", "documents", "."],
    "client/worlds": ["discovery", "pieces", "."],
    "client/proxy": ["files", "held", "pacing", "requests", "server", "rewriting", "players", "leading", "titles", "page", "."],
    "client/gst": [".", "readers", "playout", "source", "texts", "pipeline", "player", "plugin"],
    "client/units": [".", "text"],
    "client/links": ["interfaces", "."],
    "client/playback": ["status", "."],
    "client/tunnel": ["machine", "exclusive", "."],
    "client/presentation": [".", "segments", "json"],
    "client/program": [".", "options"],
    "client/download": ["files", "film", "options", "report", "search", "beside", "."],
    "client/link_check": ["set_up", "."],
    "client/player": ["glib", "texts", "widgets", "memory", "desktop", "links_panel", "picture", "window", "."],
    "segmenter": [".", "plan", "languages", "libav", "filters", "publish", "thumbnails", "subtitles", "sound", "encoders", "encode", "live",
                  "package", "synthetic", "check", "cli"],
    "tests/end_to_end": None,
}
ROOMLESS = ("data", "po", "resources", "__pycache__")  # no code
SEAM = "transport/http_transport.hh"  # which the rooms below it implement
CORE_NEVER = re.compile(
    r"\b(steady_clock|system_clock|high_resolution_clock|clock_gettime|std::thread|std::jthread|std::mutex|std::async|"
    r"std::random_device|::socket|getenv|std::cout|std::cerr)\b|#include <(thread|mutex|condition_variable|future|atomic|"
    r"random|iostream|fstream|curl/.*|sys/.*|netinet/.*|unistd\.h)>")
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)


def folder_of(path, root):
    name = path.relative_to(root).as_posix()
    return next((folder for folder in ALLOWED if name.startswith(folder + "/")), None)


def room_of(name):
    """The folder with rooms that a path is in, and its room there."""
    for folder in ROOMS:
        if name.startswith(folder + "/"):
            first, _, rest = name[len(folder) + 1:].partition("/")
            return folder, first if rest else "."
    return None, None


def room_complaints(root):
    described = (root / "docs/rooms.md").read_text()
    for folder, rooms in ROOMS.items():
        for room in sorted(path for path in (root / folder).iterdir() if path.is_dir() and path.name not in ROOMLESS):
            if rooms is not None and room.name not in rooms:
                yield f"{folder}/{room.name}: a room that this test does not know"
            if f"| `{room.name}` |" not in described:
                yield f"{folder}/{room.name}: docs/rooms.md does not say what it is for"
        if rooms is None:
            continue
        for path in sorted((root / folder).glob("**/*.[hc][hc]")):
            own = room_of(path.relative_to(root).as_posix())[1]
            for included in INCLUDE.findall(path.read_text()):
                place = included if included.startswith("segmenter/") else f"client/{included}"
                other_folder, other = room_of(place)
                if other_folder != folder or other == own or included == SEAM:
                    continue
                if own in rooms and other in rooms and rooms.index(other) > rooms.index(own):
                    yield f'{path.relative_to(root)}: room "{own}" must not include "{included}"'


def complaints(root):
    yield from room_complaints(root)
    for path in sorted([*root.glob("client/**/*.[hc][hc]"), *root.glob("segmenter/**/*.[hc][hc]"),
                        *root.glob("server-tools/**/*.[hc][hc]")]):
        name = path.relative_to(root)
        folder = folder_of(path, root)
        if folder is None:
            yield f"{name}: in no folder that this test knows"
            continue
        text = path.read_text()
        own = folder.split("/")[-1]
        for included in INCLUDE.findall(text):
            top = included.split("/")[0]
            if "/" not in included:
                yield f'{name}: "{included}" is not named from the include root'
            elif ALLOWED[folder] is not None and top != own and top not in ALLOWED[folder]:
                yield f'{name}: {own} must not include "{included}"'
            elif (folder, top) in ONLY_HEADER and included not in ONLY_HEADER[folder, top]:
                yield f'{name}: {own} may include of {top} only {ONLY_HEADER[folder, top]}, not "{included}"'
        if folder in ("client/core", "client/units", "client/presentation", "client/hls", "client/bonding"):
            for match in CORE_NEVER.finditer(text):
                yield f"{name}: {folder} must not name {match.group(0)}"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(complaints(root))
    for line in found:
        print(line)
    checked = sum(1 for folder in ALLOWED for _ in (root / folder).glob("**/*.[hc][hc]"))
    print(f"{checked} files, {len(found)} complaints")
    # A test that looks at nothing must not pass.
    sys.exit(1 if found or checked < 100 else 0)


main()

#!/usr/bin/env python3
"""Includes point one way, and the core knows no clock, socket or thread.

Usage: include_direction_test.py SOURCE_DIR. Each folder below may include itself and what is listed for it.
"""
import pathlib
import re
import sys

ALLOWED = {
    "client/units": set(),
    "client/presentation": {"units"},
    "client/media": {"units", "presentation"},
    "client/core": {"units", "presentation"},
    "client/transport": {"units"},
    "client/links": {"units"},
    "client/sink": {"units", "presentation"},
    "client/simulation": {"units", "transport"},  # it is a transport
    "client/oracle": {"units", "presentation", "simulation"},  # the scenario language
    "client/worlds": {"units", "presentation", "core", "transport", "links", "sink", "simulation"},
    "client/trace": {"units", "presentation", "core"},
    "client/report": {"units", "presentation", "core"},
    "client/playback": {"units", "presentation", "core", "transport", "links", "sink", "worlds", "report"},
    "client/gst": {"units", "presentation", "media", "playback", "transport", "links", "worlds"},
    "client/apps": None,  # may know everything
    "segmenter": {"units", "presentation", "media"},
    "server-tools/netlab": {"units", "simulation"},  # the scenario language
}
# Nothing of the transport but the seam: the simulation must not need a socket to be built.
ONLY_HEADER = {("client/simulation", "transport"): {"transport/http_transport.hh"},
               ("client/oracle", "simulation"): {"simulation/scenario.hh"},
               ("server-tools/netlab", "simulation"): {"simulation/scenario.hh", "simulation/split_mix.hh"}}
CORE_NEVER = re.compile(
    r"\b(steady_clock|system_clock|high_resolution_clock|clock_gettime|std::thread|std::jthread|std::mutex|std::async|"
    r"std::random_device|::socket|getenv|std::cout|std::cerr)\b|#include <(thread|mutex|condition_variable|future|atomic|"
    r"random|iostream|fstream|curl/.*|sys/.*|netinet/.*|unistd\.h)>")
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)


def folder_of(path, root):
    name = path.relative_to(root).as_posix()
    return next((folder for folder in ALLOWED if name.startswith(folder + "/")), None)


def complaints(root):
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
        if folder in ("client/core", "client/units", "client/presentation"):
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

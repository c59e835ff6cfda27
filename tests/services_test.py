#!/usr/bin/env python3
"""Services that may change the network of a whole machine are closed in: systemd finds them little exposed.

Usage: services_test.py SOURCES
"""
import pathlib
import subprocess
import sys

# Those with a key have a user of their own, to whom systemd hands it. tributary-links starts what administrators would.
WITH_KEY = ("client/apps/tunnel/data/tributary-tunnel.service", "server-tools/relay/data/tributary-relay.service")
SERVICES = (*WITH_KEY, "client/link_check/data/tributary-links.service", "server-tools/origin/data/tributary-origin-live.service")
MOST = 30  # tenths, of 100


def problems(unit, has_key):
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", f"--threshold={MOST}", "--no-pager", unit],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        yield f"{unit}: more exposed than {MOST / 10}:\n{done.stdout}"
    lines = unit.read_text().splitlines()
    if not has_key:
        return
    if "DynamicUser=yes" not in lines:
        yield f"{unit}: has no user of its own"
    if not any(line.startswith("LoadCredential=") for line in lines):
        yield f"{unit}: cannot read its key"


def main():
    found = [problem for service in SERVICES for problem in problems(pathlib.Path(sys.argv[1]) / service, service in WITH_KEY)]
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

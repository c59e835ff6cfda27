#!/usr/bin/env python3
"""The release preset hardens its programs (docs/faults.md, "Hardening").

One program is built and read with readelf; the commands for all others protect them with the same options.

Usage: hardening_test.py SOURCES FOLDER_TO_BUILD_IN
"""

import os
import pathlib
import platform
import re
import subprocess
import sys

COMPILERS = 2  # at once; tests/CMakeLists.txt keeps other tests away meanwhile
PROGRAM = "tributary-netlab"  # the one with the least to compile
PROTECTING = re.compile(
    r" (-f(?:no-)?stack-protector\S*|-[DU]_FORTIFY_SOURCE\S*|-[DU]_GLIBCXX_ASSERTIONS|-fcf-protection\S*|-Wl,-z,\S*|-(?:no-)?pie)(?= )"
)


def run(*command, **options):
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment, **options).stdout


def build(sources, folder):
    run("cmake", "--preset", "release", "-B", folder, "-DTRIBUTARY_WARNINGS_ARE_ERRORS=ON", cwd=sources)
    run("cmake", "--build", folder, "--target", PROGRAM, "--parallel", str(COMPILERS))


def missing(program):
    """Names each protection that `program` lacks."""
    header = run("readelf", "--wide", "--file-header", "--program-headers", program)
    dynamic = run("readelf", "--wide", "--dynamic", program)
    imported = re.findall(r" UND ([^@\s]+)", run("readelf", "--wide", "--dyn-syms", program))
    protections = {
        "position independent (PIE)": "PIE" in dynamic,
        "read-only relocations (RELRO)": "GNU_RELRO" in header,
        "all symbols bound at the start (BIND_NOW)": "BIND_NOW" in dynamic,
        "stack protector": "__stack_chk_fail" in imported,
        "_FORTIFY_SOURCE": any(name.startswith("__") and name.endswith("_chk") for name in imported),
        "_GLIBCXX_ASSERTIONS": any("__glibcxx_assert_fail" in name for name in imported),
        "a stack that cannot be executed": any("GNU_STACK" in line and " RWE " not in line for line in header.splitlines()),
    }
    return [name for name, there in protections.items() if not there]


def objects_without_cf_protection(folder):
    """Objects without IBT or SHSTK. The linked program has no such note, because Debian's start-up objects have none."""
    if platform.machine() != "x86_64":
        return []
    objects = [str(path) for path in pathlib.Path(folder).rglob("*.o")]
    assert objects, f"{folder} has no objects"
    return [path for path in objects if "IBT, SHSTK" not in run("readelf", "--notes", path)]


def commands_with_other_protection(folder):
    """Commands of g++ for any target whose options for protection are not those of PROGRAM."""

    def of_kind(target, compiles):
        lines = run("ninja", "-C", folder, "-t", "commands", target).splitlines()
        return [line for line in lines if "g++ " in line and (" -c " in line) == compiles and (compiles or " -o bin/" in line)]

    found = []
    for compiles in (True, False):
        usual = PROTECTING.findall(of_kind(f"bin/{PROGRAM}", compiles)[0])
        found += [command for command in of_kind("all", compiles) if PROTECTING.findall(command) != usual]
    return found


def main():
    sources, folder = sys.argv[1:]
    build(sources, folder)
    program = str(pathlib.Path(folder, "bin", PROGRAM))
    faults = [f"{PROGRAM}: {name} is missing" for name in missing(program)]
    faults += [f"{path}: -fcf-protection is missing" for path in objects_without_cf_protection(folder)]
    faults += [f"other protection than {PROGRAM} has: {command}" for command in commands_with_other_protection(folder)]
    if not missing("/bin/true"):  # it has no assertions of libstdc++
        faults.append("/bin/true seems to have every protection: this test does not see which are missing")
    print("\n".join(faults) or "hardened")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

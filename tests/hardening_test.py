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

COMPILERS = 2  # at once; PROCESSORS of tests/CMakeLists.txt is the same
PROGRAM = "tributary-netlab"  # the one with the least to compile
COMPILES = r"g\+\+ .* -c "
LINKS = r"g\+\+ .* -o (?:bin|lib)/"
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
    """Commands that compile or link any program, or the plug-in, with other protection than PROGRAM."""

    def commands(target, kind):
        return [line for line in run("ninja", "-C", folder, "-t", "commands", target).splitlines() if re.search(kind, line)]

    def without_pie(options):
        return [option for option in options if option != "-pie"]

    def protects_otherwise(command, usual):
        options = PROTECTING.findall(command)
        # A library that is loaded is always position independent.
        return without_pie(options) != without_pie(usual) if " -shared " in command else options != usual

    found = []
    for kind in (COMPILES, LINKS):
        usual = PROTECTING.findall(commands(f"bin/{PROGRAM}", kind)[0])
        found += [command for command in commands("all", kind) if protects_otherwise(command, usual)]
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

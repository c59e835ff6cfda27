"""Every program, and --help of each as data. Usage of the tests: NAME_test.py BUILD_DIR SOURCE_DIR."""
import os
import pathlib
import sys

BUILD, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PAGES = SOURCE / "docs/manual"
sys.path.insert(0, str(SOURCE / "cmake"))
import help_text  # pylint: disable=wrong-import-position

ORIGIN = SOURCE / "server-tools/origin"
SCRIPTS = {"tributary-origin": ORIGIN / "tributary-origin", "serve": ORIGIN / "serve",
           "make-certificate": ORIGIN / "make-certificate"}


def built():
    return {path.name: path for path in sorted((BUILD / "bin").glob("tributary-*")) if os.access(path, os.X_OK)}


def evaluate():
    text = help_text.subprocess.run([sys.executable, "-B", "-m", "evaluate", "--programs", BUILD / "bin", "--help"], check=True,
                                    capture_output=True, text=True, cwd=SOURCE / "server-tools").stdout
    return help_text.parse("evaluate", text)


def all_programs():
    """By the name of the program."""
    found = {name: help_text.read(path) for name, path in {**built(), **SCRIPTS}.items()}
    found["evaluate"] = evaluate()
    return found


def with_commands(command):
    return [command, *command.commands.values()]

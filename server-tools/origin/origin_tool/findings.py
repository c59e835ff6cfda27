"""What a check says, and how that is shown."""
import json
import shutil
import sys
import textwrap

from .advice import ADVICE


def printable(text):
    """What others have sent, as a terminal may get it: no character that does anything there, or shows nothing."""
    return "".join(character if character.isprintable() else "?" for character in text)


class Skipped(Exception):
    """Why something cannot be checked here."""


class Result:
    """Of one check: what is wrong, if anything, and what is worth knowing."""

    def __init__(self, name, problems=(), note="", skipped=False):
        self.name, self.problems, self.note, self.skipped = name, list(problems), note, skipped

    @property
    def verdict(self):
        return "skipped" if self.skipped else "wrong" if self.problems else "right"

    def advice(self):
        """By server, what to write; nothing where all is right."""
        return dict(zip(("nginx", "apache"), ADVICE[self.name])) if self.problems else {}


def show_json(url, software, results):
    print(json.dumps({
        "url": url, "server": software, "findings": sum(r.verdict == "wrong" for r in results),
        "checks": [{"name": r.name, "verdict": r.verdict, "note": r.note, "problems": r.problems, **r.advice()}
                   for r in results]}, indent=1))


def show_table(url, software, results):
    sys.stdout.reconfigure(errors="backslashreplace")  # others may write in letters that are not known here
    print(f"{printable(url)}, from {printable(software) or 'a server without a name'}\n")
    width = max(len(r.name) for r in results)
    columns = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 10000
    for result in results:
        print(f"{result.verdict:8}{result.name:{width}}  {printable(result.note)}".rstrip())
        lines = [("", printable(problem)) for problem in result.problems]
        lines += [(f"{server}: ".rjust(8), text) for server, text in result.advice().items()]
        for mark, text in lines:
            print(textwrap.fill(text, max(columns, 60), initial_indent=10 * " " + mark,
                                subsequent_indent=(10 + len(mark)) * " ", break_long_words=False))
    wrong = sum(r.verdict == "wrong" for r in results)
    print(f"\n{'all is well' if not wrong else f'wrong: {wrong}'}")

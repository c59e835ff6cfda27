"""Reads --help of a program as data: what it takes is written down once, in the program.

All programs have the layout of client/command_line/help_formatter.hh, which is argparse's.
"""
import dataclasses
import pathlib
import re
import subprocess

SECTION = re.compile(r"(\S.*):$")
ENTRY = re.compile(r"  (\S.*?)(?:  +(\S.*))?$")
MORE = re.compile(r" {3,}(\S.*)$")


@dataclasses.dataclass
class Entry:
    """An option, an argument or a command: as it is spelled, and the sentences beside it."""
    spelled: str
    text: str = ""

    @property
    def names(self):
        """Of an option: ["-o", "--output"]."""
        if not self.spelled.startswith("-"):
            return []
        return [word.rstrip(",") for word in self.spelled.split() if word.startswith("-")]

    @property
    def value(self):
        """"FILE", "auto|1.1|2", "CERTIFICATE KEY", or nothing."""
        return " ".join(self.spelled.split()[len(self.names):])

    @property
    def summary(self):
        """The first sentence."""
        return re.split(r"(?<=\.)\s", self.text)[0]

    @property
    def default(self):
        found = re.search(r"Default: (.*)\.$", self.text)
        return found.group(1) if found else None


@dataclasses.dataclass
class Command:
    name: str  # "tributary-segment live"
    text: str
    usage: str
    sections: dict = dataclasses.field(default_factory=dict)  # title to entries
    commands: dict = dataclasses.field(default_factory=dict)  # word to Command

    @property
    def options(self):
        return [entry for entries in self.sections.values() for entry in entries if entry.names]

    @property
    def arguments(self):
        return [entry for title, entries in self.sections.items() for entry in entries
                if not entry.names and not title.startswith(("Commands", "Examples"))]

    @property
    def summaries(self):
        """Of its commands, by their words."""
        return {entry.spelled: entry.summary for title, entries in self.sections.items() if title.startswith("Commands")
                for entry in entries}

    @property
    def examples(self):
        return [line.strip() for line in self.text.partition("\nExamples:\n")[2].splitlines()]


def parse(name, text):
    command = Command(name, text, text.partition("\n\n")[0])
    entries = None
    for line in text.partition("\n\n")[2].splitlines():
        if section := SECTION.match(line):
            entries = command.sections.setdefault(section.group(1), [])
        elif not line.strip():
            entries = None
        elif entries is not None and (more := MORE.match(line)):
            entries[-1].text += (" " if entries[-1].text else "") + more.group(1)
        elif entries is not None and (entry := ENTRY.match(line)):
            entries.append(Entry(entry.group(1), entry.group(2) or ""))
    return command


def read(program, *words):
    """What the program says of itself, and each of its commands."""
    name = " ".join([pathlib.Path(program).name, *words])
    text = subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout
    command = parse(name, text)
    for word in command.summaries:
        command.commands[word] = read(program, *words, word)
    return command

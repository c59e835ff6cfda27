"""Makes a manual page of a page of docs/manual, by go-md2man.

Usage: man_page.py PAGE.md VERSION OUTPUT [PROGRAM]. The synopsis and the options are those of PROGRAM --help.
"""
import os
import pathlib
import re
import subprocess
import sys
import time

import help_text

MANUAL_PAGE = re.compile(r"\[([^]]*)\]\((tributary[a-z-]*)\.md\)")
OTHER_PAGE = re.compile(r"\[[^]]*\]\(((?:\.\./)*[\w/.-]+\.md)\)")
DEFINITION = re.compile(r"- (`[^`]*`): (.*)")
ROW = re.compile(r"\| (.*?) \| (.*) \|$")
HEAD_OF_TABLE = re.compile(r"^\|.*\|\n\|[-:|]+\|\n", re.MULTILINE)
TITLE = re.compile(r"# ([a-z-]+): (.*)\n")
IN_CODE = {"-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}


def section_of(name):
    return 7 if name == "tributary" else 1


def prepared(page):
    """Markdown as go-md2man wants it: options and tables of two columns as lists of definitions, pages by their names."""
    text = MANUAL_PAGE.sub(lambda m: f"**{m.group(2)}**({section_of(m.group(2))})", page)
    text = OTHER_PAGE.sub(lambda m: os.path.normpath(f"docs/manual/{m.group(1)}"), text)
    text = HEAD_OF_TABLE.sub("", text)
    lines = []
    for line in text.splitlines():
        if definition := DEFINITION.match(line) or ROW.match(line):
            lines += ["", definition.group(1), ":   " + definition.group(2)]
        elif line.startswith("## "):
            lines.append(line.upper())
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def plain(text):
    """Nothing in it is Markdown."""
    return re.sub(r"[*_<>\[\]|`\\]", lambda found: "\\" + found.group(), text)


def options(program):
    """In groups, those of each command below those of the program."""
    lines = []
    for command in [program, *program.commands.values()]:
        for title, entries in command.sections.items():
            described = [entry for entry in entries if entry.names]
            if not described:
                continue
            lines.append(f"### {title if command is program else f'{command.name.split()[-1]}: {title}'}")
            lines += [f"- `{entry.spelled}`: {plain(entry.text)}" for entry in described]
    return "\n".join(lines) + "\n\n"


def in_code(text):
    return "".join(IN_CODE.get(c, c) for c in text)


def finished(roff):
    """Without what troff complains about, and with the characters of code as they are typed."""
    roff = roff.replace(r"\fB\fC", r"\fB")
    roff = re.sub(r"^(\.S[HS] .*)\n\.PP$", r"\1", roff, flags=re.MULTILINE)
    roff = re.sub(r"\\fB(.*?)\\f[RP]", lambda m: rf"\fB{in_code(m.group(1))}\fR", roff)
    roff = re.sub(r"^\.nf\n(.*?)^\.fi$", lambda m: f".nf\n{in_code(m.group(1))}.fi", roff, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\n{2,}", "\n", roff)


def main():
    page, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    title, body = TITLE.match(page.read_text()), page.read_text().partition("\n")[2]
    name, about = title.groups()
    synopsis = ""
    if len(sys.argv) > 4:
        program = help_text.read(sys.argv[4])
        leads_here = r"(?<=\n## Options\n\n).*?\n\n"
        body = re.sub(leads_here, lambda _: options(program), body, count=1, flags=re.DOTALL)
        usage = re.sub(r"^usage: ", "", program.usage, flags=re.IGNORECASE)
        synopsis = "## Synopsis\n\n```\n" + "\n".join(line.strip() for line in usage.splitlines()) + "\n```\n\n"
    text = f"# Name\n\n{name} - {about}\n\n{synopsis}## Description\n{body}"
    roff = subprocess.run(["go-md2man"], input=prepared(text.replace("# Name", "## Name", 1)), check=True, capture_output=True,
                          text=True).stdout
    moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", page.stat().st_mtime)))
    head = f"""'\\" t\n.TH "{name.upper()}" "{section_of(name)}" "{time.strftime("%Y-%m-%d", moment)}" "Tributary {version}" "Tributary"\n"""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(head + finished(re.sub(r"^\.TH.*\n", "", roff, flags=re.MULTILINE)))


main()

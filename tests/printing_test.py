#!/usr/bin/env python3
"""Whatever programs print goes through print_text() (client/units/text/printed_text.hh): no text of others commands the terminal.

Usage: printing_test.py SOURCE_DIR
"""
import pathlib
import re
import sys

# What draws on a terminal writes commands of its own, and passes what stands between them through printable_line().
DRAW = {"client/system/terminal_lines.cc"}
OTHER = {
    "client/units/text/printed_text.cc",  # print_text() itself
    "client/apps/bench/main.cc",  # --batch answers in figures
    "client/system/fed_command.cc",  # into a pipe
}
PRINTS = re.compile(r"\bstd::(cout|cerr|clog)\b|\b(fmt::v?print|fputs|fputc|v?f?printf|puts|putchar|perror|g_print|g_printerr|"
                    r"av_log_default_callback|fwrite)\(")
PASSES = re.compile(r"\b(printable|printable_line)\(")


def complaints(root):
    for path in sorted(path for folder in ("client", "segmenter", "server-tools") for path in (root / folder).glob("**/*.[hc][hc]")):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        if name in DRAW and not PASSES.search(text):
            yield f"{name}: draws, and passes nothing through printable()"
        if name not in DRAW | OTHER:
            yield from (f"{name}: {match.group(0)} prints past print_text()" for match in PRINTS.finditer(text))


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(complaints(root))
    for line in found:
        print(line)
    missing = [name for name in DRAW | OTHER if not (root / name).exists()]  # a test that looks at nothing must not pass
    sys.exit(1 if found or missing else 0)


main()

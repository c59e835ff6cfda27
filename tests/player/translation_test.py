#!/usr/bin/env python3
"""Every text of the window is translated, into texts with the same places to fill in. Usage: translation_test.py SOURCE_DIR"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
PO = ROOT / "client/player/po"
PLACE = re.compile(r"\{[^}]*\}")


def run(*command):
    return subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)


def listed():
    return [line for line in (PO / "POTFILES.in").read_text().splitlines() if line and not line.startswith("#")]


def unlisted():
    """Sources with texts that xgettext would not be shown."""
    for path in sorted((ROOT / "client").glob("**/*.[hc][hc]")):
        name = path.relative_to(ROOT).as_posix()
        if re.search(r"\b(_|N_|ngettext|sentence)\(\"", path.read_text()) and name not in listed():
            yield f"{name} is not in POTFILES.in"


def entries(po):
    """Pairs of a text and one of its translations."""
    text = subprocess.run(["msgcat", "--no-wrap", po], capture_output=True, text=True, check=True).stdout
    for block in text.split("\n\n"):
        words = dict(re.findall(r'^(msg\w+(?:\[\d\])?) "(.*)"$', block, re.MULTILINE))
        for key, translated in words.items():
            if key.startswith("msgstr") and words.get("msgid"):
                yield words["msgid_plural" if key == "msgstr[1]" else "msgid"], translated


def complaints():
    yield from unlisted()
    with tempfile.TemporaryDirectory() as folder:
        template = pathlib.Path(folder, "template.pot")
        made = run("xgettext", "--from-code=UTF-8", "--keyword=_", "--keyword=N_", "--keyword=sentence:1", "--keyword=ngettext:1,2", "-o", template, *listed())
        if made.returncode != 0:
            yield made.stderr
            return
        for language in (PO / "LINGUAS").read_text().split():
            po = PO / f"{language}.po"
            compared = run("msgcmp", po, template)  # says what is missing
            if compared.returncode != 0:
                yield f"{language}: {compared.stderr}"
            found = list(entries(po))
            if len(found) < 100:
                yield f"{language}: only {len(found)} texts"
            for text, translated in found:
                if collections.Counter(PLACE.findall(text)) != collections.Counter(PLACE.findall(translated)):
                    yield f"{language}: {text!r} and {translated!r} have different places to fill in"


found = list(complaints())
for line in found:
    print(line)
sys.exit(1 if found else 0)

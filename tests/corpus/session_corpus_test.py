"""A corpus of this build equals itself; where a trace or a summary says otherwise, that is found.
Usage: session_corpus_test.py BIN"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = sys.argv.pop(1)
SCRIPT = pathlib.Path(__file__).with_name("session_corpus.py")


def corpus(*words):
    return subprocess.run([sys.executable, "-B", SCRIPT, *words, "--programs", PROGRAMS], capture_output=True, text=True)


class SessionCorpusTest(unittest.TestCase):
    def test_equals_itself_and_shows_what_changed(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent, "corpus")
            made = corpus("make", folder, "--sessions", "6")
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(len(list(folder.glob("*.trace"))), 6)
            same = corpus("compare", folder)
            self.assertEqual((same.returncode, same.stdout), (0, "6 sessions, 0 differences\n"), same.stderr)

            trace = folder / "simulated-1.trace"
            text = trace.read_text()
            trace.write_text(re.sub(r"(action send-request request=3 .* range=\d+)", r"\g<1>1", text, count=1))
            self.assertNotEqual(trace.read_text(), text)
            summary = folder / "walk-1.json"
            summary.write_text(re.sub(r"(: )(\d+)\b", r"\g<1>1\2", summary.read_text()))
            other = corpus("compare", folder)
            self.assertEqual(other.returncode, 1)
            for found in ("simulated-1.trace: decides otherwise", "simulated-1.trace: the recorded session",
                          "walk-1.json: the summary differs"):
                self.assertIn(found, other.stdout)


if __name__ == "__main__":
    unittest.main()

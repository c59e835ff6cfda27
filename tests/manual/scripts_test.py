"""--help of scripts and of ./run: it tells and does nothing, in 80 columns; and programs fill the terminal that they have."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import unittest

import programs

SCRIPTS = ["media-samples/make", "segmenter/measure-encode", "server-tools/netlab/measure-accuracy",
           "server-tools/netlab/measure-http", "server-tools/netlab/multihome", "server-tools/netlab/old-sender", "server-tools/origin/make-certificate", "server-tools/origin/serve",
           "server-tools/origin/tributary-origin", "tests/packages/life_of_packages"]
COMMANDS = ["demo", "build", "package", "test", "lint"]  # of ./run; evaluate and play tell of themselves once they are built


def told(*words):
    done = subprocess.run(words, cwd=programs.SOURCE, check=False, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def told_on_terminal(program, columns):
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([program, "--help"], stdout=its, stdin=subprocess.DEVNULL) as process:
        os.close(its)
        text = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            text += piece
        process.wait()
    os.close(ours)
    return text.decode().replace("\r", "").splitlines()


class Scripts(unittest.TestCase):
    def expect_help(self, *words):
        with self.subTest(" ".join(words)):
            status, text, errors = told(*words)
            self.assertEqual((status, errors), (0, ""))
            self.assertGreater(len(text.splitlines()), 2)
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])

    def test_help_of_scripts_fits_80_columns(self):
        for script in SCRIPTS:
            self.expect_help(f"./{script}", "--help")

    def test_run_tells_of_itself_and_its_commands(self):
        self.expect_help("./run", "--help")
        for command in COMMANDS:
            self.expect_help("./run", command, "--help")
            self.expect_help("./run", command, "--no-install", "--help")
            self.assertIn(f"\n  {command} ", told("./run", command, "--help")[1])

    def test_run_refuses_what_it_does_not_know(self):
        for words in (["nosuch"], ["demo", "--fast"], ["build", "all"], ["lint", "--all"]):
            self.assertEqual(told("./run", *words)[0], 2, words)

    def test_each_shape_of_the_build_has_its_own_folder(self):
        text = (programs.SOURCE / "run").read_text()
        self.assertNotIn("build release demo", text)
        self.assertNotIn("-DTRIBUTARY_PLAYER=OFF", text, "it would take the player out of a build that has it")


class Terminal(unittest.TestCase):
    def test_help_is_as_wide_as_the_terminal(self):
        program = programs.built()["tributary-get"]
        for columns in (60, 132):
            longest = max(len(line) for line in told_on_terminal(program, columns)
                          if not line.startswith("  tributary-get"))  # examples stay whole
            self.assertLessEqual(longest, columns)
            self.assertGreater(longest, columns - 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

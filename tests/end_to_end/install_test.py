"""What cmake --install puts into a folder works there, without the source tree beside it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv[1])
PROGRAMS = ["tributary-bench", "tributary-get", "tributary-lend", "tributary-links", "tributary-netlab", "tributary-proxy", "tributary-relay", "tributary-segment", "tributary-splitter", "tributary-tunnel"]
PLAYER = "tributary-play"


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tributary install ")
        cls.prefix = pathlib.Path(cls.folder.name) / "usr"
        subprocess.run(["cmake", "--install", BIN.parent, "--prefix", cls.prefix, "--strip"],
                       check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_installed(self, program, *arguments):
        return subprocess.run([self.prefix / "bin" / program, *arguments], check=False, text=True, cwd="/",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_programs_start(self):
        built = [PLAYER] if (BIN / PLAYER).exists() else []
        for program in PROGRAMS + built:
            with self.subTest(program):
                shown = self.run_installed(program, "--help")
                self.assertEqual(shown.returncode, 0, shown.stdout)
                self.assertIn(program, shown.stdout)

    def test_the_tool_for_origins_finds_its_templates(self):
        site = self.run_installed("tributary-origin", "--nginx", self.folder.name)
        self.assertEqual(site.returncode, 0, site.stdout)
        self.assertIn(self.folder.name, site.stdout)

    def test_manual_pages_and_completions_are_there(self):
        for program in [*PROGRAMS, "tributary-origin"]:
            for path in (f"man/man1/{program}.1", f"bash-completion/completions/{program}", f"zsh/site-functions/_{program}",
                         f"fish/vendor_completions.d/{program}.fish"):
                self.assertTrue((self.prefix / "share" / path).stat().st_size > 0, path)

    def test_the_desktop_starts_what_is_installed(self):
        if not (BIN / PLAYER).exists():
            self.skipTest("built without the player")
        entry = self.prefix / "share/applications/org.tributary.Play.desktop"
        command = [line.split("=", 1)[1].split()[0] for line in entry.read_text().splitlines()
                   if line.startswith("Exec=")]
        self.assertEqual(set(command), {PLAYER})
        self.assertTrue(os.access(self.prefix / "bin" / PLAYER, os.X_OK))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

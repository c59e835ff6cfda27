"""Manual pages are made of docs/manual; man and mandoc render them without a complaint, and all of the text is there."""
import os
import subprocess
import sys
import unittest

import programs

MAN = programs.BUILD / "share/man"


def rendered(page):
    return subprocess.run(["man", "--warnings", "-l", page], check=True, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat", "MANROFFOPT": ""})


class ManPages(unittest.TestCase):
    def each(self, look):
        for page in sorted(MAN.glob("man?/*")):
            with self.subTest(page.name):
                look(page)

    def test_every_installed_program_has_one(self):
        own = {path.stem for path in MAN.glob("man?/*")}
        self.assertEqual(own, {*programs.built(), "tributary-origin", "tributary"} - {"tributary-sequential"})

    def test_man_and_mandoc_have_nothing_against_them(self):
        def look(page):
            self.assertEqual(rendered(page).stderr, "")
            lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], check=False, capture_output=True, text=True)
            self.assertEqual((lint.returncode, lint.stdout), (0, ""))
        self.each(look)

    def test_they_can_be_found_by_what_they_are_about(self):
        def look(page):
            found = subprocess.run(["lexgrog", page], check=False, capture_output=True, text=True).stdout
            self.assertIn(f'"{page.stem} - ', found)
        self.each(look)

    def test_the_text_is_there_word_for_word(self):
        def look(page):
            text = rendered(page).stdout
            if page.stem in programs.built():
                words = "".join(text.split())
                for command in programs.with_commands(programs.help_text.read(programs.built()[page.stem])):
                    for option in command.options:
                        self.assertIn("".join(f"{option.spelled}{option.text}".split()), words)
            for wanted in ("EXAMPLES", "FILES", "DESCRIPTION"):
                self.assertIn(f"\n{wanted}\n", text)
            self.assertNotIn("](", text)
            self.assertNotIn("```", text)
        self.each(look)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

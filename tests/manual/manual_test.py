"""docs/manual has a page for each program, all alike, and names no option that a program does not have."""
import re
import sys
import unittest

import programs

BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
WORDS = re.compile(r"(?<=\s)--?[a-zA-Z][\w-]*")
SECTIONS = ["Options", "Files", "Exit status", "Messages", "Examples"]
MOST_WORDS_OF_README = 700


def sections_of(page):
    """By their titles; in each, what stands below ### is part of it."""
    parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = {name: command for name, command in programs.all_programs().items() if name != "make-certificate"}
        cls.pages = {path.stem: path.read_text() for path in programs.PAGES.glob("*.md")}

    def each(self, look):
        """Looks at every program, and at the sections of its page."""
        for name, program in self.programs.items():
            with self.subTest(name):
                look(program, sections_of(self.pages[name]))

    def test_every_program_has_a_page_and_every_page_a_program(self):
        pages = set(self.pages) - {"README", "tributary"}
        if "tributary-play" not in self.programs:
            pages.discard("tributary-play")  # built without the player
        self.assertEqual(pages, set(self.programs))
        for name in self.pages:
            self.assertIn(f"{name}.md" if name != "README" else "", self.pages["README"])

    def test_pages_have_the_same_sections(self):
        def look(_, sections):
            self.assertEqual([title for title in sections if title in SECTIONS], SECTIONS)
            self.assertGreater(list(sections).index("Options"), 0, "tasks come first")
            self.assertGreaterEqual(len("".join(BLOCK.findall(sections["Examples"])).splitlines()), 2)
        self.each(look)

    def test_command_lines_use_options_that_are_there(self):
        known = {name: {word for each in programs.with_commands(command) for option in each.options for word in option.names}
                 for name, command in self.programs.items()}
        checked = 0
        documents = {**self.pages, "../../README": (programs.SOURCE / "README.md").read_text()}
        for page, text in documents.items():
            for line in "".join(BLOCK.findall(text)).splitlines():
                for name, options in known.items():
                    own = re.search(rf"(?:^|[\s/]){re.escape(name)}(\s.*)", line.split(" -- ")[-1].split("|")[0])
                    if own:
                        checked += 1
                        self.assertEqual(set(WORDS.findall(own.group(1).split("#")[0])) - options, set(), f"{page}: {line}")
        self.assertGreater(checked, 60)

    def test_the_readme_is_short(self):
        self.assertLess(len((programs.SOURCE / "README.md").read_text().split()), MOST_WORDS_OF_README)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

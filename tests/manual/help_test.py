"""--help of every program, and of each of its commands, is laid out alike and can be read on any terminal."""
import re
import sys
import unittest

import programs


class Help(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = programs.all_programs()

    def test_all_programs_are_looked_at(self):
        for name in ("tributary-get", "tributary-bench", "tributary-links", "tributary-proxy", "tributary-segment", "tributary-netlab", "tributary-splitter", "tributary-tunnel", "tributary-relay", "tributary-lend", "evaluate"):
            self.assertIn(name, self.programs)

    def each(self, look):
        """Looks at every command of every program."""
        for program in self.programs.values():
            for command in programs.with_commands(program):
                with self.subTest(command.name):
                    look(program, command)

    def test_no_line_is_longer_than_80_columns(self):
        self.each(lambda _, command: self.assertEqual([line for line in command.text.splitlines() if len(line) > 80], []))

    def test_options_are_in_groups_and_say_in_sentences_what_they_do(self):
        def look(_, command):
            self.assertTrue(command.usage.lower().startswith("usage: "), command.usage)
            self.assertIn("--help", [name for option in command.options for name in option.names])
            for entry in command.options + command.arguments:
                self.assertRegex(entry.text, r"^[A-Z\"].*\.$", entry.spelled)
            largest = max(len(entries) for entries in command.sections.values())
            self.assertLessEqual(largest, 10, "a group that nobody reads through")
        self.each(look)

    def test_examples_end_it_and_use_options_that_are_there(self):
        def look(program, command):
            wanted = 2 if command is program else 1
            self.assertGreaterEqual(len(command.examples), wanted)
            known = {name for each in programs.with_commands(program) for option in each.options for name in option.names}
            for example in command.examples:
                own = example.split(" -- ")[0]
                self.assertEqual(set(re.findall(r"(?<=\s)-{1,2}[a-zA-Z][\w-]*", own)) - known, set(), example)
        self.each(look)

    def test_exit_statuses_are_said(self):
        for program in self.programs.values():
            if program.name != "make-certificate":
                self.assertIn("Exit status: 0 ", program.text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

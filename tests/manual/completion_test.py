"""Shells complete what --help of a program names: options, their words, commands, files, links."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import programs

SHARE = programs.BUILD / "share"
BASH = """
source "$1"; shift
program=$1
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
compopt() { :; }  # it works only while a line is being completed
read -r _ _ function _ <<<"$(complete -p "$program")"
"$function"
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
zmodload zsh/zpty
export TERM=dumb
zpty shell 'zsh -f -i'
said() { local all= part; while zpty -r -m -t shell part "*$1*" || { sleep 0.05; (( ++tries < 400 )); }; do
  all+=$part; [[ $all == *$1* ]] && break; done; print -r -- $all; }
zpty -w shell "PS1=; fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D; LISTMAX=0; unsetopt automenu; zstyle ':completion:*' list-colors; bindkey '^I' list-choices; print rea''dy"
said ready
zpty -w -n shell $2$'\\t'
sleep 1
zpty -w -n shell $'\\x15'"print do''ne"$'\\n'
said done
"""


def in_bash(*words):
    path = SHARE / "bash-completion/completions" / words[0]
    return subprocess.run(["bash", "-c", BASH, "bash", path, *words], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]


def in_fish(line):
    path = SHARE / "fish/vendor_completions.d" / f"{line.split()[0]}.fish"
    done = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C {chr(39)}{line}{chr(39)}"], check=True,
                          capture_output=True, text=True, env={**os.environ, "PATH": f"{programs.BUILD / 'bin'}:{os.environ['PATH']}"})
    return [entry.split("\t")[0] for entry in done.stdout.splitlines()]


def in_zsh(line):
    return subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", SHARE / "zsh/site-functions", line], check=True, capture_output=True,
                          text=True, timeout=60).stdout


class Completion(unittest.TestCase):
    def test_bash_knows_every_option_and_the_words_of_each(self):
        for name, path in programs.built().items():
            if name == "tributary-sequential":
                continue
            program = programs.help_text.read(path)
            for command in programs.with_commands(program):
                with self.subTest(command.name):
                    words = command.name.split()
                    self.assertEqual(set(in_bash(*words, "-")), {name for option in command.options for name in option.names})
                    for option in command.options:
                        if "|" in option.value:
                            self.assertEqual(in_bash(*words, option.names[-1], ""), option.value.split("|"))
                            self.assertEqual(in_bash(*words, option.names[-1], "=", ""), option.value.split("|"))
            self.assertLessEqual(set(program.commands), set(in_bash(name, "")))

    def test_bash_completes_files_folders_and_links(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "a film.mp4").touch()
            (place / "a folder").mkdir()
            begin = f"{folder}/a"
            self.assertEqual(set(in_bash("tributary-segment", begin)), {f"{begin} film.mp4", f"{begin} folder"})
            self.assertEqual(in_bash("tributary-segment", "-o", begin), [f"{begin} folder"])
            self.assertEqual(in_bash("tributary-bench", "--depth", begin), [])
        self.assertIn("lo", in_bash("tributary-get", "--link", ""))

    def test_bash_completes_the_program_that_is_a_script(self):
        self.assertEqual(in_bash("tributary-origin", "--ke"), ["--keepalive-requests"])

    def test_fish_completes(self):
        self.assertIn("--continue", in_fish("tributary-get --co"))
        self.assertEqual(set(in_fish("tributary-get --http ")), {"auto", "1.1", "2"})
        self.assertIn("live", in_fish("tributary-segment li"))
        self.assertIn("--reconnect", in_fish("tributary-segment live --re"))
        self.assertNotIn("--reconnect", in_fish("tributary-segment --re"))

    def test_zsh_completes(self):
        self.assertIn("--continue", in_zsh("tributary-get --c"))
        self.assertIn("1.1", in_zsh("tributary-get --http "))
        self.assertIn("package", in_zsh("tributary-segment "))
        self.assertIn("--reconnect", in_zsh("tributary-segment live --"))

    def test_shells_find_no_fault_in_them(self):
        for path in sorted(SHARE.glob("zsh/site-functions/_*")):
            subprocess.run(["zsh", "-n", path], check=True)
        for path in sorted(SHARE.glob("fish/vendor_completions.d/*.fish")):
            subprocess.run(["fish", "--no-execute", path], check=True)
        for path in sorted(SHARE.glob("bash-completion/completions/*")):
            subprocess.run(["bash", "-n", path], check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

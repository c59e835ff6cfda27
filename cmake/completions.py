"""Writes what shells need to complete a command line, from --help of the program.

Usage: completions.py PROGRAM SHARE_DIR. SHARE_DIR gets bash-completion/completions/NAME, zsh/site-functions/_NAME and
fish/vendor_completions.d/NAME.fish.
"""
import pathlib
import re
import sys

import help_text

LINKS = "NAME[=COST]"


def kind_of(value):
    """What a value is completed by: words, files, folders, links, nothing."""
    if "|" in value:
        return value.split("|")
    if value == LINKS:
        return "links"
    if value.startswith("DIR"):
        return "folders"
    if value.startswith(("FILE", "TRACE", "CSV", "CERTIFICATE", "WLAN")):
        return "files"
    return None


def scopes(command):
    """("", options of the program), ("live", options of that command), ..."""
    return [("", command), *command.commands.items()]


BASH_WAYS = {"files": 'BY -o filenames -f', "folders": 'BY -o filenames -d',
             "links": 'BY -o nospace -W "$(ls /sys/class/net)"', None: ":"}


def bash(command):
    function = "_" + command.name.replace("-", "_")
    cases, options = [], []
    for word, scope in scopes(command):
        options.append(f"    {word or chr(34) * 2}) options=\"{' '.join(name for o in scope.options for name in o.names)}\" ;;")
        for option in scope.options:
            if not option.value:
                continue
            kind = kind_of(option.value)
            way = f'BY -o nosort -W "{" ".join(kind)}"' if isinstance(kind, list) else BASH_WAYS[kind]
            cases.append(f"    {'|'.join(f'{word},{name}' for name in option.names)}) {way}; return ;;")
    words = " ".join(command.commands)
    find = f"""
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in {"|".join(command.commands)}) command=$word; break ;; esac
  done""" if words else ""
    script = f"""# Made from {command.name} --help.
BY() {{
  compopt "$1" "$2"
  mapfile -t COMPREPLY < <(compgen "${{@:3}}" -- "$cur")
}}

{function}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command="" word options
  if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi{find}
  case $command,$prev in
{chr(10).join(cases)}
  esac
  case $command in
{chr(10).join(options)}
  esac
  if [[ $cur == -* ]]; then
    BY -o nosort -W "$options"
    return
  fi
  BY -o filenames -f
  [[ -n $command ]] || mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "{words}" -- "$cur")
}}
complete -F {function} {command.name}
"""
    return re.sub(r"\bBY\b", f"{function}_by", script)


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def in_zsh(text):
    return "".join("\\" + c if c in "[]:\\" else c for c in text)


def zsh_value(value):
    kind = kind_of(value)
    way = {"files": "_files", "folders": "_files -/", "links": "_net_interfaces", None: " "}
    action = f"({' '.join(kind)})" if isinstance(kind, list) else way[kind]
    return "".join(f":{in_zsh(word)}:{action}" for word in value.split()) if kind != "links" else f":link:{action}"


def zsh_arguments(scope, indent):
    lines = []
    for option in scope.options:
        again = "Repeat the option" in option.text or "repeat the option" in option.text
        group = "*" if again else "(" + " ".join(option.names) + ")"
        for name in option.names:
            lines.append(quoted(f"{group}{name}[{in_zsh(option.summary)}]{zsh_value(option.value) if option.value else ''}"))
    return (" \\\n" + indent).join(lines)


def zsh(command):
    head = f"#compdef {command.name}\n# Made from {command.name} --help.\n"
    if not command.commands:
        return head + f"_arguments -S \\\n  {zsh_arguments(command, '  ')} \\\n  '*:file:_files'\n"
    words = "\n".join(f"    {quoted(word + ':' + in_zsh(text))}" for word, text in command.summaries.items())
    cases = "\n".join(f"    {word})\n      _arguments -S \\\n        {zsh_arguments(scope, '        ')} \\\n"
                      "        '*:file:_files' ;;" for word, scope in command.commands.items())
    return head + f"""local -a commands
local state line curcontext=$curcontext
commands=(
{words}
)
_arguments -C -S \\
  {zsh_arguments(command, '  ')} \\
  '1: :->command' '*:: :->rest' && return
case $state in
  command) _describe command commands; _files ;;
  rest)
    case $line[1] in
{cases}
    *) _files ;;
    esac ;;
esac
"""


def fish(command):
    lines = [f"# Made from {command.name} --help."]
    seen = f"__fish_seen_subcommand_from {' '.join(command.commands)}"
    for word, text in command.summaries.items():
        lines.append(f"complete -c {command.name} -n {quoted('not ' + seen)} -a {word} -d {quoted(text)}")
    ways = {"files": "-r -F", "folders": "-x -a '(__fish_complete_directories)'",
            "links": "-x -a '(__fish_print_interfaces)'", None: "-x"}
    for word, scope in scopes(command):
        when = ""
        if command.commands:
            when = f" -n {quoted(f'__fish_seen_subcommand_from {word}' if word else 'not ' + seen)}"
        for option in scope.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            kind = kind_of(option.value)
            way = f" -x -a {quoted(' '.join(kind))}" if isinstance(kind, list) else f" {ways[kind]}" if option.value else ""
            lines.append(f"complete -c {command.name}{when} {names}{way} -d {quoted(option.summary)}")
    return "\n".join(lines) + "\n"


def main():
    program, share = sys.argv[1], pathlib.Path(sys.argv[2])
    command = help_text.read(program)
    for path, text in ((f"bash-completion/completions/{command.name}", bash(command)),
                       (f"zsh/site-functions/_{command.name}", zsh(command)),
                       (f"fish/vendor_completions.d/{command.name}.fish", fish(command))):
        (share / path).parent.mkdir(parents=True, exist_ok=True)
        (share / path).write_text(text)


main()

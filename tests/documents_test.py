#!/usr/bin/env python3
"""What documents and comments name is there: files, folders, sections of documents, and constants with their values.

Usage: documents_test.py SOURCE_DIR
"""
import fnmatch
import pathlib
import re
import sys

SOURCES = ("client", "docs", "cmake", "media-samples", "segmenter", "server-tools", "tests")
NOT_OURS = {"__pycache__", "corpus", "node_modules"}
# Of a document: a code span, and a word of a block of code.
SPAN = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```[\s\S]*?^```|^(?: {4}.*\n)+", re.MULTILINE)
# A file of ours by its name, or by the end of its path; and a path from the root of the project.
OWN_FILE = re.compile(r"[\w./-]*\w\.(?:hh|cc|py|md|toml|css|cmake|txt|in)")
FROM_ROOT = re.compile(rf"(?:{'|'.join(SOURCES)})/[\w./-]*[\w/]")
# Names that documents have of what programs read and write.
OTHERS = re.compile(r"(?:index|summary|frames)\.json|.*film.*|[A-Z_]+\.md")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
COMMENT = re.compile(r"(?://|^\s*#)(.*)$", re.MULTILINE)
NAMED_DOCUMENT = re.compile(r'\bdocs/[\w/-]+\.md\b(?:, "([^"]+)")?')
NAMED_HEADER = re.compile(r"(?<![<\w./-])(?:\w+/)*\w+\.hh\b")
CONSTANT = re.compile(r"^\| `(k[A-Z]\w*)` \| ([^|]*) \| `([^`]+)` \|", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e\d+)?")


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = [path for folder in SOURCES for path in sorted((root / folder).rglob("*"))
                      if path.is_file() and not NOT_OURS & set(path.relative_to(root / folder).parts[:-1])]
        self.files += [path for path in sorted(root.iterdir()) if path.is_file()]
        names = [path.relative_to(root).as_posix() for path in self.files]
        self.ends = {"/".join(name.split("/")[i:]) for name in names for i in range(name.count("/") + 1)}

    def has_end(self, name):
        """A file of this path, or of one that ends so. A template has its name with .in behind it; NAME is any name."""
        if "NAME" in name:
            return bool(fnmatch.filter(self.ends, name.replace("NAME", "*")))
        return name in self.ends or name + ".in" in self.ends

    def documents(self):
        return [path for path in self.files if path.suffix == ".md" and path.name != "CHANGELOG.md"]


def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def complaints_of_document(path, tree):
    text = path.read_text()
    blocks = BLOCK.findall(text)
    prose = BLOCK.sub("", text)
    named = [word for span in SPAN.findall(prose) for word in span.split()]
    for word in named:
        if OWN_FILE.fullmatch(word) and not OTHERS.fullmatch(word) and not tree.has_end(word):
            yield f"no file is named {word}"
    for word in named + [word for block in blocks for word in FROM_ROOT.findall(block)]:
        if FROM_ROOT.fullmatch(word) and not (tree.root / word).exists() and not ("NAME" in word and tree.has_end(word)):
            yield f"{word} does not exist"
    for target, section in LINK.findall(prose):
        if "://" in target:
            continue
        other = (path.parent / target).resolve() if target else path
        if not other.exists():
            yield f"the link to {target} leads nowhere"
        elif section and section not in map(anchor, HEADING.findall(other.read_text())):
            yield f"{target or path.name} has no section #{section}"
    for name, value, file in CONSTANT.findall(text):
        yield from complaints_of_constant(name, value, file, tree)


def complaints_of_constant(name, value, file, tree):
    found = [path for path in tree.files if path.name == file]
    defined = re.compile(rf"\b{name}\b(?:\{{|\s*=)([^;]*)", re.DOTALL)
    definition = next((match for path in found if (match := defined.search(path.read_text()))), None)
    if not definition:
        yield f"{file} defines no {name}"
        return
    # What several constants share a line with counts up to the next of them.
    own = re.split(r",\s*k[A-Z]", definition[1])[0].replace("'", "")
    said = NUMBER.search(value)
    if not said or float(said[0]) not in [float(number) for number in NUMBER.findall(own)]:
        yield f"{name} is {own.strip()} in {file}, and not {value}"


def complaints_of_comments(path, tree):
    for comment in COMMENT.findall(path.read_text(errors="replace")):
        for match in NAMED_DOCUMENT.finditer(comment):
            document = match[0].split(",")[0]
            if not (tree.root / document).exists():
                yield f"{document} does not exist"
            elif match[1] and match[1] not in HEADING.findall((tree.root / document).read_text()):
                yield f'{document} has no section "{match[1]}"'
        for name in NAMED_HEADER.findall(comment):
            if not tree.has_end(name):
                yield f"no file is named {name}"


def main():
    tree = Tree(pathlib.Path(sys.argv[1]).resolve())
    documents = tree.documents()
    sources = [path for path in tree.files if path.suffix in (".cc", ".hh", ".py", ".in", ".txt") and path.name != "documents_test.py"]
    found = [f"{path.relative_to(tree.root)}: {complaint}" for path in documents for complaint in complaints_of_document(path, tree)]
    found += [f"{path.relative_to(tree.root)}: {complaint}" for path in sources for complaint in complaints_of_comments(path, tree)]
    for line in found:
        print(line)
    constants = sum(len(CONSTANT.findall(path.read_text())) for path in documents)
    print(f"{len(documents)} documents, {len(sources)} sources, {constants} constants, {len(found)} complaints")
    # A test that looks at nothing must not pass.
    sys.exit(1 if found or len(documents) < 10 or len(sources) < 500 or constants < 20 else 0)


main()

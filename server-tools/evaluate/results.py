"""The rows that runs left behind: one CSV file for each experiment, appended to, and never trusted to end well."""
import csv
import io
import os
import pathlib

LABELS = ["experiment", "cell", "setup", "seed", "world", "version", "command"]
_IDENTITY = ["cell", "seed", "world", "version", "command"]


def flattened(summary):
    """summary.json as one row: lists are numbered from 1, as in links_1_share; null is empty."""
    row = {}
    for key, value in summary.items():
        if isinstance(value, list):
            for number, entry in enumerate(value, 1):
                row.update({f"{key}_{number}_{inner}": inside for inner, inside in flattened(entry).items()})
        else:
            row[key] = "" if value is None else str(value)
    return row


def identity(row):
    return tuple(str(row[key]) for key in _IDENTITY)


class ResultFile:
    """Rows of one experiment. A line that an interruption cut off is dropped when the file is read."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.columns = list(LABELS)
        self.rows = []
        if self.path.exists():
            self._read()

    def _read(self):
        text = self.path.read_text()
        whole = text[:text.rfind("\n") + 1]
        if whole != text:
            self.path.write_text(whole)
        reader = csv.DictReader(io.StringIO(whole))
        self.columns = list(reader.fieldnames or LABELS)
        self.rows = list(reader)

    def append(self, row):
        new = [column for column in row if column not in self.columns]
        self.rows.append({column: "" for column in self.columns} | row)
        if new or not self.path.exists():
            self.columns += new
            self._write_all()
            return
        with open(self.path, "a", newline="") as file:
            self._writer(file).writerow(row)

    def _write_all(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".tmp")
        with open(unfinished, "w", newline="") as file:
            writer = self._writer(file)
            writer.writeheader()
            writer.writerows(self.rows)
        os.replace(unfinished, self.path)

    def _writer(self, file):
        return csv.DictWriter(file, self.columns, restval="", lineterminator="\n")


def select(rows, where):
    """Those that have, in each column named, the value or one of the values given."""
    wanted = {column: {str(value) for value in (values if isinstance(values, list) else [values])}
              for column, values in where.items()}
    return [row for row in rows if all(row.get(column) in values for column, values in wanted.items())]


def links_of(row):
    """(name, share) of each link of a run."""
    numbers = (1 + i for i in range(len(row)))
    names = ((number, row.get(f"links_{number}_name")) for number in numbers)
    return [(name, float(row[f"links_{number}_share"])) for number, name in names if name]


def qualities(row):
    """The columns of the qualities' shares, lowest quality first."""
    return sorted((column for column in row if column.startswith("share_q")), key=lambda column: int(column[7:]))

"""The table that a measuring script keeps in a document, between two comments."""

import sys


class DocumentTable:
    """The table of the script of this name, as "effort.py", in a document."""

    def __init__(self, script, document):
        self.script, self.document = script, document
        self.begin, self.end = f"<!-- table: written by scripts/measure/{script}; do not edit -->", "<!-- end of the table -->"
        self.text = document.read_text()

    def is_there(self):
        """Whether the document has a place for the table; otherwise says on standard error what is missing."""
        fine = self.text.count(self.begin) == 1 and self.text.count(self.end) == 1
        if not fine:
            print(f"{self.script}: {self.document} has no place for the table: it needs the lines {self.begin!r} and {self.end!r}", file=sys.stderr)
        return fine

    def old(self):
        """The text between the comments."""
        return self.text[self.text.index(self.begin) + len(self.begin) : self.text.index(self.end)]

    def write(self, table):
        before, after = self.text.split(self.begin)[0], self.text.split(self.end)[1]
        self.document.write_text(f"{before}{self.begin}\n\n{table}\n\n{self.end}{after}")

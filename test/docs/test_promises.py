"""What the documents promise of all cases is held by a test: every sentence of the README and of docs/ with "never", "always" or "any" is listed in promises.json,
with the tests that hold it, or with the reason why it is no promise. Some promises of numbers are listed, too. docs/results is written by scripts, and the
reference of the Python package from its texts."""

import json
import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
LISTED = json.loads((SOURCE / "test" / "docs" / "promises.json").read_text())
DOCUMENTS = [SOURCE / "README.md", *(path for path in sorted((SOURCE / "docs").rglob("*.md")) if path.parent.name != "results" and path.name != "python-reference.md")]


def sentences(path):
    """Sentences, rows of tables and headings, each on one line, without blocks of code."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    for paragraph in re.split(r"\n\s*\n|\n(?=\||\s*\* |\s*\d+\. )", text):
        yield from re.split(r"(?<=[.;?!])\s+(?=[A-Z*`(])", " ".join(paragraph.split()))


class Promises(unittest.TestCase):
    def test_every_promise_is_listed(self):
        for path in DOCUMENTS:
            name = str(path.relative_to(SOURCE))
            for sentence in sentences(path):
                if re.search(r"\b(never|always|any)\b", sentence, re.IGNORECASE):
                    with self.subTest(document=name, sentence=sentence):
                        self.assertTrue(any(words in sentence for words, _ in LISTED.get(name, [])))

    def test_nothing_else_is_listed(self):
        for name, rows in LISTED.items():
            text = " ".join(sentences(SOURCE / name))
            for words, _ in rows:
                with self.subTest(document=name, words=words):
                    self.assertIn(words, text)

    def test_the_tests_exist(self):
        for name, rows in LISTED.items():
            for words, held in rows:
                for path in held if isinstance(held, list) else []:
                    with self.subTest(document=name, words=words):
                        self.assertTrue((SOURCE / path).is_file(), path)


if __name__ == "__main__":
    unittest.main()

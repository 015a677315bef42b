"""docs/scene.schema.json: every scene of the project is valid, and the schema finds the mistakes that the loader finds (scene_cases.json)."""

import json
import os
import pathlib
import sys
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema")
    sys.exit(77)

ROOT = pathlib.Path(os.environ.get("ABUT_TEST_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[3]))
SCHEMA = json.loads((ROOT / "docs" / "formats" / "scene.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def no_duplicates(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a duplicate key")
    return dict(pairs)


def no_constants(name):
    raise ValueError(f"{name} is not JSON")


def parse(text):
    """As strict about JSON as the loader."""
    value = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constants)
    if "\\u0000" in text:
        raise ValueError("a null character")
    if not isinstance(value, (dict, list)):
        raise ValueError("neither an object nor an array")
    return value


class Schema(unittest.TestCase):
    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_every_scene_follows_it(self):
        paths = sorted((ROOT / "scenes").glob("*.json"))
        self.assertGreater(len(paths), 5)
        for path in paths:
            with self.subTest(path.name):
                errors = [f"{'/'.join(map(str, e.path))}: {e.message}" for e in VALIDATOR.iter_errors(parse(path.read_text(encoding="utf-8")))]
                self.assertEqual(errors, [])

    def test_sees_what_the_loader_sees(self):
        data = json.loads((ROOT / "test" / "io" / "scene" / "scene_cases.json").read_text(encoding="utf-8"))
        seen = {True: 0, False: 0}
        for case in data["cases"]:
            text = data["templates"][case["in"]].replace("@", case["text"])
            with self.subTest(case["text"]):
                try:
                    scene = parse(text)
                except (ValueError, OverflowError):
                    self.assertIn("error", case)
                    continue
                right = "error" not in case or case.get("schema") == "accepts"
                if any(isinstance(v, float) and v == float("inf") for v in (scene.values() if isinstance(scene, dict) else [])):
                    continue  # Python takes 1e999 for infinity
                seen[right] += 1
                self.assertEqual(VALIDATOR.is_valid(scene), right)
        self.assertGreater(seen[True], 30)
        self.assertGreater(seen[False], 100)

    def test_defaults_are_right_values(self):
        def walk(node):
            if isinstance(node, dict):
                if "default" in node and "type" in node:
                    jsonschema.Draft202012Validator(node).validate(node["default"])
                for child in node.values():
                    walk(child)
            elif isinstance(node, list):
                for child in node:
                    walk(child)

        walk(SCHEMA)


if __name__ == "__main__":
    unittest.main()

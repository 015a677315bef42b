"""Writes the version of include/abut/base.h, and the addresses and checksums of packaging/release.json, into the recipes of package managers, CITATION.cff
and the Python package.

    python3 scripts/make/recipes.py                   writes
    python3 scripts/make/recipes.py --archive FILE    takes the checksums of an archive first
    python3 scripts/make/recipes.py --check           writes nothing; names what is out of step, with status 1
"""

import hashlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "packaging" / "release.json"

# File, and its places: a pattern whose group is what stands there, and the name of the value.
PLACES = {
    "packaging/conda/recipe.yaml": [(r'^  version: "([^"]*)"$', "version"), (r"^  url: (.*)$", "archive"), (r'^  sha256: "([\w.]*)"$', "sha256"),
                                    (r"^  homepage: (.*)$", "home")],
    "packaging/vcpkg/vcpkg.json": [(r'"version": "([^"]*)"', "version"), (r'"homepage": "([^"]*)"', "home")],
    "packaging/vcpkg/portfile.cmake": [(r'URLS "([^"]*)"', "archive"), (r'FILENAME "abut-([^"]*)\.tar\.gz"', "version"), (r"SHA512 ([\w.]*)\)", "sha512")],
    "packaging/conan/conandata.yml": [(r'^  "([^"]*)":$', "version"), (r'url: "([^"]*)"', "archive"), (r'sha256: "([\w.]*)"', "sha256")],
    "packaging/conan/conanfile.py": [(r"--version ([\d.]+)", "version"), (r'homepage = "([^"]*)"', "home")],
    "packaging/homebrew/abut.rb": [(r'^  homepage "([^"]*)"$', "home"), (r'^  url "([^"]*)"$', "archive"), (r'^  sha256 "([\w.]*)"$', "sha256")],
    "CITATION.cff": [(r"^version: (.*)$", "version"), (r"^url: (.*)$", "home")],
    "python/src/abut/_version.py": [(r'VERSION = "([^"]*)"', "version")],
}  # fmt: skip


def values():
    header = (ROOT / "include" / "abut" / "base.h").read_text(encoding="utf-8")
    version = ".".join(re.search(rf"^#define ABUT_VERSION_{part} +(\d+)$", header, re.MULTILINE).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
    release = json.loads(RELEASE.read_text(encoding="utf-8"))
    return {**release, "version": version, "archive": release["archive"].format(version=version)}


def set_places(text, places, wanted):
    """The text with the wanted values, and a line about each place that had another one."""
    differences = []
    for pattern, name in places:
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if len(found) != 1:
            raise SystemExit(f"recipes: {pattern} stands {len(found)} times in a recipe, not once")
        for match in reversed(found):
            if match.group(1) != wanted[name]:
                differences.append(f"{name} is {match.group(1)}, not {wanted[name]}")
            text = text[: match.start(1)] + wanted[name] + text[match.end(1) :]
    return text, differences


def take_archive(path):
    release = json.loads(RELEASE.read_text(encoding="utf-8"))
    data = Path(path).read_bytes()
    release |= {"sha256": hashlib.sha256(data).hexdigest(), "sha512": hashlib.sha512(data).hexdigest()}
    RELEASE.write_text(json.dumps(release, indent=4) + "\n", encoding="utf-8")


def main(words):
    if words and words[0] == "--archive":
        take_archive(words[1])
    wanted, wrong = values(), False
    for name, places in PLACES.items():
        path = ROOT / name
        text, differences = set_places(path.read_text(encoding="utf-8"), places, wanted)
        if words == ["--check"]:
            for one in differences:
                print(f"{name}: {one}")
            wrong |= bool(differences)
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

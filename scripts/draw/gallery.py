"""Runs the programs of python/examples/gallery, and makes of them the page docs/use/python-gallery.md with its pictures in docs/gallery:
the first comment of each program, its picture and what it prints.

    python3 scripts/draw/gallery.py [NAME...]      all programs, or some: the page keeps the others
    python3 scripts/draw/gallery.py --check        runs none; the page must be that of the programs as they are

The interpreter needs abut, matplotlib and mujoco (abut[gallery,mujoco,scene]); ABUT_COMMAND names the command.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "python" / "examples" / "gallery"
PICTURES = ROOT / "docs" / "gallery"
PAGE = ROOT / "docs" / "use" / "python-gallery.md"
TITLES = {"grasp": "A grasp", "restitution": "A calibration", "gear": "A distance field", "hopper": "A sweep", "robots": "Two robots",
          "patch": "Growth distance and patch", "soft": "Deformable depth", "hulls": "Meshes and their hulls"}  # fmt: skip
INTRODUCTION = """# A gallery of the Python package

Programs of at most 60 lines, with the pictures that they draw and the lines that they print. Each takes the name of its picture. `scripts/draw/gallery.py` runs
them and writes this page; `EXTRAS=scene,jax,mujoco,gallery make python` runs them and checks their types.
"""


def printed(text):
    """The lines that a program printed, as they stand on the page now."""
    found = re.search(rf"## {re.escape(text)}\n.*?```text\n(.*?)```", PAGE.read_text(encoding="utf-8") if PAGE.exists() else "", re.DOTALL)
    return found.group(1) if found else ""


def page(chosen):
    """The text of the page. Only the chosen programs are run."""
    sections = [INTRODUCTION]
    for name, title in TITLES.items():
        program = PROGRAMS / f"{name}.py"
        output = printed(title)
        if name in chosen:
            PICTURES.mkdir(exist_ok=True)
            output = subprocess.run([sys.executable, program, PICTURES / f"{name}.png"], check=True, stdout=subprocess.PIPE, text=True).stdout
        about = " ".join(ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))).split())
        sections.append(f"## {title}\n\n{about}\n\nThe program: [{name}.py](../../python/examples/gallery/{name}.py)\n\n"
                        f"![{title}](../gallery/{name}.png)\n\n```text\n{output}```\n")
    return "\n".join(sections)


if sys.argv[1:] == ["--check"]:
    if page([]) != PAGE.read_text(encoding="utf-8"):
        sys.exit(f"{PAGE} is not made of the programs as they are: run scripts/draw/gallery.py")
else:
    PAGE.write_text(page(sys.argv[1:] or list(TITLES)), encoding="utf-8")

"""Writes docs/use/python-reference.md, the reference of the Python package, from the signatures and texts of its modules and of the stub of its extension.

    python scripts/make/python_reference.py [--check] [--stub build/python/build/_core.pyi]

Nothing is imported, so no extra is needed; the stub comes from `make python`, which also checks the page.
"""

import argparse
import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "src" / "abut"
PAGE = ROOT / "docs" / "use" / "python-reference.md"
WIDTH = 158

# Modules in the order of the page.
MODULES = {"shapes": "Shapes", "_core": "Handles", "pairs": "Pairs", "_records": "Records", "worlds": "Worlds", "scenes": "Scenes", "runs": "Runs and recordings",
           "urdf": "URDF", "mujoco": "MuJoCo", "usd": "USD", "depths": "Tetrahedra and complementarity", "_errors": "Errors", "jax": "abut.jax", "torch": "abut.torch"}

# What the extension module alone defines.
HANDLES = {"Shape", "Shapes", "Cache"}


def public(tree):
    """Names that `abut` exports."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    raise SystemExit("abut/__init__.py has no __all__")


def text_of(node):
    return inspect.cleandoc(ast.get_docstring(node, clean=False) or "")


def quoted(text):
    """Double backquotes are single ones in Markdown."""
    return re.sub(r"``(.+?)``", r"`\1`", text)


def paragraphs(text):
    parts = [quoted(" ".join(part.split())) for part in text.split("\n\n")]
    return "\n\n".join(textwrap.fill(part, WIDTH, break_long_words=False, break_on_hyphens=False) for part in parts if part)


def signature(node, name):
    """The call as code, without self; at most WIDTH columns."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(: [^,]+)?(, /)?(, )?", "", arguments)
    result = "" if node.returns is None or name == "__init__" else f" -> {ast.unparse(node.returns)}"
    return textwrap.fill(f"{name}({arguments}){result}", WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def without_types(tree):
    """Takes the types of arguments out of a stub, whose words depend on what made it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None


def column(node):
    """The text of a field of records, `name = Column[...]("text")`."""
    value = getattr(node, "value", None)
    if isinstance(node, ast.Assign) and isinstance(value, ast.Call) and isinstance(value.func, ast.Subscript) and getattr(value.func.value, "id", "") == "Column":
        return node.targets[0].id, ast.literal_eval(value.args[0])
    return None


def assigned(owner):
    """Names in a body whose text is a string below them, as attributes and members of enumerations have it."""
    for node, after in zip(owner.body, owner.body[1:]):
        told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if told and target is not None:
            yield ast.unparse(target).removeprefix("self."), inspect.cleandoc(after.value.value)


def members(node):
    """(name, code, text) of what a class has."""
    for one in node.body:
        if column(one):
            name, text = column(one)
            yield name, name, text
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            words = [ast.unparse(decorator) for decorator in one.decorator_list]
            code = one.name if "property" in words else signature(one, one.name)
            if text_of(one) and not any(word.endswith(".setter") for word in words):
                yield one.name, code, text_of(one)
        elif isinstance(one, ast.FunctionDef) and one.name == "__init__":
            yield from ((name, name, text) for name, text in assigned(one))
    yield from ((name, name, text) for name, text in assigned(node))


def entry(node):
    if isinstance(node, ast.FunctionDef):
        return f"### `{node.name}`\n\n```python\n{signature(node, node.name)}\n```\n\n{paragraphs(text_of(node))}\n"
    parts = [f"### `{node.name}`\n"]
    made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    bases = [ast.unparse(base) for base in node.bases if "Records" in ast.unparse(base) or "_Sides" in ast.unparse(base)]
    if made and not bases and made[0].args.args[1:] + made[0].args.kwonlyargs:
        parts.append(f"```python\n{signature(made[0], node.name)}\n```\n")
    parts.append(paragraphs(text_of(node)) + "\n" if text_of(node) else "")
    for _, code, text in members(node):
        line = f"* `{' '.join(code.split())}`: {quoted(' '.join(text.split()))}"
        parts.append(textwrap.fill(line, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
    return "\n".join(part for part in parts if part) + "\n"


def page(stub):
    names = public(ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")))
    parts = ["# Python: reference\n", "Written by `scripts/make/python_reference.py` from the signatures and texts of the package; do not edit.\n"
             "[python.md](python.md) is the guide.\n"]  # fmt: skip
    told = set()
    for module, title in MODULES.items():
        tree = ast.parse((stub if module == "_core" else PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
        extra = module in ("jax", "torch")
        if module == "_core":
            without_types(tree)
        nodes = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
                 and (extra or node.name in (HANDLES if module == "_core" else names - told)) and text_of(node)]  # fmt: skip
        told |= set() if extra else {node.name for node in nodes}
        parts += [f"## {title}\n", *(entry(node) for node in nodes)]
    left = sorted(names - told - {"__version__", "EVENTS", "ALL_BODIES"})
    if left:
        raise SystemExit(f"no text for: {', '.join(left)}")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="tell whether the page is up to date; write nothing")
    parser.add_argument("--stub", type=Path, default=ROOT / "build" / "python" / "build" / "_core.pyi")
    given = parser.parse_args()
    text = page(given.stub)
    if not given.check:
        PAGE.write_text(text, encoding="utf-8")
    elif text != PAGE.read_text(encoding="utf-8"):
        sys.exit("docs/use/python-reference.md is out of date: run scripts/make/python_reference.py")


if __name__ == "__main__":
    main()

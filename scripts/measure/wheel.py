"""Wheels from modules that were compiled for several systems, and what such a module is.

    wheel.py pack PACKAGE MODULE STUB TAG FOLDER    a wheel of the package's folder, the module and its stub, for a platform; prints a line on it
    wheel.py repack WHEEL                           the same files in a smaller wheel

Both need zopflipy, which finds shorter deflate streams than zlib; every unzip reads them. `pack` also needs lief, which reads the formats of Linux, macOS and
Windows. scripts/dev/wheels.sh calls `pack`, and scripts/dev/python.sh `repack`.
"""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

import zopfli


def describe(module):
    """Format, processor, libraries and exported functions of a module, in words."""
    import lief

    binary = lief.parse(str(module))
    kind = {lief.Binary.FORMATS.ELF: "ELF", lief.Binary.FORMATS.PE: "PE", lief.Binary.FORMATS.MACHO: "Mach-O"}[binary.format]
    processor = binary.header.machine_type if kind == "ELF" else binary.header.machine if kind == "PE" else binary.header.cpu_type
    exports = sorted({function.name for function in binary.exported_functions})
    entry = [name for name in exports if name.lstrip("_") == "PyInit__core"]
    if not entry:
        raise SystemExit(f"{module}: the function PyInit__core is not exported, but {exports[:10]}")
    libraries = [str(getattr(library, "name", library)) for library in binary.libraries]
    versions = sorted({tuple(map(int, found.split(b"."))) for found in re.findall(rb"GLIBC_(\d+\.\d+(?:\.\d+)?)", module.read_bytes())})
    newest = f", newest glibc symbol {'.'.join(map(str, versions[-1]))}" if versions else ""
    return f"{kind} {str(processor).split('.')[-1]}, {len(exports)} exported, needs {', '.join(libraries)}{newest}"


def metadata(package):
    """The metadata file of the package, from its pyproject.toml."""
    import tomllib

    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    version = re.search(r'VERSION = "([^"]+)"', (package / "src" / "abut" / "_version.py").read_text()).group(1)
    lines = ["Metadata-Version: 2.3", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}",
             f"License-Expression: {project['license']}", "Requires-Python: >=3.12"]
    lines += [f"Requires-Dist: {one}" for one in project["dependencies"]]
    for extra, wanted in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {one}; extra == "{extra}"' for one in wanted]
    return version, "\n".join([*lines, "Description-Content-Type: text/markdown", "", (package / "README.md").read_text()])


def pack(package, module, stub, tag, folder):
    version, text = metadata(package)
    info = f"abut-{version}.dist-info"
    files = {f"abut/{path.name}": path.read_bytes() for path in sorted((package / "src" / "abut").iterdir()) if path.suffix in (".py", ".typed")}
    files[f"abut/{module.name}"] = module.read_bytes()
    files["abut/_core.pyi"] = stub.read_bytes()
    files[f"{info}/METADATA"] = text.encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: scripts/measure/wheel.py\nRoot-Is-Purelib: false\nTag: cp312-abi3-{tag}\n".encode()
    files[f"{info}/licenses/LICENSE"] = (package.parent / "LICENSE").read_bytes()
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() for name, data in files.items()}
    record = "".join(f"{name},sha256={hashes[name]},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = folder / f"abut-{version}-cp312-abi3-{tag}.whl"
    entries = []
    for name, data in files.items():
        entry = zopfli.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        entries.append((entry, data))
    write(wheel, entries)
    print(f"{wheel.name}: {wheel.stat().st_size} bytes, {describe(module)}")


def write(wheel, entries):
    with zopfli.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in entries:
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def repack(wheel):
    with zipfile.ZipFile(wheel) as archive:
        entries = [(entry, archive.read(entry)) for entry in archive.infolist()]
    smaller = wheel.with_name(wheel.name + ".part")
    write(smaller, entries)
    smaller.replace(wheel)


def main(words):
    if len(words) == 2 and words[0] == "repack":
        repack(Path(words[1]))
    elif len(words) == 6 and words[0] == "pack":
        pack(Path(words[1]), Path(words[2]), Path(words[3]), words[4], Path(words[5]))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

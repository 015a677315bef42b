"""What programs for Windows are, and that they need nothing that Windows does not have: windows.py PROGRAM...

Prints a line on each. The exit status is 1 if one is not for x86-64, or needs a library that is neither part of Windows 10 nor beside it. Needs lief;
scripts/dev/windows.sh calls it."""

import sys
from pathlib import Path

import lief

PARTS_OF_WINDOWS = ("kernel32.dll", "advapi32.dll", "ntdll.dll", "ucrtbase.dll", "user32.dll", "ws2_32.dll")


def is_there(name, folder):
    return name.lower() in PARTS_OF_WINDOWS or name.lower().startswith("api-ms-win-crt-") or (folder / name).exists()


def describe(path):
    """(a line on the program, its faults)"""
    binary = lief.parse(str(path))
    if not isinstance(binary, lief.PE.Binary):
        return f"{path.name}: not a program for Windows", ["format"]
    machine = str(binary.header.machine).split(".")[-1]
    libraries = [entry.name for entry in binary.imports]
    missing = [name for name in libraries if not is_there(name, path.parent)]
    runtime = sum(name.startswith("api-ms-win-crt-") for name in libraries)
    named = [name for name in libraries if not name.startswith("api-ms-win-crt-")] + [f"the C runtime ({runtime} parts)"] * (runtime > 0)
    faults = [f"is for {machine}"] * (machine != "AMD64") + [f"{name} is not part of Windows" for name in missing]
    names = ", names in UTF-8" if binary.has_resources and "UTF-8</activeCodePage>" in (binary.resources_manager.manifest or "") else ""
    return f"{path.name}: PE {machine}, {path.stat().st_size} bytes, needs {', '.join(named)}{names}", faults


def main(paths):
    failed = not paths
    for path in map(Path, paths):
        line, faults = describe(path)
        print("; ".join([line, *faults]))
        failed = failed or bool(faults)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])

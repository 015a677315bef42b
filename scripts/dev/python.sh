#!/usr/bin/env bash
# Builds the Python package and tests it as its users get it: a wheel, installed into a fresh virtual environment, used outside the source tree.
# Usage: scripts/dev/python.sh [FOLDER]      FOLDER (build/python) receives the build, the wheel and the environment.
# Packages come from PyPI, by name. PYTHON=python3.12 takes another interpreter. EXTRAS=scene,jax,torch,urdf,mujoco,usd,gallery,dask,ray installs all extras,
# and tests them, too; PyTorch alone is gigabytes.
# ABUT_COMMAND names the command that runs scenes; without it, that of build/release, if there is one.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/python}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

python=${PYTHON:-/usr/bin/python3}
[ -x "$(command -v "$python")" ] || python=python3

pip() { "$1/bin/python" -m pip --disable-pip-version-check --quiet "${@:2}"; }

# ---- the wheel
if ! [ -x "$folder/tools/bin/python" ]; then
    "$python" -m venv "$folder/tools"
fi
pip "$folder/tools" install "scikit-build-core>=0.11" "nanobind>=2.7" "zopflipy>=1.8"
rm -rf "$folder/wheel"
# The build folder is kept: a second build compiles only what has changed. A copy of the package's own folder would lack the library beside it.
pip "$folder/tools" wheel "$root/python" --no-deps --no-build-isolation --wheel-dir "$folder/wheel" --config-settings "build-dir=$folder/build"
wheel=$(ls "$folder"/wheel/abut-*.whl)
"$folder/tools/bin/python" "$root/scripts/measure/wheel.py" repack "$wheel"
echo "wheel: $wheel, $(stat -c %s "$wheel") bytes"

"$folder/tools/bin/python" "$root/scripts/make/python_reference.py" --check --stub "$folder/build/_core.pyi"

if [ -z "${ABUT_COMMAND:-}" ] && [ -x "$root/build/release/abut" ]; then
    ABUT_COMMAND=$root/build/release/abut
fi
export ABUT_COMMAND=${ABUT_COMMAND:-}

# ---- a fresh environment, outside the tree
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$python" -m venv "$fresh/environment"
pip "$fresh/environment" install "$wheel[${EXTRAS:-scene,jax}]" pytest mypy
cp -r "$root/python/tests" "$root/python/examples" "$root/python/pyproject.toml" "$fresh"
cd "$fresh"
# JAX and PyTorch have threads that do not survive a fork, so they are not in the process whose tests fork. Status 5: neither is installed.
"$fresh/environment/bin/python" -m pytest -p no:cacheprovider --ignore tests/test_jax.py --ignore tests/test_torch.py
"$fresh/environment/bin/python" -m pytest -p no:cacheprovider tests/test_jax.py tests/test_torch.py || [ $? -eq 5 ]
"$fresh/environment/bin/python" -m mypy --strict examples
if "$fresh/environment/bin/python" -c 'import importlib.util as u, sys; sys.exit(not (u.find_spec("matplotlib") and u.find_spec("mujoco")))'; then
    gallery=(examples/gallery/*.py)
fi
for example in examples/*.py ${gallery[@]+"${gallery[@]}"}; do
    echo "== $example"
    MPLBACKEND=Agg "$fresh/environment/bin/python" "$example"
done

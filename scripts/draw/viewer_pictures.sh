#!/usr/bin/env bash
# Makes the pictures of the web pages in docs/pictures: scripts/draw/viewer_pictures.sh [NAME...]; without a name, all of them. It needs the pages and the command
# (`make viewer`) and Chromium, which `make test` installs. Look at the pictures before you commit them. ABUT_PAGES and ABUT_TEST_COMMAND name other pages and
# another command.
set -euo pipefail
cd "$(dirname "$0")/../.."

pages=${ABUT_PAGES:-build/release/viewer}
command=${ABUT_TEST_COMMAND:-build/release/abut}
for needed in "$pages/sandbox.html" "$command" viewer/node_modules/.bin/vite-node; do
    [ -e "$needed" ] || { echo "viewer_pictures.sh: $needed is missing: make viewer" >&2; exit 1; }
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ABUT_PAGES=$(realpath "$pages") ABUT_TEST_COMMAND=$(realpath "$command") ABUT_TEST_SOURCE_DIR=$PWD
export ABUT_TEST_SCRATCH_DIR=$scratch ABUT_SCREENSHOTS=$scratch

cd viewer
node_modules/.bin/vite-node --config vitest.config.ts pictures.ts -- ../docs/pictures "$@"

#!/bin/sh
# Builds the sample into a temporary folder and opens every file of the build with readers that are not ours.
# Python and its packages are wanted, never needed: what cannot be had is named in the table as not run.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  echo "not run: no $python"
  exit 0
fi
if "$python" -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet --disable-pip-version-check \
  -r "$root/test/interop/requirements.txt"; then
  python="$work/venv/bin/python"
else
  echo "no packages from the registry: only readers that $python has already are run" >&2
fi

cattle="$root/node_modules/.bin/node $root/bin/cattle.js"
$cattle sample --to "$work/sample" >/dev/null
$cattle build --raw "$work/sample" --out "$work/data" >/dev/null
"$python" "$root/test/interop/open_build.py" "$work/data/current"

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
  -r "$root/test/interop/requirements.txt" -r "$root/test/interop/requirements-notebooks.txt"; then
  python="$work/venv/bin/python"
else
  echo "no packages from the registry: only readers that $python has already are run" >&2
fi

cattle="$root/node_modules/.bin/node $root/bin/cattle.js"
$cattle sample --to "$work/sample" >/dev/null
$cattle build --raw "$work/sample" --out "$work/data" >/dev/null
status=0
"$python" "$root/test/interop/open_build.py" "$work/data/current" || status=1
"$python" "$root/test/interop/notebooks.py" "$work/data" || status=1

# The exports, by readers of maps, R among them where it is installed (Debian: r-base-core, r-cran-sf).
mkdir "$work/exports"
for options in "fgb --layer parcels" "fgb --layer boundaries" gpkg; do
  (cd "$work/exports" && $cattle export --state TX --out "$work/data" --format $options >/dev/null)
done
"$python" "$root/test/interop/open_exports.py" "$work/exports" || status=1

# Sedona in an environment of its own: it follows Spark by some versions.
sedona=org.apache.sedona:sedona-spark-shaded-4.0_2.13:1.8.0
if "$python" -m venv "$work/sedona" && "$work/sedona/bin/pip" install --quiet --disable-pip-version-check \
  -r "$root/test/interop/requirements-sedona.txt" && mvn -q dependency:get -Dtransitive=false "-Dartifact=$sedona" &&
  mvn -q dependency:copy "-Dartifact=$sedona" "-DoutputDirectory=$work/jars" >/dev/null; then
  "$work/sedona/bin/python" "$root/test/interop/open_sedona.py" "$work/data/current" "$(echo "$work"/jars/*.jar)" 2>"$work/sedona.log" ||
    { echo "geometry folders by Sedona               FAIL"; tail -5 "$work/sedona.log"; status=1; }
else
  echo "geometry folders by Sedona               not run  its packages or Maven are not to be had"
fi

# The same build by parts on a Spark cluster of this machine, one executor of which is killed; and the manifests for Kubernetes.
"$python" "$root/test/interop/spark_build.py" "$cattle" "$work/sample" "$work/data/current" "$work/spark" || status=1
if "$python" -c "import kubernetes_validate" 2>/dev/null; then
  for file in "$root"/deploy/kubernetes/*.yaml; do
    "$(dirname "$python")/kubernetes-validate" --strict "$file" || status=1
  done
else
  echo "deploy/kubernetes: not run: no kubernetes-validate"
fi

# The reference page in a headless browser and clients of generators, over a server of the same build.
export CATTLE_DATA="$work/data" CATTLE_FILES=1 CATTLE_LOG_LEVEL=error CATTLE_METRICS_PORT=0 CATTLE_CADASTRE=0
export CATTLE_RATE_PER_MINUTE=1000000 CATTLE_OWNER_SEARCH_PER_DAY=1000000
key=$($cattle keys create --label interop)
port=${INTEROP_PORT:-18917}
CATTLE_TRUST_PROXY=127.0.0.1 $cattle serve --port "$port" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  "$root/node_modules/.bin/node" -e "fetch('http://127.0.0.1:$port/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))" && break
  sleep 1
done
"$root/node_modules/.bin/node" "$root/test/interop/mcp-calls.ts" "$work/data" "$python" || status=1
"$python" "$root/test/interop/open_files_http.py" "http://127.0.0.1:$port" "$key" "$work/data/current" || status=1
# One column of a table of more than 24 MiB, in a retained build.
"$root/node_modules/.bin/node" "$root/test/interop/files-by-hyparquet.ts" "http://127.0.0.1:$port" "$key" "$work/data" || status=1
"$python" "$root/test/interop/open_files_http.py" "http://127.0.0.1:$port" "$key" "$work/data/builds/20200101-0a0b0c" \
  tables/price_history.parquet week || status=1
"$root/node_modules/.bin/node" "$root/test/interop/docs-page.ts" "http://127.0.0.1:$port" "$key" \
  "${SCREENSHOTS:-$work/screenshots}" || status=1
# The proxy of deploy/ before that server: the nginx that is installed, and one that is built of a crate's sources.
"$root/node_modules/.bin/node" "$root/test/interop/proxy.ts" "http://127.0.0.1:$port" "$key" "$work/proxy" || status=1
mkdir "$work/clients"
"$root/node_modules/.bin/node" "$root/test/interop/clients/run-clients.ts" "http://127.0.0.1:$port" "$key" \
  "$work/clients" "${INTEROP_REQUESTS:-20000}" || status=1
exit $status

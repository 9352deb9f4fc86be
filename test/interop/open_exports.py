"""Opens what `cattle export` wrote with readers that are not ours, and prints a line for each.

Usage: open_exports.py DIR, with parcels-XX.fgb, boundaries-XX.fgb and parcels-XX.gpkg. Exit code 1 when a reader fails.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from outcomes import passes

R_SCRIPT = """
suppressMessages(library(sf))
for (file in commandArgs(TRUE)) {
  rows <- st_read(file, quiet = TRUE)
  stopifnot(nrow(rows) > 0, !any(st_is_empty(rows)), st_crs(rows)$epsg == 4326)
  cat(basename(file), nrow(rows), "rows; ")
}
"""


def by_geopandas(files):
    """Each file whole, and by a box that holds the first geometry: the index gives fewer rows, the first among them."""
    import geopandas

    told = []
    for file in files:
        frame = geopandas.read_file(file, layer=file.name.split("-")[0])
        first = frame.iloc[0]
        near = geopandas.read_file(file, layer=file.name.split("-")[0], bbox=first.geometry.bounds)
        if not 0 < len(near) < len(frame) or first.parcel_uid not in set(near.parcel_uid):
            raise AssertionError(f"{file.name}: bbox gave {len(near)} of {len(frame)} rows")
        told.append(f"{file.name} {len(near)} of {len(frame)} by bbox")
    return ", ".join(told)


def by_ogrinfo(files):
    if shutil.which("ogrinfo") is None:
        raise ImportError("not installed")
    for file in files:
        done = subprocess.run(["ogrinfo", "-so", "-al", file], capture_output=True, text=True, check=True)
        if "Feature Count: 0" in done.stdout or done.stderr:
            raise AssertionError(f"{file.name}: {done.stderr}")
    return f"{len(files)} files"


def by_r(files):
    if shutil.which("Rscript") is None or not has_sf():
        raise ImportError("not installed")
    done = subprocess.run(["Rscript", "-e", R_SCRIPT, *files], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-400:])
    return done.stdout.strip().rstrip(";")


def has_sf():
    asked = subprocess.run(["Rscript", "-e", "library(sf)"], capture_output=True, check=False)
    return asked.returncode == 0


def main(folder):
    files = sorted([*folder.glob("*.fgb"), *folder.glob("*.gpkg")])
    readers = {"geopandas (pyogrio)": by_geopandas, "GDAL (ogrinfo)": by_ogrinfo, "R (sf)": by_r}
    passed = [passes(f"exports by {name}", lambda: read(files)) for name, read in readers.items()]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

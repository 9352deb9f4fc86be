"""Opens what `cattle export` wrote with readers that are not ours, and prints a line for each.

Usage: open_exports.py DIR, with parcels-XX.fgb, boundaries-XX.fgb and parcels-XX.gpkg. Exit code 1 when a reader fails.
"""

import shutil
import subprocess
import sys
from pathlib import Path

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
    for file in files:
        done = subprocess.run(["ogrinfo", "-so", "-al", file], capture_output=True, text=True, check=True)
        if "Feature Count: 0" in done.stdout or done.stderr:
            raise AssertionError(f"{file.name}: {done.stderr}")
    return f"{len(files)} files"


def by_r(files):
    done = subprocess.run(["Rscript", "-e", R_SCRIPT, *files], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-400:])
    return done.stdout.strip().rstrip(";")


def has_sf():
    asked = subprocess.run(["Rscript", "-e", "library(sf)"], capture_output=True, check=False)
    return asked.returncode == 0


def main(folder):
    files = sorted([*folder.glob("*.fgb"), *folder.glob("*.gpkg")])
    readers = {
        "geopandas (pyogrio)": (True, by_geopandas),
        "GDAL (ogrinfo)": (shutil.which("ogrinfo") is not None, by_ogrinfo),
        "R (sf)": (shutil.which("Rscript") is not None and has_sf(), by_r),
    }
    failed = False
    for name, (is_there, read) in readers.items():
        outcome, detail = "not run", "not installed"
        if is_there:
            try:
                outcome, detail = "ok", read(files)
            except Exception as error:  # A reader may fail in its own ways; each is a finding.
                outcome, detail, failed = "FAIL", f"{type(error).__name__}: {error}", True
        print(f"{'exports by ' + name:<40} {outcome}  {detail}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

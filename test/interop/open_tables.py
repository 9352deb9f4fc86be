"""Opens each table of a build by the name of its folder or file, with one reader after another, and validates its descriptors.

Used by open_build.py: `rows(build, manifest, reader, check, left)` adds a line for each reader and table.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path


def tables_of(manifest):
    """Rows of each table by its folder or file below `tables/`, as the manifest says."""
    rows = defaultdict(int)
    files = [*manifest["files"]]
    for part in [manifest["market"], *manifest["states"].values()]:
        files.extend(part["files"] if part else [])
    for file in files:
        if file["path"].startswith("tables/"):
            place = file["path"].split("/")
            partitioned = any("=" in piece for piece in place)
            rows["/".join(place[1:2] if partitioned else place[1:])] += file["rows"]
    return dict(sorted(rows.items()))


def same(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r}, expected {expected!r}")


def folders(tables):
    return {name: count for name, count in tables.items() if not name.endswith(".parquet")}


def states_of_parcels(build, opened):
    """Each state's file of parcels alone, copied elsewhere, and all of them by the name of their folder: `opened` gives the states of a path."""
    folder = build / "tables" / "parcels"
    files = sorted(folder.rglob("*.parquet"))
    for file in files:
        with tempfile.TemporaryDirectory() as elsewhere:
            same(set(opened(shutil.copy(file, elsewhere))), {file.parent.name.split("=")[1]}, f"states of {file}")
    same(set(opened(folder)), {file.parent.name.split("=")[1] for file in files}, "states of the folder")
    return f"{len(files)} files alone and their folder"


def by_pandas(pd, build, tables):
    for name, count in tables.items():
        same(len(pd.read_parquet(build / "tables" / name)), count, name)
    return f"{len(tables)} tables, {len(folders(tables))} of them folders"


def by_pyarrow(build, tables):
    from pyarrow import dataset
    from pyarrow import parquet

    for name, count in tables.items():
        same(parquet.read_table(build / "tables" / name).num_rows, count, name)
    partitions = dataset.HivePartitioning.discover(infer_dictionary=True)
    texas = dataset.dataset(build / "tables" / "parcels", partitioning=partitions)
    pruned = list(texas.get_fragments(filter=dataset.field("state") == "TX"))
    same(len(pruned), 1, "files of Texas")
    return f"{len(tables)} tables; state = 'TX' reads 1 file"


def by_polars(pl, build, tables):
    for name, count in tables.items():
        same(pl.scan_parquet(build / "tables" / name).select(pl.len()).collect().item(), count, name)
        pl.read_parquet(build / "tables" / name)
    return f"{len(tables)} tables"


def by_duckdb(duckdb, build, tables):
    with duckdb.connect() as db:
        for name, count in tables.items():
            place = build / "tables" / name
            pattern = str(place) if place.is_file() else f"{place}/**/*.parquet"
            same(db.execute("SELECT count(*), count(COLUMNS(*)) FROM read_parquet(?)", [pattern]).fetchone()[0], count, name)
    return f"{len(tables)} tables"


def by_geopandas(gpd, build):
    """Both folders with geometry, whole and by a box: the box gives the rows whose boxes meet it, and no other."""
    told = []
    for name in ("parcels", "boundaries"):
        frame = gpd.read_parquet(build / "tables" / name)
        first = frame.geometry.dropna().iloc[0].bounds
        near = gpd.read_parquet(build / "tables" / name, bbox=first)
        if not 0 < len(near) < len(frame):
            raise AssertionError(f"{name}: bbox gave {len(near)} of {len(frame)} rows")
        told.append(f"{name} {len(near)} of {len(frame)} by bbox")
    barns = gpd.read_parquet(build / "tables" / "barns.parquet")
    placed = barns[barns.lon.notna()]
    if len(placed) == 0 or not ((placed.geometry.x == placed.lon) & (placed.geometry.y == placed.lat)).all():
        raise AssertionError("barns: points that are not lon, lat")
    told.append(f"barns {len(placed)} points")
    return ", ".join(told)


def parquet_ogrinfo():
    """The ogrinfo that OGRINFO names or that is installed, with the version of its GDAL; None without a Parquet driver."""
    program = os.environ.get("OGRINFO") or shutil.which("ogrinfo")
    if program is None:
        return None
    told = subprocess.run([program, "--formats"], capture_output=True, text=True, check=True).stdout
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return (program, version.split(",")[0]) if "Parquet -vector-" in told else None


def features(program, *given):
    """The summary that ogrinfo prints; what it warns of is a fault."""
    done = subprocess.run([program, "-so", "-al", *map(str, given)], capture_output=True, text=True, check=True)
    same(done.stderr, "", f"warnings for {given[-1]}")
    return done.stdout


def count_of(told):
    return int(re.search(r"Feature Count: (\d+)", told)[1])


def by_gdal(program, build, tables):
    """Every table by its name, and the parcels and outlines of a box."""
    for name, count in tables.items():
        same(count_of(features(program, build / "tables" / name)), count, name)
    for name in ("parcels", "boundaries"):
        told = features(program, build / "tables" / name)
        west, south, east, north = map(float, re.search(r"Extent: \((.+), (.+)\) - \((.+), (.+)\)", told).groups())
        box = map(str, (west, south, (west + east) / 2, north))
        found = count_of(features(program, "-spat", *box, build / "tables" / name))
        if not 0 < found < tables[name]:
            raise AssertionError(f"{name}: the western half gave {found} of {tables[name]} rows")
    return f"{len(tables)} tables; the western half of parcels and boundaries by its box"


def by_spark(build, tables):
    """Every folder by Spark in local mode; a filter on the state reads the files of that state alone."""
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.memory", "1g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        for name, count in tables.items():
            same(spark.read.parquet(str(build / "tables" / name)).count(), count, name)
        texas = spark.read.parquet(str(build / "tables" / "parcels")).where("state = 'TX'")
        files = {row[0] for row in texas.selectExpr("input_file_name()").distinct().collect()}
        same(len(files), 1, "files of Texas")
    finally:
        spark.stop()
    return f"{len(tables)} folders; state = 'TX' reads 1 file"


def footers(build, tables):
    """The footer of every Parquet file names its table, licence, day and a sentence for each of its columns."""
    from pyarrow import parquet

    files = sorted((build / "tables").rglob("*.parquet"))
    for file in files:
        schema = parquet.read_schema(file)
        said = {name.decode(): value.decode() for name, value in (schema.metadata or {}).items()}
        for name in ("table", "title", "part", "inputs_sha256", "as_of_date", "sample", "licence"):
            if not said.get(name):
                raise AssertionError(f"{file}: no {name}")
        sentences = json.loads(said["columns"])
        same(list(sentences), schema.names, f"{file}: columns with a sentence")
        same([name for name, text in sentences.items() if not text], [], f"{file}: empty sentences")
    return f"{len(files)} files"


def by_frictionless(frictionless, build):
    """Every resource of datapackage.json: bytes, hash, types, enumerations, keys, references."""
    package = json.loads((build / "datapackage.json").read_text())
    for resource in package["resources"]:
        same((build / resource["path"]).stat().st_size, resource["byteSize"], f"{resource['name']}: bytes")
    report = frictionless.validate(str(build / "datapackage.json"))
    findings = Counter((task.name, error.type, getattr(error, "field_name", None)) for task in report.tasks for error in task.errors)
    findings.update((error.type, error.message) for error in report.errors)
    if findings:
        raise AssertionError("; ".join(f"{finding} x {count}" for finding, count in list(findings.items())[:12]))
    return f"{len(report.tasks)} resources without a finding"


def by_command(command, build, *arguments):
    """A validator that is a command beside this Python; what it prints is shown where it fails."""
    place = Path(sys.executable).with_name(command)
    program = str(place) if place.exists() else shutil.which(command)
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    printed = done.stdout + done.stderr
    if done.returncode != 0 or " FAIL " in printed or "Error" in printed:
        raise AssertionError(printed.strip()[-600:])
    return printed


def geoparquet_validator(build):
    tables = build / "tables"
    files = [tables / "barns.parquet", *(tables / "parcels").rglob("*.parquet"), *(tables / "boundaries").rglob("*.parquet")]
    passed = sum(by_command("geoparquet-validator", build, "check", file).count("PASS") for file in files)
    return f"{len(files)} files, {passed} tests passed"


def croissant(build):
    by_command("mlcroissant", build, "validate", "--jsonld", build / "croissant.json")
    return "croissant.json without a finding"


def rows(build, manifest, reader, check, left):
    """Adds a row for each reader and kind of table; `left` adds that of a reader which is not run, with the reason."""
    tables = tables_of(manifest)
    pa, pd, pl, gpd, duckdb = (reader(name) for name in ("pyarrow", "pandas", "polars", "geopandas", "duckdb"))
    if pa:
        check("tables by name", f"pyarrow {pa.__version__}", lambda: by_pyarrow(build, tables))
        check("footers", f"pyarrow {pa.__version__}", lambda: footers(build, tables))
    if pd and pa:
        check("tables by name", f"pandas {pd.__version__}", lambda: by_pandas(pd, build, tables))
    if pl:
        check("tables by name", f"polars {pl.__version__}", lambda: by_polars(pl, build, tables))
    if duckdb:
        check("tables by name", f"duckdb {duckdb.__version__}", lambda: by_duckdb(duckdb, build, tables))
    states = {
        pa: lambda path: pa.parquet.read_table(path)["state"].to_pylist(),
        pd: lambda path: pd.read_parquet(path)["state"],
        pl: lambda path: pl.read_parquet(path)["state"].cast(pl.String),
        duckdb: lambda path: [row[0] for row in duckdb.sql(f"SELECT DISTINCT state FROM '{path}{'/**/*.parquet' if Path(path).is_dir() else ''}'").fetchall()],
        gpd: lambda path: gpd.read_parquet(path)["state"],
    }
    for library, opened in states.items():
        if library:
            check("state of parcels", f"{library.__name__} {library.__version__}", lambda opened=opened: states_of_parcels(build, opened))
    if gpd:
        check("geometry folders", f"geopandas {gpd.__version__}", lambda: by_geopandas(gpd, build))
    gdal = parquet_ogrinfo()
    if gdal:
        check("tables by name", gdal[1], lambda: by_gdal(gdal[0], build, tables))
    else:
        left("tables by name", "GDAL (ogrinfo)", "no ogrinfo with a Parquet driver; OGRINFO names one")
    spark = reader("pyspark")
    if spark and shutil.which("java"):
        check("table folders", f"spark {spark.__version__}", lambda: by_spark(build, folders(tables)))
    if reader("geoparquet_validator"):
        check("GeoParquet", "geoparquet-validator", lambda: geoparquet_validator(build))
    frictionless = reader("frictionless")
    if frictionless:
        check("datapackage.json", f"frictionless {frictionless.__version__}", lambda: by_frictionless(frictionless, build))
    if reader("mlcroissant"):
        check("croissant.json", "mlcroissant", lambda: croissant(build))

"""Opens every table of a build with readers that are not ours, and prints what each of them found.

Usage: open_build.py BUILD. Exit code 1 when a check fails; a reader that is not installed is named as not run.
"""

import importlib
import json
import struct
import sys
from pathlib import Path

import open_tables

LEFT = "not run"
checks = []  # (what, reader, outcome, detail)


def reader(name):
    """The module, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        checks.append(("all files", name, LEFT, str(error)))
        return None


def left(what, name, reason):
    """Names a reader that is not run."""
    checks.append((what, name, LEFT, reason))


def check(what, name, body):
    """Runs a check; what it returns is shown, what it raises makes it fail."""
    try:
        checks.append((what, name, "ok", body()))
    except Exception as error:  # A reader may fail in its own ways; each is a finding.
        checks.append((what, name, "FAIL", f"{type(error).__name__}: {error}"))


def same(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r}, expected {expected!r}")


def open_parquet(pa, build, expected):
    """Every Parquet file by pyarrow: all row groups are read, the rows are those of the manifest."""
    rows = 0
    for path, count in expected.items():
        table = pa.parquet.ParquetFile(build / path).read()
        table.validate(full=True)
        same(table.num_rows, count, path)
        rows += table.num_rows
    return f"{len(expected)} files, {rows:,} rows"


def open_arrow(pa, build, expected):
    """Every Arrow IPC file by pyarrow, memory-mapped and checked in full."""
    rows = 0
    for path, count in expected.items():
        with pa.memory_map(str(build / path)) as source:
            table = pa.ipc.open_file(source).read_all()
            table.validate(full=True)
            same(table.num_rows, count, path)
            rows += table.num_rows
    return f"{len(expected)} files, {rows:,} rows"


def open_pandas(pd, build, expected):
    rows = 0
    for path, count in expected.items():
        frame = pd.read_parquet(build / path, partitioning=None)
        same(len(frame), count, path)
        rows += len(frame)
    return f"{len(expected)} files, {rows:,} rows"


def open_duckdb(duckdb, build, expected):
    rows = 0
    with duckdb.connect() as db:
        for path, count in expected.items():
            query = "SELECT count(*) FROM (SELECT DISTINCT * FROM (SELECT file_row_number, * EXCLUDE (file_row_number) FROM read_parquet(?, hive_partitioning = false, file_row_number = true)))"
            found = db.execute(query, [str(build / path)]).fetchone()[0]
            same(found, count, path)
            rows += found
    return f"{len(expected)} files, {rows:,} rows"


def plain(value, kind):
    """A value of the Parquet file as the Arrow file has it: lists as lines, money as float."""
    if value is None:
        return None
    if isinstance(value, list):
        return "\n".join(value)
    return float(value) if "decimal" in kind or "float" in kind or "double" in kind else value


def table_of(build, name, state):
    """The file of a state in a table for analysts."""
    return build / "tables" / name / f"state={state}" / f"{name}.parquet"


def same_rows(pa, build, state):
    """Row i of parcels.parquet is row i of columns.arrow, in every column that both have, and records.arrow has as many."""
    parquet = pa.parquet.read_table(table_of(build, "parcels", state), partitioning=None)
    folder = build / "serving" / "parcels" / state
    with pa.memory_map(str(folder / "records.arrow")) as source:
        same(pa.ipc.open_file(source).read_all().num_rows, parquet.num_rows, "rows of records.arrow")
    with pa.memory_map(str(folder / "columns.arrow")) as source:
        arrow = pa.ipc.open_file(source).read_all()
    shared = [name for name in parquet.column_names if name in arrow.column_names]
    for name in shared:
        kind = str(parquet.schema.field(name).type)
        ours = [plain(value, kind) for value in parquet[name].to_pylist()]
        theirs = [plain(value, kind) for value in arrow[name].to_pylist()]
        for row, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            if left != right and not (kind == "bool" and bool(left) == bool(right)):
                raise AssertionError(f"row {row}, {name}: {left!r} and {right!r}")
    return f"{parquet.num_rows:,} rows, {len(shared)} columns"


def flatbush_boxes(pa, build, state):
    """Item i of parcels.flatbush has the box of row i (layout: github.com/mourner/flatbush, version 3)."""
    data = (build / "serving" / "parcels" / state / "parcels.flatbush").read_bytes()
    magic, version, node_size, items = struct.unpack_from("<BBHI", data)
    same((magic, version >> 4, version & 15), (0xFB, 3, 8), "magic, version, type of coordinates")
    nodes, level = items, items
    while level != 1:
        level = -(-level // node_size)
        nodes += level
    wide = "H" if nodes < 16384 else "I"
    indices = struct.unpack_from(f"<{items}{wide}", data, 8 + nodes * 32)
    table = pa.parquet.read_table(table_of(build, "parcels", state), columns=["xmin", "ymin", "xmax", "ymax"], partitioning=None)
    rows = list(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
    for place, row in enumerate(indices):
        same(struct.unpack_from("<4d", data, 8 + place * 32), rows[row], f"box of item {row}")
    same(sorted(indices), list(range(items)), "items")
    same(any(row[0] is not None for row in rows[items:]), False, "a point behind the last item")
    return f"{items:,} boxes"


def geo_of(pa, path):
    return json.loads(pa.parquet.read_schema(path).metadata[b"geo"])


def geo_points(pa, gpd, build, state):
    """GeoParquet 1.1 of the parcels: metadata, system, extent, and the point equal to lon and lat."""
    path = table_of(build, "parcels", state)
    geo = geo_of(pa, path)
    column = geo["columns"][geo["primary_column"]]
    same((geo["version"], column["encoding"], column["geometry_types"]), ("1.1.0", "WKB", ["Point"]), "geo")
    frame = gpd.read_parquet(path)
    same(frame.crs.to_string(), "OGC:CRS84", "crs")
    located = frame[frame.geometry.notna()]
    if located.empty:
        same("bbox" in column, False, "a bbox of no points")
        return f"no points in {len(frame):,} rows"
    same(list(located.total_bounds), column["bbox"], "bbox")
    same((located.geometry.x == located.lon).all() and (located.geometry.y == located.lat).all(), True, "point = lon, lat")
    return f"{len(located):,} points of {len(frame):,} rows in {[round(edge, 4) for edge in column['bbox']]}"


def geo_outlines(pa, gpd, build, state):
    """GeoParquet 1.1 of the boundaries: valid polygons within their covering, found by it, and the same in the Arrow file."""
    path = table_of(build, "boundaries", state)
    column = geo_of(pa, path)["columns"]["geometry"]
    same(column["covering"]["bbox"]["xmin"], ["bbox", "xmin"], "covering")
    frame = gpd.read_parquet(path)
    same(int((~frame.geometry.is_valid).sum()), 0, "outlines that are not valid")
    bounds = frame.geometry.bounds
    boxes = pa.parquet.read_table(path, columns=["bbox"])["bbox"].combine_chunks()
    for edge, (low, sign) in {"xmin": ("minx", 1), "ymin": ("miny", 1), "xmax": ("maxx", -1), "ymax": ("maxy", -1)}.items():
        inside = sign * (bounds[low] - boxes.field(edge).to_pandas()) >= 0
        same(inside.all(), True, f"outlines within bbox.{edge}")
    middle = bounds.iloc[0]
    near = gpd.read_parquet(path, bbox=(middle.minx, middle.miny, middle.maxx, middle.maxy))
    same(frame["row"].iloc[0] in set(near["row"]), True, "found by the covering")
    with pa.memory_map(str(build / "serving" / "parcels" / state / "boundaries.arrow")) as source:
        arrow = pa.ipc.open_file(source).read_all()
    same(arrow["row"].to_pylist(), list(frame["row"]), "rows of boundaries.arrow")
    parcels = pa.parquet.read_table(table_of(build, "parcels", state), columns=["parcel_uid"], partitioning=None)["parcel_uid"].to_pylist()
    same(list(frame["parcel_uid"]), [parcels[row] for row in frame["row"]], "parcels of the outlines")
    same(arrow["wkb"].to_pylist(), list(frame.geometry.to_wkb()), "outlines of boundaries.arrow")
    return f"{len(frame):,} outlines, {len(near)} by the covering of the first"


def spatial(duckdb, build, state):
    """DuckDB with its spatial extension, where it can be had: it is not downloaded here."""
    with duckdb.connect() as db:
        try:
            db.execute("LOAD spatial")
        except duckdb.Error as error:
            left(state, "duckdb spatial", type(error).__name__ + ": the extension is not there")
            return
        query = "SELECT count(*), count(*) FILTER (ST_X(geometry) = lon AND ST_Y(geometry) = lat) FROM read_parquet(?) WHERE lon IS NOT NULL"
        check(state, "duckdb spatial", lambda: "points %d, equal %d" % db.execute(query, [str(table_of(build, "parcels", state))]).fetchone())


def main(build):
    manifest = json.loads((build / "manifest.json").read_text())
    parts = [manifest["market"], *manifest["states"].values()]
    rows = {file["path"]: file["rows"] for part in parts for file in part["files"] if file["rows"] is not None}
    parquet = {path: count for path, count in rows.items() if path.endswith(".parquet")}
    arrow = {path: count for path, count in rows.items() if path.endswith(".arrow")}
    pa, pd, gpd, duckdb = (reader(name) for name in ("pyarrow", "pandas", "geopandas", "duckdb"))
    if pa:
        importlib.import_module("pyarrow.parquet")
        importlib.import_module("pyarrow.ipc")
        check("Parquet", f"pyarrow {pa.__version__}", lambda: open_parquet(pa, build, parquet))
        check("Arrow IPC", f"pyarrow {pa.__version__}", lambda: open_arrow(pa, build, arrow))
    if pd and pa:
        check("Parquet", f"pandas {pd.__version__}", lambda: open_pandas(pd, build, parquet))
    if duckdb:
        check("Parquet", f"duckdb {duckdb.__version__}", lambda: open_duckdb(duckdb, build, parquet))
    for state in sorted(manifest["states"]):
        if pa:
            check(f"{state} row i", "pyarrow", lambda: same_rows(pa, build, state))
            if (build / "serving" / "parcels" / state / "parcels.flatbush").exists():
                check(f"{state} flatbush", "struct", lambda: flatbush_boxes(pa, build, state))
        if pa and gpd:
            check(f"{state} points", f"geopandas {gpd.__version__}", lambda: geo_points(pa, gpd, build, state))
            if table_of(build, "boundaries", state).exists():
                check(f"{state} outlines", f"geopandas {gpd.__version__}", lambda: geo_outlines(pa, gpd, build, state))
        if duckdb:
            spatial(duckdb, build, state)
    open_tables.rows(build, manifest, reader, check, left)
    widths = [max(len(row[i]) for row in checks) for i in range(3)]
    for what, name, outcome, detail in checks:
        print(f"{what:<{widths[0]}}  {name:<{widths[1]}}  {outcome:<{widths[2]}}  {detail}")
    return 1 if any(outcome == "FAIL" for _, _, outcome, _ in checks) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

"""Opens both folders with geometry in Apache Sedona on Spark in local mode, and asks for the outlines that meet a box.

Usage: open_sedona.py BUILD JAR, the jar being sedona-spark-shaded of the version of the Python package. Exit code 1 when a check fails.
"""

import sys
from pathlib import Path

import geopandas
from sedona.spark import SedonaContext


def main(build, jar):
    builder = SedonaContext.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
    session = SedonaContext.create(builder.config("spark.jars", jar).getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    told = []
    try:
        for table in ("parcels", "boundaries"):
            folder = build / "tables" / table
            expected = geopandas.read_parquet(folder)
            expected = expected[expected["state"] == "TX"]
            box = expected.geometry.iloc[0].bounds
            session.read.format("geoparquet").load(str(folder)).createOrReplaceTempView(table)
            envelope = ", ".join(f"CAST({edge!r} AS DOUBLE)" for edge in box)
            asked = f"SELECT count(*) FROM {table} WHERE state = 'TX' AND ST_Intersects(geometry, ST_PolygonFromEnvelope({envelope}))"
            found = session.sql(asked).collect()[0][0]
            near = int(expected.intersects(expected.geometry.iloc[0].envelope).sum())
            if found != near or found == 0:
                raise AssertionError(f"{table}: {found} rows meet the box, geopandas says {near}")
            told.append(f"{table} {found} of {len(expected)} in a box")
    finally:
        session.stop()
    print(f"{'geometry folders by Sedona':<40} ok  {', '.join(told)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2])

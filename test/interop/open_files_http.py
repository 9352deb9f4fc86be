"""Reads one column of a published table over HTTP with each reader that can be had, by ranges, and compares it with the file on disk.

Arguments: the address of a running server with CATTLE_FILES=1, a key with the scope `files`, the folder of the build that it serves, and, for another
table than that of county prices, its path and one of its columns.
Prints for each reader the bytes that went over the wire beside the size of the file; a relay on loopback counts them.
"""
import http.client
import http.server
import os
import sys
import threading
import urllib.parse

from outcomes import passes

address, key, build = sys.argv[1:4]
server = urllib.parse.urlsplit(address).netloc
table, column = sys.argv[4:6] or ("tables/county_prices.parquet", "price_avg")
sent = {"bytes": 0, "ranges": 0}


class Relay(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        upstream = http.client.HTTPConnection(server)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        upstream.request(self.command, self.path, headers={**headers, "X-API-Key": key})
        reply = upstream.getresponse()
        body = reply.read()
        self.send_response(reply.status)
        for name, value in reply.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "keep-alive"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        sent["bytes"] += len(body)
        sent["ranges"] += reply.status == 206

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


relay = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
threading.Thread(target=relay.serve_forever, daemon=True).start()
# A build is asked for by its id, or as current.
url = f"http://127.0.0.1:{relay.server_port}/files/{os.path.basename(build)}/{table}"
local = os.path.join(build, table)


def arrow():
    import fsspec
    import pyarrow.parquet

    with fsspec.open(url, block_size=2**16) as file:
        return pyarrow.parquet.read_table(file, columns=[column])[column].to_pylist()


def polars():
    import polars

    return polars.scan_parquet(url).select(column).collect()[column].to_list()


def pandas():
    import fsspec
    import pandas

    with fsspec.open(url, block_size=2**16) as file:
        frame = pandas.read_parquet(file, columns=[column], dtype_backend="pyarrow")
    return [None if value is pandas.NA else value for value in frame[column]]


def geopandas():
    import fsspec
    import geopandas

    place = "tables/barns.parquet"
    sent.update(bytes=0, ranges=0)
    with fsspec.open(url.replace(table, place)) as file:
        barns = geopandas.read_parquet(file)
    size = os.path.getsize(os.path.join(build, place))
    return f"{len(barns)} barns in {barns.crs.to_string()}; {sent['bytes']:,} of {size:,} bytes in {sent['ranges']} ranges"


def duckdb():
    import duckdb

    database = duckdb.connect()
    try:
        database.sql("INSTALL httpfs; LOAD httpfs")
    except duckdb.Error as error:
        raise ImportError("its httpfs extension is not to be had") from error
    return [row[0] for row in database.sql(f"SELECT {column} FROM '{url}'").fetchall()]


def compared(read):
    def told():
        import pyarrow.parquet

        sent.update(bytes=0, ranges=0)
        rows = read()
        expected = pyarrow.parquet.read_table(local, columns=[column])[column].to_pylist()
        if rows != expected:
            raise ValueError(f"{len(rows)} rows differ from the {len(expected)} of the file")
        return f"{len(rows)} rows equal; {sent['bytes']:,} of {os.path.getsize(local):,} bytes in {sent['ranges']} ranges"

    return told


readers = {"pyarrow with fsspec": arrow, "polars": polars, "pandas with fsspec": pandas, "DuckDB httpfs": duckdb}
outcomes = [passes(f"/files/ by {name}", compared(read)) for name, read in readers.items()]
outcomes.append(passes("/files/ by geopandas with fsspec", geopandas))
sys.exit(0 if all(outcomes) else 1)

"""Builds the parts that are due on a Spark cluster, one task to a part, then assembles and publishes them.

    spark-submit deploy/spark/build_parts.py --raw /shared/raw --data /shared/data --parts /shared/parts --as-of 2026-11-21

Every machine sees the three folders under the same names and has the program; --cattle is the command that starts it there. A
part appears in the shared folder whole, by one rename, so that a task may die, run again, or run twice at a time. Exit code: that
of `cattle assemble`, 0 where nothing is due.
"""

import argparse
import json
import os
import shlex
import socket
import subprocess
import sys
import time

from pyspark.sql import SparkSession

MARKET = "MARKET"


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cattle", default="cattle", help="command that starts the program on every machine")
    parser.add_argument("--raw", required=True, help="shared folder of raw files")
    parser.add_argument("--data", required=True, help="data folder with the published builds, shared for reading")
    parser.add_argument("--parts", required=True, help="shared folder for the parts")
    parser.add_argument("--as-of", required=True, help="day from which every age counts, YYYY-MM-DD")
    args = parser.parse_args()
    for name in ("raw", "data", "parts"):
        setattr(args, name, os.path.abspath(getattr(args, name)))
    return args


def build_words(args):
    """The words of a build of these inputs, to which a part's own are added."""
    return [*shlex.split(args.cattle), "build", "--raw", args.raw, "--out", args.data, "--as-of", args.as_of]


def parts_due(args):
    """The id of the build to be made, and the parts that must be built for it, the largest first."""
    asked = subprocess.run([*build_words(args), "--dry-run", "--json"], check=True, stdout=subprocess.PIPE)
    plan = json.loads(asked.stdout)
    due = [part for part in plan["parts"] if part["action"] == "build"]
    due.sort(key=lambda part: (-part["bytes"], part["part"]))
    return plan["build_id"], [part["part"] for part in due]


def part_builder(words, folder):
    """The function that builds one part on an executor. It raises what the program printed, and Spark tries again."""

    def build_part(name):
        started = time.monotonic()
        which = ["--market"] if name == MARKET else ["--state", name]
        made = subprocess.run(
            [*words, *which, "--part", os.path.join(folder, name)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        # 3: a file of the part could not be read, which the assembled build says again.
        if made.returncode not in (0, 3):
            raise RuntimeError(f"{name}: exit code {made.returncode}: {made.stderr[-2000:]}")
        return name, round(time.monotonic() - started, 1), socket.gethostname()

    return build_part


def main():
    args = options()
    build_id, names = parts_due(args)
    if not names:
        print(f"{build_id}: no part is due")
        return 0
    folder = os.path.join(args.parts, build_id)
    os.makedirs(folder, exist_ok=True)
    spark = SparkSession.builder.appName(f"cattle {build_id}").getOrCreate()
    try:
        tasks = spark.sparkContext.parallelize(names, len(names))
        for name, seconds, host in tasks.map(part_builder(build_words(args), folder)).collect():
            print(f"{name}  {seconds} s  {host}")
    finally:
        spark.stop()
    parts = [os.path.join(folder, name) for name in names]
    return subprocess.run([*shlex.split(args.cattle), "assemble", *parts, "--out", args.data]).returncode


if __name__ == "__main__":
    sys.exit(main())

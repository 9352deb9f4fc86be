"""Runs the notebooks of docs/cookbook on a data folder, and prints a line for each.

Usage: notebooks.py DATA. The Jupyter notebook is run whole by nbclient; of the Quarto page the Python cells are run here and the
Observable cells by notebook-plots.ts, with the rows that Python handed over. Exit code 1 when a cell fails.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from outcomes import passes

root = Path(__file__).resolve().parents[2]
notebooks = root / "docs" / "cookbook" / "notebooks"


def run_jupyter(path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pictures = sum("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)
    return f"{len(cells)} cells, {pictures} plots"


def run_quarto(path):
    import yaml

    _, header, body = path.read_text().split("---\n", 2)
    if "title" not in yaml.safe_load(header):
        raise AssertionError("no title")
    handed = {}
    python = re.findall(r"^```\{python\}\n(.*?)^```$", body, re.M | re.S)
    scope = {"ojs_define": lambda **values: handed.update(values)}
    for cell in python:
        exec(compile(cell, str(path), "exec"), scope)
    plots = re.findall(r"^```\{ojs\}\n(.*?)^```$", body, re.M | re.S)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as given:
        json.dump({"values": handed, "cells": plots}, given)
        given.flush()
        node = root / "node_modules" / ".bin" / "node"
        done = subprocess.run([node, root / "test/interop/notebook-plots.ts", given.name], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr.strip()[-600:])
    return f"{len(python)} Python cells, {done.stdout.strip()}"


def main(data):
    os.environ["CATTLE_DATA"] = str(data)
    # Jupyter's own message about a future default of its paths.
    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    both = ((notebooks / "prices.ipynb", run_jupyter), (notebooks / "prices.qmd", run_quarto))
    passed = [passes(f"notebook {path.name}", lambda: run(path)) for path, run in both]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

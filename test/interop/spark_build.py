"""Runs deploy/spark/build_parts.py on a local cluster of two executors, kills one of them in the middle, and compares the build with
one that was made whole.

Usage: spark_build.py CATTLE RAW WHOLE WORK, where CATTLE starts the program, WHOLE is a published build of RAW, and WORK is a
folder that is absent or empty. Exit code 1 when the job fails or a byte differs.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

JOB = Path(__file__).resolve().parents[2] / "deploy" / "spark" / "build_parts.py"
LONGEST_S = 600


def children():
    """The processes by parent, with their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        found.setdefault(parent, []).append((int(folder.name), words))
    return found


def below(pid, table):
    for child, words in table.get(pid, []):
        yield child, words
        yield from below(child, table)


def busy_executor(job):
    """An executor of this job that is building a part now; None while there is none."""
    table = children()
    for pid, words in below(job, table):
        if "CoarseGrainedExecutorBackend" in words and any("--part" in under for _, under in below(pid, table)):
            return pid
    return None


def digests(build):
    """The digest of every file; of the manifest without the time of the build."""
    found = {}
    for path in sorted(build.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            if path.name == "manifest.json":
                content = json.dumps({**json.loads(content), "built_at": None}).encode()
            found[str(path.relative_to(build))] = hashlib.sha256(content).hexdigest()
    return found


def main():
    cattle, raw, whole, work = sys.argv[1:]
    raw, work, whole = os.path.abspath(raw), Path(work).resolve(), Path(whole).resolve()
    try:
        import pyspark
    except ImportError as error:
        print(f"deploy/spark: not run: {error}")
        return 0
    if shutil.which("java") is None:
        print("deploy/spark: not run: no java")
        return 0
    work.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    as_of = json.loads((whole / "manifest.json").read_text())["as_of_date"]
    words = [sys.executable, str(JOB), "--cattle", cattle, "--raw", raw, "--data", str(work / "data")]
    words += ["--parts", str(work / "parts"), "--as-of", as_of]
    environment["PYSPARK_SUBMIT_ARGS"] = "--master local-cluster[2,1,1024] pyspark-shell"
    with open(work / "job.log", "wb") as log:
        job = subprocess.Popen(words, stdout=log, stderr=log, env=environment, cwd=work)
        killed, ends = None, time.monotonic() + LONGEST_S
        while job.poll() is None and time.monotonic() < ends:
            if killed is None and (killed := busy_executor(job.pid)) is not None:
                os.kill(killed, signal.SIGKILL)
            time.sleep(0.05)
        if job.poll() is None:
            job.kill()
    text = (work / "job.log").read_text(errors="replace")
    if job.returncode != 0 or killed is None:
        print(text[-4000:])
        print(f"Spark: exit code {job.returncode}, executor killed: {killed}")
        return 1
    lost = sum("Lost executor" in line for line in text.splitlines())
    made, expected = digests((work / "data" / "current").resolve()), digests(whole)
    other = sorted(path for path in made.keys() | expected.keys() if made.get(path) != expected.get(path))
    verdict = "the same bytes as a build made whole" if not other else f"other bytes: {other}"
    print(f"deploy/spark on {pyspark.__version__}, local-cluster[2,1,1024]: executor {killed} killed, {lost} lost, {len(made)} files, {verdict}")
    return 1 if other or lost == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

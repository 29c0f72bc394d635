#!/usr/bin/python3
"""Checks many documents on a Dask cluster: dask_check.py SCHEDULER PARTS OUTPUT 'PATTERN' [flags of eolgate check]

Each part is a task, which a worker runs as a process: eolgate check --shard I/PARTS. Workers need eolgate (or EOLGATE,
a command with its arguments), the documents under the same names, and the folder OUTPUT. When a worker ends, Dask gives
its parts to another one, which repeats them as a whole. The results are OUTPUT/fleet-DAY.part-I.ndjson, as tables.sql
expects them; DAY is today in UTC, or FLEET_DAY. The exit code is 1 if a part is missing, whatever the verdicts are.
"""
import datetime
import os
import shlex
import subprocess
import sys
import uuid

from distributed import Client, as_completed

# Verdicts, and documents that cannot be read, which the results name. Other exit codes are failures of the part.
RESULTS = {0, 1, 3, 6}


def check_part(number, parts, output, day, arguments):
    """Runs on a worker. The file gets its name when it is complete, because a part may run twice."""
    target = os.path.join(output, f"fleet-{day}.part-{number}.ndjson")
    unfinished = f"{target}.{uuid.uuid4().hex}"
    own = ["--as-of", day, "--shard", f"{number}/{parts}", "--format", "ndjson", "-o", unfinished]
    command = [*shlex.split(os.environ.get("EOLGATE", "eolgate")), "check", *arguments, *own]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if result.returncode not in RESULTS or not os.path.exists(unfinished):
        raise RuntimeError(f"eolgate ended with {result.returncode}: {result.stderr.strip()[-500:]}")
    os.replace(unfinished, target)
    return result.returncode


def main(scheduler, parts, output, *arguments):
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    day = os.environ.get("FLEET_DAY", today)
    missing = 0
    with Client(scheduler) as client:
        submit = lambda part: client.submit(check_part, part, int(parts), os.path.abspath(output), day, arguments)
        tasks = {submit(part): part for part in range(1, int(parts) + 1)}
        # A result that is lost with its worker is no result: it is repeated until it is here.
        for task, result in as_completed(tasks, with_results=True, raise_errors=False):
            failed = not isinstance(result, int)
            missing += failed
            print(f"part {tasks[task]}: {result[1] if failed else f'exit code {result}'}", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    if len(sys.argv) < 5:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Solves maps and verifies the found runs on two workers of Ray.

    pip install ray
    python3 examples/solving/on_ray.py target/release/surefoot RUNS maps/first_steps.ron maps/highlands.ron ...

Prints one line of JSON for each map. Exit code 1 if a map is not solved or a run is not verified.
"""

import json
import pathlib
import subprocess
import sys

import ray


@ray.remote
def solve(tool, runs, level):
    """Returns the answer for a map, and the found run as a text."""
    run = pathlib.Path(runs, pathlib.Path(level).stem + ".replay.ron")
    call = [tool, "solve", "--json", "--threads", "1", "--inline", "-o", run, level]
    done = subprocess.run(call, stdout=subprocess.PIPE, text=True)
    answer = json.loads(done.stdout)
    answer.setdefault("run", None)
    return answer


@ray.remote
def verify(tool, answer):
    """Plays the found run again: that costs one run, wherever it was found."""
    verified = answer["run"] is not None and subprocess.run([tool, "replay", answer["run"]], stdout=subprocess.DEVNULL)
    return {**answer, "verified": bool(verified) and verified.returncode == 0}


def main():
    tool, runs, *levels = sys.argv[1:]
    tool, runs = pathlib.Path(tool).resolve(), pathlib.Path(runs).resolve()
    runs.mkdir(parents=True, exist_ok=True)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    answers = [verify.remote(tool, solve.remote(tool, runs, str(pathlib.Path(level).resolve()))) for level in levels]
    failed = False
    while answers:
        done, answers = ray.wait(answers)
        answer = ray.get(done[0])
        print(json.dumps(answer), flush=True)
        failed |= not answer["verified"]
    sys.exit(failed)


if __name__ == "__main__":
    main()

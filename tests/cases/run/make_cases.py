"""Makes progress.json out of progress logs. Usage: make_cases.py NAME=LOG[:SCORED,GENERATED]|NAME... >NEW

A name alone keeps that case of the present progress.json; what it does not have counts as not planned, 0.

SCORED and GENERATED are speeds that were known from earlier runs (docs/formats/speeds.md).

Record with one thread (`tare run --threads 1 --progress-log LOG ...`): then the processor time that is
taken here is the time of a quiet machine, whatever else runs on it.
"""

import json
import pathlib
import sys

FIELDS = ["scored_done", "scored_total", "prompts_done", "prompts_total", "answers_done", "answers_total", "generated",
          "growing", "places", "generated_most", "work_done", "work_total", "projection"]


def events(path):
    lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    counting = [line for line in lines if "requests_done" in line]
    start = counting[0]["processor_seconds"]
    return [[line["phase"], round(line["processor_seconds"] - start, 3)] + [round(line[field], 3) for field in FIELDS]
            for line in counting]


def kept(name):
    present = json.loads((pathlib.Path(__file__).parent / "progress.json").read_text())
    found, = (one for one in present["cases"] if one["name"] == name)
    return dict(found, events=[(event + [0] * len(FIELDS))[:2 + len(FIELDS)] for event in found["events"]])


def case(argument):
    if "=" not in argument:
        return kept(argument)
    name, path = argument.split("=", 1)
    path, _, known = path.partition(":")
    return {"name": name, "known": [float(speed) for speed in known.split(",") if speed], "events": events(path)}


def main(arguments):
    cases = [json.dumps(case(argument)) for argument in arguments]
    print('{"source": "tests/cases/run/make_cases.py: recorded runs of SmolLM2-135M and gemma-3-270m on one thread",')
    print(' "fields": ' + json.dumps(["phase", "seconds", *FIELDS]) + ",")
    print(' "cases": [\n  ' + ",\n  ".join(cases) + "\n ]}")


main(sys.argv[1:])

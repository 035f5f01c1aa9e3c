"""Reads the files of a tare run as a reader of lm-eval's files would, and compares their structure
with files that lm-eval wrote. Prints each difference; the exit code is 1 if there is one.

    python3 read_results.py TARE_RUN_FOLDER LM_EVAL_FOLDER
"""
import glob
import hashlib
import json
import os
import sys

# lm-eval leaves these out when there is no tokenizer or no torch.
OPTIONAL = {"max_length", "pretty_env_info"}
# Not of the result but of how the run went: tare has them in execution.json.
MOVED = {"date", "start_time", "end_time", "total_evaluation_time_seconds"}
# Has no meaning without lm-eval's Python libraries; null is a valid value of each.
NULL_FOR_TARE = {"transformers_version"}

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def load_run(folder):
    (results,) = glob.glob(os.path.join(glob.escape(folder), "results*.json"))
    with open(results, encoding="utf-8") as file:
        return json.load(file)


def load_samples(folder, task):
    (path,) = glob.glob(os.path.join(glob.escape(folder), f"samples_{task}*.jsonl"))
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def type_name(value):
    return "number" if type(value) in (int, float) else type(value).__name__


def check_keys(where, ours, theirs, extra=()):
    """Every key of lm-eval, in its order; beyond them only those in `extra`."""
    shared = [key for key in ours if key in theirs]
    expect(shared == list(theirs), f"{where}: keys {shared}, lm-eval has {list(theirs)}")
    unknown = [key for key in ours if key not in theirs and key not in extra]
    expect(not unknown, f"{where}: keys that lm-eval does not have: {unknown}")


def check_types(where, ours, theirs, nullable=()):
    for key in theirs:
        if key not in ours or (key in nullable and ours[key] is None):
            continue
        expect(type_name(ours[key]) == type_name(theirs[key]),
               f"{where}.{key}: {type_name(ours[key])}, lm-eval has {type_name(theirs[key])}")


def check_results(ours, theirs, task):
    theirs = {key: value for key, value in theirs.items() if key not in MOVED}
    check_keys("results.json", ours, theirs, OPTIONAL | {"tare"})
    check_types("results.json", ours, theirs, NULL_FOR_TARE)
    for part in ("results", "n-samples", "higher_is_better"):
        check_keys(f"{part}.{task}", ours[part][task], theirs[part][task])
        check_types(f"{part}.{task}", ours[part][task], theirs[part][task])
    check_keys("config", ours["config"], theirs["config"])
    check_types("config", {**ours["config"], "batch_size": 1}, theirs["config"], {"device"})
    expect(ours["config"]["batch_size"] == "auto", "config.batch_size: neither a number nor auto")
    for part in ("configs", "versions", "n-shot", "task_hashes"):
        check_types(f"{part}", {task: ours[part].get(task)}, {task: theirs[part][task]})


def check_execution(ours, theirs):
    moved = {key: value for key, value in theirs.items() if key in MOVED}
    expect(bool(moved), "lm-eval's results have no time")
    check_keys("execution.json", {key: ours[key] for key in moved if key in ours}, moved)
    check_types("execution.json", ours, moved)


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def check_hashes(where, line):
    """By Python's own json and str, not by tare's."""
    doc = json.dumps(line["doc"], indent=2, ensure_ascii=False)
    expect(line["doc_hash"] == sha256(doc), f"{where}: doc_hash")
    expect(line["prompt_hash"] == sha256(line["arguments"]["gen_args_0"]["arg_0"]), f"{where}: prompt_hash")
    expect(line["target_hash"] == sha256(line["target"]), f"{where}: target_hash")


def check_own_block(where, line):
    for texts, own in zip(line["resps"], line["tare"]["responses"], strict=True):
        (text, greedy), = texts
        expect(float(text) == own["log_likelihood"] and greedy == str(own["greedy"]),
               f"{where}: resps and tare.responses differ")


def check_samples(ours, theirs, results, task):
    expect(len(ours) == len(theirs), f"samples: {len(ours)} lines, lm-eval has {len(theirs)}")
    for place, (line, expected) in enumerate(zip(ours, theirs)):
        where = f"samples line {place}"
        check_keys(where, line, expected, {"tare"})
        check_types(where, line, expected)
        check_hashes(where, line)
        check_own_block(where, line)
        expect({k: v for k, v in line.items() if k != "tare"} == expected, f"{where}: values differ")
    joined = "".join(line["doc_hash"] + line["prompt_hash"] + line["target_hash"] for line in ours)
    expect(results["task_hashes"][task] == sha256(joined), "task_hashes: not the hash of the lines' hashes")


def main(ours, theirs):
    run, example = load_run(ours), load_run(theirs)
    tasks = list(run["results"])
    expect(tasks, "no task in results")
    for task in tasks:
        check_results(run, example, task)
        check_samples(load_samples(ours, task), load_samples(theirs, task), run, task)
    with open(os.path.join(ours, "execution.json"), encoding="utf-8") as file:
        check_execution(json.load(file), example)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

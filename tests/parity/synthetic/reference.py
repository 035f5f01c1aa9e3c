"""Runs lm-eval itself over the synthetic documents and records its hashes.

    python reference.py DATA OUT.jsonl [TASK...] [--jobs N] [--chunk N] [--errors] [--verify N]     (needs lm-eval 0.4.13)

For each task: builds the requests for the first documents as the evaluator does, once with the task's
own number of few-shot examples and once with two, and writes a line
{"task", "num_fewshot", "shots", "output_type", "filters", "task_hash", "docs": [[id, doc_hash,
prompt_hash, target_hash]...], "requests"} or {"task", "num_fewshot", "error", "stage"}. Tasks whose files
draw random numbers of their own are marked "random". Lines of tasks that are done and whose data has not
changed are kept, so the program can be stopped and started again. `--verify N` runs lm-eval's evaluator
with its dummy model on N tasks that are done and compares.
"""

import argparse
import functools
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

from scoring_stand_ins import stand_in

LIMIT = 4
SECONDS = 60  # for one task
OVERRIDE = 2
RANDOM_CODE = re.compile(r"\brandom\b|\bshuffle\(|\brng\b")


class Late(Exception):
    pass


def sha(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Loader:
    """Stands in for datasets.load_dataset: reads each distinct set of files once, into memory."""

    def __init__(self, load):
        self.load = load
        self.read = {}
        self.cards = {}

    def card(self, path):
        import yaml
        if path not in self.cards:
            text = Path(path, "README.md").read_text(encoding="utf-8")
            configs = yaml.load(text.split("\n---\n", 1)[0].removeprefix("---"), yaml.CSafeLoader)["configs"]
            self.cards[path] = {c["config_name"]: c["data_files"] for c in configs}
        return self.cards[path]

    def __call__(self, path, name=None, **arguments):
        import datasets
        arguments.pop("revision", None)
        if isinstance(arguments.get("data_files"), dict):  # what is on the hub is in the folder here
            arguments["data_files"] = {split: file.removeprefix("hf://datasets/") if isinstance(file, str) else file
                                       for split, file in arguments["data_files"].items()}
        if "column_names" in arguments and Path(path).is_dir():
            # With a folder as path, datasets 5.2 drops `header: null` and `column_names`, which the task relies on.
            arguments["data_files"] = {split: f"{path}/{file}" for split, file in arguments["data_files"].items()}
            path, name = "csv", None
        if arguments or not Path(path, "README.md").is_file():
            return self.load(path=path, name=name, **arguments)
        files = {f["split"]: f"{path}/{f['path']}" for f in self.card(path)[name or "default"]}
        key = json.dumps(files)
        if key not in self.read:
            self.read[key] = self.load("json", data_files=files, keep_in_memory=True)
        return datasets.DatasetDict(self.read[key])


def once(method):
    """A split that process_docs makes, made once a task where its code draws no random numbers."""

    def made(task):
        if RANDOM_CODE.search(source_of(task)):
            return method(task)
        kept = task.__dict__.setdefault("made_once", {})
        if method.__name__ not in kept:
            kept[method.__name__] = method(task)
        return kept[method.__name__]

    return made


def hasten():
    """Leaves out what costs time and changes nothing here: repeated work, and fingerprints for a disk cache."""
    import datasets
    import lm_eval.utils
    from lm_eval.api.task import ConfigurableTask
    for name in ("training_docs", "validation_docs", "test_docs"):
        setattr(ConfigurableTask, name, once(getattr(ConfigurableTask, name)))
    datasets.fingerprint.update_fingerprint = lambda *_: uuid.uuid4().hex[:16]
    lm_eval.utils.env.from_string = functools.lru_cache(maxsize=64)(lm_eval.utils.env.from_string)


def describe(error):
    text = f"{type(error).__name__}: {error}".replace("\n", " ")
    return text[:300]


def source_of(task):
    """The text of the file that process_docs comes from."""
    function = getattr(task.config, "process_docs", None)
    while hasattr(function, "func"):
        function = function.func
    return text_of(function)


@functools.lru_cache(maxsize=64)
def text_of(function):
    import inspect
    try:
        return Path(inspect.getfile(function)).read_text(encoding="utf-8") if function else ""
    except (TypeError, OSError):
        return ""


def data_of(task):
    """Which files the task reads: [path, name, mark of their contents]."""
    import datasets
    path, name = task.config.dataset_path, task.config.dataset_name or "default"
    files = getattr(datasets.load_dataset, "cards", {}).get(path, {}).get(name)
    return [path, name, files[0]["path"].split("/")[1] if files else ""]


def current(data, folder, cards):
    """Whether the files are still the ones that were read."""
    import yaml
    path, name, mark = data
    if path not in cards:
        readme = folder / str(path) / "README.md"
        text = readme.read_text(encoding="utf-8").split("\n---\n", 1)[0] if readme.is_file() else "---\nconfigs: []"
        configs = yaml.load(text.removeprefix("---"), yaml.CSafeLoader)["configs"]
        cards[path] = {c["config_name"]: c["data_files"][0]["path"].split("/")[1] for c in configs}
    return mark == "" or cards[path].get(name) == mark


def hashes_of(task, instances):
    """Document, prompt and target hashes, document by document, of the documents that requests hold."""
    from lm_eval.utils import handle_non_serializable
    first = {}
    for instance in instances:
        if instance.doc_id not in first or instance.idx < first[instance.doc_id].idx:
            first[instance.doc_id] = instance
    for number, instance in first.items():
        text = json.dumps(instance.doc, indent=2, default=handle_non_serializable, ensure_ascii=False)
        yield [number, sha(text), sha(instance.arguments[0]), sha(str(task.doc_to_target(instance.doc)))]


def build(task, num_fewshot):
    from lm_eval.evaluator_utils import get_sample_size
    if num_fewshot is not None:
        task.set_config(key="num_fewshot", value=num_fewshot)
    elif task.get_config("num_fewshot") is None:
        task.set_config(key="num_fewshot", value=0)
    task.set_fewshot_seed(seed=1234)
    task.build_all_requests(limit=get_sample_size(task, LIMIT))
    documents = list(hashes_of(task, task.instances))
    filters = len(task._filters)
    return {"shots": task.get_config("num_fewshot"), "output_type": task.OUTPUT_TYPE, "filters": filters,
            "requests": len(task.instances), "docs": documents,
            "task_hash": sha("".join(d + p + t for _, d, p, t in documents) * filters)}


def seed_all():
    import numpy
    random.seed(0)
    numpy.random.seed(1234)


def records(manager, name):
    """The lines for one task: its own number of examples, then two."""
    stage = "load"
    task, own = None, None
    data = ["", "", ""]
    for num_fewshot in (None, OVERRIDE):
        line = {"task": name, "num_fewshot": num_fewshot}
        try:
            if task is None:
                seed_all()
                (task,) = manager.load([name])["tasks"].values()
                own = task.get_config("num_fewshot")
                stage = "build"
            if num_fewshot is not None and own == 0:
                return
            line["data"] = data = data_of(task)
            line |= build(task, num_fewshot)
            if RANDOM_CODE.search(source_of(task)):
                line["random"] = True
        except (Exception, SystemExit) as error:  # whatever a task's code raises is a result
            line |= {"error": describe(error), "stage": stage, "data": data}
            if os.environ.get("SYNTHETIC_TRACE"):
                import traceback
                traceback.print_exc()
        yield line
        if stage == "load":
            return


def quiet():
    import logging
    import warnings
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)
    os.environ["TQDM_DISABLE"] = "1"


def work(names, out):
    quiet()
    stand_in()
    import datasets
    import lm_eval.api.task
    from lm_eval.tasks import TaskManager
    datasets.disable_progress_bars()
    datasets.load_dataset = lm_eval.api.task.datasets.load_dataset = Loader(datasets.load_dataset)
    hasten()
    manager = TaskManager()

    def late(*_):
        raise Late(f"took longer than {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    with open(out, "a", encoding="utf-8") as stream:
        for name in names:
            signal.alarm(SECONDS)
            try:
                lines = list(records(manager, name))
            except Late as error:
                lines = [{"task": name, "num_fewshot": None, "error": describe(error), "stage": "load", "data": ["", "", ""]}]
            signal.alarm(0)
            stream.write("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
            stream.flush()


def done(out):
    if not out.exists():
        return {}
    found = {}
    for text in open(out, encoding="utf-8"):
        line = json.loads(text)
        found.setdefault(line["task"], []).append(line)
    return found


def run(arguments, names):
    """Hands the names to fresh processes, some hundred at a time: tasks leave things in memory."""
    environment = dict(os.environ, HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false",
                       HF_HOME=str(arguments.out.resolve().parent / "hf-home"), OMP_NUM_THREADS="1")
    chunk = max(1, min(arguments.chunk, -(-len(names) // arguments.jobs)))
    waiting = [names[i:i + chunk] for i in range(0, len(names), chunk)]
    running = []
    while waiting or running:
        while waiting and len(running) < arguments.jobs:
            command = [sys.executable, os.path.abspath(__file__), ".", str(arguments.out.resolve()), "--worker"]
            process = subprocess.Popen(command, cwd=arguments.data, env=environment, stdin=subprocess.PIPE, text=True,
                                       stdout=sys.stderr)
            process.stdin.write("\n".join(waiting.pop(0)))
            process.stdin.close()
            running.append(process)
        time.sleep(0.2)
        running = [p for p in running if p.poll() is None]


def verify(arguments, names):
    """Compares the recorded hashes with those of the evaluator run with the dummy model."""
    quiet()
    os.chdir(arguments.data)
    import lm_eval
    from lm_eval.tasks import TaskManager
    recorded = done(arguments.out)
    good = [n for n in names if all("error" not in line and not line.get("random") for line in recorded.get(n, [{"error": 1}]))]
    chosen = random.Random(1).sample(sorted(good), min(arguments.verify, len(good)))
    manager, equal, failed = TaskManager(), 0, 0
    for name in chosen:
        for line in recorded[name]:
            try:
                results = lm_eval.simple_evaluate(model="dummy", tasks=[name], num_fewshot=line["num_fewshot"], limit=LIMIT,
                                                  bootstrap_iters=0, task_manager=manager, log_samples=True,
                                                  confirm_run_unsafe_code=True)
            except Exception as error:
                failed += 1
                print(f"{name}: the evaluator cannot score it: {describe(error)}")
                continue
            samples = results["samples"][name]
            found = sha("".join(s["doc_hash"] + s["prompt_hash"] + s["target_hash"] for s in samples))
            equal += found == line["task_hash"]
            if found != line["task_hash"]:
                print(f"{name} ({line['num_fewshot']}): differs from the evaluator")
    print(f"evaluator: {equal} equal, {failed} not scored of {sum(len(recorded[n]) for n in chosen)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--chunk", type=int, default=400, help="tasks a process; some tasks cannot share one")
    parser.add_argument("--verify", type=int, default=0)
    parser.add_argument("--errors", action="store_true", help="try again what failed")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return work(sys.stdin.read().split("\n"), arguments.out)
    names = arguments.tasks or [n for n in sys.stdin.read().split("\n") if n]
    arguments.out = arguments.out.resolve()
    if arguments.verify:
        return verify(arguments, names)
    recorded, cards, wanted = done(arguments.out), {}, set(names)
    good = {name: lines for name, lines in recorded.items()
            if all("data" in line and current(line["data"], arguments.data, cards) for line in lines)
            and not (arguments.errors and name in wanted and any("error" in line for line in lines))}
    if len(good) < len(recorded):
        arguments.out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for lines in good.values() for line in lines),
                                 encoding="utf-8")
    run(arguments, [n for n in names if n not in good])
    return None


if __name__ == "__main__":
    main()

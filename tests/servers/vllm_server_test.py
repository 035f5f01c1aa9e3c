"""The program against vLLM's own server, by exchanges that were recorded with it (vllm_exchanges.json): token ids,
texts and conversations. Usage: vllm_server_test.py TARE [--record]
With --record the server of the Python environment vllm is started on the demo model in F32 and recorded anew, with
the embedded backend's answers to the same questions beside it. Closes with "N passed, N failed"."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "http"), str(HERE.parent / "slow")]
from own_server import free_port, started  # noqa: E402
from recorded_server import RecordedServer, Recorder  # noqa: E402
from support import models, skip  # noqa: E402

EXCHANGES = HERE / "vllm_exchanges.json"
EMBEDDED = HERE / "vllm_embedded.json"
NAME = "smollm2"
QUESTIONS = [
    {"text": "The capital of France is", "choices": [" Paris", " a bicycle", " London, of course"]},
    {"text": "Wasser kocht bei", "choices": [" 100 °C", " Łódź", " 日本"]},
]
PROMPTS = ["Question: What is 7 times 8?\nAnswer:", "One, two, three,", "Die Hauptstadt von"]
CHOOSE = """task: chosen
dataset_path: json
dataset_kwargs: {data_files: {test: questions.jsonl}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{text}}"
doc_to_choice: "{{choices}}"
doc_to_target: 0
target_delimiter: ""
"""
WRITE = """task: written
dataset_path: json
dataset_kwargs: {data_files: {test: prompts.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{text}}"
doc_to_target: ""
generation_kwargs: {until: ["\\n"], max_gen_toks: 12, do_sample: false}
metric_list: [{metric: exact_match}]
"""
# Of each way: arguments of the model, tasks, options of the run.
WAYS = {
    "ids": ("", ("chosen", "written"), ()),
    "text": (",tokenized_requests=false", ("chosen", "written"), ()),
    "chat": (",endpoint=chat", ("written",), ("--apply-chat-template",)),
    "defaults": ("", ("written",), ("--generation-mode", "token256")),
}
NEAR = 1e-3  # nats


class Bench:
    def __init__(self, tare, folder):
        self.tare, self.folder = os.path.abspath(tare), Path(folder)
        for name, rows in (("questions", QUESTIONS), ("prompts", [{"text": text} for text in PROMPTS])):
            (self.folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (self.folder / "chosen.yaml").write_text(CHOOSE)
        (self.folder / "written.yaml").write_text(WRITE)

    def run(self, model, name, tasks, options=()):
        command = [self.tare, "run", "--model", model, "--tasks", ",".join(f"{task}.yaml" for task in tasks),
                   "--output", name, "--cache", "off", "--quiet", *options]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{command}: exit {done.returncode}\n{done.stderr}")
        return self.folder / name

    def way(self, url, way):
        arguments, tasks, options = WAYS[way]
        return self.run(f"openai:{url}/v1,num_concurrent=1{arguments}", way, tasks, options)


def responses(run, task):
    lines = (run / f"samples_{task}.jsonl").read_text().splitlines()
    return [sample["tare"]["responses"] for sample in map(json.loads, lines)]


def sums(run):
    return [[one.get("log_likelihood") for one in asked] for asked in responses(run, "chosen")]


def texts(run):
    return [asked[0].get("answer") for asked in responses(run, "written")]


def serving(python, folder):
    """vLLM's server on a model's folder."""
    port = free_port()
    # Not `vllm serve`: that looks for a package of the name vllm, and the build for CPUs has another.
    words = [python, "-m", "vllm.entrypoints.openai.api_server", "--model", folder, "--served-model-name", NAME,
             "--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--max-model-len", "2048", "--enforce-eager"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
    return started(words, port, pause=0.5, stdout=sys.stderr, stderr=sys.stderr, env=environment, start_new_session=True)


def record(tare, bench):
    found = json.loads(subprocess.run([tare, "doctor", "--json"], capture_output=True, text=True).stdout)
    environment = next(e for e in found["python_environments"] if e["name"] == "vllm")
    if not environment["ready"]:
        skip("the Python environment vllm (tare doctor --install vllm)")
    model = models().get("f32") or skip("the demo model in F32")
    embedded = bench.run(f"gguf:{model}", "embedded", ("chosen", "written"))
    sha256 = json.loads((embedded / "results.json").read_text())["tare"]["backend"]["weights_sha256"]
    weights = next(Path(environment["folder"]).parent.glob(f"python-weights/float32-{sha256}-?"), None)
    if weights is None:
        skip("the model's weights as a folder (they are made when vllm: or hf: is used)")
    with serving(Path(environment["folder"]) / "bin/python", weights) as url:
        recorder = Recorder(url)
        for way in WAYS:
            bench.way(recorder.url, way)
        recorder.close()
        recorder.write(EXCHANGES)
        EXCHANGES.write_text(EXCHANGES.read_text().replace(str(weights), NAME) + "\n")  # no folder of this machine
    EMBEDDED.write_text(json.dumps({"sums": sums(embedded), "texts": texts(embedded)}, ensure_ascii=False, indent=1) + "\n")


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, what, good, shown=""):
        print(f"{'ok  ' if good else 'FAIL'} {what}{': ' + str(shown) if shown != '' else ''}", flush=True)
        self.passed += good
        self.failed += not good


def near(ours, theirs):
    """Whether both have all numbers and they are near; None counts as far."""
    flat = [pair for one, other in zip(ours, theirs, strict=True) for pair in zip(one, other, strict=True)]
    return all(None not in pair and abs(pair[0] - pair[1]) < NEAR for pair in flat)


def check_replayed(check, bench):
    embedded = json.loads(EMBEDDED.read_text())
    server = RecordedServer(EXCHANGES)
    runs = {way: bench.way(server.url, way) for way in WAYS}
    check("nothing was asked that was not recorded", not server.unknown, server.unknown[:2])
    server.close()
    backends = {way: json.loads((run / "results.json").read_text())["tare"]["backend"] for way, run in runs.items()}
    check("the server says what it is", backends["ids"]["version"].startswith("vLLM 0."), backends["ids"]["version"])
    check("its tokenizer is found", backends["ids"]["settings"]["tokens"] == "ids of the server")
    check("scoring is found", backends["ids"]["settings"]["scoring"] != "none", backends["ids"]["settings"]["scoring"])
    for way in ("ids", "text"):
        found = sums(runs[way])
        check(f"{way}: log-likelihoods are those of the embedded backend", near(found, embedded["sums"]), found)
    for way in ("ids", "text"):
        check(f"{way}: texts are those of the embedded backend", texts(runs[way]) == embedded["texts"], texts(runs[way]))
    for way in ("chat", "defaults"):
        check(f"{way}: each prompt has an answer", all(texts(runs[way])), texts(runs[way]))
    finishes = [asked[0]["finish"] for asked in responses(runs["ids"], "written")]
    check("vLLM tells stop strings from ends", set(finishes) <= {"stop_string", "length", "end_of_sequence"}, finishes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    check = Checks()
    if given.record:
        with tempfile.TemporaryDirectory() as folder:
            record(given.tare, Bench(given.tare, folder))
    with tempfile.TemporaryDirectory() as folder:
        check_replayed(check, Bench(given.tare, folder))
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())

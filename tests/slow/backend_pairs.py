"""The same items through every backend that is here, and a table of all pairs: are prompts the same token ids, is
the best choice the same, is the text the same, and where not, is it a near tie?

Usage: backend_pairs.py TARE LLAMA_SERVER [--work FOLDER] [--only NAME,NAME] [--table FILE]
           [--questions N] [--prompts N]
Needs `tare doctor --install hf` (with vllm too, vLLM is a part of it) and the demo model in F32: questions of
ARC-easy, and prompts that are continued greedily. Runs that are finished in FOLDER are not made again.
Closes with "N passed, N failed"."""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pairs_table
from pairs_table import Answer, Parting, Prompts, Side
from support import lm_eval_tasks, models, shared_hub, skip

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "servers"))
from llama_server_test import PLAIN, serving  # noqa: E402

TASKS = Path(__file__).resolve().parent / "tasks"
ALL = ("gguf", "hf", "hf-pipeline", "langchain-hf", "vllm", "llama-server", "openai")
SCORE = {"gguf", "hf", "vllm", "llama-server"}
SERVED = {"llama-server", "openai"}
THREADS = "2"
END = 2  # <|im_end|>, with which this model ends its answers
MARGINS = """task: margins
dataset_path: json
dataset_kwargs: {data_files: {test: margins.jsonl}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{context}}"
doc_to_choice: "{{choices}}"
doc_to_target: 0
target_delimiter: ""
"""


class Runs:
    """Runs of the program into one folder, a backend and a kind of items in each of its folders."""

    def __init__(self, program, folder, questions, prompts):
        self.program, self.folder = str(Path(program).resolve()), Path(folder)
        self.limits = {"questions": questions, "answers": prompts}

    def command(self, *words):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def run(self, name, kind, model, *options):
        output = self.folder / f"{name}-{kind}"
        if not (output / "results.json").is_file():
            print(f"{name}: {kind}", flush=True)
            code, _, words = self.command("run", "--model", model, "--cache", "off", "--quiet", "--offline",
                                          "--threads", THREADS, "--limit", self.limits[kind], "--output", output,
                                          *options)
            if code != 0:
                sys.exit(f"{model}: exit {code}\n{words}")
        return output

    def questions(self, name, model):
        return self.run(name, "questions", model, "--tasks", "arc_easy", "--include-path", lm_eval_tasks(),
                        "--datasets", shared_hub())

    def answers(self, name, model):
        return self.run(name, "answers", model, "--tasks", "backend_pairs", "--include-path", TASKS)

    def both(self, name, model):
        if name in SCORE:
            self.questions(name, model)
        self.answers(name, model)

    def prompts(self, left, right):
        """How many prompts of two backends are the same, by token ids where both show them."""
        found = Prompts()
        for kind in ("questions", "answers"):
            if not all((self.folder / f"{name}-{kind}").is_dir() for name in (left, right)):
                continue
            code, text, words = self.command("show", f"{left}-{kind}", "--against", f"{right}-{kind}", "--json")
            if code not in (0, 3):
                sys.exit(f"tare show: exit {code}\n{words}")
            found.add(json.loads(text))
        return found


def samples(output):
    lines = next(output.glob("samples_*.jsonl")).read_text().splitlines()
    return {sample["doc_id"]: sample for sample in map(json.loads, lines)}


def responses(output):
    return {doc: sample["tare"]["responses"] for doc, sample in samples(output).items()}


def answer_of(response):
    tokens = response["generated_tokens"]
    told = tokens or not response["text"]
    return Answer(response["answer"], tokens if told else None, response["finish"] == "end_of_sequence")


def side_of(runs, name):
    output = runs.folder / f"{name}-answers"
    backend = json.loads((output / "results.json").read_text())["tare"]["backend"]
    answers = {doc: answer_of(found[0]) for doc, found in responses(output).items()}
    side = Side(name, backend["version"], answers)
    if name in SCORE:
        asked = responses(runs.folder / f"{name}-questions")
        side.sums = {doc: [one["log_likelihood"] for one in found] for doc, found in asked.items()}
    return side


def doctor(program):
    return json.loads(subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, check=True).stdout)


def missing(program, server):
    """The backends that cannot be asked here, with what they lack."""
    environments = {entry["name"] for entry in doctor(program)["python_environments"] if entry["ready"]}
    found = {}
    if "vllm" not in environments:
        found["vllm"] = "the Python environment vllm (tare doctor --install vllm)"
    if not Path(server).is_file():
        found |= dict.fromkeys(SERVED, "llama-server (cmake --build BUILD --target llama_server)")
    if "hf" not in environments:
        skip("the Python environment hf (tare doctor --install hf)")
    return found


def ask_all(runs, names, model, server):
    for name in names:
        if name not in SERVED:
            runs.both(name, f"{name}:{model}")
    served = [name for name in names if name in SERVED]
    if not served:
        return
    options = [THREADS if word == "1" and PLAIN[i - 1] in ("-t", "-tb") else word for i, word in enumerate(PLAIN)]
    with serving(server, model, options) as url:
        for name in served:
            runs.both(name, f"{name}:{url}" + ("/v1" if name == "openai" else ""))


def token_at(answer, place):
    """The id of a new token; END behind the last one of an answer that the model ended; None: there is none."""
    if place < len(answer.tokens):
        return answer.tokens[place]
    return END if answer.ended else None


def texts_of(runs, model, lists):
    """The texts of lists of token ids, by the tokenizer of the folder that transformers loads."""
    environment = next(e for e in doctor(runs.program)["python_environments"] if e["name"] == "hf")
    sha256 = json.loads((runs.folder / "gguf-answers/results.json").read_text())["tare"]["backend"]["weights_sha256"]
    folder = next(Path(environment["folder"]).parent.glob(f"python-weights/float32-{sha256}-*"))
    source = ("import json, sys; from tokenizers import Tokenizer; t = Tokenizer.from_file(sys.argv[1]); "
              "print(json.dumps([t.decode(ids, skip_special_tokens=False) for ids in json.load(sys.stdin)]))")
    done = subprocess.run([Path(environment["folder"]) / "bin/python", "-I", "-c", source, folder / "tokenizer.json"],
                          input=json.dumps(lists), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@dataclass
class Place:
    """Where two answers part: what stands before, as ids, and the two tokens."""

    parting: Parting
    before: list
    tokens: tuple


def places_of(runs, pairs):
    prompts = {doc: sample["tare"]["shared_context"] + sample["tare"]["responses"][0]["tokens"]
               for doc, sample in samples(runs.folder / "gguf-answers").items()}
    found = []
    for pair in pairs:
        for parting in pair.texts.partings:
            if parting.place is None:
                continue
            ours, theirs = (side.answers[parting.document] for side in (pair.left, pair.right))
            tokens = token_at(ours, parting.place), token_at(theirs, parting.place)
            if None not in tokens and tokens[0] != tokens[1]:
                found.append(Place(parting, prompts[parting.document] + ours.tokens[: parting.place], tokens))
    return found


def measure_margins(runs, model, pairs):
    """Asks the embedded backend for both tokens at each place where answers part. A place counts if its text is
    read as the tokens that were generated."""
    places = places_of(runs, pairs)
    if not places:
        return
    texts = texts_of(runs, model, [ids for place in places for ids in (place.before, *([t] for t in place.tokens))])
    rows = [{"context": texts[i], "choices": texts[i + 1: i + 3]} for i in range(0, len(texts), 3)]
    (runs.folder / "margins.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (runs.folder / "margins.yaml").write_text(MARGINS)
    shutil.rmtree(runs.folder / "gguf-margins", ignore_errors=True)
    output = runs.run("gguf", "margins", f"gguf:{model}", "--tasks", "margins.yaml")
    for place, sample in zip(places, samples(output).values(), strict=True):
        shared, asked = sample["tare"]["shared_context"], sample["tare"]["responses"]
        if [shared + one["tokens"] for one in asked] == [[*place.before, token] for token in place.tokens]:
            place.parting.margin = asked[0]["log_likelihood"] - asked[1]["log_likelihood"]


def by_names(pairs):
    return {(pair.left.name, pair.right.name): pair for pair in pairs}


def checks_of(pairs, limits):
    """What is held, by pair."""
    checks = {}
    for (left, right), pair in by_names(pairs).items():
        names = f"{left}, {right}"
        checks[f"{names}: prompts are the same token ids"] = pair.prompts.same
        if pair.choices is not None:
            checks[f"{names}: the same best choices but near ties"] = (
                pair.choices.compared == limits["questions"] and not pair.choices.others)
        checks[f"{names}: the same text but near ties"] = pair.texts.compared == limits["answers"] and all(
            parting.near_tie or parting.place is None for parting in pair.texts.partings)
        if {left, right} <= {"hf", "hf-pipeline", "langchain-hf"}:
            checks[f"{names}: equal, text and tokens"] = pair.texts.same == pair.texts.same_tokens == limits["answers"]
        if {left, right} <= {"gguf", "llama-server", "openai"}:
            checks[f"{names}: the same text"] = pair.texts.same == limits["answers"]
    return checks


def report(runs, model, names, table):
    sides = [side_of(runs, name) for name in names]
    pairs = pairs_table.pairs_of(sides, runs.prompts)
    measure_margins(runs, model, pairs)
    text = pairs_table.markdown(pairs)
    print("".join(f"{side.name}: {side.version}\n" for side in sides) + "\n" + text)
    if table:
        Path(table).write_text(text)
    checks = checks_of(pairs, runs.limits)
    for what, good in checks.items():
        print(f"{'ok  ' if good else 'FAIL'} {what}")
    failed = sum(not good for good in checks.values())
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tare")
    parser.add_argument("server")
    parser.add_argument("--work", help="where the runs are kept (default: nowhere)")
    parser.add_argument("--only", help="these backends")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--prompts", type=int, default=50, help="50 at most")
    parser.add_argument("--table", help="a file for the table")
    given = parser.parse_args()
    lacking = missing(given.tare, given.server)
    names = [name for name in ALL if name not in lacking and (not given.only or name in given.only.split(","))]
    for name, what in lacking.items():
        print(f"SKIPPED: {name}: {what}")
    model = models().get("f32") or skip("the demo model in F32")
    with contextlib.ExitStack() as stack:
        folder = given.work or stack.enter_context(tempfile.TemporaryDirectory())
        runs = Runs(given.tare, folder, given.questions, given.prompts)
        ask_all(runs, names, model, given.server)
        return report(runs, model, names, given.table)


if __name__ == "__main__":
    sys.exit(main())

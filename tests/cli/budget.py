"""`tare plan --budget` on a real model: operations as counted here, apart from the program's code, from the model
file's header and the tokens that a run wrote down. Usage: budget.py TARE

The model is the demo model, where it is in the cache.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
OPTIONS = ["--tasks", "everyday,everyday_cloze", "--num-fewshot", "2", "--limit", "12", "--threads", "1"]
GENERATED = """task: said
dataset_path: json
dataset_kwargs: {data_files: {test: said.jsonl}}
output_type: generate_until
test_split: test
doc_to_text: "{{q}}"
doc_to_target: ""
generation_kwargs: {until: ["<never>"], max_gen_toks: 5}
"""


def demo_model():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models" / "smollm2-135m-instruct-q4_1.gguf"


def header(path):
    """Metadata and the sizes of all tensors."""
    with open(path, "rb") as file:
        def number(kind):
            return struct.unpack("<" + kind, file.read(struct.calcsize("<" + kind)))[0]

        def text():
            return file.read(number("Q")).decode("utf-8", "replace")

        def value(kind):
            if kind == 8:
                return text()
            if kind == 9:
                inner, count = number("I"), number("Q")
                return [value(inner) for _ in range(count)]
            return number(NUMBERS[kind])

        file.read(8)
        tensors, entries = number("Q"), number("Q")
        known = {}
        for _ in range(entries):
            key = text()
            known[key] = value(number("I"))
        sizes = {}
        for _ in range(tensors):
            name = text()
            sizes[name] = [number("Q") for _ in range(number("I"))]
            file.read(12)
        return known, sizes


def operations_of_token(known, sizes, position, predicts):
    """Matrix by matrix and head by head, as the model's definition has them."""
    width, heads = known["llama.embedding_length"], known["llama.attention.head_count"]
    total = sum(2 * rows[0] * rows[1] for name, rows in sizes.items() if name.startswith("blk.") and len(rows) == 2)
    for _ in range(known["llama.block_count"] * heads):
        length = width // heads
        total += 2 * length * (position + 1)  # the query with each key
        total += 2 * length * (position + 1)  # each value with its weight
    return total + (2 * width * known["llama.vocab_size"] if predicts else 0)


def sequences(folder, task):
    """(tokens, first scored) of each request."""
    for line in (folder / f"samples_{task}.jsonl").read_text().splitlines():
        own = json.loads(line)["tare"]
        for response in own["responses"]:
            tokens = tuple(own["shared_context"] + response["tokens"])
            yield tokens, response["context_tokens"], response.get("generated_tokens")


def operations(model, folder, tasks):
    known, sizes = model
    computed, predicting, new = set(), set(), 0
    for task in tasks:
        for tokens, first, generated in sequences(folder, task):
            inputs = tokens if generated is not None else tokens[:-1]
            computed |= {inputs[:end] for end in range(1, len(inputs) + 1)}
            if generated is None:
                predicting |= {inputs[:end] for end in range(first, len(inputs) + 1)}
                continue
            new += operations_of_token(known, sizes, len(inputs) - 1, True) - operations_of_token(
                known, sizes, len(inputs) - 1, False)
            new += sum(operations_of_token(known, sizes, len(inputs) + k, True) for k in range(len(generated) - 1))
    return new + sum(operations_of_token(known, sizes, len(way) - 1, way in predicting) for way in computed)


class Program:
    def __init__(self, tare, folder):
        self.tare, self.folder = os.path.abspath(tare), pathlib.Path(folder)

    def run(self, *words):
        done = subprocess.run([self.tare, *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"tare {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout


def checks(program):
    model = f"gguf:{demo_model()}"
    read = header(demo_model())
    (program.folder / "said.yaml").write_text(GENERATED)
    (program.folder / "said.jsonl").write_text(
        "".join(json.dumps({"q": q}) + "\n" for q in ("The sky is", "The sea is as deep as")))
    for name, options in (("scored", OPTIONS), ("said", ["--tasks", "said.yaml", "--threads", "1"])):
        program.run("run", "--model", model, *options, "--cache", "off", "--quiet", "--output", name)
        plan = json.loads(program.run("plan", "--model", model, *options, "--budget", "--json"))
        tasks = [task["task"] for task in plan["tasks"]]
        wanted = operations(read, program.folder / name, tasks)
        found = plan["budget"]["total"]["flops"]
        yield f"{name}: {found:.9e} operations, counted here {wanted:.9e}", found == wanted
        told = json.loads(program.run("show", name, "--budget", "--json"))
        yield f"{name}: the run was expected to take what the plan said", (
            told["estimated"]["flops"] == found and told["estimated"]["tokens"] == plan["budget"]["total"]["tokens"])
        yield f"{name}: {told['real']['tokens']} tokens went through, {told['estimated']['tokens']} expected", (
            told["real"]["tokens"] >= told["estimated"]["tokens"] > 0.8 * told["real"]["tokens"])
        yield f"{name}: time is measured, not guessed", told["real"]["seconds"] > 0


def main(tare):
    if not demo_model().is_file():
        print(f"SKIPPED: the demo model is not at {demo_model()} (tools/fetch.sh demo-model)")
        return SKIPPED
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, good in checks(Program(tare, folder)):
            print(("good: " if good else "BAD: ") + name)
            failed += not good
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))

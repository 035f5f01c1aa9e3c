"""transformers, its pipeline, LangChain and vLLM on the weights of one GGUF file, against the embedded backend.
Usage: python_backends.py TARE hf|vllm. Needs `tare doctor --install hf` (or vllm) and the demo model in F32."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from support import lm_eval_tasks, models, shared_hub, skip

QUESTIONS = 20
NEAREST = 2e-3  # nats between the two best choices: below, their order is rounding
EXACT = 1e-3  # nats
PROMPTS = ["The capital of France is", "Once upon a time there was a fisherman who", "Water boils at",
           "<|im_start|>user\nName three colours.<|im_end|>\n<|im_start|>assistant\n",
           "Question: How many legs has a spider?\nAnswer:"]
TASK = """task: continue
dataset_path: json
dataset_kwargs: {data_files: {test: prompts.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{prompt}}"
doc_to_target: ""
generation_kwargs: {until: ["\\n\\n"], max_gen_toks: 48}
metric_list: [{metric: exact_match}]
"""


class Runs:
    def __init__(self, program, folder):
        self.program, self.folder, self.runs = str(Path(program).resolve()), Path(folder), 0
        (self.folder / "task.yaml").write_text(TASK)
        (self.folder / "prompts.jsonl").write_text("".join(json.dumps({"prompt": p}) + "\n" for p in PROMPTS))

    def samples(self, model, *options):
        """The samples of a run, by document."""
        self.runs += 1
        output = self.folder / f"run{self.runs}"
        command = [self.program, "run", "--model", model, "--cache", "off", "--quiet", "--output", str(output), *options]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
        lines = next(output.glob("samples_*.jsonl")).read_text().splitlines()
        return {sample["doc_id"]: sample for sample in map(json.loads, lines)}

    def questions(self, model):
        return self.samples(model, "--tasks", "arc_easy", "--limit", str(QUESTIONS), "--include-path",
                            str(lm_eval_tasks()), "--datasets", str(shared_hub()), "--offline")

    def answers(self, model, *options):
        samples = self.samples(model, "--tasks", "task.yaml", *options)
        return [samples[doc]["resps"][0][0] for doc in sorted(samples)]


def log_likelihoods(sample):
    return [float(answer[0][0]) for answer in sample["resps"]]


def compare(wanted, found):
    """The greatest difference in nats, and the questions whose best choice is another one beyond a near tie."""
    worst, others = 0.0, []
    for doc, sample in wanted.items():
        ours, theirs = log_likelihoods(sample), log_likelihoods(found[doc])
        worst = max(worst, *(abs(a - b) for a, b in zip(ours, theirs)))
        best = sorted(ours, reverse=True)
        if ours.index(max(ours)) != theirs.index(max(theirs)) and best[0] - best[1] > NEAREST:
            others.append(doc)
    return worst, others


def scores_agree(runs, checks, backend, model):
    worst, others = compare(runs.questions(f"gguf:{model}"), runs.questions(f"{backend}:{model}"))
    print(f"{backend} against gguf, {QUESTIONS} questions: log-likelihoods within {worst:.2e} nats")
    checks[f"{backend}: the same best choices"] = not others
    checks[f"{backend}: log-likelihoods"] = worst < EXACT


def check_transformers(runs, checks, model):
    scores_agree(runs, checks, "hf", model)
    wanted = runs.answers(f"hf:{model}")
    for backend in ("hf-pipeline", "langchain-hf"):
        checks[f"{backend} is hf, greedy"] = runs.answers(f"{backend}:{model}") == wanted
    embedded = runs.answers(f"gguf:{model}")
    same = sum(a == b for a, b in zip(embedded, wanted))
    print(f"gguf against hf: {same} of {len(wanted)} answers are the same text")
    checks["gguf and hf write the same"] = same >= len(wanted) - 1
    sampled = ("--gen-kwargs", "do_sample=true,temperature=0.7,top_p=0.9,top_k=50")
    checks["hf-pipeline is hf, sampled"] = (
        runs.answers(f"hf-pipeline:{model}", *sampled) == runs.answers(f"hf:{model}", *sampled))


def check_vllm(runs, checks, model):
    scores_agree(runs, checks, "vllm", model)
    same = sum(a == b for a, b in zip(runs.answers(f"vllm:{model}"), runs.answers(f"gguf:{model}")))
    print(f"vllm against gguf: {same} of {len(PROMPTS)} answers are the same text")
    checks["vllm writes what gguf does"] = same >= len(PROMPTS) - 1
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024  # of a run, or of the process it started
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    print(f"peak {peak >> 20} MiB of {memory >> 20}")
    checks["vllm leaves half of the memory to others"] = peak < memory / 2


def main():
    program, name = sys.argv[1], sys.argv[2]
    found = json.loads(subprocess.run([program, "doctor", "--json"], capture_output=True, text=True).stdout)
    if not next(e for e in found["python_environments"] if e["name"] == name)["ready"]:
        skip(f"the Python environment {name} (tare doctor --install {name})")
    model = models().get("f32") or skip("the demo model in F32")
    checks = {}
    with tempfile.TemporaryDirectory() as folder:
        {"hf": check_transformers, "vllm": check_vllm}[name](Runs(program, folder), checks, model)
    for what, good in checks.items():
        print(f"{'ok  ' if good else 'FAIL'} {what}")
    failed = sum(not good for good in checks.values())
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

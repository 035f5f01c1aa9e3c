"""The tasks that the invariance suite asks, and the runs that ask them."""

import json
import os
import pathlib
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

# Written into the working folder: each kind of request, whatever data sets there are.
OWN = {
    "texts": 'output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: "{{q}} And once more: {{q}}"\n',
    "greedy": 'output_type: generate_until\ndoc_to_text: "{{q}}\\nAnswer:"\ndoc_to_target: " 3"\n'
              'generation_kwargs: {max_gen_toks: 12, until: ["\\n\\n"]}\n',
    "sampled": 'output_type: generate_until\ndoc_to_text: "{{q}}\\nAnswer:"\ndoc_to_target: " 3"\nrepeats: 2\n'
               'generation_kwargs: {max_gen_toks: 12, until: ["\\n\\n"], do_sample: true, temperature: 0.9}\n',
}
HEAD = "dataset_path: json\ndataset_kwargs: {data_files: {test: questions.jsonl}}\ntest_split: test\n"
# (name, lm-eval's file, few-shot examples, what else): real ones, from ../shared/hub.
REAL = [("arc_easy_0", "arc/arc_easy.yaml", 0, ""),
        ("hellaswag_0", "hellaswag/hellaswag.yaml", 0, ""),
        ("astronomy_5", "mmlu/default/mmlu_astronomy.yaml", 5, ""),
        ("wikitext_0", "wikitext/wikitext.yaml", 0, ""),
        ("triviaqa_5", "triviaqa/default.yaml", 5,
         'generation_kwargs: {until: ["\\n", ".", ","], max_gen_toks: 12, do_sample: false}\n')]
# How many documents of each task are asked. The few are the first of the some, these of the many.
MANY = {"arc_easy_0": 24, "hellaswag_0": 12, "astronomy_5": 12, "wikitext_0": 1, "triviaqa_5": 6, "texts": 4,
        "everyday": 32, "everyday_cloze": 16, "greedy": 5, "sampled": 4}
SOME = {"arc_easy_0": 4, "hellaswag_0": 2, "astronomy_5": 2, "triviaqa_5": 2, "texts": 3,
        "everyday": 6, "everyday_cloze": 4, "greedy": 3, "sampled": 2}
FEW = {"arc_easy_0": 2, "hellaswag_0": 1, "triviaqa_5": 1, "everyday": 3, "texts": 1, "greedy": 1}


def real_tasks_missing():
    """Why the real tasks cannot be asked; "" if they can."""
    if os.environ.get("TARE_SHARED") == "none" or not (SHARED / "hub").is_dir():
        return "../shared/hub (data sets) is not there"
    if not os.path.isdir(os.environ.get("TARE_LM_EVAL", "")):
        return "TARE_LM_EVAL does not name lm-eval's task folder (tools/fetch.sh lm-eval)"
    return ""


def write_tasks(folder, real):
    """Writes the task files; gives the names of the tasks in the order in which they are asked."""
    rows = [{"q": f"Question {i}: what is {i} plus {i * i}, and what is " + "twice " * (i % 5) + "that?"}
            for i in range(5)]
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, text in OWN.items():
        (folder / f"{name}.yaml").write_text(f"task: {name}\n{HEAD}{text}")
    if not real:
        return ["everyday", "texts", "greedy", "everyday_cloze", "sampled"]
    for name, file, shots, more in REAL:
        path = pathlib.Path(os.environ["TARE_LM_EVAL"]) / file
        (folder / f"{name}.yaml").write_text(f"include: {path}\ntask: {name}\nnum_fewshot: {shots}\n{more}")
    return ["arc_easy_0", "triviaqa_5", "hellaswag_0", "sampled", "wikitext_0", "texts", "astronomy_5"]


class Question:
    """One model on one CPU tier, asked some documents of some tasks. A variation gives other words."""

    def __init__(self, tare, folder, model, tier, tasks, counts):
        self.tare, self.folder, self.model, self.tier = tare, folder, model, tier
        self.tasks, self.counts = [t for t in tasks if t in counts], counts

    def words(self, output, *more, tasks=None, threads=1, arguments="", cache="off"):
        tasks = tasks or self.tasks
        chosen = {name: list(range(self.counts[name])) for name in tasks}
        hub = [] if real_tasks_missing() else ["--datasets", str(SHARED / "hub")]
        files = [t if t.startswith("everyday") else f"{t}.yaml" for t in tasks]
        return [self.tare, "run", "--quiet", "--model", f"gguf:{self.model},max_length=1024{arguments}",
                "--cpu-tier", self.tier, "--threads", str(threads), "--cache", str(cache), *hub,
                "--tasks", ",".join(files), "--samples", json.dumps(chosen), "--output", output, *more]

    def run(self, output, *more, **how):
        self.do(self.words(output, *more, **how))
        return Results(self.folder / output)

    def do(self, words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")

    def merge(self, output, parts):
        self.do([self.tare, "merge", *parts, "--output", output, "--quiet"])
        return Results(self.folder / output)

    def run_and_kill(self, output, seconds):
        """Kills a run after that time. Whether it was still at work."""
        process = subprocess.Popen(self.words(output), cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


class Results:
    """What a run left."""

    def __init__(self, folder):
        self.files = {p.name: p.read_bytes() for p in folder.iterdir()
                      if p.name == "results.json" or p.name.startswith("samples_")}
        self.execution = json.loads((folder / "execution.json").read_text())
        self.answers = self.execution["answers"]
        if "results.json" not in self.files or len(self.files) < 2:
            raise RuntimeError(f"{folder} holds {sorted(self.files)}")

    def samples(self, task):
        return self.files[f"samples_{task}.jsonl"]

    def tasks(self):
        return {name: data for name, data in self.files.items() if name != "results.json"}

    def numbers(self, tasks=None):
        """The part of results.json that does not tell which tasks were asked in which order."""
        document = json.loads(self.files["results.json"], parse_constant=str)
        tables = ["results", "configs", "versions", "n-shot", "higher_is_better", "n-samples", "task_hashes"]
        return {table: {name: row for name, row in document[table].items() if not tasks or name in tasks}
                for table in tables}

    def verdict(self):
        return json.loads(self.files["results.json"])["tare"]["invariance"]["verdict"]

"""Peers that are not llama.cpp's: lm-evaluation-harness, and tare in other ways."""

import hashlib
import json
import subprocess
import sys

import agree
import process
import tare_runs
from llama_peers import is_file_model, wanted_for


class LmEval:
    """lm-eval's `hf` model: transformers in float32 on the same weights, batches of 8."""

    BATCH = 8

    def __init__(self, settings):
        self.name = "lm-eval"
        self.settings = settings
        self.extra = ""
        self.metric = "seconds"
        self.settings_text = f"hf, float32, batch {self.BATCH}"

    def applies(self, work, model):
        return not work.generates and work.hub and "f32" in str(model)

    def missing(self):
        return "--no-venv was given" if self.settings.venv is None else make_venv(self.settings)

    def weights(self, model):
        """A folder of the model's weights for transformers, made once for each content."""
        with open(model, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        folder = self.settings.cache / "hf-weights" / digest[:16]
        if not (folder / "model.safetensors").exists():
            say(f"writing {folder}")
            made = folder.with_suffix(".part")
            process.run([self.settings.venv / "bin" / "python", self.settings.bench.parent / "src/backend/python/worker/weights.py", model, made])
            made.rename(folder)
        return folder

    def call(self, work, model):
        options = {"weights": str(self.weights(model)), "task": work.task, "shots": work.shots,
                   "limit": work.limit, "batch": self.BATCH, "threads": self.settings.threads}
        environment = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "OMP_NUM_THREADS": str(self.settings.threads),
                       "HF_DATASETS_CACHE": str(self.settings.out / "hf-datasets"), "TOKENIZERS_PARALLELISM": "false"}
        done = process.run([self.settings.venv / "bin" / "python", self.settings.bench / "hf_run.py",
                            json.dumps(options)], cwd=self.settings.datasets, environment=environment)
        return done, json.loads(done.output.strip().splitlines()[-1])

    def agree(self, work, model, answers):
        _, result = self.call(work, model)
        return agree.compare_sums(answers.sums, {int(item): sums for item, sums in result["answers"].items()})

    def time(self, work, model):
        done, result = self.call(work, model)
        return {"value": done.seconds, "model_seconds": result["model_seconds"], "others": done.others}

    def ours(self, run):
        return run.seconds

    def ratio(self, ours, theirs):
        return theirs / ours


class OtherTare:
    """tare once more: without sharing prefixes, or another build of it, or the very same, which shows
    how much two equal runs differ."""

    def __init__(self, settings, name, extra="", program=None):
        self.name = name
        self.settings = settings.with_tare(program) if program else settings
        self.other_extra = extra
        self.extra = ""
        self.metric = "seconds"
        self.settings_text = extra or str(program or "the same program")

    def applies(self, work, model):
        if not self.other_extra:
            return True
        return not work.generates and is_file_model(model) and wanted_for(self, model)

    def missing(self):
        return None

    def execute(self, work, model):
        folder = self.settings.out / "runs" / self.name
        return folder, tare_runs.execute(self.settings, work, model, folder, self.other_extra)

    def agree(self, work, model, answers):
        folder, _ = self.execute(work, model)
        other = tare_runs.read_answers(folder, work.task)
        return agree.compare_texts(answers.texts, other.texts) if work.generates else agree.compare_sums(
            answers.sums, other.sums)

    def time(self, work, model):
        _, run = self.execute(work, model)
        return {"value": run.seconds, "model_seconds": run.model_seconds, "others": run.others}

    def ours(self, run):
        return run.seconds

    def ratio(self, ours, theirs):
        return theirs / ours


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def make_venv(settings):
    """None when the venv has the pinned packages; else why it cannot have them."""
    wanted = (settings.bench / "requirements.txt").read_text()
    installed = settings.venv / "installed.txt"
    if installed.exists() and installed.read_text() == wanted:
        return None
    say(f"installing bench/requirements.txt into {settings.venv}")
    for command in ([sys.executable, "-m", "venv", settings.venv],
                    [settings.venv / "bin" / "pip", "install", "-q", "--disable-pip-version-check",
                     "-r", settings.bench / "requirements.txt"]):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            return f"bench/requirements.txt cannot be installed: {(errors or ['no reason given'])[0]}"
    installed.write_text(wanted)
    return None

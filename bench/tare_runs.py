"""tare's side of a pair."""

import json
import pathlib
import shutil
from dataclasses import dataclass

import prefixes
import process


@dataclass
class Answers:
    """What a run answered, by item: log-likelihoods of the choices and their lengths in tokens, or text.
    `sequences` are the token ids that were asked for, last predicted token left out, `scored` how many of
    their last tokens have a next one that is scored."""
    sums: dict
    lengths: dict
    texts: dict
    samples: list
    sequences: list
    scored: list
    generated: int


@dataclass
class TareRun:
    seconds: float        # wall, whole process
    model_seconds: float  # asking the model
    tokens: dict
    peak_kib: int
    others: float


def command(settings, work, model, output, extra=""):
    words = [settings.tare, "run", "--model", model_spelling(model, extra), "--tasks", work.task,
             "--limit", work.limit, "--num-fewshot", work.shots, "--threads", settings.threads,
             "--output", output, "--include-path", settings.bench / "tasks", "--cache", "off", "--offline",
             "--quiet"]
    if settings.tier:
        words += ["--cpu-tier", settings.tier]
    if work.hub:
        words += ["--include-path", settings.tasks, "--datasets", settings.datasets]
    return words


def model_spelling(model, extra):
    spelling = model if str(model).startswith("scripted:") else f"gguf:{model}"
    return f"{spelling},{extra}" if extra else spelling


def execute(settings, work, model, output, extra=""):
    """Runs the work into the folder `output`, made anew; how far it was when is kept beside it."""
    shutil.rmtree(output, ignore_errors=True)
    log = output.parent / f"{work.name}-{pathlib.Path(str(model)).stem}.progress.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    done = process.run(command(settings, work, model, output, extra) + ["--progress-log", log])
    record = json.loads((output / "execution.json").read_text())
    return TareRun(done.seconds, record["timings_seconds"]["score"], record["tokens"], done.peak_kib, done.others)


def read_answers(folder, task):
    samples = [json.loads(line) for line in (folder / f"samples_{task}.jsonl").read_text().splitlines()]
    first = samples[0]["filter"]
    samples = [sample for sample in samples if sample["filter"] == first]
    answers = Answers({}, {}, {}, samples, [], [], 0)
    for sample in samples:
        item, responses = sample["doc_id"], sample["tare"]["responses"]
        if "text" in responses[0]:
            answers.texts[item] = responses[0]["answer"]
            answers.generated += sum(len(r["generated_tokens"]) for r in responses)
        else:
            answers.sums[item] = [r["log_likelihood"] for r in responses]
            answers.lengths[item] = [r["continuation_tokens"] for r in responses]
            answers.scored += answers.lengths[item]
        answers.sequences += [sequence(sample, r) for r in responses]
    return answers


def sequence(sample, response):
    tokens = sample["tare"]["shared_context"] + response["tokens"]
    return tokens if "text" in response else tokens[:-1]


def shared_choice_tokens(sample):
    """With how many equal tokens all choices of a sample begin."""
    responses = sample["tare"]["responses"]
    choices = [r["tokens"][len(r["tokens"]) - r["continuation_tokens"]:] for r in responses]
    return min(prefixes.common(choices[0], other) for other in choices)

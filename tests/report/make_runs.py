"""Writes folders as `tare run` leaves them, with invented answers. Usage: make_runs.py FOLDER ITEMS RUNS [hostile]

Each item has a prompt with two examples and four choices; about one in twelve verdicts differs between two runs.
With `hostile` a second task follows, whose texts are what a page must not take for its own."""

import hashlib
import json
import random
import sys
from pathlib import Path

WORDS = """river stone lantern copper window orchard harbour velvet engine meadow pepper circle thunder basket marble
candle forest bridge silver garden pillow rocket summer travel butter needle mirror valley castle guitar planet
button desert winter island""".split()
CHOICES = ["A", "B", "C", "D"]

HOSTILE = {
    "markup": "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'></div></template>",
    "end of the data": "</script><script>window.broken = 3</script><!-- <![CDATA[ ]]>",
    "handler": "\"><svg onload=window.broken=4> ' onmouseover='window.broken=5' x='",
    "bidi": "abc \u202e drawkcab \u2066 isolate \u202d and \u200f marks \u061c left open",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f e\u0301 \ufffd \ufeff",
    "controls": "\x00\x01\x08\x1b[31m\x7f\x85\u2028\u2029 tab\tand\r\nlines",
    "template": "${window.broken = 6} {{7*7}} `backtick` \\u003cscript\\u003e &lt;b&gt; &amp;#x3c;",
    "zalgo": "Z" + "\u0300\u0323\u0334" * 200,
    "megabyte": "x" * 2**20,
    "address": "javascript:window.broken=7 https://example.invalid/?q=<b>",
}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sentence(random_words, words):
    return " ".join(random_words.choice(WORDS) for _ in range(words))


def question(rng):
    return f"Question: {sentence(rng, 30).capitalize()}?\n" + "".join(f"{c}. {sentence(rng, 5)}\n" for c in CHOICES) + "Answer:"


def sample(doc_id, prompt, target, log_likelihoods):
    chosen = log_likelihoods.index(max(log_likelihoods))
    doc = {"question": prompt.split("Question: ")[-1].split("?")[0]}
    responses = [{"log_likelihood": value, "greedy": i == chosen, "context_tokens": None, "continuation_tokens": None,
                  "truncated_tokens": None, "tokens": None} for i, value in enumerate(log_likelihoods)]
    return {
        "doc_id": doc_id, "doc": doc, "target": str(target),
        "arguments": {f"gen_args_{i}": {"arg_0": prompt, "arg_1": f" {c}"} for i, c in enumerate(CHOICES)},
        "resps": [[[repr(value), str(i == chosen)]] for i, value in enumerate(log_likelihoods)],
        "filtered_resps": [[repr(value), str(i == chosen)] for i, value in enumerate(log_likelihoods)],
        "filter": "none", "metrics": ["acc"], "doc_hash": sha256(json.dumps(doc)), "prompt_hash": sha256(prompt),
        "target_hash": sha256(str(target)), "acc": float(chosen == target),
        "tare": {"schema_version": 2, "shared_context": None, "responses": responses},
    }


def choice_lines(items, run):
    """The same questions for each run, with log-likelihoods that lie near each other."""
    for doc_id in range(items):
        rng = random.Random(doc_id)
        prompt = "\n\n".join(f"{question(rng)} {rng.choice(CHOICES)}" for _ in range(2)) + "\n\n" + question(rng)
        target = rng.randrange(4)
        values = [-1.2 - 2.5 * rng.random() + (0.9 if i == target else 0) for i in range(4)]
        noise = random.Random(doc_id * 31 + run)
        yield sample(doc_id, prompt, target, [value + 0.12 * noise.gauss(0, 1) * run for value in values])


def hostile_lines(run):
    for doc_id, (name, text) in enumerate(HOSTILE.items()):
        right = (doc_id + run) % 3 > 0
        answer = text if right else text[::-1]
        doc = {"question": f"{name}: {text[:300]}"}
        yield {
            "doc_id": doc_id, "doc": doc, "target": text, "arguments": {"gen_args_0": {"arg_0": f"{name}: {text}", "arg_1": {"until": [text[:40]]}}},
            "resps": [[answer]], "filtered_resps": [answer], "filter": "none", "metrics": ["exact_match"],
            "doc_hash": sha256(name), "prompt_hash": sha256(text), "target_hash": sha256(text), "exact_match": float(right),
            "tare": {"schema_version": 2, "shared_context": None, "responses": [
                {"text": answer, "answer": answer, "finish": "length", "generated_tokens": None, "context_tokens": None,
                 "continuation_tokens": None, "truncated_tokens": None, "tokens": None}]},
        }


def results(run, scores, hostile):
    name = "<img src=x onerror=window.broken=8> \u202eledom" if hostile else f"model-{'ab'[run % 2]}{run}"
    tasks = {task: {"name": task, "alias": task, "sample_len": n, f"{metric},none": mean,
                    f"{metric}_stderr,none": (mean * (1 - mean) / max(n - 1, 1)) ** 0.5} for task, (metric, mean, n) in scores.items()}
    warning = {"code": "truncated-context", "text": "<b>17 contexts</b> were cut on the left", "count": 17}
    return {
        "results": tasks, "group_subtasks": {}, "configs": {}, "versions": {task: 1 for task in tasks}, "n-shot": {task: 2 for task in tasks},
        "higher_is_better": {task: {metric: True} for task, (metric, _, _) in scores.items()},
        "config": {"model": "scripted", "model_args": {"path": name}, "limit": None}, "model_name": name,
        "tare": {"schema_version": 2, "build": {"version": "0.1.0"}, "model": {"spelling": f"scripted:{name}", "name": name, "sha256": None},
                 "backend": {"name": "scripted", "version": "1", "settings": {"seed": run, "note": "</script>"}}, "settings": {"tasks": list(tasks), "num_fewshot": 2},
                 "tasks": {task: {"warnings": [], "failed_documents": 0, "failures": {}} for task in tasks},
                 "warnings": [warning] if run or hostile else []},
    }


def write_task(folder, task, metric, lines):
    right = total = 0
    with open(folder / f"samples_{task}.jsonl", "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            right += line[metric]
            total += 1
    return metric, right / total, total


def main(folder, items, runs, hostile):
    for run in range(runs):
        place = Path(folder, f"run-{run}")
        place.mkdir(parents=True, exist_ok=True)
        scores = {"choices": write_task(place, "choices", "acc", choice_lines(items, run))}
        if hostile:
            scores["hostile"] = write_task(place, "hostile", "exact_match", hostile_lines(run))
        Path(place, "results.json").write_text(json.dumps(results(run, scores, hostile)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), "hostile" in sys.argv[4:])

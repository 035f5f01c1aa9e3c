"""The program against llama.cpp's own server: the same questions to it and to the embedded backend, on the same
file. Usage: llama_server_test.py TARE LLAMA_SERVER
Closes with "N passed, N failed".

What is held: prompts are the same tokens on both sides; with float32 weights, one slot, no cache and no flash
attention, text is the same; log-likelihoods differ by rounding alone. With --report FILE the differences are written
down as JSON."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "slow"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from own_server import free_port, started  # noqa: E402
from support import models, skip  # noqa: E402

# One slot, one thread, nothing that changes shapes: the same numbers as nearly as two programs can have them.
PLAIN = ["-np", "1", "-fa", "off", "-t", "1", "-tb", "1", "-c", "4096", "--no-cache-prompt", "-ctk", "f32", "-ctv", "f32"]

PROMPTS = [
    "The capital of France is", "Once upon a time, there was a small robot who", "Question: What is 7 times 8?\nAnswer:",
    "Water boils at", "def fibonacci(n):\n", "The three primary colours are", "To make a cup of tea, first",
    "In 1969, the first human", "The opposite of hot is", "A haiku about the sea:\n",
]
TEXTS = [
    "", " ", "Hello", " Hello", "Hello  world", "tab\there", "line\nfeed", "\n\n", "a\r\nb", "ÄÖÜß", "naïve café",
    "日本語のテキスト", "中文文本。", "한국어", "Привет, мир", "مرحبا", "שלום", "ไทย", "हिन्दी", "🙂🙃", "👩‍👩‍👧‍👦", "e\u0301",
    "\u00a0nbsp", "\u200bzero", "x\u0000y".replace("\u0000", "\u0001"), "1234567890", "3.14159", "1,000,000", "0x7f",
    "<|im_start|>user\nHi<|im_end|>\n", "<|im_end|>", "a<|im_end|>b", "<|endoftext|>", "<|im_start|>", "< |im_end| >",
    "<s>", "</s>", "[INST]", "don't", "I'm we've", "ALL CAPS", "CamelCaseWord", "snake_case_word", "a" * 200, "ab " * 100,
    "{\"k\": [1, 2]}", "<b>html</b>", "http://example.org/a?b=c&d", "--- *** ===", "\\n \\t \\\\", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "‽⁂※",
]

GENERATE = """task: continued
dataset_path: json
dataset_kwargs: {data_files: {test: prompts.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{text}}"
doc_to_target: ""
generation_kwargs: {until: ["\\n\\n\\n"], max_gen_toks: 40, do_sample: false}
metric_list: [{metric: exact_match}]
"""
CHOOSE = """task: chosen
dataset_path: json
dataset_kwargs: {data_files: {test: texts.jsonl}}
test_split: test
output_type: multiple_choice
doc_to_text: "Text: {{text}} ?"
doc_to_choice: [" yes", " no, never", " <|im_end|>"]
doc_to_target: 0
"""


def serving(program, model, options):
    port = free_port()
    words = [program, "-m", str(model), "--host", "127.0.0.1", "--port", str(port), *options]
    return started(words, port, pause=0.1, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Bench:
    def __init__(self, tare, folder):
        self.tare, self.folder = tare, Path(folder)
        rows = [{"text": text} for text in PROMPTS]
        (self.folder / "prompts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        rows = [{"text": text} for text in TEXTS]
        (self.folder / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (self.folder / "continued.yaml").write_text(GENERATE)
        (self.folder / "chosen.yaml").write_text(CHOOSE)

    def run(self, model, name, tasks=("continued", "chosen"), arguments=()):
        command = [self.tare, "run", "--model", model, "--tasks", ",".join(f"{t}.yaml" for t in tasks), "--output", name,
                   "--cache", "off", "--threads", "1", "--quiet", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
        return self.folder / name

    @staticmethod
    def samples(run, task):
        return [json.loads(line) for line in (run / f"samples_{task}.jsonl").read_text().splitlines()]


def whole_tokens(sample, response):
    shared = sample["tare"].get("shared_context") or []
    return shared + response["tokens"]


class Comparison:
    """What two runs of the same tasks have in common; log-likelihoods a token, the other's less the one's."""

    def __init__(self, one, other):
        self.texts = self.same_texts = self.prompts = self.same_prompts = 0
        self.scores = self.same_argmax = 0
        self.lowest = self.highest = 0.0
        self.differences = []
        for a, b in zip(Bench.samples(one, "continued"), Bench.samples(other, "continued"), strict=True):
            self.compare_prompts(a, b)
            self.texts += 1
            (x,), (y,) = a["tare"]["responses"], b["tare"]["responses"]
            # The server drops what its last token holds behind a stop string.
            same = x["text"] == y["text"] if x["finish"] != "stop_string" else x["text"].startswith(y["text"])
            self.same_texts += same
            if not same:
                self.differences.append([x["text"], y["text"]])
        for a, b in zip(Bench.samples(one, "chosen"), Bench.samples(other, "chosen"), strict=True):
            self.compare_prompts(a, b)
            for x, y in zip(a["tare"]["responses"], b["tare"]["responses"], strict=True):
                self.scores += 1
                difference = (y["log_likelihood"] - x["log_likelihood"]) / x["continuation_tokens"]
                self.lowest, self.highest = min(self.lowest, difference), max(self.highest, difference)
            mine, theirs = ([r["log_likelihood"] for r in s["tare"]["responses"]] for s in (a, b))
            self.same_argmax += mine.index(max(mine)) == theirs.index(max(theirs))

    @property
    def largest(self):
        return max(self.highest, -self.lowest)

    def compare_prompts(self, a, b):
        for x, y in zip(a["tare"]["responses"], b["tare"]["responses"], strict=True):
            self.prompts += 1
            self.same_prompts += whole_tokens(a, x) == whole_tokens(b, y)


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, what, good, shown=""):
        print(f"{'ok  ' if good else 'FAIL'} {what}{': ' + str(shown) if shown != '' else ''}", flush=True)
        self.passed += good
        self.failed += not good


def check_identity(check, run, model, options):
    results = json.loads((run / "results.json").read_text())
    backend = results["tare"]["backend"]
    check("the backend is named", backend["name"] == "llama-server", backend["version"])
    settings = backend["settings"]
    check("slots, context and cache are recorded",
          (settings["slots"], settings["context_length"], settings["cache_prompt"]) == (1, 4096, False), settings)


def texts(run):
    """What was written before a stop string."""
    return [sample["tare"]["responses"][0]["answer"] for sample in Bench.samples(run, "continued")]


def check_ways(check, bench, file, url):
    """Other ways to the same server: OpenAI's interface, and conversations by three routes."""
    alike = ("continued",)
    native = texts(bench.run(f"llama-server:{url}", "native", alike))
    openai = texts(bench.run(f"openai:{url}/v1", "openai", alike))
    check("openai: writes the same text", openai == native)
    chat = ("--apply-chat-template",)
    embedded = bench.run(f"gguf:{file}", "chat_embedded", alike, chat)
    here = bench.run(f"llama-server:{url}", "chat_here", alike, chat)
    there = bench.run(f"llama-server:{url},endpoint=chat", "chat_there", alike, chat)
    same = [whole_tokens(a, a["tare"]["responses"][0]) == whole_tokens(b, b["tare"]["responses"][0])
            for a, b in zip(Bench.samples(embedded, "continued"), Bench.samples(here, "continued"), strict=True)]
    check("the server's template makes the prompts of the file's", all(same), f"{sum(same)} of {len(same)}")
    check("conversations: the same text with the template applied here", texts(here) == texts(embedded))
    check("conversations: the same text with the template applied there", texts(there) == texts(embedded))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tare")
    parser.add_argument("server")
    parser.add_argument("--report")
    arguments = parser.parse_args()
    if not Path(arguments.server).is_file():
        skip("llama-server (cmake --build BUILD --target llama_server)")
    tare = os.path.abspath(arguments.tare)
    check, report = Checks(), {}
    for form in ("f32", "q8_0"):
        file = models().get(form)
        if file is None:
            skip(f"the demo model as {form} (tools/make_models.sh)")
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(tare, folder)
            embedded = bench.run(f"gguf:{file}", "embedded")
            with serving(arguments.server, file, PLAIN) as url:
                start = time.time()
                served = bench.run(f"llama-server:{url}", "served")
                took = time.time() - start
                again = bench.run(f"llama-server:{url},cache_prompt=yes", "cached")
                if form == "f32":
                    check_ways(check, bench, file, url)
            found, cached = Comparison(embedded, served), Comparison(served, again)
            check_identity(check, served, file, PLAIN)
            check(f"{form}: prompts are the same tokens", found.same_prompts == found.prompts,
                  f"{found.same_prompts} of {found.prompts}")
            if form == "f32":
                check(f"{form}: text is the same", found.same_texts == found.texts, f"{found.same_texts} of {found.texts}")
            check(f"{form}: log-likelihoods", found.largest < 1e-3,
                  f"{found.scores}, differences a token {found.lowest:.1e} to {found.highest:.1e}, same choice {found.same_argmax} of {len(TEXTS)}")
            report[form] = {
                "texts": found.texts, "same texts": found.same_texts, "differences": found.differences,
                "scores": found.scores, "lowest": found.lowest, "highest": found.highest, "same choice": found.same_argmax,
                "seconds": round(took, 1), "cached": {
                    "same texts": cached.same_texts, "lowest": cached.lowest, "highest": cached.highest,
                    "same choice": cached.same_argmax}}
    if arguments.report:
        Path(arguments.report).write_text(json.dumps(report, indent=1, ensure_ascii=False))
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The program against a stand-in for Ollama (tests/support/ollama_server.py). Usage: ollama_test.py TARE
Closes with "N passed, N failed"."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "http"))
from model_server import ModelServer  # noqa: E402
from ollama_server import DIGEST, WEIGHTS, Habits, Model, OllamaServer  # noqa: E402

TARE = ""
SUMS = [(1, 2), (10, 7), (3, 30), (4, 4)]
TASK = """task: sums
dataset_path: json
dataset_kwargs: {data_files: {test: sums.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{pad}}Question: {{a}}+{{b}}="
doc_to_target: "{{a + b}}"
generation_kwargs: {until: ["\\n"], max_gen_toks: 12, do_sample: false}
metric_list: [{metric: exact_match}]
"""
CHOICES = """task: choices
dataset_path: json
dataset_kwargs: {data_files: {test: sums.jsonl}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{a}}+{{b}}="
doc_to_choice: ["1", "2"]
doc_to_target: 0
"""


class Against(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.documents([""] * len(SUMS))
        (self.path / "sums.yaml").write_text(TASK)
        (self.path / "choices.yaml").write_text(CHOICES)
        self.server = None

    def tearDown(self):
        if self.server:
            self.server.close()
        self.folder.cleanup()

    def documents(self, pads):
        rows = [{"a": a, "b": b, "pad": pad} for (a, b), pad in zip(SUMS, pads)]
        (self.path / "sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def serve(self, model=None, **habits):
        self.server = OllamaServer({"toy:1b-fp16": model or Model()}, Habits(**habits))

    def run_tare(self, *arguments, task="sums.yaml", model=""):
        model = model or f"ollama:toy:1b-fp16,url={self.server.url}"
        command = [TARE, "run", "--model", model, "--tasks", task, "--output", "out", *arguments]
        environment = {**os.environ, "TARE_CACHE_DIR": str(self.path / "cache")}
        environment.pop("OLLAMA_HOST", None)
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, env=environment)

    def good(self, *arguments, code=0):
        done = self.run_tare(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads((self.path / "out/results.json").read_text())

    def samples(self):
        return [json.loads(line) for line in (self.path / "out/samples_sums.jsonl").read_text().splitlines()]

    def failures(self):
        return {sample["tare"]["failure"] for sample in self.samples() if "failure" in sample.get("tare", {})}

    def generations(self):
        return [body for path, body in self.server.asked if path in ("/api/generate", "/api/chat")]

    def test_raw_text_is_continued(self):
        self.serve(Model(parameters={"temperature": 0.6, "stop": "USER:"}))
        results = self.good()
        self.assertEqual(results["results"]["sums"]["exact_match,none"], 1.0)
        backend = results["tare"]["backend"]
        self.assertEqual(backend["name"], "ollama")
        self.assertEqual(backend["version"], "0.12.6")
        self.assertEqual(backend["weights_sha256"], WEIGHTS)
        self.assertEqual(backend["settings"]["digest"], DIGEST)
        for body in self.generations():
            self.assertTrue(body["raw"])
            self.assertEqual(body["options"]["num_ctx"], 2048)
            self.assertEqual(body["options"]["num_predict"], 12)
            self.assertEqual(body["options"]["temperature"], 0)
            self.assertEqual(body["options"]["stop"], ["\n"])
            self.assertIs(body["truncate"], False)
            self.assertIs(body["shift"], False)
        self.assertEqual([s["resps"][0][0] for s in self.samples()], [str(a + b) for a, b in SUMS])

    def test_a_conversation_goes_through_the_template(self):
        self.serve()
        done = self.run_tare(model=f"ollama:toy:1b-fp16,url={self.server.url},endpoint=chat")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.generations()[0]["messages"], [{"role": "user", "content": "Question: 1+2="}])

    def test_log_likelihoods_are_refused_before_work(self):
        self.serve()
        done = self.run_tare(task="choices.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("needs log-likelihoods of given text, which the backend ollama cannot give", done.stderr)
        self.assertEqual(self.generations(), [])

    def test_an_unknown_model(self):
        self.serve()
        done = self.run_tare(model=f"ollama:nobody,url={self.server.url}")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("model 'nobody' not found", done.stderr)

    def test_no_server(self):
        done = self.run_tare(model="ollama:toy,url=http://127.0.0.1:9")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("start an Ollama server there, correct url= (or OLLAMA_HOST), or wait", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_a_url_of_something_else(self):
        self.serve()
        done = self.run_tare(model=f"ollama:toy,url={self.server.url}/foo")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"did you mean {self.server.url}?", done.stderr)
        other = ModelServer()
        done = self.run_tare(model=f"ollama:toy,url={other.url}")
        other.close()
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("/api/version: HTTP 404: no such path; wanted an Ollama server; correct url=", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_the_context_grows_with_the_prompts(self):
        self.documents(["", "word " * 1000, "", ""])
        self.serve()
        self.good()
        self.assertEqual({body["options"]["num_ctx"] for body in self.generations()}, {8192})

    def test_a_prompt_that_does_not_fit_is_refused_by_the_server(self):
        self.documents(["", "word " * 3000, "", ""])
        self.serve(Model(context_length=2048))
        self.good(code=3)
        reasons = " ".join(str(s) for s in self.samples())
        self.assertIn("the prompt is longer than the context length", reasons)

    def test_an_older_server_cuts_it_and_is_found_out(self):
        self.documents(["", "word " * 3000, "", ""])
        self.serve(Model(context_length=2048), refuses=False, reasons=False)
        self.good(code=3)
        self.assertIn("silent truncation: prompt_eval_count does not fit the prompt", str(self.samples()))

    def test_num_ctx_is_the_users_and_no_more_than_the_model_knows(self):
        self.serve()
        done = self.run_tare(model=f"ollama:toy:1b-fp16,url={self.server.url},num_ctx=3000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({body["options"]["num_ctx"] for body in self.generations()}, {3000})
        shutil.rmtree(self.path / "out")
        done = self.run_tare(model=f"ollama:toy:1b-fp16,url={self.server.url},num_ctx=10000")
        self.assertEqual(done.returncode, 2)
        self.assertIn("num_ctx=10000: toy:1b-fp16 knows 8192 tokens", done.stderr)

    def test_counts_that_cannot_be(self):
        self.serve(adds=500)
        self.good(code=3)
        self.assertIn("extra tokens: prompt_eval_count does not fit the prompt", str(self.samples()))

    def test_prompts_of_the_cache_are_counted_not_failed(self):
        self.serve(caches=True)
        self.documents([""] * len(SUMS))
        self.server.seen.update(f"Question: {a}+{b}=" for a, b in SUMS[:3])
        self.good()
        execution = json.loads((self.path / "out/execution.json").read_text())
        self.assertIn('"prompts_not_counted": 3', json.dumps(execution))

    def test_templates_that_lose_something_are_named(self):
        for template, name in (("{{ .Prompt }}", "missing chat template"), ("U: {{ .Prompt }}", "lost system message")):
            self.serve(Model(template=template))
            done = self.run_tare("--quiet", model=f"ollama:toy:1b-fp16,url={self.server.url},endpoint=chat")
            self.assertIn(name, done.stderr)
            self.server.close()


if __name__ == "__main__":
    TARE = os.path.abspath(sys.argv[1])
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Against)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)

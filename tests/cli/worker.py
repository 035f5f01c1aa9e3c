"""Runs `tare run` on a model worker that misbehaves (tests/support/fake_model_worker.py) and checks that the
run goes on: each item answered or recorded as failed with its reason, asked again on resume, no process left.
Usage: worker.py TARE"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TARE = str(pathlib.Path(sys.argv[1]).resolve())
FAKE = pathlib.Path(__file__).resolve().parents[1] / "support" / "fake_model_worker.py"
QUESTIONS = ["Is grass green?", "Is a BAD apple red?", "Is coal black?", "Is snow white?"]
TASK = """task: colours
dataset_path: json
dataset_kwargs: {data_files: {test: data.jsonl}}
test_split: test
"""
CHOICES = TASK + """output_type: multiple_choice
doc_to_text: "{{q}}"
doc_to_choice: ["yes", "no"]
doc_to_target: 0
metric_list: [{metric: acc}]
"""
ANSWERS = TASK + """output_type: generate_until
doc_to_text: "{{q}}"
doc_to_target: "?"
generation_kwargs: {until: ["x"], max_gen_toks: 8}
metric_list: [{metric: exact_match}]
"""


class Folder:
    """A task, its data and a fake model."""

    def __init__(self, task, config):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="tare-worker-"))
        (self.path / "task.yaml").write_text(task)
        (self.path / "data.jsonl").write_text("".join(json.dumps({"q": q}) + "\n" for q in QUESTIONS))
        self.model = self.path / "model"
        self.model.mkdir()
        (self.model / "config.json").write_text("{}")
        (self.model / "model.safetensors").write_text("")
        self.behave(config)

    def behave(self, config):
        (self.model / "fake.conf").write_text(json.dumps(config))

    def command(self, *more):
        return [TARE, "run", "--model", f"hf:{self.model},python={FAKE},timeout=1", "--tasks", "task.yaml", "--cache",
                "off", "--output", "out", "--quiet", *more]

    def run(self, *more):
        return subprocess.run(self.command(*more), cwd=self.path, capture_output=True, text=True, timeout=120)

    def samples(self):
        lines = next((self.path / "out").glob("samples_*.jsonl")).read_text().splitlines()
        return [json.loads(line) for line in lines]

    def running(self):
        starts = (self.model / "starts").read_text().split()
        return [process for process in starts if pathlib.Path("/proc", process).exists()]


class Worker(unittest.TestCase):
    def check_failed(self, task, what, reason):
        folder = Folder(task, {"when": {"BAD": what}})
        done = folder.run()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(reason, (folder.path / "out" / "samples_colours.jsonl").read_text())
        self.assertEqual(len(folder.samples()), len(QUESTIONS))
        self.assertEqual(folder.running(), [])
        return folder, done

    def test_a_dying_worker_costs_its_item_alone(self):
        for task in (CHOICES, ANSWERS):
            folder, done = self.check_failed(task, "die", "the model worker failed on it 2 times: it ended with exit code 7")
            self.assertIn("the last it printed: the model is on fire", done.stderr)
            folder.behave({})
            again = folder.run()
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertNotIn("failed on it", (folder.path / "out" / "samples_colours.jsonl").read_text())

    def test_a_hanging_worker_is_ended(self):
        self.check_failed(ANSWERS, "hang", "it took longer than 1 s and was ended")

    def test_a_flood_of_prints_without_an_answer_is_ended(self):
        self.check_failed(CHOICES, "flood_and_hang", "it took longer than 1 s and was ended")

    def test_a_wrong_answer_is_no_answer(self):
        self.check_failed(CHOICES, "wrong_count", "it has another number of results")

    def test_prints_and_floods_change_nothing(self):
        wanted = None
        for config in ({}, {"when": {"BAD": "print"}}, {"when": {"BAD": "flood"}}, {"when": {"BAD": "die"}, "once": True}):
            folder = Folder(CHOICES, config)
            done = folder.run()
            self.assertEqual(done.returncode, 0, done.stderr)
            wanted = wanted or folder.samples()
            self.assertEqual(folder.samples(), wanted)

    def test_a_plan_asks_the_tokenizer_alone(self):
        folder = Folder(CHOICES, {"when_text": {"BAD": "die"}, "once": True})
        command = [word for word in folder.command() if word not in ("--output", "out", "--cache", "off", "--quiet")]
        command[1] = "plan"
        done = subprocess.run([*command, "--json"], cwd=folder.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        tokens = json.loads(done.stdout)["tokens"]
        # Bytes of each question with " yes" and with " no"; the last one of each is no input.
        self.assertEqual(tokens["requested"], sum(2 * len(q) + len(" yes no") - 2 for q in QUESTIONS))

    def test_shards_become_the_whole_run(self):
        folder = Folder(CHOICES, {})
        whole = folder.run()
        self.assertEqual(whole.returncode, 0, whole.stderr)
        wanted = folder.samples()
        for part in ("1", "2"):
            shard = [part if word == "out" else word for word in folder.command("--shard", f"{part}/2")]
            self.assertEqual(subprocess.run(shard, cwd=folder.path).returncode, 0)
        merge = [TARE, "merge", "1", "2", "--output", "merged"]
        done = subprocess.run(merge, cwd=folder.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        merged = (folder.path / "merged" / "samples_colours.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line) for line in merged], wanted)
        self.assertEqual((folder.path / "merged" / "results.json").read_bytes(),
                         (folder.path / "out" / "results.json").read_bytes())

    def test_an_interrupt_ends_run_and_worker(self):
        folder = Folder(ANSWERS, {"when": {"BAD": "hang"}})
        command = [word.replace("timeout=1", "timeout=600") for word in folder.command()]
        process = subprocess.Popen(command, cwd=folder.path, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not (folder.model / "starts").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        self.assertEqual(folder.running(), [])

    def test_a_worker_that_dies_at_the_start_is_one_line(self):
        folder = Folder(CHOICES, {"at_start": "die"})
        done = folder.run()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"tare: {FAKE}: the model worker does not start: it ended with exit code 7; "
                                      "the last it printed: the model is on fire\n")
        self.assertFalse((folder.path / "out").exists())

    def test_what_a_worker_cannot_do_is_refused_before_anything_is_asked(self):
        folder = Folder(CHOICES, {"hello": {"capabilities": {"score": False, "generate": True}}})
        done = folder.run()
        self.assertEqual(done.returncode, 2)
        self.assertIn("task colours needs log-likelihoods of given text, which the backend hf cannot give", done.stderr)
        self.assertFalse((folder.path / "out").exists())

    def test_without_an_environment_the_remedy_is_named(self):
        folder = Folder(CHOICES, {})
        command = [word.replace(f",python={FAKE}", "") for word in folder.command()]
        done = subprocess.run(command, cwd=folder.path, capture_output=True, text=True,
                              env={**os.environ, "TARE_CACHE_DIR": str(folder.path / "cache")})
        self.assertEqual(done.returncode, 2)
        self.assertIn("run: tare doctor --install hf", done.stderr)


if __name__ == "__main__":
    result = unittest.main(argv=["worker"], exit=False, verbosity=0).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed, 0 skipped")
    sys.exit(1 if wrong else 0)

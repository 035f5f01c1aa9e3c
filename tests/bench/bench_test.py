"""Tests the bench's driver. Usage: bench_test.py TARE"""

import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import agree  # noqa: E402
import llama_peers  # noqa: E402
import prefixes  # noqa: E402
import table  # noqa: E402
import whole  # noqa: E402

TARE = pathlib.Path(sys.argv.pop(1)).resolve()


def script(answer):
    """A scripted model that prefers `answer` to all others."""
    return json.dumps({"rules": [{"continuation": answer, "log_likelihood": -1.0}, {"log_likelihood": -2.0}]})


class Driver(unittest.TestCase):
    """Two pairs on scripted answers, from the command line to the files."""

    def bench(self, folder, *options):
        command = [sys.executable, ROOT / "bench" / "bench.py", "--tare", TARE, "--works", "everyday", "--pairs", "2",
                   "--models", f"scripted:{folder}/model.json", "--whole", "0", "--out", folder / "out", *options]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
        document = folder / "out" / "bench.json"
        return done, json.loads(document.read_text()) if document.exists() else None

    def test_a_row_has_pairs_a_ratio_and_the_agreement(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "model.json").write_text(script(" never"))
            done, document = self.bench(folder, "--peers", "tare")
            self.assertEqual(done.returncode, 0, done.stderr)
            row = document["rows"][0]
            self.assertEqual([row["work"], row["peer"], len(row["pairs"])], ["everyday", "tare", 2])
            self.assertEqual([row["agreement"]["compared"], row["agreement"]["same"]], [20, 20])
            ratios = [pair["peer"] / pair["tare"] for pair in row["pairs"]]
            self.assertAlmostEqual(row["ratio"]["median"], sum(ratios) / 2)
            self.assertEqual([row["ratio"]["least"], row["ratio"]["greatest"]], [min(ratios), max(ratios)])
            self.assertGreater(document["machine"]["cores"], 0)
            self.assertEqual(done.stdout, (folder / "out" / "bench.md").read_text())
            self.assertIn("| everyday | scripted:", done.stdout)

    def test_answers_that_differ_are_not_timed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            first = ROOT / "tasks" / "everyday" / "everyday.jsonl"
            choices = json.loads(first.read_text().splitlines()[3])["choices"]
            (folder / "model.json").write_text(script(" " + choices[0]))
            (folder / "other.json").write_text(script(" " + choices[2]))
            other = folder / "tare"
            other.write_text(f"#!{sys.executable}\nimport os, sys\n"
                             f"words = [w.replace('model.json', 'other.json') for w in sys.argv[1:]]\n"
                             f"os.execv({str(TARE)!r}, ['tare', *words])\n")
            other.chmod(other.stat().st_mode | stat.S_IXUSR)
            done, document = self.bench(folder, "--peers", "other-tare", "--other-tare", str(other))
            self.assertEqual(done.returncode, 1, done.stderr)
            row = document["rows"][0]
            self.assertEqual(row["agreement"]["different"], [3])
            self.assertEqual(row["pairs"], [])
            self.assertIn("DIFFERENT: 3", done.stdout)

    def test_what_is_missing_is_skipped_by_name(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done, document = self.bench(folder, "--works", "arc", "--models", "absent-f32.gguf", "--no-venv")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("llama-bench", [row["peer"] for row in document["rows"]])
            self.assertTrue(all("absent-f32.gguf" in row["skipped"] for row in document["rows"]))
            done, _ = self.bench(folder, "--works", "nothing")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--works nothing: wanted mmlu", done.stderr)


class Agreement(unittest.TestCase):
    def test_another_choice_is_a_near_tie_or_a_difference(self):
        ours = {0: [-1.0, -2.0], 1: [-1.0, -1.001], 2: [-1.0, -1.1]}
        theirs = {0: [-1.0, -2.0], 1: [-1.001, -1.0], 2: [-1.1, -1.0]}
        found = agree.compare_sums(ours, theirs)
        self.assertEqual([found.same, found.near_ties, found.different, found.holds], [1, [1], [2], False])
        self.assertAlmostEqual(found.largest_difference, 0.1)
        self.assertTrue(agree.compare_sums({0: [-1.0, -2.0]}, {0: [-1.0, -2.0]}).holds)
        self.assertFalse(agree.compare_sums({}, {}).holds)
        self.assertEqual(agree.compare_sums({0: [-1.0, -2.0]}, {}).different, [0])

    def test_means_leave_out_what_the_choices_have_in_common(self):
        self.assertEqual(agree.best_by_mean([-4.0, -3.0], [4, 2], 0), (0, 0.5))
        # The first token is common. Whether it has all of the sum -3 or nothing, the first choice wins.
        self.assertEqual(agree.best_by_mean([-3.0, -4.0], [4, 2], 1), (0, 1.0))
        # Here it decides: with 0, -4/3 beats -3; with -3, -1/3 loses to 0.
        self.assertIsNone(agree.best_by_mean([-4.0, -3.0], [4, 2], 1))
        self.assertIsNone(agree.best_by_mean([-4.0, -3.0], [1, 2], 1))

    def test_texts(self):
        found = agree.compare_texts({0: "a", 1: "b"}, {0: "a", 1: "c"})
        self.assertEqual([found.same, found.different], [1, [1]])


class Tables(unittest.TestCase):
    def row(self, **fields):
        pair = {"tare": 2.0, "peer": 9.0, "others": 0.0}
        return table.row_result({"work": "arc", "model": "f32", "peer": "lm-eval", "metric": "seconds", "target": 2.5,
                                 "agreement": None, "pairs": [{**pair, "ratio": r} for r in (2.4, 2.6, 9.0)], **fields})

    def test_the_median_decides(self):
        self.assertTrue(self.row()["met"])
        self.assertFalse(self.row(target=2.7)["met"])
        self.assertIsNone(self.row(target=None)["met"])
        self.assertIn("2.600 (2.400 to 9.000)", table.markdown_table([self.row()]))
        self.assertIn("NOT MET", table.markdown_table([self.row(target=2.7)]))

    def test_all_rows_have_as_many_cells_as_the_head(self):
        rows = [self.row(), self.row(skipped="no model", pairs=[]), self.row(failed="it fell over", pairs=[])]
        lines = table.markdown_table(rows).splitlines()
        self.assertEqual({line.count("|") for line in lines}, {len(table.HEAD) + 1})


class Works(unittest.TestCase):
    def test_depth_is_that_of_computed_tokens(self):
        sequences = [[1, 2, 3, 4], [1, 2, 3, 5, 6], [1, 2, 3, 4], [9]]
        self.assertEqual(prefixes.unique_tokens(sequences), 7)
        self.assertEqual(sorted(prefixes.unique_runs(sequences)), [(0, 1), (0, 4), (3, 2)])
        self.assertEqual(prefixes.mean_depth(sequences), round(6 / 7))
        self.assertEqual(prefixes.mean_depth([]), 0)

    def test_the_order_of_hellaswag_items_is_libstdcxx(self):
        # From a C++ program with std::mt19937(1) and std::uniform_int_distribution, g++ 12.
        self.assertEqual(llama_peers.hellaswag_order(8), EXPECTED_ORDER)
        draw = llama_peers.mersenne_twister(1)
        self.assertEqual([draw() for _ in range(3)], [1791095845, 4282876139, 3093770124])

    def test_made_contexts_differ(self):
        rows = [{"ind": i, "activity_label": f"a{i}", "ctx_a": "", "ctx_b": "", "ctx": f"c{i}", "endings": [str(i)],
                 "source_id": "", "split_type": "", "label": "0"} for i in range(1000)]
        made = whole.make_rows(rows)
        self.assertEqual(len(made), whole.CONTEXTS)
        self.assertEqual(len({row["activity_label"] + row["ctx"] for row in made}), whole.CONTEXTS)

    def test_a_whole_run_is_cut_into_parts(self):
        seen = [({"phase": "score", "scored_done": n, "seconds": n / 100}, 500.0) for n in range(0, 1001, 7)]
        parts = whole.parts_of(seen)
        self.assertEqual(len(parts), whole.PARTS)
        self.assertTrue(all(abs(part["rate"] - 100) < 1e-6 for part in parts))


EXPECTED_ORDER = [3, 7, 5, 6, 0, 1, 2, 4]

if __name__ == "__main__":
    result = unittest.main(argv=["bench_test"], exit=False, verbosity=0).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed, 0 skipped")
    sys.exit(1 if wrong else 0)

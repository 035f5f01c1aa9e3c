"""Folders that are made of GGUF files: whole or not there, and no drafts left. Usage: weights_test.py"""

import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "src/backend/python/worker"))
import weights  # noqa: E402


def ended_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


class Drafts(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.kept.name)
        self.export = weights.export

    def tearDown(self):
        weights.export = self.export
        self.kept.cleanup()

    def draft(self, machine, process):
        draft = self.folder / f"float32-0123-1.draft-{machine}-{process}"
        draft.mkdir()
        (draft / "model.safetensors").write_text("half")
        return draft

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_drafts_of_processes_that_are_gone_are_cleared(self):
        stale = self.draft(platform.node(), ended_process())
        mine = self.draft(platform.node(), os.getpid())
        elsewhere = self.draft("another", ended_process())
        (self.folder / "float32-0123-1").mkdir()
        weights.clear_drafts(self.folder)
        self.assertFalse(stale.exists())
        self.assertEqual(self.names(), sorted([mine.name, elsewhere.name, "float32-0123-1"]))

    def test_an_export_clears_them_and_leaves_the_whole_folder(self):
        def export(_, folder):
            folder.mkdir(parents=True)
            (folder / "model.safetensors").write_text("whole")

        weights.export = export
        self.draft(platform.node(), ended_process())
        weights.write_whole("model.gguf", self.folder / "float32-4567-1")
        self.assertEqual(self.names(), ["float32-4567-1"])
        self.assertEqual((self.folder / "float32-4567-1/model.safetensors").read_text(), "whole")

    def test_an_export_that_fails_leaves_nothing(self):
        def export(_, folder):
            folder.mkdir(parents=True)
            raise OSError("no space left")

        weights.export = export
        with self.assertRaises(OSError):
            weights.write_whole("model.gguf", self.folder / "float32-4567-1")
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed, 0 skipped")
    sys.exit(1 if wrong else 0)

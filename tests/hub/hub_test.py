"""The hub client, and the program, against a server that fails in known ways. Usage: hub_test.py HUB_OPEN TARE
Closes with "N passed, N failed"."""

import email.utils
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from hub_server import Fault, HubServer

HUB_OPEN = TARE = ""

CARD = """---
configs:
- config_name: small
  default: true
  data_files:
  - split: test
    path: small/test.jsonl
  - split: train
    path: small/train-*.jsonl
- config_name: packed
  data_files:
  - split: test
    path: packed/big.jsonl.gz
dataset_info:
- config_name: small
  features:
  - {name: id, dtype: int64}
  - {name: text, dtype: string}
- config_name: packed
  features:
  - {name: id, dtype: int64}
  - {name: text, dtype: string}
---
# A set
"""


def lines(first, count):
    rng = random.Random(first)
    rows = [{"id": first + i, "text": "%030x" % rng.getrandbits(120)} for i in range(count)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def make_hub(root):
    """ORG/NAME folders of a hub."""
    files = {
        "org/cards/README.md": CARD,
        "org/cards/small/test.jsonl": lines(0, 3),
        "org/cards/small/train-0.jsonl": lines(10, 2),
        "org/cards/small/train-1.jsonl": lines(20, 2),
        "org/cards/other/unused.jsonl": lines(90, 2),
        "org/names/data/train-00000-of-00001.jsonl": lines(0, 2),
        "org/names/data/test-00000-of-00001.jsonl": lines(5, 4),
        "org/names/a b/ü.jsonl": lines(7, 1),
        "lone/eval.jsonl": lines(0, 1),
        "org/model/README.md": "# A model\n",
        "org/model/m-q8.gguf": "GGUF" + "x" * 3000,
        "plain.jsonl": lines(0, 5),
        "sub/x.csv": "a,b\n1,x\n2,y\n",
    }
    for i in range(120):  # more than a page of the listing
        files[f"org/many/part/{i:03}.jsonl"] = lines(i, 1)
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    packed = root / "org/cards/packed/big.jsonl.gz"
    packed.parent.mkdir(parents=True)
    packed.write_bytes(gzip.compress(lines(1000, 20000).encode(), mtime=0))


def environment():
    """Without proxies and without what the user told huggingface_hub."""
    kept = lambda name: not name.lower().endswith("_proxy") and not name.startswith(("HF_", "HUGGING"))  # noqa: E731
    return {name: value for name, value in os.environ.items() if kept(name)}


def start(request):
    command = [HUB_OPEN, json.dumps(request)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


class HubCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name) / "hub"
        self.cache = Path(self.folder.name) / "cache"
        make_hub(self.root)
        self.hub = HubServer(self.root)

    def tearDown(self):
        self.hub.close()
        self.folder.cleanup()

    def request(self, path, **more):
        return {"endpoint": self.hub.url, "cache": str(self.cache), "path": path} | more

    def answer(self, path, **more):
        process = start(self.request(path, **more))
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        return json.loads(out)

    def error(self, path, **more):
        process = start(self.request(path, **more))
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, out[:300])
        self.assertEqual(errors.count("\n"), 1, errors)
        return errors

    def commit(self, name="org/cards"):
        return self.hub.repository(name).commit

    def repository_folder(self, name="org/cards"):
        return self.cache / ("datasets--" + name.replace("/", "--"))

    def packed(self, **more):
        return self.answer("org/cards", name="packed", **more)

    def incomplete(self):
        return list(self.cache.rglob("*.incomplete"))


class Layout(HubCase):
    def test_only_what_the_config_and_split_need_is_downloaded(self):
        found = self.answer("org/cards", name="small", splits=["test"])
        self.assertEqual([row["id"] for row in found["splits"]["test"]], [0, 1, 2])
        asked = [path for path, _ in self.hub.asked if "/resolve/" in path]
        self.assertEqual([path.split("/resolve/")[1].split("/", 1)[1] for path in asked], ["README.md", "small/test.jsonl"])

    def test_the_result_names_what_was_read(self):
        (file,) = self.answer("org/cards", name="small", splits=["test"])["files"]
        self.assertEqual(file["url"], f"hf://datasets/org/cards@{self.commit()}/small/test.jsonl")
        self.assertEqual(file["revision"], "main")
        data = (self.root / "org/cards/small/test.jsonl").read_bytes()
        self.assertEqual(file["sha256"], hashlib.sha256(data).hexdigest())

    def test_cache_has_the_layout_of_huggingface_hub(self):
        self.answer("org/cards", name="small", splits=["test"])
        folder, repository = self.repository_folder(), self.hub.repository("org/cards")
        self.assertEqual((folder / "refs/main").read_text(), repository.commit)
        link = folder / "snapshots" / repository.commit / "small/test.jsonl"
        self.assertEqual(os.readlink(link), "../../../blobs/" + repository.etag("small/test.jsonl"))
        listing = json.loads((folder / f"trees/{repository.commit}.json").read_text())
        self.assertEqual(listing["format_version"], 1)
        self.assertEqual(set(listing["files"]), set(repository.files))
        packed = listing["files"]["packed/big.jsonl.gz"]
        self.assertEqual(packed["lfs_sha256"], repository.etag("packed/big.jsonl.gz"))

    def test_the_second_time_asks_nothing(self):
        self.answer("org/cards", name="small")
        before = len(self.hub.asked)
        self.answer("org/cards", name="small")
        self.assertEqual(len(self.hub.asked), before)

    def test_names_of_files_make_splits(self):
        found = self.answer("org/names")
        self.assertEqual({name: len(rows) for name, rows in found["splits"].items()}, {"train": 2, "test": 4})

    def test_names_are_escaped(self):
        found = self.answer("org/names", arguments={"data_files": "a b/*.jsonl"})
        self.assertEqual(found["splits"]["train"][0]["id"], 7)

    def test_a_listing_of_several_pages(self):
        found = self.answer("org/many", arguments={"data_dir": "part"})
        self.assertEqual([row["id"] for row in found["splits"]["train"]], list(range(120)))
        self.assertEqual(len(self.hub.requests("/tree/" + self.commit("org/many"))), 3)

    def test_a_repository_without_an_organisation(self):
        self.assertEqual(list(self.answer("lone")["splits"]), ["test"])

    def test_a_revision(self):
        found = self.answer("org/cards", name="small", arguments={"revision": "v1/two"})
        self.assertEqual(found["files"][0]["revision"], "v1/two")
        self.assertEqual((self.repository_folder() / "refs/v1/two").read_text(), self.commit())

    def test_a_commit_as_revision_needs_no_ref(self):
        self.answer("org/cards", name="small", arguments={"revision": self.commit()})
        self.assertFalse((self.repository_folder() / "refs").exists())

    def test_the_cached_commit_stays_until_it_is_refreshed(self):
        self.answer("org/cards", name="small", splits=["test"])
        (self.root / "org/cards/small/test.jsonl").write_text(lines(500, 1))
        old = self.answer("org/cards", name="small", splits=["test"])
        new = self.answer("org/cards", name="small", splits=["test"], refresh=True)
        self.assertEqual([old["splits"]["test"][0]["id"], new["splits"]["test"][0]["id"]], [0, 500])

    def test_snapshots_without_a_listing_are_listed(self):
        self.answer("org/cards", name="small", splits=["test"])
        (self.repository_folder() / f"trees/{self.commit()}.json").unlink()
        self.assertEqual(len(self.answer("org/cards", name="small")["splits"]["train"]), 4)

    def test_snapshots_without_a_listing_count_offline(self):
        self.answer("org/names", splits=["test"])
        (self.repository_folder("org/names") / f"trees/{self.commit('org/names')}.json").unlink()
        self.assertEqual(list(self.answer("org/names", offline=True, splits=["test"])["splits"]), ["test"])


class Failures(HubCase):
    def test_server_errors_are_tried_again(self):
        self.hub.plan("/revision/main", Fault(status=500), Fault(status=502))
        self.hub.plan("README.md", Fault(status=503))
        self.assertEqual(len(self.answer("org/cards", splits=["test"])["splits"]["test"]), 3)
        self.assertEqual(len(self.hub.requests("/revision/main")), 3)

    def test_a_dead_server_is_given_up(self):
        self.hub.plan("/revision/main", *[Fault(status=503)] * 9)
        self.assertIn("answered 503 in 4 attempts", self.error("org/cards"))
        self.assertEqual(len(self.hub.requests("/revision/main")), 4)

    def test_no_server(self):
        url = self.hub.url
        self.hub.close()
        message = self.error("org/cards", endpoint=url)
        self.assertIn("connect", message.lower())
        self.assertIn("(2 attempts)", message)
        self.hub = HubServer(self.root)

    def test_retry_after_in_seconds(self):
        self.hub.plan("/revision/main", Fault(status=429, headers={"Retry-After": "1"}))
        began = time.monotonic()
        self.answer("org/cards", splits=["test"])
        self.assertGreaterEqual(time.monotonic() - began, 1)

    def test_retry_after_as_a_date(self):
        date = email.utils.formatdate(time.time() + 2, usegmt=True)
        self.hub.plan("/revision/main", Fault(status=503, headers={"Retry-After": date}))
        began = time.monotonic()
        self.answer("org/cards", splits=["test"])
        self.assertGreater(time.monotonic() - began, 0.9)

    def test_a_cut_is_resumed_at_its_byte(self):
        self.hub.plan("big.jsonl.gz", Fault(cut=1000), Fault(cut=500))
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)
        ranges = [headers.get("Range") for headers in self.hub.requests("big.jsonl.gz")]
        self.assertEqual(ranges, [None, "bytes=1000-", "bytes=1500-"])
        self.assertEqual(self.incomplete(), [])

    def test_a_later_process_resumes(self):
        self.hub.plan("big.jsonl.gz", Fault(cut=1000), *[Fault(cut=0)] * 5)
        self.error("org/cards", name="packed")
        self.assertEqual([file.stat().st_size for file in self.incomplete()], [1000])
        self.hub.faults.clear()
        self.packed()
        self.assertEqual(self.hub.requests("big.jsonl.gz")[-1]["Range"], "bytes=1000-")

    def test_more_cuts_than_attempts_do_as_long_as_bytes_come(self):
        self.hub.plan("big.jsonl.gz", *[Fault(cut=100)] * 10)
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)

    def test_a_server_that_ignores_the_range(self):
        self.hub.plan("big.jsonl.gz", Fault(cut=1000), Fault(ignore_range=True))
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)

    def test_an_incomplete_file_of_other_content_is_thrown_away(self):
        blob = self.repository_folder() / "blobs" / self.hub.repository("org/cards").etag("packed/big.jsonl.gz")
        blob.parent.mkdir(parents=True)
        Path(f"{blob}.incomplete").write_bytes(b"not this" * 100)
        found = self.packed()
        self.assertEqual(len(found["splits"]["test"]), 20000)
        self.assertTrue(any("wrong hash" in note for note in found["notes"]), found["notes"])

    def test_an_incomplete_file_that_is_too_long_is_thrown_away(self):
        blob = self.repository_folder() / "blobs" / self.hub.repository("org/cards").etag("packed/big.jsonl.gz")
        blob.parent.mkdir(parents=True)
        Path(f"{blob}.incomplete").write_bytes(bytes(10_000_000))
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)

    def test_silence_is_given_up_and_resumed(self):
        self.hub.plan("big.jsonl.gz", Fault(stall=True))
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)
        self.assertEqual(len(self.hub.requests("big.jsonl.gz")), 2)

    def test_wrong_content_is_refused_and_downloaded_anew(self):
        for ending in ("big.jsonl.gz", "README.md"):  # SHA-256 of LFS, SHA-1 of git
            self.hub.plan(ending, Fault(flip=True))
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)
        self.assertEqual(len(self.hub.requests("big.jsonl.gz")), 2)
        self.assertEqual(len(self.hub.requests("README.md")), 2)

    def test_wrong_content_that_stays_is_an_error(self):
        self.hub.plan("test.jsonl", *[Fault(flip=True)] * 9)
        message = self.error("org/cards", name="small")
        self.assertIn("small/test.jsonl: found the hash", message)
        self.assertIn("in 3 downloads", message)
        folder = self.repository_folder() / "snapshots" / self.commit() / "small"
        self.assertFalse(folder.exists())

    def test_a_file_above_the_limit(self):
        self.assertIn("more than the limit of 5000", self.error("org/cards", name="packed", largest_file=5000))
        self.assertEqual(self.hub.requests("big.jsonl.gz"), [])

    def test_names_that_lead_out_of_the_cache_are_refused(self):
        self.hub.repository = lambda name: Evil(self.root / "org/names", name)
        self.assertIn("the file name '../../evil.jsonl'", self.error("org/names"))

    def test_a_broken_answer(self):
        self.hub.plan("/revision/main", Fault(status=200))
        self.assertIn("org/cards: ", self.error("org/cards"))


class Evil:
    """A listing with a path that climbs."""

    def __init__(self, folder, name):
        self.name, self.commit, self.files = name, "c" * 40, {"../../evil.jsonl": folder}

    def tree(self, *_):
        return [{"type": "file", "path": "../../evil.jsonl", "size": 1, "oid": "a" * 40}]


class Access(HubCase):
    def test_a_missing_repository(self):
        message = self.error("org/nothing")
        self.assertIn("answered 401: missing, private or gated; check the name, or set HF_TOKEN", message)
        self.assertEqual(len(self.hub.asked), 1)

    def test_a_gated_repository(self):
        self.hub.plan("test.jsonl", Fault(status=403, headers={"X-Error-Code": "GatedRepo"}))
        self.assertIn("is gated", self.error("org/cards"))

    def test_a_missing_revision(self):
        self.assertIn("no such revision", self.error("org/cards", arguments={"revision": "v9"}))

    def test_the_token_is_sent(self):
        self.hub.token = "secret-1"
        self.answer("org/cards", token="secret-1", splits=["test"])
        self.assertIn("check the name, and whether the token", self.error("org/names", token="secret-2"))

    def test_no_token_no_header(self):
        self.answer("org/cards", splits=["test"])
        self.assertTrue(all("Authorization" not in headers for _, headers in self.hub.asked))

    def test_a_redirect_to_another_port_gets_no_token(self):
        other = HubServer(self.root)
        self.hub.token = "secret-1"
        faulty = HubServer.record

        def record(request, path):
            fault = faulty(self.hub, request, path)
            return Fault(redirect=other.url) if path.endswith("test.jsonl") else fault

        self.hub.record = record
        found = self.answer("org/cards", token="secret-1", splits=["test"])
        other.close()
        self.assertEqual(len(found["splits"]["test"]), 3)
        self.assertEqual(self.hub.requests("test.jsonl")[0]["Authorization"], "Bearer secret-1")
        self.assertNotIn("Authorization", other.requests("test.jsonl")[0])

    def test_a_redirect_that_never_ends(self):
        self.hub.plan("test.jsonl", *[Fault(redirect=self.hub.url)] * 30)
        self.assertIn("redirects more than 10 times", self.error("org/cards"))

    def test_a_redirect_to_a_file_is_refused(self):
        self.hub.plan("test.jsonl", Fault(redirect="file:///etc"))
        self.assertIn("no URL with http or https", self.error("org/cards"))


class Offline(HubCase):
    def test_nothing_is_sent(self):
        message = self.error("org/cards", offline=True)
        self.assertIn("tare is offline (--offline or HF_HUB_OFFLINE)", message)
        self.assertEqual(self.hub.asked, [])

    def test_the_cache_is_enough(self):
        online = self.answer("org/cards", name="small")
        before = len(self.hub.asked)
        offline = self.answer("org/cards", name="small", offline=True)
        self.assertEqual(online["splits"], offline["splits"])
        self.assertEqual(len(self.hub.asked), before)

    def test_a_file_that_the_cache_lacks_is_named(self):
        self.answer("org/cards", name="small", splits=["test"])
        self.assertIn("org/cards: small/train-0.jsonl: is not in", self.error("org/cards", name="small", offline=True))


class Together(HubCase):
    def test_processes_at_once_download_a_file_once(self):
        self.hub.plan("big.jsonl.gz", Fault(delay=1))
        together = [start(self.request("org/cards", name="packed")) for _ in range(4)]
        for process in together:
            out, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(len(json.loads(out)["splits"]["test"]), 20000)
        self.assertEqual(len(self.hub.requests("big.jsonl.gz")), 1)
        self.assertEqual(self.incomplete(), [])

    def test_a_killed_process_leaves_what_the_next_one_resumes(self):
        self.hub.plan("big.jsonl.gz", Fault(stall=True))
        process = start(self.request("org/cards", name="packed"))
        deadline = time.monotonic() + 20
        while not any(file.stat().st_size for file in self.incomplete()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
        process.communicate()
        self.assertEqual(len(self.packed()["splits"]["test"]), 20000)


class Urls(HubCase):
    def plain(self, name="plain.jsonl"):
        return f"{self.hub.url}/plain/{name}"

    def test_a_plain_url(self):
        found = self.answer("json", arguments={"data_files": self.plain()})
        self.assertEqual(len(found["splits"]["train"]), 5)
        self.assertEqual(found["files"][0]["url"], self.plain())

    def test_splits_of_urls_are_fetched_when_wanted(self):
        files = {"test": self.plain("sub/x.csv"), "extra": self.plain("gone.csv")}
        found = self.answer("csv", arguments={"data_files": files}, splits=["test"])
        self.assertEqual(found["splits"]["test"], [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])

    def test_a_copy_is_asked_for_by_its_etag(self):
        for _ in range(2):
            self.answer("json", arguments={"data_files": self.plain()})
        first, second = self.hub.requests("plain.jsonl")
        self.assertNotIn("If-None-Match", first)
        self.assertIn("If-None-Match", second)

    def test_a_changed_file_replaces_the_copy(self):
        self.answer("json", arguments={"data_files": self.plain()})
        (self.root / "plain.jsonl").write_text(lines(0, 1))
        self.assertEqual(len(self.answer("json", arguments={"data_files": self.plain()})["splits"]["train"]), 1)

    def test_the_copy_counts_offline_and_when_the_server_fails(self):
        self.answer("json", arguments={"data_files": self.plain()})
        offline = self.answer("json", arguments={"data_files": self.plain()}, offline=True)
        self.hub.plan("plain.jsonl", *[Fault(status=500)] * 9)
        failing = self.answer("json", arguments={"data_files": self.plain()})
        self.assertEqual(offline["splits"], failing["splits"])

    def test_a_missing_url(self):
        self.assertIn("has nothing of that name", self.error("json", arguments={"data_files": self.plain("no.json")}))

    def test_files_of_a_repository(self):
        url = "hf://datasets/org/cards@main/small/train-*.jsonl"
        found = self.answer("json", arguments={"data_files": {"train": url}})
        self.assertEqual([row["id"] for row in found["splits"]["train"]], [10, 11, 20, 21])
        self.assertTrue(found["files"][0]["url"].startswith(f"hf://datasets/org/cards@{self.commit()}/"))

    def test_no_file_of_a_repository(self):
        url = "hf://datasets/org/cards/none-*.jsonl"
        self.assertIn("is called none-*.jsonl", self.error("json", arguments={"data_files": url}))


TASK = """task: toy
dataset_path: org/cards
dataset_name: small
output_type: multiple_choice
test_split: test
doc_to_text: "{{text}}"
doc_to_choice: [a, b]
doc_to_target: 0
"""


class Program(HubCase):
    def tare(self, *words, code=0, **variables):
        settings = {"HF_ENDPOINT": self.hub.url + "/", "HF_HOME": str(self.cache.parent / "home")} | variables
        settings |= {"HF_HUB_CACHE": str(self.cache), "TARE_CACHE_DIR": str(self.cache.parent / "own")}
        done = subprocess.run(
            [TARE, *words], cwd=self.folder.name, env=environment() | settings, capture_output=True, text=True, timeout=60
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_fetch_dataset_prints_where_the_files_lie(self):
        found = self.tare("fetch", "dataset", "org/cards", "--config", "small", "--quiet").splitlines()
        folder = self.repository_folder() / "snapshots" / self.commit() / "small"
        self.assertEqual(found, [str(folder / name) for name in ("test.jsonl", "train-0.jsonl", "train-1.jsonl")])

    def test_fetch_dataset_as_json(self):
        text = self.tare("fetch", "dataset", "org/cards", "--split", "test", "--json", "--quiet")
        (file,) = json.loads(text)["files"]
        data = (self.root / "org/cards/small/test.jsonl").read_bytes()
        self.assertEqual(file["sha256"], hashlib.sha256(data).hexdigest())
        self.assertEqual(file["bytes"], len(data))
        self.assertEqual(file["url"], f"hf://datasets/org/cards@{self.commit()}/small/test.jsonl")

    def test_fetch_asks_for_the_newest_commit(self):
        self.tare("fetch", "dataset", "org/cards", "--quiet")
        (self.root / "org/cards/small/test.jsonl").write_text(lines(500, 1))
        self.assertIn(self.commit(), self.tare("fetch", "dataset", "org/cards", "--quiet"))

    def test_fetch_of_a_configuration_that_is_not_there(self):
        message = self.tare("fetch", "dataset", "org/cards", "--config", "smal", code=2)
        self.assertIn("did you mean small?", message)

    def test_fetch_model(self):
        (path,) = self.tare("fetch", "model", "org/model", "m-q8.gguf", "--quiet").splitlines()
        self.assertEqual(Path(path).read_bytes(), (self.root / "org/model/m-q8.gguf").read_bytes())
        self.assertIn("models--org--model", path)

    def test_fetch_model_without_a_file_lists_them(self):
        self.assertIn("wanted m-q8.gguf", self.tare("fetch", "model", "org/model", code=2))

    def test_the_token_of_the_environment(self):
        self.hub.token = "secret-1"
        self.tare("fetch", "dataset", "org/cards", "--quiet", HF_TOKEN="secret-1")

    def test_run_downloads_what_it_needs_and_says_so_in_the_result(self):
        (self.root.parent / "toy.yaml").write_text(TASK)
        run = ["run", "--model", "scripted:zero", "--tasks", "toy.yaml", "--output"]
        self.tare(*run, "one")
        (results,) = (self.root.parent / "one").rglob("results*.json")
        files = json.loads(results.read_text())["tare"]["tasks"]["toy"]["files"]
        self.assertEqual(files[1]["url"], f"hf://datasets/org/cards@{self.commit()}/small/test.jsonl")
        self.assertEqual(files[1]["revision"], "main")
        before = len(self.hub.asked)
        self.tare(*run, "two", "--offline")
        self.assertEqual(len(self.hub.asked), before)

    def test_run_offline_without_the_data(self):
        (self.root.parent / "toy.yaml").write_text(TASK)
        words = ["run", "--model", "scripted:zero", "--tasks", "toy.yaml", "--output", "out"]
        for more, variables in ((["--offline"], {}), ([], {"HF_HUB_OFFLINE": "1"}), ([], {"HF_DATASETS_OFFLINE": "1"})):
            self.assertIn("tare is offline", self.tare(*words, *more, code=2, **variables))
        self.assertEqual(self.hub.asked, [])


if __name__ == "__main__":
    HUB_OPEN, TARE = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed, {len(result.skipped)} skipped")
    sys.exit(bad > 0)

"""Shares a hub cache with huggingface_hub and datasets, in both directions, and compares rows.

    python hub.py HUB_OPEN [HUB]       (needs huggingface_hub and datasets)

HUB holds org/name folders; without it the small repositories of tests/hub are all that is compared. The
server is that of tests/hub, on this machine. Closes with "N passed, N failed".
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "hub"))
from hub_server import HubServer  # noqa: E402
from hub_test import environment, make_hub  # noqa: E402

REAL = [
    ("cais/mmlu", "astronomy"),
    ("allenai/ai2_arc", "ARC-Easy"),
    ("allenai/openbookqa", "main"),
    ("Rowan/hellaswag", None),
    ("baber/piqa", None),
    ("SaylorTwift/bbh", "snarks"),
    ("google/IFEval", None),
    ("openai/gsm8k", "main"),
    ("truthfulqa/truthful_qa", "generation"),
]


class Peers:
    """A server, a cache, and both programs that use it."""

    def __init__(self, hub_open, hub, home):
        self.hub_open, self.hub, self.cache = hub_open, hub, home / "hub"
        for name in [name for name in os.environ if name not in environment()]:
            del os.environ[name]
        os.environ.update(HF_ENDPOINT=hub.url, HF_HOME=str(home), HF_HUB_DISABLE_TELEMETRY="1")
        os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
        import datasets
        import huggingface_hub

        datasets.disable_progress_bars()
        self.datasets, self.huggingface_hub = datasets, huggingface_hub

    def tare(self, path, name=None, **more):
        request = {"endpoint": self.hub.url, "cache": str(self.cache), "path": path} | more
        if name is not None:
            request["name"] = name
        done = subprocess.run([self.hub_open, json.dumps(request)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["splits"]

    def rows(self, path, name=None):
        loaded = self.datasets.load_dataset(path, name)
        return {split: [dict(row) for row in rows] for split, rows in loaded.items()}

    def asked(self, action):
        """What the server was asked during an action."""
        before = len(self.hub.asked)
        action()
        return [path for path, _ in self.hub.asked[before:]]


def tare_first(peers):
    """huggingface_hub finds what tare downloaded, and takes tare's listing for its own."""
    ours = peers.tare("org/cards", "small")
    finder = lambda: peers.huggingface_hub.hf_hub_download(  # noqa: E731
        "org/cards", "small/test.jsonl", repo_type="dataset", local_files_only=True
    )
    assert peers.asked(finder) == []
    scan = peers.huggingface_hub.scan_cache_dir(peers.cache)
    assert not scan.warnings, scan.warnings
    (repository,) = scan.repos
    (revision,) = repository.revisions
    assert revision.refs == {"main"} and repository.nb_files == 4, repository
    asked = peers.asked(lambda: peers.huggingface_hub.snapshot_download("org/cards", repo_type="dataset"))
    assert not any("/tree/" in path or "small/" in path for path in asked), asked
    assert peers.rows("org/cards", "small") == ours


def datasets_first(peers):
    """tare reads offline what datasets downloaded."""
    theirs = peers.rows("org/names")
    assert peers.tare("org/names", offline=True) == theirs


def real(peers):
    for path, name in REAL:
        ours, theirs = peers.tare(path, name), peers.rows(path, name)
        assert ours == theirs, (path, name)


def main(hub_open, shared):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        make_hub(root)
        for path, _ in REAL if shared else []:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            if not (root / path).exists():
                (root / path).symlink_to(Path(shared).resolve() / path)
        hub = HubServer(root)
        # The libraries read the environment when they are imported: one cache serves all cases.
        peers = Peers(str(Path(hub_open).resolve()), hub, Path(folder) / "home")
        for case in [tare_first, datasets_first] + ([real] if shared else []):
            try:
                case(peers)
                passed += 1
            except AssertionError as error:
                failed += 1
                print(f"{case.__name__}: {str(error)[:2000]}")
        hub.close()
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))

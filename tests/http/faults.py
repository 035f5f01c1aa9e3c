"""A run against servers that fail in every way: nothing is lost, nothing is invented, each failure is counted
by its reason, and once the faults are gone the same command fills the holes. Usage: faults.py TARE"""

import email.utils
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

from model_server import Fault, ModelServer
from recorded_server import RecordedServer, Recorder

HERE = pathlib.Path(__file__).resolve().parent
KEY = "sk-do-not-show-0123456789"
CHOOSE = """task: choose
dataset_path: json
dataset_kwargs: {data_files: {test: items.jsonl}}
output_type: multiple_choice
test_split: test
doc_to_text: "Question {{q}}\\nAnswer:"
doc_to_choice: [left, right]
doc_to_target: 0
metric_list: [{metric: acc}]
"""
WRITE = """task: write
dataset_path: json
dataset_kwargs: {data_files: {test: items.jsonl}}
output_type: generate_until
test_split: test
doc_to_text: "Write about {{q}}:"
doc_to_target: "blue"
generation_kwargs: {until: ["\\n"], max_gen_toks: 16}
metric_list: [{metric: exact_match}]
"""
DOCUMENTS = 60
ARGUMENTS = "max_retries=3,timeout=2,patience=10,num_concurrent=8"  # a server needs some seconds to start

# Of each document's requests (two to choose, one to write): fault, and what each failed request is counted as.
# None: it passes within the attempts.
PLAN = {
    "item 1.": (dict(kind="no_logprobs"), "no log-probabilities in the answer"),
    "item 2.": (dict(kind="null_logprobs"), "a log-probability is null"),
    "item 3.": (dict(kind="zero_logprobs"), "all log-probabilities are zero"),
    "item 4.": (dict(kind="positive"), "a log-probability is positive"),
    "item 5.": (dict(kind="nan"), "a log-probability is NaN"),
    "item 6.": (dict(kind="one_less"),
                "the answer's lists of tokens and log-probabilities differ in length"),
    "item 7.": (dict(kind="two_choices"), "the answer has another number of choices than was asked for"),
    "item 8.": (dict(kind="no_choice"), "the answer has another number of choices than was asked for"),
    "item 9.": (dict(kind="wrong_json"), "an answer that is no JSON"),
    "item 10.": (dict(kind="page"), "a web page instead of JSON after 3 attempts"),
    "item 11.": (dict(kind="empty"), "an empty answer after 3 attempts"),
    "item 12.": (dict(kind="half"), "connection lost after 3 attempts"),
    "item 13.": (dict(kind="half_without_length"), "an answer that ends early after 3 attempts"),
    "item 14.": (dict(kind="reset"), "connection lost after 3 attempts"),
    "item 15.": (dict(kind="slow", seconds=2.5), "no whole answer in 2 s after 3 attempts"),
    "item 16.": (dict(kind="status", status=429), "HTTP 429 after 3 attempts"),
    "item 17.": (dict(kind="status", status=500), "HTTP 500 after 3 attempts"),
    "item 18.": (dict(kind="status", status=503), "HTTP 503 after 3 attempts"),
    "item 19.": (dict(kind="status", status=400), "HTTP 400: no, Bearer [key]"),
    "item 20.": (dict(kind="status", status=307, headers={"Location": "/v1/models"}),
                 "HTTP 307 (redirects are not followed)"),
    "item 30.": (dict(kind="status", status=429, headers={"Retry-After": "1"}, times=2), None),
    "item 31.": (dict(kind="status", status=503, times=2), None),
    "item 32.": (dict(kind="reset", times=2), None),
    "item 33.": (dict(kind="half", times=2), None),
    "item 34.": (dict(kind="empty", times=2), None),
    "item 35.": (dict(kind="slow", seconds=1.0), None),
    "item 36.": (dict(kind="status", status=503, headers={"Retry-After": "in 1 s"}, times=2), None),
}
SCORING_ONLY = {"no_logprobs", "null_logprobs", "zero_logprobs", "positive", "nan", "one_less"}


class Check:
    def __init__(self):
        self.failed = 0

    def __call__(self, name, good, detail=""):
        print(f"{'ok  ' if good else 'FAIL'} {name}{'' if good else ': ' + str(detail)}")
        self.failed += not good


def prepare(folder):
    (folder / "choose.yaml").write_text(CHOOSE)
    (folder / "write.yaml").write_text(WRITE)
    (folder / "other.yaml").write_text(WRITE.replace("task: write", "task: other").replace("Write", "Sing"))
    lines = [json.dumps({"q": f"item {i}. of the list"}) + "\n" for i in range(DOCUMENTS)]
    (folder / "items.jsonl").write_text("".join(lines))


def command(tare, url, output, tasks="choose.yaml,write.yaml"):
    return [tare, "run", "--model", f"openai:{url},{ARGUMENTS}", "--tasks", tasks, "--output", output]


def run(folder, *args, **more):
    environment = {**os.environ, "OPENAI_API_KEY": KEY}
    return subprocess.run(command(*args, **more), cwd=folder, capture_output=True, text=True, env=environment,
                          timeout=300)


def files_of(folder):
    """What a run leaves for others: all but how it went."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.json*"))
            if path.name != "execution.json"}


def results_of(folder):
    return json.loads((folder / "results.json").read_text())


def samples_of(folder, task):
    path = next(folder.glob(f"samples_{task}*.jsonl"))
    return {json.loads(line)["doc_id"]: line for line in path.read_text().splitlines()}


def same_files(check, name, one, other):
    mine, theirs = files_of(one), files_of(other)
    differing = [file for file in mine.keys() | theirs.keys() if mine.get(file) != theirs.get(file)]
    check(name, not differing, differing)


def expected_failures(task):
    counts, documents = {}, set()
    for words, (fault, reason) in PLAN.items():
        if reason is None or (task == "write" and fault["kind"] in SCORING_ONLY):
            continue
        counts[reason] = counts.get(reason, 0) + (2 if task == "choose" else 1)
        documents.add(int(words.split()[1].rstrip(".")))
    return counts, documents


def headers_of(fault):
    """Retry-After may be a date."""
    headers = fault.get("headers", {})
    if headers.get("Retry-After") == "in 1 s":
        return {"Retry-After": email.utils.formatdate(time.time() + 1, usegmt=True)}
    return headers


def plan_faults(server):
    for words, (fault, _) in PLAN.items():
        for place in ("Question ", "Write about "):
            scoring_only = fault["kind"] in SCORING_ONLY
            if not (scoring_only and place.startswith("Write")):
                server.faults.append(Fault(**{**fault, "headers": headers_of(fault)}, words=place + words))


def holds_key(folder, *outputs):
    if any(KEY in text for text in outputs):
        return "the output"
    return next((str(path) for path in folder.rglob("*")
                 if path.is_file() and KEY.encode() in path.read_bytes()), None)


def test_faults(check, tare, folder):
    server = ModelServer()
    clean = run(folder, tare, server.url, "clean")
    check("a clean run ends well", clean.returncode == 0, clean.stderr[-500:])
    questions = len(server.asked)
    check("the key is sent", server.keys == {"Bearer " + KEY}, server.keys)
    plan_faults(server)
    faulty = run(folder, tare, server.url, "faulty")
    check("failures that are recorded give exit code 3", faulty.returncode == 3, faulty.stderr[-500:])
    for task in ("choose", "write"):
        counts, documents = expected_failures(task)
        block = results_of(folder / "faulty")["tare"]["tasks"][task]
        check(f"{task}: failures are counted by reason", block["failures"] == counts, block["failures"])
        check(f"{task}: documents without a score", block["failed_documents"] == len(documents), block)
        good, seen = samples_of(folder / "clean", task), samples_of(folder / "faulty", task)
        check(f"{task}: a sample of each document", seen.keys() == good.keys())
        same = [i for i in good if i not in documents and good[i] != seen[i]]
        check(f"{task}: what was answered is as in the clean run", not same, same)
        invented = [i for i in documents if "failure" not in seen[i]]
        check(f"{task}: nothing stands for what failed", not invented, invented)
        check(f"{task}: a warning names the reasons", all(reason in faulty.stderr for reason in counts),
              faulty.stderr)
    check("the key is shown nowhere", not holds_key(folder, faulty.stdout, faulty.stderr),
          holds_key(folder, faulty.stdout, faulty.stderr))
    server.faults.clear()
    before = len(server.asked)
    again = run(folder, tare, server.url, "faulty")
    holes = sum(sum(expected_failures(task)[0].values()) for task in ("choose", "write"))
    check("without faults the same command ends well", again.returncode == 0, again.stderr[-500:])
    probes = questions - 3 * DOCUMENTS
    check("only what failed is asked again", len(server.asked) - before == holes + probes,
          (len(server.asked) - before, holes, probes))
    same_files(check, "and leaves the files of a clean run", folder / "faulty", folder / "clean")
    server.close()


def test_capability(check, tare, folder):
    server = ModelServer()
    server.faults.append(Fault("", "zero_logprobs"))
    refused = run(folder, tare, server.url, "zeros", tasks="choose.yaml")
    check("a server that always says 0 is refused before any work",
          refused.returncode == 2 and "log-likelihoods of given text" in refused.stderr
          and "all log-probabilities are zero" in refused.stderr and not (folder / "zeros").exists(),
          refused.stderr)
    server.locked = True
    unknown = run(folder, tare, server.url, "unknown")
    check("a key that is refused: named, and not shown",
          unknown.returncode == 2 and "OPENAI_API_KEY" in unknown.stderr and KEY not in unknown.stderr,
          unknown.stderr)
    server.close()


def holds_secret(text):
    return "pw" in text or KEY in text


def test_wrong_urls(check, tare, folder):
    server = ModelServer()
    root = server.url.removesuffix("/v1")
    port = root.rsplit(":", 1)[1]
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        mute = f"127.0.0.1:{silent.getsockname()[1]}"
        for url, code, words in (
                (root, 2, f"HTTP 404: no such path; did you mean {root}/v1?"),
                (root + ",model=hash-1", 2, f"{root}/completions: HTTP 404: no such path; did you mean {root}/v1?"),
                (root + "/v2/x", 2, f"did you mean {root}/v1?"),
                (root + "/v1?key=pw", 2, "endpoint with a query"),
                (root + "/v1?key=pw,model=hash-1", 2, "endpoint with a query"),
                (f"http://user:pw@127.0.0.1:{port}/v1", 2, "endpoint with a user or password"),
                (f"https://127.0.0.1:{port}/v1", 2, "as if the server spoke http and not https; if it does, write http://"),
                (f"https://{mute}/v1", 2, "as if the server spoke http and not https; if it does, write http://")):
            started = time.monotonic()
            done = run(folder, tare, url, "wrong")
            check(f"{url.split('?')[0]}: one line with the remedy",
                  done.returncode == code and words in done.stderr and len(done.stderr.splitlines()) == 1
                  and not (folder / "wrong").exists(), (done.returncode, done.stderr))
            check("  that shows no secret and blames nothing else",
                  not holds_secret(done.stderr + done.stdout) and "log-likelihood" not in done.stderr, done.stderr)
            check("  before long", time.monotonic() - started < 30)
    check("nothing of the tasks was asked", not server.asked, server.asked)
    server.close()


def test_recorded(check, tare, folder):
    server = ModelServer()
    recorder = Recorder(server.url.removesuffix("/v1"))
    port = int(recorder.url.rsplit(":", 1)[1])
    check("a run through a recorder", run(folder, tare, recorder.url + "/v1", "real").returncode == 0)
    recorder.write(folder / "exchanges.json")
    recorder.close()
    server.close()
    replay = RecordedServer(folder / "exchanges.json", port)
    again = run(folder, tare, replay.url + "/v1", "replayed")
    check("its exchanges played back", again.returncode == 0 and not replay.unknown, again.stderr)
    same_files(check, "give the same files", folder / "replayed", folder / "real")
    more = run(folder, tare, replay.url + "/v1", "more", tasks="other.yaml")
    check("what was not recorded is refused by name",
          more.returncode == 3 and "not recorded: POST /v#/completions" in more.stderr, more.stderr)
    replay.close()


def test_shards(check, tare, folder):
    server = ModelServer()
    check("a run in one", run(folder, tare, server.url, "one").returncode == 0)
    parts = []
    for part, manner in enumerate(("num_concurrent=3,timeout=5", "num_concurrent=1,patience=7", "max_retries=2"), 1):
        words = command(tare, server.url, f"part-{part}")
        words[words.index("--model") + 1] = f"openai:{server.url},{manner}"
        parts.append(subprocess.run([*words, "--shard", f"{part}/3"], cwd=folder, capture_output=True, text=True))
    check("three parts, each asked in its own way", all(part.returncode == 0 for part in parts),
          [part.stderr for part in parts])
    asked = len(server.asked)
    merged = subprocess.run([tare, "merge", "part-1", "part-2", "part-3", "--output", "merged"], cwd=folder,
                            capture_output=True, text=True)
    check("merge", merged.returncode == 0, merged.stderr)
    check("asks no question again", all("item" not in prompt for prompt in server.asked[asked:]))
    same_files(check, "and gives the files of the run in one", folder / "merged", folder / "one")
    arguments = results_of(folder / "one")["config"]["model_args"]
    manner = json.loads((folder / "one" / "execution.json").read_text())["backend"]
    check("how it was asked is not in the results", set(arguments) == {"path"}, arguments)
    check("but in execution.json", (manner["concurrency"], manner["attempts"], manner["timeout_seconds"],
                                    manner["patience_seconds"]) == (8, 3, 2, 10), manner)
    server.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def serve(port, seconds):
    process = subprocess.Popen([sys.executable, str(HERE / "model_server.py"), str(port), str(seconds)])
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return process
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server did not start")


def end(process, how=signal.SIGKILL):
    process.send_signal(how)
    process.wait()


def wait_for_answers(folder, process):
    log = folder / "journal.sqlite-wal"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if log.exists() and log.stat().st_size > 0:
            return time.sleep(0.5)  # what is there first is no answer
        time.sleep(0.02)


def test_restarts(check, tare, folder):
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1"
    server = serve(port, 0.0)
    check("reference run", run(folder, tare, url, "whole").returncode == 0)
    end(server)

    server = serve(port, 0.1)
    process = subprocess.Popen(command(tare, url, "restarted"), cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    wait_for_answers(folder / "restarted", process)
    end(server)
    time.sleep(1.0)
    server = serve(port, 0.0)
    errors = process.communicate(timeout=120)[1]
    check("a server that is killed and started again: the run goes on", process.returncode == 0, errors)
    same_files(check, "and nothing shows it", folder / "restarted", folder / "whole")
    end(server)

    server = serve(port, 0.1)
    process = subprocess.Popen(command(tare, url, "left"), cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    wait_for_answers(folder / "left", process)
    end(server)
    errors = process.communicate(timeout=120)[1]
    check("a server that stays away ends the run with 1",
          process.returncode == 1 and "no server answers" in errors and "answers are in" in errors, errors)
    check("no results are written", not (folder / "left" / "results.json").exists())
    server = serve(port, 0.0)
    again = run(folder, tare, url, "left")
    check("the same command goes on from there",
          again.returncode == 0 and "resumed:" in again.stderr, again.stderr)
    same_files(check, "to the same files", folder / "left", folder / "whole")

    absent = run(folder, tare, f"http://127.0.0.1:{free_port()}/v1;{url}", "two")
    check("one of two endpoints is not there: the other answers all",
          absent.returncode == 0 and "not there at the start" in absent.stderr, absent.stderr)
    for task in ("choose", "write"):
        check(f"{task}: with the same samples",
              samples_of(folder / "two", task) == samples_of(folder / "whole", task))
    end(server)
    nobody = run(folder, tare, url, "nobody")
    check("no server at the start, nor within the patience, is an error before any work",
          nobody.returncode == 1 and "asked for 10 s; start a server" in nobody.stderr
          and not (folder / "nobody").exists(), nobody.stderr)
    process = subprocess.Popen(command(tare, url, "late"), cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(2.0)
    server = serve(port, 0.0)
    errors = process.communicate(timeout=120)[1]
    check("a server that is started after the run is waited for", process.returncode == 0, errors)
    same_files(check, "and gives the same files", folder / "late", folder / "whole")
    end(server)


def main(tare):
    check = Check()
    tare = os.path.abspath(tare)
    for test in (test_faults, test_capability, test_wrong_urls, test_recorded, test_shards, test_restarts):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            prepare(folder)
            test(check, tare, folder)
    print(f"{check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

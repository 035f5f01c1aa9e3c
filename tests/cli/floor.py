"""The noise floor of a real model: pattern, numbers, stops, failures. Usage: floor.py TARE

Alone: llama.cpp's threads starve beside neighbours. Skips without the Q8_0 demo model.
"""

import array
import html.parser
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from gguf_patch import scale_tensor  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

# Two settings that move numbers wherever they run, one that must not, one of another tier.
GRID = """default_grid: false
reference: {threads: 2}
again: {}
one-thread: {threads: 1}
small: {ubatch: 8}
fused: {flash_attention: true}
plain: {tier: sse42, repack: false}
"""
POSITIONS = 24
SERVER_ROWS = ["server-cache", "server-slots-4", "server-slots-4-again"]
# No llama-server: tests/slow/floor_server.py has one.
ENVIRONMENT = {**os.environ, "TARE_LLAMA_SERVER": "/nowhere/llama-server"}
failures = 0


def check(what, holds, detail=""):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what}\n{detail}")


def models():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models"


def run(tare, folder, *words, **more):
    words = [*map(str, words)] + ([] if "--tasks" in words else ["--tasks", "none"])
    return subprocess.run([tare, "floor", *words], cwd=folder, capture_output=True, text=True,
                          env=ENVIRONMENT, **more)


def floor(folder, output):
    return json.loads((folder / output / "floor.json").read_text())


def settings(document, file=0):
    return {row["name"]: row for row in document["files"][file]["settings"]}


def rows(path, width):
    numbers = array.array("f", path.read_bytes())
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def log_softmax(row):
    if numpy is not None:
        wide = numpy.asarray(row, dtype=numpy.float64)
        return wide - wide.max() - math.log(numpy.exp(wide - wide.max()).sum())
    most = max(row)
    total = math.fsum(math.exp(x - most) for x in row)
    return [x - most - math.log(total) for x in row]


def divergence(reference, other):
    p, q = log_softmax(reference), log_softmax(other)
    if numpy is not None:
        return float((numpy.exp(p) * (p - q)).sum())
    return math.fsum(math.exp(a) * (a - b) for a, b in zip(p, q))


def positions(folder, output):
    lines = (folder / output / "positions.jsonl").read_text().splitlines()
    return {line["setting"]: line for line in map(json.loads, lines)}


def check_numbers(folder):
    """KL of each position against the definition, on the rows that were kept."""
    document, lines = floor(folder, "whole"), positions(folder, "whole")
    kept = folder / "rows"
    width = (kept / "0-reference-0.f32").stat().st_size // 4 // POSITIONS
    reference = rows(kept / "0-reference-0.f32", width)
    for name in ("small", "fused"):
        other = rows(kept / f"0-{name}-0.f32", width)
        expected = [divergence(a, b) for a, b in zip(reference, other)]
        found = lines[name]["divergence"]
        worst = max(abs(a - b) for a, b in zip(expected, found))
        check(f"KL of {name} is that of its definition", len(found) == POSITIONS and worst < 1e-9, worst)
        mean = settings(document)[name]["divergence"]["kl_nats"]["mean"]
        check(f"mean KL of {name}", abs(mean - sum(expected) / POSITIONS) < 1e-9, mean)
    check("top tokens", lines["small"]["same_top"] == "".join(
        str(int(max(range(width), key=a.__getitem__) == max(range(width), key=b.__getitem__)))
        for a, b in zip(reference, rows(kept / "0-small-0.f32", width))))


def check_pattern(folder):
    found = settings(floor(folder, "whole"))
    for name in ("again", "one-thread"):
        check(f"{name} is equal", found[name]["divergence"]["bitwise_equal"], found[name])
    plain = found["plain"]["divergence"]
    check("another tier moves numbers", plain["kl_nats"]["mean"] > 0 and plain["equal_share"] < 1, plain)


class Page(html.parser.HTMLParser):
    """Cells of the grid's table, what is loaded, and tags that were not closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.cells, self.ids = [], [], [], []
        self.feed(text)
        self.faults += self.open

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        self.faults += [f"{tag} {name}" for name, _ in attributes if name in ("src", "onload", "onclick")]
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_data(self, text):
        if self.open[-1:] == ["td"]:
            self.cells[-1] += text


def check_page(folder, output):
    """floor.html is whole, and has the numbers of floor.json."""
    document, page = floor(folder, output), Page((folder / output / "floor.html").read_text())
    check(f"{output}: tags of floor.html", not page.faults, page.faults)
    check(f"{output}: ids of floor.html", len(page.ids) == len(set(page.ids)), sorted(page.ids))
    for file in document["files"]:
        check(f"{output}: floor.html has the hash", file["sha256"] in page.cells)
        for row in filter(lambda row: row["divergence"], file["settings"]):
            numbers = row["divergence"]["kl_nats"]
            wanted = "equal" if row["divergence"]["bitwise_equal"] else f"{numbers['mean']:.1e}".replace("e-0", "e-")
            check(f"{output}: floor.html has {row['name']}", any(cell.startswith(wanted) for cell in page.cells), wanted)
            histogram = numbers["histogram"]
            check(f"{output}: all positions are counted",
                  histogram["zero"] + sum(histogram["counts"]) == document["positions"], histogram)


def interrupted(tare, folder, words, output, send):
    """Stops the program once parts are in its log; true if it had not ended by itself."""
    process = subprocess.Popen([tare, "floor", *map(str, words), "--tasks", "none"], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    log = folder / output / "floor.sqlite-wal"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if log.exists() and log.stat().st_size > 0:
            break
        time.sleep(0.02)
    time.sleep(1.0)
    running = process.poll() is None
    process.send_signal(send)
    process.wait()
    return running


def check_stops(tare, folder, model):
    words = [model, "--grid", "grid.yaml", "--positions", POSITIONS]
    for output, send in (("killed", signal.SIGKILL), ("stopped", signal.SIGINT)):
        running = interrupted(tare, folder, [*words, "--output", output], output, send)
        check(f"{output}: it was running", running)
        check(f"{output}: no report yet", not (folder / output / "floor.json").exists())
        done = run(tare, folder, *words, "--output", output)
        check(f"{output}: goes on", done.returncode == 0, done.stderr)
        for name in ("floor.json", "floor.md", "floor.html", "positions.jsonl", "file-1.csv"):
            check(f"{output}: {name} is that of a whole run",
                  (folder / output / name).read_bytes() == (folder / "whole" / name).read_bytes())
        check(f"{output}: no rows are left", not list((folder / output).glob("*.rows")))
    other = run(tare, folder, model, "--grid", "grid.yaml", "--positions", POSITIONS + 1, "--output", "killed")
    check("other settings are refused by name", other.returncode == 2 and
          "--positions is 24 there and 25 here" in other.stderr, other.stderr)


def check_pairs(tare, folder, model):
    shutil.copy(model, folder / "copy.gguf")
    shutil.copy(model, folder / "bug.gguf")
    scale_tensor(folder / "bug.gguf", "blk.0.ffn_norm.weight", 1.001)
    grid = "default_grid: false\nagain: {}\n"
    (folder / "again.yaml").write_text(grid)
    done = run(tare, folder, model, "copy.gguf", "bug.gguf", "--grid", "again.yaml", "--positions", 8, "--pinned",
               "all", "--output", "pairs")
    check("three files: exit code", done.returncode == 0, done.stderr)
    document = floor(folder, "pairs")
    check("three files: pairs", [pair["files"][1] for pair in document["pairs"]] == ["copy.gguf", "bug.gguf"])
    for pair, name, judgement in zip(document["pairs"], ("copy", "bug"), ("identical", "undecided")):
        check(f"{name}: verdict", pair["verdict"]["judgement"] == judgement, pair)
        check(f"{name}: rows", pair["divergence"]["bitwise_equal"] == (name == "copy"), pair)
    holds = [condition["holds"] for condition in pair["verdict"]["conditions"]]
    check("a tensor altered by a thousandth is told from noise", holds == [True, None, None], pair)


def check_items(tare, folder, model):
    """Answers under settings: equal where they must be, and counted alike in the report and the runs."""
    (folder / "items.yaml").write_text("default_grid: false\nagain: {}\nplain: {tier: sse42}\nfour: {sequences: 4}\n")
    words = [model, "--grid", "items.yaml", "--positions", 8, "--tasks", "everyday,everyday_cloze", "--limit", 6,
             "--output", "items"]
    done = run(tare, folder, *words)
    check("items: exit code", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    rows = {row["name"]: row for row in floor(folder, "items")["answers"]["files"][0]["settings"]}
    check("items: all settings of the grid", list(rows) == ["again", "plain", "four", *SERVER_ROWS], rows)
    for name in SERVER_ROWS:
        check(f"items: {name} is not available", "/nowhere/llama-server is no program" in rows[name]["not_available"] and
              not rows[name]["tasks"], rows[name])
    check("items: what is not available is told", "server-cache is not available" in done.stdout and
          "n/a: TARE_LLAMA_SERVER" in done.stderr, done.stderr)
    for task in rows["again"]["tasks"]:
        check("items: a rerun changes nothing", task["log_likelihoods_changed"] == task["texts_changed"] == 0 and
              task["items"] == 6, task)
    check("items: another tier changes bits", any(
        task["log_likelihoods_changed"] > 0 for task in rows["plain"]["tasks"]), rows)
    flips = [json.loads(line) for line in (folder / "items" / "flips.jsonl").read_text().splitlines()]
    for name, row in rows.items():
        counted = sum(task["answers_changed"] for task in row["tasks"])
        check(f"items: flips of {name}", sum(flip["setting"] == name for flip in flips) == counted, flips)
    before = (folder / "items" / "floor.json").read_bytes()
    check("items: the same again", run(tare, folder, *words).returncode == 0 and
          (folder / "items" / "floor.json").read_bytes() == before)
    # Half a run is gone on with, unless the rest would be in other company than in a whole one.
    for row, kept in (("0-plain", True), ("0-four", False)):
        part = folder / "items" / "items" / row
        (part / "results.json").unlink()
        (part / "mark").touch()
        check(f"items: {row} after a stop", run(tare, folder, *words).returncode == 0 and
              (folder / "items" / "floor.json").read_bytes() == before)
        check(f"items: {row} is {'gone on with' if kept else 'begun anew'}", (part / "mark").exists() == kept)
    none = run(tare, folder, *words, "--server-items", 0, "--dry-run")
    check("items: the time of each row is told before", none.returncode == 0 and "12 items of 2 tasks; about " in
          none.stdout and "server" not in none.stdout, none.stdout)
    other = run(tare, folder, *words, "--item-settings", "agian")
    check("items: an unknown setting is named", other.returncode == 2 and "did you mean again?" in other.stderr, other)


def check_pin(tare, folder, model):
    """The reference as a pin, and a pin as the reference: the same numbers, with nothing left to vary."""
    words = [model, "--grid", "again.yaml", "--positions", 8]
    done = run(tare, folder, *words, "--output", "free", "--write-pin", "pin.yaml")
    check("a pin is written", done.returncode == 0 and "tier: \"haswell\"" in (folder / "pin.yaml").read_text(), done.stderr)
    done = run(tare, folder, *words, "--output", "pinned", "--pin", "pin.yaml")
    check("a pin is obeyed", done.returncode == 0, done.stderr)
    free, pinned = floor(folder, "free"), floor(folder, "pinned")
    check("the pin's reference is the one it was written from", free["files"] == pinned["files"], pinned)
    check("what it names is pinned", {"tier", "ubatch", "server"} <= set(pinned["pinned"]), pinned["pinned"])
    other = (folder / "pin.yaml").read_text().replace("ubatch: 512", "ubatch: 64")
    (folder / "pin.yaml").write_text(other)
    done = run(tare, folder, *words, "--output", "free", "--write-pin", "pin.yaml")
    check("another pin is not written over", done.returncode == 2 and "holds another pin" in done.stderr, done.stderr)
    done = run(tare, folder, *words, "--output", "free", "--pin", "pin.yaml", "--write-pin", "new.yaml")
    check("one pin at a time", done.returncode == 2 and not (folder / "new.yaml").exists(), done.stderr)


def workers_of(process):
    """Processes that compute a setting for it."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(child) for child in children if b"--floor-worker" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes()]


def check_crash(tare, folder, model):
    """A setting whose kernels end the process by an illegal instruction."""
    words = [tare, "floor", str(model), "--grid", "grid.yaml", "--positions", str(POSITIONS), "--output", "crash",
             "--tasks", "none"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
    told = [process.stderr.readline()]
    while told[-1] and "again:" not in told[-1]:
        told.append(process.stderr.readline())
    for _ in range(200):
        if workers := workers_of(process):
            os.kill(workers[0], signal.SIGILL)
            break
        time.sleep(0.01)
    process.communicate()
    found = settings(floor(folder, "crash"))
    check("a crash: exit code", process.returncode == 3, process.returncode)
    check("a crash is named", found["one-thread"]["state"] == "failed" and
          "signal 4 (Illegal instruction)" in found["one-thread"]["reason"], found["one-thread"])
    check("the rest of the grid goes on", all(found[name]["state"] == "done" for name in ("again", "small", "fused", "plain")),
          found)
    done = run(tare, folder, *words[2:])
    check("a crash is tried again", done.returncode == 0 and
          (folder / "crash" / "floor.json").read_bytes() == (folder / "whole" / "floor.json").read_bytes(), done.stderr)


def check_windows(tare, folder, model):
    """Several windows, a few at a time, stopped in the middle; and a disk on which they have no room."""
    (folder / "windows.yaml").write_text("default_grid: false\nwindow: 6\nagain: {}\nfused: {flash_attention: true}\n")
    words = [model, "--grid", "windows.yaml", "--positions", POSITIONS]
    done = run(tare, folder, *words, "--output", "at-once")
    check("windows: exit code", done.returncode == 0, done.stderr)
    few = [*words, "--row-space", 1, "--output", "by-one"]
    check("windows: it was running", interrupted(tare, folder, few, "by-one", signal.SIGKILL))
    done = run(tare, folder, *few)
    check("windows: one by one", done.returncode == 0, done.stderr)
    check("windows: no row stays", not list((folder / "by-one").glob("*.rows")))

    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3M", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        print("a disk that fills: not tried, as nothing can be mounted here")
    else:
        try:
            check_full_disk(tare, folder, disk, words)
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    for name in ("floor.json", "floor.md", "floor.html", "positions.jsonl", "file-1.csv"):
        whole = (folder / "at-once" / name).read_bytes()
        check(f"windows: {name} one by one", (folder / "by-one" / name).read_bytes() == whole)
        if (folder / "filled").exists():
            check(f"windows: {name} after a full disk", (folder / "filled" / name).read_bytes() == whole)


def check_full_disk(tare, folder, disk, words):
    """Two of the four windows' rows fit; then the disk fills, and gets room."""
    done = run(tare, folder, *words, "--output", disk / "out")
    check("a full disk: exit code", done.returncode == 1, (done.returncode, done.stderr))
    check("rows that were compared leave the disk", run(tare, folder, *words, "--row-space", 1, "--output", disk / "few")
          .returncode == 0)
    check("a full disk is named", "reference-2.rows: cannot be written: No space left on device" in done.stdout, done.stdout)
    subprocess.run(["mount", "-o", "remount,size=32M", str(disk)], check=True)
    done = run(tare, folder, *words, "--output", disk / "out")
    check("with room it goes on", done.returncode == 0, done.stderr)
    shutil.copytree(disk / "out", folder / "filled")


def limited(kind, value):
    return lambda: (resource.setrlimit(kind, (value, value)), signal.signal(signal.SIGXFSZ, signal.SIG_IGN))


def check_failures(tare, folder, model):
    """A setting without memory, a disk without room, a file that does not load: named, the rest goes on."""
    (folder / "wide.yaml").write_text("default_grid: false\nwide: {sequences: 64, kv: f32}\nagain: {}\n")
    done = run(tare, folder, model, "--grid", "wide.yaml", "--positions", 512, "--output", "wide",
               preexec_fn=limited(resource.RLIMIT_AS, 1500 << 20))
    found = settings(floor(folder, "wide"))
    check("a setting without memory: exit code", done.returncode == 3, done.stderr)
    check("a setting without memory is named", found["wide"]["state"] == "failed" and found["wide"]["reason"], found)
    check("the rest goes on", found["again"]["divergence"]["bitwise_equal"], found)

    done = run(tare, folder, model, "--grid", "again.yaml", "--positions", 64, "--output", "full",
               preexec_fn=limited(resource.RLIMIT_FSIZE, 1 << 20))
    check("no room for rows: exit code", done.returncode == 1, done.stderr)
    reason = floor(folder, "full")["files"][0]["reference"]["reason"]
    check("no room for rows is named", "reference-0.rows: cannot be written: File too large" in reason, reason)

    (folder / "cut.gguf").write_bytes(model.read_bytes()[:100_000])
    done = run(tare, folder, model, "cut.gguf", "--grid", "again.yaml", "--positions", 8, "--output", "cut")
    document = floor(folder, "cut")
    check("a file that does not load: exit code", done.returncode == 3, done.stderr)
    check("a file that does not load is named", "cut.gguf" in document["files"][1]["reference"]["reason"], document)
    check("the other file is measured", settings(document)["again"]["divergence"]["bitwise_equal"], document)


def check_plan(tare, folder, model):
    done = run(tare, folder, model, "--grid", "grid.yaml", "--positions", POSITIONS, "--tasks", "none", "--dry-run", "--json")
    plan = json.loads(done.stdout or "{}")
    names = [setting["name"] for setting in plan.get("settings", [])]
    check("the plan as a document", done.returncode == 0 and plan["positions"] == POSITIONS
          and names == ["reference", "again", "one-thread", "small", "fused", "plain"]
          and all(s["seconds"][0] > 0 for s in plan["settings"] if s["missing"] is None), done.stdout + done.stderr)


def main(tare):
    model = models() / "smollm2-135m-instruct-q8_0.gguf"
    if not model.exists():
        print(f"SKIPPED: {model} is not there (tools/make_models.sh)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "grid.yaml").write_text(GRID)
        done = run(tare, folder, model, "--grid", "grid.yaml", "--positions", POSITIONS, "--output", "whole",
                   "--keep-rows", "rows")
        check("a grid", done.returncode == 0, done.stderr)
        check_plan(tare, folder, model)
        check_pattern(folder)
        check_page(folder, "whole")
        check_page(pathlib.Path(__file__).resolve().parents[2] / "docs" / "examples", "floor")
        check_numbers(folder)
        check_stops(tare, folder, model)
        check_pairs(tare, folder, model)
        check_page(folder, "pairs")
        check_items(tare, folder, model)
        check_page(folder, "items")
        check_pin(tare, folder, model)
        check_crash(tare, folder, model)
        check_windows(tare, folder, model)
        check_failures(tare, folder, model)
    print(f"{failures} failed; KL was held against {'numpy' if numpy else 'math.fsum'}")
    return 1 if failures else 0


sys.exit(main(os.path.abspath(sys.argv[1])))

"""A run like that of a whole benchmark: hellaswag with 10,042 contexts planned and some of them scored,
to see whether the rate holds and memory stays flat."""

import json
import re
import shutil
import signal
import subprocess
import time

import process
import tare_runs
from works import Work

HELLASWAG = Work("whole", "hellaswag", limit=1000)
CONTEXTS = 10042
PARTS = 10


def make_rows(rows):
    """CONTEXTS rows out of fewer: the contexts in turn, each time under the heading and with the endings
    of another row, so that no two prompts are equal and all are as long as real ones."""
    made = []
    for i in range(CONTEXTS):
        turn, at = divmod(i, len(rows))
        context, other = rows[at], rows[(at + 37 * turn) % len(rows)]
        made.append({"ind": i, "activity_label": other["activity_label"], "ctx_a": context["ctx_a"],
                     "ctx_b": context["ctx_b"], "ctx": context["ctx"], "endings": other["endings"],
                     "source_id": context["source_id"], "split": "val", "split_type": context["split_type"],
                     "label": str(other["label"])})
    return made


def write_dataset(settings, samples):
    """A folder of datasets with Rowan/hellaswag made of the documents that a run has logged."""
    folder = settings.out / "whole-data" / "Rowan" / "hellaswag"
    folder.mkdir(parents=True, exist_ok=True)
    rows = make_rows([sample["doc"] for sample in samples])
    (folder / "validation.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "README.md").write_text("---\nconfigs:\n- config_name: default\n  data_files:\n"
                                      "  - split: train\n    path: validation.jsonl\n"
                                      "  - split: validation\n    path: validation.jsonl\n---\n")
    return folder.parent.parent


def resident_mib(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            found = re.search(r"VmRSS:\s+(\d+)", file.read())
    except OSError:
        return None
    return int(found[1]) / 1024 if found else None


def last_event(path):
    """The newest whole line of a progress log."""
    if not path.exists():
        return None
    lines = path.read_text().split("\n")
    event = json.loads(lines[-2]) if len(lines) > 1 else {}
    return event if "requests_done" in event else None


def watch(running, log, scored):
    """(event, resident MiB) over time until `scored` requests are done; then the run is interrupted."""
    seen = []
    while running.poll() is None:
        event, resident = last_event(log), resident_mib(running.pid)
        if event and resident and (not seen or event["requests_done"] > seen[-1][0]["requests_done"]):
            seen.append((event, resident))
            if event["requests_done"] >= scored:
                running.send_signal(signal.SIGINT)
                break
        time.sleep(0.2)
    running.communicate()
    return seen


def parts_of(seen):
    """The run in PARTS pieces of equally many tokens."""
    score = [(event, resident) for event, resident in seen if event["phase"] == "score"]
    first, last = score[0][0], score[-1][0]
    total = last["scored_done"] - first["scored_done"]
    parts, before = [], first
    for event, resident in score[1:]:
        share = (event["scored_done"] - first["scored_done"]) / total
        if share * PARTS < len(parts) + 1 and event is not last:
            continue
        seconds = event["seconds"] - before["seconds"]
        parts.append({"share": share, "seconds": event["seconds"], "resident_mib": resident,
                      "rate": (event["scored_done"] - before["scored_done"]) / seconds})
        before = event
    return parts


def run_whole(settings, model, scored):
    """The measured parts of the run, or why there are none."""
    if not settings.datasets or not (settings.datasets / "Rowan" / "hellaswag").is_dir():
        return {"skipped": "the data set Rowan/hellaswag is not below --datasets"}
    folder = settings.out / "runs" / "whole"
    zero = tare_runs.execute(settings, HELLASWAG, "scripted:zero", folder)
    del zero
    data = write_dataset(settings, tare_runs.read_answers(folder, "hellaswag").samples)
    shutil.rmtree(folder)
    log = settings.out / "whole.progress.jsonl"
    log.unlink(missing_ok=True)
    words = tare_runs.command(settings, Work("whole", "hellaswag", limit=CONTEXTS), model, folder)
    words[words.index(settings.datasets)] = data
    words += ["--progress-log", log]
    running = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    seen = watch(running, log, 4 * scored)
    if len(seen) < 3:
        raise process.Failed(f"the whole run ended with {running.returncode} before it scored")
    return {"contexts": CONTEXTS, "scored": seen[-1][0]["requests_done"] // 4, "parts": parts_of(seen)}

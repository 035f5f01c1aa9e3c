"""`tare quantize` writes the bytes that llama.cpp's own program writes, in every format, or says why not.
Usage: quantize.py TARE LLAMA_QUANTIZE [--all]

The model has two layers of random numbers. Without llama-quantize the comparison is skipped, without --all that of formats
which are like another one.
"""

import json
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import tiny_gguf  # noqa: E402

NEEDING = {"IQ1_M", "IQ1_S", "IQ2_M", "IQ2_S", "IQ2_XS", "IQ2_XXS", "IQ3_XXS", "IQ3_XS", "Q2_K_S"}
FAMILIES = ["F32", "F16", "BF16", "Q8_0", "Q5_1", "Q4_K", "Q4_K_M", "Q2_K", "Q1_0", "IQ4_XS", "MXFP4_MOE", "TQ1_0", "IQ3_S",
            "IQ1_M", "COPY"]
DATASET = "calibration.txt"


def importance(shapes):
    """The same sums as a GGUF file and in the older format."""
    dice = random.Random(2)
    sums = {name: [dice.uniform(0.1, 9) for _ in range(sides[0])] for name, sides in shapes.items()
            if name != "token_embd.weight"}
    tensors = {}
    old = struct.pack("<i", len(sums))
    for name, values in sums.items():
        tensors[name + ".in_sum2"] = (len(values), 1), values
        tensors[name + ".counts"] = (1, 1), [5]
        old += struct.pack("<i", len(name)) + name.encode() + struct.pack("<ii", 5, len(values))
        old += struct.pack(f"<{len(values)}f", *values)
    old += struct.pack("<ii", 3, len(DATASET)) + DATASET.encode()
    entries = {"general.type": "imatrix", "imatrix.datasets": [DATASET], "imatrix.chunk_count": 3,
               "imatrix.chunk_size": 512}
    return tiny_gguf.gguf(entries, tensors), old


class Quantizer:
    def __init__(self, tare, peer, folder):
        self.tare, self.peer, self.folder = os.path.abspath(tare), peer, folder

    def ours(self, *words, **more):
        return subprocess.run([self.tare, "quantize", *words], cwd=self.folder, capture_output=True, text=True, **more)

    def begin_theirs(self, kind, words):
        """Words before the file names, as its manual has it. None where the program was not built."""
        if not os.path.exists(self.peer):
            return None
        return subprocess.Popen([self.peer, *words, "f32.gguf", "theirs.gguf", kind, "2"], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def compared(quantizer, kind, words=()):
    peer = quantizer.begin_theirs(kind, words)
    done = quantizer.ours("f32.gguf", "ours.gguf", kind, "--force", "--threads", "2", *words)
    name = " ".join([kind, *words])
    yield f"{name}: done", done.returncode == 0
    if peer is not None:
        ours, theirs = (quantizer.folder / file for file in ("ours.gguf", "theirs.gguf"))
        yield f"{name}: the bytes of llama-quantize", peer.wait() == 0 and ours.read_bytes() == theirs.read_bytes()


def checks_of_formats(quantizer, kinds):
    for kind in kinds:
        yield from compared(quantizer, kind, ["--imatrix", "new.imatrix"] if kind in NEEDING else [])
    yield from compared(quantizer, "Q4_K_M", ["--imatrix", "new.imatrix"])
    yield from compared(quantizer, "IQ2_XXS", ["--imatrix", "old.imatrix"])
    yield from compared(quantizer, "Q4_0", ["--pure"])
    yield from compared(quantizer, "Q4_0", ["--leave-output-tensor"])


def checks_of_refusals(quantizer, folder):
    for kind in sorted(NEEDING):
        done = quantizer.ours("f32.gguf", "none.gguf", kind)
        yield f"{kind}: refused without an importance matrix", done.returncode == 2 and (
            f"type {kind}: this model needs an importance matrix" in done.stderr)
    (folder / "other.imatrix").write_bytes(importance({"blk.0.attn_q.weight": (64, 64)})[0])
    done = quantizer.ours("f32.gguf", "none.gguf", "Q4_0", "--imatrix", "other.imatrix")
    yield "a matrix of another model is named", done.returncode == 2 and (
        "importance matrix other.imatrix: does not fit the model" in done.stderr)
    done = quantizer.ours("f32.gguf", "f16.gguf", "F16")
    again = quantizer.ours("f32.gguf", "f16.gguf", "F16")
    yield "what exists stays", done.returncode == 0 and again.returncode == 2 and "exists" in again.stderr
    yield "nothing is left of what was refused", not (folder / "none.gguf").exists() and not drafts(folder)


def checks_of_a_full_disk(quantizer, folder):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    done = quantizer.ours("f32.gguf", "full.gguf", "F16", preexec_fn=limit)
    yield "no room: named", done.returncode == 1 and (
        "full.gguf: cannot be written as F16: File too large" in done.stderr)
    yield "no room: nothing is left", not (folder / "full.gguf").exists() and not drafts(folder)


def checks_of_a_stop(quantizer, folder):
    (folder / "large.gguf").write_bytes(tiny_gguf.llama(rows=2000, layers=1)[0])
    begun = subprocess.Popen([quantizer.tare, "quantize", "large.gguf", "stop.gguf", "IQ3_S", "--threads", "1"],
                             cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not drafts(folder) and begun.poll() is None:
        time.sleep(0.01)
    begun.send_signal(signal.SIGINT)
    told = begun.communicate()[1]
    yield "stopped: exit code 130", begun.returncode == 130 and "interrupted" in told
    yield "stopped: nothing is left", not (folder / "stop.gguf").exists() and not drafts(folder)


def checks_of_output(quantizer):
    done = quantizer.ours("f32.gguf", "q8.gguf", "q8_0", "--json")
    found = json.loads(done.stdout)
    yield "JSON: file, format, size", (found["file"], found["type"], found["bytes"]) == (
        "q8.gguf", "Q8_0", (quantizer.folder / "q8.gguf").stat().st_size)
    yield "JSON: tensors by format", found["tensors"] == {"f32": 5, "q8_0": 16}
    yield "JSON: bits of a weight", 8.5 < found["bits_per_weight"] < 8.7
    done = quantizer.ours("q8.gguf", "q4.gguf", "Q4_0")
    yield "what was lost before is told", "note: q8.gguf holds q8_0 already" in done.stderr


def drafts(folder):
    return list(folder.glob("*.part"))


def kinds(quantizer):
    told = quantizer.ours("f32.gguf", "none.gguf", "nonsense").stderr
    return told.split("there are ")[1].split()


def main(tare, peer, *words):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model, shapes = tiny_gguf.llama()
        (folder / "f32.gguf").write_bytes(model)
        new, old = importance(shapes)
        (folder / "new.imatrix").write_bytes(new)
        (folder / "old.imatrix").write_bytes(old)
        quantizer = Quantizer(tare, peer, folder)
        formats = [kind.rstrip(",") for kind in kinds(quantizer)]
        checks = [("39 formats", len(formats) == 39), *checks_of_formats(quantizer, formats if words else FAMILIES)]
        checks += [*checks_of_refusals(quantizer, folder), *checks_of_a_full_disk(quantizer, folder)]
        checks += [*checks_of_a_stop(quantizer, folder), *checks_of_output(quantizer)]
    for text, held in checks:
        print(("ok   " if held else "FAIL ") + text)
    skipped = not os.path.exists(peer)
    if skipped:
        print("SKIPPED: comparison with llama-quantize (cmake --build BUILD --target llama_peers)")
    failed = sum(not held for _, held in checks)
    print(f"{len(checks) - failed} passed, {failed} failed, {int(skipped)} skipped")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))

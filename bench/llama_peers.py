"""llama.cpp's own programs as peers."""

import json
import re
import shutil
import struct

import agree
import prefixes
import process
import tare_runs

# Rows of one decode, as tare's own.
UBATCH = 512


def is_file_model(model):
    return not str(model).startswith("scripted:")


def wanted_for(peer, model):
    """Slow peers run on float32 weights, for which there are figures to reach, unless asked for."""
    return "f32" in str(model) or peer.name in (peer.settings.peers_wanted or [])


class LlamaTool:
    """One of llama.cpp's programs, in a folder of its own in which no CPU library stands but that of
    tare's tier: it takes the best one that it finds beside itself."""

    def __init__(self, settings, program, built_in=None):
        self.settings = settings
        self.program = program
        self.built_in = built_in or settings.peers

    def missing(self):
        if self.settings.peers is None or not (self.built_in / self.program).is_file():
            return f"{self.program} is not built (bench/run.sh builds it)"
        return None

    def folder(self):
        folder = self.settings.out / "peers" / self.settings.tier
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self.built_in / self.program, folder)
        library = self.settings.peers / f"libggml-cpu-{self.settings.tier}.so"
        if not (folder / library.name).exists():
            shutil.copy2(library, folder)
        return folder

    def run(self, words):
        folder = self.folder()
        return process.run([folder / self.program, *words], cwd=folder,
                           environment={"LD_LIBRARY_PATH": str(self.settings.peers)})


class PromptSpeed:
    """Unique tokens a second, against a program that computes prompts at the depth of the work and gives no
    answers. A subclass sets name, tool and extra, and times the program."""

    metric = "unique tokens/s"

    def applies(self, work, model):
        return not work.generates and is_file_model(model)

    def missing(self):
        return self.tool.missing()

    def agree(self, work, model, answers):
        self.depth = prefixes.mean_depth(answers.sequences)
        self.unique = prefixes.unique_tokens(answers.sequences)
        self.settings_text = self.settle(answers)
        return None

    def ours(self, run):
        return self.unique / run.model_seconds

    def ratio(self, ours, theirs):
        return ours / theirs


class LlamaBench(PromptSpeed):
    """Bare computing by llama.cpp's own bench. It keeps the KV cache in float16; tare's is float32 unless
    `kv` says otherwise."""

    def __init__(self, settings, kv=None):
        self.name = "llama-bench" if kv is None else f"llama-bench-{kv}"
        self.tool = LlamaTool(settings, "llama-bench")
        self.extra = f"kv={kv}" if kv else ""

    def settle(self, answers):
        return f"-p {UBATCH} -d {self.depth}"

    def time(self, work, model):
        done = self.tool.run(["-m", model, "-p", UBATCH, "-n", 0, "-d", self.depth, "-b", UBATCH, "-ub", UBATCH,
                              "-t", self.tool.settings.threads, "-fa", "off", "-r", 3, "-o", "json"])
        row = next(row for row in json.loads(done.output) if row["n_prompt"] == UBATCH)
        return {"value": row["avg_ts"], "others": done.others}


class BareDecode(PromptSpeed):
    """What llama-bench measures, with the KV cache in float32 and as many rows projected onto the vocabulary
    as the scores of the work need: the most that this machine could do with the unique tokens."""

    def __init__(self, settings):
        self.name = "bare-decode"
        self.tool = LlamaTool(settings, "bare_decode", settings.own_programs)
        self.extra = ""

    def settle(self, answers):
        places = prefixes.scored_places(answers.sequences, answers.scored)
        self.outputs = max(1, round(UBATCH * places / self.unique))
        return f"{UBATCH} rows at depth {self.depth}, {self.outputs} of them outputs"

    def time(self, work, model):
        done = self.tool.run([model, self.tool.settings.threads, self.depth, UBATCH, self.outputs, 5])
        return {"value": json.loads(done.output)["tokens_per_second"], "others": done.others}


class BatchedBench:
    """As many sequences side by side as tare has, prompts and answers as long as tare's."""

    SEQUENCES = 16

    def __init__(self, settings):
        self.name = "llama-batched-bench"
        self.tool = LlamaTool(settings, "llama-batched-bench")
        self.extra = ""
        self.metric = "generated tokens/s"

    def applies(self, work, model):
        return work.generates and is_file_model(model)

    def missing(self):
        return self.tool.missing()

    def agree(self, work, model, answers):
        count = len(answers.sequences)
        self.generated = answers.generated
        self.prompt = max(1, round(prefixes.unique_tokens(answers.sequences) / count))
        self.answer = round(answers.generated / count)
        self.settings_text = f"-npp {self.prompt} -ntg {self.answer} -npl {self.SEQUENCES}"
        return None

    def time(self, work, model):
        context = self.SEQUENCES * (self.prompt + self.answer + 32)
        done = self.tool.run(["-m", model, "-c", context, "-b", 2048, "-ub", UBATCH, "-npp", self.prompt,
                              "-ntg", self.answer, "-npl", self.SEQUENCES, "-t", self.tool.settings.threads,
                              "-tb", self.tool.settings.threads, "-fa", "off", "-ctk", "f32", "-ctv", "f32",
                              "--output-format", "jsonl"])
        row = json.loads(re.search(r'\{"n_kv_max".*\}', done.output + done.errors)[0])
        return {"value": self.SEQUENCES * self.answer / row["t"], "others": done.others}

    def ours(self, run):
        return self.generated / run.model_seconds

    def ratio(self, ours, theirs):
        return ours / theirs


class Perplexity:
    """llama-perplexity ranks choices by their mean log-probability per token and tells how often the one
    marked as right came first. Here tare's choice is marked, so that it counts the agreement."""

    def __init__(self, settings):
        self.name = "llama-perplexity"
        self.settings = settings
        self.tool = LlamaTool(settings, "llama-perplexity")
        self.extra = ""
        self.metric = "seconds"

    def applies(self, work, model):
        return not work.generates and is_file_model(model) and wanted_for(self, model)

    def missing(self):
        return self.tool.missing()

    def agree(self, work, model, answers):
        items = list(answers.sums)
        best = {}
        for sample in answers.samples:
            item = sample["doc_id"]
            shared = tare_runs.shared_choice_tokens(sample)
            best[item] = agree.best_by_mean(answers.sums[item], answers.lengths[item], shared)
        self.file = self.tool.settings.out / f"{work.name}.perplexity"
        marks = [best[item][0] if best[item] else 0 for item in items]
        write = write_hellaswag if work.name == "hellaswag" else write_multiple_choice
        write(self.file, answers.samples, marks)
        self.hellaswag = work.name == "hellaswag"
        longest = max(len(tokens) for tokens in answers.sequences)
        widest = max(len(sums) for sums in answers.sums.values())
        self.context = -(-(longest + 1) // 256) * 256
        self.parallel = max(4, widest)
        self.count = len(items)
        order = hellaswag_order(len(items)) if self.hellaswag else range(len(items))
        result = agree.Agreement()
        for place, hit in zip(order, self.hits(model)):
            item = items[place]
            if best[item] is None:
                result.not_comparable += 1
            else:
                result.note(item, hit, best[item][1])
        return result

    def hits(self, model):
        """For each item, in the program's order, whether the marked choice came first."""
        text = self.call(model).output
        shares = [float(share) for share in re.findall(r"^\d+\t *([\d.]+)", text, re.M)]
        if len(shares) != self.count:
            raise process.Failed(f"llama-perplexity told of {len(shares)} items, wanted {self.count}")
        counts = [round(share * (i + 1) / 100) for i, share in enumerate(shares)]
        return [count > before for before, count in zip([0, *counts], counts)]

    def call(self, model):
        kind = ["--hellaswag", "--hellaswag-tasks", self.count, "-f", self.file] if self.hellaswag else [
            "--multiple-choice", "-bf", self.file]
        return self.tool.run(["-m", model, *kind, "-c", self.context, "-np", self.parallel, "-b", 2048,
                              "-ub", UBATCH, "-t", self.tool.settings.threads, "-tb", self.tool.settings.threads,
                              "-fa", "off", "-ctk", "f32", "-ctv", "f32"])

    @property
    def settings_text(self):
        return f"-c {self.context} -np {self.parallel}"

    def time(self, work, model):
        done = self.call(model)
        return {"value": done.seconds, "others": done.others}

    def ours(self, run):
        return run.seconds

    def ratio(self, ours, theirs):
        return theirs / ours


def question_and_choices(sample):
    """The context and the choices without the blank before them, which llama-perplexity puts there."""
    pairs = [(arguments["arg_0"], arguments["arg_1"]) for arguments in sample["arguments"].values()]
    return pairs[0][0], [choice.removeprefix(" ") for _, choice in pairs]


def write_hellaswag(path, samples, marks):
    lines = []
    for sample, mark in zip(samples, marks):
        context, choices = question_and_choices(sample)
        lines += [context, str(mark), *choices]
    if any("\n" in line for line in lines):
        raise process.Failed("llama-perplexity reads HellaSwag by lines, and a text here has several")
    path.write_text("\n".join(lines) + "\n")


def write_multiple_choice(path, samples, marks):
    tasks = []
    for sample, mark in zip(samples, marks):
        context, choices = question_and_choices(sample)
        labels = [int(i == mark) for i in range(len(choices))]
        answers = struct.pack("<I", len(choices)) + b"".join(packed(choice) for choice in choices)
        tasks.append(packed(context) + answers + struct.pack(f"<{len(labels)}i", *labels) + struct.pack("<I", 0))
    positions, at = [], 4 + 4 * len(tasks)
    for task in tasks:
        positions.append(at)
        at += len(task)
    path.write_bytes(struct.pack(f"<{1 + len(tasks)}I", len(tasks), *positions) + b"".join(tasks))


def packed(text):
    data = text.encode()
    return struct.pack("<I", len(data)) + data


def mersenne_twister(seed):
    """std::mt19937(seed) as a function that gives its next number. Python's own random.seed() fills the
    state otherwise."""
    import random
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    generator = random.Random()
    generator.setstate((3, (*state, 624), None))
    return lambda: generator.getrandbits(32)


def uniform_below(draw, count):
    """std::uniform_int_distribution(0, count - 1) of libstdc++ over 32-bit draws."""
    product = draw() * count
    if product & 0xFFFFFFFF < count:
        threshold = (2**32 - count) % count
        while product & 0xFFFFFFFF < threshold:
            product = draw() * count
    return product >> 32


def hellaswag_order(count):
    """In which order llama-perplexity --hellaswag takes the items of a file of `count`."""
    draw, left = mersenne_twister(1), list(range(count))
    return [left.pop(uniform_below(draw, len(left))) for _ in range(count)]


def tools_folder(build):
    """Where the target llama_peers of a build folder of tare says that the programs are."""
    note = build / "llama_peers.txt"
    return None if not note.exists() else type(build)(note.read_text().strip())



"""The committed form of the reference: task hashes only, twelve digits each.

The file begins with lines `# key value`; then one line a task, sorted: `NAME OWN TWO`, the hashes with the
task's own number of few-shot examples and with two. `-` stands for a setting that the task does not allow,
`!` for one that lm-eval cannot build, `~` for documents that the task shuffles by itself.
"""

DIGITS = 12
SETTINGS = (None, 2)


def mark(line):
    if line is None:
        return "-"
    if "error" in line:
        return "!"
    return "~" if line.get("random") else line["task_hash"][:DIGITS]


def write(file, recorded, header):
    with open(file, "w", encoding="utf-8") as stream:
        stream.write("".join(f"# {key} {value}\n" for key, value in header.items()))
        for task in sorted(recorded):
            lines = {line["num_fewshot"]: line for line in recorded[task]}
            own = lines.get(None)
            second = lines.get(2) if own and "error" not in own else own
            stream.write(f"{task} {mark(own)} {mark(second)}\n")


def read(file):
    """(header, {(task, setting): mark})"""
    header, marks = {}, {}
    for line in open(file, encoding="utf-8"):
        if line.startswith("# "):
            key, _, value = line[2:].rstrip("\n").partition(" ")
            header[key] = value
            continue
        task, *hashes = line.split()
        marks.update({(task, setting): text for setting, text in zip(SETTINGS, hashes)})
    return header, marks

"""Checks the benchmark files in tasks/: form, balance, and nothing that gives an answer away.
Usage: check_tasks.py [FOLDER]   (default: tasks/everyday beside this folder)"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

MIN_QUESTIONS = 200
MIN_PASSAGES = 50
CHOICES = 4
POSITION_SHARE = (0.24, 0.26)  # of the right answers, for each index
LONGEST_SHARE = 0.35  # chance is 0.25: above this, picking the longest choice pays
QUESTION_COLUMNS = ["id", "topic", "question", "choices", "answer"]
PASSAGE_COLUMNS = ["id", "text"]


def read_rows(path):
    """The rows of a JSONL file. A line that is no JSON object becomes an empty row, which no rule lets pass."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            row = {}
        rows.append(row if isinstance(row, dict) else {})
    return rows


def well_formed(row):
    """True for a question row that the rules after the first can read."""
    return (
        list(row) == QUESTION_COLUMNS
        and all(isinstance(row[name], str) and row[name] for name in ("id", "topic", "question"))
        and isinstance(row["choices"], list)
        and all(isinstance(choice, str) and choice for choice in row["choices"])
        and type(row["answer"]) is int
    )


def normalized(text):
    """Letters and digits only: two texts that differ in nothing else are the same."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def repeated(values):
    return [value for value, count in Counter(values).items() if count > 1]


def untidy(text):
    return text != text.strip() or "  " in text or not text.isprintable()


def bad_questions(rows):
    return [
        f"line {number}: {row.get('id', 'no id')}: wanted a JSON object with the columns {', '.join(QUESTION_COLUMNS)}"
        for number, row in enumerate(rows, 1)
        if not well_formed(row)
    ]


def bad_passages(rows):
    return [
        f"line {number}: wanted a JSON object with the columns {', '.join(PASSAGE_COLUMNS)}"
        for number, row in enumerate(rows, 1)
        if list(row) != PASSAGE_COLUMNS or not all(isinstance(value, str) and value for value in row.values())
    ]


def repeated_ids(rows):
    return [f"{id_}: used more than once" for id_ in repeated(row["id"] for row in rows)]


def repeated_questions(rows):
    return [f"asked more than once: {text}" for text in repeated(normalized(row["question"]) for row in rows)]


def bad_choices(rows):
    return [
        f"{row['id']}: wanted {CHOICES} different choices, found {row['choices']}"
        for row in rows
        if len(row["choices"]) != CHOICES or len({normalized(choice) for choice in row["choices"]}) != CHOICES
    ]


def bad_answers(rows):
    return [
        f"{row['id']}: answer {row['answer']} names none of the {len(row['choices'])} choices"
        for row in rows
        if not 0 <= row["answer"] < len(row["choices"])
    ]


def untidy_questions(rows):
    return [
        f"{row['id']}: outer, double or unprintable space in '{text}'"
        for row in rows
        for text in [row["question"], *row["choices"]]
        if untidy(text)
    ]


def few_questions(rows):
    return [] if len(rows) >= MIN_QUESTIONS else [f"wanted at least {MIN_QUESTIONS} questions, found {len(rows)}"]


def unbalanced_positions(rows):
    low, high = POSITION_SHARE
    counts = Counter(row["answer"] for row in rows)
    return [
        f"answer {index} is right in {counts[index]} of {len(rows)} questions, wanted {low:.0%} to {high:.0%}"
        for index in range(CHOICES)
        if not low <= counts[index] / max(len(rows), 1) <= high
    ]


def longest_is_right(row):
    lengths = [len(choice) for choice in row["choices"]]
    return lengths[row["answer"]] == max(lengths)


def telling_lengths(rows):
    """Ties count as longest, so the bound is a strict one."""
    found = sum(longest_is_right(row) for row in rows)
    if found <= LONGEST_SHARE * len(rows):
        return []
    return [f"the right answer is the longest in {found} of {len(rows)} questions, wanted {LONGEST_SHARE:.0%} at most"]


def few_passages(rows):
    return [] if len(rows) >= MIN_PASSAGES else [f"wanted at least {MIN_PASSAGES} passages, found {len(rows)}"]


def repeated_passages(rows):
    return [f"found more than once: {text}" for text in repeated(normalized(row["text"]) for row in rows)]


def untidy_passages(rows):
    return [f"{row['id']}: outer, double or unprintable space" for row in rows if untidy(row["text"])]


def bad_last_words(rows):
    """The task's target is the last word alone, so no full stop may hang on it."""
    return [
        f"{row['id']}: wanted a plain word at the end, found '{row['text'].split(' ')[-1]}'"
        for row in rows
        if not row["text"].split(" ")[-1].isalpha()
    ]


QUESTION_RULES = [repeated_ids, repeated_questions, bad_choices, bad_answers, untidy_questions]
TEST_SPLIT_RULES = [few_questions, unbalanced_positions, telling_lengths]
PASSAGE_RULES = [few_passages, repeated_ids, repeated_passages, untidy_passages, bad_last_words]


def apply(name, rows, form, rules):
    """(rule, problems) for each rule; what is wrong in form keeps the other rules from running."""
    results = [(f"{name}: {form.__name__}", form(rows))]
    if not results[0][1]:
        results += [(f"{name}: {rule.__name__}", rule(rows)) for rule in rules]
    return results


def leaked_questions(test, fewshot):
    """Few-shot examples that show the answer to a test question."""
    asked = {normalized(row.get("question", "")) for row in test}
    return [f"{row['id']}: also a test question" for row in fewshot if normalized(row.get("question", "")) in asked]


def stray_files(folder):
    """Data that no task names, and names that no data stands behind."""
    named = {name for task in folder.glob("*.yaml") for name in re.findall(r"\S+\.jsonl", task.read_text())}
    there = {path.name for path in folder.glob("*.jsonl")}
    return [f"{name}: wanted both in a task file and as a file, found one" for name in sorted(named ^ there)]


def check(folder):
    test, fewshot, passages = (
        read_rows(folder / name) for name in ("everyday.jsonl", "everyday_fewshot.jsonl", "everyday_cloze.jsonl")
    )
    return [
        *apply("everyday", test, bad_questions, QUESTION_RULES + TEST_SPLIT_RULES),
        *apply("everyday_fewshot", fewshot, bad_questions, QUESTION_RULES),
        *apply("everyday_cloze", passages, bad_passages, PASSAGE_RULES),
        ("leaked_questions", leaked_questions(test, fewshot)),
        ("stray_files", stray_files(folder)),
    ]


def main(arguments):
    folder = Path(arguments[0]) if arguments else Path(__file__).parent.parent / "tasks" / "everyday"
    results = check(folder)
    for rule, problems in results:
        for problem in problems:
            print(f"{rule}: {problem}")
    failed = sum(bool(problems) for _, problems in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

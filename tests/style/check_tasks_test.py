"""Every rule of tools/check_tasks.py is seen failing once: the real files with one thing broken."""

import copy
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_tasks as rules  # noqa: E402  (the path comes first)

FOLDER = ROOT / "tasks" / "everyday"
QUESTIONS = rules.read_rows(FOLDER / "everyday.jsonl")
PASSAGES = rules.read_rows(FOLDER / "everyday_cloze.jsonl")


def set_first(column, value):
    """Overwrites one column of the first row."""
    return lambda rows: rows[0].__setitem__(column, value)


def copy_column(column):
    """The second row takes the first row's value."""
    return lambda rows: rows[1].__setitem__(column, rows[0][column])


def reverse_choices(rows):
    """Moves right answers from index 0 to 3."""
    for row in rows:
        if row["answer"] == 0:
            row["choices"].reverse()
            row["answer"] = 3


def lengthen_answers(rows):
    for row in rows:
        row["choices"][row["answer"]] += ", as everybody knows"


def keep_few(rows):
    del rows[10:]


CASES = [
    (rules.bad_questions, QUESTIONS, set_first("answer", True)),
    (rules.bad_questions, QUESTIONS, set_first("choices", ["a", "b", "", "d"])),
    (rules.bad_questions, QUESTIONS, set_first("hint", "none")),
    (rules.bad_questions, QUESTIONS, lambda rows: rows[0].clear()),
    (rules.repeated_ids, QUESTIONS, copy_column("id")),
    (rules.repeated_questions, QUESTIONS, copy_column("question")),
    (rules.bad_choices, QUESTIONS, set_first("choices", ["a", "b", "c"])),
    (rules.bad_choices, QUESTIONS, set_first("choices", ["a", "b", "c", "A"])),
    (rules.bad_answers, QUESTIONS, set_first("answer", 4)),
    (rules.bad_answers, QUESTIONS, set_first("answer", -1)),
    (rules.untidy_questions, QUESTIONS, set_first("question", "What is it? ")),
    (rules.untidy_questions, QUESTIONS, set_first("choices", ["a", "b  b", "c", "d"])),
    (rules.few_questions, QUESTIONS, keep_few),
    (rules.unbalanced_positions, QUESTIONS, reverse_choices),
    (rules.telling_lengths, QUESTIONS, lengthen_answers),
    (rules.bad_passages, PASSAGES, set_first("text", "")),
    (rules.few_passages, PASSAGES, keep_few),
    (rules.repeated_passages, PASSAGES, copy_column("text")),
    (rules.untidy_passages, PASSAGES, set_first("text", "one\ttwo")),
    (rules.bad_last_words, PASSAGES, set_first("text", "The lamp went out.")),
]


def leak_is_seen():
    return bool(rules.leaked_questions(QUESTIONS, QUESTIONS[:1]))


def stray_names_are_seen():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.yaml").write_text("data_files:\n  test: named.jsonl\n")
        (folder / "lonely.jsonl").write_text("{}\n")
        return [problem.split(":")[0] for problem in rules.stray_files(folder)] == ["lonely.jsonl", "named.jsonl"]


def bad_json_is_seen():
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.jsonl"
        path.write_text('{"id": \n[1]\n{}\n')
        return rules.read_rows(path) == [{}, {}, {}] and len(rules.bad_questions(rules.read_rows(path))) == 3


OTHER_CASES = [leak_is_seen, stray_names_are_seen, bad_json_is_seen]


def rule_works(rule, rows, damage):
    """Silent on the good rows, not silent on the damaged ones."""
    damaged = copy.deepcopy(rows)
    damage(damaged)
    return not rule(rows) and bool(rule(damaged))


def main():
    failed = [rule.__name__ for rule, rows, damage in CASES if not rule_works(rule, rows, damage)]
    failed += [case.__name__ for case in OTHER_CASES if not case()]
    for name in failed:
        print(f"{name}: wanted no problem in good input and one in damaged input")
    print(f"{len(CASES) + len(OTHER_CASES) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
